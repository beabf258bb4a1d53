// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/CompareController.h"
#include "app/window/MainWindow.h"
#include "model/fleet/KnownRepositories.h"
#include "model/matrix/MatrixRoles.h"
#include "tests/support/FleetFixture.h"
#include "tests/support/SampleFixture.h"
#include "tests/support/TestMain.h"
#include "views/compare/BranchChooser.h"
#include "views/compare/ComparePanel.h"
#include "views/grid/MatrixView.h"
#include "views/recipe/RecipePane.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

/// From the window to the comparison of two branches, on a real repository.
class CompareWindowTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<test::SampleFixture> m_sample;
    std::unique_ptr<MainWindow> m_window;
    QTemporaryDir m_config;

    [[nodiscard]] ComparePanel *panel() const { return m_window->findChild<CompareController *>()->panel(); }
    [[nodiscard]] QString totals() const
    {
        for (const QLabel *label : panel()->findChildren<QLabel *>()) {
            if (label->accessibleName() == "Totals"_L1)
                return label->text();
        }
        return {};
    }

    [[nodiscard]] QStringList sides() const
    {
        QStringList labels;
        if (const auto &comparison = panel()->model()->comparison()) {
            for (const ComparedSide &side : comparison->sides)
                labels.append(side.label);
        }
        return labels;
    }

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
        m_sample = std::make_unique<test::SampleFixture>();
        m_window = std::make_unique<MainWindow>(m_sample->catalog());
        m_window->show();
        m_window->openRepository(m_sample->path());
        QTRY_VERIFY(m_window->isSettled());
    }
    void cleanup()
    {
        m_window.reset();
        m_sample.reset();
    }

    void fromTheKeyboard()
    {
        m_window->activateWindow();
        QTest::keyClick(m_window.get(), Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(panel());
        QTRY_COMPARE(panel()->chooser()->checked(), QStringList{u"main"_s});
        QVERIFY(!panel()->model()->comparison());
        panel()->chooser()->setChecked({u"main"_s, u"cuda-12_9"_s});
        QTRY_VERIFY2(totals().contains(u"all 44 recipes in both differ"_s), qPrintable(totals()));
        // A commit in a terminal shows by itself.
        m_sample->takeOut(u"pytorch-python313-cpu-avx2"_s);
        QTRY_VERIFY2(totals().contains(u"all 43 recipes in both differ"_s), qPrintable(totals()));
    }

    void withLabels()
    {
        m_sample->git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"Nothing"_s});
        m_window->compareBranches({u"main"_s, u"cuda-13_0"_s, u"main~1"_s});
        QTRY_COMPARE(panel()->chooser()->checked(), (QStringList{u"main"_s, u"cuda-13_0"_s, u"main~1"_s}));
        QTRY_VERIFY(panel()->model()->comparison() && panel()->model()->comparison()->sides.size() == 3);
    }

    /// A cell's menu acts on the branch that the main window shows.
    void aCellHasAMenu()
    {
        CompareController *compare = m_window->compareBranches({u"main"_s, u"cuda-12_9"_s});
        QSignalSpy shown(compare, &CompareController::showRequested);
        auto *grid = compare->panel()->findChild<MatrixView *>();
        QTRY_VERIFY(grid->model()->rowCount() > 0);
        const QString name = u"pytorch-python313-cpu-avx2"_s;
        QModelIndex cell;
        for (int row = 0; row < grid->model()->rowCount(); ++row) {
            for (int column = 0; column < grid->model()->columnCount(); ++column) {
                if (grid->model()->index(row, column).data(VariantNameRole).toString() == name)
                    cell = grid->model()->index(row, column);
            }
        }
        QVERIFY(cell.isValid());
        grid->setCurrentIndex(cell);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
        QApplication::sendEvent(grid, &event);
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QStringList texts;
        for (const QAction *action : menu->actions())
            texts.append(action->text().remove(u'&') + (action->isEnabled() ? QString() : u" (off)"_s));
        QCOMPARE(texts, (QStringList{u"Show in the grid of main"_s, u"Copy to branch…"_s, u"Generate like… (off)"_s,
                                     QString(), u"Copy name"_s}));
        QTest::keyClick(menu, Qt::Key_S);
        QTRY_COMPARE(m_window->findChild<RecipePane *>()->name(), name);
        QCOMPARE(shown.size(), 1);
    }

    void settlesWhenTheCheckedOnesAreCompared()
    {
        const CompareController *compare = m_window->compareBranches({u"main"_s, u"cuda-12_9"_s});
        QTRY_COMPARE(sides().size(), 2);
        QTRY_VERIFY(compare->isSettled());
        auto *list = panel()->chooser()->findChild<QListWidget *>();
        list->findItems(u"cuda-13_0"_s, Qt::MatchStartsWith).constFirst()->setCheckState(Qt::Checked);
        QVERIFY(!compare->isSettled());
        QTRY_VERIFY(compare->isSettled());
        QCOMPARE(sides().size(), 3);
    }

    void sidesStandAsTheyWereNamed()
    {
        m_sample->git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"Nothing"_s});
        m_window->compareBranches({u"main~1"_s, u"main"_s, u"cuda-12_9"_s}); // the first has to be read first
        QTRY_COMPARE(sides(), (QStringList{u"main~1"_s, u"main"_s, u"cuda-12_9"_s}));
        // And as they are checked by hand.
        auto *list = panel()->chooser()->findChild<QListWidget *>();
        const auto item = [list](const QString &label) {
            for (int i = 0; i < list->count(); ++i) { // Its text begins with its place among those that are ticked.
                if (list->item(i)->data(Qt::UserRole).toString() == label)
                    return list->item(i);
            }
            return static_cast<QListWidgetItem *>(nullptr);
        };
        QVERIFY(item(u"main~1"_s) && item(u"cuda-13_0"_s));
        item(u"main~1"_s)->setCheckState(Qt::Unchecked);
        item(u"cuda-13_0"_s)->setCheckState(Qt::Checked);
        QTRY_COMPARE(sides(), (QStringList{u"main"_s, u"cuda-12_9"_s, u"cuda-13_0"_s}));
        item(u"main"_s)->setCheckState(Qt::Unchecked);
        item(u"main"_s)->setCheckState(Qt::Checked);
        QTRY_COMPARE(sides(), (QStringList{u"cuda-12_9"_s, u"cuda-13_0"_s, u"main"_s}));
    }

    void anotherRepositoryIsWatchedAsThisOneIs()
    {
        const test::SampleFixture other;
        addRepositories({other.path()});
        m_window->compareBranches({u"main"_s, other.path() + u"@main"_s});
        // The whole path names what is in the list, and does not add it once more.
        const QString side = QDir(m_sample->path()).relativeFilePath(other.path()) + u"@main"_s;
        QTRY_COMPARE(sides(), (QStringList{u"main"_s, side}));
        QTRY_VERIFY2(totals().contains(u"44 cells in both"_s), qPrintable(totals()));
        other.takeOut(u"pytorch-python313-cpu-avx2"_s);
        QTRY_VERIFY2(totals().contains(u"43 cells in both"_s), qPrintable(totals()));
        QCOMPARE(sides(), (QStringList{u"main"_s, side}));
        const auto *list = panel()->chooser()->findChild<QListWidget *>();
        const QString text = u"main of %1"_s.arg(QFileInfo(other.path()).fileName());
        QTRY_COMPARE(
            list->findItems(u"cuda-12_9 of %1"_s.arg(QFileInfo(other.path()).fileName()), Qt::MatchStartsWith).size(),
            1);
        QCOMPARE(list->findItems(text, Qt::MatchContains).size(), 1);
        forgetRepository(other.path());
    }

    /// The version of a nixpkgs that a recipe of another repository shows is known here, though nobody read it before.
    void aVersionIsLearnedFromOtherRepositories()
    {
        const test::FleetFixture fleet;
        const QByteArray silent =
            test::torchRecipe(test::newPin, "12_8", "python313", {}, "x").replace("PyTorch  ", "");
        QVERIFY(!silent.contains("PyTorch"));
        const QString name = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx2.nix"_s;
        fleet.commit(u"torch"_s, u"old"_s,
                     test::FleetFixture::torches(test::oldPin, "12_8", "python313", "2.8.0", {"avx2"}));
        fleet.commit(u"torch"_s, u"new"_s, {{name, silent}});
        fleet.commit(u"serve"_s, u"main"_s,
                     test::FleetFixture::served(test::newPin, "12_8", "python313", "2.9.1", {"avx2"}));
        addRepositories({fleet.path(u"torch"_s), fleet.path(u"serve"_s)});
        m_window->openRepository(fleet.path(u"torch"_s));
        QTRY_VERIFY(m_window->isSettled());
        const CompareController *compare = m_window->compareBranches({u"old"_s, u"new"_s});
        QTRY_COMPARE(sides(), (QStringList{u"old"_s, u"new"_s}));
        QTRY_VERIFY(compare->isSettled());
        QCOMPARE(panel()->model()->comparison()->versions, QStringList{u"pytorch 2.8.0 → 2.9.1"_s});
    }

    /// Branches of the other known repositories are in the list, and read when they are checked.
    void anotherRepositoryIsInTheList()
    {
        const test::SampleFixture other;
        addRepositories({other.path()});
        m_window->compareBranches({u"main"_s});
        auto *list = panel()->chooser()->findChild<QListWidget *>();
        const QString text = u"main of %1"_s.arg(QFileInfo(other.path()).fileName());
        const auto item = [list, &text] { return list->findItems(text, Qt::MatchStartsWith).value(0); };
        QTRY_VERIFY(item() && panel()->chooser()->checked() == QStringList{u"main"_s});
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(item()).center());
        const QString side = QDir(m_sample->path()).relativeFilePath(other.path()) + u"@main"_s;
        QTRY_COMPARE(sides(), (QStringList{u"main"_s, side}));
        QTRY_VERIFY2(totals().contains(u"44 cells in both"_s), qPrintable(totals()));
        QCOMPARE(list->findItems(text, Qt::MatchStartsWith).size(), 0); // it stands among those that are read
        forgetRepository(other.path());
    }

    void anUnknownCommitIsOneSentence()
    {
        m_window->compareBranches({u"main"_s});
        QTRY_COMPARE(panel()->chooser()->checked(), QStringList{u"main"_s});
        Q_EMIT panel()->chooser()->commitEntered(u"nothing"_s);
        const auto told = [this] {
            for (const QLabel *label : panel()->findChildren<QLabel *>()) {
                if (label->text().contains(u"has no branch or commit with that name"_s))
                    return true;
            }
            return false;
        };
        QTRY_VERIFY(told());
    }

    void copiesMarkdown()
    {
        m_window->compareBranches({u"main"_s, u"cuda-12_9"_s});
        QTRY_VERIFY(panel()->model()->comparison());
        Q_EMIT panel()->exportRequested(ComparePanel::Format::Markdown, true);
        QTRY_VERIFY(QApplication::clipboard()->text().startsWith(u"# main \u00B7 cuda-12"_s));
        Q_EMIT panel()->exportRequested(ComparePanel::Format::Json, true);
        QTRY_VERIFY(QApplication::clipboard()->text().startsWith(u'{'));
    }

    void endsWhileItReads()
    {
        m_window->compareBranches({u"main"_s, u"cuda-12_9"_s});
        m_window.reset();
    }
};

TM_TEST(CompareWindowTest, QApplication)
#include "tst_comparewindow.moc"
