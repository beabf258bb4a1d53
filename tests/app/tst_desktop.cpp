// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Desktop.h"
#include "model/base/Preferences.h"
#include "tests/support/TestMain.h"

#include <QApplication>
#include <QDBusServer>
#include <QDir>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// A desktop's notification service; it replies with the ids of its notifications.
class Listener : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public:
    struct Notification {
        QString application;
        quint32 replaces = 0;
        QString title;
        QString text;
        QStringList actions;
    };
    QList<Notification> notifications;
    QList<QVariantMap> updates;

public Q_SLOTS:
    // NOLINTNEXTLINE(readability-identifier-naming): the name on the bus
    quint32 Notify(const QString &application, quint32 replaces, const QString &, const QString &title,
                   const QString &text, const QStringList &actions, const QVariantMap &, int)
    {
        notifications.append({application, replaces, title, text, actions});
        return 42;
    }
    void update(const QString &, const QVariantMap &properties) { updates.append(properties); }

Q_SIGNALS:
    // NOLINTNEXTLINE(readability-identifier-naming)
    void ActionInvoked(quint32 notification, const QString &action);
};

Job someJob(const QString &package)
{
    Job job;
    job.repository = u"/somewhere"_s;
    job.branch = u"main"_s;
    job.commit = job.blob = QString(40, u'a');
    job.recipe = u".flox/pkgs/%1.nix"_s.arg(package);
    job.package = job.variant = package;
    job.created = QDateTime::currentDateTimeUtc();
    return job;
}

void end(const JobFolder &folder, BuildOutcome::Kind kind)
{
    JobOutcome outcome;
    outcome.build.kind = kind;
    outcome.build.sentence = u"It <b>failed</b> & ended."_s;
    outcome.started = outcome.ended = QDateTime::currentDateTimeUtc();
    QVERIFY(folder.writeOutcome(outcome));
}

/// A private bus on which a desktop listens.
class DesktopBus
{
public:
    explicit DesktopBus(const QString &name)
        : m_name(name)
    {
        QObject::connect(&m_server, &QDBusServer::newConnection, &listener, [this](QDBusConnection bus) {
            QVERIFY(bus.registerObject(u"/org/freedesktop/Notifications"_s, &listener,
                                       QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals));
            QVERIFY(bus.connect(QString(), QString(), u"com.canonical.Unity.LauncherEntry"_s, u"Update"_s, &listener,
                                SLOT(update(QString, QVariantMap))));
        });
        QDBusConnection::connectToPeer(m_server.address(), m_name);
    }
    ~DesktopBus() { QDBusConnection::disconnectFromPeer(m_name); }
    Q_DISABLE_COPY_MOVE(DesktopBus)

    [[nodiscard]] QDBusConnection connection() const { return QDBusConnection(m_name); }

    Listener listener;

private:
    const QString m_name;
    QDBusServer m_server{u"unix:tmpdir="_s + QDir::tempPath()};
};

} // namespace

