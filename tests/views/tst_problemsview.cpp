// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/audit/CellMapView.h"
#include "views/audit/ProblemsView.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>
#include <ranges>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

class ProblemsViewTest : public QObject
{
    Q_OBJECT

    static BranchSnapshot faulty()
    {
        BranchSnapshot snapshot = branchOf(u"main"_s);
        const auto add = [&snapshot](const QString &row, const QString &rule, const QString &sentence, bool fixable) {
            Finding finding;
            finding.rule = rule;
            finding.severity = Severity::Warning;
            finding.sentence = sentence;
            finding.fixable = fixable;
            snapshot.entries[u"pytorch-python313-cuda12_8-%1-avx2"_s.arg(row)].findings.append(finding);
        };
        for (const QString &row : {u"sm80"_s, u"sm86"_s, u"sm90"_s})
            add(row, u"driver-low"_s, row == u"sm90" ? u"It asks for 418."_s : u"It asks for 550."_s, true);
        add(u"sm90"_s, u"<img src=x>"_s, u"<b>bold</b>"_s, false);
        return snapshot;
    }
    static QPushButton *button(const ProblemsView &view, const QString &text)
    {
        for (auto *one : view.findChildren<QPushButton *>()) {
            if (one->text().remove(u'&').startsWith(text))
                return one;
        }
        return nullptr;
    }

private Q_SLOTS:
    void init() { pane::failOnWarnings(); }

    void isUsedWithKeys();
    void aFaultyCellIsSeen();
    void filesThatAreNoRecipeAreListed();
    void keepsTheRule();
    void tellsWhatItShows();
};

void ProblemsViewTest::isUsedWithKeys()
{
    ProblemsView view;
    view.resize(900, 600);
    view.show();
    view.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    view.setProblems(builtInCatalog(), shared(faulty()));
    QCOMPARE(view.count(), 4);
    QCOMPARE(view.rule(), u"driver-low"_s);
    const QList<QLabel *> labels = view.findChildren<QLabel *>(); // the word that a filter takes: "rule:driver-low"
    QVERIFY(std::ranges::any_of(
        labels, [](const QLabel *label) { return label->isVisible() && label->text().contains(u"(driver-low)"_s); }));
    QSignalSpy fixed(&view, &ProblemsView::fixAllRequested), ignored(&view, &ProblemsView::ignoreRequested),
        filtered(&view, &ProblemsView::filterRequested), chosen(&view, &ProblemsView::cellChosen);
    const auto trees = view.findChildren<QTreeWidget *>();
    QTreeWidget *rules = trees.at(0)->accessibleName() == u"Rules with findings" ? trees.at(0) : trees.at(1);
    QTreeWidget *groups = rules == trees.at(0) ? trees.at(1) : trees.at(0);
    QCOMPARE(groups->topLevelItemCount(), 2);
    auto *map = view.findChild<CellMapView *>();
    QCOMPARE(map->accessibleDescription(), u"sm80: avx2; sm86: avx2; sm90: avx2"_s);
    // The columns' heads stand above the cells.
    const QImage picture = map->grab().toImage();
    const QRect head(map->placeOf(0, 0).left(), 0, map->width() - map->placeOf(0, 0).left(), map->placeOf(0, 0).top());
    const auto isPlain = [&picture, &head](int x) {
        for (int y = head.top(); y < head.bottom(); ++y) {
            if (picture.pixel(x, y) != picture.pixel(head.topLeft()))
                return false;
        }
        return true;
    };
    const QRect column = map->placeOf(0, 1);
    QVERIFY(head.height() > 20);
    QVERIFY(!std::ranges::all_of(std::views::iota(column.left(), column.right()), isPlain));
    QTest::keyClick(button(view, u"Fix all"_s), Qt::Key_Space);
    QCOMPARE(fixed, QList<QVariantList>{{u"driver-low"_s}});
    QTest::keyClick(button(view, u"Ignore here"_s), Qt::Key_Space);
    QCOMPARE(ignored.last().at(1).toStringList().size(), 3);
    // Of one of the equal findings: its cells alone.
    groups->setFocus();
    QTest::keyClick(groups, Qt::Key_Home);
    QCOMPARE(map->accessibleDescription(), u"sm80: avx2; sm86: avx2"_s);
    QTest::keyClick(button(view, u"Ignore here"_s), Qt::Key_Space);
    QCOMPARE(ignored.last().at(1).toStringList().size(), 2);
    map->setFocus();
    QTest::keyClick(map, Qt::Key_Down);
    QTest::keyClick(map, Qt::Key_Return);
    QCOMPARE(chosen, QList<QVariantList>{{u"pytorch-python313-cuda12_8-sm86-avx2"_s}});
    QTest::mouseClick(map, Qt::LeftButton, {}, map->placeOf(1, 1).center());
    // The rule that cannot be fixed, whose texts are markup.
    rules->setFocus();
    QTest::keyClick(rules, Qt::Key_Down);
    QCOMPARE(view.rule(), u"<img src=x>"_s);
    QVERIFY(!button(view, u"Fix all"_s)->isEnabled());
    QTest::keyClick(button(view, u"Show in the grid"_s), Qt::Key_Space);
    QCOMPARE(filtered, QList<QVariantList>{{u"<img src=x>"_s}});
    QVERIFY(!map->grab().isNull());
}

