// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixText.h"
#include "model/matrix/StateWords.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QGuiApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

class StateWordsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void sentences_data();
    void sentences();
    void theWayOfARecipe();
    void ago_data();
    void ago();
    void everyStateHasItsWords();
    void branchAsText();
};

void StateWordsTest::sentences_data()
{
    QTest::addColumn<RecipeState>("state");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<BuildState>("build");
    QTest::addColumn<QString>("expected");
    const QDateTime noon(QDate(2026, 2, 6), QTime(12, 0));
    using Phase = BuildState::Phase;
    const auto row = [](const char *name, RecipeState state, const QString &reason, const BuildState &build,
                        const QString &expected) { QTest::newRow(name) << state << reason << build << expected; };
    row("current, built", RecipeState::Current, {}, {.phase = Phase::Built, .since = noon.addSecs(-2 * 3600)},
        u"current; committed, the text that the template gives; built 2 h ago"_s);
    row("missing", RecipeState::Missing, {}, {}, u"listed in the branch settings, but there is no recipe yet"_s);
    row("missing beside another", RecipeState::Missing,
        u"Only x-nightly.nix exists, and its suffix makes it another package."_s, {},
        u"missing; only x-nightly.nix exists, and its suffix makes it another package"_s);
    row("not covered", RecipeState::NotCovered, {}, {}, u"possible, but not listed in the branch settings"_s);
    row("customised", RecipeState::Customised, {}, {}, u"committed, differs from the template; not built"_s);
    row("modified, running", RecipeState::Modified, {}, {Phase::Running, 2400, 6000, noon.addSecs(-3600), {}},
        u"changed in the working tree, not committed; building since 11:00, 2,400 of 6,000 steps"_s);
    row("new", RecipeState::Untracked, u"Not committed yet."_s, {.phase = Phase::Queued},
        u"new; not committed yet; waits for its turn to build"_s);
    row("broken, by a name", RecipeState::Broken, u"PyTorch does not read \"sm_90\"."_s, {},
        u"broken; PyTorch does not read \"sm_90\"; not built"_s);
    row("broken", RecipeState::Broken, u"The file is empty."_s, {}, u"broken; the file is empty; not built"_s);
    row("duplicate", RecipeState::Duplicate, u"2 files are for this cell: a.nix, b.nix."_s, {},
        u"duplicate; 2 files are for this cell: a.nix, b.nix; not built"_s);
    row("unsupported", RecipeState::Unsupported, u"CUDA 13.0 dropped sm61."_s, {},
        u"there is a recipe, but it cannot work: CUDA 13.0 dropped sm61; not built"_s);
    row("failed", RecipeState::Current, {},
        {.phase = Phase::Failed, .since = noon.addSecs(-120), .text = u"Out of memory in nvcc."_s},
        u"current; committed, the text that the template gives; the build failed 2 min ago: out of memory in nvcc"_s);
    row("stale", RecipeState::Current, {}, {.phase = Phase::Stale, .since = noon.addDays(-3)},
        u"current; committed, the text that the template gives; built 3 days ago, but the recipe has changed since"_s);
}

void StateWordsTest::sentences()
{
    QFETCH(const RecipeState, state);
    QFETCH(const QString, reason);
    QFETCH(const BuildState, build);
    QFETCH(const QString, expected);
    BranchSnapshot snapshot = branchOf(u"main"_s);
    put(snapshot, u"sm90"_s, u"avx512"_s, state, reason);
    const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
    QCOMPARE(cellSentence(*snapshot.find(name), build, QDateTime(QDate(2026, 2, 6), QTime(12, 0))),
             name + u": "_s + expected + u'.');
}

