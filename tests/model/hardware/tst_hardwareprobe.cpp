// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HardwareProbe.h"
#include "tests/model/hardware/Machines.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace tmx;

class HardwareProbeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void answers_data();
    void answers();
    void asksAgainWithoutTheCapability();
    void givesUpAHangingProgram_data();
    void givesUpAHangingProgram();
    void leavesNoChildBehind();
    void worksWithoutTheProgram();
    void findsTheProgramWhereWslKeepsIt();
    void saysWhenItCannotBeStarted();
    void startsOver();
    void canBeCancelledAndDestroyed();
    void neverHoldsUpTheEventLoop();

private:
    HostReport probe(std::chrono::milliseconds limit = 20s);
    std::unique_ptr<QTemporaryDir> m_root;
    QByteArray m_path;
};

void HardwareProbeTest::initTestCase()
{
    m_path = qgetenv("PATH");
}

void HardwareProbeTest::init()
{
    QTest::failOnWarning();
    qputenv("PATH", QByteArray(TM_STANDINS "/nvidia-smi:") + m_path);
    qunsetenv("TM_NVIDIA_SMI");
    qunsetenv("TM_NVIDIA_SMI_LOG");
    m_root = std::make_unique<QTemporaryDir>();
    const auto put = [this](const QString &path, const QByteArray &content) {
        QVERIFY(QDir(m_root->path()).mkpath(QFileInfo(path).path()));
        QFile file(m_root->filePath(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    };
    put(u"proc/cpuinfo"_s, test::fixture(u"cpuinfo/i7-8700k"_s));
    put(u"proc/sys/kernel/hostname"_s, "box\n");
    put(u"usr/share/misc/pci.ids"_s, test::fixture(u"pci.ids"_s));
    put(u"sys/bus/pci/devices/0000:01:00.0/vendor"_s, "0x10de\n");
    put(u"sys/bus/pci/devices/0000:01:00.0/device"_s, "0x1b06\n");
    put(u"sys/bus/pci/devices/0000:01:00.0/class"_s, "0x030000\n");
}

HostReport HardwareProbeTest::probe(std::chrono::milliseconds limit)
{
    HardwareProbe probe;
    QSignalSpy spy(&probe, &HardwareProbe::finished);
    probe.start(limit, m_root->path());
    if (spy.isEmpty() && !spy.wait(30'000))
        return {};
    return spy.constFirst().constFirst().value<HostReport>();
}

void HardwareProbeTest::answers_data()
{
    QTest::addColumn<QString>("gpu");
    QTest::addColumn<QString>("driver");
    QTest::addColumn<QString>("remark");
    const QString byPci = u"NVIDIA GeForce GTX 1080 Ti, 6.1, PCI id"_s;
    QTest::newRow("h100") << u"NVIDIA H100 80GB HBM3, 9.0, nvidia-smi"_s << u"580.159.04"_s << QString();
    QTest::newRow("refuse") << u"NVIDIA GeForce GTX 1080 Ti, 6.1, nvidia-smi, PCI id"_s << u"470.82.01"_s << QString();
    QTest::newRow("no-driver") << byPci << QString()
                               << u"nvidia-smi failed with exit code 9: NVIDIA-SMI has failed because it couldn't "
                                  u"communicate with the NVIDIA driver. "
                                  "Make sure that the latest NVIDIA driver is installed and running."_s;
    QTest::newRow("garbage") << byPci << QString() << u"nvidia-smi listed no GPU; it printed: [2J"_s;
    QTest::newRow("crash") << byPci << QString() << u"nvidia-smi crashed."_s;
    QTest::newRow("empty") << byPci << QString() << u"nvidia-smi gave no answer."_s;
    QTest::newRow("fail") << byPci << QString() << u"nvidia-smi failed with exit code 1 and printed nothing."_s;
}

void HardwareProbeTest::answers()
{
    QFETCH(QString, gpu);
    QFETCH(QString, driver);
    QFETCH(QString, remark);
    qputenv("TM_NVIDIA_SMI", QTest::currentDataTag());
    const HostReport report = probe();
    QCOMPARE(report.name, u"box"_s);
    QCOMPARE(report.cpuModel, u"Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz"_s);
    QCOMPARE(report.gpus.size(), 1);
    const GpuInfo &found = report.gpus.constFirst();
    QCOMPARE(u"%1, %2, %3"_s.arg(found.name, found.capability, found.source), gpu);
    QCOMPARE(report.driver, driver);
    QCOMPARE(report.remarks.value(0), remark);
}

void HardwareProbeTest::asksAgainWithoutTheCapability()
{
    qputenv("TM_NVIDIA_SMI", "refuse");
    qputenv("TM_NVIDIA_SMI_LOG", m_root->filePath(u"log"_s).toLocal8Bit());
    probe();
    QFile log(m_root->filePath(u"log"_s));
    QVERIFY(log.open(QIODevice::ReadOnly));
    // In the C locale each time, so that the answer is not translated.
    QCOMPARE(
        log.readAll(),
        QByteArray("C --query-gpu=index,name,compute_cap,driver_version,memory.total,pci.bus_id --format=csv,noheader\n"
                   "C --query-gpu=index,name,driver_version,memory.total,pci.bus_id --format=csv,noheader\n"));
}

void HardwareProbeTest::givesUpAHangingProgram_data()
{
    QTest::addColumn<QByteArray>("behaviour");
    QTest::newRow("hangs") << QByteArray("hang");
    QTest::newRow("hears no signal") << QByteArray("stubborn");
    QTest::newRow("hangs when asked again") << QByteArray("refuse-then-hang");
    QTest::newRow("prints without end") << QByteArray("flood");
}

void HardwareProbeTest::givesUpAHangingProgram()
{
    QFETCH(QByteArray, behaviour);
    qputenv("TM_NVIDIA_SMI", behaviour);
    qputenv("TM_NVIDIA_SMI_CHILD", m_root->filePath(u"child"_s).toLocal8Bit());
    const HostReport report = probe(300ms);
    QCOMPARE(report.remarks.value(0), u"nvidia-smi did not answer within 0.3 s and was stopped."_s);
    QCOMPARE(report.gpus.value(0).source, u"PCI id"_s);
}

void HardwareProbeTest::leavesNoChildBehind()
{
    qputenv("TM_NVIDIA_SMI", "hang");
    qputenv("TM_NVIDIA_SMI_CHILD", m_root->filePath(u"child"_s).toLocal8Bit());
    HardwareProbe probe;
    QSignalSpy spy(&probe, &HardwareProbe::finished);
    probe.start(20s, m_root->path());
    const auto child = [this] {
        QFile file(m_root->filePath(u"child"_s));
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
    };
    QTRY_VERIFY(child() > 0);
    const auto alive = [pid = child()] {
        QFile stat(u"/proc/%1/stat"_s.arg(pid));
        return stat.open(QIODevice::ReadOnly) &&
               !stat.readAll().contains(") Z "); // nobody may be there to reap an orphan
    };
    QVERIFY(alive());
    probe.cancel();
    QTRY_VERIFY(!alive());
    QVERIFY(spy.isEmpty());
}

void HardwareProbeTest::worksWithoutTheProgram()
{
    qputenv("PATH", "/nowhere");
    const HostReport report = probe();
    QCOMPARE(report.remarks.value(0), u"nvidia-smi is not installed."_s);
    QCOMPARE(report.gpus.value(0).capability, u"6.1"_s);
}

void HardwareProbeTest::findsTheProgramWhereWslKeepsIt()
{
    qputenv("TM_NVIDIA_SMI", "h100");
    QVERIFY(QDir(m_root->path()).mkpath(u"usr/lib/wsl/lib"_s));
    const QString program = m_root->filePath(u"usr/lib/wsl/lib/nvidia-smi"_s);
    QVERIFY(QFile::copy(QStringLiteral(TM_STANDINS "/nvidia-smi/nvidia-smi"), program));
    qputenv("PATH", "/nowhere");
    QCOMPARE(probe().driver, u"580.159.04"_s);
}

void HardwareProbeTest::saysWhenItCannotBeStarted()
{
    QVERIFY(QDir(m_root->path()).mkpath(u"bin"_s));
    QFile program(m_root->filePath(u"bin/nvidia-smi"_s));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.write("#!/no/such/interpreter\n");
    program.close();
    QVERIFY(program.setPermissions(program.permissions() | QFileDevice::ExeOwner));
    qputenv("PATH", m_root->filePath(u"bin"_s).toLocal8Bit());
    const HostReport report = probe();
    QVERIFY2(report.remarks.value(0).startsWith("nvidia-smi could not be started: "_L1),
             qPrintable(report.remarks.value(0)));
    QCOMPARE(report.gpus.size(), 1);
}

void HardwareProbeTest::startsOver()
{
    HardwareProbe probe;
    QSignalSpy spy(&probe, &HardwareProbe::finished);
    qputenv("TM_NVIDIA_SMI", "stubborn");
    probe.start(20s, m_root->path());
    QVERIFY(probe.isRunning());
    qputenv("TM_NVIDIA_SMI", "h100");
    probe.start(20s, m_root->path());
    QTRY_COMPARE(spy.size(), 1);
    QCOMPARE(spy.constFirst().constFirst().value<HostReport>().driver, u"580.159.04"_s);
    QVERIFY(!probe.isRunning());
    probe.start(20s, m_root->path()); // and once more, after an answer
    QTRY_COMPARE(spy.size(), 2);
}

void HardwareProbeTest::canBeCancelledAndDestroyed()
{
    qputenv("TM_NVIDIA_SMI", "h100");
    auto probe = std::make_unique<HardwareProbe>();
    QSignalSpy spy(probe.get(), &HardwareProbe::finished);
    probe->cancel();
    probe->start(20s, m_root->path());
    probe->cancel();
    QVERIFY(!probe->isRunning());
    probe->start(20s, m_root->path());
    probe.reset();
    // A later one still works, and the destroyed one emits nothing.
    QCOMPARE(this->probe().driver, u"580.159.04"_s);
    QVERIFY(spy.isEmpty());
    // A receiver of the result may destroy the probe, or start it again, at once.
    auto *inSlot = new HardwareProbe;
    bool heard = false;
    connect(inSlot, &HardwareProbe::finished, this, [&heard, inSlot] {
        heard = true;
        delete inSlot;
    });
    inSlot->start(20s, m_root->path());
    QTRY_VERIFY(heard);
}

void HardwareProbeTest::neverHoldsUpTheEventLoop()
{
    qputenv("TM_NVIDIA_SMI", "stubborn");
    HardwareProbe probe;
    QSignalSpy spy(&probe, &HardwareProbe::finished);
    int turns = 0;
    QTimer ticker;
    connect(&ticker, &QTimer::timeout, this, [&turns] { ++turns; });
    ticker.start(1);
    probe.start(300ms, m_root->path());
    QCOMPARE(spy.size(), 0);
    QTRY_COMPARE(spy.size(), 1);
    QVERIFY2(turns > 2, "the event loop had no turn while nvidia-smi was waited for");
}

TM_TEST(HardwareProbeTest, QCoreApplication)
#include "tst_hardwareprobe.moc"
