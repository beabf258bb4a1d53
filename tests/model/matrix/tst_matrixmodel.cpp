// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixFilterModel.h"
#include "model/matrix/MatrixModel.h"
#include "model/matrix/MatrixSlices.h"
#include "model/matrix/MatrixText.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QAbstractItemModelTester>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString sm90avx2 = u"pytorch-python313-cuda12_8-sm90-avx2"_s;

/// Below a grid as the text form prints it; "." stands for current, to keep lines short.
QString compact(const QAbstractItemModel &model)
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList words{model.headerData(row, Qt::Vertical, AxisIdRole).toString()};
        for (int column = 0; column < model.columnCount(); ++column) {
            const QString word = model.index(row, column).data().toString();
            words.append(word == u"current" ? u"."_s : word);
        }
        lines.append(words.join(u' '));
    }
    return lines.join(u'\n');
}

} // namespace

class MatrixModelTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void builtInLines_data();
    void builtInLines();
    void nothingYet();
    void showAllShowsTheCatalog();
    void refreshChangesOneCell();
    void refreshKeepsPersistentIndexes();
    void anotherBranchMerges();
    void slicesAreWhatIsThere();
    void aStrayFileOpensNoSlice();
    void anOverviewHasEveryToolkit();
    void anOverviewShowsEveryVariantOnce();
    void theFilterKnowsTheParts();
    void sliceSurvivesWhereItCan();
    void unknownGpuHasItsRow();
    void addedRowsAreThereBeforeTheirRecipes();
    void buildStateChangesOneCell();
    void manyBuildStatesAreOneChange();
    void buildStatesAreTheBranchs();
    void verdictsChangeTheirCells();
    void problemsOfTheAuditShow();
    void namesLeadBack();
    void headers();
    void flags();
    void summary();
};

void MatrixModelTest::builtInLines_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("expected");
    QTest::newRow("main") << u"main"_s << uR"(sm61 . . not planned not planned not planned – –
sm80 not planned . . . . . .
sm86 not planned . . . . . .
sm89 not planned . . . . . .
sm90 not planned . . . . . .
sm100 not planned . . . . . .
sm120 not planned . . . . . .
cpu not planned . . . . . .)"_s;
    QTest::newRow("cuda-12_9") << u"cuda-12_9"_s << uR"(sm61 . . not planned not planned not planned – –
sm80 not planned . . . . . .
sm86 not planned . . . . . .
sm89 not planned . . . . . .
sm90 not planned . . . . . .
sm100 not planned . . . . . .
sm103 not planned . . . . . .
sm120 not planned . . . . . .
cpu not planned . . . . . .)"_s;
    QTest::newRow("cuda-13_0") << u"cuda-13_0"_s << uR"(sm75 not planned . . . . . .
sm80 not planned . . . . . .
sm86 not planned . . . . . .
sm89 not planned . . . . . .
sm90 not planned . . . . . .
sm100 not planned . . . . . .
sm103 not planned . . . . . .
sm110 – – – – – . .
sm120 not planned . . . . . .
sm121 – – – – – . .
cpu . . . . . . .)"_s;
}

void MatrixModelTest::builtInLines()
{
    QFETCH(const QString, line);
    QFETCH(const QString, expected);
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(shared(branchOf(line)));
    QCOMPARE(compact(model), expected);
}

void MatrixModelTest::nothingYet()
{
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.columnCount(), 0);
    QVERIFY(!model.indexOf(sm90avx2).isValid());
    QCOMPARE(model.entryAt({}), VariantEntry{});
    model.setShowAll(true);
    BranchSnapshot bare;
    bare.branch = u"topic"_s;
    model.setSnapshot(shared(bare));
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.summary(), u"No variants on this branch."_s);
    model.setSnapshot(shared(branchOf(u"main"_s)));
    model.setSnapshot({});
    QCOMPARE(model.rowCount(), 0);
}

