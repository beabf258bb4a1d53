// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/build/FloxBuild.h"
#include "tests/support/BuildRepository.h"
#include "views/BuildConsole.h"
#include "views/Colors.h"
#include "views/console/ConsoleView.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWheelEvent>

using namespace Qt::StringLiterals;
using namespace tmx;
using Phase = BuildState::Phase;

namespace {

const QString package = u"pytorch-python313-cpu-avx2"_s;

QPalette lightPalette()
{
    QPalette palette(QColor(0xefefef), QColor(0xefefef));
    palette.setColor(QPalette::Base, Qt::white);
    return palette;
}

QPalette darkPalette()
{
    QPalette palette(QColor(0x3c3f41), QColor(0x2b2d30));
    palette.setColor(QPalette::Base, QColor(0x1e1f22));
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        palette.setColor(role, QColor(0xdfe1e5));
    return palette;
}

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

QString lines(int from, int to)
{
    QString text;
    for (int i = from; i < to; ++i)
        text += u"torch> line number %1\n"_s.arg(i);
    return text;
}

} // namespace

class tst_BuildConsole : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { m_console.reset(); }

    void saysWhatToDoBeforeTheFirstBuild();
    void saysHowFarItIs();
    void asksToStop();
    void showsEachOutcome();
    void opensTheErrorLines();
    void saysHowToInstallFlox();
    void startsAfresh();

    void followsTheEnd();
    void followsAgain_data();
    void followsAgain();
    void keepsItsPlaceWhenOldLinesGo();
    void selectsByMouse();
    void selectsByKeyboard();
    void copiesWithoutEscapeSequences();
    void scrollsAsideForALongLine();
    void offersItsActionsInAMenu();

    void finds();
    void findsInNewLines();
    void findsInAMillionLinesWithoutBlocking();

    void paintsColors_data();
    void paintsColors();
    void keepsTextLegible_data() { paintsColors_data(); }
    void keepsTextLegible();
    void putsOffWhatIsTooMuch();
    void showsARealBuild();
    void staysResponsiveDuringABurst();
    void namesEveryControl();

private:
    template<class W>
    W *named(const QString &name) const
    {
        for (W *widget : m_console->findChildren<W *>())
            if (widget->accessibleName() == name)
                return widget;
        return nullptr;
    }
    QAbstractButton *button(const QString &name) const { return named<QAbstractButton>(name); }
    bool says(const QString &text) const
    {
        for (const QLabel *label : m_console->findChildren<QLabel *>())
            if (label->isVisible() && label->text().contains(text))
                return true;
        return false;
    }
    bool badgeSays(const QString &word) const { return named<QWidget>(u"State of the build: "_s + word) != nullptr; }
    ConsoleView *view() const { return m_console->view(); }
    QScrollBar *bar() const { return view()->verticalScrollBar(); }
    void fill(int count)
    {
        m_console->startBuild(package);
        m_console->appendText(lines(0, count));
        QTRY_COMPARE(bar()->maximum(), std::max(0, count - bar()->pageStep()));
        QCOMPARE(bar()->value(), bar()->maximum());
    }
    /// In the middle of a character of a visible row.
    QPoint place(int row, double column) const
    {
        const QFontMetricsF metrics(view()->font());
        return {int(8 + (column + 0.25) * metrics.horizontalAdvance(u'0')), int((row + 0.5) * (std::ceil(metrics.height()) + 1))};
    }
    int topLine() const { return bar()->value(); }

    std::unique_ptr<BuildConsole> m_console;
};

void tst_BuildConsole::init()
{
    // The offscreen platform says so of windows that have a least size, and of menus.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s));
    QApplication::setPalette(lightPalette());
    m_console = std::make_unique<BuildConsole>();
    m_console->resize(1280, 260);
    m_console->show();
    m_console->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_console.get()));
}

