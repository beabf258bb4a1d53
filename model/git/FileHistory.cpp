// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/FileHistory.h"

#include "model/git/DiskFile.h"
#include "model/git/GitError.h"
#include "model/git/PromisedObjects.h"

#include <QSet>
#include <QTimeZone>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr int mostFetched = 1000; // of the history's trees, in a partial clone

QDateTime timeOf(const git_time &time)
{
    return QDateTime::fromSecsSinceEpoch(time.time, QTimeZone::fromSecondsAheadOfUtc(time.offset * 60));
}

/// Gets the selected folder of a commit; null if there is none. Returns false if it could not be read.
bool folderOf(git_repository *git, git_commit *commit, const FileSelection &among, GitTree &tree)
{
    GitTree root;
    GitTreeEntry folder;
    if (obtain(root, git_commit_tree, commit) < 0)
        return false;
    const int rc = obtain(folder, git_tree_entry_bypath, root.get(), among.folder.toUtf8().constData());
    if (rc == GIT_ENOTFOUND || (rc == 0 && git_tree_entry_type(folder.get()) != GIT_OBJECT_TREE))
        return true;
    return rc == 0 && obtain(tree, git_tree_lookup, git, git_tree_entry_id(folder.get())) == 0;
}

QString pathOf(const FileSelection &among, const git_tree_entry *entry)
{
    const QString path = among.folder + u'/' + QString::fromUtf8(git_tree_entry_name(entry));
    return git_tree_entry_type(entry) == GIT_OBJECT_TREE ? path + u'/' + among.inFolders : path;
}

/// The entries of `tree` whose names are not in `other` (null: an empty folder).
QList<const git_tree_entry *> entriesNotIn(git_tree *tree, git_tree *other)
{
    QList<const git_tree_entry *> entries;
    for (size_t i = 0; tree && i < git_tree_entrycount(tree); ++i) {
        const git_tree_entry *entry = git_tree_entry_byindex(tree, i);
        if (!other || !git_tree_entry_byname(other, git_tree_entry_name(entry)))
            entries.append(entry);
    }
    return entries;
}

QString subjectOf(git_commit *commit)
{
    const char *summary = git_commit_summary(commit);
    return summary ? QString::fromUtf8(summary) : QString();
}

QDateTime authoredAt(git_commit *commit)
{
    const git_signature *author = git_commit_author(commit);
    return author ? timeOf(author->when) : QDateTime();
}

/// Walks the history of one file backwards.
class Walk
{
public:
    Walk(const OpenRepository &repository, const SameFile &sameFile, const FileSelection &among)
        : m_git(repository.git())
        , m_sameFile(sameFile)
        , m_among(among)
    {
    }

    /// Whether something could not be read: what was not found may be there.
    [[nodiscard]] bool isLost() const { return m_lost; }

    /// The blob at `path`; nullopt if there is no file.
    std::optional<git_oid> blobAt(git_commit *commit, const QString &path) const
    {
        GitTree tree;
        GitTreeEntry entry;
        int rc = obtain(tree, git_commit_tree, commit);
        m_lost = m_lost || rc < 0;
        if (rc == 0)
            rc = obtain(entry, git_tree_entry_bypath, tree.get(), path.toUtf8().constData());
        m_lost = m_lost || (rc < 0 && rc != GIT_ENOTFOUND);
        return rc == 0 && git_tree_entry_type(entry.get()) == GIT_OBJECT_BLOB
                   ? std::optional(*git_tree_entry_id(entry.get()))
                   : std::nullopt;
    }

    /// The path before or after a rename: that of a file in `commit` that is missing in `other`, with the same text or,
    /// according to the names, the same file.
    QString otherPath(git_commit *commit, git_commit *other, const git_oid &blob) const
    {
        GitTree here;
        GitTree there;
        if (!folderOf(m_git, commit, m_among, here) || !folderOf(m_git, other, m_among, there)) {
            m_lost = true;
            return {};
        }
        QString named;
        for (const git_tree_entry *entry : entriesNotIn(here.get(), there.get())) {
            const QString path = pathOf(m_among, entry);
            const std::optional<git_oid> id = blobAt(commit, path);
            if (!id)
                continue;
            if (git_oid_equal(&*id, &blob))
                return path;
            if (named.isEmpty() && m_sameFile && m_sameFile(path))
                named = path;
        }
        return named;
    }

    FileRevision describe(git_commit *commit, const QString &path, const std::optional<git_oid> &blob) const
    {
        FileRevision revision;
        revision.commit = toHex(*git_commit_id(commit));
        revision.subject = subjectOf(commit);
        revision.when = authoredAt(commit);
        if (const git_signature *author = git_commit_author(commit))
            revision.author = QString::fromUtf8(author->name);
        revision.path = path;
        GitBlob object;
        const bool isRead = blob && obtain(object, git_blob_lookup, m_git, &*blob) == 0;
        m_lost = m_lost || (blob && !isRead);
        if (isRead && git_blob_rawsize(object.get()) <= maxTextBytes) {
            QByteArray bytes(static_cast<const char *>(git_blob_rawcontent(object.get())),
                             qsizetype(git_blob_rawsize(object.get())));
            if (isText(bytes))
                revision.text = std::move(bytes);
        }
        return revision;
    }

private:
    git_repository *m_git;
    const SameFile &m_sameFile;
    const FileSelection &m_among;
    mutable bool m_lost = false;
};

} // namespace