void MatrixModelTest::showAllShowsTheCatalog()
{
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(shared(branchOf(u"main"_s)));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setShowAll(true);
    QCOMPARE(model.rowCount(), builtInCatalog()->rows.size());
    QCOMPARE(model.columnCount(), builtInCatalog()->isas.size());
    const QModelIndex metal = model.indexOf(u"pytorch-python313-darwin-mps"_s);
    QVERIFY(metal.isValid());
    QCOMPARE(metal.data().toString(), u"not planned"_s);
    // Its only cell is shown in every column, and counts once.
    for (int column = 0; column < model.columnCount(); ++column) {
        const QModelIndex cell = metal.siblingAtColumn(column);
        QCOMPARE(cell.data(VariantNameRole).toString(), u"pytorch-python313-darwin-mps"_s);
        QVERIFY(cell.data(SpansRowRole).toBool());
        QVERIFY(!cell.siblingAtRow(0).data(SpansRowRole).toBool());
        QVERIFY2(cell.data(Qt::AccessibleTextRole).toString().contains("Metal"_L1),
                 qPrintable(cell.data(Qt::AccessibleTextRole).toString()));
    }
    const QList<Variant> variants = model.variants();
    QCOMPARE(std::ranges::count(variants, u"darwin-mps"_s, &Variant::row), 1);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setBuildStates({{u"pytorch-python313-darwin-mps"_s, {BuildState::Phase::Running, 4, 10, {}, {}}}});
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex(), metal.siblingAtColumn(0));
    QCOMPARE(changed.first().at(1).toModelIndex(), metal.siblingAtColumn(model.columnCount() - 1));
    const QModelIndex thor = model.indexOf(u"pytorch-python313-cuda12_8-sm110-armv9"_s);
    QCOMPARE(thor.data(ReasonRole).toString(), u"nvcc 12.8 does not know sm_110: it needs CUDA 13.0 or newer."_s);
    model.setShowAll(false);
    QCOMPARE(model.rowCount(), 8);
    QCOMPARE(model.columnCount(), 7);
    QCOMPARE(reset.size(), 0);
}

void MatrixModelTest::refreshChangesOneCell()
{
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    BranchSnapshot snapshot = branchOf(u"main"_s);
    model.setSnapshot(shared(snapshot));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy slice(&model, &MatrixModel::sliceChanged);

    model.setSnapshot(shared(snapshot));
    QCOMPARE(changed.size(), 0);

    put(snapshot, u"sm90"_s, u"avx2"_s, RecipeState::Modified);
    model.setSnapshot(shared(snapshot));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex(), model.indexOf(sm90avx2));
    QCOMPARE(changed.first().at(1).toModelIndex(), model.indexOf(sm90avx2));
    QCOMPARE(slice.size(), 0);

    // Only the text changes: views must be notified.
    changed.clear();
    put(snapshot, cellOf(snapshot, u"sm90"_s, u"avx2"_s), RecipeState::Modified, {}, "{ }: { x = 1; }\n");
    model.setSnapshot(shared(snapshot));
    QCOMPARE(changed.size(), 1);
}

void MatrixModelTest::refreshKeepsPersistentIndexes()
{
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    BranchSnapshot snapshot = branchOf(u"main"_s);
    model.setSnapshot(shared(snapshot));
    const QPersistentModelIndex kept = model.indexOf(sm90avx2);
    const QModelIndex before = kept;
    // A recipe in a row and a column that were not shown: both are inserted, and persistent indexes move.
    put(snapshot, u"sm70"_s, u"avx"_s, RecipeState::Untracked);
    model.setSnapshot(shared(snapshot));
    QCOMPARE(kept.row(), before.row() + 1);
    QCOMPARE(kept.data(VariantNameRole).toString(), sm90avx2);
    snapshot.entries.remove(cellOf(snapshot, u"sm70"_s, u"avx"_s).name());
    model.setSnapshot(shared(snapshot));
    QCOMPARE(kept.row(), before.row());
    // Its row is removed if it has nothing covered or present.
    snapshot.entries.removeIf([](QMap<QString, VariantEntry>::iterator it) { return it->variant.row == u"sm90"; });
    model.setSnapshot(shared(snapshot));
    QVERIFY(!kept.isValid());
}

void MatrixModelTest::anotherBranchMerges()
{
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    for (const QString &line : {u"main"_s, u"cuda-13_0"_s, u"cuda-12_9"_s, u"main"_s}) {
        model.setSnapshot(shared(branchOf(line)));
        MatrixModel fresh(builtInCatalog());
        fresh.setSnapshot(shared(branchOf(line)));
        QCOMPARE(gridAsText(model), gridAsText(fresh));
        QCOMPARE(model.slice(), fresh.slice());
    }
    QCOMPARE(reset.size(), 0);
}

void MatrixModelTest::slicesAreWhatIsThere()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    put(snapshot, Variant{u"pytorch"_s, u"python312"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s}, RecipeState::Customised);
    put(snapshot, Variant{u"pytorch"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s}, RecipeState::Customised);
    put(snapshot, Variant{u"torchvision"_s, u"python313"_s, {}, u"cpu"_s, u"avx2"_s}, RecipeState::Customised);
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(shared(snapshot));
    QStringList slices;
    for (const MatrixSlice &slice : model.slices())
        slices.append(QStringList{slice.family, slice.python, slice.cuda}.join(u' '));
    QCOMPARE(slices, (QStringList{u"pytorch python313 12.8"_s, u"pytorch python313 13.0"_s, u"pytorch python312 12.8"_s,
                                  u"torchvision python313 "_s}));
    QCOMPARE(model.slice(), model.slices().first());

    model.setSlice(model.slices().at(1));
    // CPU recipes belong to the branch, so its row is in the slice of every toolkit.
    QCOMPARE(compact(model), uR"(sm90 customised not planned not planned not planned not planned not planned
cpu . . . . . .)"_s);
    model.setSlice(model.slices().at(3));
    QCOMPARE(compact(model), u"cpu customised"_s);
    model.setShowAll(true);
    const QModelIndex gpu = model.index(0, 0);
    QCOMPARE(gpu.data(ReasonRole).toString(), u"The branch has no CUDA toolkit."_s);
    QCOMPARE(gpu.data(Qt::ToolTipRole).toString(), u"The branch has no CUDA toolkit."_s);
}