void StateWordsTest::theWayOfARecipe()
{
    VariantEntry entry;
    QCOMPARE(wayText(entry, {}), QString());
    entry.present = true;
    const QDateTime now(QDate(2026, 3, 2), QTime(12, 0));
    QCOMPARE(
        wayText(entry, {}, now),
        u"Recipe \u2713  \u00b7  Committed \u2713  \u00b7  Not built  \u00b7  Not verified  \u00b7  Not published"_s);
    entry.fileStatus = FileStatus::Modified;
    BuildState built{BuildState::Phase::Built, 0, 0, now.addSecs(-7200), {}};
    built.verified = u"passed"_s;
    QCOMPARE(wayText(entry, built, now), u"Recipe \u2713  \u00b7  Not committed  \u00b7  Built 2 h ago "
                                         "\u2713  \u00b7  Verified \u2713  \u00b7  Not published"_s);
    built.verified = u"failed"_s;
    QVERIFY(wayText(entry, built, now).contains(u"Not what its name says"_s));
    QVERIFY(wayText(entry, {.phase = BuildState::Phase::Published}, now).endsWith(u"Published \u2713"_s));
    BuildState stopped;
    stopped.text = u"stopped"_s;
    QVERIFY(wayText(entry, stopped, now).contains(u"Build stopped"_s));
    QVERIFY(wayText(entry, {.phase = BuildState::Phase::Failed}, now).contains(u"Build failed"_s));
}

void StateWordsTest::ago_data()
{
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<QString>("expected");
    QTest::newRow("clock moved back") << qint64(-500) << u"just now"_s;
    QTest::newRow("seconds") << qint64(59) << u"just now"_s;
    QTest::newRow("minutes") << qint64(60 * 59 + 59) << u"59 min ago"_s;
    QTest::newRow("hours") << qint64(3600 * 47) << u"47 h ago"_s;
    QTest::newRow("days") << qint64(3600 * 48) << u"2 days ago"_s;
}

void StateWordsTest::ago()
{
    QFETCH(const qint64, seconds);
    const QDateTime now(QDate(2026, 2, 6), QTime(12, 0));
    QTEST(agoText(now.addSecs(-seconds), now), "expected");
}

void StateWordsTest::everyStateHasItsWords()
{
    QSet<QString> words, ids;
    for (const RecipeState state : allRecipeStates) {
        words.insert(stateWord(state));
        ids.insert(toString(state));
    }
    QCOMPARE(words.size(), qsizetype(allRecipeStates.size()));
    QCOMPARE(ids.size(), qsizetype(allRecipeStates.size()));
    VariantEntry deleted;
    deleted.state = RecipeState::Modified;
    deleted.fileStatus = FileStatus::Deleted;
    QCOMPARE(stateWord(deleted), u"deleted"_s);
    QVERIFY(stateSentence(deleted, {}, {}).startsWith(u"Deleted in the working tree, not committed"_s));
    QCOMPARE(buildWord({BuildState::Phase::Running, 5999, 6000, {}, {}}), u"99 %"_s);
    QCOMPARE(buildWord({BuildState::Phase::Running, 0, 0, {}, {}}), u"running"_s);
}

void StateWordsTest::branchAsText()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    snapshot.entries.removeIf([](QMap<QString, VariantEntry>::iterator it) {
        return it->variant.row != u"sm90" && it->variant.row != u"cpu";
    });
    QCOMPARE(tmx::branchAsText(builtInCatalog(), shared(snapshot)),
             uR"(             avx2     avx512   avx512bf16  avx512vnni  armv8_2  armv9
sm90 Hopper  current  current  current     current     current  current
cpu          current  current  current     current     current  current

12 variants: 12 current
)"_s);
    put(snapshot, Variant{u"pytorch"_s, u"python312"_s, {}, u"cpu"_s, u"avx2"_s}, RecipeState::Broken,
        u"The file is empty."_s);
    const QString text = tmx::branchAsText(builtInCatalog(), shared(snapshot));
    QVERIFY(text.startsWith(u"pytorch python313 CUDA 12.8\n"));
    QVERIFY(text.contains(u"\npytorch python312\n     avx2\ncpu  broken\n1 broken\n\n"_s));
}

TM_TEST(StateWordsTest, QGuiApplication)
#include "tst_statewords.moc"
