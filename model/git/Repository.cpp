// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/Repository.h"

#include "model/git/BranchReader.h"
#include "model/git/ChangesOfCommit.h"
#include "model/git/CommitRules.h"
#include "model/git/Journal.h"
#include "model/git/LastCommit.h"
#include "model/git/RepositoryInfo.h"
#include "model/git/SavedTexts.h"
#include "model/git/Transaction.h"

using namespace Qt::StringLiterals;

namespace tmx {

struct Repository::Private {
    OpenRepository repository;
};

Repository::Repository(std::unique_ptr<Private> d)
    : d(std::move(d))
{
}
Repository::~Repository() = default;
Repository::Repository(Repository &&) noexcept = default;
Repository &Repository::operator=(Repository &&) noexcept = default;

Result<Repository> Repository::open(const QString &path)
{
    TM_TRY(opened, openRepository(path));
    auto d = std::make_unique<Private>(std::move(opened).value());
    return Repository(std::move(d));
}

bool Repository::recover() const
{
    return Journal::recoverIfNeeded(d->repository);
}

Result<RepositoryInfo> Repository::info() const
{
    return readInfo(d->repository);
}

const QString &Repository::workTree() const
{
    return d->repository.workTree;
}

Result<BranchContent> Repository::readBranch(const QString &branch, BlobTexts *texts, const WorkHooks &hooks) const
{
    return tmx::readBranch(d->repository, branch, texts, hooks);
}

Result<Applied> Repository::apply(const ChangeSet &changes, const WorkHooks &hooks) const
{
    return Transaction(d->repository, changes, hooks).run();
}

Result<void> Repository::checkApply(const ChangeSet &changes) const
{
    return Transaction(d->repository, changes, {}).check();
}

Result<void> Repository::checkNewBranch(const QString &name) const
{
    return tmx::checkNewBranch(d->repository, name);
}

Result<QList<SavedCommit>> Repository::savedCommits() const
{
    return tmx::savedCommits(d->repository);
}

Result<QList<WrittenFiles>> Repository::writtenFiles() const
{
    return tmx::writtenFiles(d->repository);
}

Result<QList<AppliedOperation>> Repository::operations() const
{
    return tmx::operations(d->repository);
}

QString Repository::parentToReturnTo(const QString &branch, const QString &commit) const
{
    const std::optional<git_oid> id = fromHex(commit);
    const std::optional<git_oid> parent = id ? tmx::parentToReturnTo(d->repository, branch, *id) : std::nullopt;
    return parent ? toHex(*parent) : QString();
}

Result<QList<CommittedChange>> Repository::changesOf(const QString &commit) const
{
    return tmx::changesOf(d->repository, commit);
}

QStringList Repository::watchPaths() const
{
    return tmx::watchPaths(d->repository);
}

Result<OpenedRepository> openWithInfo(const QString &path)
{
    TM_TRY(repository, Repository::open(path));
    repository->recover(); // also of one that is read besides the user's
    TM_TRY(info, repository->info());
    return OpenedRepository{std::move(repository).value(), std::move(info).value()};
}

} // namespace tmx