/// A package with a suffix and an empty folder claim a cell of a toolkit that the settings do not have: that adds no
/// slice.
void MatrixModelTest::aStrayFileOpensNoSlice()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    const Variant stray{u"pytorch"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s};
    put(snapshot, stray, RecipeState::NotCovered);
    snapshot.entries[stray.name()].duplicates = {u".flox/pkgs/%1-magma.nix"_s.arg(stray.name())};
    const Variant folder{u"pytorch"_s, u"python313"_s, u"12.4"_s, u"sm90"_s, u"avx2"_s};
    put(snapshot, folder, RecipeState::Broken, u"It is a folder; a recipe must be a file."_s);
    snapshot.entries[folder.name()].text.clear();
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(shared(snapshot));
    QCOMPARE(model.slices().size(), 1);
    QCOMPARE(model.slices().first().cuda, u"12.8"_s);
    QCOMPARE(filesOutsideSlices(model.slices(), snapshot),
             (QStringList{snapshot.entries[folder.name()].file, snapshot.entries[stray.name()].duplicates.first()}));
    // With a toolkit of the settings they show in its grid.
    const Variant here{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm61"_s, u"avx512"_s};
    put(snapshot, here, RecipeState::Broken, u"The file is empty."_s);
    snapshot.entries[here.name()].text.clear();
    model.setSnapshot(shared(snapshot));
    QCOMPARE(model.indexOf(here.name()).data(RecipeStateRole).toInt(), int(RecipeState::Broken));
}

void MatrixModelTest::anOverviewHasEveryToolkit()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    Variant other{u"pytorch"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s};
    put(snapshot, other, RecipeState::Broken, u"The file is empty."_s);
    snapshot.entries[other.name()].findings = {{.severity = Severity::Error, .sentence = u"It is empty."_s}};
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(shared(snapshot));
    model.setSlice({u"pytorch"_s, u"python313"_s, MatrixSlice::every()});
    const QModelIndex cell = model.indexOf(sm90avx2);
    QCOMPARE(model.indexOf(other.name()), cell);
    const auto parts = cell.data(PartsRole).value<QList<MatrixPart>>();
    QCOMPARE(parts.size(), 2);
    QCOMPARE(parts.first().title, u"CUDA 12.8"_s);
    QCOMPARE(parts.first().label, u"12.8"_s);
    QCOMPARE(parts.first().name, sm90avx2);
    QCOMPARE(parts.last().name, other.name());
    QVERIFY(parts.last().state == RecipeState::Broken);
    QVERIFY(parts.last().signs.contains(Severity::Error));
    QCOMPARE(cell.data().toString(), u"1 current · 1 broken"_s);
    QCOMPARE(cell.data(Qt::AccessibleTextRole).toString(),
             u"sm90 Hopper, AVX2: CUDA 12.8 current; CUDA 13.0 broken, 1 error"_s);
    QCOMPARE(
        cell.data(Qt::ToolTipRole).toString(),
        u"CUDA 12.8: current; committed, the text that the template gives; not built.\nCUDA 13.0: broken; the file is empty; not built. 1 error."_s);
    QVERIFY(model.entryOf(other.name()).state == RecipeState::Broken);
    QVERIFY(model.entryAt(cell).state == RecipeState::Current);
    QCOMPARE(model.summary(),
             u"In a cell, left to right: 12.8, 13.0. 45 variants: 44 current · 1 broken; 1 error in 1 recipe"_s);
    // A recipe without CUDA is one variant, whatever the toolkit: its cell is as in a grid of its own.
    const QModelIndex cpu = model.indexOf(u"pytorch-python313-cpu-avx2"_s);
    QCOMPARE(cpu.data(PartsRole).value<QList<MatrixPart>>().size(), 1);
    QCOMPARE(cpu.data().toString(), u"current"_s);
    // The cell shows a build for one toolkit.
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setBuildStates({{other.name(), {BuildState::Phase::Failed, 0, 0, {}, {}}}});
    QCOMPARE(changed.size(), 1);
    QVERIFY(cell.data(Qt::AccessibleTextRole).toString().endsWith(u"1 error, build failed"_s));
    // With one toolkit less there is no overview.
    model.setSnapshot(shared(branchOf(u"main"_s)));
    QCOMPARE(model.slice(), (MatrixSlice{u"pytorch"_s, u"python313"_s, u"12.8"_s}));
}

