// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"

#include "model/change/Change.h"
#include "views/change/ChangeModel.h"
#include "views/change/ChangeView.h"
#include "views/recipe/CodeView.h"
#include "views/recipe/DiffView.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTreeView>

using namespace tmx;
using namespace pane;
using Action = ChangeAction;

namespace {

ChangedFile file(Action action, const QString &name, bool chosen, const QByteArray &before, const QByteArray &after)
{
    ChangedFile file;
    file.action = action;
    file.name = name;
    file.path = u"%1.nix"_s.arg(name);
    file.reason = u"Because of %1."_s.arg(name);
    file.chosen = chosen;
    if (!before.isEmpty())
        file.before = before;
    if (!after.isEmpty())
        file.after = after;
    return file;
}

QList<ChangeSet> changes(const QByteArray &mine = "{ b = 2; }\n")
{
    ChangeSet change;
    change.branch = u"main"_s;
    change.parentCommit = u"abc"_s;
    change.files = {file(Action::Keep, u"kept"_s, false, "{ k = 1; }\n", "{ k = 1; }\n"),
                    file(Action::Create, u"new"_s, true, {}, "{ n = 1; }\n"),
                    file(Action::Rewrite, u"old"_s, true, "{ a = 1; }\n", "{ a = 2; }\n"),
                    file(Action::Rewrite, u"mine"_s, false, "{ b = 1; }\n", mine),
                    file(Action::Delete, u"gone"_s, true, "{ }\n", {})};
    change.files[3].group = u"Customised"_s;
    return {change};
}

/// README.md of two branches; the one of `other` cannot be written.
QList<ChangeSet> readmes()
{
    QList<ChangeSet> all;
    for (const QString &branch : {u"main"_s, u"other"_s}) {
        ChangeSet change;
        change.branch = branch;
        ChangedFile readme = file(Action::Rewrite, {}, branch == "main"_L1, "a\n", "b\n");
        readme.path = u"README.md"_s;
        readme.possible = branch == "main"_L1;
        change.files = {readme};
        all.append(change);
    }
    return all;
}

QStringList asText(const QAbstractItemModel &model)
{
    QStringList rows;
    for (int group = 0; group < model.rowCount(); ++group) {
        const QModelIndex top = model.index(group, 0);
        rows.append(top.data().toString());
        for (int row = 0; row < model.rowCount(top); ++row)
            rows.append(u"  "_s + model.index(row, 0, top).data().toString());
    }
    return rows;
}

} // namespace

