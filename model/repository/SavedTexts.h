// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/CommitMaker.h"

namespace tmx {

/// A text that no commit of the branch holds and that is about to be replaced or removed.
struct SavedText {
    QString path; ///< in the saved tree: the file's own, below "staged/" for what only the index held
    git_oid blob{};
    uint32_t mode = GIT_FILEMODE_BLOB;
};

/// Keeps the texts in a commit under refs/torch-matrix/saved/, on top of the branch's; gives the ref's name, empty for
/// no texts. The ref appears in one step. Error: disk full, read-only.
Result<QString> saveTexts(const OpenRepository &repository, const Journal &journal, const CommitMaker &maker,
                          const QString &branch, const QList<SavedText> &texts);

/// The texts at `path` that are the work tree's and the index's alone, stored as blobs: `onDisk`, and what `index`
/// (nullptr: not asked) holds beside it. `tip` is the commit's tree; nullptr: there is none.
Result<QList<SavedText>> uncommittedTexts(const OpenRepository &repository, const git_tree *tip, git_index *index,
                                          const QString &path, const std::optional<QByteArray> &onDisk);

/// saveTexts() where no commit follows: needs no identity in git's config, and is told from the others by
/// SavedCommit::alone.
Result<QString> saveWithoutCommit(const OpenRepository &repository, const Journal &journal, const QString &branch,
                                  const QString &tip, const QString &subject, const QList<SavedText> &texts);

/// Keeps `text`, which stands at `path` of the work tree and is about to be replaced there, unless HEAD's commit holds
/// it. `subject` is what is about to be done. Needs no identity in git's config and runs no hooks: no branch moves.
/// Gives the ref's name, empty for nothing kept.
Result<QString> saveUncommitted(const OpenRepository &repository, const Journal &journal, const QString &path,
                                const QByteArray &text, const QString &subject);

/// Repository::savedCommits.
Result<QList<SavedCommit>> savedCommits(const OpenRepository &repository);

} // namespace tmx