/// For any snapshot and any overview: each variant of its slices has one part, in the cell of its row and column; each
/// part belongs to a slice; the counts are those of the entries.
void MatrixModelTest::anOverviewShowsEveryVariantOnce()
{
    QRandomGenerator random(14);
    const QStringList families{u"pytorch"_s, u"torchvision"_s}, pythons{u"python313"_s, u"python312"_s},
        cudas{u"12.6"_s, u"12.8"_s, u"12.9"_s, u"13.0"_s};
    const auto one = [&random](const QStringList &of) { return of.at(random.bounded(int(of.size()))); };
    MatrixModel model(builtInCatalog()), beside(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QAbstractItemModelTester ofBeside(&beside, QAbstractItemModelTester::FailureReportingMode::QtTest);
    beside.setSideBySide(true);
    for (int round = 0; round < 40; ++round) {
        BranchSnapshot snapshot = branchOf(u"main"_s);
        for (int i = 0; i < 60; ++i) {
            const QString row = one({u"sm80"_s, u"sm90"_s, u"sm120"_s, u"cpu"_s, u"darwin-mps"_s});
            put(snapshot,
                {one(families), one(pythons), row.startsWith(u"sm") ? one(cudas) : QString(), row,
                 row == u"darwin-mps" ? QString() : one({u"avx2"_s, u"avx512"_s, u"armv9"_s})},
                RecipeState(random.bounded(2, int(allRecipeStates.size()))));
        }
        model.setSnapshot(shared(snapshot));
        model.setSlice({one(families + QStringList{MatrixSlice::every()}),
                        one(pythons + QStringList{MatrixSlice::every()}),
                        one(cudas + QStringList{MatrixSlice::every(), MatrixSlice::every()})});
        // Cells that were other slices' before are those of a new model.
        MatrixModel fresh(builtInCatalog());
        fresh.setSnapshot(model.snapshot());
        fresh.setSlice(model.slice());
        QCOMPARE(fresh.slice(), model.slice());
        QCOMPARE(compact(model), compact(fresh));
        for (int row = 0; row < model.rowCount(); ++row) {
            for (int column = 0; column < model.columnCount(); ++column) {
                const auto partsIn = [&](const MatrixModel &of) {
                    return of.index(row, column).data(PartsRole).value<QList<MatrixPart>>();
                };
                QCOMPARE(partsIn(model), partsIn(fresh));
            }
        }
        beside.setSnapshot(model.snapshot());
        beside.setSlice(model.slice());
        QCOMPARE(beside.isSideBySide(), model.shown().size() > 1);
        QCOMPARE(beside.counts(), model.counts());
        const MatrixSearch search{{one({u"sm90"_s, u"avx2"_s, u"cuda12_8"_s, u"cpu"_s, u"current"_s})}, {}};
        QCOMPARE(beside.matching(search).parts, model.matching(search).parts);
        int shown = 0;
        for (const VariantEntry &entry : snapshot.entries) {
            if (!model.shows(entry.variant))
                continue;
            ++shown;
            const QModelIndex own = beside.indexOf(entry.variant.name());
            QCOMPARE(own.data(VariantNameRole).toString(), entry.variant.name());
            QVERIFY(beside.entryOf(entry.variant.name()) == entry);
            const QString group = beside.headerData(own.column(), Qt::Horizontal, GroupRole).toString();
            QCOMPARE(group.isEmpty(), !beside.isSideBySide());
            if (!entry.variant.cuda.isEmpty() && model.slice().cuda == MatrixSlice::every() && !group.isEmpty())
                QVERIFY(group.contains(entry.variant.cuda));
            const QModelIndex cell = model.indexOf(entry.variant.name());
            QVERIFY(cell.isValid());
            const auto parts = cell.data(PartsRole).value<QList<MatrixPart>>();
            QCOMPARE(std::ranges::count(parts, entry.variant.name(), &MatrixPart::name), 1);
            QVERIFY(model.entryOf(entry.variant.name()) == entry);
            if (parts.size() > 1) {
                QSet<QString> titles;
                for (const MatrixPart &part : parts)
                    titles.insert(part.title);
                QCOMPARE(titles.size(), parts.size());
                QVERIFY(!titles.contains(QString()));
            }
        }
        QStringList named; // cells that span their row have one name for all their columns
        for (int row = 0; row < beside.rowCount(); ++row) {
            for (int column = 0; column < beside.columnCount(); ++column) {
                const QModelIndex cell = beside.index(row, column);
                const QString name = cell.data(VariantNameRole).toString();
                QVERIFY(!cell.data(ElsewhereRole).toBool() || (name.isEmpty() && !cell.data(ReasonRole).isNull()));
                if (!name.isEmpty() && (!cell.data(SpansRowRole).toBool() || !named.contains(name)))
                    named.append(name);
            }
        }
        QCOMPARE(QSet<QString>(named.begin(), named.end()).size(), named.size());
        int counted = 0;
        for (const auto &[sign, count] : model.counts())
            counted += std::holds_alternative<RecipeState>(sign) || std::holds_alternative<Gap>(sign) ? count : 0;
        QCOMPARE(counted, shown);
    }
}

void MatrixModelTest::theFilterKnowsTheParts()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    put(snapshot, Variant{u"pytorch"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s}, RecipeState::Missing);
    put(snapshot, Variant{u"pytorch"_s, u"python313"_s, u"13.0"_s, u"sm80"_s, u"avx2"_s}, RecipeState::Current);
    MatrixModel model(builtInCatalog());
    model.setSnapshot(shared(snapshot));
    model.setSlice({u"pytorch"_s, u"python313"_s, MatrixSlice::every()});
    MatrixFilterModel filter;
    QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    filter.setSourceModel(&model);
    filter.setText(u"cuda13_0 missing"_s);
    QCOMPARE(filter.matchCount(), 1);
    QCOMPARE(filter.rowCount(), 1);
    QCOMPARE(filter.columnCount(), 1);
    const auto parts = filter.index(0, 0).data(PartsRole).value<QList<MatrixPart>>();
    QVERIFY(parts.first().dimmed);
    QVERIFY(!parts.last().dimmed);
    // Two words of two variants match neither.
    filter.setText(u"cuda12_8 missing"_s);
    QCOMPARE(filter.matchCount(), 0);
    filter.setText({});
    filter.setSigns({RecipeState::Missing});
    QCOMPARE(filter.matchCount(), 1);
}

