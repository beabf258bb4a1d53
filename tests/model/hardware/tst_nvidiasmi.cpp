// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/model/hardware/Machines.h"
#include "tests/support/TestMain.h"

using namespace Qt::StringLiterals;
using namespace tmx;

class NvidiaSmiTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void readsTheCapture();
    void readsSeveralGpus();
    void readsRows_data();
    void readsRows();
    void seesTheRefusal();
    void readsTheSecondAnswer();
    void explainsFailures_data();
    void explainsFailures();
    void writesSysfsBusIds_data();
    void writesSysfsBusIds();
};

void NvidiaSmiTest::readsTheCapture()
{
    const NvidiaSmiAnswer answer =
        readNvidiaSmi(test::fixture(u"hosts/h100-sapphire-rapids/nvidia-smi-query.csv"_s), 0, true);
    const GpuInfo h100{u"NVIDIA H100 80GB HBM3"_s, u"9.0"_s, u"81559 MiB"_s, u"0000:00:06.0"_s, u"nvidia-smi"_s};
    QCOMPARE(answer, (NvidiaSmiAnswer{.gpus = {h100}, .driver = u"580.159.04"_s}));
}

void NvidiaSmiTest::readsSeveralGpus()
{
    const NvidiaSmiAnswer answer =
        readNvidiaSmi("0, NVIDIA GeForce RTX 4090, 8.9, 560.35.03, 24564 MiB, 00000000:01:00.0\n"
                      "1, NVIDIA GeForce GTX 1080 Ti, 6.1, 560.35.03, 11264 MiB, 00000000:02:00.0\n",
                      0, true);
    QCOMPARE(answer.gpus.size(), 2);
    QCOMPARE(answer.gpus.at(1).name, u"NVIDIA GeForce GTX 1080 Ti"_s);
    QCOMPARE(answer.gpus.at(1).capability, u"6.1"_s);
    QCOMPARE(answer.driver, u"560.35.03"_s);
    QVERIFY(answer.problem.isEmpty());
}

void NvidiaSmiTest::readsRows_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<GpuInfo>("gpu");
    QTest::addColumn<QString>("driver");
    const GpuInfo t4{u"Tesla T4"_s, u"7.5"_s, u"15360 MiB"_s, u"0000:00:1e.0"_s, u"nvidia-smi"_s};
    QTest::newRow("ordinary") << QByteArray("0, Tesla T4, 7.5, 535.183.01, 15360 MiB, 00000000:00:1E.0\n") << t4
                              << u"535.183.01"_s;
    QTest::newRow("no newline at the end, no blanks")
        << QByteArray("0,Tesla T4,7.5,535.183.01,15360 MiB,00000000:00:1E.0") << t4 << u"535.183.01"_s;
    QTest::newRow("carriage returns") << QByteArray("0, Tesla T4, 7.5, 535.183.01, 15360 MiB, 00000000:00:1E.0\r\n")
                                      << t4 << u"535.183.01"_s;
    QTest::newRow("warning before") << QByteArray("WARNING: infoROM is corrupted at gpu 0000:00:1E.0\n0, Tesla T4, "
                                                  "7.5, 535.183.01, 15360 MiB, 00000000:00:1E.0\n")
                                    << t4 << u"535.183.01"_s;
    QTest::newRow("not available") << QByteArray("0, NVIDIA GB10, 12.1, 580.95.05, [N/A], 0000000F:01:00.0\n")
                                   << GpuInfo{u"NVIDIA GB10"_s, u"12.1"_s, {}, u"000f:01:00.0"_s, u"nvidia-smi"_s}
                                   << u"580.95.05"_s;
    QTest::newRow("nothing available") << QByteArray("0, Orin (nvgpu), [N/A], [N/A], [N/A], [N/A]\n")
                                       << GpuInfo{u"Orin (nvgpu)"_s, {}, {}, {}, u"nvidia-smi"_s} << QString();
    QTest::newRow("a GPU that fell off the bus")
        << QByteArray("0, [Unknown Error], [Unknown Error], 550.54.14, [Unknown Error], 00000000:41:00.0\n")
        << GpuInfo{u"NVIDIA GPU"_s, {}, {}, u"0000:41:00.0"_s, u"nvidia-smi"_s} << u"550.54.14"_s;
}

void NvidiaSmiTest::readsRows()
{
    QFETCH(QByteArray, output);
    QFETCH(GpuInfo, gpu);
    QFETCH(QString, driver);
    const NvidiaSmiAnswer answer = readNvidiaSmi(output, 0, true);
    QCOMPARE(answer.gpus, QList<GpuInfo>{gpu});
    QCOMPARE(answer.driver, driver);
    QCOMPARE(answer.problem, QString());
}

