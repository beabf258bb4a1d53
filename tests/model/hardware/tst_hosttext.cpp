// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/TextForm.h"
#include "model/hardware/HardwareProbe.h"
#include "model/hardware/HostReportJson.h"
#include "model/hardware/HostText.h"
#include "model/hardware/MachineStore.h"
#include "model/hardware/RemoteProbe.h"
#include "model/hardware/VariantPicker.h"
#include "tests/model/hardware/Machines.h"
#include "tests/support/Choices.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QByteArray csv = "0, NVIDIA H100 80GB HBM3, 9.0, 580.159.04, 81559 MiB, 00000000:00:06.0\n";

/// The capture script, run here by a plain shell.
QByteArray captureHere()
{
    QProcess shell;
    shell.start(u"sh"_s, {u"-c"_s, QString::fromUtf8(captureScript())});
    shell.waitForFinished();
    return shell.readAllStandardOutput();
}

} // namespace

/// Machines that are not this one: saved, captured, pasted, asked over ssh.
class TestHostText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void readsWhatDetectWrote()
    {
        const HostReport report = capturedH100();
        const Result<HostReport> back = readHostText(QJsonDocument(toJson(report)).toJson(), u"x"_s);
        QVERIFY(back);
        QCOMPARE(*back, report);
        QVERIFY(!readHostText("{ not json", u"x"_s));
        QVERIFY(!readHostText("{}", u"x"_s));
    }

    /// The output of detect --json on the real machine whose other data is next to it.
    void readsTheRealMachinesReport()
    {
        const auto catalog = Catalog::load();
        QVERIFY(catalog);
        const Result<HostReport> report = readHostText(fixture(u"hosts/h100-sapphire-rapids/detect.json"_s), u"x"_s);
        QVERIFY(report);
        QCOMPARE(report->gpus, (QList<GpuInfo>{{u"NVIDIA H100 80GB HBM3"_s, u"9.0"_s, u"81559 MiB"_s, u"0000:00:06.0"_s,
                                                u"nvidia-smi"_s}}));
        QCOMPARE(isasThatRun(**catalog, *report, Workload::Bf16Training).first(), u"avx512bf16"_s);
        for (const Settings &settings : (*catalog)->builtIn) {
            const QList<Pick> picks = pickVariants(**catalog, choiceOf(settings), *report, Workload::General).run;
            QVERIFY(!picks.isEmpty());
            QVERIFY(picks.first().fit == Fit::Exact);
            QCOMPARE(picks.first().variant.row + u'-' + picks.first().variant.isa, u"sm90-avx512"_s);
        }
    }

    void readsPastedTextInAnyOrder_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QByteArray lscpu = fixture(u"hosts/h100-sapphire-rapids/lscpu.txt"_s);
        QVERIFY(!lscpu.isEmpty());
        QTest::newRow("lscpu first") << lscpu + "$ nvidia-smi\n" + csv;
        QTest::newRow("nvidia-smi first") << csv + "\n---\n" + lscpu;
        QTest::newRow("a prompt between, CRLF")
            << QByteArray("user@box:~$ lscpu\n" + lscpu + "user@box:~$ x\n" + csv).replace("\n", "\r\n");
        QTest::newRow("with the UUID, and again with two columns")
            << QByteArray("0, NVIDIA H100 80GB HBM3, 9.0, 580.159.04, 81559 MiB, 00000000:00:06.0, GPU-0\nname, "
                          "compute_cap\nNVIDIA H100 80GB HBM3, 9.0\n") +
                   lscpu;
        QTest::newRow("/proc/cpuinfo") << fixture(u"hosts/h100-sapphire-rapids/cpuinfo"_s) + csv;
    }
    void readsPastedTextInAnyOrder()
    {
        QFETCH(QByteArray, text);
        const Result<HostReport> report = readHostText(text, u"box"_s);
        QVERIFY(report);
        QCOMPARE(report->architecture, u"x86_64-linux"_s);
        QVERIFY(report->cpuFlags.contains(u"avx512_bf16"_s));
        QVERIFY(report->cores > 0);
        QCOMPARE(report->cpuModel, u"Intel(R) Xeon(R) Processor"_s);
        QCOMPARE(report->gpus.size(), 1);
        QCOMPARE(report->gpus.first().name, u"NVIDIA H100 80GB HBM3"_s);
        QCOMPARE(report->gpus.first().capability, u"9.0"_s);
        QCOMPARE(report->driver, u"580.159.04"_s);
    }

    void twoAlikeGpusStayTwo()
    {
        const Result<HostReport> report = readHostText("NVIDIA L40S, 8.9\nNVIDIA L40S, 8.9\nTesla T4, 7.5\n", u"box"_s);
        QVERIFY(report);
        QCOMPARE(report->gpus.size(), 3);
        QCOMPARE(report->gpus.last().capability, u"7.5"_s);
    }

    void aTableAloneNamesNoArchitecture()
    {
        const QByteArray table =
            "| NVIDIA-SMI 580.159.04             Driver Version: 580.159.04     CUDA Version: 13.0     |\n"
            "|   0  NVIDIA L40S                    On  |   00000000:00:06.0 Off |                    0 |\n";
        const Result<HostReport> report = readHostText(table, u"box"_s);
        QVERIFY(report);
        QCOMPARE(report->gpus.size(), 1);
        QCOMPARE(report->gpus.first().name, u"NVIDIA L40S"_s);
        QVERIFY(report->gpus.first().capability.isEmpty());
        QVERIFY(report->remarks.join(u' ').contains(u"compute_cap"_s));
    }

    void aGpuThatCannotBeReadIsUnknown_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("no driver") << QByteArray(
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA "
            "driver. Make sure that the latest NVIDIA driver is installed and "
            "running.\n");
        QTest::newRow("mismatch") << QByteArray("Failed to initialize NVML: Driver/library version mismatch\n");
        QTest::newRow("lost") << QByteArray(
            "Unable to determine the device handle for GPU0: 0000:06:00.0: Unknown Error\n");
        QTest::newRow("capability") << QByteArray("name, compute_cap, driver_version\nNVIDIA L40S, [N/A], 580.95.05\n");
        QTest::newRow("everything") << QByteArray("0, [Unknown Error], [Unknown Error], 580.95.05, [N/A], [N/A]\n");
    }
    void aGpuThatCannotBeReadIsUnknown()
    {
        QFETCH(QByteArray, answer);
        const auto report = readHostText(fixture(u"hosts/h100-sapphire-rapids/lscpu.txt"_s) + answer, u"box"_s);
        QVERIFY(report);
        QCOMPARE(report->gpus.size(), 1);
        QCOMPARE(report->gpus.first().capability, QString());
        QVERIFY(!report->remarks.join(u' ').contains(u"no NVIDIA GPU"_s));
        const auto catalog = Catalog::load();
        QVERIFY(catalog);
        const Picks picks = pickVariants(**catalog, choiceOf((*catalog)->builtIn.first()), *report, Workload::General);
        QVERIFY2(picks.whyNothing.contains(u"unknown"_s), qPrintable(picks.whyNothing));
    }

    void garbageIsOneSentence()
    {
        for (const QByteArray &text :
             {QByteArray(), QByteArray("hello\n"), QByteArray(100000, '\xff'), QByteArray("a:b\n").repeated(1000)}) {
            const Result<HostReport> report = readHostText(text, u"box"_s);
            QVERIFY(!report);
            QVERIFY(report.error().sentence().contains(u"box"_s));
        }
    }

    void aCaptureEqualsTheMachine()
    {
        QVERIFY(!captureScript().isEmpty());
        const QByteArray capture = captureHere();
        QVERIFY2(capture.contains("#torch-matrix end"), capture.left(400).constData());
        const Result<HostReport> there = readHostText("a login message\n" + capture, u"box"_s);
        QVERIFY(there);
        const HostReport here = readHostFiles(u"/"_s).host;
        QCOMPARE(there->name, here.name);
        QCOMPARE(there->cpuFlags, here.cpuFlags);
        QCOMPARE(there->cores, here.cores);
        QCOMPARE(there->memoryBytes, here.memoryBytes);
        QCOMPARE(there->os, here.os);
        QVERIFY(there->freeDiskBytes > 0);
    }

    void aCaptureIsReadLikeTheFilesItHolds()
    {
        const QByteArray capture =
            "#torch-matrix capture 1\n#torch-matrix file proc/sys/kernel/hostname\nspark\n#torch-matrix file "
            "proc/cpuinfo\n" +
            fixture(u"hosts/h100-sapphire-rapids/cpuinfo"_s) +
            "#torch-matrix file etc/nix/machines\nssh://arm aarch64-linux,armv7l-linux - 8\n# none\n"
            "#torch-matrix file etc/nix/nix.conf\ncores = 4\nextra-platforms = aarch64-linux\n"
            "#torch-matrix disk\n1048576\n"
            "#torch-matrix nvidia-smi compute_cap\nField \"compute_cap\" is not a valid field to query.\n\nexit 2\n"
            "#torch-matrix nvidia-smi plain\n0, NVIDIA H100 80GB HBM3, 470.82.01, 81559 MiB, 00000000:00:06.0\nexit "
            "0\n#torch-matrix end\n";
        const Result<HostReport> report = readHostText(capture, u"box"_s);
        QVERIFY(report);
        QCOMPARE(report->name, u"spark"_s);
        QCOMPARE(report->builders, QStringList{u"ssh://arm (aarch64-linux, armv7l-linux)"_s});
        QCOMPARE(report->nixSystems, (QStringList{u"x86_64-linux"_s, u"aarch64-linux"_s}));
        QCOMPARE(report->freeDiskBytes, qint64(1) << 30);
        QCOMPARE(report->driver, u"470.82.01"_s);
        QCOMPARE(report->gpus.size(), 1);
    }

    void aCaptureCannotWriteElsewhere()
    {
        const QTemporaryDir place;
        const QByteArray path = (place.path() + u"/stolen"_s).toUtf8();
        const QByteArray up = "../../../../../../../.." + path;
        const Result<HostReport> report =
            readHostText("#torch-matrix capture 1\n#torch-matrix file " + up + "\nx\n#torch-matrix file " + path +
                             "\nx\n#torch-matrix file proc/../" + up + "\nx\n#torch-matrix end\n",
                         u"box"_s);
        QVERIFY(report);
        QVERIFY(!QFile::exists(QString::fromUtf8(path)));
    }

    void hostsThatReadAsOptionsAreRefused()
    {
        for (const QString &host : {u"box"_s, u"me@box.example.org"_s, u"10.0.0.1"_s, u"me@[fe80::1%eth0]"_s})
            QVERIFY2(isSshHost(host) || host.contains(u'['), qUtf8Printable(host));
        for (const QString &host : {u""_s, u"-oProxyCommand=x"_s, u"a b"_s, u"a;b"_s, u"$(x)"_s, u"a\nb"_s})
            QVERIFY(!isSshHost(host));
        const QStringList arguments = sshArguments(u"box"_s);
        QCOMPARE(arguments.at(arguments.size() - 3), u"--"_s);
        QCOMPARE(arguments.at(arguments.size() - 2), u"box"_s);
    }

    void asksOverSsh_data()
    {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("answers") << u"box"_s << QString();
        QTest::newRow("greets first") << u"greeting"_s << QString();
        QTest::newRow("refused") << u"refused"_s << u"Connection refused"_s;
        QTest::newRow("asks for a password") << u"password"_s << u"without asking"_s;
        QTest::newRow("silent") << u"silent"_s << u"no answer in time"_s;
        QTest::newRow("no host") << u"-v"_s << u"not a host name"_s;
    }
    void asksOverSsh()
    {
        QFETCH(QString, host);
        QFETCH(QString, sentence);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", QByteArray(TM_STANDINS "/ssh:") + path);
        RemoteProbe probe;
        std::optional<Result<HostReport>> answer;
        connect(&probe, &RemoteProbe::finished, this, [&answer](const Result<HostReport> &report) { answer = report; });
        probe.start(host, host == u"silent"_s ? std::chrono::milliseconds(200) : std::chrono::seconds(20));
        QVERIFY(!answer);
        QTRY_VERIFY(answer);
        qputenv("PATH", path);
        if (sentence.isEmpty()) {
            QVERIFY2(*answer, answer->ok() ? "" : qUtf8Printable(answer->error().sentence()));
            QCOMPARE((*answer)->cpuFlags, readHostFiles(u"/"_s).host.cpuFlags);
        } else {
            QVERIFY(!*answer);
            QVERIFY2(answer->error().sentence().contains(sentence), qUtf8Printable(answer->error().sentence()));
        }
    }

    void machinesAreKeptByName()
    {
        const QTemporaryDir folder;
        const MachineStore store(folder.filePath(u"machines"_s));
        QVERIFY(store.names().isEmpty());
        QVERIFY(!store.load(u"h100"_s));
        HostReport report = capturedH100();
        QVERIFY(store.save(u"h100"_s, report));
        QVERIFY(store.save(u"a.b-c"_s, report));
        QCOMPARE(store.names(), (QStringList{u"a.b-c"_s, u"h100"_s}));
        report.name = u"h100"_s;
        QCOMPARE(*store.load(u"h100"_s), report);
        for (const QString &name : {u"../x"_s, u"-x"_s, u""_s, u".x"_s, u"a/b"_s, u"x"_s.repeated(65)})
            QVERIFY(!store.save(name, report));
        QVERIFY(store.remove(u"h100"_s));
        QVERIFY(!store.remove(u"h100"_s));
        QCOMPARE(store.names(), QStringList{u"a.b-c"_s});
    }
};

TM_TEST(TestHostText, QCoreApplication)
#include "tst_hosttext.moc"
