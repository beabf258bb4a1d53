// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HardwareProbe.h"
#include "model/hardware/HostFiles.h"
#include "model/hardware/NixProbe.h"
#include "tests/support/FileText.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace tmx;

/// Systems and builders: from Nix, or from its files if Nix does not answer.
class TestNixSettings : public QObject
{
    Q_OBJECT

    QByteArray m_path = qgetenv("PATH");
    QTemporaryDir m_root;

    void put(const QString &path, const QByteArray &text) const { tmx::test::putFile(m_root.filePath(path), text); }

    [[nodiscard]] NixAnswer ask(const QByteArray &behaviour, std::chrono::milliseconds limit = 20s) const
    {
        qputenv("TM_NIX", behaviour);
        NixProbe probe;
        QSignalSpy spy(&probe, &NixProbe::finished);
        probe.start(limit, m_root.path());
        if (spy.isEmpty() && !spy.wait(30'000))
            return {.problem = u"never answered"_s};
        return spy.first().first().value<NixAnswer>();
    }

private Q_SLOTS:
    void initTestCase()
    {
        put(u"etc/nix/machines"_s, "# ours\nssh://arm aarch64-linux,armv7l-linux - 8\nssh://plain - -\n");
    }
    void init()
    {
        QTest::failOnWarning();
        qputenv("PATH", QByteArray(TM_STANDINS "/nix:") + m_path);
    }
    void cleanup() { qputenv("PATH", m_path); }

    void systems_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QStringList>("systems");
        QTest::newRow("as Nix prints them") << u"extra-platforms = i686-linux aarch64-linux\nsystem = x86_64-linux\n"_s
                                            << QStringList{u"x86_64-linux"_s, u"i686-linux"_s, u"aarch64-linux"_s};
        QTest::newRow("as a person writes them") << u"  system=aarch64-linux\n"_s << QStringList{u"aarch64-linux"_s};
        QTest::newRow("nothing after the sign")
            << u"extra-platforms =\nsystem = x86_64-linux\n"_s << QStringList{u"x86_64-linux"_s};
        QTest::newRow("others of like names") << u"system-features = kvm\nfilter-syscalls = true\n"_s << QStringList();
        QTest::newRow("twice") << u"system = x86_64-linux\nextra-platforms = x86_64-linux\n"_s
                               << QStringList{u"x86_64-linux"_s};
    }
    void systems()
    {
        QFETCH(QString, settings);
        QTEST(nixSystems(settings), "systems");
    }

    void builders_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("builders");
        QTest::newRow("systems") << u"ssh://a x86_64-linux,aarch64-linux /key 8\n"_s
                                 << QStringList{u"ssh://a (x86_64-linux, aarch64-linux)"_s};
        QTest::newRow("no systems") << u"ssh://a\nssh://b - /key\n"_s << QStringList{u"ssh://a"_s, u"ssh://b"_s};
        QTest::newRow("semicolons") << u"ssh://a x86_64-linux ; ssh://b aarch64-linux;"_s
                                    << QStringList{u"ssh://a (x86_64-linux)"_s, u"ssh://b (aarch64-linux)"_s};
        QTest::newRow("comments and empty lines")
            << u"# ssh://no\n\n\t\nssh://a\tx86_64-linux # yes\n"_s << QStringList{u"ssh://a (x86_64-linux)"_s};
        QTest::newRow("a file is no builder") << u"@/etc/nix/machines"_s << QStringList();
    }
    void builders()
    {
        QFETCH(QString, text);
        QTEST(nixBuilders(text), "builders");
    }

    void namesTheFilesOfBuilders()
    {
        QCOMPARE(nixMachineFiles(u"builders = @/etc/nix/machines\n"_s), QStringList{u"/etc/nix/machines"_s});
        QCOMPARE(nixMachineFiles(u"build-users-group = @/no\nbuilders = ssh://a ; @/one @/two\ncores = @/no\n"_s),
                 (QStringList{u"/one"_s, u"/two"_s}));
        QCOMPARE(nixMachineFiles(u"builders = @relative\n"_s), QStringList());
    }

