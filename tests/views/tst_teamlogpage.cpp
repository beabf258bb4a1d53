// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/history/BuildHistory.h"
#include "tests/support/TestMain.h"
#include "views/console/TeamLogPage.h"
#include "views/recipe/CodeView.h"
#include "views/widgets/CopyButton.h"
#include "views/widgets/Label.h"

#include <QApplication>
#include <QLineEdit>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTest>
#include <QTimeZone>

using namespace Qt::StringLiterals;
using namespace tmx;

class TeamLogPageTest : public QObject
{
    Q_OBJECT

    static QPushButton *button(const TeamLogPage &page, const QString &text)
    {
        for (QPushButton *one : page.findChildren<QPushButton *>()) {
            if (one->text() == text)
                return one;
        }
        return nullptr;
    }
    static BuildRecord build()
    {
        BuildRecord record;
        record.variant = u"pytorch-python313-cpu-avx2"_s;
        record.machine = u"gpu-box"_s;
        record.outcome = BuildOutcome::Kind::CompileError;
        record.error = u"<b>x</b> was not declared"_s;
        record.elsewhere = true;
        record.package = record.variant;
        record.started = QDateTime(QDate(2026, 11, 28), QTime(14, 0), QTimeZone::UTC);
        record.ended = record.started.addSecs(7200);
        record.jobThere = u"20261122-153012-0413f9"_s;
        return record;
    }

private Q_SLOTS:
    void initTestCase() { QTest::failOnWarning(); }

    void fetchesAndStops()
    {
        TeamLogPage page;
        page.setBuild(build(), u"gpu-box"_s);
        page.resize(420, 200);
        page.show();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        QPushButton *open = button(page, u"Fetch &log"_s);
        QPushButton *stop = button(page, u"&Stop"_s);
        const QSignalSpy fetched(&page, &TeamLogPage::fetchRequested);
        const QSignalSpy stopped(&page, &TeamLogPage::stopRequested);
        open->setFocus();
        QTest::keyClick(open, Qt::Key_Space);
        QCOMPARE(fetched.value(0).value(0).toString(), u"gpu-box"_s);
        page.setFetching(true);
        QVERIFY(stop->isVisible() && !open->isVisible() && stop->hasFocus()); // the keys stay on the page
        page.setProgress(512, 2048);
        QCOMPARE(page.findChild<QProgressBar *>()->value(), 512);
        QTest::keyClick(stop, Qt::Key_Space);
        QCOMPARE(stopped.size(), 1);
        page.setFetching(false);
        QVERIFY(open->isVisible() && open->hasFocus() && !stop->isVisible());
        page.findChild<QLineEdit *>()->setText(u" "_s);
        QVERIFY(!open->isEnabled());
        QTest::keyClick(page.findChild<QLineEdit *>(), Qt::Key_Return);
        QCOMPARE(fetched.size(), 1);
    }

    /// What others push is shown as it is; what an older version pushed has no path.
    void showsWhatIsKnown()
    {
        TeamLogPage page;
        page.setBuild(build(), u"gpu-box"_s);
        page.show();
        QStringList texts;
        for (const Label *label : page.findChildren<Label *>()) {
            QCOMPARE(label->textFormat(), Qt::PlainText);
            if (label->isVisible())
                texts.append(label->text());
        }
        QVERIFY(texts.contains(u"<b>x</b> was not declared"_s));
        QVERIFY(
            texts.contains(u"Its log is on gpu-box: ~/.local/state/torch-matrix/jobs/20261122-153012-0413f9/log"_s));
        QVERIFY(page.findChild<CopyButton *>()->isVisible());
        for (const QString &fact :
             {u"compile error"_s, u"gpu-box"_s, u"2:00:00"_s, u"flox build pytorch-python313-cpu-avx2"_s})
            QVERIFY2(texts.contains(fact), qPrintable(fact));
        // The recipe has the room below; one that is not known has none.
        auto *recipe = page.findChild<CodeView *>();
        QVERIFY(!recipe->isVisible());
        page.resize(600, 800);
        page.setRecipe("{ }: { }\n", true);
        QTRY_VERIFY(recipe->isVisible() && recipe->height() > 250);
        QCOMPARE(recipe->toPlainText(), u"{ }: { }"_s);
        page.setBuild(build(), {});
        QVERIFY(!recipe->isVisible());
        BuildRecord old = build();
        old.error.clear();
        old.jobThere.clear();
        page.setBuild(old, {});
        QVERIFY(!page.findChild<CopyButton *>()->isVisible());
        QVERIFY(!button(page, u"Fetch &log"_s)->isEnabled()); // for which host?
        // Of this account, without its job: there is no log to fetch.
        old.elsewhere = false;
        page.setBuild(old, {});
        QVERIFY(!button(page, u"Fetch &log"_s)->isVisible() && !page.findChild<QLineEdit *>()->isVisible());
    }
};

TM_TEST(TeamLogPageTest, QApplication)
#include "tst_teamlogpage.moc"
