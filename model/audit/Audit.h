// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/catalog/Catalog.h"
#include "model/recipe/FileTrouble.h"
#include "model/recipe/RecipeFacts.h"

#include <QByteArray>
#include <QHash>

#include <memory>

namespace tmx {

/// A recipe and what it is held against. The catalog and the line must outlive the call, nothing else is kept.
struct AuditInput {
    const Catalog *catalog = nullptr;
    const Settings *line = nullptr;
    Variant variant; ///< that the file's name says, its toolkit filled in where the name lacks it
    QString file;    ///< ".flox/pkgs/pytorch-....nix"
    QByteArray text;
    FileTrouble trouble = FileTrouble::None;
    QStringList duplicates; ///< further files that claim the same cell
    QHash<QString, QByteArray>
        siblings; ///< texts of the other recipes by file name, "pytorch-....nix"; asked for companions only.
                  ///< Of repositories that are fetched, where a clone is at hand: "NAME", "NAME@REVISION" and
                  ///< "NAME@REVISION/.flox/pkgs/pytorch-....nix"
    std::shared_ptr<const RecipeFacts> facts = nullptr; ///< of `text`, where it was parsed before; null: it is parsed
    QStringList dissent = {}; ///< in what it differs from most recipes like it, a sentence each
};

/// What was read of a recipe, and what is wrong with it: the gravest first, and in the order of the text.
struct Judgement {
    std::shared_ptr<const RecipeFacts> facts; ///< never null
    QList<Finding> findings;
    /// The first finding of severity error; nullptr when there is none.
    [[nodiscard]] const Finding *firstError() const;
};

/// One rule of the table, for whoever lists them.
struct Rule {
    QString id; ///< stable: "pin-other"
    Severity severity = Severity::Note;
    QString title;        ///< what it finds, one sentence, translated
    bool fixable = false; ///< some of its findings can be fixed in place
    QString consequence;  ///< what happens if it is ignored, one sentence, translated
    QString seen;         ///< in which recipes it was met, one sentence, translated
};

/// Holds a recipe against all rules. Pure and thread-safe. A file that cannot be read or parsed has exactly one
/// finding.
Judgement audit(const AuditInput &input);

/// What there is to say of a file whose name is no variant's: why it cannot be read, if that is so, else one note.
QList<Finding> auditOther(const QByteArray &text, FileTrouble trouble);

/// Every rule, in the order in which they are asked.
const QList<Rule> &auditRules();

} // namespace tmx
