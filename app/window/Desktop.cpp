// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Desktop.h"

#include "model/base/Preferences.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QGuiApplication>

#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr const char *notifications = "org.freedesktop.Notifications";
// https://wiki.ubuntu.com/Unity/LauncherAPI
const QString launcher = u"com.canonical.Unity.LauncherEntry"_s;
constexpr uchar normal = 1;

} // namespace

Notifications::Notifications(const QDBusConnection &bus, QObject *parent)
    // A peer-to-peer connection has no service names.
    : QDBusAbstractInterface(bus.baseService().isEmpty() ? QString() : QString::fromLatin1(notifications),
                             u"/org/freedesktop/Notifications"_s, notifications, bus, parent)
{
}

Desktop::Desktop(const JobWatch *watch, QWidget *window, const QDBusConnection &bus)
    : QObject(window)
    , m_watch(watch)
    , m_window(window)
    , m_bus(bus)
    , m_turn(watch->state() + u"/notifications.lock"_s)
    , m_seen(watch->seen())
{
    m_turn.setStaleLockTime(0); // The lock is valid until its owner ends.
    connect(watch, &JobWatch::changed, this, &Desktop::takeSeen);
    if (!m_bus.isConnected())
        return;
    m_notifications = new Notifications(m_bus, this);
    connect(m_notifications, &Notifications::ActionInvoked, this, [this](quint32 notification) {
        if (notification == m_shown && m_shown != 0)
            showWindow();
    });
}

void Desktop::takeSeen()
{
    const std::shared_ptr<const JobsSeen> before = std::exchange(m_seen, m_watch->seen());
    if (const std::optional<BuildNews> news = newsOf(*before, *m_seen);
        news && !m_window->isActiveWindow() && isMyTurn())
        notify(*news);
    if (const QueueCounts tally = countsOf(*m_seen); std::exchange(m_tally, tally) != tally) {
        showProgress();
        Q_EMIT tallyChanged(m_tally);
    }
}

bool Desktop::isMyTurn()
{
    // If the lock cannot be created, two notifications are better than none.
    return m_turn.isLocked() || m_turn.tryLock(0) || m_turn.error() != QLockFile::LockFailedError;
}

void Desktop::notify(const BuildNews &news)
{
    if (!m_notifications || !Preferences::load().notifications)
        return;
    const QVariantMap hints{{u"desktop-entry"_s, QGuiApplication::desktopFileName()},
                            {u"urgency"_s, QVariant::fromValue(normal)},
                            {u"category"_s, news.failed ? u"transfer.error"_s : u"transfer.complete"_s}};
    // The desktop may interpret the text as markup, never the title.
    const QDBusPendingCall call =
        m_notifications->asyncCall(u"Notify"_s, QGuiApplication::applicationDisplayName(), m_shown,
                                   news.failed ? u"dialog-error"_s : u"torch-matrix"_s, news.title,
                                   news.text.toHtmlEscaped(), QStringList{u"default"_s, tr("Show")}, hints, -1);
    const auto *answer = new QDBusPendingCallWatcher(call, this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher *finished) {
        const QDBusPendingReply<quint32> reply = *finished;
        if (reply.isValid())
            m_shown = reply.value();
        finished->deleteLater();
    });
}

void Desktop::showWindow()
{
    m_window->setWindowState(m_window->windowState() & ~Qt::WindowMinimized);
    m_window->show();
    m_window->raise();
    m_window->activateWindow();
}

void Desktop::showProgress()
{
    if (!m_bus.isConnected())
        return;
    QDBusMessage signal = QDBusMessage::createSignal(u"/com/torchmatrix/Window"_s, launcher, u"Update"_s);
    signal.setArguments({u"application://%1.desktop"_s.arg(QGuiApplication::desktopFileName()),
                         QVariantMap{{u"progress"_s, m_tally.progress},
                                     {u"progress-visible"_s, m_tally.isBusy()},
                                     {u"count"_s, qint64(m_tally.running + m_tally.waiting)},
                                     {u"count-visible"_s, m_tally.isBusy()}}});
    m_bus.send(signal);
}

} // namespace tmx
