// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"
#include "tests/views/ConsoleFixture.h"
#include "views/console/MarkedScrollBar.h"
#include "views/theme/Colors.h"
#include "views/theme/Theme.h"

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMenu>
#include <QTemporaryDir>
#include <QWheelEvent>

using namespace console;

/// The console's lines: following, selecting, copying, finding, colours.
class tst_ConsoleView : public Fixture
{
    Q_OBJECT
private Q_SLOTS:
    void init() { open(); }
    void cleanup() { m_console.reset(); }

    void followsTheEnd();
    void followsAgain_data();
    void followsAgain();
    void keepsWhatIsReadWhenTheLogGrows();
    void showsTheLineOfAByte();
    void selectsByMouse();
    void selectsByKeyboard();
    void copiesWithoutEscapeSequences();
    void showsAnyBytes();
    void scrollsAsideForALongLine();
    void leavesOutTheMainDerivation();
    void tellsTheTimeInTheMargin();
    void marksErrorsOnTheScrollBar();
    void foldsPhases();
    void keepsOpenWhatFails();
    void keepsOpenWhatIsRead();
    void offersItsActionsInAMenu();

    void finds();
    void findsInNewLines();
    void findsInAMillionLinesWithoutBlocking();

    void paintsColors_data();
    void paintsColors();
    void keepsTextLegible_data() { paintsColors_data(); }
    void keepsTextLegible();
    void putsOffWhatIsTooMuch();
};

void tst_ConsoleView::followsTheEnd()
{
    fill(100);
    QVERIFY(bar()->maximum() > 50);
    append(lines(100, 200));
    QTRY_VERIFY(bar()->maximum() > 150);
    QCOMPARE(bar()->value(), bar()->maximum());

    QWheelEvent up(QPointF(100, 50), view()->viewport()->mapToGlobal(QPointF(100, 50)), {}, {0, 120}, Qt::NoButton,
                   Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view()->viewport(), &up);
    QVERIFY(!view()->isFollowing());
    QVERIFY(!button(u"Follow the end of the output"_s)->isChecked());
    const int place = bar()->value();
    append(lines(200, 300));
    QTRY_VERIFY(bar()->maximum() > 250);
    QCOMPARE(bar()->value(), place);
}

void tst_ConsoleView::followsAgain_data()
{
    QTest::addColumn<QString>("how");
    for (const char *how : {"button", "key", "scroll bar", "clear"})
        QTest::newRow(how) << QString::fromLatin1(how);
}

void tst_ConsoleView::followsAgain()
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
    append(lines(200, 400));
    QTRY_VERIFY(bar()->maximum() > 150);
    QCOMPARE(bar()->value(), bar()->maximum());
}

void tst_ConsoleView::keepsWhatIsReadWhenTheLogGrows()
{
    fill(2500);
    bar()->setValue(2000);
    QTest::mouseClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(0, 0));
    QTest::keyClick(view(), Qt::Key_End, Qt::ShiftModifier);
    QCOMPARE(view()->selectedText(), u"torch> line number 2000"_s);
    append(lines(2500, 9000));
    QTRY_COMPARE(bar()->maximum(), 9000 - bar()->pageStep());
    QCOMPARE(bar()->value(), 2000);
    QCOMPARE(view()->selectedText(), u"torch> line number 2000"_s);
    // The selection ends when its line is hidden.
    view()->clear();
    QVERIFY(!view()->hasSelection());
    QVERIFY(view()->log().isEmpty());
    append(u"after\n"_s);
    QCOMPARE(view()->log().text(9000), u"after"_s);
}

void tst_ConsoleView::showsTheLineOfAByte()
{
    fill(2500);
    view()->showOffset(lines(0, 1234).size());
    QVERIFY(!view()->isFollowing());
    QCOMPARE(view()->selectedText(), u"torch> line number 1234\n"_s);
    QVERIFY(topLine() <= 1234 && 1234 < topLine() + bar()->pageStep());
}

void tst_ConsoleView::selectsByMouse()
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

void tst_ConsoleView::selectsByKeyboard()
{
    m_console->startBuild(package);
    append(u"one two/three.cpp four\n🚀 five\n\nlast"_s);
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
    append(u"\n"_s + lines(0, 100));
    QTest::keyClick(view(), Qt::Key_Home, Qt::ControlModifier);
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(view(), Qt::Key_PageDown);
    QCOMPARE(bar()->value(), bar()->maximum());
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(view(), Qt::Key_PageUp, Qt::ShiftModifier);
    QCOMPARE(bar()->value(), 0);
    QVERIFY(view()->selectedText().startsWith(u"one "));
}

