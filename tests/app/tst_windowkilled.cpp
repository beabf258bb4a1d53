// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/app/DrivenWindow.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"
#include "tests/support/TwentyBuilds.h"

#include <QApplication>
#include <QItemSelectionModel>
#include <QProcess>
#include <QRandomGenerator>
#include <QTimer>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

/// Selects the cells and presses B, once the grid shows all of them. Returns false if it does not yet.
bool pressesB(const MainWindow &window)
{
    auto *table = window.findChild<GridPanel *>()->findChild<QTableView *>();
    QItemSelection selection;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            const QModelIndex index = table->model()->index(row, column);
            if (twentyNames().contains(index.data(VariantNameRole).toString()))
                selection.select(index, index);
        }
    }
    if (!window.isSettled() || selection.indexes().size() != twentyNames().size())
        return false;
    table->setCurrentIndex(selection.indexes().constFirst());
    table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    QTest::keyClick(table, Qt::Key_B);
    return true;
}

/// The window in a separate process, in which a user queues twenty builds.
int runWindow(QApplication &app, const QString &repository)
{
    MainWindow window(testing::builtInCatalog());
    window.findChild<BuildController *>()->setProbe(roomyMachine);
    window.resize(1280, 800);
    window.show();
    window.openRepository(repository);
    QTimer hand;
    QObject::connect(&hand, &QTimer::timeout, &window, [&] {
        if (pressesB(window))
            hand.stop();
    });
    hand.start(20);
    return app.exec();
}

} // namespace

/// Builds outlive the windows that queued or show them, however these end.
class TestWindowKilled : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("complete runs", "survivesKillsOfTwo")

    SampleFixture m_sample;
    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString state() const { return m_folder->filePath(u"state"_s); }
    [[nodiscard]] std::unique_ptr<QProcess> open(bool queues) const
    {
        auto window = std::make_unique<QProcess>();
        window->setProcessChannelMode(QProcess::MergedChannels);
        window->setStandardOutputFile(QProcess::nullDevice());
        // The program itself, or the same window with a simulated user.
        if (queues)
            window->start(QCoreApplication::applicationFilePath(),
                          {u"tst_windowkilled"_s, u"window"_s, m_sample.path()});
        else
            window->start(QStringLiteral(TM_PROGRAM), {m_sample.path()});
        return window;
    }
    [[nodiscard]] int builtCount() const
    {
        const QList<JobRecord> jobs = readJobs(state());
        return int(std::count_if(jobs.begin(), jobs.end(), [](const JobRecord &record) {
            return record.outcome && record.outcome->build.kind == BuildOutcome::Kind::Built;
        }));
    }
    void killed(int windows);

private Q_SLOTS:
    void init();
    void survivesKills() { killed(1); }
    void survivesKillsOfTwo() { killed(2); }
};

void TestWindowKilled::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    static const QByteArray path = qgetenv("PATH");
    qputenv("PATH", QByteArray(TM_STANDINS ":") + path);
    qputenv("XDG_CONFIG_HOME", m_folder->filePath(u"config"_s).toUtf8());
    qputenv("TORCH_MATRIX_STATE", state().toUtf8());
    qputenv("TORCH_MATRIX_STANDIN_STORE", m_folder->filePath(u"store"_s).toUtf8());
    qputenv("TORCH_MATRIX_STANDIN_FLOX_CALLS", m_folder->filePath(u"calls"_s).toUtf8());
    qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:0.2,steps:40");
}

void TestWindowKilled::killed(int windows)
{
    QRandomGenerator random(newSeed());
    const int rounds = fuzzInputs(1);
    for (int round = 0; round < rounds; ++round) {
        QDir(m_folder->path()).removeRecursively();
        QDir().mkpath(m_folder->filePath(u"store"_s));
        Queue queue(state());
        QVERIFY(queue.change([&](QueueContents &contents) { contents.parallel = 1 + random.bounded(3); }));
        std::vector<std::unique_ptr<QProcess>> opened;
        for (int i = 0; i < windows; ++i)
            opened.push_back(open(true));
        for (int kill = 0; kill < 10; ++kill) {
            auto &window = opened[size_t(random.bounded(windows))];
            QVERIFY2(!window->waitForFinished(random.bounded(20, 2500)), "the window ended by itself");
            window->kill();
            QVERIFY(window->waitForFinished());
            if (random.bounded(4) == 0) { // also the process that starts the jobs
                const QList<qint64> schedulers = processesNamed(state().toUtf8());
                for (const qint64 pid : schedulers)
                    ::kill(pid_t(pid), SIGKILL);
            }
            window = open(random.bounded(3) > 0);
        }
        opened.push_back(open(true));
        QTRY_COMPARE_WITH_TIMEOUT(builtCount(), 20, 180'000);
        for (const auto &window : opened) {
            QVERIFY2(!window->waitForFinished(0), "a window ended by itself");
            window->kill();
            QVERIFY(window->waitForFinished());
        }
        verifyTwentyBuilt(state(), m_folder->filePath(u"calls"_s));
        QCOMPARE(m_sample.git({u"worktree"_s, u"list"_s, u"--porcelain"_s}).count("worktree "), 1);
    }
    qInfo("total: %d kills of windows", 10 * rounds);
}

static int testMain(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    if (app.arguments().value(1) == u"window")
        return runWindow(app, app.arguments().value(2));
    TestWindowKilled test;
    return QTest::qExec(&test, argc, argv);
}

TM_TEST_MAIN(testMain)
#include "tst_windowkilled.moc"
