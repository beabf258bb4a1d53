// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/base/WorkHooks.h"
#include "model/git/BlobTexts.h"
#include "model/git/GitValues.h"
#include "model/recipe/RecipeSource.h"

#include <QHash>

#include <memory>

namespace tmx {

class CommitReader;
class Repository;

/// All recipes of a branch in `files`, what they may import in `imported`, and its settings file.
struct BranchContent : BranchFiles {
    /// `files` and `imported` as committed, and as they are in the working tree if that was read. The same object if
    /// there is no difference; null: nothing was read.
    std::shared_ptr<const RecipeFiles> committedFiles = nullptr;
    std::shared_ptr<const RecipeFiles> shownFiles = nullptr;
    std::optional<QByteArray>
        settingsFile; ///< torch-matrix.toml at the root: from the working tree if that is read, else from the commit
    FileTrouble settingsTrouble = FileTrouble::None; ///< why an existing file was not read
    QList<VersionedFile> torchFiles; ///< for a companions' branch: committed PyTorch recipes of the repository next to
                                     ///< it (TorchSibling.h)
    std::optional<Error> torchUnread = {}; ///< why those, which exist, could not be read
    /// For repositories whose PyTorch recipes are fetched and that have a clone next to this one (FetchedTorch.h):
    /// "NAME"; "NAME@REVISION" if the clone has the commit; and "NAME@REVISION/PATH" with the file's text.
    QHash<QString, QByteArray> fetchedTorch = {};
    /// Recipes that were deleted from the branch; set if its settings are inferred (CommitReader::deletions).
    QList<DeletedFile> deleted = {};
    std::optional<Error> deletedUnread = {}; ///< why those, or a text of theirs, could not be read
};

/// The recipes of .flox/pkgs: x.nix, or x/default.nix for a recipe in its own folder. Hidden files are left out.
const FileSelection &recipeSelection();

/// The recipes of a commit. `branch` is the branch that they belong to; its name selects the settings. With `texts`,
/// known blobs are not read again. Errors: as CommitReader::read.
Result<BranchContent> readCommit(const CommitReader &reader, const QString &commit, const QString &branch,
                                 BlobTexts *texts = nullptr, const WorkHooks &hooks = {});
/// The recipes of a branch. Errors: as Repository::readBranch.
Result<BranchContent> readBranch(const Repository &repository, const QString &branch, BlobTexts *texts = nullptr,
                                 const WorkHooks &hooks = {});
/// What identifies the working tree: without `committedFiles` and `shownFiles`, and without the texts of files that are
/// as they were when they were read for `known` (FileSelection::known). Errors: as Repository::readBranch.
Result<BranchContent> readWorkTreeForId(const Repository &repository, const KnownFiles &known);
/// What the next readWorkTreeForId() needs to know. Texts that may fetch PyTorch from elsewhere are read each time.
KnownFiles knownFilesOf(const BranchContent &content, const KnownFiles &before);

/// The text at `path` as apply() expects it: the bytes in the working tree if that was read, else the committed text.
std::optional<QByteArray> textIn(const BranchContent &content, const QString &path);

/// Identifies the recipes of a commit: equal for two commits with equal .flox/pkgs and torch-matrix.toml whose `branch`
/// finds the same PyTorch recipes next to this repository. To know that a commit fetches none from other repositories
/// takes long: `fetchesNone` is set if so; if it was set before, the recipes are not read.
Result<QString> recipesId(const CommitReader &reader, const QString &commit, const QString &branch,
                          bool *fetchesNone = nullptr);

} // namespace tmx
