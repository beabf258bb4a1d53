// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/Recovery.h"

#include "model/base/AtomicFile.h"
#include "model/base/RepositoryPaths.h"
#include "model/git/DiskFile.h"
#include "model/git/GitError.h"
#include "model/git/GitFilter.h"
#include "model/git/IndexReader.h"
#include "model/git/IndexUpdate.h"
#include "model/git/ObjectBatch.h"
#include "model/git/SavedTexts.h"
#include "model/git/TemporaryWorkTree.h"
#include "model/git/WorkTreeFiles.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QSet>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr qint64 reflogTail = qint64(64) * 1024;

/// Whether a lock of git has the text of the journal's token.
bool isOurs(const QString &lock, const std::optional<QByteArray> &token)
{
    return token && !token->isEmpty() && readSmallFile(lock, token->size()) == token;
}

Result<void> renameFile(const QString &from, const QString &to, const QString &what)
{
    if (::rename(QFile::encodeName(from).constData(), QFile::encodeName(to).constData()) == 0)
        return {};
    return Error{what, to, qt_error_string(errno), Tr::tr("Check its permissions.")};
}

/// Whether the working tree's .git refers back to its git folder. core.worktree, and the list of working trees of a
/// copied repository, can refer to a folder of another repository.
bool leadsBack(const OpenRepository &place)
{
    GitRepository back;
    return obtain(back, git_repository_open_ext, QFile::encodeName(place.workTree).constData(),
                  unsigned(GIT_REPOSITORY_OPEN_NO_SEARCH), nullptr) == 0 &&
           QFileInfo(QFile::decodeName(git_repository_path(back.get()))).canonicalFilePath() ==
               QFileInfo(place.gitFolder).canonicalFilePath();
}

/// The working tree of that name. Error: it no longer exists, or belongs to another repository.
Result<OpenRepository> openWorkTree(const OpenRepository &repository, const QString &name)
{
    const Error gone{Tr::tr("recover"), name, Tr::tr("there is no such working tree"), {}};
    QString path = repository.workTree;
    if (name != workTreeName(repository)) {
        GitRepository other;
        GitWorktree linked;
        if (name == u"."_s) {
            if (obtain(other, git_repository_open, QFile::encodeName(repository.commonFolder).constData()) < 0)
                return gone;
        } else if (obtain(linked, git_worktree_lookup, repository.git(), name.toUtf8().constData()) < 0 ||
                   obtain(other, git_repository_open_from_worktree, linked.get()) < 0) {
            return gone;
        }
        const char *folder = git_repository_workdir(other.get());
        if (!folder)
            return gone;
        path = QFile::decodeName(folder);
    }
    Result<OpenRepository> place = openRepository(path);
    if (!place || place->commonFolder != repository.commonFolder || workTreeName(*place) != name || !leadsBack(*place))
        return gone;
    return place;
}

QString branchFile(const OpenRepository &repository, const QString &branch)
{
    return repository.commonFolder + u"/refs/heads/"_s + branch;
}

bool isUsable(const JournalPlan &plan)
{
    // System functions would take the part before a NUL for the whole name.
    QStringList names{plan.workTree, plan.branch, plan.operation, plan.parent};
    for (const JournalPlan::File &file : plan.files)
        names.append(file.path);
    if (std::ranges::any_of(names, [](const QString &name) { return name.contains(QChar::Null); }))
        return false;
    int valid = 1;
    if (!plan.branch.isEmpty())
        git_branch_name_is_valid(&valid, plan.branch.toUtf8().constData());
    if (valid && !plan.operation.isEmpty())
        git_reference_name_is_valid(&valid, operationRef(plan.operation).toUtf8().constData());
    return valid;
}

bool locksAreOurs(const OpenRepository &place, const Journal &journal, const JournalPlan &plan)
{
    const std::optional<QByteArray> token = journal.read(u"token"_s);
    return (!plan.head || isOurs(place.gitFolder + u"/HEAD.lock"_s, token)) &&
           (!plan.index || isOurs(place.indexPath() + u".lock"_s, token)) &&
           (plan.branch.isEmpty() || plan.byGit || isOurs(branchFile(place, plan.branch) + u".lock"_s, token));
}

void removeLocks(const OpenRepository &repository, const Journal &journal)
{
    const std::optional<QByteArray> token = journal.read(u"token"_s);
    if (!token)
        return;
    QStringList locks;
    QDirIterator refs(repository.commonFolder + u"/refs/heads"_s, {u"*.lock"_s}, QDir::Files | QDir::Hidden,
                      QDirIterator::Subdirectories);
    while (refs.hasNext())
        locks.append(refs.next());
    QStringList folders{repository.commonFolder};
    const QString linked = repository.commonFolder + u"/worktrees"_s;
    for (const QString &name : QDir(linked).entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot))
        folders.append(linked + u'/' + name);
    for (const QString &folder : std::as_const(folders))
        locks.append({folder + u"/HEAD.lock"_s, folder + u"/index.lock"_s});
    const QString begun = QFile::decodeName(journal.read(u"locking"_s).value_or(QByteArray()));
    for (const QString &lock : std::as_const(locks)) {
        if (isOurs(lock, token) ||
            (lock == repository.commonFolder + u'/' + begun && QFileInfo(lock).isFile() && QFileInfo(lock).size() == 0))
            ::unlink(QFile::encodeName(lock).constData());
    }
}

