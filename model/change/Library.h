// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/change/ChangeSet.h"
#include "model/git/Repository.h"
#include "model/recipe/Edits.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/RecipeCache.h"

#include <QVariantHash>

namespace tmx {

class RecipeConverter;
struct VariantEntry;

/// Why a file that recipes import gets new entries.
QString newEntriesReason();

/// The key of torch-matrix.toml that sets a value of recipeContext() with one meaning wherever it is written:
/// "nixpkgs" for "nixpkgs.rev". Empty: it has none.
QString settingsKeyOf(const QString &path);

/// What happens to a pin that recipes share of which only some get another one, where no table has one by toolkit.
enum class SharedPin {
    Follows, ///< it is replaced, and the others follow
    Stays,   ///< the recipes that need another one are not changed
};

/// The files that a branch's recipes import, as a change makes them: values of the settings that are written there (a
/// nixpkgs revision in lib/metadata.nix) are changed there, once for all recipes that use them. For one thread; cache
/// and content must outlive it.
class Library
{
public:
    /// `files`: BranchContent::committedFiles or shownFiles; null: recipes import nothing. `until`: what is not
    /// committed there is only changed if the change is not committed either.
    Library(const RecipeCache &recipes, const BranchContent &content, std::shared_ptr<const RecipeFiles> files,
            ChangeSet::Until until = ChangeSet::Until::Commit);

    /// The files with all changes so far.
    [[nodiscard]] const std::shared_ptr<const RecipeFiles> &files() const { return m_files; }
    [[nodiscard]] RecipeSource source(const QString &path, const QByteArray &text) const;

    /// Exchanges the values of the context `from` that `wanted` has others for, where they are written in files that
    /// the recipe imports and the recipe changes with them. Returns the values that were found, by their paths in the
    /// context. Error: another recipe needs another value at the same place; the file has uncommitted changes; the
    /// wanted value is unknown.
    Result<QStringList> follow(const QString &path, const QByteArray &text, const QVariantHash &from,
                               const QVariantHash &wanted);
    /// follow() for all recipes that other settings concern, as `carry` has them. Returns why not, by the variant's
    /// name. Error: stoppedError().
    Result<QHash<QString, QString>> followAll(const QList<const VariantEntry *> &entries, const RecipeConverter &carry,
                                              const WorkHooks &hooks = {}, SharedPin shared = SharedPin::Follows);
    /// Replaces the text of an imported file, as files() has it. `why`: one sentence. Error: it has uncommitted
    /// changes.
    std::optional<Error> rewrite(const QString &path, const QByteArray &text, const QString &why);

    /// Whether the recipe imports a changed file and something in it follows.
    [[nodiscard]] bool reaches(const QString &path, const QByteArray &text) const;
    /// The changed files, each with the number of recipes of the branch that it reaches.
    [[nodiscard]] QList<ChangedFile> changedFiles() const;
    [[nodiscard]] QStringList changedPaths() const { return m_edits.keys() + m_why.keys(); }

private:
    QHash<QString, QString> addPins(const QList<const VariantEntry *> &entries, const RecipeConverter &carry,
                                    SharedPin shared);
    /// A value in an imported file.
    struct Place {
        QString path;
        Edit edit;
    };
    Result<QStringList> followed(const QString &path, const QByteArray &text, const QVariantHash &from,
                                 const QVariantHash &wanted);
    Result<bool> take(const QString &path, const QByteArray &text, const Place &place, const QString &old,
                      const QString &key);
    [[nodiscard]] QList<Place> placesOf(const RecipeSource &source, const QString &old, const QString &wanted) const;
    [[nodiscard]] bool isUsed(const QString &path, const QByteArray &text, const Place &place) const;
    [[nodiscard]] bool isSame(const RecipeSource &a, const RecipeSource &b) const;
    [[nodiscard]] std::optional<Error> whyNotWritten(const QString &path) const;
    [[nodiscard]] QByteArray before(const QString &path) const { return *m_base->text(path); }
    void renew();

    const RecipeCache &m_recipes;
    const BranchContent &m_content;
    const ChangeSet::Until m_until;
    std::shared_ptr<const RecipeFiles> m_before;
    std::shared_ptr<const RecipeFiles> m_base; ///< with the texts from rewrite(); the edits are for these
    std::shared_ptr<const RecipeFiles> m_files;
    QMap<QString, Edits> m_edits;
    QMap<QString, QString> m_why; ///< why a file was rewritten
};

} // namespace tmx
