// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/QueueCounts.h"

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

/// Reports builds to the desktop: a notification when one or all have ended, unless the window is active, and the
/// progress on the window's icon in the docks of KDE and GNOME. Of several windows, one sends notifications. Does
/// nothing without a desktop that listens, and never blocks.
class Desktop : public QObject
{
    Q_OBJECT
public:
    Desktop(const JobWatch *watch, QWidget *window, const QDBusConnection &bus = QDBusConnection::sessionBus());

    [[nodiscard]] const QueueCounts &tally() const { return m_tally; }

Q_SIGNALS:
    void tallyChanged(const tmx::QueueCounts &tally);

private:
    void takeSeen();
    void showWindow();
    [[nodiscard]] bool isMyTurn(); ///< no other window sends notifications
    void notify(const BuildNews &news);
    void showProgress();

    const JobWatch *m_watch;
    QWidget *m_window;
    QDBusConnection m_bus;
    QLockFile m_turn;                         ///< held by the window that sends notifications, while it is open
    Notifications *m_notifications = nullptr; ///< null: no desktop
    std::shared_ptr<const JobsSeen> m_seen;
    QueueCounts m_tally;
    quint32 m_shown = 0; ///< the desktop's id of the shown notification; the next one replaces it
};

} // namespace tmx