/// The entry of a tree at a path, as a change that sets an index to it.
FileChange entryOf(const git_tree *tree, const QString &path)
{
    FileChange change;
    change.path = path;
    GitTreeEntry entry;
    change.gone = !tree || obtain(entry, git_tree_entry_bypath, tree, path.toUtf8().constData()) != 0;
    if (!change.gone) {
        change.id = *git_tree_entry_id(entry.get());
        change.mode = git_tree_entry_filemode(entry.get());
    }
    return change;
}

bool holds(git_index *index, const FileChange &change)
{
    const git_index_entry *entry = git_index_get_bypath(index, change.path.toUtf8().constData(), 0);
    return change.gone ? !entry : entry && git_oid_equal(&entry->id, &change.id);
}

void recoverWorkTree(const OpenRepository &place, const Journal &journal, const JournalPlan &plan)
{
    if (!locksAreOurs(place, journal, plan))
        return;
    if (!plan.byGit) {
        // A file that cannot be written now shows as a difference from the commit; its old text is in git.
        static_cast<void>(writeFiles(place, journal, plan, {}));
        static_cast<void>(publish(place, journal, plan, {}));
    } else if (const std::optional<git_oid> commit = commitOf(place, plan)) {
        static_cast<void>(followCommit(place, journal, plan, *commit, {}));
    } else {
        takeBack(place, journal, plan, HooksTexts::InIndex);
    }
}

void recoverBranch(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan)
{
    const Result<QString> tip = branchTip(repository, plan.branch);
    const bool moved = tip && journal.read(u"ref"_s) == tip->toLatin1() + '\n';
    if (plan.byGit ? moved : locksAreOurs(repository, journal, plan))
        static_cast<void>(publish(repository, journal, plan, {}));
}

} // namespace

Result<void> publish(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan,
                     const QString &what)
{
    // Each file is in the journal until it is renamed into place. The index comes first: if the branch were ahead of
    // it, the next `git commit` would revert this commit.
    if (plan.index && journal.has(u"index"_s))
        TM_CHECK(renameFile(journal.path(u"index"_s), repository.indexPath(), what));
    if (!plan.branch.isEmpty() && !plan.byGit && journal.has(u"ref"_s)) {
        if (const Result<void> done = renameFile(journal.path(u"ref"_s), branchFile(repository, plan.branch), what);
            !done)
            return done;
    }
    if (!plan.operation.isEmpty() && journal.has(u"operation"_s))
        return publishOwnRef(repository, journal, u"operation"_s, operationRef(plan.operation), what);
    return {};
}

QByteArray reflogAction(const QString &operation)
{
    return "torch-matrix " + operation.toUtf8();
}

std::optional<git_oid> commitOf(const OpenRepository &repository, const JournalPlan &plan)
{
    git_oid tip{};
    const bool born =
        git_reference_name_to_id(&tip, repository.git(), (u"refs/heads/"_s + plan.branch).toUtf8().constData()) == 0;
    QFile log(repository.gitFolder + u"/logs/HEAD"_s);
    if (!log.open(QIODevice::ReadOnly)) {
        // The repository keeps no reflog. No one else could commit here, because the index is locked.
        GitCommit commit;
        const std::optional<git_oid> parent = fromHex(plan.parent);
        if (!born || !parent || git_oid_equal(&tip, &*parent) ||
            obtain(commit, git_commit_lookup, repository.git(), &tip) < 0)
            return std::nullopt;
        const bool follows = plan.parent.isEmpty() ? git_commit_parentcount(commit.get()) == 0
                                                   : git_commit_parentcount(commit.get()) == 1 &&
                                                         git_oid_equal(git_commit_parent_id(commit.get(), 0), &*parent);
        return follows ? std::optional(tip) : std::nullopt;
    }
    log.seek(qMax<qint64>(0, log.size() - reflogTail));
    const QByteArray action = '\t' + reflogAction(plan.operation) + ": ";
    const QByteArrayList lines = log.readAll().split('\n');
    const auto line = std::ranges::find_if(lines, [&action](const QByteArray &one) { return one.contains(action); });
    if (line == lines.end() || !born)
        return std::nullopt;
    const std::optional<git_oid> made =
        fromHex(QString::fromLatin1(line->mid(GIT_OID_SHA1_HEXSIZE + 1, GIT_OID_SHA1_HEXSIZE)));
    // git writes the reflog before it moves the branch.
    const bool stands =
        made && (git_oid_equal(&tip, &*made) || git_graph_descendant_of(repository.git(), &tip, &*made) == 1);
    return stands ? made : std::nullopt;
}

