// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/WorkTrees.h"

#include "model/git/GitError.h"
#include "model/git/RefTables.h"

#include <QDir>
#include <QFile>

#include <cerrno>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

Result<void> noteWorkTree(git_repository *repository, QMultiMap<QString, QString> &branches)
{
    static_cast<void>(readRefTables(repository)); // its own HEAD
    const char *folder = git_repository_workdir(repository);
    const QString path = folder ? QDir::cleanPath(QFile::decodeName(folder)) : QString();
    GitReference head;
    const int rc = obtain(head, git_reference_lookup, repository, "HEAD");
    if (isOfSystem(rc))
        return gitError(Tr::tr("read HEAD of"), path);
    const QString target = rc == 0 && git_reference_type(head.get()) == GIT_REFERENCE_SYMBOLIC
                               ? QString::fromUtf8(git_reference_symbolic_target(head.get()))
                               : QString();
    const QString branch = target.startsWith("refs/heads/"_L1) ? target.mid(11) : QString();
    if (!path.isEmpty() && !branch.isEmpty() && !branches.contains(branch, path))
        branches.insert(branch, path);
    return {};
}

/// Whether its .git refers to a git folder that is not there: the repository was moved.
bool leadsNowhere(const git_worktree *linked)
{
    const QDir folder(QFile::decodeName(git_worktree_path(linked)));
    QFile link(folder.filePath(u".git"_s));
    constexpr qint64 longestName = 4096;
    const QByteArray words = link.open(QIODevice::ReadOnly) ? link.read(longestName).trimmed() : QByteArray();
    if (!words.startsWith("gitdir: "))
        return false;
    const QString place = folder.absoluteFilePath(QFile::decodeName(words.sliced(8)));
    return ::access(QFile::encodeName(place).constData(), F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

} // namespace

Result<QMultiMap<QString, QString>> branchesCheckedOut(const OpenRepository &repository)
{
    QMultiMap<QString, QString> branches;
    TM_CHECK(noteWorkTree(repository.git(), branches));
    const auto failed = [&repository] { return gitError(Tr::tr("list the working trees of"), repository.workTree); };
    GitRepository main;
    if (git_repository_is_worktree(repository.git())) {
        const int rc = obtain(main, git_repository_open, QFile::encodeName(repository.commonFolder).constData());
        if (isOfSystem(rc))
            return failed();
        if (rc == 0 && !git_repository_is_bare(main.get()))
            TM_CHECK(noteWorkTree(main.get(), branches));
    }

    GitStrings names;
    if (git_worktree_list(&names, repository.git()) < 0)
        return failed();
    for (size_t i = 0; i < names.count; ++i) {
        GitWorktree linked;
        GitRepository opened;
        int rc = obtain(linked, git_worktree_lookup, repository.git(), names.strings[i]);
        const bool isKnown = rc == 0;
        rc = isKnown ? obtain(opened, git_repository_open_from_worktree, linked.get()) : rc;
        if (rc == 0)
            TM_CHECK(noteWorkTree(opened.get(), branches));
        else if ((isOfSystem(rc) || (rc == GIT_ENOTFOUND && isKnown && git_worktree_validate(linked.get()) == 0)) &&
                 !(isKnown && leadsNowhere(linked.get())))
            return failed(); // If it is not valid, its folder was moved or deleted.
    }
    return branches;
}

} // namespace tmx
