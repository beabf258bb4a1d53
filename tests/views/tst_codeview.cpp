// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/recipe/CodeView.h"
#include "views/recipe/SearchBar.h"

#include <QApplication>
#include <QCheckBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>

using namespace tmx;
using namespace pane;

namespace {

/// Colour of the first character of `word` in the line that begins with it.
QColor colorOf(const QPlainTextEdit &edit, const QString &word)
{
    for (QTextBlock block = edit.document()->begin(); block.isValid(); block = block.next()) {
        const int at = int(block.text().indexOf(word));
        if (at < 0 || !block.text().first(at).trimmed().isEmpty())
            continue;
        for (const QTextLayout::FormatRange &range : block.layout()->formats())
            if (range.start <= at && at < range.start + range.length)
                return range.format.foreground().color();
        return {};
    }
    return {};
}

QByteArray megabyte()
{
    QByteArray text;
    while (text.size() < 1024 * 1024)
        text += recipeText();
    return text;
}

} // namespace

class TestCodeView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        QApplication::setPalette(lightPalette());
        m_window = std::make_unique<QWidget>();
        m_view = new CodeView;
        m_view->setAccessibleName(u"Text"_s);
        m_search = new SearchBar(m_view);
        auto *layout = new QVBoxLayout(m_window.get());
        layout->addWidget(m_view);
        layout->addWidget(m_search);
        layout->addWidget(new QPushButton);
        m_window->resize(500, 400);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_view->setFocus();
    }
    void cleanup() { m_window.reset(); }

    void showsTheTextAndTakesNone()
    {
        m_view->setCode("a = 1;\nb = 2;\n");
        QCOMPARE(m_view->toPlainText(), u"a = 1;\nb = 2;"_s);
        QCOMPARE(m_view->blockCount(), 2);
        QTest::keyClicks(m_view, u"typed"_s);
        QTest::keyClick(m_view, Qt::Key_Delete);
        QCOMPARE(m_view->toPlainText(), u"a = 1;\nb = 2;"_s);
    }

    void theCaretWalksAndSelectsByKey()
    {
        m_view->setCode("first\nsecond\n");
        QTest::keyClick(m_view, Qt::Key_Down);
        QCOMPARE(m_view->textCursor().blockNumber(), 1);
        QTest::keyClick(m_view, Qt::Key_End, Qt::ShiftModifier);
        QCOMPARE(m_view->textCursor().selectedText(), u"second"_s);
        QTest::keyClick(m_view, Qt::Key_Tab);
        QVERIFY(!m_view->hasFocus()); // Tab leaves: the text does not trap the focus
    }

    void linesAreNotWrapped()
    {
        m_view->setCode(QByteArray(2000, 'x') + "\n");
        QTRY_VERIFY(m_view->horizontalScrollBar()->maximum() > 0);
        QCOMPARE(m_view->document()->firstBlock().layout()->lineCount(), 1);
    }

    void coloursNix()
    {
        m_view->setCode(recipeText());
        QTRY_VERIFY(!m_view->isHighlighting());
        const QColor comment = colorOf(*m_view, u"# PyTorch optimized"_s);
        const QColor keyword = colorOf(*m_view, u"let"_s);
        const QColor string = colorOf(*m_view, u"\"-mfma\""_s);
        QVERIFY(comment.isValid() && keyword.isValid() && string.isValid());
        QVERIFY(comment != keyword && keyword != string && string != comment);
        // Inside a '' string, where a line on its own would be an attribute.
        QCOMPARE(colorOf(*m_view, u"export USE_CUDA=1"_s), string);
    }

    void followsThePaletteWhileItIsShown()
    {
        m_view->setCode(recipeText());
        QTRY_VERIFY(!m_view->isHighlighting());
        const QStringList words{u"# PyTorch optimized"_s, u"let"_s, u"\"-mfma\""_s, u"gpuArch ="_s};
        QHash<QString, QColor> light;
        for (const QString &word : words)
            light.insert(word, colorOf(*m_view, word));
        QApplication::setPalette(darkPalette());
        QTRY_VERIFY(m_view->colors().background.lightness() < 128);
        QTRY_VERIFY(!m_view->isHighlighting());
        for (const QString &word : words) {
            const QColor dark = colorOf(*m_view, word);
            QVERIFY2(dark.isValid() && dark != light.value(word), qPrintable(word));
            QVERIFY2(contrast(dark, darkPalette().color(QPalette::Base)) >= 4.5, qPrintable(word));
            QVERIFY2(contrast(light.value(word), Qt::white) >= 4.5, qPrintable(word));
        }
        QApplication::setPalette(lightPalette());
        QTRY_COMPARE(colorOf(*m_view, words.first()), light.value(words.first()));
    }

    void everyColourCanBeReadOnEveryGround_data()
    {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << lightPalette();
        QTest::newRow("dark") << darkPalette();
        QPalette grey = lightPalette(); // a palette that no theme was made for
        grey.setColor(QPalette::Base, QColor(0x9a9a9a));
        grey.setColor(QPalette::Text, Qt::black);
        QTest::newRow("grey") << grey;
    }
    void everyColourCanBeReadOnEveryGround()
    {
        QFETCH(QPalette, palette);
        QApplication::setPalette(palette);
        QTRY_COMPARE(m_view->colors().background, palette.color(QPalette::Base));
        m_view->setCode(recipeText());
        QTRY_VERIFY(!m_view->isHighlighting());
        const CodeColors colors(palette);
        for (QTextBlock block = m_view->document()->begin(); block.isValid(); block = block.next())
            for (const QTextLayout::FormatRange &range : block.layout()->formats())
                for (const QColor &ground : colors.grounds())
                    QVERIFY2(contrast(range.format.foreground().color(), ground) >= 4.5, qPrintable(block.text()));
        for (const QColor &ground : {colors.match, colors.currentMatch, colors.addedWord, colors.removedWord})
            QVERIFY2(contrast(colors.text, ground) >= 4.5, qPrintable(ground.name()));
    }

    void keepsItsPlaceFromRecipeToRecipe()
    {
        m_view->setCode(recipeText());
        QTRY_VERIFY(m_view->verticalScrollBar()->maximum() > 40);
        m_view->verticalScrollBar()->setValue(40);
        QTextCursor cursor(m_view->document()->findBlockByNumber(45));
        m_view->setTextCursor(cursor);
        const int top = m_view->verticalScrollBar()->value();
        QByteArray other = recipeText();
        other.replace("sm90", "sm120");
        m_view->setCode(other);
        QCOMPARE(m_view->verticalScrollBar()->value(), top);
        QCOMPARE(m_view->textCursor().blockNumber(), 45);
        m_view->setCode("short\n");
        QCOMPARE(m_view->textCursor().blockNumber(), 0);
    }

    void searchCountsAndWalks()
    {
        m_view->setCode(recipeText());
        m_search->open();
        QTest::keyClicks(needle(), u"gpuArch"_s);
        const int hits = int(QString::fromUtf8(recipeText()).count(u"gpuArch"_s, Qt::CaseInsensitive));
        QVERIFY(hits > 2);
        QCOMPARE(count(), u"1 of %1"_s.arg(hits));
        QTest::keyClick(needle(), Qt::Key_Return);
        QCOMPARE(count(), u"2 of %1"_s.arg(hits));
        QTest::keyClick(needle(), Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClick(needle(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(count(), u"%1 of %1"_s.arg(hits)); // around the beginning
        QTest::mouseClick(named<QToolButton>(m_search, u"Next match"_s), Qt::LeftButton);
        QCOMPARE(count(), u"1 of %1"_s.arg(hits));
        QTest::mouseClick(named<QToolButton>(m_search, u"Previous match"_s), Qt::LeftButton);
        QCOMPARE(count(), u"%1 of %1"_s.arg(hits));
        QCOMPARE(m_view->textCursor().block().text().mid(m_view->textCursor().positionInBlock(), 7), u"gpuArch"_s);
    }

    void searchGoesOnFromTheCaret()
    {
        m_view->setCode("one\ntwo\none\none\n");
        m_search->open();
        QTest::keyClicks(needle(), u"one"_s);
        m_view->setTextCursor(QTextCursor(m_view->document()->findBlockByNumber(1)));
        m_search->findNext();
        QCOMPARE(count(), u"2 of 3"_s);
        m_view->setTextCursor(QTextCursor(m_view->document()->findBlockByNumber(3)));
        m_search->findPrevious();
        QCOMPARE(count(), u"2 of 3"_s);
    }

    void searchSaysWhenThereIsNothing()
    {
        m_view->setCode(recipeText());
        m_search->open();
        QTest::keyClicks(needle(), u"rocm"_s);
        QCOMPARE(count(), u"No match"_s);
        QVERIFY(!named<QToolButton>(m_search, u"Next match"_s)->isEnabled());
        QTest::keyClick(needle(), Qt::Key_Return); // does nothing, and nothing breaks
        needle()->clear();
        QCOMPARE(count(), QString());
    }

    void searchMindsTheCaseWhenAsked()
    {
        m_view->setCode("Cuda cuda CUDA\n");
        m_search->open();
        QTest::keyClicks(needle(), u"cuda"_s);
        QCOMPARE(count(), u"1 of 3"_s);
        QTest::mouseClick(named<QCheckBox>(m_search, u"Match case"_s), Qt::LeftButton, {}, QPoint(5, 8));
        QCOMPARE(count(), u"1 of 1"_s);
    }

    void searchStaysForAnotherRecipe()
    {
        m_view->setCode("x\nx\n");
        m_search->open();
        QTest::keyClicks(needle(), u"x"_s);
        m_view->setCode("x\nx\nx\n");
        QCOMPARE(count(), u"3 found"_s);
        m_search->findNext();
        QVERIFY(count().endsWith(u"of 3"_s));
    }

    void escapeClosesWithTheMatchSelected()
    {
        m_view->setCode("let a = gpuArch;\n");
        m_search->open();
        QTest::keyClicks(needle(), u"gpu"_s);
        QTest::keyClick(needle(), Qt::Key_Escape);
        QVERIFY(!m_search->isVisible());
        QVERIFY(m_view->hasFocus());
        QCOMPARE(m_view->textCursor().selectedText(), u"gpu"_s);
        QVERIFY(m_view->extraSelections().isEmpty());
        m_search->open(); // takes the selection up
        QCOMPARE(needle()->text(), u"gpu"_s);
    }

    void aMegabyteArrivesInSlices()
    {
        const QByteArray text = megabyte();
        QElapsedTimer clock;
        clock.start();
        m_view->setCode(text);
        const qint64 shown = clock.elapsed();
        // A time limit would depend on the machine: check that the window gets its turns.
        const int lines = int(text.count('\n'));
        QVERIFY(m_view->blockCount() < lines / 2);
        QVERIFY(colorOf(*m_view, u"let"_s).isValid());
        qint64 longest = 0;
        int colouring = 0;
        while (m_view->isHighlighting()) {
            clock.restart();
            QCoreApplication::processEvents();
            longest = std::max(longest, clock.elapsed());
            colouring += m_view->blockCount() == lines;
        }
        QVERIFY2(colouring > 3, qPrintable(QString::number(colouring)));
        qInfo("1 MB: shown in %lld ms, longest gap while colouring %lld ms", shown, longest);
        QCOMPARE(m_view->toPlainText().toUtf8() + '\n', text);
        QTextBlock last = m_view->document()->lastBlock();
        while (!last.text().contains(u"platforms"_s))
            last = last.previous();
        QVERIFY(!last.layout()->formats().isEmpty());
        clock.restart();
        m_search->open();
        needle()->setText(u"e"_s);
        qInfo("1 MB: %d matches in %lld ms", m_view->matchCount(), clock.elapsed());
        QVERIFY(m_view->matchCount() > 10000);
    }

    void anEndlessLineIsNotColoured()
    {
        QElapsedTimer clock;
        clock.start();
        m_view->setCode("x = \"" + QByteArray(200'000, 'a') + "\";\nlet\n");
        QTRY_VERIFY(!m_view->isHighlighting());
        QVERIFY(colorOf(*m_view, u"let"_s).isValid());
        QVERIFY(m_view->document()->firstBlock().layout()->formats().isEmpty());
    }

    void goneWhileColouring()
    {
        m_view->setCode(megabyte());
        QVERIFY(m_view->isHighlighting());
        m_view->setCode("let\n"); // shorter than what was coloured
        QTRY_VERIFY(!m_view->isHighlighting());
        m_view->setCode(megabyte());
        QPointer<QWidget> view = m_view;
        m_window.reset();
        QVERIFY(!view);
        QCoreApplication::processEvents();
    }

private:
    QLineEdit *needle() const { return m_search->findChild<QLineEdit *>(); }
    QString count() const { return named<QLabel>(m_search, u"Matches"_s)->text(); }

    std::unique_ptr<QWidget> m_window;
    CodeView *m_view = nullptr;
    SearchBar *m_search = nullptr;
};

TM_TEST(TestCodeView, QApplication)
#include "tst_codeview.moc"
