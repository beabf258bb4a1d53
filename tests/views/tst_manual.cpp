// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// The manual as a reader uses it: pages, links, search, and the page of what has the focus.
#include "tests/support/TestMain.h"
#include "views/help/Manual.h"
#include "views/plan/PlanView.h"
#include "views/queue/QueueView.h"

#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QTest>
#include <QTextBrowser>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;

class ManualTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QTest::failOnWarning(); }

    void everyPageIsShown()
    {
        const QStringList files =
            QDir(QStringLiteral(TM_SOURCE_DIR "/resources/help")).entryList({u"*.md"_s}, QDir::Files);
        QCOMPARE(manualPages().size(), files.size());
        Manual manual;
        for (const ManualPage &page : manualPages()) {
            QVERIFY2(files.contains(page.id + u".md"_s) && !page.title.isEmpty(), qPrintable(page.id));
            manual.showPage(page.id);
            QCOMPARE(manual.page(), page.id);
            QVERIFY(manual.findChild<QTextBrowser *>()->toPlainText().startsWith(page.title));
            QCOMPARE(manual.findChild<QListWidget *>()->currentItem()->text(), page.title);
        }
    }

    /// Each link leads to a page and one of its headings.
    void linksLeadSomewhere()
    {
        static const QRegularExpression link(u"\\]\\(([a-z-]+)\\.md(#([a-z0-9-]+))?\\)"_s);
        int links = 0;
        for (const ManualPage &page : manualPages()) {
            for (auto found = link.globalMatch(page.text); found.hasNext(); ++links) {
                const auto one = found.next();
                Manual manual;
                manual.show();
                manual.showPage(page.id);
                auto *text = manual.findChild<QTextBrowser *>();
                Q_EMIT text->anchorClicked(QUrl(one.captured(1) + u".md"_s + one.captured(2)));
                QCOMPARE(manual.page(), one.captured(1));
                QVERIFY2(one.captured(3).isEmpty() || text->textCursor().position() > 0, qPrintable(one.captured()));
            }
        }
        QVERIFY(links > 5);
    }

    void searchFindsPagesAndPlaces()
    {
        Manual manual;
        manual.show();
        auto *words = manual.findChild<QLineEdit *>();
        auto *list = manual.findChild<QListWidget *>();
        auto *text = manual.findChild<QTextBrowser *>();
        QTest::keyClicks(words, u"preempted hash"_s);
        QCOMPARE(list->count(), 0);
        words->clear();
        QCOMPARE(list->count(), manualPages().size());
        QTest::keyClicks(words, u"slurm"_s);
        QVERIFY(list->count() >= 2 && list->count() < manualPages().size());
        QVERIFY(text->extraSelections().size() > 0);
        QCOMPARE(text->textCursor().selectedText().toLower(), u"slurm"_s);
        const int first = text->textCursor().position();
        QTest::keyClick(words, Qt::Key_Return);
        QVERIFY(text->textCursor().position() != first || text->extraSelections().size() == 1);
        QVERIFY(manual.isVisible());
    }

    void theFocusChoosesThePage()
    {
        QWidget window;
        QCOMPARE(manualPageOf(nullptr), u"getting-started"_s);
        QCOMPARE(manualPageOf(&window), u"getting-started"_s);
        PlanView plan;
        QCOMPARE(manualPageOf(new QWidget(&plan)), u"plan"_s);
        QueueView queue; // by the class that it derives from
        QCOMPARE(manualPageOf(new QWidget(&queue)), u"builds"_s);
    }
};

TM_TEST(ManualTest, QApplication)
#include "tst_manual.moc"
