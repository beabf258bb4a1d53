// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/BranchReading.h"

#include "model/repository/Repository.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QtConcurrent>

#include <atomic>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Branches)
};

/// The recipes of a commit, judged by the line of `source.branch`.
Result<std::shared_ptr<const BranchSnapshot>> snapshotOf(const std::shared_ptr<const Catalog> &catalog,
                                                         const CommitReader &reader, const BranchSource &source,
                                                         SnapshotCache &cache)
{
    const Result<QString> recipes = reader.recipesId(source.commit, source.branch);
    if (!recipes)
        return recipes.error();
    std::shared_ptr<const BranchSnapshot> known = cache.find(catalog, source.branch, *recipes);
    if (!known) {
        const Result<BranchContent> content = reader.readCommit(source.commit, source.branch, &cache.texts);
        if (!content)
            return content.error();
        known = std::make_shared<const BranchSnapshot>(makeSnapshot(catalog, reader.workTree(), *content));
        cache.insert(catalog, source.branch, *recipes, known);
    }
    if (known->commit == source.commit && known->branch == source.label)
        return known;
    // The same recipes in another commit: all that was made of them holds.
    BranchSnapshot renamed = *known;
    renamed.commit = source.commit;
    renamed.branch = source.label;
    return std::make_shared<const BranchSnapshot>(std::move(renamed));
}

/// Whether the work tree holds what the commit does, recipe by recipe.
bool isClean(const BranchContent &tree, const BranchContent &commit)
{
    return tree.commit == commit.commit && tree.lineFile == commit.lineFile && tree.lineTrouble == commit.lineTrouble &&
           tree.torchFiles == commit.torchFiles &&
           std::ranges::equal(tree.files, commit.files, [](const RecipeFile &disk, const RecipeFile &stored) {
               return disk.path == stored.path && disk.status == FileStatus::Clean &&
                      disk.trouble == FileTrouble::None && disk.onDisk && disk.onDisk == stored.committed;
           });
}

Result<ReadBranch> readWorkTree(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                SnapshotCache &cache)
{
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const Result<BranchContent> content = repository->readBranch({});
    if (!content)
        return content.error();
    const Result<CommitReader> reader = CommitReader::open(path);
    if (!reader)
        return reader.error();
    const BranchSource source{BranchSource::Kind::WorkTree, workTreeLabel(), content->branch, content->commit};
    std::shared_ptr<const BranchSnapshot> snapshot;
    if (!content->commit.isEmpty()) {
        // Most often nothing is changed: then all that was made of the commit holds, and is there already.
        const Result<BranchContent> commit = reader->readCommit(content->commit, content->branch, &cache.texts);
        if (commit && isClean(*content, *commit)) {
            const auto committed = snapshotOf(catalog, *reader, source, cache);
            if (!committed)
                return committed.error();
            BranchSnapshot clean = **committed;
            clean.branch = content->branch;
            clean.checkedOut = true;
            snapshot = std::make_shared<const BranchSnapshot>(std::move(clean));
        }
    }
    if (!snapshot)
        snapshot = std::make_shared<const BranchSnapshot>(makeSnapshot(catalog, reader->workTree(), *content));
    return ReadBranch{source, std::move(snapshot)};
}

Result<ReadBranch> readSource(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                              const BranchSource &source, SnapshotCache &cache)
{
    const Result<CommitReader> reader = CommitReader::open(path);
    if (!reader)
        return reader.error();
    const auto snapshot = snapshotOf(catalog, *reader, source, cache);
    if (!snapshot)
        return snapshot.error();
    return ReadBranch{source, *snapshot};
}

/// What tells that branches of the repository moved; with `workTree` what its files depend on, too.
QStringList pathsOf(const QString &path, bool workTree)
{
    const Result<Repository> repository = Repository::open(path);
    const Result<CommitReader> reader = CommitReader::open(path);
    const Result<RepositoryInfo> info = repository ? repository->info() : repository.error();
    if (!info || !reader)
        return {};
    QStringList paths = branchWatchPaths(info->gitFolder, reader->commonFolder());
    if (workTree)
        paths += repository->watchPaths();
    return paths;
}

BranchSource sourceOf(const BranchTip &tip)
{
    return {tip.remote ? BranchSource::Kind::Remote : BranchSource::Kind::Local, tip.name, tip.branch, tip.commit};
}

} // namespace

QString workTreeLabel()
{
    return Words::tr("work tree");
}

const ReadBranch *BranchesReading::find(const QString &label) const
{
    const auto it = std::ranges::find(branches, label, [](const ReadBranch &branch) { return branch.source.label; });
    return it == branches.end() ? nullptr : &*it;
}

