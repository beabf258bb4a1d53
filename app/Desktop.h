// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/QueueTally.h"

#include <QDBusAbstractInterface>
#include <QLockFile>
#include <QObject>
#include <QWidget>

#include <memory>

namespace tmx {

/// The desktop's notifications: https://specifications.freedesktop.org/notification-spec
class Notifications : public QDBusAbstractInterface
{
    Q_OBJECT
public:
    Notifications(const QDBusConnection &bus, QObject *parent);

Q_SIGNALS:
    // NOLINTNEXTLINE(readability-identifier-naming): the name on the bus
    void ActionInvoked(quint32 notification, const QString &action);
};

/// Tells the desktop how the builds go: a notification when one ends or all have ended, unless the window is looked at,
/// and the progress on the window's icon, as KDE's and GNOME's docks show it. Of several windows one notifies. Where
/// there is no desktop that listens, nothing happens, and nothing is waited for.
class Desktop : public QObject
{
    Q_OBJECT
public:
    Desktop(const JobWatch *watch, QWidget *window, const QDBusConnection &bus = QDBusConnection::sessionBus());

    [[nodiscard]] const QueueTally &tally() const { return m_tally; }

Q_SIGNALS:
    void tallyChanged(const tmx::QueueTally &tally);

private:
    void takeSeen();
    void showWindow();
    [[nodiscard]] bool isMyTurn(); ///< no other window notifies
    void notify(const BuildNews &news);
    void showProgress();

    const JobWatch *m_watch;
    QWidget *m_window;
    QDBusConnection m_bus;
    QLockFile m_turn;                         ///< of the window that notifies, as long as it is open
    Notifications *m_notifications = nullptr; ///< null: there is no desktop
    std::shared_ptr<const JobsSeen> m_seen;
    QueueTally m_tally;
    quint32 m_shown = 0; ///< the desktop's number of the notification, which the next one replaces
};

} // namespace tmx
