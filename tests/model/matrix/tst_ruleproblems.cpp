// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/RuleProblems.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

class RuleProblemsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void groupsByRuleAndSentence();
    void countsWhatIsSharedOnce();
    void namesFilesThatAreNoRecipe();
    void mapsTheCells();
};

namespace {

Finding warns(const QString &rule, const QString &sentence, Severity severity = Severity::Warning)
{
    Finding finding;
    finding.rule = rule;
    finding.severity = severity;
    finding.sentence = sentence;
    finding.fixable = rule == "driver-low"_L1;
    return finding;
}

QString nameOf(const QString &row, const QString &isa)
{
    return u"pytorch-python313-cuda12_8-%1-%2"_s.arg(row, isa);
}

} // namespace

void RuleProblemsTest::groupsByRuleAndSentence()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    QVERIFY(problemsByRule(snapshot).isEmpty());
    const QString unknown = u"<b>rule</b>"_s;
    snapshot.entries[nameOf(u"sm80"_s, u"avx2"_s)].findings = {warns(u"driver-low"_s, u"418."_s),
                                                               warns(unknown, u"<i>x</i>"_s, Severity::Error)};
    snapshot.entries[nameOf(u"sm86"_s, u"avx2"_s)].findings = {warns(u"driver-low"_s, u"550."_s)};
    snapshot.entries[nameOf(u"sm90"_s, u"avx2"_s)].findings = {warns(u"driver-low"_s, u"550."_s),
                                                               warns(u"noted"_s, u"Noted."_s, Severity::Note)};
    const QList<RuleProblems> problems = problemsByRule(snapshot);
    QCOMPARE(problems.size(), 2);
    QCOMPARE(problems.at(0).rule.id, unknown); // an error comes first
    QCOMPARE(problems.at(0).rule.title, unknown);
    const RuleProblems &drivers = problems.at(1);
    QVERIFY(!drivers.rule.title.isEmpty() && drivers.rule.title != drivers.rule.id);
    QVERIFY(!drivers.rule.consequence.isEmpty());
    QCOMPARE(drivers.findings, 3);
    QCOMPARE(drivers.fixable, 3);
    QCOMPARE(drivers.recipes.size(), 3);
    QCOMPARE(drivers.groups.size(), 2);
    QCOMPARE(drivers.groups.first().sentence, u"550."_s);
    QCOMPARE(drivers.groups.first().recipes.size(), 2);
}

void RuleProblemsTest::countsWhatIsSharedOnce()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    Finding shared = warns(u"driver-low"_s, u"418."_s);
    shared.file = u".flox/pkgs/lib/gpu.nix"_s;
    shared.line = 4;
    for (const QString &row : {u"sm80"_s, u"sm86"_s})
        snapshot.entries[nameOf(row, u"avx2"_s)].findings = {shared};
    const QList<RuleProblems> problems = problemsByRule(snapshot);
    QCOMPARE(problems.size(), 1);
    QCOMPARE(problems.first().findings, 1);
    QCOMPARE(problems.first().recipes.size(), 2);
}

/// They have no cell, so the sentence names the file; together with the recipes of the rule.
void RuleProblemsTest::namesFilesThatAreNoRecipe()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    const QString shown = u"<b>helper</b>.nix"_s, file = u".flox/pkgs/"_s + shown;
    snapshot.otherFindings[file] = {warns(u"driver-low"_s, u"418."_s), warns(u"noted"_s, u"N."_s, Severity::Note),
                                    warns(u"unreadable"_s, u"Line 3 ends in a text."_s, Severity::Error)};
    snapshot.entries[nameOf(u"sm80"_s, u"avx2"_s)].findings = {warns(u"driver-low"_s, u"418."_s)};
    const QList<RuleProblems> problems = problemsByRule(snapshot);
    QCOMPARE(problems.size(), 2);
    QCOMPARE(problems.at(0).rule.id, u"unreadable"_s); // no recipe has it, but it is an error
    QVERIFY(problems.at(0).recipes.isEmpty());
    QCOMPARE(problems.at(0).groups.constFirst().sentence, shown + u": Line 3 ends in a text."_s);
    QCOMPARE(problems.at(1).findings, 2);
    QCOMPARE(problems.at(1).recipes.size(), 1);
    QCOMPARE(problems.at(1).groups.size(), 2);
    QCOMPARE(problems.at(1).groups.at(1).sentence, shown + u": 418."_s);
    QVERIFY(problems.at(1).groups.at(1).recipes.isEmpty());
}

void RuleProblemsTest::mapsTheCells()
{
    const BranchSnapshot snapshot = branchOf(u"main"_s);
    const QString one = nameOf(u"sm90"_s, u"avx2"_s), cpu = u"pytorch-python313-cpu-avx2"_s;
    const CellMap map = cellMap(*builtInCatalog(), snapshot, {one, cpu, u"nowhere"_s});
    QCOMPARE(map.names.size(), map.rows.size() * map.columns.size());
    int filled = 0;
    for (const QStringList &names : map.names)
        filled += int(names.size());
    QCOMPARE(filled, 2);
    QCOMPARE(map.at(map.rows.indexOf(u"sm90"_s), map.columns.indexOf(u"avx2"_s)), QStringList{one});
    QCOMPARE(map.at(map.rows.indexOf(u"cpu"_s), map.columns.indexOf(u"avx2"_s)), QStringList{cpu});
}

TM_TEST(RuleProblemsTest, QCoreApplication)
#include "tst_ruleproblems.moc"
