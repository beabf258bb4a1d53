// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/PreferencesController.h"

#include "app/window/Appearance.h"
#include "model/base/Tr.h"
#include "model/builds/JobWatch.h"
#include "model/hardware/MachineStore.h"
#include "model/job/Place.h"
#include "model/job/Queue.h"
#include "views/preferences/PreferencesDialog.h"
#include "views/widgets/CodeFont.h"
#include "views/widgets/Message.h"

#include <QFileInfo>
#include <QtConcurrent>

namespace tmx {

namespace {

/// The values that the dialog starts with.
struct Known {
    PreferencesDialog::Values values;
    QStringList machines;
};

Known readKnown(const QString &state)
{
    const QueueContents queue = Queue(state).contents();
    return {{Preferences::load(), queue.parallel, queue.stopAtFailure, queue.logLimit}, MachineStore().names()};
}

/// Checks the preferences; the error is the first value that cannot be used.
Result<void> checkPreferences(const Preferences &preferences)
{
    if (!placeNamed(preferences.place))
        return Error{Tr::tr("use"), preferences.place.section(u':', 1), Tr::tr("it is not the name of a host"),
                     Tr::tr("Enter a host as ssh takes it, \"slurm\", or nothing for this machine.")};
    for (const QString &folder : {preferences.catalogFolder, preferences.templateFolder}) {
        if (!folder.isEmpty() && !(QFileInfo(folder).isAbsolute() && QFileInfo(folder).isDir()))
            return Error{Tr::tr("use the folder"), folder, Tr::tr("there is no folder with this path"),
                         Tr::tr("Choose a folder that exists, or reset it.")};
    }
    return {};
}

/// How many logs a new limit removes.
int logsAbove(const QString &state, qint64 limit)
{
    return Queue(state).contents().logLimit == limit ? 0 : tidyLogs(state, limit, OldLogs::Count);
}

Result<void> applyAll(const QString &state, const PreferencesDialog::Values &values,
                      const QHash<QString, QString> &newNames)
{
    Result<void> done = checkPreferences(values.preferences);
    const MachineStore store;
    for (auto it = newNames.begin(); done && it != newNames.end(); ++it)
        done = it.value().isEmpty() ? store.remove(it.key()) : store.rename(it.key(), it.value());
    Queue queue(state);
    const QueueContents was = queue.contents();
    if (done && (was.parallel != values.parallel || was.stopAtFailure != values.stopAtFailure ||
                 was.logLimit != values.logLimit)) {
        done = queue.change([&values](QueueContents &contents) {
            contents.parallel = values.parallel;
            contents.stopAtFailure = values.stopAtFailure;
            contents.logLimit = values.logLimit;
        });
        if (done)
            done = queue.wake();
    }
    return done ? values.preferences.save() : done;
}

} // namespace

PreferencesController::PreferencesController(JobWatch *watch, QWidget *window)
    : QObject(window)
    , m_watch(watch)
    , m_window(window)
{
}

void PreferencesController::open()
{
    if (m_dialog) {
        m_dialog->raise();
        m_dialog->activateWindow();
        return;
    }
    if (std::exchange(m_opening, true))
        return;
    QtConcurrent::run(readKnown, m_watch->state()).then(this, [this](const Known &known) {
        m_opening = false;
        m_dialog = new PreferencesDialog(known.values, known.machines, m_window);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &PreferencesDialog::applyRequested, this, &PreferencesController::apply);
        m_dialog->open();
    });
}

void PreferencesController::apply(bool close)
{
    m_dialog->setApplying(true);
    QtConcurrent::run(logsAbove, m_watch->state(), m_dialog->values().logLimit).then(this, [this, close](int logs) {
        if (!m_dialog)
            return;
        if (logs == 0)
            return carryOut(close);
        m_dialog->setApplying(false);
        ask(m_dialog,
            {tr("Remove logs"), tr("%n logs are above the limit, and would be removed.", nullptr, logs), tr("Remove"),
             true},
            m_dialog, [this, close] { carryOut(close); });
    });
}

void PreferencesController::carryOut(bool close)
{
    const PreferencesDialog::Values values = m_dialog->values();
    const QHash<QString, QString> newNames = m_dialog->newNames();
    m_dialog->setApplying(true);
    struct Applied {
        Result<void> done;
        QStringList machines;
    };
    QtConcurrent::run([state = m_watch->state(), values, newNames]() -> Applied {
        Result<void> done = applyAll(state, values, newNames);
        return {std::move(done), MachineStore().names()};
    }).then(this, [this, close, values, newNames](const Applied &applied) {
        QHash<QString, QString> changed = newNames;
        changed.removeIf([&applied](const auto &one) { return applied.machines.contains(one.key()); });
        if (!changed.isEmpty())
            Q_EMIT machinesChanged(changed);
        m_watch->lookSoon();
        if (applied.done) {
            tmx::apply(appearanceFrom(values.preferences.appearance).value_or(Appearance::Desktop));
            updateCodeFonts();
        }
        if (!m_dialog)
            return;
        if (!applied.done)
            m_dialog->setProblem(applied.done.error().sentence(), applied.machines);
        else if (close)
            m_dialog->accept();
        else
            m_dialog->setApplied(applied.machines);
    });
}

} // namespace tmx
