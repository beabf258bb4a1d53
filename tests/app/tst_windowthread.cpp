// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/BuildController.h"
#include "app/controllers/CompareController.h"
#include "app/controllers/HardwareController.h"
#include "app/controllers/WorkController.h"
#include "model/base/WindowThread.h"
#include "model/git/TextDiff.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/TestMain.h"
#include "views/audit/AuditPage.h"
#include "views/compare/BranchChooser.h"
#include "views/compare/ComparePanel.h"
#include "views/compare/SideBySide.h"
#include "views/history/HistoryPanel.h"
#include "views/plan/PlanView.h"
#include "views/recipe/DiffView.h"
#include "views/settings/SettingsPage.h"
#include "views/widgets/ViewTabs.h"

#include <QApplication>
#include <QCheckBox>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtConcurrent>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString hopperVariant = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
const QString cpuVariant = u"pytorch-python313-cpu-avx2"_s;

template <class T>
T *topLevel()
{
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        if (auto *found = qobject_cast<T *>(widget))
            return found;
    }
    return nullptr;
}

} // namespace

/// Nothing slow is called on the GUI thread: git, disk, a search of PATH, diffs of texts.
class TestWindowThread : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;
    QByteArray m_path = qgetenv("PATH");
    std::unique_ptr<DrivenWindow> m_driven;
    std::unique_ptr<WindowThreadWatch> m_watch;

    [[nodiscard]] MainWindow *window() const { return m_driven->window.get(); }
    void showView(const QString &name) const
    {
        for (ViewTabs *views : window()->findChildren<ViewTabs *>()) {
            for (int i = 0; i < views->count(); ++i) {
                if (views->viewAt(i)->objectName() == name)
                    return views->setCurrentIndex(i);
            }
        }
        QFAIL("no such view");
    }
    void press(const QWidget *in, const QString &text) const
    {
        QTRY_VERIFY2(m_driven->canClick(in, text), qPrintable(text));
        QTest::mouseClick(m_driven->button(in, text), Qt::LeftButton);
    }

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
        qputenv("PATH", QByteArray(TM_STANDINS ":") + m_path);
        m_driven = std::make_unique<DrivenWindow>(hopperVariant);
        m_watch = std::make_unique<WindowThreadWatch>(); // after the sample, which is made here
        QTRY_VERIFY(m_driven->settled());
    }
    void cleanup()
    {
        const QStringList calls = m_watch->calls();
        m_watch.reset();
        m_driven.reset();
        QCOMPARE(calls, QStringList());
    }

    void notesWhatIsCalled()
    {
        (void)diffTexts("a\n", "b\n");
        QCOMPARE(m_watch->calls(), QStringList{u"difference of two texts"_s});
        m_watch.reset(); // the notes end with it
        m_watch = std::make_unique<WindowThreadWatch>();
        QFuture<QList<DiffLine>> elsewhere = QtConcurrent::run([] { return diffTexts("a\n", "b\n"); });
        QTRY_VERIFY(elsewhere.isFinished());
        QCOMPARE(m_watch->calls(), QStringList());
    }

    void selectGenerateCommit()
    {
        m_driven->click(cpuVariant);
        QTRY_COMPARE(m_driven->pane()->name(), cpuVariant);
        m_driven->click(hopperVariant);
        QTRY_COMPARE(m_driven->pane()->name(), hopperVariant);
        QTest::keyClick(m_driven->table(), Qt::Key_G);
        QTRY_COMPARE(m_driven->state(hopperVariant), u"untracked"_s);
        QTRY_VERIFY(m_driven->settled());
        QTest::keyClick(m_driven->table(), Qt::Key_C);
        QTRY_COMPARE(m_driven->state(hopperVariant), u"current"_s);
        QTRY_VERIFY(m_driven->settled());
        m_driven->sample.write(u".flox/pkgs/%1.nix"_s.arg(cpuVariant), "{ }\n"); // another program edits
        QTRY_COMPARE_NE(m_driven->state(cpuVariant), u"current"_s);
        window()->openRepository(m_driven->sample.path(), u"cuda-12_9"_s);
        QTRY_VERIFY(m_driven->settled() && window()->windowTitle().contains(u"cuda-12_9"_s));
    }

    void historyOfACell()
    {
        m_driven->click(cpuVariant);
        QTRY_COMPARE(m_driven->pane()->name(), cpuVariant);
        window()->activateWindow();
        QTest::keyClick(window(), Qt::Key_H, Qt::ControlModifier);
        QTRY_VERIFY(topLevel<HistoryPanel>() && topLevel<HistoryPanel>()->findChild<DiffView *>()->changeCount() > 0);
    }

    void compareBranches()
    {
        const ComparePanel *panel = window()->compareBranches({u"main"_s, u"cuda-12_9"_s, u"cuda-12_9~1"_s})->panel();
        QTRY_VERIFY(panel->model()->comparison());
        QTRY_VERIFY(panel->findChild<SideBySide *>()->changeCount() > 0);
    }

    void planAndApply()
    {
        showView(u"plan"_s);
        const auto *view = window()->findChild<PlanView *>();
        press(view, u"Apply 1 step"_s);
        QTRY_COMPARE(m_driven->state(hopperVariant), u"current"_s);
        press(window(), u"Undo"_s);
        QTRY_COMPARE(m_driven->state(hopperVariant), u"missing"_s);
        QTRY_VERIFY(m_driven->settled());
    }

    void lineEditAndSave()
    {
        showView(u"settings"_s);
        const auto *page = window()->findChild<SettingsPage *>();
        for (QCheckBox *box : page->findChildren<QCheckBox *>()) {
            if (box->accessibleName() == u"Python 3.12"_s)
                box->click();
        }
        press(page, u"Save…"_s);
        QTRY_VERIFY(QApplication::activeModalWidget());
        press(QApplication::activeModalWidget(), u"Commit"_s);
        QTRY_VERIFY2(m_driven->notice().contains(u"committed"_s), qPrintable(m_driven->notice()));
        QTRY_VERIFY(m_driven->settled());
    }

    void auditAndFix()
    {
        const QString file = u".flox/pkgs/%1.nix"_s.arg(cpuVariant);
        m_driven->sample.write(file, m_driven->sample.read(file).replace("-mavx2", "-mavx512f"));
        QTRY_VERIFY(m_driven->settled() && m_driven->state(cpuVariant) != u"current"_s);
        m_driven->click(cpuVariant);
        QTRY_COMPARE(m_driven->pane()->name(), cpuVariant);
        m_driven->pane()->setTab(RecipePane::Tab::Audit);
        press(m_driven->pane(), u"Regenerate…"_s);
        press(m_driven->pane(), u"Apply"_s);
        QTRY_COMPARE(m_driven->state(cpuVariant), u"current"_s);
        QTRY_VERIFY(m_driven->settled());
    }

    void buildAndDetect()
    {
        m_driven->click(cpuVariant);
        QTest::keyClick(m_driven->table(), Qt::Key_B);
        QTRY_COMPARE(m_driven->build(cpuVariant), u"built"_s);
        window()->findChild<HardwareController *>()->detect();
        QTRY_VERIFY(m_driven->settled());
    }
};

TM_TEST(TestWindowThread, QApplication)
#include "tst_windowthread.moc"
