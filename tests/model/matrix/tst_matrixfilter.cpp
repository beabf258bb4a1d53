// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixFilterModel.h"
#include "model/matrix/MatrixModel.h"
#include "model/matrix/MatrixText.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QAbstractItemModelTester>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

class MatrixFilterTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void noFilterChangesNothing();
    void byText_data();
    void byText();
    void byState();
    void byBoth();
    void byRule();
    void asTheTextsSay_data();
    void asTheTextsSay();
    void spanningRows();
    void followsChanges();
    void selectionSurvives();
    void keepsWhatIsBeingChanged();

private:
    struct Grid;
    std::unique_ptr<Grid> m_grid;
};

struct MatrixFilterTest::Grid {
    Grid()
        : tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest)
    {
        snapshot = branchOf(u"main"_s);
        put(snapshot, u"sm90"_s, u"avx2"_s, RecipeState::Missing);
        put(snapshot, u"sm120"_s, u"armv9"_s, RecipeState::Missing);
        filter.setSourceModel(&model);
        model.setSnapshot(shared(snapshot));
    }
    BranchSnapshot snapshot;
    MatrixModel model{builtInCatalog()};
    MatrixFilterModel filter;
    QAbstractItemModelTester tester;
};

void MatrixFilterTest::init()
{
    QTest::failOnWarning();
    m_grid = std::make_unique<Grid>();
}

void MatrixFilterTest::cleanup()
{
    m_grid.reset();
}

void MatrixFilterTest::noFilterChangesNothing()
{
    QVERIFY(!m_grid->filter.isActive());
    m_grid->filter.setText(u"  "_s); // words are what filters
    QVERIFY(!m_grid->filter.isActive());
    QCOMPARE(gridAsText(m_grid->filter), gridAsText(m_grid->model));
}

void MatrixFilterTest::byText_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("product") << u"h100"_s << uR"(
             avx          avx2     avx512   avx512bf16  avx512vnni  armv8_2  armv9
sm90 Hopper  not planned  missing  current  current     current     current  current
)"_s;
    QTest::newRow("two words, any order") << u"bf16 SM8"_s << uR"(
                        avx512bf16
sm80 Ampere datacenter  current
sm86 Ampere             current
sm89 Ada Lovelace       current
)"_s;
    QTest::newRow("state word") << u"missing"_s << uR"(
                 avx2       armv9
sm90 Hopper      missing    (current)
sm120 Blackwell  (current)  missing
)"_s;
    QTest::newRow("what cannot exist is not left") << u"sm61"_s << uR"(
             avx      avx2     avx512       avx512bf16   avx512vnni
sm61 Pascal  current  current  not planned  not planned  not planned
)"_s;
    QTest::newRow("nothing") << u"nothing of the kind"_s << u"\n"_s;
}

void MatrixFilterTest::byText()
{
    QFETCH(const QString, text);
    QFETCH(const QString, expected);
    QSignalSpy changed(&m_grid->filter, &MatrixFilterModel::filterChanged);
    m_grid->filter.setText(text);
    QCOMPARE(u'\n' + gridAsText(m_grid->filter), expected);
    QCOMPARE(changed.size(), 1);
    m_grid->filter.clear();
    QCOMPARE(gridAsText(m_grid->filter), gridAsText(m_grid->model));
}

void MatrixFilterTest::byState()
{
    m_grid->filter.setSigns({RecipeState::Missing});
    QCOMPARE(gridAsText(m_grid->filter), uR"(                 avx2       armv9
sm90 Hopper      missing    (current)
sm120 Blackwell  (current)  missing
)"_s);
    QCOMPARE(m_grid->filter.matchCount(), 2);
    m_grid->filter.setSigns({RecipeState::Unsupported});
    QCOMPARE(gridAsText(m_grid->filter), uR"(             armv8_2  armv9
sm61 Pascal  –        –
)"_s);
}

void MatrixFilterTest::byBoth()
{
    m_grid->filter.setSigns({RecipeState::Missing});
    m_grid->filter.setText(u"arm"_s);
    QCOMPARE(gridAsText(m_grid->filter), uR"(                 armv9
sm120 Blackwell  missing
)"_s);
}