void tst_ConsoleView::copiesWithoutEscapeSequences()
{
    m_console->startBuild(package);
    append(u"\x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kbad\n10%\r100%\nx\ty\n"_s);
    view()->selectAll();
    view()->copy();
    QCOMPARE(QApplication::clipboard()->text(), u"error: bad\n100%\nx       y"_s);
}

/// Random bytes, lines of 10 MB, incomplete characters, a million carriage returns, sequences that would move the
/// cursor or set the title: anything is painted, and copying gives text.
void tst_ConsoleView::showsAnyBytes()
{
    tmx::test::Fuzzing fuzzing(tmx::test::newSeed());
    const QByteArrayList words{"\x1b]0;a title\x07",
                               "\x1b[2J\x1b[H",
                               "\x1b[31m",
                               "\x1b[",
                               "\xf0\x9f\x9a",
                               "\xc3",
                               "\xe2\x80\xae",
                               "\n",
                               "\r",
                               "\t",
                               "torch> [7/12] x",
                               QByteArray(5000, 'w')};
    for (int round = 0; round < tmx::test::fuzzInputs(2); ++round) {
        QByteArray bytes;
        for (int i = 0; i < 3000; ++i)
            bytes +=
                fuzzing.below(3) == 0 ? words.at(fuzzing.below(words.size())) : QByteArray(1, char(fuzzing.below(256)));
        bytes += QByteArray(10'000'000, 'x') + QByteArray(1'000'000, '\r') + QByteArray("\xf0\x9f").repeated(2000);
        for (int i = 0; i < 3000; ++i)
            bytes += words.at(fuzzing.below(words.size()));
        QTemporaryFile log;
        QVERIFY(log.open());
        QCOMPARE(log.write(bytes), bytes.size());
        log.flush();
        m_console->startBuild(package);
        m_console->showLog(log.fileName());
        QTRY_COMPARE(view()->log().index().size(), bytes.size());
        QTRY_VERIFY(bar()->maximum() > 100);
        for (int i = 0; i < 60; ++i) {
            bar()->setValue(fuzzing.below(bar()->maximum() + 1));
            view()->horizontalScrollBar()->setValue(fuzzing.below(view()->horizontalScrollBar()->maximum() + 1));
            QVERIFY(!view()->grab().isNull());
        }
        view()->selectAll();
        const QString text = view()->selectedText();
        QVERIFY(text.size() > 10'000'000 - 70'000);
        for (const QChar c : text)
            QVERIFY2(c == u'\n' || (c.unicode() >= 0x20 && c.unicode() != 0x7F), QByteArray::number(c.unicode()));
    }
}

void tst_ConsoleView::scrollsAsideForALongLine()
{
    m_console->startBuild(package);
    // Longer than what is laid out at once, with a match at its end.
    append(u"short\n"_s + u"-DUSE_X=1 "_s.repeated(3000) + u"needle\n"_s);
    QTRY_VERIFY(view()->horizontalScrollBar()->maximum() > 10000);
    QTest::keyClick(view(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"needle"_s);
    QTRY_COMPARE(view()->selectedText(), u"needle"_s);
    QVERIFY(view()->horizontalScrollBar()->value() > 10000);
    // The visible text can be clicked.
    const QFontMetricsF metrics(view()->font());
    const int x = int(8 + 30003.25 * metrics.horizontalAdvance(u'0')) - view()->horizontalScrollBar()->value();
    QTest::mouseDClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(x, place(1, 0).y()));
    QCOMPARE(view()->selectedText(), u"needle"_s);
    QTest::keyClick(view(), Qt::Key_Home);
    QCOMPARE(view()->horizontalScrollBar()->value(), 0);
}

void tst_ConsoleView::offersItsActionsInAMenu()
{
    fill(10);
    QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(5, 5), view()->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(view()->viewport(), &event);
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QStringList texts;
    for (const QAction *action : menu->actions())
        texts.append(action->text().remove(u'&') + (action->isEnabled() ? QString() : u" (off)"_s));
    QCOMPARE(texts, (QStringList{u"Copy (off)"_s, u"Select All"_s, QString(), u"Find…"_s, QString(), u"Save As…"_s,
                                 u"Open Folder"_s, u"Clear"_s}));
    QTest::keyClick(menu, Qt::Key_L);
    QVERIFY(view()->log().isEmpty());
    QVERIFY(!button(u"Clear the output"_s)->isEnabled());
}

/// The name that all lines of the package begin with takes no room, but is copied and found.
void tst_ConsoleView::leavesOutTheMainDerivation()
{
    m_console->startBuild(package);
    append(u"these 2 derivations will be built:\n"
           "  /nix/store/00000000000000000000000000000000-magma-2.7.drv\n"
           "  /nix/store/00000000000000000000000000000000-python3.13-torch-2.8.0.drv\n"
           "magma> one\n"
           "python3.13-torch> two\n"
           "python3.13-torchvision> three\n"
           "python3.13-torch> <b>f\u00fcnf</b>\n"_s);
    const auto clicked = [this](int row) { // the character that a click at the start of the line reaches
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(row, 0));
        QTest::keyClick(view(), Qt::Key_Right, Qt::ShiftModifier);
        return view()->selectedText();
    };
    QTRY_COMPARE(clicked(4), u"t"_s);
    QTRY_COMPARE(clicked(6), u"<"_s);
    QCOMPARE(clicked(3), u"m"_s);
    QCOMPARE(clicked(5), u"p"_s); // another derivation, whose name begins alike
    QTest::keyClick(view(), Qt::Key_A, Qt::ControlModifier);
    QVERIFY(view()->selectedText().contains(u"\npython3.13-torch> two\n"_s));
    m_console->startBuild(package);
    append(lines(0, 3));
    QTRY_COMPARE(clicked(0), u"t"_s);
}

