// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

#include <git2.h>

#include <memory>

namespace tmx {

template <auto free>
struct GitDeleter {
    template <class T>
    void operator()(T *handle) const
    {
        free(handle);
    }
};
template <class T, auto free>
using GitHandle = std::unique_ptr<T, GitDeleter<free>>;

using GitRepository = GitHandle<git_repository, git_repository_free>;
using GitReference = GitHandle<git_reference, git_reference_free>;
using GitObject = GitHandle<git_object, git_object_free>;
using GitCommit = GitHandle<git_commit, git_commit_free>;
using GitTree = GitHandle<git_tree, git_tree_free>;
using GitTreeEntry = GitHandle<git_tree_entry, git_tree_entry_free>;
using GitBlob = GitHandle<git_blob, git_blob_free>;
using GitOdb = GitHandle<git_odb, git_odb_free>;
using GitOdbObject = GitHandle<git_odb_object, git_odb_object_free>;
using GitPackBuilder = GitHandle<git_packbuilder, git_packbuilder_free>;
using GitRevwalk = GitHandle<git_revwalk, git_revwalk_free>;
using GitReferenceIterator = GitHandle<git_reference_iterator, git_reference_iterator_free>;
using GitIndex = GitHandle<git_index, git_index_free>;
using GitConfig = GitHandle<git_config, git_config_free>;
using GitRemote = GitHandle<git_remote, git_remote_free>;
using GitSignature = GitHandle<git_signature, git_signature_free>;
using GitFilterList = GitHandle<git_filter_list, git_filter_list_free>;
using GitWorktree = GitHandle<git_worktree, git_worktree_free>;
using GitDiff = GitHandle<git_diff, git_diff_free>;
using GitPatch = GitHandle<git_patch, git_patch_free>;

/// Calls a function that returns a handle through its first argument: `obtain(index, git_index_open, path)`. Returns
/// its return code. The handle is set on return, so later calls in the same condition can use it.
template <class T, class Deleter, class Function, class... Arguments>
int obtain(std::unique_ptr<T, Deleter> &handle, Function function, Arguments... arguments)
{
    T *raw = nullptr;
    const int rc = function(&raw, arguments...);
    handle.reset(raw);
    return rc;
}

/// A buffer filled by libgit2.
struct GitBuffer : git_buf {
    GitBuffer()
        : git_buf(GIT_BUF_INIT)
    {
    }
    ~GitBuffer() { git_buf_dispose(this); }
    Q_DISABLE_COPY_MOVE(GitBuffer)
};

/// Names returned by libgit2.
struct GitStrings : git_strarray {
    GitStrings()
        : git_strarray{nullptr, 0}
    {
    }
    ~GitStrings() { git_strarray_dispose(this); }
    Q_DISABLE_COPY_MOVE(GitStrings)
};

} // namespace tmx
