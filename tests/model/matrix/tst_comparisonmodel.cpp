// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/ComparisonModel.h"
#include "model/matrix/MatrixText.h"
#include "tests/support/BranchContents.h"
#include "tests/support/ComparedSides.h"
#include "tests/support/TestMain.h"

#include <QAbstractItemModelTester>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

/// A few cells: `cells` as "sm90-avx2 sm90-avx512=text".
ComparedSide sideWith(const QString &label, const QString &cells)
{
    BranchContent content{u"main"_s, QString(40, u'a'), false, {}};
    for (const QString &cell : cells.split(u' ')) {
        const QString name = cell.section(u'=', 0, 0);
        content.files.append(
            recipeFile((name.startsWith("cpu"_L1) ? u"pytorch-python313-"_s : u"pytorch-python313-cuda12_8-"_s) + name,
                       "{ }: \"" + cell.section(u'=', 1).toUtf8() + "\"\n", false));
    }
    return sideOf(label, content);
}

std::shared_ptr<const Comparison> compared(const QList<ComparedSide> &sides)
{
    return std::make_shared<const Comparison>(compareSides(sides));
}

} // namespace

class ComparisonModelTest : public QObject
{
    Q_OBJECT

    ComparisonModel m_model{builtInCatalog()};
    QAbstractItemModelTester m_tester{&m_model, QAbstractItemModelTester::FailureReportingMode::QtTest};

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_model.setFilter({});
        m_model.setComparison(compared({sideWith(u"main"_s, u"sm90-avx2 sm90-avx512=a cpu-avx2 sm80-avx2"_s),
                                        sideWith(u"next"_s, u"sm90-avx2 sm90-avx512=b cpu-avx2 sm120-avx512"_s)}));
    }

    void asText()
    {
        QCOMPARE(gridAsText(m_model), u""
                                      "                        avx2       avx512\n"
                                      "sm80 Ampere datacenter  only main\n"
                                      "sm90 Hopper             identical  different\n"
                                      "sm120 Blackwell                    only next\n"
                                      "cpu                     identical\n"_s);
    }

    void nothing()
    {
        m_model.setComparison(nullptr);
        QCOMPARE(m_model.rowCount(), 0);
        QVERIFY(!m_model.nextDifference({}, 1).isValid());
        QVERIFY(m_model.slices().isEmpty());
    }

    void filters()
    {
        m_model.setFilter({true, false, {}, {}});
        QCOMPARE(gridAsText(m_model), u""
                                      "                        avx2         avx512\n"
                                      "sm80 Ampere datacenter  only main\n"
                                      "sm90 Hopper             (identical)  different\n"
                                      "sm120 Blackwell                      only next\n"_s);
        m_model.setFilter({false, true, {}, {}});
        QCOMPARE(gridAsText(m_model), u""
                                      "                        avx2       avx512\n"
                                      "sm80 Ampere datacenter  only main\n"
                                      "sm120 Blackwell                    only next\n"_s);
        m_model.setFilter({false, false, u"sm90"_s, {}});
        QCOMPARE(gridAsText(m_model), u""
                                      "             avx2       avx512\n"
                                      "sm90 Hopper  identical  different\n"_s);
        m_model.setFilter({true, false, {}, u"avx2"_s});
        QCOMPARE(m_model.rowCount(), 1);
    }

    void walksTheDifferences()
    {
        QStringList walked;
        QModelIndex index;
        for (int i = 0; i < 4; ++i) {
            index = m_model.nextDifference(index, 1);
            walked.append(index.data(VariantNameRole).toString().sliced(27));
        }
        QCOMPARE(walked, (QStringList{u"sm80-avx2"_s, u"sm90-avx512"_s, u"sm120-avx512"_s, u"sm80-avx2"_s}));
        QCOMPARE(m_model.nextDifference(index, -1).data(VariantNameRole).toString().sliced(27), u"sm120-avx512"_s);
        QCOMPARE(m_model.nextDifference({}, -1).data(VariantNameRole).toString().sliced(27), u"sm120-avx512"_s);
        QCOMPARE(m_model.differenceCount(), 3);
    }

    void sentences()
    {
        const QModelIndex differ = m_model.nextDifference(m_model.nextDifference({}, 1), 1);
        QVERIFY(differ.data(Qt::ToolTipRole)
                    .toString()
                    .startsWith(u"pytorch-python313-cuda12_8-sm90-avx512: different."_s));
        QCOMPARE(differ.data(Qt::AccessibleTextRole).toString(), u"sm90 Hopper, AVX-512: different"_s);
        QVERIFY(!m_model.index(0, 1).data(Qt::ToolTipRole).toString().isEmpty());
        QCOMPARE(differ.data(GroupsRole).value<QList<int>>(), (QList<int>{0, 1}));
    }

    /// The words that most cells have are left out of the picture, and stay in the text.
    void whatMostHaveIsNoDeviation()
    {
        m_model.setComparison(compared({sideWith(u"main"_s, u"sm80-avx2 sm90-avx2 sm90-avx512=a darwin-mps"_s),
                                        sideWith(u"next"_s, u"sm80-avx2 sm90-avx2 sm90-avx512=b darwin-mps"_s)}));
        const auto deviations = [this] {
            QStringList words;
            for (int row = 0; row < m_model.rowCount(); ++row) {
                for (int column = 0; column < m_model.columnCount(); ++column) {
                    if (const QModelIndex index = m_model.index(row, column); m_model.cellAt(index))
                        words.append(index.data(DeviationRole).toString());
                }
            }
            return words.join(u'|');
        };
        QCOMPARE(deviations(), u"||different||"_s);
        QCOMPARE(gridAsText(m_model), u""
                                      "                        avx2       avx512\n"
                                      "sm80 Ampere datacenter  identical\n"
                                      "sm90 Hopper             identical  different\n"
                                      "darwin-mps              identical (no instruction set)\n"_s);
        QCOMPARE(m_model.index(0, 0).data(Qt::AccessibleTextRole).toString(),
                 u"sm80 Ampere datacenter, AVX2: identical"_s);
        // Only what passes the filter counts, and one cell is no majority.
        m_model.setFilter({.onlyDifferences = true});
        QCOMPARE(deviations(), u"different"_s);
        m_model.setFilter({});
        m_model.setComparison(compared(
            {sideWith(u"main"_s, u"sm80-avx2 sm90-avx2=a"_s), sideWith(u"next"_s, u"sm80-avx2 sm90-avx2=b"_s)}));
        QCOMPARE(deviations(), u"identical|different"_s);
    }

    void indexOfAVariant()
    {
        const Variant variant{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512"_s};
        const QModelIndex index = m_model.indexOf(variant);
        QVERIFY(index.isValid());
        QCOMPARE(m_model.cellAt(index)->variant, variant);
        QVERIFY(!m_model.indexOf({}).isValid());
        QVERIFY(!m_model.cellAt({}));
    }

    /// As in the grid of a branch: Metal has no column, and its cell is one of the differences, not one for each
    /// column.
    void metalSpansItsRow()
    {
        const auto side = [](const QString &label, const QByteArray &text) {
            BranchContent content{u"main"_s, QString(40, u'a'), false, {}};
            for (const QString &name : {u"pytorch-python313-cpu-avx2"_s, u"pytorch-python313-cpu-avx512"_s})
                content.files.append(recipeFile(name, "{ }: { }\n", false));
            content.files.append(recipeFile(u"pytorch-python313-darwin-mps"_s, text, false));
            return sideOf(label, content);
        };
        m_model.setComparison(compared({side(u"a"_s, "{ }: \"1\"\n"), side(u"b"_s, "{ }: \"2\"\n")}));
        QCOMPARE(m_model.columnCount(), 2);
        const QModelIndex metal = m_model.indexOf({u"pytorch"_s, u"python313"_s, {}, u"darwin-mps"_s, {}});
        QVERIFY(metal.isValid() && metal.data(SpansRowRole).toBool());
        QVERIFY(!m_model.index(0, 0).data(SpansRowRole).toBool());
        QCOMPARE(m_model.differenceCount(), 1);
        QCOMPARE(m_model.nextDifference({}, 1), metal);
        QCOMPARE(m_model.nextDifference({}, -1), metal);
        QCOMPARE(m_model.nextDifference(metal, 1), metal);
        QVERIFY(metal.data(Qt::AccessibleTextRole).toString().startsWith("darwin-mps"_L1));
    }

    void severalToolkits()
    {
        BranchContent content{u"main"_s, QString(40, u'a'), false, {}};
        for (const QString &cuda : {u"12_8"_s, u"12_9"_s})
            content.files.append(recipeFile(u"pytorch-python313-cuda%1-sm90-avx2"_s.arg(cuda), "{ }: { }\n", false));
        content.files.append(recipeFile(u"pytorch-python313-cpu-avx2"_s, "{ }: { }\n", false));
        QSignalSpy changed(&m_model, &ComparisonModel::sliceChanged);
        m_model.setComparison(compared({sideOf(u"a"_s, content), sideWith(u"b"_s, u"sm90-avx2"_s)}));
        QVERIFY(!changed.isEmpty());
        QCOMPARE(m_model.slices().size(), 3);
        // The CPU recipe stands with each of them.
        for (const MatrixSlice &slice : m_model.slices().first(2)) {
            m_model.setSlice(slice);
            QCOMPARE(m_model.rowCount(), 2);
        }
        // All of them: one below the other, and the CPU recipe once.
        const MatrixSlice all = m_model.slices().last();
        m_model.setSlice(all);
        QCOMPARE(gridAsText(m_model), u""
                                      "           avx2\n"
                                      "sm90 12.8  different\n"
                                      "sm90 12.9  only a\n"
                                      "cpu        only a\n"_s);
        QCOMPARE(m_model.countsOf(all).cells, 3);
        QCOMPARE(m_model.countsOf(all).differing, 1); // of two; each of the others is of one side alone
        QCOMPARE(m_model.countsOf(m_model.slices().first()).cells, 2);
        const auto &cells = m_model.comparison()->cells;
        for (const ComparedCell &cell : cells)
            QCOMPARE(m_model.cellAt(m_model.indexOf(cell.variant)), &cell);
        m_model.setFilter({.onlyDifferences = true, .onlyMissing = false, .row = {}, .isa = {}});
        QCOMPARE(m_model.rowCount(), 3);
        m_model.setFilter({});
        m_model.setSlice({u"nothing"_s, {}, {}});
        QCOMPARE(m_model.slice(), m_model.slices().last());
    }
};

TM_TEST(ComparisonModelTest, QGuiApplication)
#include "tst_comparisonmodel.moc"
