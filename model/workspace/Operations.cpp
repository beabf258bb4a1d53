// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Operations.h"

#include "model/build/ResultLinks.h"
#include "model/repository/Repository.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

WriteReport reportOf(const Applied &applied)
{
    return {applied.branch, applied.written, {}, applied.commit, applied.subject, applied.saved, applied.kept};
}

Result<WriteReport> carryOut(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                             const ChangeRequest &request)
{
    const Result<QList<ChangeSet>> sets = prepare(catalog, path, request);
    if (!sets)
        return sets.error();
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const ChangeSet &changes = sets->constFirst();
    const Result<Applied> done = changes.isEmpty() ? Applied{.branch = changes.branch} : repository->apply(changes);
    if (!done)
        return done.error();
    WriteReport report = reportOf(*done);
    for (const ChangedFile &file : changes.files) {
        if (std::holds_alternative<GenerateRequest>(request) && file.before) {
            report.unchanged.append(file.name);
            report.written.removeOne(file.name);
        }
    }
    return report;
}

} // namespace

QHash<QString, BuildState> buildsOf(const BranchSnapshot &snapshot)
{
    QHash<QString, BuildState> builds;
    if (!snapshot.checkedOut)
        return builds;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present)
            continue;
        const BuildState state = builtBefore(snapshot.repository, entry.package(), entry.file);
        if (state.phase != BuildState::Phase::None)
            builds.insert(entry.variant.name(), state);
    }
    return builds;
}

Result<Reading> readRepository(const SnapshotReader &reader, const QString &path, const QString &branch,
                               const WorkHooks &hooks)
{
    Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    const Result<ReadBranch> read = reader.read(path, branch, hooks);
    if (!read)
        return read.error();
    return Reading{std::move(opened->info), read->snapshot, buildsOf(*read->snapshot), opened->repository.watchPaths()};
}

Result<WriteReport> generateRecipes(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                    const QString &branch, const QStringList &names,
                                    const std::optional<QString> &commitMessage)
{
    const Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    GenerateRequest request{.branch = branch, .names = names, .message = commitMessage.value_or(QString())};
    if (commitMessage || (!branch.isEmpty() && branch != opened->info.headBranch))
        request.until = ChangeSet::Until::Commit;
    return carryOut(catalog, path, request);
}

Result<WriteReport> commitRecipes(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                  const QStringList &names, const QString &message, const QString &seenHead)
{
    return carryOut(catalog, path, CommitRequest{names, message, seenHead});
}

Result<void> stageRecipes(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QStringList &names)
{
    const Result<WriteReport> done = carryOut(catalog, path, StageRequest{names});
    return done ? Result<void>() : done.error();
}

Result<CommitResult> applyEdits(const QString &path, ChangeSet changes, const QList<FileEdit> &edits)
{
    for (const FileEdit &edit : edits)
        changes.files.append({.action = ChangeAction::Rewrite,
                              .path = edit.path,
                              .before = edit.expected,
                              .after = edit.text,
                              .chosen = true});
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const Result<Applied> done = repository->apply(changes);
    if (!done)
        return done.error();
    return CommitResult{done->commit, done->branch, done->subject, done->saved, done->kept};
}

WriteReport reportOf(const CommitResult &commit, const QStringList &written)
{
    WriteReport report;
    report.branch = commit.branch;
    report.written = written;
    report.commit = commit.commit;
    report.subject = commit.subject;
    report.saved = commit.saved;
    report.kept = commit.kept;
    return report;
}

} // namespace tmx
