// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/StartController.h"
#include "model/base/Surface.h"
#include "model/builds/TeamBuilds.h"
#include "model/fleet/KnownRepositories.h"
#include "model/matrix/OverviewModel.h"
#include "model/workspace/Workspace.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/FleetFixture.h"
#include "tests/support/TestMain.h"
#include "views/help/Manual.h"
#include "views/overview/OverviewPanel.h"
#include "views/start/NewRepositoryDialog.h"
#include "views/start/StartPage.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSettings>
#include <QTableView>
#include <QTextBrowser>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

/// The window before there is a repository in it.
class TestWindowStart : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;
    QTemporaryDir m_state;
    std::unique_ptr<SampleFixture> m_sample;
    std::unique_ptr<MainWindow> m_window;

    [[nodiscard]] StartPage *page() const { return m_window->findChild<StartPage *>(); }
    [[nodiscard]] QPushButton *button(const QWidget *in, const QString &text) const
    {
        for (QPushButton *button : in->findChildren<QPushButton *>()) {
            if (button->text() == text)
                return button;
        }
        return nullptr;
    }
    void open(const QString &path = {})
    {
        m_window = std::make_unique<MainWindow>(m_sample->catalog());
        m_window->resize(1280, 800);
        if (!path.isEmpty())
            m_window->openRepository(path);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    [[nodiscard]] bool says(const QString &text) const
    {
        for (const QLabel *label : page()->findChildren<QLabel *>()) {
            if (label->isVisible() && label->text().contains(text))
                return true;
        }
        return false;
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8());
        qputenv("TORCH_MATRIX_STATE", m_state.path().toUtf8());
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
        QSettings().clear();
        m_sample = std::make_unique<SampleFixture>();
    }
    void cleanup()
    {
        m_window.reset();
        m_sample.reset();
    }

    void knownOnesAreTheOverview()
    {
        open(m_sample->path());
        QTRY_VERIFY(m_window->isSettled());
        QVERIFY(!page()->isVisible());
        QVERIFY(m_window->findChild<GridPanel *>()->isVisible());
        m_window.reset();
        const auto served = FleetFixture::served(QByteArray(40, 'a'), "12_8", "python313", "2.9.1", {"avx2"});
        m_sample->write(served.firstKey(), served.first());
        m_sample->git({u"add"_s, u"-A"_s});
        m_sample->git({u"commit"_s, u"-q"_s, u"-m"_s, u"More"_s});
        QTemporaryDir gone;
        rememberRepository(gone.path());
        QVERIFY(gone.remove());

        open();
        QVERIFY(page()->isVisible() && !m_window->findChild<GridPanel *>()->isVisible());
        auto *overview = page()->findChild<OverviewPanel *>();
        QTableView *table = overview->table();
        const auto branches = [table] {
            QStringList names;
            for (int row = 0; row < table->model()->rowCount(); ++row)
                names.append(table->model()->index(row, int(OverviewModel::Column::Branch)).data().toString());
            return names;
        };
        QTRY_COMPARE(branches(), (QStringList{u"cuda-12_9"_s, u"cuda-13_0"_s, u"main (new commits)"_s}));
        const QModelIndex missing = table->model()->index(2, int(OverviewModel::Column::Missing));
        QVERIFY2(missing.data().toString().endsWith(u"PyTorch for 1 of 1 recipe"_s),
                 qPrintable(missing.data().toString()));
        // What is gone is told, and leaves the list when the user says so.
        auto *problem = overview->findChild<NoticeBar *>();
        QTRY_VERIFY(problem->text().contains(gone.path()));
        QTest::mouseClick(button(problem, u"Remove from the list"_s), Qt::LeftButton);
        QTRY_COMPARE(problem->text(), QString());
        QCOMPARE(knownRepositories(), QStringList{m_sample->path()});
        const QModelIndex other = table->model()->index(1, 0);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(other).center());
        QTRY_VERIFY(m_window->findChild<GridPanel *>()->isVisible());
        QVERIFY(!page()->isVisible());
        QTRY_VERIFY(m_window->isSettled());
        QVERIFY(m_window->windowTitle().contains(u"cuda-13_0"_s));
    }

    void aFolderThatIsNoRepositoryShowsItToo()
    {
        const QTemporaryDir empty;
        open(empty.path());
        QTRY_VERIFY(page()->isVisible());
        QTRY_VERIFY(says(empty.path()));
        // It is said once, and nothing can be chosen that shows an empty panel.
        QCOMPARE(m_window->findChild<NoticeBar *>(u"notice"_s)->text(), QString());
        const auto canBeChosen = [this](const QString &text) {
            const QList<QAction *> actions = m_window->findChildren<QAction *>();
            return std::ranges::any_of(
                actions, [&text](const QAction *one) { return one->text().remove(u'&') == text && one->isEnabled(); });
        };
        QVERIFY(!canBeChosen(u"This machine"_s) && !canBeChosen(u"Filter the grid"_s));
        m_window->openRepository(m_sample->path());
        QTRY_VERIFY(!page()->isVisible());
        QTRY_VERIFY(canBeChosen(u"This machine"_s) && canBeChosen(u"Filter the grid"_s));
        // When a repository is open, opening a folder that is not a repository keeps it open.
        m_window->openRepository(empty.path());
        QTRY_VERIFY(m_window->findChild<NoticeBar *>(u"notice"_s)->text().contains(empty.path()));
        QVERIFY(!page()->isVisible());
        // The remedy in the window is its button, in the terminal a command.
        const QString remedy = m_window->findChild<NoticeBar *>(u"notice"_s)->text();
        QVERIFY2(!remedy.contains(u"torch-matrix "_s) && remedy.contains(u"create a repository"_s), qPrintable(remedy));
        setSurface(Surface::Terminal);
        QCOMPARE(forSurface(u"command"_s, u"button"_s), u"command"_s);
        setSurface(Surface::Window);
        QCOMPARE(forSurface(u"command"_s, u"button"_s), u"button"_s);
    }

    void aNewRepositoryIsMade()
    {
        const QTemporaryDir place;
        const QString folder = place.filePath(u"mine"_s);
        open();
        QTest::mouseClick(button(page(), u"New repository\u2026"_s), Qt::LeftButton);
        auto *dialog = m_window->findChild<NewRepositoryDialog *>();
        QVERIFY(dialog && dialog->isVisible());
        const auto field = [dialog](const QString &name) -> QLineEdit * {
            for (QLineEdit *edit : dialog->findChildren<QLineEdit *>()) {
                if (edit->accessibleName() == name)
                    return edit;
            }
            return nullptr;
        };
        // The defaults are ticked, and what they give is shown before it is made.
        const auto count = [dialog]() -> QString {
            for (const QLabel *label : dialog->findChildren<QLabel *>()) {
                if (label->accessibleName() == u"Number of recipes"_s)
                    return label->text();
            }
            return {};
        };
        QTRY_COMPARE(count(), u"44 recipes"_s);
        QVERIFY(dialog->findChild<QCheckBox *>(u"12.8"_s)->isChecked());
        dialog->findChild<QCheckBox *>(u"12.9"_s)->setChecked(true);
        QTRY_VERIFY(count() != u"44 recipes"_s);
        dialog->findChild<QCheckBox *>(u"12.9"_s)->setChecked(false);
        QTRY_COMPARE(count(), u"44 recipes"_s);
        QPushButton *make = button(dialog, u"Create"_s);
        field(u"PyTorch version"_s)->setText(u"two"_s);
        QVERIFY(!make->isEnabled());
        field(u"PyTorch version"_s)->clear();
        field(u"Folder"_s)->clear();
        QVERIFY(!make->isEnabled());
        // A folder that is not empty is refused, and the input stays.
        field(u"Folder"_s)->setText(m_config.path());
        dialog->findChild<QCheckBox *>(u"12.8"_s)->setChecked(true);
        QFile other(m_config.filePath(u"other.txt"_s));
        QVERIFY(other.open(QIODevice::WriteOnly));
        QTest::mouseClick(make, Qt::LeftButton);
        QTRY_VERIFY(std::ranges::any_of(dialog->findChildren<QLabel *>(), [this](const QLabel *label) {
            return label->isVisible() && label->text().contains(m_config.path());
        }));
        QVERIFY(make->isEnabled());
        field(u"Folder"_s)->setText(folder);
        QTest::keyClick(field(u"PyTorch version"_s), Qt::Key_Return); // creates, and never cancels
        QTRY_VERIFY(!page()->isVisible());
        QTRY_VERIFY(m_window->isSettled());
        QVERIFY(QFile::exists(folder + u"/torch-matrix.toml"_s));
        QVERIFY(m_window->windowTitle().startsWith(u"mine"_s));
    }

    void aSampleIsMade()
    {
        const QTemporaryDir place;
        open();
        m_window->findChild<StartController *>()->makeSample(place.filePath(u"sample"_s));
        QTRY_VERIFY(says(u"Creating"_s));
        QVERIFY(!button(page(), u"Open a repository\u2026"_s)->isEnabled());
        QTRY_VERIFY(!page()->isVisible());
        QTRY_VERIFY(m_window->isSettled());
        // It has something of each kind, and the window says what to try first.
        const auto *notice = m_window->findChild<NoticeBar *>(u"notice"_s);
        QTRY_VERIFY2(notice->text().startsWith(u"Try: "_s), qPrintable(notice->text()));
        const auto *workspace = m_window->findChild<Workspace *>();
        QMap<RecipeState, int> states;
        int warnings = 0;
        for (const VariantEntry &entry : workspace->snapshot()->entries) {
            ++states[entry.state];
            warnings += std::ranges::count_if(entry.findings, [](const Finding &finding) {
                return finding.severity == Severity::Warning && finding.fixable;
            });
        }
        QCOMPARE(states.value(RecipeState::Missing), 2);
        QCOMPARE(states.value(RecipeState::Modified), 1);
        QCOMPARE(states.value(RecipeState::Broken), 0);
        QCOMPARE(warnings, 1);
        const auto &branches = workspace->info().branches;
        QVERIFY(std::ranges::any_of(branches, [](const BranchRef &branch) { return branch.ahead == 1; }));
        QCOMPARE(readOthersBuilds(place.filePath(u"sample"_s)).value().builds.size(), 4);
    }

    void theManualIsRead()
    {
        open();
        QTest::mouseClick(button(page(), u"Read the manual"_s), Qt::LeftButton);
        auto *manual = m_window->findChild<Manual *>();
        QVERIFY(manual && manual->isVisible());
        const QString text = manual->findChild<QTextBrowser *>()->toPlainText();
        QVERIFY(text.contains(u"Torch Matrix"_s) && text.contains(u"Open a repository"_s));
        QTest::keyClick(manual, Qt::Key_Escape);
        QTRY_VERIFY(!m_window->findChild<Manual *>());
    }
};

TM_TEST(TestWindowStart, QApplication)
#include "tst_windowstart.moc"
