// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Readme.h"
#include "model/change/Preparation.h"

#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/change/BranchFile.h"
#include "model/change/MarkedText.h"

#include <QFileInfo>

#include <functional>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const MarkedForm readmeForm{[](const QByteArray &line) { return readmeColumns(line).has_value(); }, readmeBegin,
                            readmeEnd, true};

Markers markersOf(const QByteArray &text)
{
    return markersOf(text, readmeForm);
}

} // namespace

Result<ReadmeColumns> columnsIn(const QByteArray &readme)
{
    const Markers markers = markersOf(readme);
    if (markers.begins.isEmpty())
        return ReadmeColumns{};
    const TextLine &line = markers.begins.constFirst();
    return ReadmeColumns::of(readmeColumns(readme.sliced(line.from, line.end - line.from)).value_or(QStringList()));
}

QByteArray withColumns(const QByteArray &readme, const ReadmeColumns &columns)
{
    const Markers markers = markersOf(readme);
    if (markers.begins.isEmpty())
        return readme;
    const TextLine &line = markers.begins.constFirst();
    return readme.first(line.from) + readmeBeginWith(columns.words()) + readme.sliced(line.end);
}

bool hasMarkers(const QByteArray &readme)
{
    const Markers markers = markersOf(readme);
    return !markers.begins.isEmpty() || !markers.ends.isEmpty();
}

int markerInCode(const QByteArray &readme)
{
    return markersOf(readme).inCode;
}

Result<QByteArray> withTables(const QByteArray &readme, const QByteArray &tables, const QString &subject)
{
    return withMarkedPart(readme, tables, readmeForm, {Tr::tr("write the tables into"), subject, {}, {}});
}

MarkerPlace proposedPlace(const QByteArray &readme)
{
    const QList<TextLine> lines = linesOf(readme, true);
    std::optional<int> section;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const TextLine &line = lines.at(i);
        const QByteArray words = readme.sliced(line.from, line.end - line.from);
        if (line.code || !words.startsWith("##"))
            continue;
        const QByteArray lower = words.toLower();
        if (lower.contains("variant") || lower.contains("matrix"))
            return {int(i) + 2, Tr::tr("below \"%1\"").arg(QString::fromUtf8(words))};
        if (!section)
            section = int(i);
    }
    if (section) {
        const TextLine &line = lines.at(*section);
        return {*section + 1,
                Tr::tr("before \"%1\"").arg(QString::fromUtf8(readme.sliced(line.from, line.end - line.from)))};
    }
    return {int(lines.size()) + 1, Tr::tr("at the end")};
}

QByteArray withMarkers(const QByteArray &readme, const MarkerPlace &place)
{
    const QList<TextLine> lines = linesOf(readme, true);
    const QByteArray end = lines.isEmpty() ? QByteArray("\n") : lineEndOf(readme, lines.constFirst());
    const qsizetype at = place.line - 1 < lines.size() ? lines.at(place.line - 1).from : readme.size();
    QByteArray head = readme.first(at);
    if (!head.isEmpty() && !head.endsWith('\n'))
        head += end;
    if (!head.isEmpty() && !head.endsWith(end + end))
        head += end;
    const QByteArray tail = readme.sliced(at);
    const bool blankFollows = tail.isEmpty() || tail.startsWith(end);
    return head + readmeBegin.toByteArray() + end + readmeEnd.toByteArray() + end +
           (blankFollows ? QByteArray() : end) + tail;
}