/// Ids of rules are not words of a cell: "missing" finds missing recipes, not a missing MAGMA patch.
void MatrixFilterTest::byRule()
{
    const QString name = u"pytorch-python313-cuda12_8-sm80-avx512"_s;
    m_grid->snapshot.entries[name].findings = {
        Finding{.rule = u"magma-patch-missing"_s, .severity = Severity::Warning, .sentence = u"No patch."_s}};
    m_grid->model.setSnapshot(shared(m_grid->snapshot));
    const auto found = [this](const QString &text) {
        m_grid->filter.setText(text);
        QStringList names;
        for (int row = 0; row < m_grid->filter.rowCount(); ++row) {
            for (int column = 0; column < m_grid->filter.columnCount(); ++column) {
                const QModelIndex cell = m_grid->filter.index(row, column);
                if (!cell.data(DimmedRole).toBool())
                    names.append(cell.data(VariantNameRole).toString());
            }
        }
        return names;
    };
    const QStringList missing = found(u"missing"_s);
    QCOMPARE(missing.size(), 2);
    QVERIFY(!missing.contains(name));
    QCOMPARE(found(u"rule:magma"_s), QStringList{name});
    QCOMPARE(found(u"rule:MISSING sm80"_s), QStringList{name});
    QCOMPARE(found(u"rule:missing sm90"_s), QStringList());
    QCOMPARE(found(u"warning"_s), QStringList{name});
}

void MatrixFilterTest::asTheTextsSay_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"sm90",
                             "hopper",
                             "cuda12_8",
                             "cuda",
                             "8-sm90",
                             "python313-cuda12_8-sm8",
                             "avx512",
                             "bf16 sm8",
                             "not planned",
                             "covered",
                             "missing",
                             "current arm",
                             "invalid",
                             "pytorch",
                             "python",
                             "x86",
                             "a",
                             "cpu avx",
                             "40",
                             "rule:magma",
                             "uses:lib/isa.nix",
                             "13_0 missing",
                             "nothing of the kind",
                             "torch sm12 armv9"})
        QTest::addRow("%s", text) << QString::fromLatin1(text);
}

