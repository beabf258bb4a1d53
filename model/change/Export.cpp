// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Export.h"

#include "model/base/ShortList.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/BranchFile.h"
#include "model/change/MarkedText.h"
#include "model/change/Preparation.h"
#include "model/export/GitlabStages.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const MarkedForm pipelineForm{[](const QByteArray &line) { return line == ciBegin; }, ciBegin, ciEnd, false};

/// Reads the branch as committed.
Result<ReadBranch> readCommitted(const Preparation &preparation, const QString &branch)
{
    const QString &path = preparation.path;
    TM_TRY(named, branchNamed(preparation.opened, path, branch));
    if (named->branch.isEmpty())
        return Error{Tr::tr("export"), path, Tr::tr("no branch is checked out"), Tr::tr("Name one with --branch.")};
    if (named->branch == preparation.opened.info.headBranch && preparation.opened.info.headCommit.isEmpty())
        return Error{Tr::tr("export"), named->branch, Tr::tr("the branch has no commit yet"),
                     Tr::tr("Commit the recipes first.")};
    const Repository &repository = preparation.opened.repository;
    TM_TRY(commit, repository.commitOf(u"refs/heads/"_s + named->branch));
    return preparation.reader.read({BranchSource::Kind::Commit, named->branch, named->branch, *commit, path},
                                   preparation.hooks, Templates::LeftOut, &repository);
}

/// The file that a recipe imports, or the folder that has all of them; empty if it imports nothing. Pipeline files
/// contain only names that need no quoting: for others the folder above.
QString importedBy(const VariantEntry &entry)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_./-]+$"_s);
    const QStringList paths = entry.committedImports ? entry.committedImports->paths : QStringList();
    QString common = paths.value(0);
    for (const QString &path : paths) {
        while (path != common && !path.startsWith(common + u'/') && !common.isEmpty())
            common = common.contains(u'/') ? common.left(common.lastIndexOf(u'/')) : QString();
    }
    while (!common.isEmpty() && !plain.match(common).hasMatch())
        common = common.contains(u'/') ? common.left(common.lastIndexOf(u'/')) : QString();
    return common.isEmpty() && !paths.isEmpty() ? u"."_s : common;
}

/// The recipe, or the first of the files that it imports, whose code differs from the commit's; empty: none does.
Result<QString> differsFrom(const CommitReader &commits, const QString &since, const BranchSnapshot &snapshot,
                            const VariantEntry &entry)
{
    QStringList paths{entry.file};
    if (entry.committedImports)
        paths += entry.committedImports->paths;
    for (const QString &path : std::as_const(paths)) {
        const auto before = commits.fileAt(since, path);
        const auto now = commits.fileAt(snapshot.commit, path);
        if (!before || !now)
            return before ? now.error() : before.error();
        const bool code = path.endsWith(".nix"_L1) && before->has_value() && now->has_value();
        if (*before != *now && !(code && sameCode(**before, **now)))
            return path;
    }
    return QString();
}

/// Adds why recipes are chosen: `changed` has those that import it by path, and changed ones by "".
void tellChanged(const QMap<QString, QStringList> &changed, ChangeSet &changes)
{
    for (auto it = changed.cbegin(); it != changed.cend(); ++it) {
        const int count = int(it->size());
        changes.warnings.append(
            it.key().isEmpty()
                ? Tr::tr("%n recipes changed: %1.", nullptr, count).arg(shortList(*it))
                : Tr::tr("%n recipes import %1, which changed: %2.", nullptr, count).arg(it.key(), shortList(*it)));
    }
}