Result<BranchesReading> readBranches(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                     SnapshotCache &cache, const WhichBranches &which, const WorkHooks &hooks)
{
    const Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    const Result<CommitReader> reader = CommitReader::open(path);
    if (!reader)
        return reader.error();
    const Result<QList<BranchTip>> tips = reader->tips();
    if (!tips)
        return tips.error();

    QList<BranchSource> sources;
    for (const BranchTip &tip : *tips) {
        if (tip.remote ? which.remote : which.local)
            sources.append(sourceOf(tip));
    }

    BranchesReading reading;
    reading.repository = opened->info.workTree;
    std::atomic_int done = 0;
    std::atomic_bool stopped = false;
    const int total = int(sources.size()) + which.workTree;
    const auto readOne = [&](const BranchSource &source) -> std::optional<Result<ReadBranch>> {
        if (stopped || hooks.stopped()) {
            stopped = true;
            return std::nullopt;
        }
        std::optional<Result<ReadBranch>> read = source.kind == BranchSource::Kind::WorkTree
                                                     ? readWorkTree(catalog, path, cache)
                                                     : readSource(catalog, path, source, cache);
        hooks.tell(++done, total);
        return read;
    };
    QList<std::optional<Result<ReadBranch>>> results =
        QtConcurrent::blockingMapped<QList<std::optional<Result<ReadBranch>>>>(sources, readOne);
    // After the branches: where it is clean it is its branch's once more.
    if (which.workTree)
        results.append(
            readOne({BranchSource::Kind::WorkTree, workTreeLabel(), opened->info.headBranch, opened->info.headCommit}));
    for (qsizetype i = 0; i < results.size(); ++i) {
        const auto &result = results.at(i);
        if (!result)
            continue;
        if (*result)
            reading.branches.append(**result);
        else
            reading.errors.append({Words::tr("read"), i < sources.size() ? sources.at(i).label : workTreeLabel(),
                                   result->error().why, result->error().remedy});
    }
    reading.stopped = stopped;
    reading.watchPaths = branchWatchPaths(opened->info.gitFolder, reader->commonFolder());
    if (which.workTree)
        reading.watchPaths += opened->repository.watchPaths();
    reading.watchPaths.removeDuplicates();
    if (!stopped)
        cache.endRound();
    return reading;
}

Result<ReadBranch> readSide(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &revision,
                            SnapshotCache &cache)
{
    if (revision == workTreeLabel())
        return readWorkTree(catalog, path, cache);
    const Result<CommitReader> reader = CommitReader::open(path);
    if (!reader)
        return reader.error();
    const Result<QList<BranchTip>> tips = reader->tips();
    if (!tips)
        return tips.error();
    BranchSource source{BranchSource::Kind::Commit, revision, {}, {}};
    if (const auto tip = std::ranges::find(*tips, revision, &BranchTip::name); tip != tips->end()) {
        source = sourceOf(*tip);
    } else {
        const Result<QString> commit = reader->commitOf(revision);
        if (!commit)
            return commit.error();
        source.commit = *commit;
        // "main~3" is of main's line; a bare id says nothing of one, and the line is inferred from the recipes.
        const QString before = revision.section(u'~', 0, 0).section(u'^', 0, 0).section(u'@', 0, 0);
        if (const auto base = std::ranges::find(*tips, before, &BranchTip::name); base != tips->end())
            source.branch = base->branch;
    }
    const auto snapshot = snapshotOf(catalog, *reader, source, cache);
    if (!snapshot)
        return snapshot.error();
    return ReadBranch{source, *snapshot};
}

Result<ReadBranch> readSideAnywhere(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                    const QString &words, const QString &base, SnapshotCache &cache)
{
    // A branch may bear an @ as well; what stands before it is a folder only for another repository.
    const qsizetype at = words.lastIndexOf(u'@');
    const QString folder = at > 0 ? QDir(base).absoluteFilePath(words.first(at)) : QString();
    const bool elsewhere = !folder.isEmpty() && QFileInfo(folder).isDir();
    const QString revision = elsewhere ? words.sliced(at + 1) : words;
    Result<ReadBranch> side =
        readSide(catalog, elsewhere ? folder : path, revision == "."_L1 ? workTreeLabel() : revision, cache);
    if (side && elsewhere) {
        ReadBranch labelled = std::move(side).value();
        labelled.source.label = words;
        labelled.source.kind = BranchSource::Kind::Commit;
        labelled.watchPaths = pathsOf(folder, revision == "."_L1);
        return labelled;
    }
    return side;
}

} // namespace tmx