Result<void> followCommit(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan,
                          const git_oid &commit, const QString &what)
{
    TM_TRY(tree, treeOf(repository, toHex(commit)));
    GitTree parent;
    if (!plan.parent.isEmpty()) {
        TM_TRY(found, treeOf(repository, plan.parent));
        parent = std::move(found).value();
    }
    TM_TRY(index, readIndex(repository));
    git_attr_cache_flush(repository.git());

    QList<FileChange> changes;
    QSet<QString> chosen;
    std::optional<Error> first;
    for (qsizetype i = 0; i < plan.files.size(); ++i) {
        const JournalPlan::File &file = plan.files.at(i);
        const FileChange committed = entryOf(tree->get(), file.path);
        changes.append(committed);
        chosen.insert(file.path);
        const DiskFile now = readDiskFile(repository.workTree, file.path);
        const Result<QByteArray> stored = toStored(repository, file.path, now.bytes);
        const git_oid id = stored && now.present ? blobId(*stored) : git_oid{};
        const bool asCommitted = now.present ? !committed.gone && git_oid_equal(&id, &committed.id) : committed.gone;
        const QString hash = hashOf(now.present ? std::optional(now.bytes) : std::nullopt);
        if (asCommitted ? file.then.isEmpty() : hash != file.after)
            continue;
        QString draft = draftName("then"_L1, i);
        QString to = file.then;
        if (file.then.isEmpty() && committed.gone) {
            draft.clear();
        } else if (file.then.isEmpty()) {
            // A hook changed only the index.
            GitBlob blob;
            if (obtain(blob, git_blob_lookup, repository.git(), &committed.id) < 0)
                return gitError(what, file.path);
            const QByteArray text(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                                  qsizetype(git_blob_rawsize(blob.get())));
            TM_CHECK(journal.write(draft, text, now.info.st_mode & 07777, what));
            to = hashOf(text);
        }
        if (const Result<void> done = replaceFile(repository, journal, file.path, hash, to, draft, what);
            !done && !first)
            first = done.error();
    }
    // Files that a hook added to the commit. If the index differed from the parent there, the difference stays staged.
    GitDiff diff;
    if (obtain(diff, git_diff_tree_to_tree, repository.git(), parent.get(), tree->get(), nullptr) < 0)
        return gitError(what, repository.workTree);
    for (size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
        const QString path = QString::fromUtf8(git_diff_get_delta(diff.get(), i)->new_file.path);
        if (!chosen.contains(path) && holds(index->get(), entryOf(parent.get(), path)))
            changes.append(entryOf(tree->get(), path));
    }
    IndexUpdate update(repository, journal, what);
    TM_CHECK(update.prepareWithStat(changes));
    TM_CHECK(journal.write(u"operation"_s, toHex(commit).toLatin1() + '\n', 0, what));
    const Result<void> published = publish(repository, journal, plan, what);
    return published && first ? Result<void>(*first) : published;
}

void takeBack(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan, HooksTexts hooksTexts)
{
    const Result<GitIndex> index = readIndex(journal.path(u"commit-index"_s));
    for (qsizetype i = 0; i < plan.files.size(); ++i) {
        const JournalPlan::File &file = plan.files.at(i);
        const DiskFile now = readDiskFile(repository.workTree, file.path);
        const QString hash = hashOf(now.present ? std::optional(now.bytes) : std::nullopt);
        if (hash == file.before)
            continue;
        if (hash != file.after && hooksTexts == HooksTexts::InIndex) {
            FileChange change;
            change.path = file.path;
            change.gone = !now.present;
            const Result<QByteArray> stored = toStored(repository, file.path, now.bytes);
            change.id = stored ? blobId(*stored) : git_oid{};
            if (!index || !holds(index->get(), change))
                continue; // The user's own text.
        }
        const QString draft = file.before.isEmpty() ? QString() : draftName("old"_L1, i);
        static_cast<void>(replaceFile(repository, journal, file.path, hash, file.before, draft, {}));
    }
}

void recover(const OpenRepository &repository, const Journal &journal)
{
    if (const std::optional<JournalPlan> plan = journal.decided(); plan && isUsable(*plan)) {
        if (plan->workTree.isEmpty())
            recoverBranch(repository, journal, *plan);
        else if (const Result<OpenRepository> place = openWorkTree(repository, plan->workTree))
            recoverWorkTree(*place, journal, *plan);
    }
    ObjectBatch::recover(repository, journal);
    journal.forget();
    removeLocks(repository, journal);
    TemporaryWorkTree::removeLeftOver(repository, journal);
    // Drafts next to their target, for file systems that allow no better way (writeFileAtomically).
    const QDir recipes(repository.workTree + u'/' + recipeFolder);
    const QStringList drafts = recipes.entryList({u".torch-matrix-??????"_s}, QDir::Files | QDir::Hidden);
    for (const QString &draft : drafts)
        ::unlink(QFile::encodeName(recipes.filePath(draft)).constData());
}

} // namespace tmx
