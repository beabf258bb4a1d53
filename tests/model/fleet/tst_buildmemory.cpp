// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/BuildMemory.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/FleetFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

constexpr qint64 gigabyte = 1'000'000'000;

/// A recipe of vLLM with its own torch, and these attributes of each.
VariantEntry served(const char *row, const QByteArray &torch, const QByteArray &package)
{
    VariantEntry entry;
    entry.variant = {u"vllm"_s, u"python313"_s, u"12.8"_s, QString::fromLatin1(row), u"avx2"_s};
    entry.file = entry.variant.file();
    entry.present = true;
    entry.text = pinnedRecipe(newPin, "12_8",
                              "(pinned.python313.override { packageOverrides = self: super: { torch = "
                              "super.torch.overrideAttrs (old: { " +
                                  torch + " }); }; }).pkgs.vllm.overrideAttrs (old: { " + package + " })");
    entry.facts = std::make_shared<const RecipeFacts>(readFacts(entry.text));
    return entry;
}

BuildMemory memoryOf(const VariantEntry &entry, int cores, qint64 memory, qint64 peak = 0)
{
    return buildMemory(*testing::builtInCatalog(), entry, cores, {64, memory * gigabyte}, peak * gigabyte);
}

} // namespace

class BuildMemoryTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void allCoresOfTheMachine()
    {
        const BuildMemory memory = memoryOf(served("sm90", "ninjaFlags = [ \"-j32\" ];", "MAX_JOBS = 16;"), 0, 125);
        QCOMPARE(memory.packages.size(), 2);
        QCOMPARE(memory.packages.at(0).name, u"torch"_s);
        QCOMPARE(memory.packages.at(0).jobs, 64);
        QCOMPARE(memory.packages.at(0).memory(), 320 * gigabyte);
        QCOMPARE(memory.packages.at(0).withoutEffect.size(), 1);
        QCOMPARE(memory.packages.at(1).name, u"vllm"_s);
        QCOMPARE(memory.packages.at(1).memory(), 512 * gigabyte);
        QVERIFY(memory.packages.at(1).fixedBy.isEmpty());
        QCOMPARE(memory.needed(), 512 * gigabyte);
        QCOMPARE(memory.jobsThatFit(), 15);
        const QString text = memory.sentences().join(u'\n');
        QVERIFY2(text.contains(u"64 jobs of 5 GB, 320 GB in all. No effect: ninjaFlags"_s), qPrintable(text));
        QVERIFY2(text.contains(u"No effect: MAX_JOBS=16"_s), qPrintable(text));
        QVERIFY2(text.endsWith(u"This machine has 125 GB. Build with --cores 15."_s), qPrintable(text));
    }

    void theUsersChoice()
    {
        const BuildMemory memory = memoryOf(served("sm90", {}, {}), 15, 125);
        QCOMPARE(memory.needed(), 120 * gigabyte);
        QVERIFY(!memory.sentences().constLast().contains(u"--cores"_s));
    }

    void aCapOfTheRecipeOverridesTheUsersChoice()
    {
        const BuildMemory memory =
            memoryOf(served("sm90", {}, "NIX_BUILD_CORES = 16; preBuild = \"export MAX_JOBS=20\";"), 4, 125);
        QCOMPARE(memory.packages.at(0).jobs, 4);
        QCOMPARE(memory.packages.at(1).jobs, 20);
        QVERIFY(memory.packages.at(1).fixedBy.text().startsWith(u"MAX_JOBS (line "_s));
        QCOMPARE(memory.needed(), 160 * gigabyte);
        const QString text = memory.sentences().join(u'\n');
        QVERIFY2(text.contains(u"overrides --cores."_s), qPrintable(text));
        QVERIFY2(text.contains(u"Lower MAX_JOBS (line"_s), qPrintable(text));
        QVERIFY2(!text.contains(u"Build with --cores"_s), qPrintable(text));
    }

    void withoutGpuCodeTheUsualMemory() { QCOMPARE(memoryOf(served("cpu", {}, {}), 10, 125).needed(), 20 * gigabyte); }

    void whatEarlierBuildsTook()
    {
        QCOMPARE(memoryOf(served("sm90", {}, {}), 4, 125, 70).needed(), 70 * gigabyte);
        QCOMPARE(memoryOf(served("sm90", {}, {}), 10, 125, 70).needed(), 80 * gigabyte);
    }

    void unknownMachinesAndRecipes()
    {
        QCOMPARE(memoryOf(served("sm90", {}, {}), 0, 0).jobsThatFit(), 0);
        VariantEntry broken = served("sm90", {}, {});
        broken.facts = std::make_shared<const RecipeFacts>(readFacts("{"));
        QCOMPARE(memoryOf(broken, 0, 125).needed(), 0);
        QVERIFY(memoryOf(broken, 0, 125).sentences().isEmpty());
    }

    /// A Python package around a library of the same name.
    void whatIsCompiledTheSameWayIsSaidOnce()
    {
        VariantEntry entry = served("sm90", {}, {});
        RecipeFacts facts = *entry.facts;
        facts.libraries = {facts.package};
        entry.facts = std::make_shared<const RecipeFacts>(facts);
        QCOMPARE(memoryOf(entry, 2, 125).packages, memoryOf(served("sm90", {}, {}), 2, 125).packages);
    }

    void severalAtATime()
    {
        const BuildMemory one = memoryOf(served("sm90", {}, {}), 15, 125); // 15 jobs of several GB
        const qint64 needed = one.needed();
        const qint64 has = 125 * gigabyte;
        QVERIFY(needed < has);
        QCOMPARE(crowdedText({needed, needed, needed}, has, 1), QString());
        QCOMPARE(crowdedText({needed}, has, 4), QString());
        QCOMPARE(crowdedText({}, has, 4), QString());
        const QString four = crowdedText({needed, 1, needed, needed, needed}, has, 4);
        QVERIFY2(four.startsWith(
                     u"4 builds at a time may need %1 GB, and this machine has 125 GB"_s.arg(4 * needed / gigabyte)),
                 qPrintable(four));
        QCOMPARE(crowdedText({needed, needed}, 0, 2), QString()); // unknown
    }

    void equalBuildsAreOneParagraph()
    {
        const BuildMemory one = memoryOf(served("sm90", {}, {}), 15, 125);
        const BuildMemory other = memoryOf(served("sm90", {}, "NIX_BUILD_CORES = 3;"), 15, 125);
        const QString text = memoryText({one, other, one});
        QVERIFY2(text.startsWith(u"2 recipes:\n  torch: 15 jobs"_s), qPrintable(text));
        QVERIFY2(text.contains(u"\n1 recipe"_s), qPrintable(text));
        // Copies of a recipe differ in the line.
        BuildMemory lower = other;
        lower.packages.last().fixedBy.lines = {44};
        const QString both = memoryText({other, lower, other});
        QVERIFY2(both.startsWith(u"3 recipes:\n"_s) && both.count(u"recipe"_s) == 1, qPrintable(both));
        QVERIFY2(both.contains(
                     u"NIX_BUILD_CORES (line %1 or 44)"_s.arg(other.packages.constLast().fixedBy.lines.constFirst())),
                 qPrintable(both));
        lower.packages.last().jobs = 4;
        QCOMPARE(memoryText({other, lower}).count(u"1 recipe:"_s), 2);
    }
};

TM_TEST(BuildMemoryTest, QCoreApplication)
#include "tst_buildmemory.moc"