void tst_ConsoleView::tellsTheTimeInTheMargin()
{
    const QTemporaryDir folder;
    const QString log = folder.filePath(u"log"_s);
    const auto write = [&](const QByteArray &text, int seconds) {
        QFile file(log);
        QVERIFY(file.open(QIODevice::Append));
        file.write(text);
        file.close();
        LogTimes::note(log, file.size(), QDateTime::fromSecsSinceEpoch(1'700'000'000 + seconds));
    };
    write(lines(0, 300).toUtf8(), 0);
    write(lines(300, 600).toUtf8(), 3600);
    m_console->startBuild(package);
    m_console->showLog(log);
    QTRY_VERIFY(bar()->maximum() > 500);
    // With times the lines begin further right: a click where they began before is in the margin.
    const auto reached = [this](double column) {
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(0, column));
        QTest::keyClick(view(), Qt::Key_Home, Qt::ShiftModifier);
        return view()->selectedText().size();
    };
    QTRY_COMPARE(reached(8), qsizetype(0));
    QVERIFY(reached(14) > 2);
    const auto shown = [this] { return view()->viewport()->grab(QRect(0, 0, 60, 40)).toImage(); };
    bar()->setValue(0);
    const QImage first = shown();
    bar()->setValue(100);
    QCOMPARE(shown(), first); // the same second
    bar()->setValue(400);
    QVERIFY(shown() != first);
}

void tst_ConsoleView::marksErrorsOnTheScrollBar()
{
    m_console->startBuild(package);
    append(lines(0, 500) + u"torch> a.cpp:1: error: <b>no</b>\n"_s + lines(500, 999));
    auto *marked = qobject_cast<MarkedScrollBar *>(bar());
    QVERIFY(marked && marked->marks().isEmpty());
    BuildOutcome outcome;
    outcome.kind = BuildOutcome::Kind::CompileError;
    outcome.firstError = lines(0, 500).size();
    m_console->setOutcome(outcome);
    QTRY_COMPARE(marked->marks().size(), 1);
    QVERIFY(qAbs(marked->marks().first() - 0.5) < 0.01);
    QCOMPARE(marked->accessibleDescription(), u"1 error is marked."_s);
    const QColor red = Theme::current(marked->palette()).severity(Severity::Error).color;
    const QImage image = marked->grab().toImage();
    int seen = 0;
    for (int y = 0; y < image.height(); ++y)
        seen += image.pixelColor(image.width() / 2, y).rgb() == red.rgb();
    QCOMPARE(seen, 2);
    // Another log has none.
    m_console->startBuild(package);
    append(lines(0, 3));
    QVERIFY(marked->marks().isEmpty());
}

namespace {

QString phaseOf(const QString &name, int count)
{
    return u"torch> Running phase: %1\n"_s.arg(name) + lines(0, count);
}

} // namespace

/// A phase that has ended is one row that mouse and keyboard open; copying and finding reach all lines.
void tst_ConsoleView::foldsPhases()
{
    m_console->startBuild(package);
    append(u"one\n"_s + phaseOf(u"unpackPhase"_s, 300) + phaseOf(u"buildPhase"_s, 500));
    QTRY_COMPARE(bar()->maximum(), 503 - bar()->pageStep());
    append(phaseOf(u"<b>installPhase"_s, 2));
    QTRY_COMPARE(bar()->maximum(), 0); // "one", two rows for phases, and the three lines of the one that runs
    view()->setFocus();
    QTest::keyClick(view(), Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(view(), Qt::Key_Down);
    QTest::keyClick(view(), Qt::Key_Down, Qt::ShiftModifier);
    QVERIFY(view()->selectedText().startsWith(u"torch> Running phase: unpackPhase\ntorch> line number 0\n"_s));
    QVERIFY(view()->selectedText().endsWith(u"\ntorch> line number 299\n"_s));
    QTest::keyClick(view(), Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(view(), Qt::Key_Down);
    QTest::keyClick(view(), Qt::Key_Return);
    QCOMPARE(bar()->maximum(), 306 - bar()->pageStep());
    QTest::keyClick(view(), Qt::Key_Down);
    QTest::keyClick(view(), Qt::Key_Space); // from inside of the phase
    QCOMPARE(bar()->maximum(), 0);
    QTest::mouseClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(2, 12));
    QCOMPARE(bar()->maximum(), 506 - bar()->pageStep());
    QTest::mouseClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(2, 12));
    QCOMPARE(bar()->maximum(), 506 - bar()->pageStep()); // the text of an open phase is for selecting
    QTest::mouseClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(2, 1));
    QCOMPARE(bar()->maximum(), 0);
    // A match opens its phase, and those that the search leaves while somebody types are folded again.
    QTest::keyClick(view(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"number 29"_s);
    QTRY_COMPARE(view()->selectedText(), u"number 29"_s);
    QCOMPARE(bar()->maximum(), 306 - bar()->pageStep());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"number 444"_s);
    QTRY_COMPARE(view()->selectedText(), u"number 444"_s);
    QCOMPARE(bar()->maximum(), 506 - bar()->pageStep());
    view()->selectAll();
    QCOMPARE(view()->selectedText().count(u'\n'), 1 + 301 + 501 + 3 - 1);
    // What runs is folded when the build has ended.
    BuildOutcome built;
    built.kind = BuildOutcome::Kind::Built;
    m_console->setOutcome(built);
    view()->clear();
    QVERIFY(view()->log().isEmpty());
    append(lines(0, 4));
    QCOMPARE(view()->log().lineCount(), 4);
}