class TestChangeView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        QApplication::setPalette(lightPalette());
    }

    void filesApartHaveAGroupOfTheirOwn()
    {
        ChangeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setChanges(changes());
        QStringList groups;
        for (int row = 0; row < model.rowCount(); ++row)
            groups.append(model.index(row, 0).data().toString());
        QCOMPARE(groups, QStringList({u"Create 1"_s, u"Rewrite 1"_s, u"Customised 1"_s, u"Delete 1"_s,
                                      u"Leave as they are 1"_s}));
        QCOMPARE(model.index(2, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        QVERIFY(model.setData(model.index(2, 0), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(model.changes().constFirst().chosen().value(Action::Rewrite), 2);
    }

    /// Each warning has its own line, and none is cut: two long ones were one line, elided in the middle.
    void eachWarningIsReadable()
    {
        QList<ChangeSet> warned = readmes();
        warned[0].warnings = {u"The version that branch "_s + QString(80, u'x') + u" builds is unknown."_s,
                              u"The table of branches leaves out "_s + QString(80, u'y') + u'.'};
        ChangeView view;
        view.setChanges(warned);
        view.resize(900, 500);
        view.show();
        const auto labels = view.findChildren<QLabel *>();
        const auto notes =
            std::ranges::find(labels, u"Further notes"_s, [](const QLabel *label) { return label->accessibleName(); });
        QVERIFY(notes != labels.end());
        QCOMPARE((*notes)->text(), warned.at(0).warnings.join(u'\n'));
        QTRY_VERIFY((*notes)->isVisible() && (*notes)->height() >= 2 * (*notes)->fontMetrics().lineSpacing());
        QVERIFY((*notes)->visibleRegion().boundingRect().height() >= 2 * (*notes)->fontMetrics().lineSpacing());
    }

    void severalBranchesAreToldApart()
    {
        ChangeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setChanges(readmes());
        QCOMPARE(asText(model), QStringList({u"Rewrite 2"_s, u"  main"_s, u"  other"_s}));
        const QModelIndex group = model.index(0, 0);
        QVERIFY(!model.index(1, 0, group).data(Qt::CheckStateRole).isValid());
        QVERIFY(model.setData(group, Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(model.changes().at(0).isEmpty() && model.changes().at(1).isEmpty());
        // The choice is kept by branch, in any order.
        QList<ChangeSet> turned = readmes();
        std::swap(turned[0], turned[1]);
        model.setChanges(turned);
        QVERIFY(model.changes().at(1).isEmpty());
        // A single README is identified by its file.
        model.setChanges({readmes().constFirst()});
        QCOMPARE(asText(model), QStringList({u"Rewrite 1"_s, u"  README.md"_s}));
    }

    // While the name of a new branch is typed, the choice is kept.
    void theNameOfANewBranchLosesNoChoice()
    {
        ChangeModel model;
        QList<ChangeSet> next = changes();
        next.first().newBranch = true;
        model.setChanges(next);
        model.setData(model.indexOf(Action::Create), Qt::Unchecked, Qt::CheckStateRole);
        next.first().branch = u"mainline"_s;
        QVERIFY(model.setChanges(next));
        QCOMPARE(model.changes().constFirst().chosen().value(Action::Create), 0);
    }

    // torch-matrix.toml of a new branch is part of the change and cannot be left out.
    void whatCannotBeLeftOutHasNoBox()
    {
        ChangeModel model;
        QList<ChangeSet> next = changes();
        ChangedFile settings = file(Action::Create, {}, true, {}, "base = 1\n");
        settings.path = u"torch-matrix.toml"_s;
        settings.possible = false;
        next.first().files.append(settings);
        model.setChanges(next);
        const QModelIndex create = model.indexOf(Action::Create);
        QVERIFY(!model.index(1, 0, create).data(Qt::CheckStateRole).isValid());
        QVERIFY(model.setData(create, Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(model.changes().constFirst().chosen().value(Action::Create), 1);
        QCOMPARE(create.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
    }

    /// Errors in the chosen files are shown, and prevent applying until the user forces it.
    void errors()
    {
        ChangeView view;
        QList<ChangeSet> sets = changes();
        sets[0].errors = {u"The settings are wrong."_s};
        sets[0].files[1].errors = {u"new.nix: It does not build."_s};
        sets[0].files[3].errors = {u"mine.nix: It does not build either."_s}; // which is not chosen
        view.setChanges(sets);
        view.show();
        const auto *told = named<QLabel>(&view, u"Errors in the new text"_s);
        const QList<QCheckBox *> boxes = view.findChildren<QCheckBox *>();
        auto *force = *std::ranges::find(boxes, u"Continue despite these &errors"_s, &QCheckBox::text);
        QVERIFY(told->isVisible() && force->isVisible() && !force->isChecked());
        QVERIFY(told->text().endsWith(u"\nThe settings are wrong.\nnew.nix: It does not build."_s));
        QCOMPARE(whyNot(view.changes()), u"The audit finds 2 errors in the new text."_s);
        QSignalSpy chosen(&view, &ChangeView::chosenChanged);
        force->click();
        QCOMPARE(chosen.size(), 1);
        QVERIFY(view.changes().constFirst().forced && whyNot(view.changes()).isEmpty());
        view.setChanges(sets); // the same once more, as after another change of the repository
        QVERIFY(view.changes().constFirst().forced && force->isChecked());
        sets[0].files[1].errors = {u"new.nix: Something else is wrong."_s};
        view.setChanges(sets);
        QVERIFY(!view.changes().constFirst().forced && !force->isChecked());
        // Nothing with an error is chosen: there are no errors.
        view.choose(false);
        QVERIFY(!told->isVisible() && !force->isVisible());
    }

    void byKeys()
    {
        ChangeView view;
        view.resize(900, 500);
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.setChanges(changes());
        auto *tree = view.findChild<QTreeView *>();
        auto *code = view.findChild<CodeView *>();
        auto *diff = view.findChild<DiffView *>();
        const QList<QCheckBox *> boxes = view.findChildren<QCheckBox *>();
        auto *whole = *std::ranges::find(boxes, u"&Whole text"_s, &QCheckBox::text);
        const auto *summary = named<QLabel>(&view, u"Result"_s);
        const auto *why = named<QLabel>(&view, u"Why"_s);
        QCOMPARE(summary->text(),
                 u"Preview: 1 recipe created, 1 rewritten, 1 deleted, 1 stays as it is, 1 unchanged unless ticked."_s);
        // A new file is read as a text.
        QCOMPARE(why->text(), u"Because of new."_s);
        QVERIFY(code->isVisible() && !whole->isVisible());
        QCOMPARE(code->code(), "{ n = 1; }\n"_ba);
        // A changed one as a difference, or as a whole.
        tree->setFocus();
        QTest::keyClick(tree, Qt::Key_Down);
        QTest::keyClick(tree, Qt::Key_Down);
        QCOMPARE(why->text(), u"Because of old."_s);
        QVERIFY(diff->isVisible() && whole->isVisible());
        QTRY_COMPARE(diff->changeCount(), 1);
        QTest::keyClick(&view, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(diff->currentChange(), 1);
        QTest::mouseClick(whole, Qt::LeftButton, {}, QPoint(8, whole->height() / 2));
        QVERIFY(code->isVisible());
        QCOMPARE(code->code(), "{ a = 2; }\n"_ba);
        // Space on the customised one; a group takes all of its own.
        QTest::keyClick(tree, Qt::Key_Down);
        QTest::keyClick(tree, Qt::Key_Down);
        QSignalSpy chosen(&view, &ChangeView::chosenChanged);
        QTest::keyClick(tree, Qt::Key_Space);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(summary->text(), u"Preview: 1 recipe created, 2 rewritten, 1 deleted, 1 stays as it is."_s);
        // Changes like them keep the choice and the place.
        view.setChanges(changes("{ b = 3; }\n"));
        QVERIFY(view.current() && view.current()->name == u"mine"_s);
        QCOMPARE(code->code(), "{ b = 3; }\n"_ba);
        QCOMPARE(view.changes().constFirst().chosen().value(Action::Rewrite), 2);
        view.clear(u"Stopped."_s);
        QVERIFY(!tree->isVisible() && summary->text().isEmpty());
    }

    // A result for a file that is no longer current is discarded.
    void theDifferenceIsOfTheCurrentFile()
    {
        ChangeView view;
        view.resize(900, 500);
        view.show();
        view.setChanges(changes());
        auto *diff = view.findChild<DiffView *>();
        for (const QString &name : {u"old"_s, u"mine"_s}) {
            for (int group = 0; group < view.model()->rowCount(); ++group) {
                const QModelIndex index = view.model()->index(0, 0, view.model()->index(group, 0));
                if (index.data().toString() == name)
                    view.findChild<QTreeView *>()->setCurrentIndex(index);
            }
        }
        QTRY_COMPARE(diff->changeCount(), 1);
        QTRY_VERIFY(diff->toPlainText().contains(u"b = 2"_s));
    }

    void theOnlyFileNeedsNoList()
    {
        ChangeView view;
        view.show();
        view.setChanges({readmes().constFirst()});
        QVERIFY(!view.findChild<QTreeView *>()->isVisible());
        QTRY_COMPARE(view.findChild<DiffView *>()->changeCount(), 1);
        view.setChanges({readmes().constLast()}); // not chosen: why not is in the list
        QVERIFY(view.findChild<QTreeView *>()->isVisible());
    }
};

TM_TEST(TestChangeView, QApplication)
#include "tst_changeview.moc"
