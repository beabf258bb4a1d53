// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Engine.h"
#include "model/outcome/OutcomeText.h"
#include "tests/support/LoggedBuild.h"
#include "tests/support/TestMain.h"
#include "tests/views/ConsoleFixture.h"

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>

using namespace console;
using Phase = BuildState::Phase;

namespace {

BuildState state(Phase phase, int step = 0, int total = 0, const QString &text = {})
{
    BuildState state;
    state.phase = phase;
    state.step = step;
    state.total = total;
    state.text = text;
    state.since = QDateTime::currentDateTime().addSecs(-4027);
    return state;
}

} // namespace

/// The console's messages about a build, and real builds in it.
class tst_BuildConsole : public Fixture
{
    Q_OBJECT
private Q_SLOTS:
    void init() { open(); }
    void cleanup() { m_console.reset(); }

    void saysWhatToDoBeforeTheFirstBuild();
    void saysHowFarItIs();
    void asksToStop();
    void countsDownToTheKill();
    void showsEachOutcome();
    void listsTheDerivations();
    void leavesRoomForTheNamesOfDerivations();
    void opensTheErrorLines();
    void saysInANarrowWindowHowItEnded();
    void saysHowToInstallFlox();
    void startsAfresh();

    void showsARealBuild();
    void staysResponsiveDuringABurst();
    void namesEveryControl();
};

void tst_BuildConsole::saysWhatToDoBeforeTheFirstBuild()
{
    QVERIFY(says(u"No build is running. Select a build to read its log, or cells in the grid and press B."_s));
    QVERIFY(!button(u"Stop the build"_s)->isVisible());
    // In a low window too.
    m_console->resize(400, 60);
    const auto labels = m_console->findChildren<QLabel *>();
    const auto empty = std::ranges::find_if(
        labels, [](const QLabel *label) { return label->text().startsWith(u"No build is running."_s); });
    QVERIFY(empty != labels.end());
    QTRY_VERIFY((*empty)->contentsRect().height() - 2 * (*empty)->margin() >= (*empty)->fontMetrics().height());
}

void tst_BuildConsole::saysHowFarItIs()
{
    m_console->startBuild(package);
    QVERIFY(says(package));
    m_console->setState(state(Phase::Running, 0, 0, u"unpackPhase"_s));
    QVERIFY(badgeSays(u"Building"_s));
    QVERIFY(says(u"unpackPhase"_s));
    QVERIFY(says(u"1:07:07"_s) || says(u"1:07:08"_s));
    m_console->setState(state(Phase::Running, 1234, 5678));
    QVERIFY(says(u"1,234 of 5,678 steps"_s));
    auto *progress = m_console->findChild<QProgressBar *>();
    QCOMPARE(progress->value(), 1234);
    QCOMPARE(progress->maximum(), 5678);
    BuildState young = state(Phase::Running);
    young.since = QDateTime::currentDateTime().addSecs(-59);
    m_console->setState(young);
    QVERIFY(says(u"0:59"_s) || says(u"1:00"_s));
    QTRY_VERIFY(says(u"1:00"_s) || says(u"1:01"_s)); // it counts by itself
}