Result<QList<FileRevision>> fileHistory(const OpenRepository &repository, const QString &commit, const QString &path,
                                        const SameFile &sameFile, const FileSelection &among, int limit,
                                        const std::function<bool()> &stop)
{
    const Walk walk(repository, sameFile, among);
    const int missing = *repository.missing;
    fetchTreesOfHistory(repository, commit, mostFetched);
    const auto lost = [&] { return readError(repository, missing, Tr::tr("read the history of commit"), commit); };
    const std::optional<git_oid> id = fromHex(commit);
    GitCommit here;
    if (!id || obtain(here, git_commit_lookup, repository.git(), &*id) < 0)
        return lost();
    QList<FileRevision> revisions;
    QString name = path;
    std::optional<git_oid> blob = walk.blobAt(here.get(), name);
    // At once, while libgit2 still knows why.
    while (!walk.isLost() && revisions.size() < limit && !(stop && stop())) {
        // A parent with the same file passed it on; else the first parent that has the file is where it was changed.
        GitCommit same;
        GitCommit other;
        GitCommit first;
        std::optional<git_oid> before;
        for (unsigned int i = 0; i < git_commit_parentcount(here.get()) && !same; ++i) {
            GitCommit parent;
            if (obtain(parent, git_commit_parent, here.get(), i) < 0)
                return lost(); // Also the end of a shallow clone, in which libgit2 shows no parents.
            const std::optional<git_oid> there = walk.blobAt(parent.get(), name);
            if (walk.isLost())
                return lost();
            if (there.has_value() == blob.has_value() && (!blob || git_oid_equal(&*there, &*blob))) {
                same = std::move(parent);
            } else if (there && !other) {
                before = there;
                other = std::move(parent);
            } else if (!first) {
                first = std::move(parent);
            }
        }
        if (same) {
            here = std::move(same);
            continue;
        }
        if (blob || other)
            revisions.append(walk.describe(here.get(), name, blob));
        if (walk.isLost())
            return lost();
        if (!blob && other)
            revisions.last().after = walk.otherPath(here.get(), other.get(), *before);
        if (!other && first && blob) {
            const QString older = walk.otherPath(first.get(), here.get(), *blob);
            if (!older.isEmpty()) {
                revisions.last().before = older;
                name = older;
                before = walk.blobAt(first.get(), name);
                other = std::move(first);
            } else {
                // It may have existed before, and been removed and restored.
                other = std::move(first);
            }
        }
        if (!other)
            break;
        here = std::move(other);
        blob = before;
    }
    return walk.isLost() || *repository.missing > missing ? Result<QList<FileRevision>>(lost()) : revisions;
}

Result<QList<DeletedFile>> deletedFiles(const OpenRepository &repository, const QString &commit,
                                        const FileSelection &among, const TakesItsPlace &takesItsPlace, int limit,
                                        const std::function<bool()> &stop)
{
    const int missing = *repository.missing;
    const auto lost = [&] { return readError(repository, missing, Tr::tr("read the history of commit"), commit); };
    const std::optional<git_oid> id = fromHex(commit);
    GitCommit here;
    if (!id || obtain(here, git_commit_lookup, repository.git(), &*id) < 0)
        return lost();
    fetchTreesOfHistory(repository, commit, mostFetched);
    QList<DeletedFile> deleted;
    QSet<QString> known; // existing ones, and those whose deletion was found
    GitTree tree;
    if (!folderOf(repository.git(), here.get(), among, tree))
        return lost();
    for (const git_tree_entry *entry : entriesNotIn(tree.get(), nullptr))
        known.insert(pathOf(among, entry));
    GitCommit parent;
    for (int i = 0; i < limit && !(stop && stop()); ++i, here = std::move(parent)) {
        // A shallow clone ends at a missing parent.
        const int rc =
            git_commit_parentcount(here.get()) == 0 ? GIT_ENOTFOUND : obtain(parent, git_commit_parent, here.get(), 0);
        if (rc == GIT_ENOTFOUND)
            break;
        GitTree before;
        if (rc < 0 || !folderOf(repository.git(), parent.get(), among, before))
            return lost();
        const bool same = tree && before && git_oid_equal(git_tree_id(tree.get()), git_tree_id(before.get()));
        const auto come = same ? QList<const git_tree_entry *>() : entriesNotIn(tree.get(), before.get());
        const auto gone = same ? QList<const git_tree_entry *>() : entriesNotIn(before.get(), tree.get());
        for (const git_tree_entry *entry : gone) {
            const QString path = pathOf(among, entry);
            if (known.contains(path))
                continue;
            known.insert(path);
            const bool replaced = std::ranges::any_of(come, [&](const git_tree_entry *other) {
                return git_oid_equal(git_tree_entry_id(entry), git_tree_entry_id(other)) ||
                       (takesItsPlace && takesItsPlace(path, pathOf(among, other)));
            });
            if (!replaced)
                deleted.append({path, toHex(*git_commit_id(here.get())), toHex(*git_commit_id(parent.get())),
                                subjectOf(here.get()), authoredAt(here.get())});
        }
        tree = std::move(before);
    }
    return *repository.missing > missing ? Result<QList<DeletedFile>>(lost()) : deleted;
}

} // namespace tmx
