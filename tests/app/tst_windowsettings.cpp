// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/PreferencesController.h"
#include "app/window/Menus.h"
#include "model/base/Preferences.h"
#include "model/hardware/MachineStore.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/FileText.h"
#include "tests/support/TestMain.h"
#include "views/console/ConsoleView.h"
#include "views/hardware/MachineBar.h"
#include "views/help/Manual.h"
#include "views/preferences/PreferencesDialog.h"
#include "views/queue/BuildDialog.h"
#include "views/widgets/CodeFont.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString settingsRecipe = u"pytorch-python313-cuda12_8-sm90-avx2"_s;

/// The settings, opened with Ctrl+, like by a user.
PreferencesDialog *openSettings(const DrivenWindow &driven)
{
    driven.window->activateWindow();
    if (!QTest::qWaitForWindowActive(driven.window.get()))
        return nullptr;
    QTest::keyClick(driven.window.get(), Qt::Key_Comma, Qt::ControlModifier);
    PreferencesDialog *dialog = nullptr;
    const auto opened = [&] {
        dialog = driven.window->findChild<PreferencesDialog *>();
        return dialog && dialog->isVisible();
    };
    return QTest::qWaitFor(opened, 60000) ? dialog : nullptr;
}

/// The widget of this accessible name.
template <class W>
W *settingsField(const QWidget *in, const QString &name)
{
    for (W *widget : in->findChildren<W *>()) {
        if (widget->accessibleName() == name)
            return widget;
    }
    return nullptr;
}

void pressButton(const QDialog *dialog, QDialogButtonBox::StandardButton button)
{
    QTest::mouseClick(dialog->findChild<QDialogButtonBox *>()->button(button), Qt::LeftButton);
}

void showTab(const PreferencesDialog *dialog, int index)
{
    QTabBar *bar = dialog->findChild<QTabWidget *>()->tabBar();
    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(index).center());
}

/// Chooses the entry of a list with the keyboard.
void choose(QComboBox *box, const QString &word)
{
    box->setFocus();
    const int wanted = box->findData(word);
    while (box->currentIndex() != wanted)
        QTest::keyClick(box, box->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
}

void type(QLineEdit *line, const QString &text)
{
    line->setFocus();
    line->selectAll();
    QTest::keyClick(line, Qt::Key_Delete);
    QTest::keyClicks(line, text);
}

void type(QAbstractSpinBox *box, const QString &text)
{
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    QTest::keyClick(box, Qt::Key_Tab);
}

} // namespace

/// The settings of the program, with mouse and keys.
class TestWindowSettings : public QObject
{
    Q_OBJECT

