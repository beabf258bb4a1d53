// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/repository/GitHandles.h"

#include <QString>

namespace tmx {

/// A repository that is open on this thread, and its folders (absolute, without trailing slash).
struct OpenRepository {
    GitRepository handle;
    QString workTree;
    QString gitFolder;    ///< of this work tree: HEAD and index lie there
    QString commonFolder; ///< shared by all work trees: objects and refs lie there

    [[nodiscard]] git_repository *git() const { return handle.get(); }
    [[nodiscard]] QString indexPath() const;
};

Result<OpenRepository> openRepository(const QString &path);

/// Where HEAD points.
struct Head {
    QString branch; ///< empty when detached
    QString commit; ///< empty when the branch has no commit yet
    bool detached = false;
    bool operator==(const Head &) const = default;
};
Result<Head> readHead(const OpenRepository &repository);
/// The same without the commit of a branch, so that a branch that cannot be read is no error.
Result<Head> headOf(const OpenRepository &repository);

/// The commit of a local branch; empty for the unborn one that HEAD names. Error: no such branch.
Result<QString> branchTip(const OpenRepository &repository, const QString &branch);

/// The tree of a commit (40 digits).
Result<GitTree> treeOf(const OpenRepository &repository, const QString &commit);

/// The index as it is on disk now, free of the repository's own cache. Error: cannot be read.
Result<GitIndex> readIndex(const QString &path);

} // namespace tmx
