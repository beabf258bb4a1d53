// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/CommitMaker.h"

#include "model/repository/GitError.h"
#include "model/repository/Reflog.h"
#include "model/repository/WorkTrees.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <iterator>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QString shortId(const QString &commit)
{
    return commit.isEmpty() ? Tr::tr("no commit") : commit.left(8);
}

} // namespace

CommitMaker::CommitMaker(const OpenRepository &repository, const QString &expectedTip)
    : m_repository(repository)
    , m_expected(expectedTip)
    , m_what(Tr::tr("commit in"))
{
}

Error CommitMaker::refused(const QString &why, const QString &remedy) const
{
    return {m_what, m_repository.workTree, why, remedy};
}

Error CommitMaker::moved(const QString &branch, const QString &now) const
{
    return refused(
        Tr::tr("the branch %1 moved meanwhile, from %2 to %3").arg(branch, shortId(m_expected), shortId(now)),
        Tr::tr("Look at it, then commit again."));
}

QString CommitMaker::branchFile(const QString &branch) const
{
    return m_repository.commonFolder + u"/refs/heads/"_s + branch;
}

QString CommitMaker::subject() const
{
    return QString::fromUtf8(m_message.left(m_message.indexOf('\n')));
}

CommitResult CommitMaker::result(const git_oid &commit, const QString &branch) const
{
    return {toHex(commit), branch, subject(), {}};
}

Result<void> CommitMaker::begin(const QString &message)
{
    if (!fromHex(m_expected))
        return refused(Tr::tr("\"%1\" is no commit").arg(m_expected));
    m_message = tidyMessage(message);
    if (m_message.isEmpty())
        return refused(Tr::tr("the message is empty"));
    if (const Result<void> may = mayCommit(m_repository); !may)
        return may;
    Result<Identity> identity = identityOf(m_repository);
    if (!identity)
        return identity.error();
    m_identity = std::move(identity).value();
    return {};
}

Result<git_oid> CommitMaker::makeTree(QList<FileChange> &changes, const QString &branch) const
{
    GitIndex index;
    if (obtain(index, git_index_new) < 0)
        return gitError(m_what, m_repository.workTree);
    git_oid before{};
    if (!m_expected.isEmpty()) {
        const Result<GitTree> tree = treeOf(m_repository, m_expected);
        if (!tree)
            return tree.error();
        if (git_index_read_tree(index.get(), tree->get()) < 0)
            return gitError(m_what, m_repository.workTree);
        before = *git_tree_id(tree->get());
    }
    for (FileChange &change : changes) {
        change.inHead = git_index_get_bypath(index.get(), change.path.toUtf8().constData(), 0);
        if (const Result<void> done = applyChange(index.get(), change, false); !done)
            return done.error();
    }
    git_oid id{};
    if (git_index_write_tree_to(&id, index.get(), m_repository.git()) < 0)
        return gitError(m_what, m_repository.workTree);
    if (git_oid_equal(&id, &before) || (m_expected.isEmpty() && git_index_entrycount(index.get()) == 0))
        return refused(Tr::tr("there is nothing to commit: the files are as the branch %1 has them").arg(branch));
    return id;
}

Result<git_oid> CommitMaker::makeCommit(const git_oid &treeId) const
{
    GitTree tree;
    GitCommit parent;
    const std::optional<git_oid> expected = fromHex(m_expected);
    git_oid id{};
    if (obtain(tree, git_tree_lookup, m_repository.git(), &treeId) < 0)
        return gitError(m_what, m_repository.workTree);
    if (!m_expected.isEmpty() && obtain(parent, git_commit_lookup, m_repository.git(), &*expected) < 0)
        return gitError(m_what, m_repository.workTree);
    const git_commit *parents[] = {parent.get()};
    if (git_commit_create(&id, m_repository.git(), nullptr, m_identity.author.get(), m_identity.committer.get(),
                          nullptr, m_message.constData(), tree.get(), parent ? 1 : 0, parents) < 0)
        return gitError(m_what, m_repository.workTree);
    return id;
}

