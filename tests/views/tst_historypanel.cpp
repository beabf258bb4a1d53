// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/history/HistoryPanel.h"
#include "views/recipe/DiffView.h"

#include <QApplication>
#include <QLabel>
#include <QListWidget>
#include <QTableWidget>

using namespace tmx;
using namespace pane;

namespace {

CellHistory twoSteps()
{
    const QByteArray before = recipeText();
    QByteArray after = before;
    after.replace("\"-mfma\"", "\"-mfma4\"");
    HistoryStep change{{u"1234567890abcdef"_s, u"Other flags"_s, u"Ada Tester"_s,
                        QDateTime(QDate(2026, 1, 2), QTime(3, 4), QTimeZone::UTC), u".flox/pkgs/x.nix"_s,
                        u".flox/pkgs/old.nix"_s, after},
                       before,
                       changedFacts(before, after)};
    HistoryStep first{change.revision, std::nullopt, changedFacts(std::nullopt, before)};
    first.revision.subject = u"Add"_s;
    first.revision.text = before;
    first.revision.before.clear();
    return {u"x"_s, u"main"_s, {change, first}, true};
}

} // namespace

class TestHistoryPanel : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void walksTheCommits()
    {
        HistoryPanel panel;
        panel.resize(1060, 640);
        panel.show();
        panel.setHistory(twoSteps());
        auto *list = panel.findChild<QListWidget *>();
        auto *facts = panel.findChild<QTableWidget *>();
        QCOMPARE(list->count(), 2);
        QTRY_VERIFY(panel.findChild<DiffView *>()->width() > list->width());
        QTRY_VERIFY(panel.findChild<DiffView *>()->y() - facts->geometry().bottom() < 20); // no gap between them
        QVERIFY(list->item(0)->text().startsWith(u"Other flags\n"_s));
        QVERIFY(list->item(1)->text().endsWith(u"first version"_s));
        QCOMPARE(facts->rowCount(), 1);
        QVERIFY(facts->item(0, 2)->text().contains(u"-mfma4"_s));
        QTRY_VERIFY(panel.findChild<DiffView *>()->toPlainText().contains(u"-mfma4"_s));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Down);
        QVERIFY(!facts->isVisible());
        QTRY_VERIFY(!panel.findChild<DiffView *>()->toPlainText().contains(u"-mfma4"_s));
        QVERIFY(panel.findChild<DiffView *>()->changeCount() == 1);
    }

    void aMessageInPlaceOfAHistory()
    {
        HistoryPanel panel;
        panel.show();
        panel.setHistory(twoSteps());
        panel.setMessage(u"No commit ever had it."_s);
        QCOMPARE(panel.findChild<QListWidget *>()->count(), 0);
        QVERIFY(panel.findChild<DiffView *>()->toPlainText().isEmpty());
        const auto labels = panel.findChildren<QLabel *>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel *label) {
            return label->text() == "No commit ever had it."_L1 && label->isVisible();
        }));
    }
};

TM_TEST(TestHistoryPanel, QApplication)
#include "tst_historypanel.moc"