void tst_BuildConsole::asksToStop()
{
    QSignalSpy asked(m_console.get(), &BuildConsole::stopRequested);
    m_console->startBuild(package);
    m_console->setState(state(Phase::Running, 1, 2));
    QAbstractButton *stop = button(u"Stop the build"_s);
    QTest::mouseClick(stop, Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    stop->setFocus();
    QTest::keyClick(stop, Qt::Key_Space);
    QCOMPARE(asked.count(), 2);
    m_console->setState(state(Phase::Stopping, 1, 2));
    QVERIFY(stop->isVisible() && !stop->isEnabled());
    QCOMPARE(stop->text(), u"Stopping…"_s);
    QVERIFY(badgeSays(u"Stopping"_s));
    m_console->setState({});
    QVERIFY(!stop->isVisible());
    QCOMPARE(asked.count(), 2);
    BuildOutcome outcome;
    outcome.kind = BuildOutcome::Kind::Stopped;
    outcome.sentence = u"The build was stopped at step 1 of 2."_s;
    outcome.milliseconds = 65000;
    m_console->setOutcome(outcome);
    QVERIFY(badgeSays(u"Stopped"_s));
    QVERIFY(says(u"The build was stopped at step 1 of 2."_s));
    QVERIFY(says(u"1:05"_s));
}

void tst_BuildConsole::countsDownToTheKill()
{
    QSignalSpy asked(m_console.get(), &BuildConsole::killRequested);
    m_console->startBuild(package);
    m_console->setState(state(Phase::Running, 1, 2));
    QAbstractButton *kill = button(u"Kill the build now"_s);
    QVERIFY(!kill->isVisible());
    BuildState stopping = state(Phase::Stopping, 1, 2);
    m_console->setState(stopping);
    QVERIFY(kill->isVisible() && kill->isEnabled());
    QVERIFY(says(u"1 of 2 steps"_s)); // when it is killed is not known yet
    const auto seconds = [this] {
        for (const QLabel *label : m_console->findChildren<QLabel *>()) {
            static const QRegularExpression form(u"^killed in (\\d+) s$"_s);
            if (const QRegularExpressionMatch match = form.match(label->text()); match.hasMatch() && label->isVisible())
                return match.captured(1).toInt();
        }
        return -1;
    };
    stopping.killsAt = QDateTime::currentDateTimeUtc().addSecs(3600);
    m_console->setState(stopping);
    const int first = seconds();
    QVERIFY(first > 0 && first <= 3600);
    QTRY_VERIFY(seconds() > 0 && seconds() < first); // it counts by itself
    stopping.killsAt = QDateTime::currentDateTimeUtc().addSecs(-1);
    m_console->setState(stopping);
    QVERIFY(says(u"killing"_s));
    QTest::mouseClick(kill, Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    m_console->setState({});
    QVERIFY(!kill->isVisible());
}

void tst_BuildConsole::showsEachOutcome()
{
    m_console->startBuild(package);
    m_console->setState(state(Phase::Built));
    BuildOutcome outcome;
    outcome.kind = BuildOutcome::Kind::Built;
    outcome.sentence = u"It is built."_s;
    m_console->setOutcome(outcome);
    QVERIFY(badgeSays(u"Built"_s));
    QVERIFY(says(u"It is built."_s));
    QVERIFY(!button(u"Copy the error lines"_s)->isVisible());
    m_console->setState(state(Phase::Failed));
    outcome.kind = BuildOutcome::Kind::OutOfMemory;
    outcome.sentence = u"Out of memory."_s;
    m_console->setOutcome(outcome);
    QVERIFY(badgeSays(u"Failed"_s));
    QVERIFY(says(u"Out of memory."_s));
}

void tst_BuildConsole::listsTheDerivations()
{
    const QString store = u"/nix/store/00000000000000000000000000000000-"_s;
    m_console->startBuild(package);
    auto *list = named<QTableView>(u"Derivations of the build"_s);
    QVERIFY(list && !list->isVisible());
    append(u"these 2 derivations will be built:\n  %1magma-2.9.drv\n  %1torch-2.8.drv\n"_s.arg(store));
    append(u"building '%1magma-2.9.drv'...\nmagma> [3/9] x\n"_s.arg(store));
    QTRY_VERIFY(list->isVisible());
    const auto text = [list](int row, int column) { return list->model()->index(row, column).data().toString(); };
    QTRY_COMPARE(text(0, 1), u"building 3/9"_s);
    QCOMPARE(text(0, 0), u"magma-2.9"_s);
    QCOMPARE(text(1, 1), u"waiting"_s);
    append(u"building '%1torch-2.8.drv'...\n"_s.arg(store));
    QTRY_COMPARE(text(0, 0), u"torch-2.8"_s);
    QCOMPARE(text(1, 1), u"done"_s);
    BuildOutcome outcome;
    outcome.kind = BuildOutcome::Kind::HashMismatch;
    outcome.sentence = u"A source has another hash."_s;
    outcome.statedHash = u"sha256-AAAA="_s;
    outcome.rightHash = u"sha256-BBBB="_s;
    outcome.recipeLine = 7;
    m_console->setOutcome(outcome);
    QTRY_COMPARE(text(0, 1), u"failed"_s);
    const QSignalSpy corrections(m_console.get(), &BuildConsole::hashFixRequested);
    QTest::mouseClick(button(u"Correct the hash"_s), Qt::LeftButton);
    QCOMPARE(corrections.value(0), (QVariantList{outcome.statedHash, outcome.rightHash}));
    const QSignalSpy lines(m_console.get(), &BuildConsole::recipeRequested);
    QTest::mouseClick(button(u"Recipe, line 7"_s), Qt::LeftButton);
    QCOMPARE(lines.value(0), QVariantList{7});
    m_console->setOutcome({});
    QVERIFY(!button(u"Recipe, line 0"_s)->isVisible() && !button(u"Correct the hash"_s)->isVisible());
    m_console->startBuild(u"another"_s);
    QTRY_VERIFY(!list->isVisible());
}

void tst_BuildConsole::leavesRoomForTheNamesOfDerivations()
{
    m_console->resize(900, 260); // the narrowest with the list
    const QString store = u"/nix/store/00000000000000000000000000000000-"_s;
    const QString name = u"python3.13-torch-2.8.0"_s;
    m_console->startBuild(package);
    auto *list = named<QTableView>(u"Derivations of the build"_s);
    append(u"these 2 derivations will be built:\n  %1magma-2.9.drv\n  %1%2.drv\n"_s.arg(store, name));
    append(u"building '%1%2.drv'...\npython3.13-torch> [12345/67890] Building CXX object\n"_s.arg(store, name));
    QTRY_VERIFY(list->isVisible());
    QTRY_COMPARE(list->model()->index(0, 1).data().toString(), u"building 12345/67890"_s);
    QTRY_VERIFY2(list->columnWidth(0) > list->fontMetrics().horizontalAdvance(name) + 6,
                 qPrintable(QString::number(list->columnWidth(0))));
    QVERIFY(view()->width() > 400); // and for the log
}

/// The sentence has the width of the console, not what its buttons leave.
void tst_BuildConsole::saysInANarrowWindowHowItEnded()
{
    m_console->startBuild(package);
    m_console->setState(state(Phase::Failed));
    BuildOutcome outcome;
    outcome.sentence = u"The build failed in buildPhase, at step 7 of 12. Read the log at the first error."_s;
    outcome.lastErrors = QStringList{u"FAILED: x.o"_s, u"x.cpp:1: error: y"_s};
    outcome.firstError = 1;
    outcome.recipeLine = 3;
    m_console->setOutcome(outcome);
    const auto *sentence = named<QLabel>(u"How the build ended"_s);
    m_console->resize(560, 400);
    QTRY_VERIFY(sentence->width() > 400);
    m_console->resize(1000, 400);
    QTRY_VERIFY(sentence->width() < 800);
}

void tst_BuildConsole::opensTheErrorLines()
{
    m_console->startBuild(package);
    m_console->setState(state(Phase::Failed));
    BuildOutcome outcome;
    outcome.sentence = u"The build failed."_s;
    outcome.lastErrors = QStringList{u"FAILED: x.o"_s, u"x.cpp:1: error: y"_s};
    m_console->setOutcome(outcome);
    auto *errors = named<QPlainTextEdit>(u"Last error lines"_s);
    QVERIFY(!errors->isVisible());
    QAbstractButton *expand = nullptr;
    for (QAbstractButton *candidate : m_console->findChildren<QAbstractButton *>())
        if (candidate->text() == u"2 error lines"_s)
            expand = candidate;
    QVERIFY(expand);
    expand->setFocus();
    QTest::keyClick(expand, Qt::Key_Space);
    QVERIFY(errors->isVisible());
    QCOMPARE(errors->toPlainText(), u"FAILED: x.o\nx.cpp:1: error: y"_s);
    QTest::mouseClick(button(u"Copy the error lines"_s), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), u"FAILED: x.o\nx.cpp:1: error: y"_s);
    QTest::mouseClick(expand, Qt::LeftButton);
    QVERIFY(!errors->isVisible());
}

void tst_BuildConsole::saysHowToInstallFlox()
{
    m_console->showFloxMissing(sentenceOf(engineMissing(BuildEngine::Flox)));
    QVERIFY(says(u"flox is not installed"_s));
    QVERIFY(says(u"<a href=\"https://flox.dev/docs/install-flox\">"_s));
    QTest::mouseClick(button(u"Copy the address of the instructions"_s), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), u"https://flox.dev/docs/install-flox"_s);
    // The outcome of a build that found no flox says the same.
    m_console->startBuild(package);
    QVERIFY(!says(u"flox is not installed"_s));
    BuildOutcome outcome;
    outcome.kind = BuildOutcome::Kind::FloxMissing;
    outcome.sentence = u"Get it at https://flox.dev/docs."_s;
    m_console->setOutcome(outcome);
    QVERIFY(says(u"<a href=\"https://flox.dev/docs\">"_s));
}

