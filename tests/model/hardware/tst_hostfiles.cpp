// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/model/hardware/Machines.h"
#include "tests/support/FileText.h"
#include "tests/support/TestMain.h"

#include <QDir>
#include <QSysInfo>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

/// A folder used as the root of a machine.
class Root
{
public:
    void put(const QString &path, const QByteArray &content) { tmx::test::putFile(m_folder.filePath(path), content); }
    void putPci(const QString &busId, const QByteArray &vendor, const QByteArray &device, const QByteArray &deviceClass)
    {
        const QString folder = u"sys/bus/pci/devices/%1/"_s.arg(busId);
        put(folder + "vendor"_L1, vendor + '\n');
        put(folder + "device"_L1, device + '\n');
        put(folder + "class"_L1, deviceClass + '\n');
    }
    QString path() const { return m_folder.path(); }

private:
    QTemporaryDir m_folder;
};

} // namespace

class HostFilesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void readsAMachine();
    void readsAnEmptyRoot();
    void readsThisMachine();
    void readsLinksAsSysfsHasThem();
    void readsABoard();
    void readsTheKernelDriver_data();
    void readsTheKernelDriver();
    void combines_data();
    void combines();
};

void HostFilesTest::readsAMachine()
{
    Root root;
    root.put(u"proc/cpuinfo"_s, fixture(u"cpuinfo/i9-12900k"_s));
    root.put(u"proc/meminfo"_s, "MemTotal:       65536000 kB\nMemFree:        1 kB\n");
    root.put(u"proc/sys/kernel/hostname"_s, "desk\n");
    root.put(u"proc/driver/nvidia/version"_s, fixture(u"hosts/h100-sapphire-rapids/nvidia-version"_s));
    root.put(u"usr/share/misc/pci.ids"_s, fixture(u"pci.ids"_s));
    root.putPci(u"0000:01:00.0"_s, "0x10de", "0x2204", "0x030000");
    root.putPci(u"0000:01:00.1"_s, "0x10de", "0x1aef", "0x040300");
    root.putPci(u"0000:00:02.0"_s, "0x8086", "0x4680", "0x030000");

    const HostFiles files = readHostFiles(root.path());
    QCOMPARE(files.host.name, u"desk"_s);
    QCOMPARE(files.host.architecture, u"x86_64-linux"_s);
    QCOMPARE(files.host.cpuModel, u"12th Gen Intel(R) Core(TM) i9-12900K"_s);
    QCOMPARE(files.host.cores, 2);
    QCOMPARE(files.host.memoryBytes, qint64(65536000) * 1024);
    QCOMPARE(files.host.remarks, QStringList());
    QCOMPARE(files.pciGpus,
             (QList<GpuInfo>{{u"NVIDIA GeForce RTX 3090"_s, u"8.6"_s, {}, u"0000:01:00.0"_s, u"PCI id"_s}}));
    QCOMPARE(files.kernelDriver, u"580.159.04"_s);
    QVERIFY(files.hasPci);
    QVERIFY(files.hasPciNames);
}

void HostFilesTest::readsAnEmptyRoot()
{
    const Root root; // a container without /sys/bus/pci, and worse
    const HostFiles files = readHostFiles(root.path());
    QCOMPARE(files.host.name, QSysInfo::machineHostName());
    QCOMPARE(files.host.architecture,
             u"x86_64-linux"_s.startsWith(QSysInfo::currentCpuArchitecture()) ? u"x86_64-linux"_s : u"aarch64-linux"_s);
    QVERIFY(files.host.cpuFlags.isEmpty());
    QCOMPARE(files.host.remarks, QStringList{u"/proc/cpuinfo does not say which instruction sets the CPU has."_s});
    QCOMPARE(files.host.memoryBytes, 0);
    QVERIFY(!files.hasPci);
    QVERIFY(files.pciGpus.isEmpty());
    const HostReport report = combine(files, {.problem = u"nvidia-smi is not installed."_s});
    QCOMPARE(report.remarks.constLast(),
             u"No NVIDIA GPU was found; the PCI bus cannot be seen from here, as in some containers."_s);
}

void HostFilesTest::readsThisMachine()
{
    const HostFiles files = readHostFiles(u"/"_s);
    QVERIFY(!files.host.name.isEmpty());
    QVERIFY(files.host.cores > 0);
    QVERIFY(files.host.memoryBytes > 0);
    QVERIFY(!files.host.cpuFlags.isEmpty());
    QVERIFY(files.host.architecture.endsWith("-linux"_L1));
}