void tst_ConsoleView::keepsOpenWhatFails()
{
    m_console->startBuild(package);
    const QString before = phaseOf(u"unpackPhase"_s, 400) + phaseOf(u"buildPhase"_s, 300);
    append(before + u"torch> a.cpp:1: error: no\n"_s + lines(300, 400) + u"error: it failed\n"_s);
    QTRY_COMPARE(bar()->maximum(), 404 - bar()->pageStep());
    BuildOutcome outcome;
    outcome.kind = BuildOutcome::Kind::CompileError;
    outcome.firstError = before.size();
    m_console->setOutcome(outcome);
    QCOMPARE(view()->selectedText(), u"torch> a.cpp:1: error: no\n"_s);
    QCOMPARE(bar()->maximum(), 404 - bar()->pageStep());
    auto *marked = qobject_cast<MarkedScrollBar *>(bar());
    QTRY_COMPARE(marked->marks().size(), 2);
    QVERIFY(qAbs(marked->marks().first() - 302 / 404.0) < 0.01); // of the rows
}

/// A phase that ends while somebody reads it stays open, and the lines in view stay in their places.
void tst_ConsoleView::keepsOpenWhatIsRead()
{
    m_console->startBuild(package);
    append(phaseOf(u"unpackPhase"_s, 100) + phaseOf(u"buildPhase"_s, 300));
    QTRY_COMPARE(bar()->maximum(), 302 - bar()->pageStep());
    bar()->setValue(100);
    append(phaseOf(u"installPhase"_s, 300));
    QTRY_COMPARE(bar()->maximum(), 603 - bar()->pageStep());
    QCOMPARE(bar()->value(), 100);
    // Opened above what is in view: that stays in its place too.
    QTest::mouseClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(0, 9));
    QTest::keyClick(view(), Qt::Key_End, Qt::ShiftModifier);
    QVERIFY(view()->selectedText().endsWith(u"98"_s) || view()->selectedText().endsWith(u"99"_s));
}

