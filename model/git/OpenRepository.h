// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/git/GitHandles.h"

#include <QString>

#include <memory>

namespace tmx {

/// A repository that is open on this thread, and its folders (absolute, without a trailing slash).
struct OpenRepository {
    GitRepository handle;
    QString workTree;
    QString gitFolder;      ///< folder of this working tree, with HEAD and index
    QString commonFolder;   ///< folder with objects and refs, shared by all working trees
    bool partial = false;   ///< a partial clone (PromisedObjects.h)
    bool refTables = false; ///< refs are no files (RefTables.h)
    std::shared_ptr<int> missing = std::make_shared<int>(0); ///< number of reads of objects that are not here

    [[nodiscard]] git_repository *git() const { return handle.get(); }
    [[nodiscard]] QString indexPath() const;
    [[nodiscard]] QString shallowPath() const; ///< git's list of commits at which a shallow clone ends; need not exist
};

Result<OpenRepository> openRepository(const QString &path);

/// What HEAD points to.
struct Head {
    QString branch; ///< empty if HEAD is detached
    QString commit; ///< empty if the branch has no commit yet
    bool detached = false;
    bool operator==(const Head &) const = default;
};
Result<Head> readHead(const OpenRepository &repository);
/// The same without the commit, so that a branch that cannot be read is no error.
Result<Head> headOf(const OpenRepository &repository);

/// The commit of a local branch; empty for the unborn branch of HEAD. Error: no such branch.
Result<QString> branchTip(const OpenRepository &repository, const QString &branch);

/// Whether an object (40 digits) is here.
bool holdsObject(const OpenRepository &repository, const QString &id);

/// The tree of a commit (40 digits).
Result<GitTree> treeOf(const OpenRepository &repository, const QString &commit);

} // namespace tmx