void HostFilesTest::readsLinksAsSysfsHasThem()
{
    Root root;
    root.put(u"sys/devices/pci0000:00/0000:00:06.0/vendor"_s, "0x10de\n");
    root.put(u"sys/devices/pci0000:00/0000:00:06.0/device"_s, "0x2330\n");
    root.put(u"sys/devices/pci0000:00/0000:00:06.0/class"_s, "0x030200\n");
    QVERIFY(QDir().mkpath(root.path() + "/sys/bus/pci/devices"_L1));
    QVERIFY(QFile::link(u"../../../devices/pci0000:00/0000:00:06.0"_s,
                        root.path() + "/sys/bus/pci/devices/0000:00:06.0"_L1));
    root.put(u"usr/share/hwdata/pci.ids"_s, fixture(u"pci.ids"_s)); // where Fedora and Arch have it
    QCOMPARE(readHostFiles(root.path()).pciGpus,
             (QList<GpuInfo>{{u"NVIDIA H100 SXM5 80GB"_s, u"9.0"_s, {}, u"0000:00:06.0"_s, u"PCI id"_s}}));
}

void HostFilesTest::readsABoard()
{
    Root root;
    root.put(u"proc/cpuinfo"_s, fixture(u"cpuinfo/orin"_s));
    root.put(u"proc/device-tree/compatible"_s, QByteArray("nvidia,p3701-0000\0nvidia,tegra234\0", 34));
    root.put(u"proc/device-tree/model"_s, QByteArray("NVIDIA Jetson AGX Orin Developer Kit\0", 37));
    const HostReport report = combine(readHostFiles(root.path()), {.problem = u"nvidia-smi is not installed."_s});
    QCOMPARE(report.architecture, u"aarch64-linux"_s);
    QCOMPARE(report.gpus,
             (QList<GpuInfo>{{u"NVIDIA Jetson AGX Orin Developer Kit"_s, u"8.7"_s, {}, {}, u"device tree"_s}}));
}

void HostFilesTest::readsTheKernelDriver_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("version");
    QTest::newRow("open kernel module") << QString::fromUtf8(fixture(u"hosts/h100-sapphire-rapids/nvidia-version"_s))
                                        << u"580.159.04"_s;
    QTest::newRow("closed kernel module")
        << u"NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.82.01  Wed Oct 27 21:21:55 UTC 2021\nGCC version:  gcc version 9.3.0\n"_s
        << u"470.82.01"_s;
    QTest::newRow("compiler only") << u"GCC version:  gcc version 15.3.0 (GCC)\n"_s << QString();
    QTest::newRow("empty") << QString() << QString();
}

void HostFilesTest::readsTheKernelDriver()
{
    QFETCH(QString, text);
    QFETCH(QString, version);
    QCOMPARE(kernelDriverVersion(text), version);
}

