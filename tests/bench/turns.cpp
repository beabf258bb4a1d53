// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// How long the window's event loop stands still while 1,000 builds pass through the queue on 50 slots, each of a
// second: with the list, with all of its rows selected, with the schedule, with the past builds. The builds are job
// folders that a thread writes as runners do, so that what is measured is the window and not the machine under 50
// processes. bench-queue [BUILDS [SLOTS]]
#include "app/window/Appearance.h"
#include "app/window/MainWindow.h"
#include "model/base/FileLock.h"
#include "model/base/WindowThread.h"
#include "model/job/Queue.h"
#include "tests/support/SampleFixture.h"
#include "views/queue/QueueView.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTextStream>
#include <QThread>
#include <QThreadPool>
#include <QTimer>
#include <QTreeView>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <functional>
#include <list>
#include <memory>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

constexpr int ticksOfABuild = 10; // of 100 ms

/// What this thread has worked, in ms: unlike the time on the wall it does not grow where other programs are busy.
double worked()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

/// Runs the event loop until `isOver`, and prints the longest time between two of its turns and the most work in one.
void measure(const QString &what, const std::function<bool()> &isOver)
{
    double longest = 0;
    double most = 0;
    int over = 0;
    int turns = 0;
    QElapsedTimer clock;
    QElapsedTimer whole;
    QTimer beat;
    QEventLoop loop;
    double before = worked();
    QObject::connect(&beat, &QTimer::timeout, &loop, [&] {
        const double gap = double(clock.nsecsElapsed()) / 1e6;
        const double now = worked();
        longest = std::max(longest, gap);
        most = std::max(most, now - before);
        over += now - before > 50 ? 1 : 0;
        ++turns;
        clock.restart();
        before = now;
        if (isOver())
            loop.quit();
    });
    whole.start();
    clock.start();
    beat.setTimerType(Qt::PreciseTimer);
    beat.start(1);
    loop.exec();
    QTextStream(stdout) << what.leftJustified(40) << whole.elapsed() << " ms, longest gap "
                        << QString::number(longest, 'f', 1) << " ms, most work in a turn "
                        << QString::number(most, 'f', 1) << " ms, over 50 ms: " << over << " of " << turns << '\n';
}

/// Runs the builds of a queue as their runners and the scheduler would, without a process.
class Builds
{
public:
    Builds(const QString &state, int atOnce)
        : m_state(state)
        , m_atOnce(atOnce)
        , m_scheduler(state + u"/scheduler.lock"_s, LOCK_EX | LOCK_NB) // or the window starts one
    {
    }

    void queue(const SampleFixture &sample, int count)
    {
        const QString commit = QString::fromLatin1(sample.git({u"rev-parse"_s, u"HEAD"_s})).trimmed();
        const QByteArrayList files = sample.git({u"ls-tree"_s, u"HEAD"_s, u".flox/pkgs/"_s}).split('\n');
        QStringList waiting;
        for (int i = 0; waiting.size() < count; ++i) {
            const QByteArray &line = files.at(i % files.size()); // "100644 blob ID\tPATH"
            if (!line.endsWith(".nix"))
                continue;
            Job job;
            job.repository = QFileInfo(sample.path()).canonicalFilePath();
            job.branch = u"main"_s;
            job.commit = commit;
            job.blob = QString::fromLatin1(line.mid(12, line.indexOf('\t') - 12));
            job.recipe = QString::fromUtf8(line.mid(line.indexOf('\t') + 1));
            job.package = QFileInfo(job.recipe).completeBaseName();
            job.variant = job.package;
            job.created = QDateTime::currentDateTimeUtc();
            if (const Result<JobFolder> folder = JobFolder::create(m_state, job))
                waiting.append(folder->id());
        }
        static_cast<void>(Queue(m_state).change([&](QueueContents &contents) {
            contents.waiting = waiting;
            contents.parallel = m_atOnce;
        }));
    }

    [[nodiscard]] int ended() const { return m_ended; }

