// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Readme.h"
#include "model/change/Preparation.h"

#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/BranchFile.h"
#include "model/change/MarkedText.h"

#include <QFileInfo>

#include <vector>

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

/// A README but for the table of all branches, which takes all of them to be read.
struct Draft {
    QByteArray text; ///< with markers
    ReadmeColumns columns;
    QByteArray variants; ///< variantTables()

    /// Error: its markers cannot be used.
    [[nodiscard]] Result<QByteArray> with(const QList<BranchRow> &rows, const QString &branch) const
    {
        return withTables(text, variants + branchTable(rows, branch, columns), subjectOf(branch));
    }
    static QString subjectOf(const QString &branch) { return Tr::tr("%1 of branch %2").arg(readmeFileName, branch); }
};

/// With the columns that the README's marker names, or with others. Error: the marker names none that there is.
Result<Draft> draftOf(const std::optional<QByteArray> &readme, const Catalog &catalog, const BranchSnapshot &snapshot,
                      const std::optional<ReadmeColumns> &others)
{
    QByteArray ground = readme.value_or("# " + QFileInfo(snapshot.repository).fileName().toUtf8() + "\n");
    if (!hasMarkers(ground))
        ground = withMarkers(ground, proposedPlace(ground));
    if (others)
        ground = withColumns(ground, *others);
    const Result<ReadmeColumns> columns = columnsIn(ground);
    if (!columns)
        return Error{Tr::tr("write the tables into"), Draft::subjectOf(snapshot.branch), columns.error().why,
                     columns.error().remedy};
    return Draft{ground, *columns, variantTables(catalog, snapshot, *columns)};
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

/// What a README takes from its branch.
struct Readme {
    BranchFile texts;
    Result<Draft> committed;
    std::optional<Result<Draft>> disk; ///< where it is not clean
};

Result<Readme> readmeOf(const ReadBranch &branch, const RepositoryInfo &info, const Catalog &catalog,
                        const std::optional<ReadmeColumns> &columns)
{
    TM_TRY(repository, Repository::open(branch.source.repository)); // its worker's own
    TM_TRY(texts, branchFile({std::move(repository).value(), info}, branch.source, readmeFileName));
    Readme readme{*texts, draftOf(texts->committed, catalog, *branch.snapshot, columns), std::nullopt};
    if (!texts->isClean())
        readme.disk = draftOf(texts->disk, catalog, *branch.snapshot, columns);
    return readme;
}

Result<ChangedFile> changedFile(const Readme &readme, const QList<BranchRow> &rows, const QString &branch, bool place)
{
    const BranchFile &texts = readme.texts;
    const auto written = [&](const Result<Draft> &draft) {
        return draft ? draft->with(rows, branch) : Result<QByteArray>(draft.error());
    };
    TM_TRY(after, written(readme.committed));
    ChangedFile file{.path = readmeFileName, .before = texts.committed, .after = *after};
    describe(file, place);
    if (!readme.disk) {
        // Keep the working tree's line ends if git stores others.
        if (texts.disk && texts.disk->contains("\r\n") && !texts.committed->contains("\r\n"))
            file.after->replace("\n", "\r\n");
        file.before = texts.disk;
        return file;
    }
    const Result<QByteArray> afterOnDisk = written(*readme.disk);
    if (file.action != ChangeAction::Keep) {
        file.reason = Tr::tr("It has uncommitted changes. Commit or stash them first.");
        file.chosen = file.possible = false;
    } else if (!afterOnDisk || !texts.disk || !sameText(*afterOnDisk, texts.disk)) {
        file.action = ChangeAction::Rewrite;
        file.group = Tr::tr("Stale");
        file.reason = Tr::tr("It is stale because of uncommitted changes. Commit or stash them first.");
    }
    return file;
}

/// What is kept of a branch once it was read: its recipes are let go.
struct Told {
    std::optional<Error> problem; ///< why no README can be written: it is reported in those of all branches
    BranchRow row;
    ChangeSet changes; ///< without its file
    bool hasMatrix = false;
    std::optional<Result<Readme>> readme; ///< of a branch that was asked for
    QString warning;                      ///< its version is unknown
};

Told toldOf(const ReadBranch &branch, const Catalog &catalog)
{
    const BranchSnapshot &snapshot = *branch.snapshot;
    const QString what = Tr::tr("create the tables of");
    Told told;
    if (const Result<void> whole = checkWhole(*branch.content, what); !whole)
        told.problem = whole.error();
    else if (snapshot.settingsError)
        told.problem = unreadSettings(what, snapshot.branch, *snapshot.settingsError);
    told.row = branchRow(catalog, snapshot);
    told.changes = changeOf(snapshot, ChangeSet::Until::Commit);
    told.changes.message = u"Update the tables of variants and branches in README.md"_s;
    told.hasMatrix = snapshot.hasMatrix();
    if (!tellsVersion(catalog, snapshot))
        told.warning = joinedSentences({Tr::tr("The version that branch %1 builds is unknown.").arg(snapshot.branch),
                                        forSurface(Tr::tr("\"settings set versions.%1 VERSION --branch %2\" sets it.")
                                                       .arg(snapshot.settings.families().value(0), snapshot.branch),
                                                   Tr::tr("Save it in Settings."))});
    return told;
}

/// Why the branches that were asked for cannot be written.
Result<void> checkAsked(const QStringList &asked, const QStringList &there, const RepositoryInfo &info)
{
    for (const QString &name : there.isEmpty() ? QStringList{info.headBranch} : asked) {
        if (there.contains(name))
            continue;
        if (name == info.headBranch)
            return Error{Tr::tr("read the branch"), name, Tr::tr("it has no commit yet"),
                         Tr::tr("Commit something first.")};
        return Error{Tr::tr("read the branch"), name, Tr::tr("%1 has no such branch").arg(info.workTree), {}};
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

QStringList namesOfFamily(const Catalog &catalog, const QString &family)
{
    const QString word = FamilyName::of(family).word;
    QStringList names{word, catalog.titleOf(word)};
    names.removeDuplicates();
    return names;
}

bool hasRecipesInFolders(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    return std::ranges::any_of(snapshot.packages.keys(), [&catalog](const QString &package) {
        return package.contains(u'.') && VariantName::parse(package.section(u'.', -1), catalog.isaIds());
    });
}

void addRecipe(Documented &facts, const Catalog &catalog, const Variant &variant, const RecipeFacts *read,
               const QByteArray &text)
{
    facts.recipes.append(variant);
    if (!read)
        return;
    for (const PinFacts &pin : read->pins) {
        if (!facts.pins.contains(pin.revision.value))
            facts.pins.append(pin.revision.value);
    }
    const QString version = statedVersion(*read, text, namesOfFamily(catalog, variant.family));
    if (QStringList &versions = facts.built[FamilyName::of(variant.family).word];
        !version.isEmpty() && !versions.contains(version))
        versions.append(version);
}

Documented documentedBy(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    Documented facts{.branch = snapshot.title(), .recipes = {}, .pins = {}}; // a detached HEAD has no name
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present || entry.fileStatus == FileStatus::Deleted)
            continue;
        addRecipe(facts, catalog, entry.variant, entry.facts.get(), entry.text);
    }
    facts.isPart = hasRecipesInFolders(catalog, snapshot);
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
    TM_TRY(tips, opened.repository.tips());
    for (const BranchTip &tip : std::as_const(*tips))
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
    std::optional<ReadmeColumns> columns;
    if (request.columns) {
        TM_TRY(asked, ReadmeColumns::of(*request.columns));
        columns = *asked;
    }
    TM_TRY(sources, branchesOf(preparation.path, WorkTreeAs::LeftOut, false));
    const Catalog &catalog = *preparation.reader.catalog();
    const auto isAsked = [&request](const QString &branch) {
        return request.branches.isEmpty() || request.branches.contains(branch);
    };
    std::vector<Told> branches(size_t(sources->sources.size()));
    const auto take = [&](qsizetype i, const ReadBranch &branch) {
        Told &told = branches[size_t(i)] = toldOf(branch, catalog);
        if (isAsked(told.row.branch))
            told.readme = readmeOf(branch, sources->info, catalog, columns);
    };
    const BranchesReading all = preparation.reader.readEach(*sources, take, preparation.hooks, Templates::LeftOut);
    if (all.stopped)
        return stoppedError();
    if (!all.unread.isEmpty())
        return all.unread.constFirst().named();
    QList<BranchRow> rows;
    QStringList names;
    for (const Told &told : branches) {
        if (told.problem)
            return *told.problem;
        rows.append(told.row);
        names.append(told.row.branch);
    }
    TM_CHECK(checkAsked(request.branches, names, sources->info));
    QList<ChangeSet> changes;
    QStringList warnings;
    for (const Told &told : branches) {
        if (!told.warning.isEmpty())
            warnings.append(told.warning);
        if (!told.readme)
            continue;
        const bool invented = request.place && !told.hasMatrix;
        if (invented && request.branches.isEmpty()) // Of all branches, some are about other things.
            continue;
        if (invented)
            return noMatrix(Tr::tr("create the tables of"), told.row.branch);
        ChangeSet one = told.changes;
        const Result<ChangedFile> file = *told.readme ? changedFile(**told.readme, rows, told.row.branch, request.place)
                                                      : Result<ChangedFile>(told.readme->error());
        if (!file)
            one.refusal = file.error();
        one.files.append(file ? *file
                              : ChangedFile{.path = readmeFileName,
                                            .reason = file.error().sentence(),
                                            .group = Tr::tr("Cannot be written"),
                                            .possible = false});
        changes.append(one);
    }
    if (!changes.isEmpty())
        changes.first().warnings += warnings;
    return changes;
}

} // namespace tmx