void MatrixModelTest::sliceSurvivesWhereItCan()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    put(snapshot, Variant{u"pytorch"_s, u"python312"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s}, RecipeState::Customised);
    MatrixModel model(builtInCatalog());
    model.setSnapshot(shared(snapshot));
    model.setSlice({u"pytorch"_s, u"python312"_s, u"12.8"_s});
    QSignalSpy moved(&model, &MatrixModel::sliceChanged);
    put(snapshot, u"sm90"_s, u"avx2"_s, RecipeState::Modified);
    model.setSnapshot(shared(snapshot));
    QCOMPARE(moved.size(), 0);
    QCOMPARE(model.slice().python, u"python312"_s);
    model.setSnapshot(shared(branchOf(u"cuda-13_0"_s)));
    QCOMPARE(moved.size(), 1);
    QCOMPARE(model.slice(), (MatrixSlice{u"pytorch"_s, u"python313"_s, u"13.0"_s}));
}

void MatrixModelTest::unknownGpuHasItsRow()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    put(snapshot, u"sm130"_s, u"avx2"_s, RecipeState::Unsupported, u"The catalog has no row \"sm130\"."_s);
    put(snapshot, u"sm35"_s, u"avx2"_s, RecipeState::Unsupported, u"The catalog has no row \"sm35\"."_s);
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(shared(snapshot));
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row)
        rows.append(model.headerData(row, Qt::Vertical).toString());
    QCOMPARE(rows.sliced(6), (QStringList{u"sm120 Blackwell"_s, u"sm35"_s, u"sm130"_s, u"cpu"_s}));
    const QModelIndex cell = model.indexOf(u"pytorch-python313-cuda12_8-sm130-avx2"_s);
    QCOMPARE(cell.data().toString(), u"invalid"_s); // a recipe is there, so it is not a quiet dash
}

void MatrixModelTest::addedRowsAreThereBeforeTheirRecipes()
{
    Catalog catalog = *builtInCatalog();
    for (GpuRow &row : catalog.rows)
        row.added = row.id == u"sm70";
    MatrixModel model(std::make_shared<const Catalog>(catalog));
    QAbstractItemModelTester tester(&model);
    model.setSnapshot(std::make_shared<const BranchSnapshot>(branchOf(u"main"_s)));
    QVERIFY(gridAsText(model).contains(u"\nsm70 Volta "_s));
    BranchSnapshot cpu = branchOf(u"main"_s);
    cpu.settings.profiles.removeIf([](const auto &profile) { return profile.key().isCuda(); });
    cpu.entries.removeIf([](const auto &entry) { return !entry.value().variant.cuda.isEmpty(); });
    model.setSnapshot(std::make_shared<const BranchSnapshot>(cpu));
    QVERIFY(!gridAsText(model).contains(u"sm70"_s)); // no toolkit, no such cell
}

