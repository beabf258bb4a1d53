// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Dragging builds with the mouse. Qt's platform for tests has no drag and drop, so a separate display is used.
#include "model/builds/QueueModel.h"
#include "tests/support/TestMain.h"
#include "views/queue/QueueView.h"

#include <QApplication>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QTreeView>
#include <QWindow>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

JobRecord record(const QString &id, JobPhase phase)
{
    JobRecord one;
    one.job.id = one.job.variant = one.job.package = id;
    one.phase = phase;
    return one;
}

} // namespace

class TestQueueDrag : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void isDropped_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<QString>("moved");
        QTest::newRow("up") << 3 << 1 << u"d before b"_s;
        QTest::newRow("down") << 1 << 3 << u"b before d"_s;
        QTest::newRow("below the last") << 1 << -1 << u"b before "_s;
        QTest::newRow("one that runs") << 0 << 2 << QString();
    }
    void isDropped()
    {
        QFETCH(const int, from);
        QFETCH(const int, to);
        QFETCH(const QString, moved);
        auto seen = std::make_shared<JobsSeen>();
        seen->jobs = {record(u"a"_s, JobPhase::Running), record(u"b"_s, JobPhase::Waiting),
                      record(u"c"_s, JobPhase::Waiting), record(u"d"_s, JobPhase::Waiting)};
        seen->queue.waiting = QStringList{u"b"_s, u"c"_s, u"d"_s};
        QueueModel model;
        model.setSeen(seen);
        QueueView view;
        view.setModel(&model);
        view.resize(800, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QString asked;
        connect(&view, &QueueView::moveRequested, this, [&asked](const QStringList &ids, const QString &before) {
            asked = ids.join(u' ') + u" before "_s + before;
        });
        const QTreeView *list = view.list();
        const auto place = [&](int row) {
            const QRect rect = list->visualRect(model.index(row < 0 ? 3 : row, 1));
            return list->viewport()->mapTo(&view,
                                           QPoint(rect.left() + 20, row < 0 ? rect.bottom() + 30 : rect.top() + 1));
        };
        QWindow *window = view.windowHandle();
        const QPoint begin = place(from) + QPoint(0, 5);
        const QPoint end = place(to);
        bool dropped = false;
        QTest::mousePress(window, Qt::LeftButton, {}, begin);
        // A drag has its own event loop, which begins with the move.
        QTimer::singleShot(0, window, [&] {
            QTest::mouseMove(window, end + QPoint(3, 0));
            QTest::mouseMove(window, end);
            QTest::mouseRelease(window, Qt::LeftButton, {}, end);
            dropped = true;
        });
        QTest::mouseMove(window, begin + QPoint(2 * QApplication::startDragDistance(), 0));
        QTRY_VERIFY(dropped);
        QCOMPARE(asked, moved);
    }
};

static int testMain(int argc, char **argv)
{
    QProcess display;
    display.start(u"Xvfb"_s,
                  {u"-displayfd"_s, u"1"_s, u"-screen"_s, u"0"_s, u"1280x800x24"_s, u"-nolisten"_s, u"tcp"_s});
    if (!display.waitForStarted() || !display.waitForReadyRead())
        qFatal("Xvfb does not start: %s", qPrintable(display.errorString()));
    qputenv("DISPLAY", ':' + display.readLine().trimmed());
    qputenv("QT_QPA_PLATFORM", "xcb");
    int status = 0;
    {
        QApplication app(argc, argv);
        TestQueueDrag test;
        status = QTest::qExec(&test, argc, argv);
    }
    display.terminate();
    display.waitForFinished();
    return status;
}

TM_TEST_MAIN(testMain)
#include "tst_queuedrag.moc"
