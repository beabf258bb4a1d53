// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/change/ChangeModel.h"
#include "views/change/ChangeView.h"
#include "views/plan/PlanView.h"
#include "views/recipe/DiffView.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeView>

using namespace tmx;
using namespace pane;
using Action = ChangeAction;

namespace {

ChangeSet plan()
{
    const auto file = [](Action action, const QString &name, bool chosen, bool possible = true) {
        ChangedFile file;
        file.action = action;
        file.name = name;
        file.path = u".flox/pkgs/%1.nix"_s.arg(name);
        file.reason = u"Because of %1."_s.arg(name);
        file.chosen = chosen;
        file.possible = possible;
        return file;
    };
    ChangeSet plan;
    plan.branch = u"main"_s;
    plan.parentCommit = u"abc"_s;
    plan.files = {
        file(Action::Keep, u"kept"_s, false),          file(Action::Create, u"new-1"_s, true),
        file(Action::Create, u"new-2"_s, true),        file(Action::Create, u"without-template"_s, false, false),
        file(Action::Rewrite, u"customised"_s, false), file(Action::Delete, u"stray-magma"_s, true)};
    return plan;
}

} // namespace

class TestPlanView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        QApplication::setPalette(lightPalette());
    }

    /// A reason that all steps of a group have is told once, in its head.
    void oneReasonOfSeveralIsToldOnce()
    {
        ChangeSet same = plan();
        for (ChangedFile &file : same.files)
            file.reason = u"There is no neighbour."_s;
        ChangeModel model;
        model.setChanges({same});
        const QModelIndex create = model.indexOf(Action::Create);
        QCOMPARE(create.siblingAtColumn(ChangeModel::Reason).data().toString(),
                 u"2 of 3 chosen. All: There is no neighbour."_s);
        const QModelIndex first = model.index(0, ChangeModel::Reason, create);
        QCOMPARE(first.data().toString(), QString());
        QCOMPARE(first.data(Qt::AccessibleTextRole).toString(), u"There is no neighbour."_s);
        QVERIFY(first.data(Qt::ToolTipRole).toString().startsWith(u"There is no neighbour."_s));
        // Of 44 too.
        ChangeSet many = plan();
        const qsizetype missing =
            qsizetype(std::ranges::find(many.files, Action::Create, &ChangedFile::action) - many.files.begin());
        const ChangedFile one44 = same.files.at(missing);
        many.files = QList<ChangedFile>(44, one44);
        for (int i = 0; i < 44; ++i)
            many.files[i].name = u"new-%1"_s.arg(i);
        ChangeModel all;
        all.setChanges({many});
        const QModelIndex group = all.indexOf(Action::Create);
        int told = group.siblingAtColumn(ChangeModel::Reason).data().toString().count(u"no neighbour"_s);
        QCOMPARE(all.rowCount(group), 44);
        for (int i = 0; i < 44; ++i)
            told += all.index(i, ChangeModel::Reason, group).data().toString().count(u"no neighbour"_s);
        QCOMPARE(told, 1);
        // One step alone has its own.
        const QModelIndex one = model.index(0, ChangeModel::Reason, model.indexOf(Action::Rewrite));
        QCOMPARE(one.data().toString(), u"There is no neighbour."_s);
    }

    /// The change of the first step is there at once; nothing else follows it, and nothing is chosen by it.
    void theFirstStepIsShownAtOnce()
    {
        ChangeSet many = plan();
        many.files.resize(1); // kept
        for (int i = 0; i < 30; ++i) {
            ChangedFile file;
            file.action = Action::Rewrite;
            file.name = u"step-%1"_s.arg(i);
            file.path = file.name;
            file.before = "a\n";
            file.after = "b\n";
            many.files.append(file);
        }
        PlanView view;
        view.resize(1400, 800);
        QSignalSpy selected(&view, &PlanView::stepSelected);
        view.setPlan(many);
        view.show();
        QVERIFY(view.findChild<DiffView *>()->isVisible());
        QCOMPARE(view.changes()->current()->name, u"step-0"_s);
        QCOMPARE(selected.size(), 0);
        QCOMPARE(view.changes()->changes().constFirst().chosen().value(Action::Rewrite), 0);
    }

    void modelIsATreeOfCheckBoxes()
    {
        ChangeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setChanges({plan()});
        // All of Create that can be chosen is chosen.
        QCOMPARE(asText(model),
                 QStringList({u"[x] Create 3"_s, u"  [x] new-1"_s, u"  [x] new-2"_s, u"  without-template"_s,
                              u"[ ] Rewrite 1"_s, u"  [ ] customised"_s, u"[x] Delete 1"_s, u"  [x] stray-magma"_s,
                              u"Leave as they are 1"_s, u"  kept"_s}));
        QSignalSpy chosen(&model, &ChangeModel::chosenChanged);
        const QModelIndex create = model.indexOf(Action::Create);
        QVERIFY(model.setData(model.index(0, 0, create), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(create.data(Qt::CheckStateRole).toInt(), int(Qt::PartiallyChecked));
        QCOMPARE(chosen.size(), 1);
        // What is impossible cannot be chosen, neither alone nor with all others; kept files have no box.
        QVERIFY(!model.setData(model.index(2, 0, create), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(model.setData(create, Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(create.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QCOMPARE(model.changes().constFirst().chosen().value(Action::Create), 2);
        QVERIFY(!model.setData(model.indexOf(Action::Keep), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(!model.indexOf(Action::Rename).isValid());
    }

    void aRefreshKeepsWhatIsChosen()
    {
        ChangeModel model;
        QVERIFY(!model.setChanges({plan()}));
        model.setData(model.index(0, 0, model.indexOf(Action::Rewrite)), Qt::Checked, Qt::CheckStateRole);
        QVERIFY(model.setChanges({plan()}));
        QCOMPARE(model.changes().constFirst().chosen().value(Action::Rewrite), 1);
        ChangeSet next = plan();
        next.files.remove(1); // one was created meanwhile
        model.setChanges({next});
        QCOMPARE(model.changes().constFirst().chosen().value(Action::Rewrite), 1);
        QCOMPARE(model.changes().constFirst().chosen().value(Action::Create), 1);
        next.branch = u"other"_s; // another branch begins with its own
        QVERIFY(!model.setChanges({next}));
        QCOMPARE(model.changes().constFirst().chosen().value(Action::Rewrite), 0);
    }

    void driven()
    {
        PlanView view;
        view.resize(700, 400);
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        auto *tree = view.findChild<QTreeView *>();
        auto *apply = named<QPushButton>(&view, u"Apply the chosen steps"_s);
        QVERIFY(!apply->isEnabled());
        view.setPlan(plan());
        QCOMPARE(apply->text(), u"Apply 3 steps"_s);
        QCOMPARE(named<QLabel>(&view, u"Selection"_s)->text(), u"Chosen steps: create 2, delete 1"_s);
        QVERIFY(tree->isExpanded(view.changes()->model()->indexOf(Action::Create)));
        QVERIFY(!tree->isExpanded(view.changes()->model()->indexOf(Action::Keep)));

        // By keys: down to a step, and Space.
        QSignalSpy selected(&view, &PlanView::stepSelected);
        tree->setFocus();
        tree->setCurrentIndex(view.changes()->model()->indexOf(Action::Create));
        QTest::keyClick(tree, Qt::Key_Down);
        QCOMPARE(selected.last().first().toString(), u"new-1"_s);
        QTest::keyClick(tree, Qt::Key_Space);
        QCOMPARE(apply->text(), u"Apply 2 steps"_s);

        // None, all.
        QTest::mouseClick(named<QPushButton>(&view, u"Choose no step"_s), Qt::LeftButton);
        QVERIFY(!apply->isEnabled());
        QCOMPARE(named<QLabel>(&view, u"Selection"_s)->text(), u"Nothing is chosen."_s);
        QTest::mouseClick(named<QPushButton>(&view, u"Choose every step"_s), Qt::LeftButton);
        QCOMPARE(apply->text(), u"Apply 4 steps"_s);

        // A click on the box of one step.
        const QModelIndex step =
            view.changes()->model()->index(0, 0, view.changes()->model()->indexOf(Action::Rewrite));
        const QRect rect = tree->visualRect(step);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, QPoint(rect.left() + 10, rect.center().y()));
        QCOMPARE(apply->text(), u"Apply 3 steps"_s);

        QSignalSpy asked(&view, &PlanView::applyRequested);
        QTest::mouseClick(apply, Qt::LeftButton);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(view.plan().chosen(), view.changes()->changes().constFirst().chosen());
        view.setBusy(true);
        QVERIFY(!apply->isEnabled());
        view.setBusy(false);
        QVERIFY(apply->isEnabled());
    }

    void stepsAreFilteredAndOpened()
    {
        PlanView view;
        view.resize(700, 500);
        view.show();
        view.activateWindow();
        ChangeSet steps = plan();
        ChangedFile &rewrite = steps.files[4];
        rewrite.before = "{ }: { a = 1; }\n";
        rewrite.after = "{ }: { a = 2; }\n";
        rewrite.reason = QString(30, u'x') + u" "_s + QString(30, u'y') + u" because its pin is of another branch "_s +
                         QString(30, u'z');
        view.setPlan(steps);
        auto *tree = view.findChild<QTreeView *>();
        const ChangeModel *model = view.changes()->model();
        const auto shown = [&] {
            QStringList names;
            for (int row = 0; row < model->rowCount(); ++row) {
                const QModelIndex group = model->index(row, 0);
                for (int i = 0; i < model->rowCount(group); ++i) {
                    if (!tree->isRowHidden(row, {}) && !tree->isRowHidden(i, group))
                        names.append(model->index(i, 0, group).data(ChangeModel::NameRole).toString());
                }
            }
            return names;
        };
        // Why: as many lines as it takes, whatever the width.
        const QModelIndex group = model->indexOf(Action::Rewrite);
        const QModelIndex step = model->index(0, 0, group);
        const QModelIndex why = step.siblingAtColumn(ChangeModel::Reason);
        const auto fits = [&] {
            const QRect cell = tree->visualRect(why);
            const QRect room(0, 0, cell.width() - 4, 1000);
            return tree->fontMetrics().boundingRect(room, Qt::TextWordWrap, why.data().toString()).height() <=
                   cell.height();
        };
        QTRY_VERIFY(fits());
        QVERIFY(tree->visualRect(why).height() > 2 * tree->fontMetrics().height());
        view.resize(560, 500);
        QTRY_VERIFY(fits());
        // The names of the steps have the room that they need, and the reasons the rest.
        const int name = tree->fontMetrics().horizontalAdvance(step.data().toString());
        const int tick = tree->style()->pixelMetric(QStyle::PM_IndicatorWidth);
        QVERIFY(tree->visualRect(step).width() >= name + tick);
        QVERIFY(tree->columnWidth(ChangeModel::File) >= tree->header()->sectionSizeHint(ChangeModel::File));
        QVERIFY(tree->columnWidth(ChangeModel::File) < 280);

        // Words of name, reason and heading; choices are kept, and All applies to the listed files.
        auto *filter = named<QLineEdit>(&view, u"Filter steps by text"_s);
        filter->setFocus();
        QTest::keyClicks(filter, u"pin rewrite"_s);
        QCOMPARE(shown(), QStringList{u"customised"_s});
        auto *apply = named<QPushButton>(&view, u"Apply the chosen steps"_s);
        QCOMPARE(apply->text(), u"Apply 3 steps"_s);
        QTest::mouseClick(named<QPushButton>(&view, u"Choose every step"_s), Qt::LeftButton);
        QCOMPARE(apply->text(), u"Apply 4 steps"_s);
        view.setPlan(steps); // a refresh
        QCOMPARE(shown(), QStringList{u"customised"_s});

        // What the current step would change is below; Esc closes it, and Enter opens it.
        const auto *diff = view.findChild<DiffView *>();
        tree->setFocus();
        tree->setCurrentIndex({});
        tree->setCurrentIndex(step);
        QTRY_VERIFY(diff->isVisible());
        QTest::keyClick(view.focusWidget(), Qt::Key_Escape);
        QVERIFY(!diff->isVisible());
        QCOMPARE(QApplication::focusWidget(), tree);
        QTest::keyClick(tree, Qt::Key_Return);
        QTRY_VERIFY(diff->isVisible());
        QTest::keyClick(view.focusWidget(), Qt::Key_Escape);
        filter->setText(u"no such words"_s);
        QVERIFY(!tree->isVisible());
        filter->clear();
        QVERIFY(tree->isVisible());
        QCOMPARE(shown().size(), 6);
    }

    /// Dozens of files of which none is chosen are a number; a word with underscores wraps too.
    void manyUnchosenAreANumber()
    {
        PlanView view;
        view.resize(500, 500);
        view.show();
        ChangeSet steps = plan();
        ChangedFile file = steps.files.at(4);
        for (int i = 0; i < 30; ++i) {
            file.name = u"customised-%1"_s.arg(i);
            file.path = u".flox/pkgs/%1.nix"_s.arg(file.name);
            steps.files.append(file);
        }
        steps.files[1].reason = QStringList(8, u"SUPPORTS_AVX512"_s).join(u'_');
        view.setPlan(steps);
        const auto *tree = view.findChild<QTreeView *>();
        const ChangeModel *model = view.changes()->model();
        QVERIFY(!tree->isExpanded(model->indexOf(Action::Rewrite)));
        QVERIFY(tree->isExpanded(model->indexOf(Action::Create)));
        const QModelIndex why = model->index(0, ChangeModel::Reason, model->indexOf(Action::Create));
        QTRY_VERIFY(tree->visualRect(why).height() > 2 * tree->fontMetrics().height());
    }

    void nothingToDoSaysSo()
    {
        PlanView view;
        view.show();
        ChangeSet done = plan();
        done.files = done.files.mid(0, 1);
        view.setPlan(done);
        const auto labels = view.findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.cbegin(), labels.cend(),
                            [](const QLabel *label) { return label->text().contains(u"Nothing to do"_s); }));
        QVERIFY(!named<QPushButton>(&view, u"Choose every step"_s)->isEnabled());
    }

    void withoutAPlanItSaysWhy()
    {
        PlanView view;
        view.show();
        view.setPlan(plan());
        view.setProblem(u"Could not plan main: it is gone."_s);
        const auto labels = view.findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
            return label->isVisible() && label->text().contains(u"it is gone"_s);
        }));
        QVERIFY(!named<QPushButton>(&view, u"Apply the chosen steps"_s)->isEnabled());
        view.setPlan(plan());
        QVERIFY(named<QPushButton>(&view, u"Apply the chosen steps"_s)->isEnabled());
    }

private:
    static QStringList asText(const ChangeModel &model)
    {
        QStringList lines;
        const auto line = [&lines](const QModelIndex &index, const QString &indent) {
            const QVariant state = index.data(Qt::CheckStateRole);
            const QString box = !state.isValid()                        ? QString()
                                : state.toInt() == Qt::Checked          ? u"[x] "_s
                                : state.toInt() == Qt::PartiallyChecked ? u"[~] "_s
                                                                        : u"[ ] "_s;
            lines.append(indent + box + index.data().toString());
        };
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex group = model.index(row, 0);
            line(group, {});
            for (int step = 0; step < model.rowCount(group); ++step)
                line(model.index(step, 0, group), u"  "_s);
        }
        return lines;
    }
};

TM_TEST(TestPlanView, QApplication)
#include "tst_planview.moc"
