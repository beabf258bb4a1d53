// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Makers.h"
#include "model/change/Readme.h"
#include "model/repository/CommitReader.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Readme)
};

constexpr QLatin1StringView readmePath{"README.md"};

/// `text` compared without regard to line ends, which git may normalise on the way.
bool sameText(QByteArray a, QByteArray b)
{
    return a.replace("\r\n", "\n") == b.replace("\r\n", "\n");
}

/// README.md of a branch.
struct Texts {
    std::optional<QByteArray> committed;
    std::optional<QByteArray> disk; ///< as `committed`, for a branch that is not checked out
    bool readable = true;           ///< what the work tree has there is a file
};

Result<Texts> textsOf(const CommitReader &reader, const BranchSource &branch, const RepositoryInfo &info)
{
    const Result<std::optional<QByteArray>> committed = reader.fileAt(branch.commit, readmePath);
    if (!committed)
        return committed.error();
    Texts texts{*committed, *committed};
    if (info.detached || info.headBranch != branch.label)
        return texts;
    QFile file(info.workTree + u'/' + readmePath);
    const QFileInfo there(file);
    texts.disk.reset();
    if (!there.exists() && !there.isSymLink())
        return texts;
    texts.readable = !there.isSymLink() && file.open(QIODevice::ReadOnly);
    if (texts.readable)
        texts.disk = file.readAll();
    return texts;
}

QString whereMarkersGo(const QByteArray &readme)
{
    const MarkerPlace place = proposedPlace(readme);
    const int codeLine = markerInCode(readme);
    return Words::tr("It has no markers%1. They would go to line %2, %3; tick it to put them, and the tables, there.")
        .arg(codeLine > 0 ? Words::tr(" but in a code block (line %1), where they mean nothing").arg(codeLine)
                          : QString(),
             QString::number(place.line), place.words);
}

/// The text with its tables as they should be. Error: its markers cannot be used.
Result<QByteArray> updated(const std::optional<QByteArray> &readme, const QByteArray &tables, const QString &repository,
                           const QString &subject)
{
    const QByteArray ground = readme.value_or("# " + QFileInfo(repository).fileName().toUtf8() + "\n");
    return withTables(hasMarkers(ground) ? ground : withMarkers(ground, proposedPlace(ground)), tables, subject);
}

/// Says of one README what it needs, and chooses it where that can be.
void describe(ChangedFile &file, bool place)
{
    if (!file.before) {
        file.action = ChangeAction::Create;
        file.group = Words::tr("No README.md");
        file.reason = Words::tr("There is no README.md. Tick it to make one.");
        file.chosen = place;
    } else if (!hasMarkers(*file.before)) {
        file.action = ChangeAction::Rewrite;
        file.group = Words::tr("No markers");
        file.reason = whereMarkersGo(*file.before);
        file.chosen = place;
    } else if (file.before == file.after) {
        file.group = Words::tr("Up to date");
        file.reason = Words::tr("Its tables are up to date.");
        file.possible = false;
    } else {
        file.action = ChangeAction::Rewrite;
        file.group = Words::tr("Stale");
        file.reason = Words::tr("Its tables are not what the branches hold.");
        file.chosen = true;
    }
}

Result<ChangedFile> readmeOf(const Catalog &catalog, const CommitReader &reader, const ReadBranch &branch,
                             const BranchesReading &all, const RepositoryInfo &info, bool place)
{
    const Result<Texts> texts = textsOf(reader, branch.source, info);
    if (!texts)
        return texts.error();
    const QByteArray tables = readmeTables(catalog, *branch.snapshot, all.branches);
    const QString subject = Words::tr("%1 of branch %2").arg(readmePath, branch.source.label);
    const Result<QByteArray> after = updated(texts->committed, tables, all.repository, subject);
    if (!after)
        return after.error();
    ChangedFile file{.path = readmePath, .before = texts->committed, .after = *after};
    describe(file, place);
    const bool clean = texts->readable && texts->disk.has_value() == texts->committed.has_value() &&
                       sameText(texts->disk.value_or(QByteArray()), texts->committed.value_or(QByteArray()));
    const Result<QByteArray> afterOnDisk = updated(texts->disk, tables, all.repository, subject);
    if (clean) {
        // The work tree's line ends, where git stores others.
        if (texts->disk && texts->disk->contains("\r\n") && !texts->committed->contains("\r\n"))
            file.after->replace("\n", "\r\n");
        file.before = texts->disk;
    } else if (file.action != ChangeAction::Keep) {
        file.reason = Words::tr("It has changes that are not committed. Commit them, or put them aside, first.");
        file.chosen = file.possible = false;
    } else if (!afterOnDisk || !texts->disk || !sameText(*afterOnDisk, *texts->disk)) {
        file.action = ChangeAction::Rewrite;
        file.group = Words::tr("Stale");
        file.reason = Words::tr("In the work tree it is stale, by changes that are not committed. "
                                "Commit them, or put them aside, first.");
    }
    return file;
}

} // namespace

Result<QList<ChangeSet>> updatedReadmes(const SnapshotReader &snapshots, const QString &path,
                                        const ReadmeRequest &request, const WorkHooks &hooks)
{
    const Result<BranchSources> sources = branchesOf(path, WorkTreeAs::LeftOut, false);
    if (!sources)
        return sources.error();
    const BranchesReading all = snapshots.readAll(*sources, hooks);
    if (all.stopped)
        return stoppedError();
    if (!all.unread.isEmpty())
        return all.unread.constFirst().named();
    for (const ReadBranch &branch : all.branches) { // each is told of in the READMEs of all
        if (!branch.snapshot->lineError.isEmpty())
            return Error{Words::tr("make the tables of"), branch.source.label,
                         Words::tr("its torch-matrix.toml cannot be read"), branch.snapshot->lineError};
    }
    const Result<CommitReader> reader = CommitReader::open(path);
    if (!reader)
        return reader.error();
    const Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    const auto unborn = [](const QString &name) {
        return Error{Words::tr("read the branch"), name, Words::tr("it has no commit yet"),
                     Words::tr("Commit something first.")};
    };
    if (all.branches.isEmpty())
        return unborn(opened->info.headBranch);
    for (const QString &name : request.branches) {
        if (!all.find(name) && name == opened->info.headBranch)
            return unborn(name);
        if (!all.find(name))
            return Error{
                Words::tr("read the branch"), name, Words::tr("%1 has no such branch").arg(all.repository), {}};
    }
    QList<ChangeSet> changes;
    for (const ReadBranch &branch : all.branches) {
        if (!request.branches.isEmpty() && !request.branches.contains(branch.source.label))
            continue;
        ChangeSet one = changeOf(*branch.snapshot, ChangeSet::Until::Commit);
        one.message = Words::tr("README: the tables of variants and branches");
        const Result<ChangedFile> file =
            readmeOf(*snapshots.catalog(), *reader, branch, all, opened->info, request.place);
        if (!file)
            one.refusal = file.error();
        one.files.append(file ? *file
                              : ChangedFile{.path = readmePath,
                                            .reason = file.error().sentence(),
                                            .group = Words::tr("Cannot be written"),
                                            .possible = false});
        changes.append(one);
    }
    return changes;
}

} // namespace tmx