void MatrixModelTest::buildStateChangesOneCell()
{
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(shared(branchOf(u"main"_s)));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    BuildState state{BuildState::Phase::Running, 2400, 6000, {}, {}};
    model.setBuildStates({{sm90avx2, state}});
    model.setBuildStates({{sm90avx2, state}});
    QCOMPARE(changed.size(), 1);
    const QModelIndex cell = model.indexOf(sm90avx2);
    QCOMPARE(changed.first().at(0).toModelIndex(), cell);
    QCOMPARE(changed.first().at(1).toModelIndex(), cell);
    QVERIFY(changed.first().at(2).value<QList<int>>().contains(int(PartsRole)));
    QCOMPARE(cell.data(BuildWordRole).toString(), u"40 %"_s);
    QCOMPARE(cell.data(Qt::AccessibleTextRole).toString(), u"sm90 Hopper, AVX2: current, build 40 %"_s);
    // Not in this slice: kept, and shown when its branch or slice is.
    model.setBuildStates({{u"pytorch-python313-cuda13_0-sm90-avx2"_s, state}});
    QCOMPARE(changed.size(), 1);
}

/// Receivers count all cells again: once for an update of the queue, not once for each build that started or ended.
void MatrixModelTest::manyBuildStatesAreOneChange()
{
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const BranchSnapshot snapshot = branchOf(u"main"_s);
    model.setSnapshot(shared(snapshot));
    QHash<QString, BuildState> states;
    for (const VariantEntry &entry : snapshot.entries)
        states.insert(entry.variant.name(), {BuildState::Phase::Running, 1, 2, {}, {}});
    QVERIFY(states.size() > 20);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy summary(&model, &MatrixModel::summaryChanged);
    model.setBuildStates(states);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(summary.size(), 1);
    const QItemSelectionRange range(changed.first().at(0).toModelIndex(), changed.first().at(1).toModelIndex());
    for (const QString &name : states.keys()) {
        QCOMPARE(model.buildState(name), states.value(name));
        if (const QModelIndex cell = model.indexOf(name); cell.isValid())
            QVERIFY2(range.contains(cell), qPrintable(name));
    }
    model.setBuildStates(states);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(summary.size(), 1);
    // One of them: one cell.
    states[sm90avx2].step = 2;
    model.setBuildStates(states);
    QCOMPARE(changed.size(), 2);
    QCOMPARE(changed.at(1).at(0).toModelIndex(), model.indexOf(sm90avx2));
    QCOMPARE(changed.at(1).at(1).toModelIndex(), model.indexOf(sm90avx2));
}

void MatrixModelTest::verdictsChangeTheirCells()
{
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(shared(branchOf(u"main"_s)));
    QVERIFY(model.variants().contains(Variant{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s}));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    FitVerdicts verdicts{u"box"_s,
                         {{sm90avx2, {Fit::DoesNotRun, u"It needs driver 525.60.13; this machine has 470.82."_s}}}};
    model.setVerdicts(verdicts);
    model.setVerdicts(verdicts);
    const QModelIndex cell = model.indexOf(sm90avx2);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex(), cell);
    QCOMPARE(changed.first().at(1).toModelIndex(), cell);
    QCOMPARE(changed.first().at(2).value<QList<int>>(),
             QList<int>(
                 {SearchTextRole, PartsRole, Qt::ToolTipRole, Qt::AccessibleTextRole, Qt::AccessibleDescriptionRole}));
    const auto signs = [](const QModelIndex &of) {
        return of.data(PartsRole).value<QList<MatrixPart>>().first().signs;
    };
    QVERIFY(signs(cell).contains(Fit::DoesNotRun));
    QCOMPARE(cell.data().toString(), u"current"_s); // the recipe is what it was
    QVERIFY(cell.data(Qt::ToolTipRole)
                .toString()
                .startsWith(u"Does not run on box: It needs driver 525.60.13; this machine has 470.82.\n"_s));
    QCOMPARE(cell.data(Qt::AccessibleTextRole).toString(), u"sm90 Hopper, AVX2: current, on box: no"_s);
    QCOMPARE(signs(model.index(0, 0)).size(), 2); // not judged
    // One more cell: unchanged cells emit nothing.
    const QString other = u"pytorch-python313-cuda12_8-sm80-avx2"_s;
    verdicts.of.insert(other, {Fit::Exact, u"Built for it."_s});
    model.setVerdicts(verdicts);
    QCOMPARE(changed.size(), 2);
    QCOMPARE(changed.last().at(0).toModelIndex(), model.indexOf(other));
    QCOMPARE(changed.last().at(1).toModelIndex(), model.indexOf(other));
    // The line begins with the one to take.
    verdicts.best = {u"pytorch-python313-cuda13_0-sm90-avx2"_s, sm90avx2, other}; // not shown; does not run
    model.setVerdicts(verdicts);
    QCOMPARE(changed.size(), 2);
    model.setLens(Lens::Machine);
    QVERIFY2(model.summary().startsWith(u"on box: 1 exact, best: sm80 avx2 · 1 no; "_s), qPrintable(model.summary()));
    model.setLens(Lens::Recipe);
    QCOMPARE(changed.size(), 4);
    // No machine: as before.
    model.setVerdicts({});
    QCOMPARE(changed.size(), 5);
    QVERIFY(!signs(cell).contains(Fit::DoesNotRun));
    QCOMPARE(cell.data(Qt::AccessibleTextRole).toString(), u"sm90 Hopper, AVX2: current"_s);
}

