// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/BranchSource.h"

#include "model/base/Tr.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/WatchPaths.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Kind = BranchSource::Kind;

BranchSource sourceOf(const BranchTip &tip, const QString &path)
{
    return {tip.remote ? Kind::Remote : Kind::Local, tip.name, tip.branch, tip.commit, path};
}

/// The source for a revision of the repository that contains `path`.
Result<BranchSource> revisionNamed(const QString &path, const QString &revision)
{
    if (revision == "."_L1 || revision == workTreeLabel())
        return BranchSource{Kind::WorkTree, workTreeLabel(), {}, {}, path};
    TM_TRY(reader, CommitReader::open(path));
    TM_TRY(tips, reader->tips());
    if (const auto tip = std::ranges::find(*tips, revision, &BranchTip::name); tip != tips->end())
        return sourceOf(*tip, path);
    const Result<QString> commit = reader->commitOf(revision);
    if (!commit) {
        TM_TRY(opened, openWithInfo(path));
        for (const auto &[name, error] : std::as_const(opened->info.broken)) {
            if (name == revision)
                return error;
        }
        return commit.error();
    }
    BranchSource source{Kind::Commit, revision, {}, *commit, path};
    // "main~3" has main's settings. A bare id has none, so they are inferred from the recipes.
    const QString before = revision.section(u'~', 0, 0).section(u'^', 0, 0).section(u'@', 0, 0);
    if (const auto base = std::ranges::find(*tips, before, &BranchTip::name); base != tips->end())
        source.branch = base->branch;
    return source;
}

} // namespace

QString workTreeLabel()
{
    return Tr::tr("working tree");
}

QString UnreadBranch::sentence() const
{
    return branch + u": "_s + error.sentence();
}

Error UnreadBranch::named() const
{
    return {Tr::tr("read"), branch, error.why, error.remedy};
}

Result<BranchSources> branchesOf(const QString &path, WorkTreeAs workTree, bool remotes)
{
    TM_TRY(opened, openWithInfo(path));
    BranchSources all{std::move(opened->info), {}, {}, {}};
    for (const BranchRef &branch : std::as_const(all.info.branches)) {
        if (branch.checkedOut && workTree == WorkTreeAs::Branch)
            all.sources.append({Kind::WorkTree, branch.name, branch.name, branch.commit, path});
        else if (!branch.commit.isEmpty())
            all.sources.append({Kind::Local, branch.name, branch.name, branch.commit, path});
    }
    if (remotes) {
        TM_TRY(tips, opened->repository.tips());
        for (const BranchTip &tip : std::as_const(*tips)) {
            if (tip.remote)
                all.sources.append(sourceOf(tip, path));
        }
    }
    for (const auto &[name, error] : std::as_const(all.info.broken))
        all.unread.append({name, error});
    if (workTree == WorkTreeAs::OwnSide)
        all.sources.append({Kind::WorkTree, workTreeLabel(), all.info.headBranch, all.info.headCommit, path});
    return all;
}

Result<BranchSource> branchNamed(const QString &path, const QString &asked)
{
    TM_TRY(opened, openWithInfo(path));
    return branchNamed(*opened, path, asked);
}

Result<BranchSource> branchNamed(const OpenedRepository &opened, const QString &path, const QString &asked)
{
    const RepositoryInfo &info = opened.info;
    // git's full name of a branch, unless a branch has this very name.
    const QString full = u"refs/heads/"_s;
    const bool isFull =
        asked.startsWith(full) && std::ranges::find(info.branches, asked, &BranchRef::name) == info.branches.end();
    const QString name = isFull ? asked.sliced(full.size()) : asked;
    if (name.isEmpty() || name == info.headBranch)
        return BranchSource{Kind::WorkTree, info.headBranch, info.headBranch, info.headCommit, path};
    if (const auto branch = std::ranges::find(info.branches, name, &BranchRef::name); branch != info.branches.end())
        return BranchSource{Kind::Local, name, name, branch->commit, path};
    const Result<BranchContent> why = readBranch(opened.repository, name);
    return why ? Result<BranchSource>(BranchSource{Kind::Local, name, name, why->commit, path}) : why.error();
}

Result<BranchSource> sideNamed(const QString &path, const QString &words, const QString &base)
{
    // A branch may have an @ in its name: the part before it is a repository only if it is a folder.
    const qsizetype at = words.lastIndexOf(u'@');
    const QString folder = at > 0 ? QDir(base).absoluteFilePath(words.first(at)) : QString();
    if (folder.isEmpty() || !QFileInfo(folder).isDir()) {
        Result<BranchSource> source = revisionNamed(path, words);
        const QString alone = QDir(base).absoluteFilePath(words);
        if (!source && !words.isEmpty() && words != "."_L1 && QFileInfo(alone).isDir())
            return Error{Tr::tr("find the branch or commit"), words, Tr::tr("that is a folder"),
                         Tr::tr("Write %1@BRANCH for a branch of the repository in it.").arg(words)};
        return source;
    }
    Result<BranchSource> source = revisionNamed(folder, words.sliced(at + 1));
    if (source) {
        source->label = words;
        source->elsewhere = true;
    }
    return source;
}

QStringList watchPathsOf(const BranchSource &source)
{
    const Result<Repository> opened = Repository::open(source.repository);
    if (!opened)
        return {};
    QStringList paths = branchWatchPaths(opened->gitFolder(), opened->commonFolder());
    if (source.kind == Kind::WorkTree)
        paths += workTreeWatchPaths(*opened);
    return paths;
}

} // namespace tmx