void tst_BuildConsole::startsAfresh()
{
    fill(100);
    BuildOutcome outcome;
    outcome.sentence = u"The build failed."_s;
    m_console->setOutcome(outcome);
    m_console->startBuild(u"another"_s);
    QVERIFY(view()->log().isEmpty());
    QVERIFY(!says(u"The build failed."_s));
    QVERIFY(says(u"another"_s));
    QVERIFY(view()->isFollowing());
}

void tst_BuildConsole::showsARealBuild()
{
    standInActs("fail,colour,halves,steps:4");
    const BuildRepository repository;
    const LoggedBuild build(repository);
    m_console->startBuild(BuildRepository::package());
    m_console->showLog(build.log());
    m_console->setState(state(Phase::Running));
    QVERIFY(badgeSays(u"Building"_s));
    QTRY_VERIFY(build.hasEnded());
    m_console->setState(state(Phase::Failed));
    m_console->setOutcome(build.outcome());
    QTRY_VERIFY(view()->log().endLine() > 0 &&
                view()->log().text(view()->log().endLine() - 1) == u"✘ ERROR: Build failed"_s);
    QVERIFY(badgeSays(u"Failed"_s));
    QVERIFY(says(u"The build failed in buildPhase, at step 3 of 4: '_mm512_reduce_add_ps' was not declared"_s));
    QStringList log;
    for (qsizetype n = 0; n < view()->log().endLine(); ++n)
        log.append(view()->log().text(n));
    QVERIFY(log.contains(u"python3.13-pytorch-python313-cpu-avx2> -- The CXX compiler is ‘g++’ — naïve façade ✓"_s));
    QVERIFY(log.contains(
        u"python3.13-pytorch-python313-cpu-avx2> [2/4] Building CXX object caffe2/CMakeFiles/torch_cpu.dir/__/aten/src/ATen/native/cpu/Kernel2.cpp.o"_s));
    QCOMPARE(log.constLast(), u"✘ ERROR: Build failed"_s);
}

