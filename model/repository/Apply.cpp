// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// The functions that apply() replaces, until their callers have moved.
#include "model/repository/GitError.h"
#include "model/repository/OpenRepository.h"
#include "model/repository/RecipePath.h"
#include "model/repository/Repository.h"

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

ChangedFile fileOf(const FileEdit &edit)
{
    ChangedFile file;
    file.action = edit.text ? edit.expected ? ChangeAction::Rewrite : ChangeAction::Create : ChangeAction::Delete;
    file.path = edit.path;
    file.before = edit.expected;
    file.after = edit.text;
    file.chosen = true;
    return file;
}

ChangeSet changeOf(const QString &branch, const QString &parent, const QList<FileEdit> &edits, const QString &message)
{
    ChangeSet changes;
    changes.branch = branch;
    changes.parentCommit = parent;
    changes.message = message;
    for (const FileEdit &edit : edits)
        changes.files.append(fileOf(edit));
    return changes;
}

Result<CommitResult> resultOf(const Result<Applied> &done)
{
    if (!done)
        return done.error();
    return CommitResult{done->commit, done->branch, done->subject, done->saved, {}};
}

QList<FileEdit> asOnDisk(const QString &workTree, QStringList paths)
{
    paths.removeDuplicates();
    QList<FileEdit> edits;
    for (const QString &path : std::as_const(paths)) {
        const DiskFile file = readDiskFile(workTree, path);
        const std::optional<QByteArray> text = file.present ? std::optional(file.bytes) : std::nullopt;
        edits.append({path, text, text});
    }
    return edits;
}

} // namespace

Result<void> Repository::writeRecipe(const QString &path, const QByteArray &text,
                                     const std::optional<QByteArray> &expected) const
{
    const Result<QString> done = replaceRecipe(path, text, expected, u"Write %1"_s.arg(path));
    return done ? Result<void>() : done.error();
}

Result<QString> Repository::replaceRecipe(const QString &path, const QByteArray &text,
                                          const std::optional<QByteArray> &expected, const QString &subject) const
{
    ChangeSet changes = changeOf({}, {}, {{path, text, expected}}, subject);
    changes.until = ChangeSet::Until::WorkTree;
    const Result<Applied> done = apply(changes);
    return done ? Result<QString>(done->saved) : done.error();
}

Result<void> Repository::stage(const QStringList &paths) const
{
    const Result<RepositoryInfo> now = info();
    if (!now)
        return now.error();
    ChangeSet changes = changeOf({}, {}, asOnDisk(now->workTree, paths), {});
    changes.until = ChangeSet::Until::Index;
    const Result<Applied> done = apply(changes);
    return done ? Result<void>() : done.error();
}

Result<CommitResult> Repository::commit(const QStringList &paths, const QString &message,
                                        const QString &expectedHead) const
{
    const Result<RepositoryInfo> now = info();
    if (!now)
        return now.error();
    return resultOf(apply(changeOf({}, expectedHead, asOnDisk(now->workTree, paths), message)));
}

Result<CommitResult> Repository::commitToBranch(const QString &branch,
                                                const QList<std::pair<QString, QByteArray>> &files,
                                                const QString &message, const QString &expectedTip) const
{
    QList<FileEdit> edits;
    for (const auto &[path, text] : files)
        edits.append({path, text, std::nullopt});
    return resultOf(apply(changeOf(branch, expectedTip, edits, message)));
}

Result<CommitResult> Repository::commitEdits(const QString &branch, const QList<FileEdit> &edits,
                                             const QString &message, const QString &expectedTip) const
{
    return resultOf(apply(changeOf(branch, expectedTip, edits, message)));
}

Result<CommitResult> Repository::commitToNewBranch(const QString &name, const QString &base,
                                                   const QList<FileEdit> &edits, const QString &message) const
{
    ChangeSet changes = changeOf(name, base, edits, message);
    changes.newBranch = true;
    return resultOf(apply(changes));
}

Result<QString> Repository::editWorkTree(const QString &branch, const QList<FileEdit> &edits, const QString &subject,
                                         const QString &expectedTip) const
{
    const Result<RepositoryInfo> now = info();
    if (!now)
        return now.error();
    const Result<OpenRepository> repository = openRepository(now->workTree);
    if (!repository)
        return repository.error();
    ChangeSet changes = changeOf(branch, expectedTip, edits, subject);
    Result<GitTree> tree = expectedTip.isEmpty() ? Result<GitTree>(GitTree()) : treeOf(*repository, expectedTip);
    if (!tree)
        return tree.error();
    for (ChangedFile &file : changes.files) {
        GitTreeEntry entry;
        GitBlob blob;
        file.uncommitted = file.after;
        file.after.reset();
        if (*tree && obtain(entry, git_tree_entry_bypath, tree->get(), file.path.toUtf8().constData()) == 0 &&
            obtain(blob, git_blob_lookup, repository->git(), git_tree_entry_id(entry.get())) == 0)
            file.after = QByteArray(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                                    qsizetype(git_blob_rawsize(blob.get())));
    }
    const Result<Applied> done = apply(changes);
    return done ? Result<QString>(done->saved) : done.error();
}

} // namespace tmx
