// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/ComparisonText.h"
#include "model/compare/CountedFacts.h"
#include "tests/support/BranchContents.h"
#include "tests/support/ComparedSides.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

QString nameOf(const QString &row)
{
    return u"pytorch-python313-cuda12_8-%1-avx512"_s.arg(row);
}

using Replacement = std::tuple<QString, QByteArray, QByteArray>; ///< row, before, after

ComparedSide sideWith(const QString &label, const QList<Replacement> &replacements)
{
    BranchContent content = wholeLine(u"main"_s, false);
    for (const auto &[row, before, after] : replacements) {
        QByteArray &text = *fileOf(content, nameOf(row))->committed;
        if (!text.contains(before))
            qFatal("%s", text.constData());
        text.replace(before, after);
    }
    return sideOf(label, content);
}

CountedFacts facts(const QList<ComparedSide> &sides)
{
    return CountedFacts(std::make_shared<const Comparison>(compareSides(sides)));
}

const ComparedCell &cellOf(const Comparison &comparison, const QString &row)
{
    for (const ComparedCell &cell : comparison.cells) {
        if (cell.variant.row == row && cell.variant.isa == "avx512"_L1)
            return cell;
    }
    qFatal("no such cell");
}

QString likeness(const Comparison &comparison, const QString &row)
{
    return toString(cellOf(comparison, row).likeness);
}

/// "cpu_flags 2, pname 1 (not counted)"
QString words(const QList<FactCount> &facts)
{
    QStringList words;
    for (const FactCount &fact : facts)
        words.append(u"%1 %2%3"_s.arg(fact.id).arg(fact.cells).arg(fact.counts ? QString() : u" (not counted)"_s));
    return words.join(u", "_s);
}

} // namespace

class CountedFactsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void namesDoNotCountByDefault()
    {
        const CountedFacts counted = facts(
            {sideWith(u"main"_s, {}), sideWith(u"mine"_s, {{u"sm90"_s, "pname = \"", "pname = \"own-"},
                                                           {u"sm86"_s, "pname = \"", "pname = \"own-"},
                                                           {u"sm86"_s, "-mavx512f", "-mavx512fp16"},
                                                           {u"sm100"_s, "description = \"", "description = \"Our "}})});
        QCOMPARE(words(counted.facts()), u"cpu_flags 1, pname 2 (not counted), description 1 (not counted)"_s);
        const std::shared_ptr<const Comparison> comparison = counted.counted();
        QCOMPARE(likeness(*comparison, u"sm90"_s), u"alike"_s);
        QCOMPARE(cellOf(*comparison, u"sm90"_s).groups, (QList<int>{0, 0}));
        QCOMPARE(likeness(*comparison, u"sm86"_s), u"different"_s);
        QCOMPARE(likeness(*comparison, u"sm100"_s), u"same-build"_s);
        QCOMPARE(likeness(*comparison, u"sm120"_s), u"identical"_s);
        QCOMPARE(comparison->totals().alike, 1);
        QVERIFY2(comparison->summary().contains(u"1 alike but for what is ignored, 1 different"_s),
                 qPrintable(comparison->summary()));
        QCOMPARE(cellWords(*comparison, cellOf(*comparison, u"sm90"_s)), u"alike"_s);
        QVERIFY(!ComparisonFilter{.onlyDifferences = true}.accepts(cellOf(*comparison, u"sm90"_s)));
        // What was compared is as it was.
        QCOMPARE(likeness(*counted.comparison(), u"sm90"_s), u"different"_s);
    }

    /// What most different cells share is one change; the others are exceptions, and say in what.
    void exceptionsAreTold()
    {
        const auto flags = [](const QString &row) { return Replacement(row, "-mavx512f", "-mavx512fp16"); };
        const CountedFacts counted = facts(
            {sideWith(u"main"_s, {}),
             sideWith(u"mine"_s, {flags(u"sm90"_s),
                                  flags(u"sm86"_s),
                                  flags(u"sm80"_s),
                                  flags(u"sm100"_s),
                                  {u"sm100"_s, "gpuTargets = [ gpuArchSM ]", "gpuTargets = [ gpuArchSM \"9.0\" ]"}})});
        const std::shared_ptr<const Comparison> comparison = counted.counted();
        QCOMPARE(cellWords(*comparison, cellOf(*comparison, u"sm90"_s)), u"differs like most cells"_s);
        const ComparedCell other = cellOf(*comparison, u"sm100"_s);
        QVERIFY(!other.asMost);
        QCOMPARE(other.unlike.size(), 1);
        QCOMPARE(cellWords(*comparison, other), u"different: "_s + other.unlike.constFirst());
        // The headline names the changes, each with the number of cells that have it.
        const QStringList forms = comparison->head(changeForms(counted.facts(), 4)).shared;
        const QString &head = forms.constFirst();
        QCOMPARE(forms.constLast(),
                 u"44 cells in both: 40 identical, 4 different."_s); // where there is room for no more
        QVERIFY2(head.contains(u"4 different: "_s) && head.contains(u" in all 4"_s) && head.contains(u" in 1"_s),
                 qPrintable(head));
        // A fact that does not count makes no exception.
        const CountedFacts::Choices choices{{u"cpu_flags"_s, false}};
        QVERIFY(!cellOf(*counted.counted(choices), u"sm100"_s).asMost);
    }

    void whatCountsCanBeChosen()
    {
        const CountedFacts counted = facts(
            {sideWith(u"main"_s, {}), sideWith(u"mine"_s, {{u"sm90"_s, "pname = \"", "pname = \"own-"},
                                                           {u"sm86"_s, "-mavx512f", "-mavx512fp16"},
                                                           {u"sm100"_s, "description = \"", "description = \"Our "}})});
        const CountedFacts::Choices choices{{u"pname"_s, true}, {u"cpu_flags"_s, false}, {u"description"_s, true}};
        const std::shared_ptr<const Comparison> comparison = counted.counted(choices);
        QCOMPARE(likeness(*comparison, u"sm90"_s), u"different"_s);
        QCOMPARE(likeness(*comparison, u"sm86"_s), u"alike"_s);
        QCOMPARE(likeness(*comparison, u"sm100"_s), u"different"_s); // it builds the same, and yet it was asked for
        for (const FactCount &fact : counted.facts(choices))
            QCOMPARE(fact.counts, choices.value(fact.id));
        QVERIFY(counted.counts({u"pname"_s, {}, {}, true, true}, choices));
        QVERIFY(!counted.counts({u"cpu_flags"_s, {}, {}, true, true}, choices));
        QVERIFY(counted.counts({u"elsewhere"_s, {}, {}, true, true}, choices));
    }

    /// Two sets of settings with other toolkits: the variant's own name differs in every cell, and does not count.
    void theVariantsOwnNameNeverCounts()
    {
        const CountedFacts counted = facts(
            {sideOf(u"main"_s, wholeLine(u"main"_s, false)), sideOf(u"cuda-12_9"_s, wholeLine(u"cuda-12_9"_s, false))});
        for (const FactCount &fact : counted.facts())
            QVERIFY2(fact.id != "pname"_L1, qPrintable(words(counted.facts())));
        CountedFacts::Choices none;
        for (const FactCount &fact : counted.facts())
            none.insert(fact.id, false);
        const std::shared_ptr<const Comparison> comparison = counted.counted(none);
        QCOMPARE(comparison->totals().different, 0);
        QVERIFY(comparison->totals().alike > 30);
    }

    /// What most cells have is told with its values; what has no such, or is long, only counted.
    void mostCellsHaveTheseValues()
    {
        const QByteArray pin = "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3", other = "0182a36" + QByteArray(33, '0');
        const CountedFacts counted = facts(
            {sideWith(u"main"_s, {}),
             sideWith(u"mine"_s,
                      {{u"sm90"_s, pin, other}, {u"sm86"_s, pin, other}, {u"sm100"_s, pin, QByteArray(40, 'a')}})});
        const QList<FactCount> all = counted.facts();
        const auto found = std::ranges::find_if(all, [](const FactCount &fact) { return fact.cells == 3; });
        QVERIFY2(found != all.end(), qPrintable(words(all)));
        QCOMPARE(found->alike, 2);
        QCOMPARE(found->values, u"fe5e41d \u2192 0182a36"_s);
        // Of three sides none becomes the next one.
        const QList<FactCount> three =
            facts({sideWith(u"main"_s, {}), sideWith(u"mine"_s, {{u"sm90"_s, pin, other}}), sideWith(u"same"_s, {})})
                .facts();
        QCOMPARE(three.constFirst().values, u"fe5e41d \u00b7 0182a36 \u00b7 fe5e41d"_s);
    }

    /// What both have in another order has one value, which is said once.
    void anotherOrderIsSaidOnce()
    {
        const QByteArray begin = "preConfigure = (oldAttrs.preConfigure or \"\") + ''\n";
        const QByteArray one = "    export A=1\n", two = "    export B=2\n";
        const CountedFacts counted = facts({sideWith(u"main"_s, {{u"sm90"_s, begin, begin + one + two}}),
                                            sideWith(u"mine"_s, {{u"sm90"_s, begin, begin + two + one}})});
        QStringList values;
        for (const FactCount &fact : counted.facts())
            values.append(fact.values);
        QVERIFY2(values.contains(u"other order of lines"_s), qPrintable(values.join(u'|')));
        const QString text = comparisonAsText(*counted.counted(), {}, false);
        QCOMPARE(text.count(u"other order of lines"_s), 1);
    }

    /// A fact that the versions above the grid name comes before those that differ in a few cells more.
    void whatTheVersionsNameComesFirst()
    {
        const QByteArray pin = "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3", other = "0182a36" + QByteArray(33, '0');
        QList<Replacement> changes;
        for (const QString &row : {u"sm80"_s, u"sm86"_s, u"sm90"_s})
            changes << Replacement{row, "-mavx512f", "-mavx512fp16"} << Replacement{row, pin, other};
        changes.removeLast();
        const CountedFacts counted = facts({sideWith(u"main"_s, {}), sideWith(u"mine"_s, changes)});
        QVERIFY2(words(counted.facts()).startsWith(u"pin 2, cpu_flags 3"_s), qPrintable(words(counted.facts())));
    }

    void sidesAreGroupedByWhatCounts()
    {
        const ComparedSide flags = sideWith(u"flags"_s, {{u"sm90"_s, "-mavx512f", "-mavx512fp16"}});
        const ComparedSide both = sideWith(
            u"both"_s, {{u"sm90"_s, "-mavx512f", "-mavx512fp16"}, {u"sm90"_s, "pname = \"", "pname = \"own-"}});
        const CountedFacts counted = facts({sideWith(u"main"_s, {}), flags, both});
        QCOMPARE(cellOf(*counted.comparison(), u"sm90"_s).groups, (QList<int>{0, 1, 2}));
        QCOMPARE(cellOf(*counted.counted(), u"sm90"_s).groups, (QList<int>{0, 1, 1}));
        QCOMPARE(cellOf(*counted.counted({{u"pname"_s, true}}), u"sm90"_s).groups, (QList<int>{0, 1, 2}));
        QCOMPARE(cellOf(*counted.counted({{u"cpu_flags"_s, false}}), u"sm90"_s).groups, (QList<int>{0, 0, 0}));
    }

    // What has no effect on the result may still be in the derivation.
    void saysWhatIsBuiltAgain()
    {
        const FactCount jobs{.id = u"environment.ninjaFlags"_s, .label = u"ninjaFlags"_s, .cells = 2};
        const FactCount text{.id = u"description"_s, .label = u"description"_s, .cells = 2};
        const FactCount flags{
            .id = u"cpu_flags"_s, .label = u"CPU flags"_s, .cells = 1, .builds = true, .counts = true};
        QVERIFY(factsAsText({flags, jobs}).contains(u"builds again"_s));
        QVERIFY(!factsAsText({flags, text}).contains(u"builds again"_s));
    }

    void recipesThatCannotBeReadStayDifferent()
    {
        const auto broken = [](const QByteArray &text) {
            BranchContent content = wholeLine(u"main"_s, false);
            *fileOf(content, nameOf(u"sm90"_s))->committed = text;
            return sideOf(QString::fromUtf8(text), content);
        };
        const CountedFacts counted = facts({broken("{ one"), broken("{ two")});
        QCOMPARE(likeness(*counted.counted(), u"sm90"_s), u"different"_s);
    }
};

TM_TEST(CountedFactsTest, QCoreApplication)
#include "tst_countedfacts.moc"