void tst_BuildConsole::staysResponsiveDuringABurst()
{
    standInActs("burst:100000");
    const BuildRepository repository;
    const LoggedBuild build(repository);
    qint64 longest = 0;
    QElapsedTimer clock;
    QTimer beat;
    connect(&beat, &QTimer::timeout, this, [&] { longest = std::max(longest, clock.restart()); });
    m_console->startBuild(BuildRepository::package());
    m_console->showLog(build.log());
    clock.start();
    beat.start(0);
    QTRY_VERIFY(build.hasEnded());
    m_console->setOutcome(build.outcome());
    QTRY_VERIFY(view()->log().lineCount() > 100000);
    beat.stop();
    // The duration of a turn depends on the machine, and is measured by tests/bench.
    qInfo("longest gap of the event loop: %lld ms", static_cast<long long>(longest));
}

void tst_BuildConsole::namesEveryControl()
{
    m_console->startBuild(package);
    m_console->setState(state(Phase::Running, 1, 2));
    append(lines(0, 10));
    QTest::keyClick(view(), Qt::Key_F, Qt::ControlModifier);
    QStringList unnamed;
    int seen = 0;
    for (const QWidget *widget : m_console->findChildren<QWidget *>()) {
        if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(u"qt_"))
            continue;
        ++seen;
        if (widget->accessibleName().isEmpty())
            unnamed.append(QString::fromLatin1(widget->metaObject()->className()));
    }
    QCOMPARE(unnamed, QStringList());
    QVERIFY(seen >= 8);
    // Tab reaches all of them: no widget traps the focus.
    QSet<const QWidget *> reached;
    for (int i = 0; i < 40; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        reached.insert(QApplication::focusWidget());
    }
    QVERIFY(reached.contains(view()));
    QVERIFY(reached.contains(button(u"Stop the build"_s)));
    QVERIFY(reached.contains(button(u"Clear the output"_s)));
}

TM_TEST(tst_BuildConsole, QApplication)
#include "tst_buildconsole.moc"
