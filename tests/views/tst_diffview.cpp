// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/TextDiff.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/compare/FactTable.h"
#include "views/recipe/ChangedSpan.h"
#include "views/recipe/ChangesPage.h"
#include "views/recipe/DiffView.h"
#include "views/recipe/SearchBar.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QToolButton>

using namespace tmx;
using namespace pane;
using Kind = DiffLine::Kind;

namespace QTest {
template <>
char *toString(const ChangedSpan &span)
{
    return qstrdup(
        qPrintable(u"%1+%2 / %3+%4"_s.arg(span.oldStart).arg(span.oldLength).arg(span.newStart).arg(span.newLength)));
}
} // namespace QTest

class TestDiffView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        QApplication::setPalette(lightPalette());
        m_page = std::make_unique<ChangesPage>();
        m_page->resize(520, 500);
        m_page->show();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    }
    void cleanup() { m_page.reset(); }

    void findsWhatChangedInALine_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<ChangedSpan>("span");
        QTest::newRow("equal") << u"a = 1;"_s << u"a = 1;"_s << ChangedSpan{};
        QTest::newRow("both empty") << QString() << QString() << ChangedSpan{};
        QTest::newRow("whole word") << u"pname = \"x-avx2\";"_s << u"pname = \"x-avx512\";"_s
                                    << ChangedSpan{11, 4, 11, 6};
        QTest::newRow("number") << u"- CUDA: 12.6"_s << u"- CUDA: 12.8"_s << ChangedSpan{11, 1, 11, 1};
        QTest::newRow("inserted word, without its blank")
            << u"description = \"Hopper\";"_s << u"description = \"NVIDIA Hopper\";"_s << ChangedSpan{15, 0, 15, 6};
        QTest::newRow("only blanks") << u"  a = 1;"_s << u"    a = 1;"_s << ChangedSpan{2, 0, 2, 2};
        QTest::newRow("nothing shared") << u"  export A"_s << u"  meta = {"_s << ChangedSpan{};
        QTest::newRow("only the semicolon shared") << u"  first = one;"_s << u"  second = two;"_s << ChangedSpan{};
        QTest::newRow("appended") << u"[ \"a\" ]"_s << u"[ \"a\" ] # why"_s << ChangedSpan{7, 0, 8, 5};
        QTest::newRow("repeated letters") << u"aaaa bb"_s << u"aaaa bbbb"_s << ChangedSpan{5, 2, 5, 4};
    }
    void findsWhatChangedInALine()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(ChangedSpan, span);
        QCOMPARE(changedSpan(before, after), span);
        const ChangedSpan back = changedSpan(after, before);
        QCOMPARE(back, (ChangedSpan{span.newStart, span.newLength, span.oldStart, span.oldLength}));
    }

    void theSignIsInTheText()
    {
        m_page->setContent(content());
        const QStringList lines = diff()->toPlainText().split(u'\n');
        QCOMPARE(lines.size(), twoChanges().size());
        QCOMPARE(lines.at(0), u"@@ -20,4 +20,4 @@"_s);
        QCOMPARE(lines.at(1), u"     \"-mavx512vl\"  # vector length extensions"_s);
        QCOMPARE(lines.at(2).first(18), u"-    \"-mavx512ifma"_s);
        QCOMPARE(lines.at(3).first(16), u"+    \"-mavx512bw"_s);
    }

    void changedWordsAreMarked()
    {
        m_page->setContent(content());
        QTRY_VERIFY(!diff()->isHighlighting());
        const QImage picture = diff()->viewport()->grab().toImage();
        const auto row = [&](int line) {
            QTextCursor cursor(diff()->document()->findBlockByNumber(line));
            return diff()->cursorRect(cursor).center().y();
        };
        const int right = picture.width() - 3;
        const CodeColors &colors = diff()->colors();
        QCOMPARE(picture.pixelColor(right, row(1)).rgb(), colors.background.rgb());
        QCOMPARE(picture.pixelColor(right, row(2)).rgb(), colors.removed.rgb());
        QCOMPARE(picture.pixelColor(right, row(3)).rgb(), colors.added.rgb());
        QCOMPARE(picture.pixelColor(right, row(6)).rgb(), colors.hunk.rgb());
        const auto holds = [&](int line, const QColor &color) {
            for (int x = 0; x < picture.width(); ++x)
                if (picture.pixelColor(x, row(line) - 5).rgb() == color.rgb())
                    return true;
            return false;
        };
        QVERIFY(holds(2, colors.removedWord));
        QVERIFY(holds(3, colors.addedWord));
        QVERIFY(!holds(8, colors.addedWord)); // an added line without a counterpart
    }

    void linesKeepTheColoursOfTheWholeText()
    {
        m_page->setContent(content());
        QTRY_VERIFY(!diff()->isHighlighting());
        const auto colorAt = [this](int line, int column) {
            for (const QTextLayout::FormatRange &range :
                 diff()->document()->findBlockByNumber(line).layout()->formats())
                if (range.start <= column && column < range.start + range.length)
                    return range.format.foreground().color();
            return QColor();
        };
        // Line 71 is shell code in a '' string: coloured like the string of line 20, which only the text before it
        // shows.
        const QColor string = colorAt(1, 6);
        QVERIFY(string.isValid());
        QCOMPARE(colorAt(7, 8), string);
        QCOMPARE(colorAt(8, 8), string);
        const QColor light = string;
        QApplication::setPalette(darkPalette());
        QTRY_VERIFY(colorAt(7, 8) != light);
        QTRY_COMPARE(colorAt(7, 8), colorAt(1, 6));
    }

    void walksTheChangesByKeyAndButton()
    {
        m_page->setContent(content());
        diff()->setFocus();
        QCOMPARE(place(), u"Changes: 2"_s);
        QTest::keyClick(diff(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(place(), u"Change 1 of 2"_s);
        QCOMPARE(diff()->textCursor().blockNumber(), 2);
        QTest::mouseClick(named<QToolButton>(m_page.get(), u"Next change"_s), Qt::LeftButton);
        QCOMPARE(place(), u"Change 2 of 2"_s);
        QVERIFY(!named<QToolButton>(m_page.get(), u"Next change"_s)->isEnabled());
        QTest::keyClick(diff(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(place(), u"Change 2 of 2"_s);
        QTest::keyClick(diff(), Qt::Key_Down); // below it, previous goes to its beginning first
        QTest::keyClick(diff(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(diff()->textCursor().blockNumber(), 8);
        QTest::keyClick(diff(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(place(), u"Change 1 of 2"_s);
        QTest::keyClick(diff(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(place(), u"Change 1 of 2"_s);
    }

    void switchesWhatIsCompared()
    {
        RecipePaneContent both = content();
        both.againstTemplate = {line(Kind::HunkHeader, 0, 0, u"@@ -1 +1 @@"_s), line(Kind::Added, 0, 1, u"# mine"_s)};
        m_page->setContent(both);
        QCOMPARE(headSwitch()->text(), u"Last commit (2)"_s);
        QCOMPARE(templateSwitch()->text(), u"Template (1)"_s);
        QVERIFY(headSwitch()->isChecked());
        QTest::mouseClick(templateSwitch(), Qt::LeftButton);
        QCOMPARE(diff()->toPlainText(), u"@@ -1 +1 @@\n+# mine"_s);
        QVERIFY(templateSwitch()->isChecked() && !headSwitch()->isChecked());
        both.againstHead.clear(); // what a person chose stays
        m_page->setContent(both);
        QCOMPARE(m_page->side(), ChangesPage::Side::Template);
        headSwitch()->setFocus();
        QTest::keyClick(headSwitch(), Qt::Key_Space);
        QCOMPARE(m_page->side(), ChangesPage::Side::Head);
    }

    void opensOnTheSideThatDiffers()
    {
        RecipePaneContent customised = content();
        customised.againstTemplate = customised.againstHead;
        customised.againstHead.clear();
        m_page->setContent(customised);
        QCOMPARE(m_page->side(), ChangesPage::Side::Template);
        m_page->setContent(content());
        QCOMPARE(m_page->side(), ChangesPage::Side::Head);
    }

    void theFactsThatDifferComeFirst()
    {
        RecipePaneContent customised = content();
        customised.againstTemplate = customised.againstHead;
        customised.differences = {{u"gpu_targets"_s, u"GPU targets"_s, u"9.0"_s, u"8.6"_s, true, true},
                                  {u"doCheck"_s, u"doCheck"_s, {}, u"true"_s, false, true},
                                  {u"meta"_s, u"meta texts"_s, {}, {}, false, false}};
        m_page->setContent(customised);
        auto *facts = m_page->findChild<FactTable *>();
        QVERIFY(facts->isHidden()); // they are not what differs from the last commit
        m_page->setSide(ChangesPage::Side::Template);
        QVERIFY(facts->isVisible() && facts->y() < diff()->mapTo(m_page.get(), QPoint()).y());
        QStringList shown;
        for (int row = 0; row < facts->rowCount(); ++row)
            shown.append(facts->item(row, 0)->text() + u": "_s + facts->item(row, 1)->text() + u" > "_s +
                         facts->item(row, 2)->text());
        QCOMPARE(shown.join(u'\n'), u"GPU targets: 9.0 > 8.6\ndoCheck: not stated > true\n"
                                    "meta texts: see the text below > see the text below"_s);
    }

    void saysInWordsThatNothingDiffers_data()
    {
        QTest::addColumn<bool>("exists");
        QTest::addColumn<bool>("hasHead");
        QTest::addColumn<bool>("hasTemplate");
        QTest::addColumn<QString>("head");
        QTest::addColumn<QString>("template_");
        const QString none = u"There is no recipe yet, so there is nothing to compare."_s;
        QTest::newRow("current") << true << true << true << u"Nothing changed since the last commit."_s
                                 << u"Identical to the template's text."_s;
        QTest::newRow("untracked") << true << false << true << u"This recipe has not been committed yet."_s
                                   << u"Identical to the template's text."_s;
        QTest::newRow("not covered") << true << true << false << u"Nothing changed since the last commit."_s
                                     << u"There is no text of a template to compare with."_s;
        QTest::newRow("missing") << false << false << true << none << none;
    }
    void saysInWordsThatNothingDiffers()
    {
        QFETCH(bool, exists);
        QFETCH(bool, hasHead);
        QFETCH(bool, hasTemplate);
        RecipePaneContent equal = content();
        equal.againstHead.clear();
        equal.exists = exists;
        equal.hasHead = hasHead;
        equal.hasTemplate = hasTemplate;
        m_page->setContent(equal);
        const auto shown = [this] {
            for (const QLabel *label : m_page->findChildren<QLabel *>())
                if (label->isVisible() && label->text().endsWith(u'.'))
                    return label->text();
            return QString();
        };
        QTEST(shown(), "head");
        QVERIFY(!diff()->isVisible());
        QTest::mouseClick(templateSwitch(), Qt::LeftButton);
        QTEST(shown(), "template_");
        QVERIFY(!named<QToolButton>(m_page.get(), u"Next change"_s)->isVisible());
    }

    void searchesTheDifference()
    {
        m_page->setContent(content());
        m_page->searchBar()->open();
        auto *needle = m_page->findChild<QLineEdit *>();
        QTest::keyClicks(needle, u"mavx512"_s);
        QCOMPARE(named<QLabel>(m_page.get(), u"Matches"_s)->text(), u"1 of 3"_s);
    }

    void showsWhatTheModelMakesOfTwoTexts()
    {
        RecipePaneContent c = content();
        QByteArray before = c.text;
        before.replace("12.8", "12.6");
        c.againstHead = diffTexts(before, c.text);
        QVERIFY(!c.againstHead.isEmpty());
        m_page->setContent(c);
        QTRY_VERIFY(!diff()->isHighlighting());
        const QString text = diff()->toPlainText();
        QVERIFY2(text.contains(u"\n-      - CUDA: 12.6\n+      - CUDA: 12.8\n"_s), qPrintable(text));
        QTest::keyClick(diff(), Qt::Key_Down, Qt::AltModifier);
        QVERIFY(place().startsWith(u"Change 1 of"_s));
    }

    void aDeletedRecipeIsAllRemoved()
    {
        DiffView view;
        QList<DiffLine> lines{line(Kind::HunkHeader, 0, 0, u"@@ -1,2 +0,0 @@"_s)};
        lines.append(line(Kind::Removed, 1, 0, u"let"_s));
        lines.append(line(Kind::Removed, 2, 0, u"in 1"_s));
        view.setDiff(lines, {});
        QCOMPARE(view.changeCount(), 1);
        QTRY_VERIFY(!view.isHighlighting());
        view.setDiff({}, {});
        QCOMPARE(view.changeCount(), 0);
        QCOMPARE(view.currentChange(), 0);
        view.nextChange();
        view.previousChange();
    }

private:
    DiffView *diff() const { return m_page->findChild<DiffView *>(); }
    QString place() const { return named<QLabel>(m_page.get(), u"Position in the changes"_s)->text(); }
    QPushButton *headSwitch() const
    {
        return named<QPushButton>(m_page.get(), u"Compare with the last commit (HEAD)"_s);
    }
    QPushButton *templateSwitch() const
    {
        return named<QPushButton>(m_page.get(), u"Compare with the text of the template"_s);
    }

    std::unique_ptr<ChangesPage> m_page;
};

TM_TEST(TestDiffView, QApplication)
#include "tst_diffview.moc"