    void asksNix_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("new") << u"nix config show"_s;
        QTest::newRow("old") << u"nix show-config"_s;
    }
    void asksNix()
    {
        QFETCH(QString, command);
        const NixAnswer answer = ask(QTest::currentDataTag());
        QCOMPARE(answer.command, command);
        QVERIFY2(answer.problem.isEmpty(), qPrintable(answer.problem));
        HostReport report;
        report.nixSystems = {u"of a file"_s};
        report.builders = {u"of a file"_s};
        takeNixAnswer(report, answer);
        QCOMPARE(report.nixSystems, (QStringList{u"x86_64-linux"_s, u"i686-linux"_s, u"aarch64-linux"_s}));
        QCOMPARE(report.builders, (QStringList{u"ssh://inline (x86_64-darwin)"_s,
                                               u"ssh://arm (aarch64-linux, armv7l-linux)"_s, u"ssh://plain"_s}));
        QCOMPARE(report.sources.value(u"nixSystems"_s), command);
        QCOMPARE(report.sources.value(u"builders"_s), command + u", /etc/nix/machines"_s);
        QVERIFY(report.remarks.isEmpty());
    }

    void noBuildersMeansNone()
    {
        HostReport report;
        report.builders = {u"ssh://old"_s};
        takeNixAnswer(report, {.settings = u"builders =\nsystem = x86_64-linux\n"_s, .command = u"nix config show"_s});
        QVERIFY(report.builders.isEmpty());
        QVERIFY(!report.sources.contains(u"builders"_s));
    }

    void whatFailsLeavesWhatTheFilesSay_data()
    {
        QTest::addColumn<QString>("problem");
        QTest::newRow("fail") << u"Nix did not print its settings, so its files were read."_s;
        QTest::newRow("hang") << u"Nix did not print its settings within 0.3 s, so its files were read."_s;
    }
    void whatFailsLeavesWhatTheFilesSay()
    {
        QFETCH(QString, problem);
        const NixAnswer answer =
            ask(QTest::currentDataTag(), QLatin1StringView(QTest::currentDataTag()) == "hang"_L1 ? 300ms : 20s);
        HostReport report;
        report.builders = {u"ssh://a"_s};
        takeNixAnswer(report, answer);
        QCOMPARE(report.builders, QStringList{u"ssh://a"_s});
        QCOMPARE(report.remarks, QStringList{problem});
    }

    void withoutNixNothingIsSaid()
    {
        qputenv("PATH", "/nowhere");
        const NixAnswer answer = ask("new");
        QCOMPARE(answer, NixAnswer());
    }

    void theReportOfTheMachineHasIt()
    {
        qputenv("TM_NIX", "new");
        put(u"etc/nix/nix.conf"_s, "system = riscv64-linux\n");
        HardwareProbe probe;
        QSignalSpy spy(&probe, &HardwareProbe::finished);
        probe.start(20s, m_root.path());
        QVERIFY(!spy.isEmpty() || spy.wait(30'000));
        const auto report = spy.first().first().value<HostReport>();
        QCOMPARE(report.nixSystems.value(0), u"x86_64-linux"_s);
        QCOMPARE(report.sources.value(u"nixSystems"_s), u"nix config show"_s);
        QCOMPARE(report.builders.value(0), u"ssh://inline (x86_64-darwin)"_s);
    }

    /// A report names the source of each fact about this machine.
    void everyFactNamesItsSource()
    {
        const HostReport report = combine(
            readHostFiles(u"/"_s),
            NvidiaSmiAnswer{.gpus = {{u"Tesla T4"_s, u"7.5"_s, {}, {}, u"nvidia-smi"_s}}, .driver = u"535.183.01"_s},
            NixAnswer{.settings = u"builders = ssh://a\nsystem = x86_64-linux\n"_s, .command = u"nix config show"_s});
        const std::pair<QString, bool> facts[] = {{u"name"_s, !report.name.isEmpty()},
                                                  {u"system"_s, !report.architecture.isEmpty()},
                                                  {u"cpu"_s, !report.cpuFlags.isEmpty()},
                                                  {u"memory"_s, report.memoryBytes > 0},
                                                  {u"os"_s, !report.os.isEmpty()},
                                                  {u"disk"_s, report.freeDiskBytes > 0},
                                                  {u"driver"_s, true},
                                                  {u"gpus"_s, true},
                                                  {u"nixSystems"_s, true},
                                                  {u"builders"_s, true}};
        for (const auto &[fact, known] : facts)
            QCOMPARE(report.sources.contains(fact), known);
    }
};

TM_TEST(TestNixSettings, QCoreApplication)
#include "tst_nixsettings.moc"