void tst_BuildConsole::saysWhatToDoBeforeTheFirstBuild()
{
    QVERIFY(says(u"No build yet. Select a cell and press B."_s));
    QVERIFY(!button(u"Stop the build"_s)->isVisible());
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
    BuildOutcome outcome;
    outcome.kind = BuildOutcome::Kind::Stopped;
    outcome.sentence = u"The build was stopped at step 1 of 2."_s;
    outcome.milliseconds = 65000;
    m_console->setOutcome(outcome);
    QVERIFY(badgeSays(u"Stopped"_s));
    QVERIFY(says(u"The build was stopped at step 1 of 2."_s));
    QVERIFY(says(u"1:05"_s));
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
    m_console->showFloxMissing(FloxBuild::floxMissingSentence());
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

void tst_BuildConsole::followsTheEnd()
{
    fill(100);
    QVERIFY(bar()->maximum() > 50);
    m_console->appendText(lines(100, 200));
    QTRY_VERIFY(bar()->maximum() > 150);
    QCOMPARE(bar()->value(), bar()->maximum());

    QWheelEvent up(QPointF(100, 50), view()->viewport()->mapToGlobal(QPointF(100, 50)), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view()->viewport(), &up);
    QVERIFY(!view()->isFollowing());
    QVERIFY(!button(u"Follow the end of the output"_s)->isChecked());
    const int place = bar()->value();
    m_console->appendText(lines(200, 300));
    QTRY_VERIFY(bar()->maximum() > 250);
    QCOMPARE(bar()->value(), place);
}

void tst_BuildConsole::followsAgain_data()
{
    QTest::addColumn<QString>("how");
    for (const char *how : {"button", "key", "scroll bar", "clear"})
        QTest::newRow(how) << QString::fromLatin1(how);
}

void tst_BuildConsole::followsAgain()
{
    QFETCH(QString, how);
    fill(200);
    QTest::keyClick(view(), Qt::Key_Home, Qt::ControlModifier);
    QVERIFY(!view()->isFollowing());
    QCOMPARE(bar()->value(), 0);
    if (how == u"button")
        QTest::mouseClick(button(u"Follow the end of the output"_s), Qt::LeftButton);
    else if (how == u"key")
        QTest::keyClick(view(), Qt::Key_End, Qt::ControlModifier);
    else if (how == u"scroll bar")
        bar()->setValue(bar()->maximum());
    else
        QTest::mouseClick(button(u"Clear the output"_s), Qt::LeftButton);
    QVERIFY(view()->isFollowing());
    QVERIFY(button(u"Follow the end of the output"_s)->isChecked());
    m_console->appendText(lines(200, 400));
    QTRY_VERIFY(bar()->maximum() > 150);
    QCOMPARE(bar()->value(), bar()->maximum());
}

void tst_BuildConsole::keepsItsPlaceWhenOldLinesGo()
{
    ConsoleView small(nullptr, 3 * 1024 * 1024);
    small.resize(600, 200);
    small.show();
    const QString text(1000, u'x');
    const auto add = [&](int from, int to) {
        for (int i = from; i < to; ++i)
            small.appendText(u"%1 %2\n"_s.arg(i).arg(text));
        QTRY_COMPARE(small.log().endLine(), to);
        QTRY_COMPARE(small.verticalScrollBar()->maximum() > 0, true);
    };
    add(0, 2500);
    QTRY_COMPARE(small.verticalScrollBar()->value(), small.verticalScrollBar()->maximum());
    small.verticalScrollBar()->setValue(2000);
    QTest::mouseClick(small.viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(9, 5));
    QTest::keyClick(&small, Qt::Key_Right, Qt::ShiftModifier);
    const QString selected = small.selectedText();
    QTest::keyClick(&small, Qt::Key_End, Qt::ShiftModifier);
    QVERIFY(small.selectedText().startsWith(u"2000 "));
    add(2500, 4000);
    QVERIFY(small.log().firstLine() > 0);
    QVERIFY(small.selectedText().startsWith(u"2000 "));
    // The line at the top is the same one, at another place of the bar.
    QTRY_COMPARE(small.verticalScrollBar()->value() + small.log().firstLine(), 2000);
    // What is selected goes when its line goes.
    add(4000, 9000);
    QVERIFY(small.log().firstLine() > 2000);
    QVERIFY(!small.hasSelection());
    QCOMPARE(selected.size(), 1);
}

void tst_BuildConsole::selectsByMouse()
{
    fill(100);
    const int top = topLine();
    QAbstractButton *copy = button(u"Copy the selected output"_s);
    QVERIFY(!copy->isEnabled());
    QTest::mousePress(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(1, 7));
    QTest::mouseMove(view()->viewport(), place(2, 11));
    QTest::mouseRelease(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(2, 11));
    QCOMPARE(view()->selectedText(), u"line number %1\ntorch> line"_s.arg(top + 1));
    QVERIFY(!view()->isFollowing());
    QVERIFY(copy->isEnabled());
    QTest::mouseClick(copy, Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), view()->selectedText());
    // Shift and a click: from the same anchor to there.
    QTest::mouseClick(view()->viewport(), Qt::LeftButton, Qt::ShiftModifier, place(1, 11));
    QCOMPARE(view()->selectedText(), u"line"_s);
    QTest::mouseClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(3, 2));
    QVERIFY(!view()->hasSelection());
    QVERIFY(!copy->isEnabled());

    QTest::mouseDClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(1, 14));
    QCOMPARE(view()->selectedText(), u"number"_s);
    QTest::mouseClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(1, 14));
    QCOMPARE(view()->selectedText(), u"torch> line number %1\n"_s.arg(top + 1));
    // Dragged out of the view, it scrolls.
    QTest::mousePress(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(2, 0));
    QTest::mouseMove(view()->viewport(), QPoint(20, -40));
    QTRY_VERIFY(topLine() < top - 5);
    QTest::mouseRelease(view()->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(20, -40));
}

