// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/Repository.h"

#include "model/base/AtomicFile.h"
#include "model/repository/BranchReader.h"
#include "model/repository/Commit.h"
#include "model/repository/CommitEdits.h"
#include "model/repository/CommitMaker.h"
#include "model/repository/EditWorkTree.h"
#include "model/repository/GitError.h"
#include "model/repository/IndexUpdate.h"
#include "model/repository/Journal.h"
#include "model/repository/RecipePath.h"
#include "model/repository/RepositoryInfo.h"
#include "model/repository/SavedTexts.h"

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
    Result<OpenRepository> opened = openRepository(path);
    if (!opened)
        return opened.error();
    auto d = std::make_unique<Private>(std::move(opened).value());
    Journal::recoverIfNeeded(d->repository);
    return Repository(std::move(d));
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

Result<void> Repository::writeRecipe(const QString &path, const QByteArray &text,
                                     const std::optional<QByteArray> &expected) const
{
    const Result<QString> written = write(path, text, expected, {});
    return written ? Result<void>() : written.error();
}

Result<QString> Repository::replaceRecipe(const QString &path, const QByteArray &text, const QByteArray &expected,
                                          const QString &subject) const
{
    return write(path, text, expected, subject);
}

/// With a subject, what is replaced is kept.
Result<QString> Repository::write(const QString &path, const QByteArray &text,
                                  const std::optional<QByteArray> &expected, const QString &subject) const
{
    const QString what = Tr::tr("write");
    const QString &workTree = d->repository.workTree;
    if (const Result<void> usable = checkRecipePath(path); !usable)
        return usable.error();
    if (const Result<void> usable = checkNoLinkOnTheWay(workTree, path); !usable)
        return usable.error();
    if (!isText(text) || text.size() > maxRecipeBytes)
        return Error{what, path, Tr::tr("this is no text of a recipe"), {}};

    // Held so that two of ours cannot both find the expected text, and so that nobody sweeps the draft.
    const Result<Journal> journal = Journal::take(d->repository, what);
    if (!journal)
        return journal.error();
    const auto asExpected = [&]() -> Result<void> {
        const DiskFile now = readDiskFile(workTree, path);
        if (now.present && now.trouble != FileTrouble::None)
            return Error{what, path, Tr::tr("what is there is no regular, readable text"), {}};
        if (now.present ? expected && *expected == now.bytes : !expected)
            return {};
        return Error{what, path,
                     now.present ? Tr::tr("another text is there than the one that was looked at")
                                 : Tr::tr("the file is gone"),
                     Tr::tr("Look at it again first.")};
    };
    if (const Result<void> same = asExpected(); !same)
        return same.error();
    Result<QString> saved = QString();
    if (expected && !subject.isEmpty())
        saved = saveUncommitted(d->repository, *journal, path, *expected, subject);
    if (!saved)
        return saved;
    // Asked once more when the new text is on the disk, which may take a while in which an editor saves.
    const Existing existing = expected ? Existing::Replace : Existing::Refuse;
    if (const Result<void> written =
            writeFileAtomically(workTree + u'/' + path, text, journal->folder(), existing, asExpected);
        !written)
        return written.error();
    return saved;
}

Result<void> Repository::stage(const QStringList &paths) const
{
    return stageFiles(d->repository, paths);
}

Result<CommitResult> Repository::commit(const QStringList &paths, const QString &message,
                                        const QString &expectedHead) const
{
    return commitFiles(d->repository, paths, message, expectedHead);
}

Result<CommitResult> Repository::commitToBranch(const QString &branch,
                                                const QList<std::pair<QString, QByteArray>> &files,
                                                const QString &message, const QString &expectedTip) const
{
    return tmx::commitToBranch(d->repository, branch, files, message, expectedTip);
}

Result<CommitResult> Repository::commitEdits(const QString &branch, const QList<FileEdit> &edits,
                                             const QString &message, const QString &expectedTip) const
{
    return tmx::commitEdits(d->repository, branch, edits, message, expectedTip);
}

Result<void> Repository::checkNewBranch(const QString &name) const
{
    return CommitMaker(d->repository, {}).checkNewBranch(name);
}

Result<CommitResult> Repository::commitToNewBranch(const QString &name, const QString &base,
                                                   const QList<FileEdit> &edits, const QString &message) const
{
    return tmx::commitToNewBranch(d->repository, name, base, edits, message);
}

Result<QString> Repository::editWorkTree(const QString &branch, const QList<FileEdit> &edits, const QString &subject,
                                         const QString &expectedTip) const
{
    return tmx::editWorkTree(d->repository, branch, edits, subject, expectedTip);
}

Result<QList<SavedCommit>> Repository::savedCommits() const
{
    return tmx::savedCommits(d->repository);
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
    Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    Result<RepositoryInfo> info = repository->info();
    if (!info)
        return info.error();
    return OpenedRepository{std::move(repository).value(), std::move(info).value()};
}

} // namespace tmx