void MatrixModelTest::buildStatesAreTheBranchs()
{
    MatrixModel model(builtInCatalog());
    model.setSnapshot(shared(branchOf(u"main"_s)));
    const QString cpu = u"pytorch-python313-cpu-avx2"_s;
    model.setBuildStates({{cpu, {.phase = BuildState::Phase::Built}}});
    model.setSnapshot(shared(branchOf(u"main"_s, RecipeState::Missing)));
    QCOMPARE(model.index(7, 1).data(BuildWordRole).toString(), u"built"_s);
    model.setSnapshot(shared(branchOf(u"cuda-12_9"_s))); // the same name, another package
    QCOMPARE(model.buildState(cpu), BuildState{});
}

void MatrixModelTest::problemsOfTheAuditShow()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    MatrixModel model(builtInCatalog());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(shared(snapshot));
    const QModelIndex cell = model.indexOf(sm90avx2);
    QCOMPARE(cell.data(ProblemCountRole).toInt(), 0);
    QVERIFY(!model.summary().contains(u"error"_s));

    const auto finding = [](Severity severity, const QString &sentence) {
        return Finding{u"rule"_s, severity, sentence, 1, 1, 1, {}, false};
    };
    snapshot.entries[sm90avx2].findings = {finding(Severity::Error, u"One."_s), finding(Severity::Warning, u"Two."_s),
                                           finding(Severity::Warning, u"Three."_s),
                                           finding(Severity::Warning, u"Four."_s), finding(Severity::Note, u"Five."_s)};
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setSnapshot(shared(snapshot));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(cell.data(ProblemCountRole).toInt(), 4);
    QVERIFY(cell.data(Qt::AccessibleTextRole).toString().contains(u"1 error, 3 warnings"_s));
    QVERIFY2(
        cell.data(Qt::ToolTipRole).toString().endsWith(u"\nerror: One.\nwarning: Two.\nwarning: Three.\nand 1 more"_s),
        qPrintable(cell.data(Qt::ToolTipRole).toString()));
    QVERIFY2(model.summary().endsWith(u"; 1 error in 1 recipe, 3 warnings in 1 recipe"_s), qPrintable(model.summary()));
    QVERIFY(!model.summary().contains(u"warn of"_s));
    // What every cell has gets no sign in them, and the line says so.
    BranchSnapshot warned = snapshot;
    for (VariantEntry &entry : warned.entries)
        entry.findings.append({u"no-effect"_s, Severity::Warning, u"Six."_s, 1, 1, 1, {}, false});
    model.setSnapshot(shared(warned));
    QVERIFY2(model.summary().endsWith(u"; all recipes warn of no-effect, which has no sign in the cells"_s),
             qPrintable(model.summary()));
    model.setSnapshot(shared(snapshot));

    MatrixFilterModel filter;
    filter.setSourceModel(&model);
    filter.setSigns({Severity::Error, Severity::Warning});
    QVERIFY(filter.isActive());
    QCOMPARE(filter.matchCount(), 1);
    QCOMPARE(filter.rowCount(), 1);
    filter.clear();
    QVERIFY(filter.signs().empty() && filter.rowCount() == model.rowCount());
    filter.setText(u"error sm90"_s);
    QCOMPARE(filter.matchCount(), 1);
}

void MatrixModelTest::namesLeadBack()
{
    MatrixModel model(builtInCatalog());
    model.setSnapshot(shared(branchOf(u"cuda-13_0"_s)));
    for (int row = 0; row < model.rowCount(); ++row) {
        for (int column = 0; column < model.columnCount(); ++column) {
            const QModelIndex cell = model.index(row, column);
            const QString name = cell.data(VariantNameRole).toString();
            QCOMPARE(model.indexOf(name), cell);
            QCOMPARE(model.variantAt(cell).name(), name);
            QCOMPARE(model.entryAt(cell).file, u".flox/pkgs/%1.nix"_s.arg(name));
        }
    }
}

