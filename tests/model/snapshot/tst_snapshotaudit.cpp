// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/BranchSnapshot.h"
#include "tests/support/BranchContents.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString audited = u"pytorch-python313-cuda12_8-sm90-avx2"_s;

void change(BranchContent &content, const QString &name, const QByteArray &from, const QByteArray &to)
{
    VersionedFile *file = fileOf(content, name);
    QVERIFY(file->committed->contains(from));
    file->committed->replace(from, to);
    file->onDisk = file->committed;
}

} // namespace

/// The snapshot's data on the present recipes: facts, findings, and the resulting states.
class SnapshotAuditTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void factsOfEveryRecipe()
    {
        BranchContent content = wholeLine(u"main"_s);
        removeFile(content, audited);
        const BranchSnapshot snapshot = snapshotOf(content);
        for (const VariantEntry &entry : snapshot.entries) {
            QCOMPARE(entry.facts != nullptr, entry.present);
            QVERIFY(entry.firstError() == nullptr);
        }
        QCOMPARE(snapshot.find(u"pytorch-python313-cpu-avx2"_s)->facts->package.pname.value,
                 u"pytorch-python313-cpu-avx2"_s);
    }

    void stateFollowsFromTheGravest_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("reason");
        const QString sameBuild = u"Same build as the template's; what differs has no effect: "_s;
        QTest::newRow("sound") << "# Both:"_ba << "# For both:"_ba << u"equivalent"_s
                               << u"Same build as the template's"_s;
        QTest::newRow("note") << "export CFLAGS="_ba << "export MAX_JOBS=3\n    export CFLAGS="_ba << u"equivalent"_s
                              << sameBuild + u"MAX_JOBS."_s;
        QTest::newRow("warning") << "NVIDIA 525.60.13+"_ba << "NVIDIA 390+"_ba << u"equivalent"_s
                                 << sameBuild + u"meta texts."_s;
        QTest::newRow("another order") << "cudaSupport = true;\n  gpuTargets = [ gpuArchSM ];"_ba
                                       << "gpuTargets = [ gpuArchSM ];\n  cudaSupport = true;"_ba << u"equivalent"_s
                                       << u"Same derivation as the template's."_s;
        QTest::newRow("another flag") << "-mf16c"_ba << "-mf16c\" \"-O3"_ba << u"customised"_s
                                      << u"1 fact differs from the template: preConfigure."_s;
        QTest::newRow("another version") << "blasProvider = \"cublas\""_ba << "blasProvider = \"mkl\"; a = 1"_ba
                                         << u"customised"_s
                                         << u"2 facts differ from the template: passthru.a, passthru.blasProvider."_s;
        QTest::newRow("error") << "gpuArchSM = \"9.0\""_ba << "gpuArchSM = \"8.9\""_ba << u"broken"_s
                               << u"It is built for 8.9, but its name says sm90 (9.0)."_s;
        QTest::newRow("syntax") << "in\n"_ba << ""_ba << u"broken"_s << u"It is not valid Nix: "_s;
    }
    void stateFollowsFromTheGravest()
    {
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        QFETCH(const QString, reason);
        BranchContent content = wholeLine(u"main"_s);
        change(content, audited, from, to);
        const BranchSnapshot snapshot = snapshotOf(content);
        const VariantEntry *entry = snapshot.find(audited);
        QTEST(toString(entry->state), "state");
        QVERIFY2(entry->reason.startsWith(reason) && (entry->reason.isEmpty() == reason.isEmpty()),
                 qPrintable(entry->reason));
        QCOMPARE(entry->firstError() != nullptr, entry->state == RecipeState::Broken);
    }

    /// The working tree's text counts if it was read, and an error in it has priority over Modified.
    void judgesTheWorkTree()
    {
        BranchContent content = wholeLine(u"main"_s);
        VersionedFile *file = fileOf(content, audited);
        file->status = FileStatus::Modified;
        file->onDisk->replace("cudaSupport = true;\n  gpu", "cudaSupport = false;\n  gpu");
        const BranchSnapshot snapshot = snapshotOf(content);
        QCOMPARE(toString(snapshot.find(audited)->state), u"broken"_s);
        QCOMPARE(snapshot.find(audited)->findings.constFirst().rule, u"cuda-support-other"_s);
        QCOMPARE(int(snapshot.find(audited)->fileStatus), int(FileStatus::Modified));
    }

    void withoutTemplates()
    {
        BranchContent content = wholeLine(u"main"_s);
        change(content, audited, "gpuArchSM = \"9.0\"", "gpuArchSM = \"8.9\"");
        const BranchSnapshot whole = snapshotOf(content);
        const BranchSnapshot quick = makeSnapshot(builtInCatalog(), u"/repository"_s, content, Templates::LeftOut);
        QCOMPARE(quick.entries.size(), whole.entries.size());
        QCOMPARE(quick.counts(), (QMap<RecipeState, int>{{RecipeState::Customised, 43}, {RecipeState::Broken, 1}}));
        for (const VariantEntry &entry : whole.entries) {
            const VariantEntry *other = quick.find(entry.variant.name());
            QVERIFY(other->rendered.isEmpty());
            QCOMPARE(other->findings, entry.findings);
        }
    }

    void duplicateGoesFirst()
    {
        BranchContent content = wholeLine(u"main"_s);
        change(content, audited, "gpuArchSM = \"9.0\"", "gpuArchSM = \"8.9\"");
        content.files.append(recipeFile(u"pytorch-py313-cuda12_8-sm90-avx2"_s, "{ }: { }\n"));
        const BranchSnapshot snapshot = snapshotOf(content);
        QCOMPARE(toString(snapshot.find(audited)->state), u"duplicate"_s);
        QVERIFY(snapshot.find(audited)->firstError());
    }

    void companionsSeeTheirSiblings()
    {
        QFile fixture(QStringLiteral(TM_FIXTURES "/recipes/torchvision-sibling.nix"));
        QVERIFY(fixture.open(QIODevice::ReadOnly));
        const QString name = u"torchvision-python313-cuda12_8-sm90-avx2"_s;
        BranchContent content = wholeLine(u"main"_s);
        content.files.append(recipeFile(name, fixture.readAll()));
        QVERIFY(!snapshotOf(content).find(name)->firstError());
        // The same text, but its import no longer exists.
        removeFile(content, audited);
        const BranchSnapshot without = snapshotOf(content);
        QCOMPARE(without.find(name)->findings.constFirst().rule, u"companion-sibling-missing"_s);
        QCOMPARE(toString(without.find(name)->state), u"broken"_s);
    }

    /// Reading an unchanged branch again parses nothing: the facts are the same object.
    void parsesEachTextOnce()
    {
        const RecipeCache recipes(builtInCatalog());
        const auto snapshotOf = [&recipes](const BranchContent &content) {
            return makeSnapshot(recipes, u"/repository"_s, content);
        };
        BranchContent content = wholeLine(u"cuda-12_9"_s);
        const BranchSnapshot first = snapshotOf(content);
        const QString changed = u"pytorch-python313-cpu-avx2"_s;
        change(content, changed, "# Both:", "# For both:");
        const BranchSnapshot second = snapshotOf(content);
        for (const VariantEntry &entry : first.entries)
            QCOMPARE(entry.facts == second.find(entry.variant.name())->facts, entry.variant.name() != changed);
        // Other settings judge the same texts again without parsing them.
        content.settingsFile = "base = \"main\"\n"; // what the recipes say by themselves is no error of theirs
        const BranchSnapshot other = snapshotOf(content);
        QCOMPARE(other.find(changed)->facts, second.find(changed)->facts);
        QCOMPARE(other.find(changed)->findings.constFirst().rule, u"pin-other"_s);
    }
};

TM_TEST(SnapshotAuditTest, QCoreApplication)
#include "tst_snapshotaudit.moc"