void HostFilesTest::combines_data()
{
    QTest::addColumn<HostFiles>("files");
    QTest::addColumn<NvidiaSmiAnswer>("smi");
    QTest::addColumn<QString>("gpus"); // "name capability (source)", joined by "; "
    QTest::addColumn<QString>("driver");
    QTest::addColumn<QStringList>("remarks");

    const QString noProgram = u"nvidia-smi is not installed."_s;
    const GpuInfo gtx{u"NVIDIA GeForce GTX 1080 Ti"_s, u"6.1"_s, {}, u"0000:01:00.0"_s, u"PCI id"_s};
    const GpuInfo unknown{u"NVIDIA GB120"_s, {}, {}, u"0000:02:00.0"_s, u"PCI id"_s};
    const GpuInfo orin{u"NVIDIA Jetson AGX Orin Developer Kit"_s, u"8.7"_s, {}, {}, u"device tree"_s};
    HostFiles plain;
    plain.hasPci = plain.hasPciNames = true;
    HostFiles withGtx = plain;
    withGtx.pciGpus = {gtx};

    QTest::newRow("no GPU") << plain << NvidiaSmiAnswer{.problem = noProgram} << QString() << QString()
                            << QStringList{noProgram, u"No NVIDIA GPU was found."_s};
    QTest::newRow("no driver") << withGtx << NvidiaSmiAnswer{.problem = noProgram}
                               << u"NVIDIA GeForce GTX 1080 Ti 6.1 (PCI id)"_s << QString()
                               << QStringList{noProgram,
                                              u"The GPUs were found on the PCI bus; no NVIDIA driver is loaded."_s};
    HostFiles loaded = withGtx;
    loaded.kernelDriver = u"535.183.01"_s;
    QTest::newRow("driver, nvidia-smi broken")
        << loaded << NvidiaSmiAnswer{.problem = u"nvidia-smi crashed."_s}
        << u"NVIDIA GeForce GTX 1080 Ti 6.1 (PCI id)"_s << u"535.183.01"_s
        << QStringList{u"nvidia-smi crashed."_s, u"The GPUs were found on the PCI bus."_s};
    HostFiles nameless = withGtx;
    nameless.pciGpus = {{u"NVIDIA GPU 10de:1b06"_s, {}, {}, u"0000:01:00.0"_s, u"PCI id"_s}};
    nameless.hasPciNames = false;
    QTest::newRow("no list of PCI names")
        << nameless << NvidiaSmiAnswer{.problem = noProgram} << u"NVIDIA GPU 10de:1b06  (PCI id)"_s << QString()
        << QStringList{noProgram, u"The GPUs were found on the PCI bus; no NVIDIA driver is loaded."_s,
                       u"Their names are unknown: install the list of PCI names (package pci.ids or hwdata)."_s,
                       u"The architecture of the NVIDIA GPU 10de:1b06 is unknown."_s};
    const GpuInfo old{u"NVIDIA GeForce GTX 1080 Ti"_s, {}, u"11178 MiB"_s, u"0000:01:00.0"_s, u"nvidia-smi"_s};
    QTest::newRow("470 series: the architecture by PCI")
        << withGtx << NvidiaSmiAnswer{.gpus = {old}, .driver = u"470.82.01"_s}
        << u"NVIDIA GeForce GTX 1080 Ti 6.1 (nvidia-smi, PCI id)"_s << u"470.82.01"_s << QStringList();
    HostFiles elsewhere = withGtx;
    elsewhere.pciGpus[0].busId = u"0000:09:00.0"_s;
    QTest::newRow("470 series, that GPU is not on the bus")
        << elsewhere << NvidiaSmiAnswer{.gpus = {old}, .driver = u"470.82.01"_s}
        << u"NVIDIA GeForce GTX 1080 Ti  (nvidia-smi)"_s << u"470.82.01"_s
        << QStringList{u"The architecture of the NVIDIA GeForce GTX 1080 Ti is unknown."_s};
    HostFiles jetson = plain;
    jetson.boardGpus = {orin};
    QTest::newRow("Jetson whose nvidia-smi knows little")
        << jetson << NvidiaSmiAnswer{.gpus = {{u"Orin (nvgpu)"_s, {}, {}, {}, u"nvidia-smi"_s}}}
        << u"Orin (nvgpu) 8.7 (nvidia-smi, device tree)"_s << QString() << QStringList();
    HostFiles jetsonWithCard = jetson;
    jetsonWithCard.pciGpus = {gtx};
    QTest::newRow("PCI goes before the device tree")
        << jetsonWithCard << NvidiaSmiAnswer{.problem = noProgram} << u"NVIDIA GeForce GTX 1080 Ti 6.1 (PCI id)"_s
        << QString() << QStringList{noProgram, u"The GPUs were found on the PCI bus; no NVIDIA driver is loaded."_s};
    HostFiles two = plain;
    two.pciGpus = {gtx, unknown};
    QTest::newRow("one of two is unknown")
        << two << NvidiaSmiAnswer{.problem = noProgram}
        << u"NVIDIA GeForce GTX 1080 Ti 6.1 (PCI id); NVIDIA GB120  (PCI id)"_s << QString()
        << QStringList{noProgram, u"The GPUs were found on the PCI bus; no NVIDIA driver is loaded."_s,
                       u"The architecture of the NVIDIA GB120 is unknown."_s};
    HostFiles container;
    QTest::newRow("container with nvidia-smi and no PCI")
        << container
        << NvidiaSmiAnswer{.gpus = {{u"Tesla T4"_s, u"7.5"_s, {}, {}, u"nvidia-smi"_s}}, .driver = u"535.183.01"_s}
        << u"Tesla T4 7.5 (nvidia-smi)"_s << u"535.183.01"_s << QStringList();
}

void HostFilesTest::combines()
{
    QFETCH(HostFiles, files);
    QFETCH(NvidiaSmiAnswer, smi);
    QFETCH(QString, gpus);
    QFETCH(QString, driver);
    QFETCH(QStringList, remarks);
    const HostReport report = combine(files, smi);
    QStringList found;
    for (const GpuInfo &gpu : report.gpus)
        found.append(u"%1 %2 (%3)"_s.arg(gpu.name, gpu.capability, gpu.source));
    QCOMPARE(found.join("; "_L1), gpus);
    QCOMPARE(report.driver, driver);
    QCOMPARE(report.remarks, remarks);
}

TM_TEST(HostFilesTest, void)
#include "tst_hostfiles.moc"