    QString m_config;

private Q_SLOTS:
    void initTestCase()
    {
        const SampleFixture first; // it says where settings are
        m_config = qEnvironmentVariable("XDG_CONFIG_HOME");
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s));
        QDir(m_config + u"/torch-matrix/machines"_s).removeRecursively();
        QVERIFY(Preferences().save().ok());
    }

    void eachSettingChangesWhatItSays()
    {
        const QString catalogFolder = m_config + u"/own catalog"_s;
        QVERIFY(QDir().mkpath(catalogFolder));
        {
            DrivenWindow driven;
            QTRY_VERIFY(driven.settled());
            PreferencesDialog *dialog = openSettings(driven);
            QVERIFY(dialog);
            QVERIFY(dialog->values() == PreferencesDialog::Values());
            QVERIFY(!dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Apply)->isEnabled());

            choose(settingsField<QComboBox>(dialog, u"Appearance"_s), u"dark"_s);
            type(settingsField<QSpinBox>(dialog, u"Size of code"_s), u"17"_s);
            type(settingsField<QLineEdit>(dialog, u"Editor command"_s), u"editor --new"_s);
            QTest::mouseClick(settingsField<QCheckBox>(dialog, u"Notify when builds end"_s), Qt::LeftButton, {},
                              {8, 8});
            showTab(dialog, 1);
            choose(settingsField<QComboBox>(dialog, u"What builds"_s), u"nix"_s);
            type(settingsField<QLineEdit>(dialog, u"Where it is built"_s), u"gpu-box"_s);
            type(settingsField<QSpinBox>(dialog, u"Cores for each build"_s), u"3"_s);
            type(settingsField<QSpinBox>(dialog, u"Builds at a time"_s), u"4"_s);
            QTest::mouseClick(settingsField<QCheckBox>(dialog, u"Pause the queue at the first failure"_s),
                              Qt::LeftButton, {}, {8, 8});
            type(settingsField<QAbstractSpinBox>(dialog, u"Size limit of logs"_s), u"2G"_s);
            showTab(dialog, 2);
            type(settingsField<QLineEdit>(dialog, u"Folder of your catalog"_s), catalogFolder);

            // Nothing has changed yet.
            QVERIFY(Preferences::load() == Preferences());
            QVERIFY(QApplication::palette().window().color().lightness() > 128);
            pressButton(dialog, QDialogButtonBox::Apply);
            QTRY_VERIFY(!dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Apply)->isEnabled() &&
                        dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->isEnabled());
            const auto *problem = settingsField<QLabel>(dialog, u"What failed"_s);
            QVERIFY2(!problem->isVisible(), qPrintable(problem->text()));
            QVERIFY(QApplication::palette().window().color().lightness() < 128);
            QCOMPARE(driven.window->findChild<ConsoleView *>()->font().pointSize(), 17);
            const QueueContents queue = Queue(driven.jobFolder.path()).contents();
            QCOMPARE(queue.parallel, 4);
            QVERIFY(queue.stopAtFailure);
            QCOMPARE(queue.logLimit, qint64(2) << 30);
            pressButton(dialog, QDialogButtonBox::Cancel); // nothing is left to discard
            QTRY_VERIFY(!driven.window->findChild<PreferencesDialog *>());
        }
        const Preferences kept = Preferences::load();
        QCOMPARE(kept.appearance, u"dark"_s);
        QCOMPARE(kept.codeSize, 17);
        QCOMPARE(kept.editor, u"editor --new"_s);
        QVERIFY(!kept.notifications);
        QCOMPARE(kept.engine, u"nix"_s);
        QCOMPARE(kept.place, u"ssh:gpu-box"_s);
        QCOMPARE(kept.cores, 3);
        QCOMPARE(kept.usedCatalogFolder(), catalogFolder);

        // The next window starts with them; "Reset" resets one, "Reset all" every one.
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        PreferencesDialog *dialog = openSettings(driven);
        QVERIFY(dialog);
        QVERIFY(dialog->values().preferences == kept);
        auto *reset = settingsField<QToolButton>(dialog, u"Reset: Appearance"_s);
        QVERIFY(reset->isEnabled());
        QTest::mouseClick(reset, Qt::LeftButton);
        QVERIFY(!reset->isEnabled());
        QCOMPARE(dialog->values().preferences.appearance, u"desktop"_s);
        QCOMPARE(dialog->values().preferences.codeSize, 17);
        showTab(dialog, 1);
        auto *limit = settingsField<QAbstractSpinBox>(dialog, u"Size limit of logs"_s);
        for (const QString &text : {u"0"_s, u"3G"_s, u"no limit"_s}) {
            type(limit, text);
            QCOMPARE(dialog->values().logLimit, text == u"3G"_s ? qint64(3) << 30 : 0);
        }
        QTest::mouseClick(driven.button(dialog, u"Reset all"_s), Qt::LeftButton);
        for (const QToolButton *button : dialog->findChildren<QToolButton *>())
            QVERIFY2(!button->accessibleName().startsWith(u"Reset"_s) || !button->isEnabled(),
                     qPrintable(button->accessibleName()));
        QTest::keyClick(dialog, Qt::Key_Return); // OK
        QTRY_VERIFY(!driven.window->findChild<PreferencesDialog *>());
        QVERIFY(Preferences::load() == Preferences());
        QVERIFY(QApplication::palette().window().color().lightness() > 128);
        QCOMPARE(driven.window->findChild<ConsoleView *>()->font(), codeFont());
    }

    /// A limit that removes logs asks first; Cancel leaves the settings open, and all logs.
    void aLowerLimitOfLogsAsks()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        Job job;
        job.repository = driven.sample.path();
        job.branch = u"main"_s;
        job.commit = job.blob = QString(40, u'a');
        job.package = job.variant = settingsRecipe;
        job.recipe = u".flox/pkgs/%1.nix"_s.arg(settingsRecipe);
        job.created = QDateTime::currentDateTimeUtc();
        const Result<JobFolder> folder = JobFolder::create(driven.jobFolder.path(), job);
        QVERIFY(folder);
        QByteArray noise(8192, '\n');
        std::ranges::generate(noise, [] { return char(QRandomGenerator::global()->bounded(256)); });
        putFile(folder->logFile(), noise);
        JobOutcome outcome;
        outcome.started = outcome.ended = job.created;
        QVERIFY(folder->writeOutcome(outcome));
        const auto limit = [&driven] { return Queue(driven.jobFolder.path()).contents().logLimit; };
        PreferencesDialog *dialog = openSettings(driven);
        QVERIFY(dialog);
        showTab(dialog, 1);
        const auto question = [] { return qobject_cast<QMessageBox *>(QApplication::activeModalWidget()); };
        type(settingsField<QAbstractSpinBox>(dialog, u"Size limit of logs"_s), u"1K"_s);
        pressButton(dialog, QDialogButtonBox::Ok);
        QTRY_VERIFY(question());
        QVERIFY2(question()->text().contains(u"1 log"_s), qPrintable(question()->text()));
        QTest::keyClick(question(), Qt::Key_Escape);
        QTRY_VERIFY(!question());
        QVERIFY(dialog->isVisible() && limit() == usualLogLimit);
        QVERIFY(QFile::exists(folder->logFile()) || QFile::exists(folder->logFile() + u".gz"_s));
        pressButton(dialog, QDialogButtonBox::Ok);
        QTRY_VERIFY(question());
        QTest::mouseClick(driven.button(question(), u"Remove"_s), Qt::LeftButton);
        QTRY_VERIFY(!driven.window->findChild<PreferencesDialog *>());
        QCOMPARE(limit(), 1024);
    }

    void buildsBeginWithTheDefaults()
    {
        Preferences preferences;
        preferences.engine = u"nix"_s;
        preferences.cores = 3;
        preferences.place = u"ssh:gpu-box"_s;
        QVERIFY(preferences.save().ok());
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        driven.window->findChild<BuildController *>()->buildWithOptions({settingsRecipe});
        BuildDialog *dialog = nullptr;
        QTRY_VERIFY((dialog = driven.window->findChild<BuildDialog *>()));
        const BuildWish wish = dialog->request().wish;
        QCOMPARE(wish.engine, std::optional(BuildEngine::Nix));
        QCOMPARE(wish.cores, 3);
        QCOMPARE(toString(wish.place), u"ssh:gpu-box"_s);
    }

    void theEditorIsStarted()
    {
        const QString script = m_config + u"/my editor"_s;
        const QString seen = m_config + u"/seen"_s;
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\nprintf '%s|' \"$@\" >'" + seen.toUtf8() + ".part'\nmv '" + seen.toUtf8() + ".part' '" +
                   seen.toUtf8() + "'\n");
        file.setPermissions(file.permissions() | QFile::ExeOwner);
        file.close();
        Preferences preferences;
        preferences.editor = u"\"%1\" --new \"two words\""_s.arg(script);
        QVERIFY(preferences.save().ok());
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        Q_EMIT driven.grid()->editorRequested(settingsRecipe);
        QTRY_VERIFY(QFile::exists(seen));
        QFile told(seen);
        QVERIFY(told.open(QIODevice::ReadOnly));
        const QString arguments = QString::fromUtf8(told.readAll());
        QVERIFY2(arguments.startsWith(u"--new|two words|/"_s) && arguments.endsWith(u".nix|"_s), qPrintable(arguments));

        preferences.editor = u"/nowhere/editor"_s;
        QVERIFY(preferences.save().ok());
        Q_EMIT driven.grid()->editorRequested(settingsRecipe);
        QTRY_VERIFY2(driven.notice().contains(u"Could not start the editor /nowhere/editor"_s),
                     qPrintable(driven.notice()));
    }

    void cancelChangesNothing()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        PreferencesDialog *dialog = openSettings(driven);
        QVERIFY(dialog);
        choose(settingsField<QComboBox>(dialog, u"Appearance"_s), u"contrast"_s);
        type(settingsField<QLineEdit>(dialog, u"Editor command"_s), u"editor"_s);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!driven.window->findChild<PreferencesDialog *>());
        QVERIFY(Preferences::load() == Preferences());
        // The dialog that is opened again shows what is in force.
        dialog = openSettings(driven);
        QVERIFY(dialog);
        QVERIFY(dialog->values() == PreferencesDialog::Values());
    }

    void whatCannotBeUsedIsRefused_data()
    {
        QTest::addColumn<int>("tab");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("typed");
        QTest::newRow("an option") << 1 << u"Where it is built"_s << u"-oProxyCommand=true"_s;
        QTest::newRow("no folder") << 2 << u"Folder of your templates"_s << u"/nowhere/at/all"_s;
        QTest::newRow("relative") << 2 << u"Folder of your catalog"_s << u"."_s;
    }
    void whatCannotBeUsedIsRefused()
    {
        QFETCH(const int, tab);
        QFETCH(const QString, field);
        QFETCH(const QString, typed);
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        PreferencesDialog *dialog = openSettings(driven);
        QVERIFY(dialog);
        choose(settingsField<QComboBox>(dialog, u"Appearance"_s), u"dark"_s);
        showTab(dialog, tab);
        type(settingsField<QLineEdit>(dialog, field), typed);
        pressButton(dialog, QDialogButtonBox::Ok);
        const auto *problem = settingsField<QLabel>(dialog, u"What failed"_s);
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(typed), qPrintable(problem->text()));
        QCOMPARE(problem->textFormat(), Qt::PlainText);
        QVERIFY(Preferences::load() == Preferences());
        QVERIFY(QApplication::palette().window().color().lightness() > 128);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!driven.window->findChild<PreferencesDialog *>());
    }

    void machinesAreRenamedAndRemoved()
    {
        const MachineStore store;
        for (const QString &name : {u"alpha"_s, u"beta"_s, u"gamma"_s})
            QVERIFY(store.save(name, {}).ok());
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        PreferencesDialog *dialog = openSettings(driven);
        QVERIFY(dialog);
        showTab(dialog, 3);
        auto *list = settingsField<QListWidget>(dialog, u"Saved machines"_s);
        QCOMPARE(list->count(), 3);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_F2);
        auto *line = list->findChild<QLineEdit *>();
        QVERIFY(line);
        type(line, u"omega"_s);
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY(!list->findChild<QLineEdit *>());
        QTest::keyClick(list, Qt::Key_Down);
        QTest::mouseClick(settingsField<QPushButton>(dialog, u"Remove the machine"_s), Qt::LeftButton);
        QCOMPARE(store.names(), (QStringList{u"alpha"_s, u"beta"_s, u"gamma"_s})); // not applied yet
        pressButton(dialog, QDialogButtonBox::Apply);
        QTRY_COMPARE(store.names(), (QStringList{u"gamma"_s, u"omega"_s}));
        auto *machines = settingsField<QComboBox>(driven.window->findChild<MachineBar *>(), u"Machine"_s);
        QTRY_VERIFY(machines->findText(u"omega"_s) >= 0 && machines->findText(u"beta"_s) < 0);

        // A name that another machine has is refused, and replaces nothing.
        QTRY_COMPARE(list->count(), 2);
        QTRY_VERIFY(list->isEnabled());
        list->setCurrentRow(0);
        QTest::mouseClick(settingsField<QPushButton>(dialog, u"Rename the machine"_s), Qt::LeftButton);
        line = list->findChild<QLineEdit *>();
        QVERIFY(line);
        type(line, u"omega"_s);
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY(!list->findChild<QLineEdit *>());
        pressButton(dialog, QDialogButtonBox::Ok);
        const auto *problem = settingsField<QLabel>(dialog, u"What failed"_s);
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(u"another machine has the name omega"_s), qPrintable(problem->text()));
        QCOMPARE(store.names(), (QStringList{u"gamma"_s, u"omega"_s}));
    }

    void theMenuShowsTheSameAppearance()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        Preferences preferences;
        preferences.appearance = u"contrast"_s;
        QVERIFY(preferences.save().ok());
        for (QMenu *menu : driven.window->findChildren<QMenu *>()) {
            if (menu->title() != u"&Appearance"_s)
                continue;
            Q_EMIT menu->aboutToShow();
            for (const QAction *action : menu->actions())
                QCOMPARE(action->isChecked(), action->text() == u"High &contrast"_s);
            menu->actions().at(1)->trigger();
        }
        QCOMPARE(Preferences::load().appearance, u"light"_s);
    }

    void keysReachEverythingAndF1Helps()
    {
        DrivenWindow driven;
        driven.window->resize(900, 600);
        QTRY_VERIFY(driven.settled());
        PreferencesDialog *dialog = openSettings(driven);
        QVERIFY(dialog);
        QVERIFY(dialog->width() <= 900 && dialog->height() <= 600);
        QCOMPARE(manualPageOf(settingsField<QComboBox>(dialog, u"Appearance"_s)), u"settings"_s);
        auto *tabs = dialog->findChild<QTabWidget *>();
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            QList<QWidget *> missed;
            for (QWidget *widget : tabs->widget(tab)->findChildren<QWidget *>()) {
                const bool wanted = widget->isVisible() && widget->isEnabled() &&
                                    (qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget) ||
                                     qobject_cast<QAbstractSpinBox *>(widget) || qobject_cast<QListWidget *>(widget));
                if (wanted)
                    missed.append(widget);
            }
            tabs->tabBar()->setFocus();
            for (int steps = 0; steps < 60 && !missed.isEmpty(); ++steps) {
                QTest::keyClick(dialog->focusWidget(), Qt::Key_Tab);
                missed.removeAll(dialog->focusWidget());
            }
            for (const QWidget *widget : missed)
                QFAIL(qPrintable(u"not reached: "_s + widget->accessibleName()));
        }
        for (const QWidget *widget : dialog->findChildren<QWidget *>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || qobject_cast<const QTabBar *>(widget) ||
                qobject_cast<const QTabWidget *>(widget) || widget->inherits("QScrollArea"))
                continue;
            const auto *button = qobject_cast<const QAbstractButton *>(widget);
            const bool part = qobject_cast<const QAbstractSpinBox *>(widget->parentWidget());
            QVERIFY2(part || !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                     widget->metaObject()->className());
        }
    }
};

TM_TEST(TestWindowSettings, QApplication)
#include "tst_windowsettings.moc"