namespace {

QString whereMarkersGo(const QByteArray &readme)
{
    const MarkerPlace place = proposedPlace(readme);
    const int codeLine = markerInCode(readme);
    return joinedSentences(
        {codeLine > 0
             ? Tr::tr("It has no markers except in a code block (line %1), where they have no effect.").arg(codeLine)
             : Tr::tr("It has no markers."),
         Tr::tr("Tick it to add markers and tables at line %1, %2.").arg(QString::number(place.line), place.words)});
}

/// Creates the tables with the given columns.
using Tables = std::function<QByteArray(const ReadmeColumns &)>;

/// The text with up-to-date tables, with the columns that its marker names, or with others. Error: its markers cannot
/// be used.
Result<QByteArray> updated(const std::optional<QByteArray> &readme, const Tables &tables,
                           const std::optional<ReadmeColumns> &others, const QString &repository,
                           const QString &subject)
{
    QByteArray ground = readme.value_or("# " + QFileInfo(repository).fileName().toUtf8() + "\n");
    if (!hasMarkers(ground))
        ground = withMarkers(ground, proposedPlace(ground));
    if (others)
        ground = withColumns(ground, *others);
    const Result<ReadmeColumns> columns = columnsIn(ground);
    if (!columns)
        return Error{Tr::tr("write the tables into"), subject, columns.error().why, columns.error().remedy};
    return withTables(ground, tables(*columns), subject);
}

/// Sets the reason of a README's change, and chooses it if possible.
void describe(ChangedFile &file, bool place)
{
    if (!file.before) {
        file.action = ChangeAction::Create;
        file.group = Tr::tr("No README.md");
        file.reason = Tr::tr("There is no README.md. Tick it to create one.");
        file.chosen = place;
    } else if (!hasMarkers(*file.before)) {
        file.action = ChangeAction::Rewrite;
        file.group = Tr::tr("No markers");
        file.reason = whereMarkersGo(*file.before);
        file.chosen = place;
    } else if (file.before == file.after) {
        file.group = Tr::tr("Up to date");
        file.reason = Tr::tr("Its tables are up to date.");
        file.possible = false;
    } else {
        file.action = ChangeAction::Rewrite;
        file.group = Tr::tr("Stale");
        file.reason = Tr::tr("Its tables do not match the branches.");
        file.chosen = true;
    }
}

Result<ChangedFile> readmeOf(const Preparation &preparation, const ReadBranch &branch, const BranchesReading &all,
                             bool place, const std::optional<ReadmeColumns> &columns)
{
    const Catalog &catalog = *preparation.reader.catalog();
    TM_TRY(texts, branchFile(preparation.opened, branch.source, readmeFileName));
    const Tables tables = [&](const ReadmeColumns &with) {
        return readmeTables(catalog, *branch.snapshot, all.branches, with);
    };
    const QString subject = Tr::tr("%1 of branch %2").arg(readmeFileName, branch.source.label);
    TM_TRY(after, updated(texts->committed, tables, columns, all.repository, subject));
    ChangedFile file{.path = readmeFileName, .before = texts->committed, .after = *after};
    describe(file, place);
    const Result<QByteArray> afterOnDisk = updated(texts->disk, tables, columns, all.repository, subject);
    if (texts->isClean()) {
        // Keep the working tree's line ends if git stores others.
        if (texts->disk && texts->disk->contains("\r\n") && !texts->committed->contains("\r\n"))
            file.after->replace("\n", "\r\n");
        file.before = texts->disk;
    } else if (file.action != ChangeAction::Keep) {
        file.reason = Tr::tr("It has uncommitted changes. Commit or stash them first.");
        file.chosen = file.possible = false;
    } else if (!afterOnDisk || !texts->disk || !sameText(*afterOnDisk, *texts->disk)) {
        file.action = ChangeAction::Rewrite;
        file.group = Tr::tr("Stale");
        file.reason = Tr::tr("It is stale because of uncommitted changes. Commit or stash them first.");
    }
    return file;
}

/// Error: a branch that the repository does not have, or that has no commit. `head`: the checked-out one.
Result<void> checkBranches(const QStringList &branches, const BranchesReading &all, const QString &head)
{
    const auto unborn = [](const QString &name) {
        return Error{Tr::tr("read the branch"), name, Tr::tr("it has no commit yet"),
                     Tr::tr("Commit something first.")};
    };
    if (all.branches.isEmpty())
        return unborn(head);
    for (const QString &name : branches) {
        if (!all.find(name) && name == head)
            return unborn(name);
        if (!all.find(name))
            return Error{Tr::tr("read the branch"), name, Tr::tr("%1 has no such branch").arg(all.repository), {}};
    }
    return {};
}

} // namespace

void namePackages(const Catalog &catalog, Documented &facts)
{
    QSet<QString> built;
    for (const Variant &recipe : facts.recipes)
        built.insert(FamilyName::of(recipe.family).word);
    const auto add = [&](const QString &package, const QString &title) {
        (built.contains(package) ? facts.packages : facts.otherPackages) += {package, title};
    };
    for (const Family &family : catalog.families)
        add(family.id, family.title);
    for (const CompileJob &job : catalog.jobs)
        add(job.id, job.id);
    facts.packages += built.values();
}

