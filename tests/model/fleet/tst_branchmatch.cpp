// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/BranchMatch.h"

#include "model/catalog/Versions.h"
#include "tests/support/FleetFixture.h"
#include "tests/support/Rounds.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>

#include <algorithm>
#include <random>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

RecipeSummary recipe(const char *family, const char *python, const char *cuda, const char *isa,
                     const StatedTorch &torch)
{
    const auto text = [](const char *word) { return QString::fromLatin1(word); };
    const Variant variant{text(family), text(python), text(cuda), u"sm90"_s, text(isa)};
    return {variant, variant.name(), {variant.file()}, {}, torch};
}

FleetBranch branchOf(const QString &name, const QList<RecipeSummary> &recipes)
{
    BranchSummary summary;
    summary.recipes = recipes;
    return {u"/work/r"_s, {name}, std::make_shared<const BranchSummary>(summary), {}};
}

StatedTorch torch(const char *version, const char *pin)
{
    return {true, false, QString::fromLatin1(version), QString::fromLatin1(pin)};
}

StatedTorch needs(const char *version, const char *pin)
{
    return {false, true, QString::fromLatin1(version), QString::fromLatin1(pin)};
}

} // namespace

class BranchMatchTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void theBestBranchComesFirst()
    {
        const FleetBranch serve =
            branchOf(u"main"_s, {recipe("vllm", "python313", "12.8", "avx2", needs("2.9.1", "bbb")),
                                 recipe("vllm", "python313", "12.8", "avx512", needs("2.9.1", "bbb"))});
        const auto torches = [](const QString &name, const char *python, const char *cuda, const StatedTorch &torch) {
            return branchOf(name, {recipe("pytorch", python, cuda, "avx2", torch),
                                   recipe("pytorch", python, cuda, "avx512", torch)});
        };
        const FleetBranch otherPython = torches(u"python"_s, "python311", "12.8", torch("2.9.1", "bbb"));
        const FleetBranch otherToolkit = torches(u"toolkit"_s, "python313", "12.9", torch("2.9.1", "bbb"));
        const FleetBranch otherVersion = torches(u"version"_s, "python313", "12.8", torch("2.8.0", "bbb"));
        const FleetBranch otherPin = torches(u"pin"_s, "python313", "12.8", torch("2.9.1", "aaa"));
        const FleetBranch unknown = torches(u"unknown"_s, "python313", "12.8", torch("", "aaa"));
        const FleetBranch part =
            branchOf(u"part"_s, {recipe("pytorch", "python313", "12.8", "avx2", torch("2.9.1", "bbb"))});
        const FleetBranch same = torches(u"same"_s, "python313", "12.8", torch("2.9.1", "bbb"));
        const QList<BranchMatch> matches =
            matchesOf(serve, {&otherPython, &otherToolkit, &otherVersion, &unknown, &part, &otherPin, &same, &serve});
        QCOMPARE(matches.size(), 7);
        QCOMPARE(matches.at(0).branch, &same);
        QCOMPARE(matches.at(0).fitting, 2);
        QCOMPARE(matches.at(0).samePin, 2);
        QVERIFY(matches.at(0).differences.isEmpty());
        QCOMPARE(matches.at(1).branch, &otherPin);
        QCOMPARE(matches.at(1).fitting, 2);
        QCOMPARE(matches.at(1).samePin, 0);
        QCOMPARE(matches.at(1).differences, QStringList{u"nixpkgs aaa instead of bbb"_s});
        QCOMPARE(matches.at(2).branch, &part);
        QCOMPARE(matches.at(2).fitting, 1);
        const auto of = [&matches](const FleetBranch &branch) {
            return *std::ranges::find(matches, &branch, &BranchMatch::branch);
        };
        QCOMPARE(of(otherPython).fitting, 0);
        QCOMPARE(of(otherPython).differences, QStringList{u"Python 3.11 instead of 3.13"_s});
        QCOMPARE(of(otherToolkit).differences, QStringList{u"CUDA 12.9 instead of 12.8"_s});
        QCOMPARE(of(otherVersion).differences, QStringList{u"PyTorch 2.8.0 instead of 2.9.1"_s});
        QCOMPARE(of(unknown).fitting, 0);
        QCOMPARE(of(unknown).unknown, 2);
        QVERIFY(of(unknown).differences.constFirst().contains(u"unknown"_s));
        // Of those that do not fit, the one comes first that has the cells, however few words tell of another.
        QCOMPARE(matches.at(3).branch, &unknown);
        QCOMPARE(matches.at(4).branch, &otherVersion);
    }

    /// The same in both directions, for packages without Python and without torch too.
    void packagesWithoutPythonOrTorch()
    {
        const StatedTorch none{false, false, {}, u"bbb"_s};
        const FleetBranch magma = branchOf(u"magma"_s, {recipe("magma", "", "12.8", "", none)});
        const FleetBranch runtime = branchOf(u"runtime"_s, {recipe("onnxruntime", "python312", "12.8", "", none)});
        for (const auto &[one, other] : {std::pair(&magma, &runtime), std::pair(&runtime, &magma)}) {
            const QList<BranchMatch> matches = matchesOf(*one, {other});
            QCOMPARE(matches.constFirst().fitting, 1);
            QCOMPARE(matches.constFirst().samePin, 1);
        }
    }

    /// Generated branches against the definition, cell by cell.
    void countsAreThoseOfTheDefinition()
    {
        std::mt19937 random(7);
        const auto any = [&random](const auto &list) { return list[random() % std::size(list)]; };
        const char *const pythons[] = {"python312", "python313"};
        const char *const toolkits[] = {"12.8", "13.0"};
        const char *const isas[] = {"avx2", "avx512", "armv9"};
        const char *const versions[] = {"2.9.1", "2.9", "2.10.0", "210", ""};
        const char *const pins[] = {"aaa", "bbb"};
        for (int round = 0; round < rounds(200); ++round) {
            QList<RecipeSummary> ours;
            QList<RecipeSummary> theirs;
            for (int i = 0; i < 8; ++i) {
                const auto add = [&](QList<RecipeSummary> &list, const char *family, const StatedTorch &stated) {
                    const RecipeSummary one = recipe(family, any(pythons), any(toolkits), any(isas), stated);
                    if (std::ranges::find(list, one.variant, &RecipeSummary::variant) == list.end())
                        list.append(one);
                };
                add(ours, "vllm", needs(any(versions), any(pins)));
                add(theirs, "pytorch", torch(any(versions), any(pins)));
            }
            int fitting = 0;
            int samePin = 0;
            for (const RecipeSummary &one : ours) {
                for (const RecipeSummary &other : theirs) {
                    if (one.variant.python != other.variant.python || one.variant.cuda != other.variant.cuda ||
                        one.variant.isa != other.variant.isa)
                        continue;
                    const bool same = one.torch.pin == other.torch.pin;
                    const bool fits = sameVersion(one.torch.version, other.torch.version);
                    fitting += fits;
                    samePin += fits && same;
                }
            }
            const FleetBranch a = branchOf(u"a"_s, ours);
            const FleetBranch b = branchOf(u"b"_s, theirs);
            const BranchMatch match = matchesOf(a, {&b}).constFirst();
            QCOMPARE(match.fitting, fitting);
            QCOMPARE(match.samePin, samePin);
            QCOMPARE(match.of, int(ours.size()));
            Fleet fleet;
            fleet.branches = {a, b};
            const TorchCoverage coverage = torchCoverage(fleet).constFirst();
            QCOMPARE(coverage.covered, fitting);
            QCOMPARE(coverage.samePin, samePin);
            QCOMPARE(coverage.unknown, match.unknown);
        }
    }

    void aTarballIsLookedUpInTheClone()
    {
        const FleetFixture fixture;
        const QMap<QString, QByteArray> torches = FleetFixture::torches(newPin, "12_8", "python313", "2.9.1", {"avx2"});
        const QString first = fixture.commit(u"build-torch"_s, u"main"_s, torches);
        const QString second = fixture.commit(u"build-torch"_s, u"main"_s, {{u"README.md"_s, "Recipes\n"}});
        const QString path = FleetFixture::fileOf("pytorch-python313-cuda12_8-sm90-avx2");
        const auto fetchedAt = [&](const QString &repository, const QString &revision) {
            StatedTorch torch = needs("2.9.1", "bbb");
            torch.archive = u"https://github.com/acme/%1/archive/%2.tar.gz"_s.arg(repository, revision);
            torch.revision = revision;
            torch.path = path;
            FleetBranch branch = branchOf(u"main"_s, {recipe("torchvision", "python313", "12.8", "avx2", torch)});
            branch.repository = fixture.path(u"build-vision"_s);
            const QList<FetchedTorchSource> sources = fetchedTorchOf(branch, {});
            return sources.size() == 1 ? sources.constFirst() : FetchedTorchSource();
        };
        const FetchedTorchSource behind = fetchedAt(u"build-torch"_s, first);
        QCOMPARE(behind.clone, fixture.path(u"build-torch"_s));
        QVERIFY(behind.hasCommit);
        QCOMPARE(behind.branch, u"main"_s);
        QCOMPARE(std::pair(behind.ahead, behind.behind), std::pair(0, 1));
        QVERIFY(behind.lackingFiles.isEmpty());
        const FetchedTorchSource tip = fetchedAt(u"build-torch"_s, second);
        QCOMPARE(std::pair(tip.ahead, tip.behind), std::pair(0, 0));
        QCOMPARE(tip.lackingFiles, QStringList{path}); // the commit removed it
        // Ahead of what is left.
        fixture.git(u"build-torch"_s, {u"reset"_s, u"-q"_s, u"--hard"_s, first});
        const FetchedTorchSource ahead = fetchedAt(u"build-torch"_s, second);
        QVERIFY(ahead.hasCommit);
        QCOMPARE(std::pair(ahead.ahead, ahead.behind), std::pair(1, 0));
        const FetchedTorchSource missing = fetchedAt(u"build-torch"_s, QString(40, u'3'));
        QVERIFY(!missing.clone.isEmpty());
        QVERIFY(!missing.hasCommit);
        QVERIFY(fetchedAt(u"elsewhere"_s, first).clone.isEmpty());
    }
};

TM_TEST(BranchMatchTest, QCoreApplication)
#include "tst_branchmatch.moc"