class TestDesktop : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s)); }

    void tellsHowBuildsGo()
    {
        const QTemporaryDir state;
        DesktopBus desktopBus(u"desktop"_s);
        Listener &listener = desktopBus.listener;
        const QDBusConnection bus = desktopBus.connection();
        QTRY_VERIFY(bus.isConnected());

        const Result<JobFolder> first = JobFolder::create(state.path(), someJob(u"first"_s));
        const Result<JobFolder> second = JobFolder::create(state.path(), someJob(u"second"_s));
        QVERIFY(first && second);
        QWidget window; // it is not active
        JobWatch watch(state.path());
        const Desktop desktop(&watch, &window, bus);
        QTRY_COMPARE(desktop.tally().waiting, 2);
        QTRY_VERIFY(!listener.updates.isEmpty());
        QVERIFY(listener.updates.constLast().value(u"progress-visible"_s).toBool());
        QCOMPARE(listener.updates.constLast().value(u"count"_s).toInt(), 2);
        QVERIFY(listener.notifications.isEmpty());

        end(*first, BuildOutcome::Kind::CompileError);
        QTRY_COMPARE(listener.notifications.size(), 1);
        QCOMPARE(listener.notifications.constLast().title, u"first failed"_s);
        QCOMPARE(listener.notifications.constLast().text,
                 u"It &lt;b&gt;failed&lt;/b&gt; &amp; ended.\n1 of 2 builds ended."_s);
        QCOMPARE(listener.notifications.constLast().replaces, 0U);
        QTRY_COMPARE(listener.updates.constLast().value(u"progress"_s).toDouble(), 0.5);

        // One notification for any number of builds; clicking it shows the window.
        QVERIFY(!window.isVisible());
        Q_EMIT listener.ActionInvoked(7, u"default"_s);
        Q_EMIT listener.ActionInvoked(42, u"default"_s);
        QTRY_VERIFY(window.isVisible());
        QWidget other;
        other.show();
        other.activateWindow();
        QTRY_VERIFY(!window.isActiveWindow());
        end(*second, BuildOutcome::Kind::Built);
        QTRY_COMPARE(listener.notifications.size(), 2);
        QCOMPARE(listener.notifications.constLast().title, u"All builds ended"_s);
        QCOMPARE(listener.notifications.constLast().replaces, 42U);
        QTRY_VERIFY(!listener.updates.constLast().value(u"progress-visible"_s).toBool());
    }

    void notificationsCanBeTurnedOff()
    {
        const QTemporaryDir config;
        const QByteArray was = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
        const auto restore = qScopeGuard([was] { qputenv("XDG_CONFIG_HOME", was); });
        Preferences preferences;
        preferences.notifications = false;
        QVERIFY(preferences.save().ok());
        const QTemporaryDir state;
        DesktopBus desktopBus(u"silent desktop"_s);
        const QDBusConnection bus = desktopBus.connection();
        QTRY_VERIFY(bus.isConnected());
        const Result<JobFolder> first = JobFolder::create(state.path(), someJob(u"first"_s));
        const Result<JobFolder> second = JobFolder::create(state.path(), someJob(u"second"_s));
        QVERIFY(first && second);
        QWidget window;
        JobWatch watch(state.path());
        const Desktop desktop(&watch, &window, bus);
        QTRY_COMPARE(desktop.tally().waiting, 2);
        end(*first, BuildOutcome::Kind::CompileError);
        QTRY_COMPARE(desktop.tally().failed, 1);
        // It can be turned on while the window is open. A notification of the first build would have come earlier.
        preferences.notifications = true;
        QVERIFY(preferences.save().ok());
        end(*second, BuildOutcome::Kind::Built);
        QTRY_COMPARE(desktopBus.listener.notifications.size(), 1);
        QCOMPARE(desktopBus.listener.notifications.constFirst().title, u"All builds ended"_s);
    }

    /// Of two windows one sends notifications, and the other does after the first is closed.
    void oneOfSeveralWindowsNotifies()
    {
        const QTemporaryDir state;
        DesktopBus desktopBus(u"windows"_s);
        const Listener &listener = desktopBus.listener;
        const QDBusConnection bus = desktopBus.connection();
        QTRY_VERIFY(bus.isConnected());
        QList<Result<JobFolder>> folders;
        for (const QString &name : {u"first"_s, u"second"_s, u"third"_s})
            folders.append(JobFolder::create(state.path(), someJob(name)));
        struct Window {
            QWidget widget;
            JobWatch watch;
            Desktop desktop;
            Window(const QString &state, const QDBusConnection &bus)
                : watch(state)
                , desktop(&watch, &widget, bus)
            {
            }
        };
        auto one = std::make_unique<Window>(state.path(), bus);
        const Window other(state.path(), bus);
        const auto bothSaw = [&](int failed) {
            return one->desktop.tally().failed == failed && other.desktop.tally().failed == failed;
        };
        QTRY_VERIFY(one->desktop.tally().waiting == 3 && other.desktop.tally().waiting == 3);
        end(*folders.at(0), BuildOutcome::Kind::Failed);
        QTRY_VERIFY(bothSaw(1));
        end(*folders.at(1), BuildOutcome::Kind::Failed);
        QTRY_VERIFY(bothSaw(2));
        // The results of the first two ends arrive before those of the last one.
        one.reset();
        end(*folders.at(2), BuildOutcome::Kind::Failed);
        QTRY_COMPARE(listener.notifications.size(), 3);
        QTRY_COMPARE(other.desktop.tally().failed, 3);
        QCOMPARE(listener.notifications.size(), 3);
    }

    /// An active window sends no notification.
    void aWindowThatIsLookedAtIsEnough()
    {
        const QTemporaryDir state;
        const Result<JobFolder> folder = JobFolder::create(state.path(), someJob(u"first"_s));
        QVERIFY(folder);
        QWidget window;
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        JobWatch watch(state.path());
        const Desktop desktop(&watch, &window, QDBusConnection(u"nowhere"_s));
        QTRY_COMPARE(desktop.tally().waiting, 1);
        end(*folder, BuildOutcome::Kind::Built);
        QTRY_COMPARE(desktop.tally().built, 1);
    }
};

TM_TEST(TestDesktop, QApplication)
#include "tst_desktop.moc"