/// Adds warnings for variants whose build the host would abort, as far as times are known.
void warnOfTime(const ExportRequest &request, const QStringList &variants, const CiMatrix &matrix, ChangeSet &changes)
{
    QStringList late;
    qint64 longest = 0;
    int limit = 0;
    for (qsizetype i = 0; i < variants.size(); ++i) {
        const int hours = timeLimit(request.options, matrix.jobs.at(i).system);
        const qint64 seconds = request.seconds.value(variants.at(i));
        if (seconds <= qint64(hours) * 3600)
            continue;
        late.append(variants.at(i));
        longest = std::max(longest, seconds);
        limit = std::max(limit, hours);
    }
    if (!late.isEmpty())
        changes.warnings.append(
            Tr::tr("%n variants take longer than the %1 hours that a job may run, up to %2: %3. Name a runner of your "
                   "own for them.",
                   nullptr, int(late.size()))
                .arg(QString::number(limit), durationText(longest * 1000), shortList(late)));
}

Result<CiMatrix> matrixOf(const SnapshotReader &snapshots, const CommitReader &commits, const BranchSnapshot &snapshot,
                          const ExportRequest &request, ChangeSet &changes)
{
    CiMatrix matrix{snapshot.branch, {}, request.only, {}};
    for (const Isa &isa : snapshots.catalog()->isas)
        matrix.isas.append({isa.id, isa.platform});
    if (!request.since.isEmpty()) {
        TM_TRY(since, commits.commitOf(request.since));
        matrix.since = *since;
    }
    QList<const VariantEntry *> entries;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.committed.isEmpty() && (!request.names || request.names->contains(entry.variant.name())))
            entries.append(&entry);
    }
    std::ranges::sort(entries, {}, [](const VariantEntry *entry) { return entry->variant; });
    QStringList variants;
    QStringList left;
    QMap<QString, QStringList> changed;
    for (const VariantEntry *entry : std::as_const(entries)) {
        const QStringList read = entry->systems(*snapshots.catalog());
        const QString usual = systemOf(*snapshots.catalog(), entry->variant.row, entry->variant.isa);
        const QString system = read.isEmpty() || read.contains(usual) ? usual : read.constFirst();
        if (system.isEmpty() || !isBuildableName(entry->package()) || entry->firstError()) {
            left.append(entry->variant.name());
            if (isBuildableName(entry->package()) && !system.isEmpty())
                matrix.left.append(entry->package());
            continue;
        }
        if (!matrix.since.isEmpty()) {
            TM_TRY(differs, differsFrom(commits, matrix.since, snapshot, *entry));
            if (differs->isEmpty())
                continue;
            changed[*differs == entry->file ? QString() : *differs].append(entry->variant.name());
        }
        matrix.jobs.append({entry->package(), importedBy(*entry), system});
        variants.append(entry->variant.name());
    }
    tellChanged(changed, changes);
    if (!left.isEmpty())
        changes.warnings.append(
            Tr::tr("%n recipes are left out, because the audit finds errors in them: %1.", nullptr, int(left.size()))
                .arg(shortList(left)));
    warnOfTime(request, variants, matrix, changes);
    return matrix;
}

/// The text that the pipeline is written into.
std::optional<QByteArray> textIn(const BranchFile &found)
{
    return found.isClean() ? found.disk : found.committed;
}

/// The stage for GitLab's jobs, by the file of the branch and the files that it includes.
QString stageIn(const BranchFile &found, const CommitReader &commits, const QString &commit)
{
    return gitlabStage(textIn(found).value_or(QByteArray()), [&](const QString &path) -> std::optional<QByteArray> {
        const Result<std::optional<QByteArray>> text = commits.fileAt(commit, path);
        return text ? *text : std::nullopt;
    });
}

QByteArray markersAtEnd(QByteArray text)
{
    const QByteArray end = text.contains("\r\n") ? "\r\n" : "\n";
    if (!text.isEmpty() && !text.endsWith('\n'))
        text += end;
    if (!text.isEmpty())
        text += end;
    return text + ciBegin.toByteArray() + end + ciEnd.toByteArray() + end;
}