/// What is left is found by axes and states, and is what the text of each cell says.
void MatrixFilterTest::asTheTextsSay()
{
    QFETCH(const QString, text);
    BranchSnapshot &snapshot = m_grid->snapshot;
    put(snapshot, Variant{u"pytorch"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s}, RecipeState::Missing);
    put(snapshot, Variant{u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx2"_s}, RecipeState::Broken);
    m_grid->model.setSnapshot(shared(snapshot));
    const auto agree = [&] {
        int left = 0;
        for (int row = 0; row < m_grid->model.rowCount(); ++row) {
            for (int column = 0; column < m_grid->model.columnCount(); ++column) {
                const QModelIndex cell = m_grid->model.index(row, column);
                const QStringList texts = cell.data(SearchTextRole).toString().split(u'\n');
                const QStringList marks = cell.data(MarksRole).toString().split(u'\n');
                const auto parts = cell.data(PartsRole).value<QList<MatrixPart>>();
                const MatrixSearch search{text.split(u' '), m_grid->filter.signs()};
                bool any = false;
                for (qsizetype i = 0; i < parts.size(); ++i) {
                    const MatrixPart &part = parts.at(i);
                    const bool is =
                        search.allows(part.signs, part.possible()) && search.finds(texts.value(i), marks.value(i));
                    any |= is;
                    left += is && (column == 0 || !cell.data(SpansRowRole).toBool());
                }
                const QModelIndex shown = m_grid->filter.mapFromSource(cell);
                QCOMPARE(shown.isValid() && !shown.data(DimmedRole).toBool(), any);
            }
        }
        QCOMPARE(m_grid->filter.matchCount(), left);
    };
    const auto agreeInStates = [&] {
        const QList<std::set<Sign>> choices{{},
                                            {RecipeState::Missing, RecipeState::NotCovered},
                                            {RecipeState::Unsupported},
                                            {BuildState::Phase::Running, RecipeState::Current}};
        for (const std::set<Sign> &signs : choices) {
            m_grid->filter.setSigns(signs);
            m_grid->filter.setText(text);
            agree();
        }
    };
    for (const bool all : {false, true}) {
        m_grid->model.setShowAll(all);
        for (const QString &cuda : {u"12.8"_s, MatrixSlice::every()}) {
            m_grid->model.setSlice({u"pytorch"_s, u"python313"_s, cuda});
            agreeInStates();
        }
    }
    m_grid->model.setBuildStates(
        {{u"pytorch-python313-cuda12_8-sm90-avx2"_s, {BuildState::Phase::Running, 4, 10, {}, {}}}});
    agreeInStates();
}

/// The cell of a row without instruction sets hides no column where it alone matches, and keeps none.
void MatrixFilterTest::spanningRows()
{
    Variant metal{u"pytorch"_s, u"python313"_s, {}, u"darwin-mps"_s, {}};
    VariantEntry entry;
    entry.variant = metal;
    entry.file = metal.file();
    entry.present = true;
    entry.state = RecipeState::Current;
    m_grid->snapshot.entries.insert(metal.name(), entry);
    m_grid->model.setSnapshot(shared(m_grid->snapshot));
    const int columns = m_grid->model.columnCount();
    m_grid->filter.setText(u"mps"_s);
    QCOMPARE(m_grid->filter.rowCount(), 1);
    QCOMPARE(m_grid->filter.columnCount(), columns);
    QCOMPARE(m_grid->filter.matchCount(), 1);
    m_grid->filter.setText(u"python313 missing"_s);
    QCOMPARE(m_grid->filter.columnCount(), 2);
    m_grid->filter.setText(u"nothing of the kind"_s);
    QCOMPARE(m_grid->filter.rowCount(), 0);
}

void MatrixFilterTest::followsChanges()
{
    m_grid->filter.setSigns({RecipeState::Missing});
    put(m_grid->snapshot, u"sm80"_s, u"avx512"_s, RecipeState::Missing);
    m_grid->model.setSnapshot(shared(m_grid->snapshot));
    QCOMPARE(gridAsText(m_grid->filter), uR"(                        avx2       avx512     armv9
sm80 Ampere datacenter  (current)  missing    (current)
sm90 Hopper             missing    (current)  (current)
sm120 Blackwell         (current)  (current)  missing
)"_s);
    m_grid->model.setSnapshot(shared(branchOf(u"main"_s)));
    QCOMPARE(m_grid->filter.rowCount(), 0);
    m_grid->filter.setSigns({});
    m_grid->filter.setText(u"40 %"_s);
    QCOMPARE(m_grid->filter.matchCount(), 0);
    m_grid->model.setBuildStates(
        {{u"pytorch-python313-cuda12_8-sm90-avx2"_s, {BuildState::Phase::Running, 4, 10, {}, {}}}});
    QCOMPARE(gridAsText(m_grid->filter), uR"(             avx2
sm90 Hopper  current [40 %]
)"_s);
}

void MatrixFilterTest::selectionSurvives()
{
    QItemSelectionModel selection(&m_grid->filter);
    const QModelIndex cell =
        m_grid->filter.mapFromSource(m_grid->model.indexOf(u"pytorch-python313-cuda12_8-sm90-avx2"_s));
    selection.setCurrentIndex(cell, QItemSelectionModel::Select);
    m_grid->filter.setSigns({RecipeState::Missing});
    put(m_grid->snapshot, u"sm90"_s, u"avx512"_s, RecipeState::Modified);
    put(m_grid->snapshot, u"sm70"_s, u"avx"_s, RecipeState::Missing);
    m_grid->model.setSnapshot(shared(m_grid->snapshot));
    m_grid->filter.clear();
    QCOMPARE(selection.selectedIndexes().size(), 1);
    QCOMPARE(selection.selectedIndexes().first().data(VariantNameRole).toString(),
             u"pytorch-python313-cuda12_8-sm90-avx2"_s);
    QCOMPARE(selection.currentIndex(), selection.selectedIndexes().first());
}

/// A missing recipe that is generated stays until the filter is another one.
void MatrixFilterTest::keepsWhatIsBeingChanged()
{
    Grid &grid = *m_grid;
    const QString one = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
    const QString other = u"pytorch-python313-cuda12_8-sm120-armv9"_s;
    const auto isLeft = [&grid](const QString &name) {
        const QModelIndex cell = grid.filter.mapFromSource(grid.model.indexOf(name));
        return cell.isValid() && !cell.data(DimmedRole).toBool();
    };
    const auto change = [&grid](const QString &row, const QString &isa, RecipeState state) {
        put(grid.snapshot, row, isa, state);
        grid.model.setSnapshot(shared(grid.snapshot));
    };
    grid.filter.setText(u"missing"_s);
    QVERIFY(isLeft(one) && isLeft(other));
    const QString third = u"pytorch-python313-cuda12_8-sm80-avx2"_s; // is not left, and does not come back
    grid.filter.keep({one, third});
    change(u"sm90"_s, u"avx2"_s, RecipeState::Untracked);
    QVERIFY(isLeft(one) && isLeft(other) && !isLeft(third));
    QCOMPARE(grid.filter.matchCount(), 2);
    change(u"sm90"_s, u"avx2"_s, RecipeState::Current);
    QVERIFY(isLeft(one));
    grid.filter.keep({other});
    change(u"sm120"_s, u"armv9"_s, RecipeState::Untracked);
    QVERIFY(!isLeft(one) && isLeft(other));
    grid.filter.setText(u"missing?"_s);
    grid.filter.setText(u"missing"_s);
    QVERIFY(!isLeft(one) && !isLeft(other));
    QCOMPARE(grid.filter.matchCount(), 0);
}

TM_TEST(MatrixFilterTest, QGuiApplication)
#include "tst_matrixfilter.moc"
