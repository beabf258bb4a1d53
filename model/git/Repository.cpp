// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/Repository.h"

#include "model/git/BranchReader.h"
#include "model/git/ChangesOfCommit.h"
#include "model/git/CommitRules.h"
#include "model/git/GitError.h"
#include "model/git/Journal.h"
#include "model/git/LastCommit.h"
#include "model/git/RepositoryInfo.h"
#include "model/git/SavedTexts.h"
#include "model/git/Transaction.h"

using namespace Qt::StringLiterals;

namespace tmx {

Repository::Repository(OpenRepository opened)
    : CommitReader(std::move(opened))
{
}

Result<Repository> Repository::open(const QString &path)
{
    TM_TRY(opened, openRepository(path));
    return Repository(std::move(opened).value());
}

bool Repository::recover() const
{
    return Journal::recoverIfNeeded(*m_opened);
}

Result<RepositoryInfo> Repository::info() const
{
    return readInfo(*m_opened);
}

Result<BranchFiles> Repository::readBranch(const QString &branch, const FileSelection &selection, BlobTexts *texts,
                                           const WorkHooks &hooks) const
{
    return tmx::readBranch(*m_opened, branch, selection, texts, hooks);
}

Result<Applied> Repository::apply(const FileChanges &changes, const WorkHooks &hooks) const
{
    return Transaction(*m_opened, changes, hooks).run();
}

Result<void> Repository::checkApply(const FileChanges &changes) const
{
    return Transaction(*m_opened, changes, {}).check();
}

Result<void> Repository::checkNewBranch(const QString &name) const
{
    return tmx::checkNewBranch(*m_opened, name);
}

Result<QList<SavedCommit>> Repository::savedCommits() const
{
    return tmx::savedCommits(*m_opened);
}

Result<QList<WrittenFiles>> Repository::writtenFiles() const
{
    return tmx::writtenFiles(*m_opened);
}

Result<QList<AppliedOperation>> Repository::operations() const
{
    return tmx::operations(*m_opened);
}

QString Repository::parentToReturnTo(const QString &branch, const QString &commit) const
{
    const std::optional<git_oid> id = fromHex(commit);
    const std::optional<git_oid> parent = id ? tmx::parentToReturnTo(*m_opened, branch, *id) : std::nullopt;
    return parent ? toHex(*parent) : QString();
}

Result<QList<CommittedChange>> Repository::changesOf(const QString &commit) const
{
    return tmx::changesOf(*m_opened, commit);
}

const QString &Repository::gitFolder() const
{
    return m_opened->gitFolder;
}

QStringList Repository::watchPaths() const
{
    return QStringList{workTree()} + branchWatchPaths(m_opened->gitFolder, m_opened->commonFolder);
}

Result<OpenedRepository> openWithInfo(const QString &path)
{
    TM_TRY(repository, Repository::open(path));
    repository->recover(); // also of one that is read besides the user's
    TM_TRY(info, repository->info());
    return OpenedRepository{std::move(repository).value(), std::move(info).value()};
}

} // namespace tmx