Result<void> CommitMaker::writeRefFile(const Journal &journal, const git_oid &commit) const
{
    QFile::remove(journal.refFile());
    QFile file(journal.refFile());
    const QByteArray text = toHex(commit).toLatin1() + '\n';
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.flush() ||
        ::fsync(file.handle()) != 0)
        return Error{m_what, file.fileName(), file.errorString(), {}};
    return {};
}

Result<HeldLock> CommitMaker::lockBranch(const Journal &journal, const QString &branch) const
{
    const QString file = branchFile(branch);
    // A branch that is packed has no file, and perhaps no folder.
    QDir().mkpath(QFileInfo(file).absolutePath());
    Result<HeldLock> lock = HeldLock::take(journal.refFile(), file, m_what);
    GitReference reference;
    if (lock && !m_expected.isEmpty() &&
        (obtain(reference, git_reference_lookup, m_repository.git(), ("refs/heads/" + branch.toUtf8()).constData()) <
             0 ||
         git_reference_type(reference.get()) != GIT_REFERENCE_DIRECT))
        return refused(Tr::tr("%1 is but another name of a branch").arg(branch), Tr::tr("Choose that branch."));
    return lock;
}

Result<QString> CommitMaker::checkHead(const QString &branch) const
{
    const Result<Head> head = readHead(m_repository);
    if (!head)
        return head.error();
    if (head->detached)
        return refused(Tr::tr("HEAD is detached: no branch is checked out"),
                       Tr::tr("Check out a branch first: git switch BRANCH"));
    if (!branch.isEmpty() && head->branch != branch)
        return refused(Tr::tr("the branch %1 was checked out meanwhile").arg(head->branch),
                       Tr::tr("Look at it, then commit again."));
    if (head->commit != m_expected)
        return moved(head->branch, head->commit);
    return head->branch;
}

Result<void> CommitMaker::checkOtherBranch(const QString &branch) const
{
    const Result<QString> tip = branchTip(m_repository, branch);
    if (!tip)
        return tip.error();
    const QString place = branchesCheckedOut(m_repository).value(branch);
    if (!place.isEmpty())
        return refused(Tr::tr("the branch %1 is checked out in %2").arg(branch, place), Tr::tr("Commit to it there."));
    if (*tip != m_expected)
        return moved(branch, *tip);
    return {};
}

Result<void> CommitMaker::checkNewBranch(const QString &name) const
{
    const QString what = Tr::tr("make the branch");
    int valid = 0;
    if (git_branch_name_is_valid(&valid, name.toUtf8().constData()) < 0 || !valid)
        return Error{what, name, Tr::tr("git does not allow that name"), Tr::tr("Choose another.")};
    GitBranchIterator branches;
    if (obtain(branches, git_branch_iterator_new, m_repository.git(), GIT_BRANCH_LOCAL) < 0)
        return gitError(what, name);
    const auto inTheWay = [&](const QString &other) {
        return other == name || other.startsWith(name + u'/') || name.startsWith(other + u'/');
    };
    const QStringList unborn = branchesCheckedOut(m_repository).keys();
    QStringList taken;
    std::copy_if(unborn.begin(), unborn.end(), std::back_inserter(taken), inTheWay);
    git_reference *raw = nullptr;
    git_branch_t kind{};
    while (git_branch_next(&raw, &kind, branches.get()) == 0) {
        const GitReference reference(raw);
        if (const QString other = QString::fromUtf8(git_reference_shorthand(reference.get())); inTheWay(other))
            taken.append(other);
    }
    if (taken.isEmpty())
        return {};
    return Error{what, name,
                 taken.constFirst() == name ? Tr::tr("there is a branch of that name already")
                                            : Tr::tr("the branch %1 stands in its way").arg(taken.constFirst()),
                 Tr::tr("Choose another name.")};
}

Result<HeldLock> CommitMaker::lockNewBranch(const Journal &journal, const QString &name) const
{
    const QString file = branchFile(name);
    QDir().mkpath(QFileInfo(file).absolutePath());
    return HeldLock::take(journal.refFile(), file, m_what);
}

void CommitMaker::log(const QString &branch, const git_oid &commit, bool checkedOut) const
{
    const QByteArray message = (m_expected.isEmpty() ? "commit (initial): " : "commit: ") + subject().toUtf8();
    appendReflog(m_repository, branch, checkedOut, m_expected, commit, *m_identity.committer, message);
}

} // namespace tmx