void NvidiaSmiTest::seesTheRefusal()
{
    QVERIFY(readNvidiaSmi("Field \"compute_cap\" is not a valid field to query.\n", 2, true).capabilityRefused);
    // Only for the query that requested it, otherwise the probe would ask forever.
    QVERIFY(!readNvidiaSmi("Field \"compute_cap\" is not a valid field to query.\n", 2, false).capabilityRefused);
    QVERIFY(!readNvidiaSmi("Field \"index\" is not a valid field to query.\n", 2, true).capabilityRefused);
    QVERIFY(!readNvidiaSmi("0, Tesla T4, 7.5, 535.183.01, 15360 MiB, 00000000:00:1E.0\n", 0, true).capabilityRefused);
}

void NvidiaSmiTest::readsTheSecondAnswer()
{
    const NvidiaSmiAnswer answer =
        readNvidiaSmi("0, NVIDIA GeForce GTX 1080 Ti, 470.82.01, 11178 MiB, 00000000:01:00.0\n", 0, false);
    const GpuInfo gpu{u"NVIDIA GeForce GTX 1080 Ti"_s, {}, u"11178 MiB"_s, u"0000:01:00.0"_s, u"nvidia-smi"_s};
    QCOMPARE(answer, (NvidiaSmiAnswer{.gpus = {gpu}, .driver = u"470.82.01"_s}));
    QVERIFY(!nvidiaSmiArguments(false).join(u' ').contains("compute_cap"_L1));
    QVERIFY(nvidiaSmiArguments(true).join(u' ').contains("compute_cap"_L1));
}

void NvidiaSmiTest::explainsFailures_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("problem");
    QTest::newRow("no driver")
        << QByteArray("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that it "
                      "runs.\n")
        << 9
        << u"nvidia-smi failed with exit code 9: NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that it runs."_s;
    QTest::newRow("no devices") << QByteArray("No devices were found\n") << 0
                                << u"nvidia-smi listed no GPU; it printed: No devices were found"_s;
    QTest::newRow("empty") << QByteArray() << 0 << u"nvidia-smi gave no answer."_s;
    QTest::newRow("blank lines") << QByteArray("\n \n\t\n") << 0 << u"nvidia-smi gave no answer."_s;
    QTest::newRow("silent failure") << QByteArray() << 127
                                    << u"nvidia-smi failed with exit code 127 and printed nothing."_s;
    QTest::newRow("localised") << QByteArray("Keine Ger\xc3\xa4te gefunden\n") << 6
                               << u"nvidia-smi failed with exit code 6: Keine Geräte gefunden"_s;
    QTest::newRow("control characters") << QByteArray("\x1b[31m\x07oops\x00 there\n", 17) << 0
                                        << u"nvidia-smi listed no GPU; it printed: [31m oops there"_s;
    QTest::newRow("rows of another query") << QByteArray("NVIDIA H100 80GB HBM3, 9.0\n") << 0
                                           << u"nvidia-smi listed no GPU; it printed: NVIDIA H100 80GB HBM3, 9.0"_s;
    QTest::newRow("very long") << QByteArray(5000, 'x') << 1
                               << u"nvidia-smi failed with exit code 1: %1…"_s.arg(QString(160, u'x'));
}

void NvidiaSmiTest::explainsFailures()
{
    QFETCH(QByteArray, output);
    QFETCH(int, exitCode);
    QFETCH(QString, problem);
    const NvidiaSmiAnswer answer = readNvidiaSmi(output, exitCode, true);
    QVERIFY(answer.gpus.isEmpty());
    QCOMPARE(answer.problem, problem);
}

void NvidiaSmiTest::writesSysfsBusIds_data()
{
    QTest::addColumn<QString>("busId");
    QTest::addColumn<QString>("sysfs");
    QTest::newRow("eight digits") << u"00000000:00:06.0"_s << u"0000:00:06.0"_s;
    QTest::newRow("four digits") << u"0000:C1:00.0"_s << u"0000:c1:00.0"_s;
    QTest::newRow("another domain") << u"00000009:01:00.0"_s << u"0009:01:00.0"_s;
    QTest::newRow("a domain beyond four digits") << u"00010000:01:00.0"_s << u"10000:01:00.0"_s;
    QTest::newRow("not available") << u"[N/A]"_s << QString();
    QTest::newRow("a path") << u"../../etc:00.0"_s << QString();
}

void NvidiaSmiTest::writesSysfsBusIds()
{
    QFETCH(QString, busId);
    QFETCH(QString, sysfs);
    QCOMPARE(sysfsBusId(busId), sysfs);
}

TM_TEST(NvidiaSmiTest, void)
#include "tst_nvidiasmi.moc"
