// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/views/PaneFixture.h"
#include "views/plan/PlanModel.h"
#include "views/plan/StepTree.h"
#include "views/recipe/CodeView.h"
#include "views/recipe/DiffView.h"
#include "views/work/LineChangeForm.h"
#include "views/work/WorkPreview.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>

using namespace tmx;
using namespace pane;
using Action = PlanStep::Action;

namespace {

std::shared_ptr<const Catalog> catalog()
{
    static const std::shared_ptr<const Catalog> loaded = *Catalog::load();
    return loaded;
}

WorkOffer offer()
{
    const auto step = [](Action action, const QString &name, bool chosen) {
        return PlanStep{action, name, u"%1.nix"_s.arg(name), {}, u"Because of %1."_s.arg(name), chosen, true};
    };
    LineWork work;
    work.branch = work.from = u"main"_s;
    work.steps = {step(Action::Keep, u"kept"_s, false), step(Action::Create, u"new"_s, true),
                  step(Action::Rewrite, u"old"_s, true), step(Action::Rewrite, u"mine"_s, false),
                  step(Action::Delete, u"gone"_s, true)};
    WorkOffer offer;
    offer.request = MigrateRequest{u"main"_s, {}};
    offer.plan = {u"main"_s, u"abc"_s, work.steps};
    offer.groups = {{u"mine.nix"_s, u"Customised"_s}};
    offer.before = {{u"old.nix"_s, "{ a = 1; }\n"},
                    {u"mine.nix"_s, "{ b = 1; }\n"},
                    {u"gone.nix"_s, "{ }\n"},
                    {u"kept.nix"_s, "{ k = 1; }\n"}};
    offer.after = {{u"new.nix"_s, "{ n = 1; }\n"},
                   {u"old.nix"_s, "{ a = 2; }\n"},
                   {u"mine.nix"_s, "{ b = 2; }\n"},
                   {u"kept.nix"_s, "{ k = 1; }\n"}};
    offer.work = work;
    return offer;
}

} // namespace

class TestWorkPreview : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        QApplication::setPalette(lightPalette());
    }

    void stepsApartHaveAGroupOfTheirOwn()
    {
        PlanModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setPlan(offer().plan, offer().groups);
        QStringList groups;
        for (int row = 0; row < model.rowCount(); ++row)
            groups.append(model.index(row, 0).data().toString());
        QCOMPARE(groups, QStringList({u"Create 1"_s, u"Rewrite 1"_s, u"Customised 1"_s, u"Delete 1"_s, u"Keep 1"_s}));
        QCOMPARE(model.index(2, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        QVERIFY(model.setData(model.index(2, 0), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(model.plan().chosen().value(Action::Rewrite), 2);
    }

    void byKeys()
    {
        WorkPreview preview;
        preview.resize(900, 500);
        preview.show();
        preview.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&preview));
        preview.setOffer(offer());
        auto *tree = preview.findChild<StepTree *>();
        auto *code = preview.findChild<CodeView *>();
        auto *diff = preview.findChild<DiffView *>();
        auto *whole = preview.findChild<QCheckBox *>();
        const auto *summary = named<QLabel>(&preview, u"What it comes to"_s);
        const auto *why = named<QLabel>(&preview, u"Why"_s);
        QCOMPARE(summary->text(),
                 u"1 recipe created, 1 rewritten, 1 deleted, 1 stays as it is, 1 left alone unless ticked."_s);
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
        QCOMPARE(diff->changeCount(), 1);
        QTest::keyClick(&preview, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(diff->currentChange(), 1);
        QTest::mouseClick(whole, Qt::LeftButton, {}, QPoint(8, whole->height() / 2));
        QVERIFY(code->isVisible());
        QCOMPARE(code->code(), "{ a = 2; }\n"_ba);
        // Space on the customised one; a group takes all of its own.
        QTest::keyClick(tree, Qt::Key_Down);
        QTest::keyClick(tree, Qt::Key_Down);
        QSignalSpy chosen(&preview, &WorkPreview::chosenChanged);
        QTest::keyClick(tree, Qt::Key_Space);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(summary->text(), u"1 recipe created, 2 rewritten, 1 deleted, 1 stays as it is."_s);
        // An offer like it keeps the choice and the place.
        WorkOffer next = offer();
        next.after.insert(u"mine.nix"_s, "{ b = 3; }\n");
        preview.setOffer(next);
        QVERIFY(tree->currentStep() && tree->currentStep()->name == u"mine"_s);
        QCOMPARE(code->code(), "{ b = 3; }\n"_ba);
        QCOMPARE(preview.plan().chosen().value(Action::Rewrite), 2);
        preview.clear(u"Stopped."_s);
        QVERIFY(!tree->isVisible() && summary->text().isEmpty());
    }

    // What is typed stays when the form gets another line to begin with; what is not follows that line.
    void aFormKeepsWhatIsTyped()
    {
        LineChangeForm form(LineChangeForm::Kind::Derive, catalog(), {u"cuda-13_0"_s, u"main"_s}, u"main"_s);
        form.show();
        Line line = *catalog()->line(u"main"_s);
        line.versions.insert(u"torchvision"_s, u"0.23.0"_s);
        form.setLine(line);
        QCOMPARE(std::get<DeriveRequest>(form.request()), (DeriveRequest{u"main"_s, {}, {}}));
        auto *torch = named<QLineEdit>(&form, u"Version of PyTorch"_s);
        auto *vision = named<QLineEdit>(&form, u"Version of TorchVision"_s);
        auto *pin = named<QLineEdit>(&form, u"nixpkgs revision"_s);
        auto *name = named<QLineEdit>(&form, u"Name of the new branch"_s);
        QTest::keyClicks(name, u" next "_s);
        torch->selectAll();
        QTest::keyClicks(torch, u"2.10.0"_s);
        QCOMPARE(vision->text(), u"0.25.0"_s); // the companion follows
        QTest::mouseClick(named<QCheckBox>(&form, u"Python 3.12"_s), Qt::LeftButton, {}, QPoint(8, 8));
        const auto asked = std::get<DeriveRequest>(form.request());
        QCOMPARE(asked.name, u"next"_s);
        QCOMPARE(asked.change.versions.value(u"pytorch"_s), u"2.10.0"_s);
        QCOMPARE(asked.change.pythons.value_or(QStringList()), QStringList({u"python313"_s, u"python312"_s}));

        pin->selectAll();
        QTest::keyClicks(pin, QString(40, u'c'));
        QSignalSpy wanted(&form, &WorkForm::lineWanted);
        QTest::keyClicks(named<QComboBox>(&form, u"Branch to begin with"_s), u"cuda"_s);
        QCOMPARE(wanted.size(), 1);
        QVERIFY(!form.isReady());
        form.setLine(*catalog()->line(u"cuda-13_0"_s));
        QVERIFY(form.isReady() && !vision->isVisible());
        QVERIFY(named<QCheckBox>(&form, u"CUDA 13.0"_s)->isChecked() &&
                !named<QCheckBox>(&form, u"CUDA 12.8"_s)->isChecked());
        QCOMPARE(pin->text(), QString(40, u'c'));
        QCOMPARE(name->text(), u" next "_s);
        QCOMPARE(std::get<DeriveRequest>(form.request()).change.pin.value_or(QString()), QString(40, u'c'));
    }
};

QTEST_MAIN(TestWorkPreview)
#include "tst_workpreview.moc"