/// In a low window, too, where the map scrolls: with the first cell that has the problem.
void ProblemsViewTest::aFaultyCellIsSeen()
{
    ProblemsView view;
    view.resize(545, 400);
    view.show();
    view.setProblems(builtInCatalog(), shared(faulty()));
    const auto *map = view.findChild<CellMapView *>();
    const auto *area = qobject_cast<QScrollArea *>(map->parentWidget()->parentWidget());
    QVERIFY(area);
    const auto isSeen = [&](qsizetype row) {
        const QRect place(map->mapTo(area->viewport(), map->placeOf(row, 1).topLeft()), map->placeOf(row, 1).size());
        return area->viewport()->rect().contains(place);
    };
    QTRY_VERIFY(isSeen(1)); // sm80 avx2
    QVERIFY(area->viewport()->height() < map->height());
    QCOMPARE(map->mapTo(area->viewport(), QPoint()), QPoint()); // so that the heads of the columns are seen as well
    // The rules above take no more room than they need.
    for (const QTreeWidget *rules : view.findChildren<QTreeWidget *>()) {
        if (rules->accessibleName() == u"Rules with findings")
            QVERIFY(rules->height() < 5 * rules->visualItemRect(rules->topLevelItem(0)).height());
    }
}

/// A finding in a file that has no cell: its name is in the list, nothing offers what it does not have.
void ProblemsViewTest::filesThatAreNoRecipeAreListed()
{
    ProblemsView view;
    view.resize(900, 600);
    view.show();
    BranchSnapshot snapshot = faulty();
    Finding finding;
    finding.rule = u"unreadable"_s;
    finding.severity = Severity::Error;
    finding.sentence = u"Line 3 ends in a text."_s;
    snapshot.otherFindings[u".flox/pkgs/<b>helper</b>.nix"_s] = {finding};
    view.setProblems(builtInCatalog(), shared(snapshot));
    QCOMPARE(view.count(), 5);
    QTreeWidget *rules = nullptr, *findings = nullptr;
    for (auto *list : view.findChildren<QTreeWidget *>())
        (list->accessibleName() == u"Rules with findings" ? rules : findings) = list;
    rules->setFocus();
    QTest::keyClick(rules, Qt::Key_Home);
    QCOMPARE(rules->currentItem()->text(2), u"0"_s); // recipes
    QCOMPARE(findings->topLevelItem(0)->text(0), u"<b>helper</b>.nix: Line 3 ends in a text."_s);
    QVERIFY(!view.findChild<CellMapView *>()->isVisible());
    QVERIFY(!button(view, u"Ignore"_s)->isEnabled() && !button(view, u"Show"_s)->isEnabled());
    QTest::keyClick(rules, Qt::Key_Down);
    QVERIFY(view.findChild<CellMapView *>()->isVisible());
    QVERIFY(button(view, u"Ignore"_s)->isEnabled() && button(view, u"Show"_s)->isEnabled());
}

void ProblemsViewTest::keepsTheRule()
{
    ProblemsView view;
    view.resize(900, 600);
    view.show();
    BranchSnapshot snapshot = faulty();
    view.setProblems(builtInCatalog(), shared(snapshot));
    auto *rules = view.findChildren<QTreeWidget *>().at(0);
    rules = rules->accessibleName() == u"Rules with findings" ? rules : view.findChildren<QTreeWidget *>().at(1);
    rules->setCurrentItem(rules->topLevelItem(1));
    const QString chosen = view.rule();
    snapshot.entries[u"pytorch-python313-cuda12_8-sm80-avx2"_s].findings.clear();
    view.setProblems(builtInCatalog(), shared(snapshot));
    QCOMPARE(view.rule(), chosen);
    view.setProblems(builtInCatalog(), shared(branchOf(u"main"_s)));
    QCOMPARE(view.count(), 0);
    QVERIFY(!rules->isVisible());
    QCOMPARE(view.rule(), QString());
}

// What stands beside the view follows the rule and the finding, also one that is chosen with keys, but no refresh.
void ProblemsViewTest::tellsWhatItShows()
{
    ProblemsView view;
    QSignalSpy shown(&view, &ProblemsView::shown);
    view.setProblems(builtInCatalog(), shared(faulty()));
    QVERIFY(shown.isEmpty()); // another view is in front
    view.show();
    const auto name = [](const QString &row) { return u"pytorch-python313-cuda12_8-%1-avx2"_s.arg(row); };
    const auto last = [&shown] { return shown.takeLast().at(0).toStringList(); };
    QCOMPARE(last(), (QStringList{name(u"sm80"_s), name(u"sm86"_s), name(u"sm90"_s)}));
    shown.clear();
    view.setProblems(builtInCatalog(), shared(faulty()));
    QVERIFY(shown.isEmpty());
    for (auto *tree : view.findChildren<QTreeWidget *>()) {
        if (tree->accessibleName() == u"Findings that say the same")
            tree->setCurrentItem(tree->topLevelItem(1));
    }
    QCOMPARE(last(), QStringList{name(u"sm90"_s)});
}

TM_TEST(ProblemsViewTest, QApplication)
#include "tst_problemsview.moc"
