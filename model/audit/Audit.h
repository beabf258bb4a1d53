// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/base/FileTrouble.h"
#include "model/catalog/Catalog.h"
#include "model/recipe/RecipeFacts.h"

#include <QByteArray>
#include <QHash>

#include <memory>

namespace tmx {

/// A recipe and what it is compared with. The catalog and the settings must outlive the call; nothing else is kept.
struct AuditInput {
    const Catalog *catalog = nullptr;
    const Settings *settings = nullptr;
    Variant variant; ///< the variant in the file's name, with its toolkit filled in if the name lacks it
    QString file;    ///< ".flox/pkgs/pytorch-....nix"
    QByteArray text;
    FileTrouble trouble = FileTrouble::None;
    QStringList duplicates;              ///< extra files that claim the same cell
    QHash<QString, QByteArray> siblings; ///< texts of the other recipes by file name, "pytorch-....nix"; only used for
                                         ///< companions. For fetched repositories with a clone at hand: "NAME",
                                         ///< "NAME@REVISION" and "NAME@REVISION/.flox/pkgs/pytorch-....nix"
    std::shared_ptr<const RecipeFacts> facts = nullptr; ///< facts of `text` if it was already parsed; null: audit()
                                                        ///< parses it
    QStringList dissent = {};                           ///< how it differs from most similar recipes, one sentence each
    std::shared_ptr<const RecipeFiles> files = nullptr; ///< the files that the recipe may import; null: unknown
    bool converted = false; ///< git writes CR LF when it checks the file out; the commit, which is built, has LF
};

/// The recipe with what it imports.
RecipeSource sourceOf(const AuditInput &input);

/// The facts of a recipe and its findings, the gravest first, then in the order of the text.
struct Judgement {
    std::shared_ptr<const RecipeFacts> facts; ///< never null
    QList<Finding> findings;
    /// The first finding of severity error; nullptr if there is none.
    [[nodiscard]] const Finding *firstError() const;
};

/// One rule of the table, for listing the rules.
struct Rule {
    QString id; ///< stable: "pin-other"
    Severity severity = Severity::Note;
    QString title;        ///< what it finds, one sentence, translated
    bool fixable = false; ///< some of its findings can be fixed in place
    QString consequence;  ///< consequence of ignoring it, one sentence, translated
    QString seen;         ///< in which recipes it occurred, one sentence, translated
};

/// The rule of recipes that were not read completely: their other findings are true, but some may be missing.
inline constexpr QLatin1StringView notUnderstoodRule{"not-understood"};

/// Checks a recipe against all rules. Pure and thread-safe. A file that cannot be read or parsed has exactly one
/// finding.
Judgement audit(const AuditInput &input);

/// Findings for a file whose name is not a variant's: why it cannot be read, else one note.
QList<Finding> auditOther(const QByteArray &text, FileTrouble trouble);

/// Every rule, in the order in which they are checked.
const QList<Rule> &auditRules();

} // namespace tmx