Result<ChangedFile> fileOf(const BranchFile &found, const QByteArray &pipeline, const ExportRequest &request,
                           const QString &branch)
{
    const QString path = ciFile(request.options.host);
    const std::optional<QByteArray> before = textIn(found);
    const Error refused{Tr::tr("write the pipeline into"), Tr::tr("%1 of branch %2").arg(path, branch), {}, {}};
    QByteArray ground = before.value_or(QByteArray());
    const Markers markers = markersOf(ground, pipelineForm);
    const bool marked = !markers.begins.isEmpty() || !markers.ends.isEmpty();
    if (before && !marked && request.options.host == CiHost::GitHub)
        return Error{refused.what, refused.subject, Tr::tr("it has no markers, so this program did not write it"),
                     Tr::tr("Rename it, or delete it.")};
    if (!marked)
        ground = markersAtEnd(ground);
    TM_TRY(after, withMarkedPart(ground, pipeline, pipelineForm, refused));
    ChangedFile file{.path = path, .before = before, .after = *after};
    if (!before) {
        file.action = ChangeAction::Create;
        file.reason = Tr::tr("The branch has no such file.");
        file.chosen = true;
    } else if (file.before == file.after) {
        file.group = Tr::tr("Up to date");
        file.reason = Tr::tr("It is up to date.");
        file.possible = false;
    } else {
        file.action = ChangeAction::Rewrite;
        file.reason = marked ? Tr::tr("The lines between its markers change.")
                             : Tr::tr("It has no markers. Tick it to put the pipeline at its end.");
        file.chosen = marked || request.place;
    }
    const auto current = [&](const std::optional<QByteArray> &text) {
        const Result<QByteArray> same =
            text ? withMarkedPart(*text, pipeline, pipelineForm, refused) : Result<QByteArray>(refused);
        return same && *same == *text;
    };
    if (!found.isClean() && !(current(found.disk) && current(found.committed))) {
        file.action = ChangeAction::Rewrite;
        file.group.clear();
        file.reason = Tr::tr("It has uncommitted changes. Commit or stash them first.");
        file.chosen = file.possible = false;
    }
    return file;
}

} // namespace

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const ExportRequest &request)
{
    TM_CHECK(checkOptions(request.options));
    const Repository &repository = preparation.opened.repository;
    TM_TRY(read, readCommitted(preparation, request.branch));
    TM_CHECK(checkWhole(*read->content, Tr::tr("export")));
    const BranchSnapshot &snapshot = *read->snapshot;
    ChangeSet changes = changeOf(snapshot, ChangeSet::Until::Commit);
    changes.settings.reset();
    changes.message = request.options.host == CiHost::GitHub ? u"CI: build the matrix on GitHub"_s
                                                             : u"CI: build the matrix on GitLab"_s;
    TM_TRY(matrix, matrixOf(preparation.reader, repository, snapshot, request, changes));
    if (matrix->jobs.isEmpty())
        return Error{Tr::tr("export"), snapshot.title(),
                     request.names || !matrix->since.isEmpty() ? Tr::tr("no recipe matches")
                                                               : Tr::tr("the branch has no recipe to build"),
                     request.names ? Tr::tr("Leave --only out to export all.") : QString()};
    TM_TRY(found, branchFile(preparation.opened, read->source, ciFile(request.options.host)));
    if (request.options.host == CiHost::GitLab)
        matrix->stage = stageIn(*found, repository, snapshot.commit);
    TM_TRY(pipeline, ciPipeline(*matrix, request.options));
    TM_TRY(environment, repository.fileAt(snapshot.commit, u".flox/env.json"_s));
    if (!environment->has_value())
        changes.warnings.append(
            Tr::tr(
                "Branch %1 has no committed Flox environment, which flox needs. Create one with flox and commit .flox.")
                .arg(snapshot.title()));
    TM_TRY(file, fileOf(*found, *pipeline, request, snapshot.branch));
    changes.files.append(*file);
    return alone(std::move(changes));
}

} // namespace tmx
