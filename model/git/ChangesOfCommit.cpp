// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/ChangesOfCommit.h"

#include "model/git/DiskFile.h"
#include "model/git/GitError.h"

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

Result<std::optional<QByteArray>> textOf(const OpenRepository &repository, const git_diff_file &file,
                                         const QString &what)
{
    if (file.mode == 0)
        return std::optional<QByteArray>();
    const QString path = QString::fromUtf8(file.path);
    const Error noText{what, path, Tr::tr("it is not text, or is larger than 1 MiB"), {}};
    GitBlob blob;
    if (file.mode != GIT_FILEMODE_BLOB && file.mode != GIT_FILEMODE_BLOB_EXECUTABLE)
        return noText;
    if (obtain(blob, git_blob_lookup, repository.git(), &file.id) < 0)
        return gitError(what, path);
    if (git_blob_rawsize(blob.get()) > git_object_size_t(maxTextBytes))
        return noText;
    QByteArray bytes(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                     qsizetype(git_blob_rawsize(blob.get())));
    if (!isText(bytes))
        return noText;
    return std::optional(std::move(bytes));
}

} // namespace

Result<QList<CommittedChange>> changesOf(const OpenRepository &repository, const QString &commit)
{
    const QString what = Tr::tr("read the commit");
    GitObject object;
    GitObject peeled;
    const QByteArray name = commit.toUtf8();
    if (name.startsWith('-') || obtain(object, git_revparse_single, repository.git(), name.constData()) < 0 ||
        obtain(peeled, git_object_peel, object.get(), GIT_OBJECT_COMMIT) < 0)
        return Error{what, commit, Tr::tr("there is no such commit"), {}};
    const auto *self = reinterpret_cast<const git_commit *>(peeled.get());
    if (git_commit_parentcount(self) > 1)
        return Error{what, commit, Tr::tr("it is a merge"), {}};
    GitTree before;
    GitTree after;
    GitCommit parent;
    if (git_commit_parentcount(self) == 1 &&
        (obtain(parent, git_commit_parent, self, 0U) < 0 || obtain(before, git_commit_tree, parent.get()) < 0))
        return gitError(what, commit);
    GitDiff diff;
    if (obtain(after, git_commit_tree, self) < 0 ||
        obtain(diff, git_diff_tree_to_tree, repository.git(), before.get(), after.get(), nullptr) < 0)
        return gitError(what, commit);
    QList<CommittedChange> changes;
    for (size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
        const git_diff_delta *delta = git_diff_get_delta(diff.get(), i);
        TM_TRY(old, textOf(repository, delta->old_file, what));
        TM_TRY(now, textOf(repository, delta->new_file, what));
        changes.append({QString::fromUtf8(delta->new_file.path), std::move(old).value(), std::move(now).value()});
    }
    return changes;
}

} // namespace tmx
