// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HostFacts.h"

#include "model/hardware/PastedHost.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;
using FactKind = HostFact::Kind;

namespace {

/// "GPU: by name", a line a fact.
QString kindsOf(const QByteArray &text)
{
    QString kinds;
    for (const HostFact &fact : factsOf(*builtInCatalog(), *readPastedHost(text, u"x"_s)))
        kinds += fact.title + (fact.kind == FactKind::Read     ? u": read\n"_s
                               : fact.kind == FactKind::ByName ? u": by name\n"_s
                                                               : u": missing\n"_s);
    return kinds;
}

} // namespace

class tst_HostFacts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void tellsWhatIsMissing()
    {
        QCOMPARE(kindsOf("Architecture: x86_64\nModel name: A CPU\nCPU(s): 8\nFlags: fpu avx avx2 fma f16c lm\n"),
                 u"Processor: read\nInstruction sets: read\nGPU: missing\nMemory: missing\nSystem: read\n"_s);
        QCOMPARE(kindsOf("NVIDIA H100 80GB HBM3, 9.0, 580.95.05\nMemTotal: 131072000 kB\n"),
                 u"Processor: missing\nInstruction sets: missing\nGPU: read\nDriver: read\nMemory: read\n"_s);
    }

    void marksWhatANameTells()
    {
        QCOMPARE(kindsOf("GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"),
                 u"Processor: missing\nInstruction sets: missing\nGPU: by name\nDriver: missing\nMemory: missing\n"_s);
        QVERIFY(kindsOf("GPU 0: NVIDIA Graphics Device (UUID: GPU-1)\n").contains(u"GPU: missing"));
    }

    void namesACommandForWhatIsMissing()
    {
        const QList<HostFact> facts =
            factsOf(*builtInCatalog(), *readPastedHost("GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-1)\n"
                                                       "GPU 1: NVIDIA A100-SXM4-80GB (UUID: GPU-2)\n",
                                                       u"x"_s));
        for (const HostFact &fact : facts) {
            QCOMPARE(fact.command.isEmpty(), fact.kind == FactKind::Read);
            QVERIFY(fact.command.isEmpty() || machineCommands().contains(fact.command));
            QVERIFY(fact.title != u"GPU" || fact.value.startsWith(u"2 × NVIDIA A100"));
        }
    }
};

TM_TEST(tst_HostFacts, QCoreApplication)
#include "tst_hostfacts.moc"