void MatrixModelTest::headers()
{
    MatrixModel model(builtInCatalog());
    model.setSnapshot(shared(branchOf(u"main"_s)));
    const int hopper = model.indexOf(sm90avx2).row();
    QCOMPARE(model.headerData(hopper, Qt::Vertical).toString(), u"sm90 Hopper"_s);
    QCOMPARE(model.headerData(hopper, Qt::Vertical, SubtitleRole).toString(), u"H100, H200, GH200"_s);
    QCOMPARE(model.headerData(hopper, Qt::Vertical, Qt::AccessibleTextRole).toString(),
             u"sm90 Hopper: H100, H200, GH200"_s);
    QCOMPARE(model.headerData(hopper, Qt::Vertical, Qt::ToolTipRole).toString(),
             u"sm90 Hopper: H100, H200, GH200. Compute capability 9.0, CUDA 11.8 and newer."_s);
    QCOMPARE(model.headerData(0, Qt::Vertical, Qt::ToolTipRole).toString().section(u". "_s, 1),
             u"Compute capability 6.1, CUDA 8.0 to 12.9."_s);
    QCOMPARE(model.headerData(model.rowCount() - 1, Qt::Vertical).toString(), u"cpu"_s);
    QCOMPARE(model.headerData(model.rowCount() - 1, Qt::Vertical, SubtitleRole).toString(), u"CPU only"_s);
    QCOMPARE(model.headerData(3, Qt::Horizontal).toString(), u"AVX-512 BF16"_s);
    QCOMPARE(model.headerData(3, Qt::Horizontal, SubtitleRole).toString(), u"x86"_s);
    QCOMPARE(model.headerData(6, Qt::Horizontal, SubtitleRole).toString(), u"ARM"_s);
    QVERIFY(!model.headerData(99, Qt::Horizontal).isValid());
}

void MatrixModelTest::flags()
{
    MatrixModel model(builtInCatalog());
    model.setSnapshot(shared(branchOf(u"main"_s)));
    const QModelIndex impossible = model.indexOf(u"pytorch-python313-cuda12_8-sm61-armv9"_s);
    QVERIFY(impossible.isValid());
    QVERIFY(!impossible.flags().testFlag(Qt::ItemIsSelectable));
    QVERIFY(impossible.flags().testFlag(Qt::ItemIsEnabled)); // its reason is read there
    QVERIFY(model.indexOf(sm90avx2).flags().testFlag(Qt::ItemIsSelectable));
}

void MatrixModelTest::summary()
{
    MatrixModel model(builtInCatalog());
    QSignalSpy changed(&model, &MatrixModel::summaryChanged);
    BranchSnapshot snapshot = branchOf(u"main"_s);
    put(snapshot, u"sm90"_s, u"avx2"_s, RecipeState::Missing);
    put(snapshot, u"sm90"_s, u"avx512"_s, RecipeState::Untracked);
    model.setSnapshot(shared(snapshot));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(model.summary(), u"44 variants: 42 current · 1 new · 1 missing"_s);
    model.setBuildStates({{sm90avx2, {.phase = BuildState::Phase::Failed}}});
    QCOMPARE(model.summary(), u"44 variants: 42 current · 1 new · 1 missing; builds: 1 failed · 43 not built"_s);
    put(snapshot, Variant{u"pytorch"_s, u"python312"_s, {}, u"cpu"_s, u"avx2"_s}, RecipeState::Customised);
    model.setSnapshot(shared(snapshot));
    QCOMPARE(model.summary(),
             u"44 of 45 variants shown: 42 current · 1 new · 1 missing; builds: 1 failed · 43 not built"_s);
    // What other toolkits and Pythons lack is never hidden.
    const Variant other{u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s};
    put(snapshot, other, RecipeState::Missing);
    snapshot.entries[other.name()].covered = true;
    put(snapshot, Variant{u"pytorch"_s, u"python312"_s, {}, u"cpu"_s, u"avx512"_s}, RecipeState::Missing);
    model.setSnapshot(shared(snapshot));
    QVERIFY2(model.summary().endsWith(u"; also missing: 1 in CUDA 12.9 · 1 in Python 3.12"_s) ||
                 model.summary().endsWith(u"; also missing: 1 in Python 3.12 · 1 in CUDA 12.9"_s),
             qPrintable(model.summary()));
    // Shorter forms leave out what the chips have, then the rest, and never that.
    const QStringList forms = model.summaryForms();
    QVERIFY(forms.size() > 2);
    for (qsizetype i = 1; i < forms.size(); ++i) {
        QVERIFY2(forms.at(i).size() < forms.at(i - 1).size(), qPrintable(forms.at(i)));
        QVERIFY2(forms.at(i).contains(u"44 of 47 variants shown"_s) && forms.at(i).contains(u"also missing"_s),
                 qPrintable(forms.at(i)));
    }
    QVERIFY(!forms.at(1).contains(u"current"_s) && forms.at(1).contains(u"1 failed"_s));
    QCOMPARE(gapsIn(snapshot, {other.family, other.python, other.cuda}), 1);
    QCOMPARE(gapsIn(snapshot, {other.family, MatrixSlice::every(), MatrixSlice::every()}), 3);
    model.setSlice({u"pytorch"_s, MatrixSlice::every(), MatrixSlice::every()});
    QVERIFY2(!model.summary().contains(u"also missing"_s), qPrintable(model.summary()));
}

TM_TEST(MatrixModelTest, QGuiApplication)
#include "tst_matrixmodel.moc"
