// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/RecipeHistory.h"

#include "model/repository/GitError.h"
#include "model/repository/RecipePath.h"

#include <QTimeZone>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QDateTime timeOf(const git_time &time)
{
    return QDateTime::fromSecsSinceEpoch(time.time, QTimeZone::fromSecondsAheadOfUtc(time.offset * 60));
}

/// Walks the commits of one recipe backwards.
class Walk
{
public:
    Walk(const OpenRepository &repository, const std::function<bool(const QString &)> &sameRecipe)
        : m_git(repository.git())
        , m_sameRecipe(sameRecipe)
    {
    }

    /// The blob at `path`; nullopt: no file there.
    std::optional<git_oid> blobAt(git_commit *commit, const QString &path) const
    {
        GitTree tree;
        GitTreeEntry entry;
        if (obtain(tree, git_commit_tree, commit) < 0 ||
            obtain(entry, git_tree_entry_bypath, tree.get(), path.toUtf8().constData()) < 0 ||
            git_tree_entry_type(entry.get()) != GIT_OBJECT_BLOB)
            return std::nullopt;
        return *git_tree_entry_id(entry.get());
    }

    /// Another name for a recipe on one side of a commit: that of a file of `commit` which `other` lacks, with the same
    /// text or, as far as the names say, of the same recipe.
    QString otherPath(git_commit *commit, git_commit *other, const git_oid &blob) const
    {
        GitTree here;
        GitTree there;
        if (!recipes(commit, here))
            return {};
        const bool any = recipes(other, there);
        QString named;
        for (size_t i = 0; i < git_tree_entrycount(here.get()); ++i) {
            const git_tree_entry *entry = git_tree_entry_byindex(here.get(), i);
            const char *name = git_tree_entry_name(entry);
            if (any && git_tree_entry_byname(there.get(), name))
                continue;
            QString path = recipeFolder + u'/' + QString::fromUtf8(name);
            if (git_tree_entry_type(entry) == GIT_OBJECT_TREE)
                path += u"/default.nix"_s;
            const std::optional<git_oid> id = blobAt(commit, path);
            if (!id)
                continue;
            if (git_oid_equal(&*id, &blob))
                return path;
            if (named.isEmpty() && m_sameRecipe && m_sameRecipe(path))
                named = path;
        }
        return named;
    }

    RecipeRevision describe(git_commit *commit, const QString &path, const std::optional<git_oid> &blob) const
    {
        RecipeRevision revision;
        revision.commit = toHex(*git_commit_id(commit));
        if (const char *summary = git_commit_summary(commit))
            revision.subject = QString::fromUtf8(summary);
        if (const git_signature *author = git_commit_author(commit)) {
            revision.author = QString::fromUtf8(author->name);
            revision.when = timeOf(author->when);
        }
        revision.path = path;
        GitBlob object;
        if (blob && obtain(object, git_blob_lookup, m_git, &*blob) == 0 &&
            git_blob_rawsize(object.get()) <= maxRecipeBytes) {
            QByteArray bytes(static_cast<const char *>(git_blob_rawcontent(object.get())),
                             qsizetype(git_blob_rawsize(object.get())));
            if (isText(bytes))
                revision.text = std::move(bytes);
        }
        return revision;
    }

private:
    bool recipes(git_commit *commit, GitTree &tree) const
    {
        GitTree root;
        GitTreeEntry folder;
        return obtain(root, git_commit_tree, commit) == 0 &&
               obtain(folder, git_tree_entry_bypath, root.get(), recipeFolder.data()) == 0 &&
               git_tree_entry_type(folder.get()) == GIT_OBJECT_TREE &&
               obtain(tree, git_tree_lookup, m_git, git_tree_entry_id(folder.get())) == 0;
    }

    git_repository *m_git;
    const std::function<bool(const QString &)> &m_sameRecipe;
};

} // namespace

Result<QList<RecipeRevision>> recipeHistory(const OpenRepository &repository, const QString &commit,
                                            const QString &path, const std::function<bool(const QString &)> &sameRecipe,
                                            int limit, const std::function<bool()> &stop)
{
    const Walk walk(repository, sameRecipe);
    const auto lost = [&commit] {
        return gitError(Tr::tr("read the history of commit"), commit,
                        Tr::tr("\"git fsck\" tells whether the repository is damaged."));
    };
    const std::optional<git_oid> id = fromHex(commit);
    GitCommit here;
    if (!id || obtain(here, git_commit_lookup, repository.git(), &*id) < 0)
        return lost();
    QList<RecipeRevision> revisions;
    QString name = path;
    std::optional<git_oid> blob = walk.blobAt(here.get(), name);
    while (revisions.size() < limit && !(stop && stop())) {
        // The parent with the same file passed it on; else the first that has the file is where it was changed.
        GitCommit same;
        GitCommit other;
        GitCommit first;
        std::optional<git_oid> before;
        for (unsigned int i = 0; i < git_commit_parentcount(here.get()) && !same; ++i) {
            GitCommit parent;
            if (obtain(parent, git_commit_parent, here.get(), i) < 0)
                return lost(); // a shallow clone ends here as well, and libgit2 shows no parents then
            const std::optional<git_oid> there = walk.blobAt(parent.get(), name);
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
                // It may have been here before, removed and brought back.
                other = std::move(first);
            }
        }
        if (!other)
            break;
        here = std::move(other);
        blob = before;
    }
    return revisions;
}

} // namespace tmx