void tst_ConsoleView::finds()
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
    // Wraps around at the end.
    for (int i = 0; i < 111; ++i)
        QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(says(u" of 111"_s));
    auto *sensitive = button(u"Match case"_s);
    QTest::mouseClick(sensitive, Qt::LeftButton);
    QTRY_VERIFY(says(u"No match"_s));
    QTest::mouseClick(sensitive, Qt::LeftButton);
    QTRY_VERIFY(says(u" of 111"_s));
    auto *expression = button(u"Regular expression"_s);
    QTest::mouseClick(expression, Qt::LeftButton);
    field->setText(u"number 1?7$"_s);
    QTRY_VERIFY(says(u" of 2"_s));
    field->setText(u"number ("_s);
    QTRY_VERIFY(says(u"Invalid expression"_s));
    QTest::mouseClick(expression, Qt::LeftButton);
    field->setText(u"number 1"_s);
    QTRY_VERIFY(says(u" of 111"_s));
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!field->isVisible());
    QVERIFY(view()->hasFocus());
    QCOMPARE(view()->selectedText(), u"number 1"_s);
    // By mouse, with the selection as the needle.
    QTest::mouseDClick(view()->viewport(), Qt::LeftButton, Qt::NoModifier, place(1, 1));
    QCOMPARE(view()->selectedText(), u"torch"_s);
    QTest::mouseClick(button(u"Find in the output"_s), Qt::LeftButton);
    QCOMPARE(field->text(), u"torch"_s);
    QTRY_VERIFY(says(u" of 200"_s));
}

void tst_ConsoleView::findsInNewLines()
{
    fill(10);
    append(u"unfinished need"_s);
    view()->setFocus();
    QTest::keyClick(view(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"needle"_s);
    QTRY_VERIFY(says(u"No match"_s));
    append(u"le and needle"_s);
    QTRY_VERIFY(says(u"1 of 2"_s));
    append(u"\nneedle\n"_s);
    QTRY_VERIFY(says(u"1 of 3"_s));
    QTest::mouseClick(button(u"Clear the output"_s), Qt::LeftButton);
    QTRY_VERIFY(says(u"No match"_s));
}

void tst_ConsoleView::findsInAMillionLinesWithoutBlocking()
{
    m_console->startBuild(package);
    append(lines(0, 1000000));
    QTRY_VERIFY(view()->isUpToDate());
    QCOMPARE(view()->log().lineCount(), 1000000);
    view()->setFocus();
    QTest::keyClick(view(), Qt::Key_F, Qt::ControlModifier);
    QElapsedTimer clock;
    clock.start();
    view()->setSearch(u"number 99999"_s, Qt::CaseInsensitive, false);
    QVERIFY2(view()->isSearching(), qPrintable(QString::number(clock.elapsed()))); // it gave the event loop its turn
    QTRY_VERIFY(!view()->isSearching());
    QCOMPARE(view()->matchCount(), 11);
}

void tst_ConsoleView::paintsColors_data()
{
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << lightPalette();
    QTest::newRow("dark") << darkPalette();
}

void tst_ConsoleView::paintsColors()
{
    QFETCH(QPalette, palette);
    m_console->startBuild(package);
    append(u"\x1b[32m\x1b[7m        \x1b[0m\n"_s);
    QApplication::setPalette(palette); // after the text: a change of theme shows at once
    const QColor green = AnsiColors(palette).color({AnsiColour::Kind::Indexed, 2}, {});
    const auto pixel = [this] { return view()->viewport()->grab().toImage().pixelColor(place(0, 3)); };
    QTRY_COMPARE(pixel(), green);
    QCOMPARE(view()->viewport()->grab().toImage().pixelColor(place(2, 3)), palette.color(QPalette::Base));
}

void tst_ConsoleView::keepsTextLegible()
{
    QFETCH(QPalette, palette);
    const AnsiColors colors(palette);
    const auto check = [&](const AnsiStyle &style, double least) {
        const QTextCharFormat format = colors.format(style);
        const QColor ground =
            format.hasProperty(QTextFormat::BackgroundBrush) ? format.background().color() : colors.background;
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

void tst_ConsoleView::putsOffWhatIsTooMuch()
{
    m_console->startBuild(package);
    int turns = 0;
    QTimer idle;
    connect(&idle, &QTimer::timeout, this, [&turns] { ++turns; });
    idle.start(0);
    append(lines(0, 1000000));
    append(u"the last line\n"_s);
    QVERIFY2(turns > 5, qPrintable(QString::number(turns)));
    QCOMPARE(view()->log().lineCount(), 1000001);
    QCOMPARE(view()->log().text(999999), u"torch> line number 999999"_s);
    QCOMPARE(view()->log().text(1000000), u"the last line"_s);
}

TM_TEST(tst_ConsoleView, QApplication)
#include "tst_consoleview.moc"