void tst_BuildConsole::selectsByKeyboard()
{
    m_console->startBuild(package);
    m_console->appendText(u"one two/three.cpp four\n🚀 five\n\nlast"_s);
    view()->setFocus();
    QTest::keyClick(view(), Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(view(), Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(view(), Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(view()->selectedText(), u"two/three.cpp "_s);
    QTest::keyClick(view(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(view()->selectedText(), u"two/three.cpp"_s);
    QTest::keyClick(view(), Qt::Key_Down);
    QTest::keyClick(view(), Qt::Key_Home);
    QTest::keyClick(view(), Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(view()->selectedText(), u"🚀"_s); // a character of two units is one step
    QTest::keyClick(view(), Qt::Key_End, Qt::ShiftModifier);
    QCOMPARE(view()->selectedText(), u"🚀 five"_s);
    // The column is kept over shorter lines.
    QTest::keyClick(view(), Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(view(), Qt::Key_End);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(view(), Qt::Key_Down);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(view(), Qt::Key_Up);
    QTest::keyClick(view(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(view()->selectedText(), u"r"_s);
    QTest::keyClick(view(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(view(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), u"one two/three.cpp four\n🚀 five\n\nlast"_s);
    // Pages: the whole log is reached.
    m_console->appendText(u"\n"_s + lines(0, 100));
    QTest::keyClick(view(), Qt::Key_Home, Qt::ControlModifier);
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(view(), Qt::Key_PageDown);
    QCOMPARE(bar()->value(), bar()->maximum());
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(view(), Qt::Key_PageUp, Qt::ShiftModifier);
    QCOMPARE(bar()->value(), 0);
    QVERIFY(view()->selectedText().startsWith(u"one "));
}

void tst_BuildConsole::copiesWithoutEscapeSequences()
{
    m_console->startBuild(package);
    m_console->appendText(u"\x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kbad\n10%\r100%\nx\ty\n"_s);
    view()->selectAll();
    view()->copy();
    QCOMPARE(QApplication::clipboard()->text(), u"error: bad\n100%\nx       y"_s);
}

void tst_BuildConsole::scrollsAsideForALongLine()
{
    m_console->startBuild(package);
    // Longer than what is laid out at once, with something to find at its end.
    m_console->appendText(u"short\n"_s + u"-DUSE_X=1 "_s.repeated(3000) + u"needle\n"_s);
    QTRY_VERIFY(view()->horizontalScrollBar()->maximum() > 10000);
    QTest::keyClick(view(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"needle"_s);
    QTRY_COMPARE(view()->selectedText(), u"needle"_s);
    QVERIFY(view()->horizontalScrollBar()->value() > 10000);
    // What is seen there can be clicked.
    const QFontMetricsF metrics(view()->font());
    const int x = int(8 + 30003.25 * metrics.horizontalAdvance(u'0')) - view()->horizontalScrollBar()->value();
    QTest::mouseDClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(x, place(1, 0).y()));
    QCOMPARE(view()->selectedText(), u"needle"_s);
    QTest::keyClick(view(), Qt::Key_Home);
    QCOMPARE(view()->horizontalScrollBar()->value(), 0);
}

void tst_BuildConsole::offersItsActionsInAMenu()
{
    fill(10);
    QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(5, 5), view()->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(view()->viewport(), &event);
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QStringList texts;
    for (const QAction *action : menu->actions())
        texts.append(action->text().remove(u'&') + (action->isEnabled() ? QString() : u" (off)"_s));
    QCOMPARE(texts, (QStringList{u"Copy (off)"_s, u"Select All"_s, QString(), u"Find…"_s, u"Clear"_s}));
    QTest::keyClick(menu, Qt::Key_L);
    QVERIFY(view()->log().isEmpty());
    QVERIFY(!button(u"Clear the output"_s)->isEnabled());
}

void tst_BuildConsole::finds()
{
    fill(200);
    view()->setFocus();
    QTest::keyClick(view(), Qt::Key_F, Qt::ControlModifier);
    auto *field = qobject_cast<QLineEdit *>(QApplication::focusWidget());
    QVERIFY(field);
    QTest::keyClicks(field, u"NUMBER 1"_s);
    QTRY_VERIFY(says(u" of 111"_s)); // 1, 10 to 19, 100 to 199
    QVERIFY(!view()->isFollowing());
    const QString first = view()->selectedText();
    QCOMPARE(first, u"number 1"_s);
    QTest::keyClick(field, Qt::Key_Return);
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(field, Qt::Key_Home, Qt::ControlModifier);
    // Round the end.
    for (int i = 0; i < 111; ++i)
        QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(says(u" of 111"_s));
    auto *sensitive = button(u"Match case"_s);
    QTest::mouseClick(sensitive, Qt::LeftButton);
    QTRY_VERIFY(says(u"No match"_s));
    QTest::mouseClick(sensitive, Qt::LeftButton);
    QTRY_VERIFY(says(u" of 111"_s));
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!field->isVisible());
    QVERIFY(view()->hasFocus());
    QCOMPARE(view()->selectedText(), u"number 1"_s);
    // By mouse, with the selection as what to look for.
    QTest::mouseDClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(1, 1));
    QCOMPARE(view()->selectedText(), u"torch"_s);
    QTest::mouseClick(button(u"Find in the output"_s), Qt::LeftButton);
    QCOMPARE(field->text(), u"torch"_s);
    QTRY_VERIFY(says(u" of 200"_s));
}

void tst_BuildConsole::findsInNewLines()
{
    fill(10);
    m_console->appendText(u"unfinished need"_s);
    view()->setFocus();
    QTest::keyClick(view(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"needle"_s);
    QTRY_VERIFY(says(u"No match"_s));
    m_console->appendText(u"le and needle"_s);
    QTRY_VERIFY(says(u"1 of 2"_s));
    m_console->appendText(u"\nneedle\n"_s);
    QTRY_VERIFY(says(u"1 of 3"_s));
    QTest::mouseClick(button(u"Clear the output"_s), Qt::LeftButton);
    QTRY_VERIFY(says(u"No match"_s));
}

void tst_BuildConsole::findsInAMillionLinesWithoutBlocking()
{
    m_console->startBuild(package);
    m_console->appendText(lines(0, 1000000));
    QTRY_VERIFY_WITH_TIMEOUT(view()->isUpToDate(), 60000);
    QCOMPARE(view()->log().lineCount(), 1000000);
    view()->setFocus();
    QTest::keyClick(view(), Qt::Key_F, Qt::ControlModifier);
    QElapsedTimer clock;
    clock.start();
    view()->setSearch(u"number 99999"_s, Qt::CaseInsensitive);
    QVERIFY2(view()->isSearching(), qPrintable(QString::number(clock.elapsed()))); // it gave the event loop its turn
    QTRY_VERIFY_WITH_TIMEOUT(!view()->isSearching(), 60000);
    QCOMPARE(view()->matchCount(), 11);
}

void tst_BuildConsole::paintsColors_data()
{
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << lightPalette();
    QTest::newRow("dark") << darkPalette();
}

void tst_BuildConsole::paintsColors()
{
    QFETCH(QPalette, palette);
    m_console->startBuild(package);
    m_console->appendText(u"\x1b[32m\x1b[7m        \x1b[0m\n"_s);
    QApplication::setPalette(palette); // after the text: a change of theme shows at once
    const QColor green = AnsiColors(palette).color({AnsiColour::Kind::Indexed, 2}, {});
    const auto pixel = [this] { return view()->viewport()->grab().toImage().pixelColor(place(0, 3)); };
    QTRY_COMPARE(pixel(), green);
    QCOMPARE(view()->viewport()->grab().toImage().pixelColor(place(2, 3)), palette.color(QPalette::Base));
}

void tst_BuildConsole::keepsTextLegible()
{
    QFETCH(QPalette, palette);
    const AnsiColors colors(palette);
    const auto check = [&](const AnsiStyle &style, double least) {
        const QTextCharFormat format = colors.format(style);
        const QColor ground = format.hasProperty(QTextFormat::BackgroundBrush) ? format.background().color() : colors.background;
        const double ratio = contrast(format.foreground().color(), ground);
        if (ratio < least - 0.01)
            QFAIL(qPrintable(u"%1 on %2: %3"_s.arg(format.foreground().color().name(), ground.name()).arg(ratio)));
    };
    for (quint32 front = 0; front < 256; ++front) {
        AnsiStyle style;
        style.foreground = {AnsiColour::Kind::Indexed, front};
        check(style, 4.5);
        style.inverse = true;
        check(style, 4.5);
        style = {};
        style.background = {AnsiColour::Kind::Indexed, front};
        check(style, 4.5);
        style.foreground = {AnsiColour::Kind::Indexed, 255 - front};
        check(style, 4.5);
        style.dim = true;
        check(style, 3);
        style = {};
        style.foreground = {AnsiColour::Kind::Rgb, front * 0x10101};
        check(style, 4.5);
    }
    QVERIFY(contrast(colors.prefix, colors.background) >= 4.5);
    QVERIFY(contrast(colors.error, colors.background) >= 4.5);
}

void tst_BuildConsole::putsOffWhatIsTooMuch()
{
    m_console->startBuild(package);
    int turns = 0;
    QTimer idle;
    connect(&idle, &QTimer::timeout, this, [&turns] { ++turns; });
    idle.start(0);
    m_console->appendText(lines(0, 1000000));
    QVERIFY(!view()->isUpToDate());
    m_console->appendText(u"the last line\n"_s); // goes behind what was put off
    QTRY_VERIFY_WITH_TIMEOUT(view()->isUpToDate(), 60000);
    QVERIFY2(turns > 5, qPrintable(QString::number(turns)));
    QCOMPARE(view()->log().lineCount(), 1000001);
    QCOMPARE(view()->log().text(999999), u"torch> line number 999999"_s);
    QCOMPARE(view()->log().text(1000000), u"the last line"_s);
}

void tst_BuildConsole::showsARealBuild()
{
    standInActs("fail,colour,halves,steps:4");
    const BuildRepository repository;
    FloxBuild build;
    QSignalSpy finished(&build, &FloxBuild::finished);
    connect(&build, &FloxBuild::text, m_console.get(), &BuildConsole::appendText);
    connect(&build, &FloxBuild::stateChanged, m_console.get(), &BuildConsole::setState);
    connect(&build, &FloxBuild::finished, m_console.get(), &BuildConsole::setOutcome);
    m_console->startBuild(repository.package());
    build.start(repository.path(), repository.package());
    QVERIFY(badgeSays(u"Building"_s));
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY(badgeSays(u"Failed"_s));
    QVERIFY(says(u"The build failed in buildPhase, at step 3 of 4: '_mm512_reduce_add_ps' was not declared"_s));
    QStringList log;
    for (qsizetype n = 0; n < view()->log().endLine(); ++n)
        log.append(view()->log().text(n));
    QVERIFY(log.contains(u"python3.13-pytorch-python313-cpu-avx2> -- The CXX compiler is ‘g++’ — naïve façade ✓"_s));
    QVERIFY(log.contains(u"python3.13-pytorch-python313-cpu-avx2> [2/4] Building CXX object caffe2/CMakeFiles/torch_cpu.dir/__/aten/src/ATen/native/cpu/Kernel2.cpp.o"_s));
    QCOMPARE(log.constLast(), u"✘ ERROR: Build failed"_s);
}

void tst_BuildConsole::staysResponsiveDuringABurst()
{
    standInActs("burst:100000");
    const BuildRepository repository;
    FloxBuild build;
    QSignalSpy finished(&build, &FloxBuild::finished);
    qsizetype largestChunk = 0;
    connect(&build, &FloxBuild::text, m_console.get(), [&](const QString &chunk) {
        largestChunk = std::max(largestChunk, chunk.size());
        m_console->appendText(chunk);
    });
    connect(&build, &FloxBuild::stateChanged, m_console.get(), &BuildConsole::setState);
    connect(&build, &FloxBuild::finished, m_console.get(), &BuildConsole::setOutcome);
    qint64 longest = 0;
    QElapsedTimer clock;
    QTimer beat;
    connect(&beat, &QTimer::timeout, this, [&] { longest = std::max(longest, clock.restart()); });
    m_console->startBuild(repository.package());
    build.start(repository.path(), repository.package());
    clock.start();
    beat.start(0);
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60000);
    QTRY_VERIFY(view()->isUpToDate());
    beat.stop();
    QTRY_COMPARE(bar()->value(), bar()->maximum());
    QVERIFY(view()->log().lineCount() > 100000);
    // What a turn is given to do is bounded; how long that takes is the machine's affair, and measured by tests/bench.
    QVERIFY(largestChunk <= 64 * 1024);
    qInfo("longest gap of the event loop: %lld ms", static_cast<long long>(longest));
}

void tst_BuildConsole::namesEveryControl()
{
    m_console->startBuild(package);
    m_console->setState(state(Phase::Running, 1, 2));
    m_console->appendText(lines(0, 10));
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
    // Tab goes round them all: nothing holds the focus.
    QSet<const QWidget *> reached;
    for (int i = 0; i < 40; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        reached.insert(QApplication::focusWidget());
    }
    QVERIFY(reached.contains(view()));
    QVERIFY(reached.contains(button(u"Stop the build"_s)));
    QVERIFY(reached.contains(button(u"Clear the output"_s)));
}

QTEST_MAIN(tst_BuildConsole)
#include "tst_buildconsole.moc"
