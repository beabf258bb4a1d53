// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/model/hardware/Machines.h"
#include "tests/support/TestMain.h"

using namespace Qt::StringLiterals;
using namespace tmx;

class PciGpusTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void tellsTheCapabilityOfChips_data();
    void tellsTheCapabilityOfChips();
    void findsNames_data();
    void findsNames();
    void takesDisplayAndComputeFunctionsOnly();
    void describesGpus();
    void readsDeviceTrees_data();
    void readsDeviceTrees();
};

void PciGpusTest::tellsTheCapabilityOfChips_data()
{
    QTest::addColumn<QString>("capability");
    const QList<std::pair<const char *, QString>> rows{
        {"GP100GL [Tesla P100 SXM2 16GB]", u"6.0"_s},
        {"GP102 [GeForce GTX 1080 Ti]", u"6.1"_s},
        {"GP104GLM [Quadro P3000 Mobile]", u"6.1"_s},
        {"GP106BM [GeForce GTX 1060 Mobile 6GB]", u"6.1"_s},
        {"GP108 [GeForce GT 1030]", u"6.1"_s},
        {"GV100GL [Tesla V100 SXM2 16GB]", u"7.0"_s},
        {"TU104GL [Tesla T4]", u"7.5"_s},
        {"TU116 [GeForce GTX 1660 Ti]", u"7.5"_s},
        {"GA100 [A100 SXM4 40GB]", u"8.0"_s},
        {"GA100GL [A30 PCIe]", u"8.0"_s},
        {"GA102 [GeForce RTX 3090]", u"8.6"_s},
        {"GA106S [GeForce RTX 3060]", u"8.6"_s},
        {"GA107M [GeForce RTX 3050 Mobile]", u"8.6"_s},
        {"AD102GL [L40S]", u"8.9"_s},
        {"AD107M [GeForce RTX 4060 Max-Q / Mobile]", u"8.9"_s},
        {"GH100 [H100 SXM5 80GB]", u"9.0"_s},
        {"GB100 [B200]", u"10.0"_s},
        {"GB102 [B100]", u"10.0"_s},
        {"GB110", u"10.3"_s},
        {"GB112 [B300]", u"10.3"_s},
        {"GB10B [Thor]", u"11.0"_s},
        {"GB202 [GeForce RTX 5090]", u"12.0"_s},
        {"GB206M [x]", u"12.0"_s},
        {"GB20B", u"12.1"_s},
        // Unknown ones stay unknown: future chips, Tegra's, and names with the same beginning.
        {"GB120", {}},
        {"GB204", {}},
        {"GP10B [Tegra X2]", {}},
        {"GV11B [Tegra Xavier]", {}},
        {"GA109", {}},
        {"GB10", {}},
        {"GB1023", {}},
        {"GB10BX", {}},
        {"TU104 USB 3.1 Host Controller", u"7.5"_s},
        {"AD10", {}},
        {"[GA102]", {}},
        {"", {}},
        {"GM200 [GeForce GTX 980 Ti]", {}},
    };
    for (const auto &[name, capability] : rows)
        QTest::newRow(name[0] ? name : "empty") << capability;
}

void PciGpusTest::tellsTheCapabilityOfChips()
{
    QFETCH(QString, capability);
    const QString tag = QString::fromLatin1(QTest::currentDataTag());
    QCOMPARE(capabilityOfChip(tag == "empty"_L1 ? QString() : tag), capability);
}

void PciGpusTest::findsNames_data()
{
    QTest::addColumn<QString>("vendor");
    QTest::addColumn<QString>("device");
    QTest::addColumn<QString>("name");
    QTest::newRow("as sysfs writes them") << u"0x10de"_s << u"0x2330"_s << u"GH100 [H100 SXM5 80GB]"_s;
    QTest::newRow("as pci.ids writes them") << u"10de"_s << u"2e2a"_s << u"GB20B"_s;
    QTest::newRow("capital digits") << u"0x10DE"_s << u"0x2E2A"_s << u"GB20B"_s;
    QTest::newRow("last of its vendor") << u"0x10de"_s << u"0x3340"_s << u"GB120"_s;
    QTest::newRow("not in the list") << u"0x10de"_s << u"0xffff"_s << QString();
    QTest::newRow("another vendor's device") << u"0x10de"_s << u"0xe220"_s << QString();
    QTest::newRow("unknown vendor") << u"0xabcd"_s << u"0x2330"_s << QString();
    QTest::newRow("a subsystem is no device") << u"0x10de"_s << u"0x1467"_s << QString();
    QTest::newRow("empty") << QString() << QString() << QString();
}

void PciGpusTest::findsNames()
{
    QFETCH(QString, vendor);
    QFETCH(QString, device);
    QFETCH(QString, name);
    const QByteArray id = device.right(4).toLower().toLatin1();
    QCOMPARE(pciNames(test::fixture(u"pci.ids"_s), vendor).value(id), name);
    QVERIFY(pciNames({}, vendor).isEmpty());
    QVERIFY(pciNames("10de  NVIDIA Corporation", vendor).isEmpty());
    if (!name.isEmpty()) {
        QCOMPARE(pciNames("10de  NVIDIA Corporation\n\t" + id + "  X", vendor).value(id), u"X"_s);
        // A comment between the devices ends nothing; a subsystem is no device.
        QCOMPARE(
            pciNames("10de  NVIDIA Corporation\n# note\n\n\t" + id + "  X\n\t\t" + id + " 0001  Y\n", vendor).value(id),
            u"X"_s);
    }
}