Documented documentedBy(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    Documented facts{.branch = snapshot.branch, .recipes = {}, .pins = {}};
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present || entry.fileStatus == FileStatus::Deleted)
            continue;
        facts.recipes.append(entry.variant);
        for (const PinFacts &pin : entry.facts ? entry.facts->pins : QList<PinFacts>())
            facts.pins.append(pin.revision.value);
    }
    facts.pins.removeDuplicates();
    namePackages(catalog, facts);
    return facts;
}

Result<QList<OutdatedDocument>> outdatedDocuments(const OpenedRepository &opened, const BranchSource &branch,
                                                  Documented facts)
{
    QList<OutdatedDocument> documents;
    if (branch.commit.isEmpty())
        return documents;
    facts.repositoryNames = opened.repository.repositoryNames();
    for (const BranchTip &tip : opened.repository.tips())
        facts.branches.append(tip.branch);
    QStringList paths;
    TM_CHECK(opened.repository.forEachText(branch.commit, isDocument,
                                           [&paths](const FileText &file) { paths.append(file.path); }));
    for (const QString &path : std::as_const(paths)) {
        TM_TRY(texts, branchFile(opened, branch, path));
        OutdatedDocument document{path, texts->disk.value_or(QByteArray()), texts->isClean(), {}};
        document.lines = auditDocument(document.text, facts);
        if (!document.lines.isEmpty())
            documents.append(document);
    }
    return documents;
}

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const ReadmeRequest &request)
{
    TM_TRY(sources, branchesOf(preparation.path, WorkTreeAs::LeftOut, false));
    const BranchesReading all = preparation.reader.readAll(*sources, preparation.hooks);
    if (all.stopped)
        return stoppedError();
    if (!all.unread.isEmpty())
        return all.unread.constFirst().named();
    for (const ReadBranch &branch : all.branches) { // They are reported in the READMEs of all branches.
        if (branch.snapshot->settingsError)
            return unreadSettings(Tr::tr("create the tables of"), branch.source.label, *branch.snapshot->settingsError);
    }
    TM_CHECK(checkBranches(request.branches, all, preparation.opened.info.headBranch));
    std::optional<ReadmeColumns> columns;
    if (request.columns) {
        TM_TRY(asked, ReadmeColumns::of(*request.columns));
        columns = *asked;
    }
    QList<ChangeSet> changes;
    for (const ReadBranch &branch : all.branches) {
        if (!request.branches.isEmpty() && !request.branches.contains(branch.source.label))
            continue;
        const bool invented = request.place && !branch.snapshot->hasMatrix();
        if (invented && request.branches.isEmpty()) // Of all branches, some are about other things.
            continue;
        if (invented)
            return noMatrix(Tr::tr("create the tables of"), branch.source.label);
        ChangeSet one = changeOf(*branch.snapshot, ChangeSet::Until::Commit);
        one.message = u"Update the tables of variants and branches in README.md"_s;
        const Result<ChangedFile> file = readmeOf(preparation, branch, all, request.place, columns);
        if (!file)
            one.refusal = file.error();
        one.files.append(file ? *file
                              : ChangedFile{.path = readmeFileName,
                                            .reason = file.error().sentence(),
                                            .group = Tr::tr("Cannot be written"),
                                            .possible = false});
        changes.append(one);
    }
    for (const ReadBranch &branch : all.branches) {
        if (branch.source.kind == BranchSource::Kind::Local &&
            !tellsVersion(*preparation.reader.catalog(), *branch.snapshot) && !changes.isEmpty())
            changes.first().warnings.append(joinedSentences(
                {Tr::tr("The version that branch %1 builds is unknown.").arg(branch.source.label),
                 forSurface(Tr::tr("\"settings set versions.%1 VERSION --branch %2\" sets it.")
                                .arg(branch.snapshot->settings.families().value(0), branch.source.label),
                            Tr::tr("Save it in Settings."))}));
    }
    return changes;
}

} // namespace tmx
