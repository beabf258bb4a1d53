// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// The older forms that are met: read, and judged for what they are.
#include "tests/support/AuditedText.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

QByteArray nixFixture(const QString &name)
{
    QFile file(QStringLiteral(TM_FIXTURES "/nix/valid/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture %s", qPrintable(name));
    return file.readAll();
}

} // namespace

class AuditOlderTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void judged_data()
    {
        QTest::addColumn<QString>("branch");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected"); // errors and warnings
        const auto row = [](const char *title, const QString &branch, const QString &name, const QByteArray &text,
                            const QString &expected) { QTest::newRow(title) << branch << name << text << expected; };
        row("explicit inputs, sm_ notation", u"main"_s, u"pytorch-python313-cuda12_8-sm90-avx512"_s,
            nixFixture(u"recipe-pytorch-gpu.nix"_s),
            u"cpu-flags-missing gpu-targets-notation attribute-alias pin-missing toolkit-not-selected"_s);
        row("two stages of the caller's nixpkgs", u"main"_s, u"pytorch-python313-cuda12_8-sm89-avx512"_s,
            nixFixture(u"recipe-pytorch-two-stage.nix"_s),
            u"gpu-targets-notation attribute-alias pin-missing toolkit-not-selected"_s);
        row("CPU", u"main"_s, u"pytorch-python313-cpu-avx512"_s, nixFixture(u"recipe-pytorch-cpu.nix"_s),
            u"cpu-flags-missing attribute-alias pin-missing"_s);
        row("torchvision, decimal", u"main"_s, u"torchvision-python313-cuda12_8-sm90-avx512"_s,
            nixFixture(u"recipe-torchvision-decimal.nix"_s),
            u"cpu-flags-missing attribute-alias companion-arch-list-missing "
            u"companion-torch-output parallelism-fixed pin-missing "
            "toolkit-not-selected"_s);
        row("torchvision, sm_", u"main"_s, u"torchvision-python313-cuda12_8-sm121-avx512"_s,
            nixFixture(u"recipe-torchvision-sm.nix"_s),
            u"cpu-flags-missing gpu-targets-notation toolkit-lacks-gpu attribute-alias companion-arch-list-missing "
            "companion-torch-output parallelism-fixed pin-missing product-elsewhere toolkit-not-selected"_s);
        row("pinned elsewhere, without overlays", u"cuda-13_0"_s, u"pytorch-python313-cuda13_0-sm110-armv8_2"_s,
            fixtureText(u"older-arm.nix"_s),
            u"allow-broken-missing attribute-pytorch build-version cccl-missing "
            u"find-cudatoolkit-missing "
            u"magma-patch-missing pin-other "
            "torch-version-other pname-other toolkit-not-selected"_s);
        row("from scratch", u"cuda-13_0"_s, u"pytorch-python313-cuda13_0-sm121-armv9"_s, fixtureText(u"nightly.nix"_s),
            u"from-scratch hash-empty magma-patch-missing submodules-missing torch-version-other pin-missing pname-other toolkit-not-selected"_s);
    }

    void judged()
    {
        QFETCH(const QString, branch);
        QFETCH(const QString, name);
        QFETCH(const QByteArray, text);
        QFETCH(const QString, expected);
        const Judgement judgement = audit(inputOf(branch, name, text));
        QStringList rules;
        for (const Severity severity : {Severity::Error, Severity::Warning}) {
            QStringList ofThese;
            for (const Finding &finding : judgement.findings) {
                if (finding.severity == severity && !ofThese.contains(finding.rule))
                    ofThese.append(finding.rule);
            }
            ofThese.sort();
            rules += ofThese;
        }
        QCOMPARE(rules.join(u' '), expected);
    }

    /// Legitimate ways to write what a rule asks for.
    void otherWaysToSayIt_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::newRow("flags in one word") << "${lib.concatStringsSep \" \" cpuFlags}"_ba << "-mavx2 -mfma -mf16c"_ba;
        QTest::newRow("toString") << "${lib.concatStringsSep \" \" cpuFlags}"_ba << "${toString cpuFlags}"_ba;
        QTest::newRow("what AVX2 implies") << "    \"-mfma\" "_ba << "    \"-mfma\" /* and */ "_ba;
        QTest::newRow("a rec set of settings")
            << "gpuTargets = [ gpuArchSM ];"_ba
            << "inherit (rec { arch = \"9.0\"; gpuTargets = [ arch ]; }) gpuTargets;"_ba;
        QTest::newRow("toolkit by an argument")
            << "(final: prev: { cudaPackages = final.cudaPackages_12_8; })"_ba
            << "(import ./none.nix) (final: prev: { cudaPackages = prev.cudaPackages_12_8; })"_ba;
        QTest::newRow("text around") << "  pname ="_ba << "  /* pname = \"x\"; */ pname ="_ba;
    }
    void otherWaysToSayIt()
    {
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        QByteArray text = renderedText(u"main"_s, name);
        QVERIFY(text.contains(from));
        text.replace(from, to);
        QCOMPARE(rulesOf(audit(inputOf(u"main"_s, name, text)), Severity::Warning), QStringList());
    }
};

TM_TEST(AuditOlderTest, QCoreApplication)
#include "tst_auditolder.moc"