    /// One tick: some begin, those that run print a step, some end.
    void step()
    {
        ++m_tick;
        for (Running &one : m_running) {
            QFile log(one.folder.logFile());
            if (log.open(QIODevice::Append))
                log.write("torch> [" + QByteArray::number(m_tick - one.since) + "/10] Building CUDA object a.o\n");
        }
        const auto over = [this](const Running &one) { return m_tick - one.since >= ticksOfABuild; };
        for (const Running &one : m_running) {
            if (!over(one))
                continue;
            JobOutcome outcome;
            outcome.build.kind = m_ended % 7 == 3 ? BuildOutcome::Kind::CompileError : BuildOutcome::Kind::Built;
            outcome.build.sentence = u"The compiler failed in a.cu."_s;
            outcome.build.milliseconds = 1000;
            outcome.started = one.started;
            outcome.ended = QDateTime::currentDateTimeUtc();
            static_cast<void>(one.folder.writeOutcome(outcome));
            ++m_ended;
        }
        m_running.remove_if(over);
        static_cast<void>(Queue(m_state).change([this](QueueContents &contents) {
            contents.active.clear();
            // A tenth in each tick, so that in each some begin and some end.
            for (int begun = 0; begun < std::max(1, m_atOnce / ticksOfABuild) && int(m_running.size()) < m_atOnce &&
                                !contents.waiting.isEmpty();
                 ++begun)
                begin(contents.waiting.takeFirst());
            for (const Running &one : m_running)
                contents.active.append(one.folder.id());
        }));
    }

private:
    struct Running {
        JobFolder folder;
        int since;
        QDateTime started;
        std::unique_ptr<FileLock> runner;
    };

    void begin(const QString &id)
    {
        const JobFolder folder = JobFolder::of(m_state, id);
        const QDateTime now = QDateTime::currentDateTimeUtc();
        QFile runner(folder.file(u"runner"_s));
        if (runner.open(QIODevice::WriteOnly))
            runner.write("{\"pid\": 1, \"process\": \"x\", \"boot\": \"x\", \"machine\": \"x\", \"started\": \"" +
                         now.toString(Qt::ISODateWithMs).toLatin1() + "\"}");
        runner.close();
        m_running.push_back({folder, m_tick, now, std::make_unique<FileLock>(runner.fileName(), LOCK_EX)});
    }

    const QString m_state;
    const int m_atOnce;
    const FileLock m_scheduler;
    int m_tick = 0;
    std::list<Running> m_running;
    std::atomic_int m_ended = 0;
};

} // namespace

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const int count = argc > 1 ? std::max(10, std::atoi(argv[1])) : 1000;
    const int atOnce = argc > 2 ? std::max(1, std::atoi(argv[2])) : 50;
    const QTemporaryDir state;
    const QTemporaryDir config;
    qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
    qputenv("TORCH_MATRIX_STATE", state.path().toUtf8());
    QApplication app(argc, argv);
    apply(Appearance::Light);
    putThisThreadFirst(QThreadPool::globalInstance());
    const SampleFixture sample;
    Builds builds(state.path(), atOnce);
    MainWindow window(sample.catalog());
    window.resize(1920, 1080);
    window.show();
    auto *view = window.findChild<QueueView *>();
    const QTreeView *list = view->list();

    window.openRepository(sample.path());
    measure(u"the window opens"_s, [&] { return window.isSettled(); });
    window.raisePanel(u"queue"_s);
    builds.queue(sample, count);
    measure(u"the first list of %1 builds"_s.arg(count), [&] { return list->model()->rowCount() == count; });
    window.raisePanel(u"console"_s);

    std::atomic_bool stop = false;
    const std::unique_ptr<QThread> thread(QThread::create([&] {
        QElapsedTimer clock;
        clock.start();
        for (int tick = 1; !stop && builds.ended() < count; ++tick) {
            builds.step();
            QThread::msleep(std::max<qint64>(0, tick * 100 - clock.elapsed()));
        }
    }));
    thread->start();
    const auto ended = [&](int fifths) {
        return [&builds, count, fifths] { return builds.ended() >= count * fifths / 5; };
    };
    measure(u"the grid alone"_s, ended(1));
    window.raisePanel(u"queue"_s);
    measure(u"the list"_s, ended(2));
    view->list()->selectAll();
    measure(u"the list, all selected"_s, ended(3));
    window.raisePanel(u"schedule"_s);
    measure(u"the schedule"_s, ended(4));
    window.raisePanel(u"builds"_s);
    measure(u"the past builds"_s, ended(5));
    window.raisePanel(u"queue"_s);
    measure(u"until the list shows that all ended"_s, [&] {
        return !view->list()->model()->rowCount() || list->model()->index(0, 0).data().toString() != u"running";
    });
    stop = true;
    thread->wait();
    return 0;
}
