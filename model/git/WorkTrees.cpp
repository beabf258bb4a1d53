// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/WorkTrees.h"

#include "model/git/RefTables.h"

#include <QDir>
#include <QFile>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// Branch of a working tree's HEAD; empty if it is detached.
QString headBranchOf(git_repository *repository)
{
    GitReference head;
    if (obtain(head, git_reference_lookup, repository, "HEAD") < 0 ||
        git_reference_type(head.get()) != GIT_REFERENCE_SYMBOLIC)
        return {};
    const QString target = QString::fromUtf8(git_reference_symbolic_target(head.get()));
    return target.startsWith("refs/heads/"_L1) ? target.mid(11) : QString();
}

void noteWorkTree(git_repository *repository, QMultiMap<QString, QString> &branches)
{
    static_cast<void>(readRefTables(repository)); // its own HEAD
    const char *folder = git_repository_workdir(repository);
    const QString path = folder ? QDir::cleanPath(QFile::decodeName(folder)) : QString();
    const QString branch = headBranchOf(repository);
    if (!path.isEmpty() && !branch.isEmpty() && !branches.contains(branch, path))
        branches.insert(branch, path);
}

} // namespace

QMultiMap<QString, QString> branchesCheckedOut(const OpenRepository &repository)
{
    QMultiMap<QString, QString> branches;
    noteWorkTree(repository.git(), branches);
    GitRepository main;
    if (git_repository_is_worktree(repository.git()) &&
        obtain(main, git_repository_open, QFile::encodeName(repository.commonFolder).constData()) == 0 &&
        !git_repository_is_bare(main.get()))
        noteWorkTree(main.get(), branches);

    GitStrings names;
    if (git_worktree_list(&names, repository.git()) < 0)
        return branches;
    for (size_t i = 0; i < names.count; ++i) {
        GitWorktree linked;
        GitRepository opened;
        if (obtain(linked, git_worktree_lookup, repository.git(), names.strings[i]) == 0 &&
            obtain(opened, git_repository_open_from_worktree, linked.get()) == 0)
            noteWorkTree(opened.get(), branches);
    }
    return branches;
}

} // namespace tmx