void PciGpusTest::takesDisplayAndComputeFunctionsOnly()
{
    const QList<PciDevice> devices{
        {u"0000:82:00.0"_s, u"0x10de"_s, u"0x2330"_s, u"0x030200"_s},
        {u"0000:01:00.0"_s, u"0x10de"_s, u"0x1b06"_s, u"0x030000"_s},
        {u"0000:01:00.1"_s, u"0x10de"_s, u"0x10ef"_s, u"0x040300"_s}, // its audio
        {u"0000:01:00.2"_s, u"0x10de"_s, u"0x1ad8"_s, u"0x0c0330"_s}, // its USB
        {u"0000:80:00.0"_s, u"0x10de"_s, u"0x22a3"_s, u"0x068000"_s}, // NVSwitch
        {u"0000:00:02.0"_s, u"0x8086"_s, u"0x4680"_s, u"0x030000"_s},
        {u"0000:00:03.0"_s, {}, {}, {}},
    };
    const QList<GpuInfo> gpus = gpusOnPci(devices, test::fixture(u"pci.ids"_s));
    QCOMPARE(gpus.size(), 2);
    QCOMPARE(gpus.at(0).busId, u"0000:01:00.0"_s);
    QCOMPARE(gpus.at(1).busId, u"0000:82:00.0"_s);
}

void PciGpusTest::describesGpus()
{
    const QByteArray ids = test::fixture(u"pci.ids"_s);
    const auto gpu = [&ids](const QString &device, const QByteArray &list) {
        return gpusOnPci({{u"0000:01:00.0"_s, u"0x10de"_s, device, u"0x030000"_s}}, list.isNull() ? ids : list)
            .constFirst();
    };
    QCOMPARE(gpu(u"0x1b06"_s, {}),
             (GpuInfo{u"NVIDIA GeForce GTX 1080 Ti"_s, u"6.1"_s, {}, u"0000:01:00.0"_s, u"PCI id"_s}));
    QCOMPARE(gpu(u"0x2e2a"_s, {}), (GpuInfo{u"NVIDIA GB20B"_s, u"12.1"_s, {}, u"0000:01:00.0"_s, u"PCI id"_s}));
    QCOMPARE(gpu(u"0xffff"_s, {}), (GpuInfo{u"NVIDIA GPU 10de:ffff"_s, {}, {}, u"0000:01:00.0"_s, u"PCI id"_s}));
    QCOMPARE(gpu(u"0x2330"_s, ""), (GpuInfo{u"NVIDIA GPU 10de:2330"_s, u"9.0"_s, {}, u"0000:01:00.0"_s, u"PCI id"_s}));
    // Every chip that the list names has the capability of its identifier, too; other functions than GPUs have none.
    for (const QByteArray &line : ids.split('\n')) {
        const QString name = QString::fromUtf8(line.mid(7));
        if (!line.startsWith('\t') || line.startsWith("\t\t") || name.contains(u"Audio"_s) || name.contains(u"USB"_s))
            continue;
        const QString device = QString::fromLatin1(line.sliced(1, 4));
        if (!capabilityOfChip(name).isEmpty())
            QCOMPARE(gpuOfPci({}, {}, device).capability, capabilityOfChip(name));
    }
    for (const QString &id : {u"1d57"_s, u"2040"_s, u"22a3"_s, u"2b00"_s, u"10ef"_s, QString()})
        QCOMPARE(gpuOfPci({}, {}, id).capability, QString());
}

void PciGpusTest::readsDeviceTrees_data()
{
    QTest::addColumn<QByteArray>("compatible");
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QList<GpuInfo>>("gpus");
    const QString source = u"device tree"_s;
    // As the kernel gives them: each ends with a NUL.
    const auto strings = [](const QByteArrayList &texts) { return texts.join('\0') + '\0'; };
    QTest::newRow("AGX Orin") << strings({"nvidia,p3737-0000+p3701-0000", "nvidia,p3701-0000", "nvidia,tegra234"})
                              << strings({"NVIDIA Jetson AGX Orin Developer Kit"})
                              << QList<GpuInfo>{{u"NVIDIA Jetson AGX Orin Developer Kit"_s, u"8.7"_s, {}, {}, source}};
    QTest::newRow("AGX Thor") << strings({"nvidia,p3971-0089+p3834-0008", "nvidia,p3834-0008", "nvidia,tegra264"})
                              << strings({"NVIDIA Jetson AGX Thor Developer Kit"})
                              << QList<GpuInfo>{{u"NVIDIA Jetson AGX Thor Developer Kit"_s, u"11.0"_s, {}, {}, source}};
    QTest::newRow("no model") << QByteArray("nvidia,tegra234") << QByteArray()
                              << QList<GpuInfo>{{u"NVIDIA Orin"_s, u"8.7"_s, {}, {}, source}};
    QTest::newRow("another board") << strings({"raspberrypi,5-model-b", "brcm,bcm2712"}) << strings({"Raspberry Pi 5"})
                                   << QList<GpuInfo>{};
    QTest::newRow("a name that only begins alike") << strings({"nvidia,tegra2345"}) << QByteArray() << QList<GpuInfo>{};
    QTest::newRow("none") << QByteArray() << QByteArray() << QList<GpuInfo>{};
}

void PciGpusTest::readsDeviceTrees()
{
    QFETCH(QByteArray, compatible);
    QFETCH(QByteArray, model);
    QFETCH(QList<GpuInfo>, gpus);
    QCOMPARE(gpusOfDeviceTree(compatible, model), gpus);
}

TM_TEST(PciGpusTest, void)
#include "tst_pcigpus.moc"
