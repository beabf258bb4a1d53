// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/VariantName.h"
#include "model/settings/SettingsFile.h"
#include "model/snapshot/BranchSnapshot.h"
#include "tests/support/BranchContents.h"
#include "tests/support/RandomSettings.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString hash = u"sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ="_s;

/// How the recipes of a key are built; the rendered recipes state all of it.
Profile randomProfile(QRandomGenerator &random, const ProfileKey &key, bool upgraded, const NixpkgsPin &pin)
{
    const auto rarely = [&random] { return random.bounded(3) == 0; };
    const bool torch = key.family == "pytorch"_L1;
    Profile profile;
    profile.pin = pin;
    profile.version =
        key.family == "torchvision"_L1 ? (upgraded ? u"0.25.0"_s : u"0.23.0"_s) : (upgraded ? u"2.10.0"_s : u"2.8.0"_s);
    profile.sourceHash = upgraded ? hash : QString();
    if (key.isCuda()) {
        profile.cudaAttribute = builtInCatalog()->toolkit(key.build)->attribute;
        profile.release = rarely() ? key.build + u".1"_s : key.build;
    }
    profile.pnamePrefix = rarely() ? key.family + u"28"_s : QString();
    profile.metadataRev = rarely() ? random.bounded(1, 9) : 0;
    if (torch && key.build != "metal"_L1) {
        if (upgraded)
            profile.templateName = key.isCuda() ? u"pytorch/pinned-overlays-gpu"_s : u"pytorch/pinned-overlay-cpu"_s;
        else if (key.isCuda() && rarely())
            profile.templateName = u"pytorch/explicit-inputs-gpu"_s;
    }
    if (!torch) {
        profile.torchOrigin = TorchOrigin(random.bounded(4));
        if (profile.torchOrigin == TorchOrigin::Fetched)
            profile.torchRepository = {rarely()   ? u"acme/build-pytorch"_s
                                       : rarely() ? u"https://example.org/acme/recipes"_s
                                                  : u"https://example.org/-/archive/{rev}/recipes-{rev}.tar.gz"_s,
                                       test::randomDigits(random), rarely() ? hash : QString()};
        if (profile.torchOrigin == TorchOrigin::Published)
            profile.torchCatalog = u"acme"_s;
    }
    if (key.build != "metal"_L1 && rarely())
        profile.blas = Blas(random.bounded(3));
    const bool standard = !profile.pin.revision.isEmpty() && rarely();
    profile.pin.python3 = standard ? key.python : QString();
    if (standard && !upgraded)
        profile.pythonSet = u"python3Packages"_s;
    return profile;
}

/// Settings whose rendered recipes state everything.
Settings randomBranch(QRandomGenerator &random)
{
    const Catalog &catalog = *builtInCatalog();
    QStringList families{u"pytorch"_s};
    if (random.bounded(3) == 0)
        families += test::someOf(random, {u"torchaudio"_s, u"torchvision"_s});
    const QStringList pythons = test::someOf(random, {u"python313"_s, u"python312"_s, u"python311"_s});
    const QStringList toolkits = test::someOf(random, {u"12.6"_s, u"12.8"_s, u"12.9"_s, u"13.0"_s});
    Settings settings;
    settings.branch = u"x"_s;
    settings.source = Settings::Source::Inferred;
    for (const QString &python : pythons) {
        for (const QString &build : toolkits + QStringList{u"cpu"_s, u"metal"_s}) {
            const bool upgraded = build == "13.0"_L1 || (build != "metal"_L1 && random.bounded(3) == 0);
            NixpkgsPin pin{test::randomDigits(random), random.bounded(2) ? hash : QString(), {}};
            if (!upgraded && random.bounded(4) == 0)
                pin = {};
            for (const QString &family : std::as_const(families)) {
                const ProfileKey key{family, python, build};
                Profile profile = randomProfile(random, key, upgraded, pin);
                if (family != "pytorch"_L1) // one torch, one way to name its Python
                    profile.pin.python3 = settings.profiles.value({u"pytorch"_s, python, build}).pin.python3;
                profile.pythonSet = upgraded || profile.pin.python3.isEmpty() ? QString() : u"python3Packages"_s;
                QSet<GridCell> cells;
                for (const GpuRow &row : catalog.rows) {
                    for (const QString &isa : hasIsa(row.id) ? catalog.isaIds() : QStringList{QString()}) {
                        const Variant variant = key.variant({row.id, isa});
                        if (ProfileKey::of(variant) == key && catalog.validity(variant).valid && random.bounded(4) == 0)
                            cells.insert({row.id, isa});
                    }
                }
                profile.cells = catalog.inGridOrder(cells);
                // Recipes that cannot have it do not state it.
                if (std::ranges::none_of(cells, [&](const GridCell &cell) {
                        return catalog.blasOf(key.variant(cell), profile.blas) == profile.blas;
                    }))
                    profile.blas = Blas::Default;
                // The torch of companions is known by its own recipes.
                if (Profile &torch = settings.profiles[{u"pytorch"_s, python, build}];
                    family != "pytorch"_L1 && torch.cells.isEmpty())
                    torch.cells = profile.cells;
                settings.profiles.insert(key, profile);
            }
        }
    }
    return settings;
}

BranchContent contentOf(const Settings &settings)
{
    BranchContent content{settings.branch, QString(40, u'a'), true, {}};
    RecipeRenderer renderer(builtInCatalog());
    for (const Variant &variant : settings.promised()) {
        const auto text = renderer.render(settings, variant);
        if (!text)
            qFatal("%s", qPrintable(text.error().sentence()));
        content.files.append(recipeFile(variant.name(), *text));
    }
    return content;
}

/// The part that recipes state: profiles without recipes are ignored.
Settings withRecipes(Settings settings)
{
    settings.profiles.removeIf([](const auto &entry) { return entry.value().cells.isEmpty(); });
    return settings;
}

/// A hand-written recipe: important values are stated in other words than in a template.
QByteArray handWritten(const QString &name, const QByteArray &set, const QByteArray &pin = QByteArray(40, 'a'),
                       const QByteArray &target = "9.0")
{
    const bool gpu = name.contains("-cuda"_L1);
    QByteArray text = "{ pkgs ? import <nixpkgs> {} }:\nlet\n  here = import (builtins.fetchTarball {\n    url = "
                      "\"https://github.com/NixOS/nixpkgs/archive/" +
                      pin + ".tar.gz\";\n  }) {\n    config = { allowUnfree = true; };\n";
    if (gpu)
        text += "    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_" +
                name.section("-cuda"_L1, 1).section(u'-', 0, 0).toUtf8() + "; }) ];\n";
    const QByteArray package = name.startsWith("torchvision"_L1) ? "torchvision" : "torch";
    text += "  };\nin\n  (here." + set + '.' + package + ".override {\n";
    if (gpu && package == "torch")
        text += "    cudaSupport = true;\n    gpuTargets = [ \"" + target + "\" ];\n";
    return text + "  }).overrideAttrs (old: {\n    pname = \"" + name.toUtf8() + "\";\n  })\n";
}

/// A recipe of a family that nobody declared: Python bindings over a library that is compiled in the same file.
QByteArray mathRun(const QByteArray &name, const QByteArray &sm, const QByteArray &attributes, const QByteArray &inner)
{
    return "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (builtins.fetchTarball {\n    url = "
           "\"https://github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz\";\n  }) {\n"
           "    config = { allowUnfree = true; cudaSupport = true; };\n    overlays = [ (final: prev: { cudaPackages "
           "= final.cudaPackages_12_9; }) ];\n  };\n  native = pinned.mathrun.overrideAttrs (old: {\n    cmakeFlags = "
           "(old.cmakeFlags or [ ]) ++ [ \"-DCMAKE_CUDA_ARCHITECTURES=" +
           sm + "\" ];\n    " + inner +
           "\n  });\nin\n(pinned.python313Packages.mathrun.override { mathrun = native; }).overrideAttrs (old: {\n  "
           "pname = \"" +
           name + "\";\n  " + attributes + "\n})\n";
}

/// A branch whose GPU recipes all have a line that no template has.
BranchContent ownShape()
{
    BranchContent content = wholeLine(u"main"_s);
    content.branch = u"theirs"_s;
    for (VersionedFile &file : content.files) {
        if (!file.path.contains("-cuda"_L1))
            continue;
        const QByteArray phase = "preConfigure = (oldAttrs.preConfigure or \"\") + ''\n";
        file.committed = QByteArray(*file.committed).replace(phase, phase + "    export USE_OWN=1\n");
        if (!file.committed->contains("USE_OWN"))
            qFatal("%s has no such phase", qPrintable(file.path));
        file.onDisk = file.committed;
    }
    return content;
}

BranchContent branchOf(const QMap<QString, QByteArray> &recipes)
{
    BranchContent content{u"theirs"_s, QString(40, u'a'), true, {}};
    for (auto it = recipes.cbegin(); it != recipes.cend(); ++it)
        content.files.append(recipeFile(it.key(), *it));
    return content;
}

} // namespace

/// Settings as the recipes of a branch have them.
class InferenceTest : public QObject
{
    Q_OBJECT

    /// The settings can be saved as a file and read back, with the same grid and states.
    static void isSavedAndReadBack(BranchContent content)
    {
        const BranchSnapshot before = makeSnapshot(builtInCatalog(), u"/"_s, content);
        QVERIFY(before.settings.source == Settings::Source::Inferred);
        const QByteArray file = writeSettingsFile(before.settings, *builtInCatalog());
        const auto read = readSettingsFile(file, *builtInCatalog(), content.branch);
        QVERIFY2(read.ok(), qPrintable(read ? QString() : read.error().sentence() + QString::fromUtf8(file)));
        QVERIFY2(sameProfiles(*read, before.settings), qPrintable(test::firstDifference(*read, before.settings)));
        content.settingsFile = file;
        const BranchSnapshot after = makeSnapshot(builtInCatalog(), u"/"_s, content);
        for (const VariantEntry &entry : before.entries) {
            const VariantEntry *same = after.find(entry.variant.name());
            if (entry.hole)
                QVERIFY(!same); // it is not promised
            else
                QVERIFY2(same && same->state == entry.state && same->covered == entry.covered,
                         qPrintable(entry.variant.name()));
        }
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    // Inference restores the settings from their rendered recipes.
    void whatIsRenderedIsInferred()
    {
        QRandomGenerator random(5);
        for (int round = test::rounds(100); round > 0; --round) {
            const Settings settings = randomBranch(random);
            const BranchContent content = contentOf(settings);
            if (content.files.isEmpty())
                continue;
            const Inference inference = inferred(builtInCatalog(), content);
            const QString difference = test::firstDifference(withRecipes(settings), withRecipes(inference.settings));
            QVERIFY2(difference.isEmpty(), qPrintable(difference));
            const QByteArray file = writeSettingsFile(inference.settings, *builtInCatalog());
            const auto read = readSettingsFile(file, *builtInCatalog(), u"x"_s);
            QVERIFY2(read.ok(), qPrintable(read ? QString() : read.error().sentence()));
            QVERIFY2(sameProfiles(*read, inference.settings), file.constData());
            QVERIFY(dissentOf(inference).isEmpty());
        }
    }

    void builtInSettingsAreInferredFromTheirRecipes()
    {
        for (const Settings &builtIn : builtInCatalog()->builtIn) {
            BranchContent content = wholeLine(builtIn.branch);
            QVERIFY(settingsFor(builtInCatalog(), content).source == Settings::Source::BuiltIn);
            content.branch = u"another"_s;
            const BranchSnapshot snapshot = makeSnapshot(builtInCatalog(), u"/"_s, content);
            QCOMPARE(snapshot.counts().size(), 1);
            QCOMPARE(snapshot.counts().value(RecipeState::Current), int(builtIn.promised().size()));
            isSavedAndReadBack(content);
        }
    }

    // A few recipes that are as those of a built-in matrix are no proof of all the others of it, unless the branch's
    // file names it.
    void aFewRecipesAreNoBuiltInMatrix()
    {
        BranchContent content = wholeLine(u"main"_s);
        const QList<VersionedFile> all = content.files;
        for (const auto &[count, isBuiltIn] : {std::pair(1, false), {3, false}, {21, false}, {22, true}}) {
            content.files = all.first(count);
            const BranchSnapshot snapshot = makeSnapshot(builtInCatalog(), u"/"_s, content);
            QCOMPARE(snapshot.settings.source == Settings::Source::BuiltIn, isBuiltIn);
            QCOMPARE(snapshot.counts().value(RecipeState::Missing), isBuiltIn ? 44 - count : 0);
        }
        content.files = all.first(3);
        content.settingsFile = "base = \"main\"\n";
        QCOMPARE(makeSnapshot(builtInCatalog(), u"/"_s, content).counts().value(RecipeState::Missing), 41);
    }

    void metalHasNoInstructionSet()
    {
        const BranchContent content = branchOf(
            {{u"pytorch-python313-darwin-mps"_s, handWritten(u"pytorch-python313-darwin-mps"_s, "python313Packages")},
             {u"pytorch-python313-cpu-avx2"_s, handWritten(u"pytorch-python313-cpu-avx2"_s, "python313Packages")}});
        const Settings settings = settingsFor(builtInCatalog(), content);
        QVERIFY(settings.covers({u"pytorch"_s, u"python313"_s, {}, u"darwin-mps"_s, {}}));
        isSavedAndReadBack(content);
    }

    void thePythonsAreThoseThatAreThere()
    {
        QMap<QString, QByteArray> recipes;
        for (const QString &row : {u"sm80"_s, u"sm86"_s, u"sm90"_s}) {
            for (const QString &isa : {u"avx2"_s, u"avx512"_s}) {
                const QString name = u"pytorch-python311-cuda12_8-%1-%2"_s.arg(row, isa);
                // The pin is one of a built-in branch, of another Python.
                recipes.insert(name,
                               handWritten(name, "python311Packages", "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3"));
            }
        }
        BranchContent content = branchOf(recipes);
        const Settings settings = settingsFor(builtInCatalog(), content);
        QCOMPARE(settings.pythons(), QStringList{u"python311"_s});
        QCOMPARE(settings.versionOf(u"pytorch"_s), u"2.8.0"_s); // that revision's
        QCOMPARE(settings.promised().size(), 6);
        isSavedAndReadBack(content);
        // The branch's name gives no more information than its recipes.
        content.branch = u"main"_s;
        QCOMPARE(settingsFor(builtInCatalog(), content).pythons(), QStringList{u"python311"_s});
    }

    void theFamiliesAreThoseThatAreThere()
    {
        QMap<QString, QByteArray> recipes;
        for (const QString &isa : {u"avx2"_s, u"avx512"_s, u"armv9"_s}) {
            const QString name = u"torchvision-python313-cuda12_8-sm90-"_s + isa;
            recipes.insert(name, handWritten(name, "python3Packages", "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3"));
        }
        BranchContent content = branchOf(recipes);
        content.branch = u"main"_s; // which PyTorch has built-in settings of
        const Settings settings = settingsFor(builtInCatalog(), content);
        QCOMPARE(settings.families(), QStringList{u"torchvision"_s});
        QCOMPARE(settings.versionOf(u"torchvision"_s), u"0.23.0"_s);
        QCOMPARE(settings.versionOf(u"pytorch"_s), u"2.8.0"_s);
        QCOMPARE(settings.common(&Profile::pythonSet), u"python3Packages"_s);
        QCOMPARE(settings.promised().size(), 3);
        isSavedAndReadBack(content);
    }

    // A fetched source may not be a valid setting: then it is not inferred, and the file is still readable.
    void aFetchedTorchIsASettingOrNone_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("address"); // empty: no setting
        const QByteArray id(40, 'd');
        QTest::newRow("archive") << "fetchTarball \"https://github.com/acme/torch/archive/" + id + ".tar.gz\""
                                 << u"acme/torch"_s;
        QTest::newRow("tag") << "fetchTarball \"https://github.com/acme/torch/archive/v1.tar.gz\""_ba << QString();
        QTest::newRow("no encryption") << "fetchTarball \"http://example.org/x/archive/" + id + ".tar.gz\""
                                       << QString();
        QTest::newRow("query") << "fetchTarball \"https://example.org/x?rev=" + id + "\"" << QString();
        QTest::newRow("owner and name") << "pkgs.fetchFromGitHub { owner = \"acme\"; repo = \"torch\"; rev = \"" + id +
                                               "\"; hash = \"x\"; }"
                                        << QString();
        QTest::newRow("git") << "fetchGit { url = \"https://example.org/torch\"; rev = \"" + id + "\"; }"
                             << u"https://example.org/torch"_s;
    }
    void aFetchedTorchIsASettingOrNone()
    {
        QFETCH(QByteArray, source);
        QFETCH(QString, address);
        QMap<QString, QByteArray> recipes;
        for (const QString &isa : {u"avx2"_s, u"avx512"_s, u"armv9"_s}) {
            const QString name = u"torchvision-python313-cuda12_8-sm90-"_s + isa;
            recipes.insert(name, handWritten(name, "python3Packages")
                                     .replace(".override {\n",
                                              ".override {\n    torch = import ((" + source + ") + \"/.flox/pkgs/" +
                                                  QString(name).replace("torchvision"_L1, "pytorch"_L1).toUtf8() +
                                                  ".nix\") { };\n"));
        }
        const Settings settings = inferred(builtInCatalog(), branchOf(recipes)).settings;
        const Profile profile = settings.profileOf({u"torchvision"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s});
        QCOMPARE(profile.torchOrigin == TorchOrigin::Fetched, !address.isEmpty());
        QCOMPARE(profile.torchRepository.address, address);
        isSavedAndReadBack(branchOf(recipes));
    }

    void coverageIsEachToolkitsOwn()
    {
        QMap<QString, QByteArray> recipes;
        const auto add = [&recipes](const QString &cuda, const QStringList &rows) {
            for (const QString &row : rows) {
                for (const QString &isa : {u"avx2"_s, u"avx512"_s}) {
                    const QString name = u"pytorch-python313-cuda%1-%2-%3"_s.arg(cuda, row, isa);
                    recipes.insert(name, handWritten(name, "python313Packages"));
                }
            }
        };
        add(u"12_8"_s, {u"sm80"_s, u"sm90"_s});
        add(u"13_0"_s, {u"sm80"_s, u"sm90"_s, u"sm103"_s}); // which 12.8 does not know
        const QString gone = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        recipes.remove(gone);
        const BranchContent content = branchOf(recipes);
        const Inference inference = inferred(builtInCatalog(), content);
        QCOMPARE(inference.settings.promised().size(), recipes.size());
        QCOMPARE(inference.holes.keys(), QStringList{gone});
        const BranchSnapshot snapshot = makeSnapshot(builtInCatalog(), u"/"_s, content);
        QVERIFY(snapshot.find(gone)->hole && !snapshot.find(gone)->covered);
        QVERIFY(!snapshot.find(gone)->rendered.isEmpty());
        isSavedAndReadBack(content);
    }

    // If the branch moved from one toolkit to another, nothing is missing for the old one; for its only toolkit
    // everything is.
    void theOnlyToolkitIsMissed()
    {
        const auto name = [](const QString &cuda, const QString &isa) {
            return u"pytorch-python313-cuda%1-sm90-%2"_s.arg(cuda, isa);
        };
        const QString cpu = u"pytorch-python313-cpu-avx2"_s;
        QMap<QString, QByteArray> recipes{{cpu, handWritten(cpu, "python313Packages")}};
        BranchContent content = branchOf(recipes);
        const auto deleted = [&name](const QString &cuda, const QString &isa, QChar commit) {
            return DeletedFile{u".flox/pkgs/"_s + name(cuda, isa) + u".nix"_s, QString(40, commit), {}, {}, {}};
        };
        content.deleted = {deleted(u"12_9"_s, u"avx2"_s, u'b'), deleted(u"12_9"_s, u"avx512"_s, u'b'),
                           deleted(u"12_8"_s, u"avx2"_s, u'c')};
        // The branch gave its recipes instruction sets.
        content.deleted.append({u".flox/pkgs/pytorch-python313-cuda12_9-sm90.nix"_s, QString(40, u'b'), {}, {}, {}});
        const auto holes = [](const BranchContent &in) { return inferred(builtInCatalog(), in).holes.keys(); };
        QCOMPARE(holes(content), (QStringList{name(u"12_9"_s, u"avx2"_s), name(u"12_9"_s, u"avx512"_s)}));
        const QString other = name(u"13_0"_s, u"avx2"_s);
        recipes.insert(other, handWritten(other, "python313Packages"));
        BranchContent moved = branchOf(recipes);
        moved.deleted = content.deleted;
        QCOMPARE(holes(moved), QStringList());
    }

    /// If no template gives the build of most recipes, one is learned from them and used like any other.
    void aTemplateIsLearned()
    {
        BranchContent content = ownShape();
        const QString gone = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        const QString other = u"pytorch-python313-cuda12_8-sm80-avx2"_s;
        fileOf(content, other)->committed->replace("export USE_OWN=1", "export USE_OWN=2");
        fileOf(content, other)->onDisk = fileOf(content, other)->committed;
        const BranchSnapshot snapshot = makeSnapshot(builtInCatalog(), u"/"_s, content);
        const auto templateOf = [](const BranchSnapshot &of, const QString &build) {
            return of.settings.profiles.value({u"pytorch"_s, u"python313"_s, build}).templateName;
        };
        QCOMPARE(templateOf(snapshot, u"12.8"_s), u"pytorch/learned"_s);
        QCOMPARE(templateOf(snapshot, u"cpu"_s), QString()); // the family's own gives those
        for (const VariantEntry &entry : snapshot.entries) {
            if (entry.variant.name() == other) {
                QVERIFY(entry.state == RecipeState::Customised);
                QVERIFY2(entry.reason.contains("1 fact"_L1), qPrintable(entry.reason));
            } else {
                QVERIFY2(entry.state == RecipeState::Current || entry.state == RecipeState::Equivalent,
                         qPrintable(entry.variant.name() + u' ' + entry.reason));
            }
        }
        const auto evidence = std::ranges::find(snapshot.inference.evidence, u"pytorch/learned"_s, &Evidence::value);
        QVERIFY(evidence != snapshot.inference.evidence.end());
        QCOMPARE(evidence->agree, evidence->of - 1);
        QVERIFY(!evidence->like.isEmpty());
        isSavedAndReadBack(content);

        // A deleted recipe is generated again with the same build.
        const QByteArray before = *fileOf(content, gone)->committed;
        content.settingsFile = writeSettingsFile(snapshot.settings, *builtInCatalog());
        QVERIFY(content.settingsFile->contains("pytorch/learned"));
        removeFile(content, gone);
        const BranchSnapshot without = makeSnapshot(builtInCatalog(), u"/"_s, content);
        const VariantEntry *missing = without.find(gone);
        QVERIFY(missing && missing->state == RecipeState::Missing);
        QVERIFY(samenessOf(before, readMeaning(before), missing->rendered, readMeaning(missing->rendered)) !=
                Sameness::Different);

        // Uncommitted edits change nothing.
        content.files.append({recipePath(gone), std::nullopt, missing->rendered, FileStatus::Untracked});
        std::ranges::sort(content.files, {}, &VersionedFile::path);
        QCOMPARE(makeSnapshot(builtInCatalog(), u"/"_s, content).settings, without.settings);

        // The settings may change what the recipes state.
        content.settingsFile->replace("2.8.0", "2.8.9");
        const BranchSnapshot later = makeSnapshot(builtInCatalog(), u"/"_s, content);
        QVERIFY2(!later.settingsError, qPrintable(later.settingsError->sentence()));
        QCOMPARE(later.settings.versionOf(u"pytorch"_s), u"2.8.9"_s);
        QCOMPARE(later.settings.learned, without.settings.learned);
    }

    /// Also of a family that nobody declared, with flags on one line or in a shell's variable, fewer than the
    /// catalog's, and where the recipes import others: recipes that are missing are generated as they were.
    void aTemplateIsLearnedOfAnyFamily_data()
    {
        QTest::addColumn<QByteArray>("inner");
        const auto phase = [](const QByteArray &flags) {
            return "preConfigure = ''\n      export CXXFLAGS=\"" + flags + " $CXXFLAGS\"\n      export CFLAGS=\"" +
                   flags + " $CFLAGS\"\n    '';";
        };
        QTest::newRow("list")
            << phase("${toString flags}").replace("preConfigure = ", "preConfigure = let flags = [ LIST ]; in ");
        QTest::newRow("variable") << phase("WORDS");
        QTest::newRow("other variable") << QByteArray(
            "preConfigure = ''\n      export CXXFLAGS=\"WORDS $CXXFLAGS\"\n      "
            "export CFLAGS=\"$CXXFLAGS\"\n    '';");
        QTest::newRow("import") << "jobs = (import ./lib/jobs.nix).few; " + phase("WORDS");
    }
    void aTemplateIsLearnedOfAnyFamily()
    {
        QFETCH(const QByteArray, inner);
        const QMap<QByteArray, QByteArrayList> flags{
            {"avx2", {"-mavx2", "-mfma"}}, // no -mf16c
            {"avx512", {"-mavx512f", "-mavx512dq", "-mavx512vl", "-mavx512bw", "-mfma"}},
            {"avx512vnni", {"-mavx512f", "-mavx512dq", "-mavx512vl", "-mavx512bw", "-mavx512vnni", "-mfma"}}};
        QMap<QString, QByteArray> recipes;
        for (const QByteArray &sm : {"75"_ba, "80"_ba, "86"_ba, "89"_ba, "90"_ba}) {
            for (const auto &[isa, own] : flags.asKeyValueRange()) {
                const QByteArray name = "mathrun-python313-cuda12_9-sm" + sm + '-' + isa;
                recipes.insert(QString::fromLatin1(name), mathRun(name, sm, "",
                                                                  QByteArray(inner)
                                                                      .replace("LIST", '"' + own.join("\" \"") + '"')
                                                                      .replace("WORDS", own.join(' '))));
            }
        }
        const QString gone = u"mathrun-python313-cuda12_9-sm86-avx2"_s;
        const QByteArray before = recipes.take(gone);
        BranchContent content = branchOf(recipes);
        addImported(content, u"lib/jobs"_s, "{ few = 4; }\n");
        const BranchSnapshot snapshot = makeSnapshot(builtInCatalog(), u"/"_s, content);
        for (const Unknown &unknown : snapshot.inference.unknowns)
            QVERIFY2(unknown.key != "gpu_templates"_L1, qPrintable(unknown.why));
        for (const VariantEntry &entry : snapshot.entries)
            QVERIFY2(!entry.present || entry.state == RecipeState::Current,
                     qPrintable(entry.variant.name() + entry.reason));
        const Variant variant = VariantName::parse(gone, builtInCatalog()->isaIds())->variant;
        const auto text =
            RecipeCache(builtInCatalog()).rendered(snapshot.settings, QList<Variant>{variant}).constFirst();
        QVERIFY2(text.ok(), qPrintable(text ? QString() : text.error().sentence()));
        QCOMPARE(*text, before);
    }

    /// Recipes that do not build are not used as models.
    void nothingIsLearnedFromErrors()
    {
        BranchContent content = ownShape();
        for (VersionedFile &file : content.files) {
            file.committed->replace("gpuTargets = [", "gpuTargets = [ \"sm_1\"");
            file.onDisk = file.committed;
        }
        const BranchSnapshot snapshot = makeSnapshot(builtInCatalog(), u"/"_s, content);
        QVERIFY(snapshot.settings.learned.isEmpty());
        content.settingsFile =
            writeSettingsFile(makeSnapshot(builtInCatalog(), u"/"_s, ownShape()).settings, *builtInCatalog());
        const BranchSnapshot named = makeSnapshot(builtInCatalog(), u"/"_s, content);
        QVERIFY(!named.settingsError);
        const Variant variant{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s};
        const auto text = RecipeCache(builtInCatalog()).rendered(named.settings, QList<Variant>{variant});
        // The family's own template fixes them.
        QVERIFY_OK(text.constFirst());
        QVERIFY(!text.constFirst()->contains("USE_OWN") && !text.constFirst()->contains("sm_1"));
    }

    /// A learned template is cached: it is not learned again from the same recipes, not even after a restart.
    void whatWasLearnedIsKept()
    {
        QTemporaryDir folder;
        auto cached = std::make_shared<Catalog>(*builtInCatalog());
        cached->cacheFolder = folder.path();
        const std::shared_ptr<const Catalog> catalog = cached;
        int made = 0;
        const auto make = [&made] { return "answer " + QByteArray::number(++made); };
        {
            const RecipeCache recipes(catalog);
            QCOMPARE(recipes.kept("key", make), "answer 1");
            QCOMPARE(recipes.kept("key", make), "answer 1");
        }
        const BranchContent content = ownShape();
        const BranchSnapshot first = makeSnapshot(catalog, u"/"_s, content);
        const RecipeCache recipes(catalog);
        QCOMPARE(recipes.kept("key", make), "answer 1");
        const BranchSnapshot again = makeSnapshot(recipes, u"/"_s, content);
        QCOMPARE(again.settings, first.settings);
        QCOMPARE(again.inference, first.inference);
        QCOMPARE(again.counts(), first.counts());
        for (const VariantEntry &entry : first.entries)
            QCOMPARE(*again.find(entry.variant.name())->meaning, *entry.meaning);
    }

    /// What all recipes of an instruction set leave out, a new one leaves out too; not what only some do, nor flags of
    /// another one.
    void flagsAreThoseThatTheRecipesHave()
    {
        const Settings built = *builtInCatalog()->settings(u"main"_s);
        const BranchContent whole = contentOf(built);
        const auto with = [&whole](const QByteArray &flag, const QByteArray &by, qsizetype but) {
            BranchContent content = whole;
            content.branch = u"x"_s;
            for (VersionedFile &file : content.files) {
                if (!file.path.endsWith("-avx2.nix"_L1) || but-- == 0)
                    continue;
                QByteArrayList lines = file.committed->split('\n');
                for (QByteArray &line : lines) {
                    if (line.contains('"' + flag + '"'))
                        line = by;
                }
                file.committed = file.onDisk = lines.join('\n');
            }
            return inferred(builtInCatalog(), content).settings;
        };
        QVERIFY(with("none", {}, -1).flags.isEmpty());
        const Settings fewer = with("-mf16c", {}, -1);
        QCOMPARE(fewer.flags.keys(), QStringList{u"pytorch avx2"_s});
        QCOMPARE(fewer.flags.first(), (QStringList{u"-mavx2"_s, u"-mfma"_s}));
        const Variant variant{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm75"_s, u"avx2"_s};
        const auto text = RecipeRenderer(builtInCatalog()).render(fewer, variant);
        QVERIFY(text.ok());
        QCOMPARE(readFacts(*text).package.cxxFlags.values(), fewer.flags.first());
        QVERIFY(with("-mf16c", {}, 1).flags.isEmpty());
        QVERIFY(with("-mavx2", {}, -1).flags.isEmpty());
        QVERIFY(with("-mfma", "    \"-mavx512f\"", -1).flags.isEmpty());
    }

    void dissentersAreNotes()
    {
        QMap<QString, QByteArray> recipes;
        for (const QString &row : {u"sm80"_s, u"sm86"_s, u"sm90"_s}) {
            const QString name = u"pytorch-python313-cuda12_8-%1-avx2"_s.arg(row);
            recipes.insert(name, handWritten(name, "python313Packages", QByteArray(40, row == "sm86"_L1 ? 'b' : 'a')));
        }
        const BranchSnapshot snapshot = makeSnapshot(builtInCatalog(), u"/"_s, branchOf(recipes));
        QCOMPARE(snapshot.settings.common(&Profile::pin).revision, QString(40, u'a'));
        const auto rulesOf = [&snapshot](const QString &row) {
            QMap<QString, Severity> rules;
            for (const Finding &finding : snapshot.find(u"pytorch-python313-cuda12_8-%1-avx2"_s.arg(row))->findings)
                rules.insert(finding.rule, finding.severity);
            return rules;
        };
        QVERIFY(rulesOf(u"sm86"_s).contains(u"recipes-disagree"_s));
        QVERIFY(rulesOf(u"sm86"_s).value(u"pin-other"_s, Severity::Error) == Severity::Note);
        QVERIFY(!rulesOf(u"sm90"_s).contains(u"recipes-disagree"_s));
        // The version of an unknown revision is unknown.
        QCOMPARE(snapshot.inference.unknowns.value(0).key, u"versions.pytorch"_s);
        QVERIFY(!snapshot.find(u"pytorch-python313-cuda12_8-sm90-avx2"_s)->rendered.isEmpty());
    }

    /// Of any family: where it is written as a value, in the library that the package wraps, what its build is told,
    /// and in the description of all. One recipe of another version is a warning at the value.
    void versionsAreReadOfAnyFamily_data()
    {
        QTest::addColumn<QByteArray>("attributes"); // N.N.N stands for the version
        QTest::addColumn<QByteArray>("inner");
        QTest::addColumn<QString>("rule");
        QTest::newRow("version") << QByteArray("version = \"N.N.N\";") << QByteArray() << u"version-other"_s;
        QTest::newRow("library") << QByteArray() << QByteArray("version = \"N.N.N\";") << u"version-other"_s;
        QTest::newRow("build") << QByteArray("BUILD_VERSION = \"N.N.N\";") << QByteArray() << u"version-other"_s;
        QTest::newRow("source") << QByteArray()
                                << QByteArray("src = pinned.fetchFromGitHub { owner = \"o\"; repo = \"r\"; tag = "
                                              "\"vN.N.N\"; hash = \"\"; };")
                                << u"version-other"_s;
        QTest::newRow("text") << QByteArray("meta = old.meta // { description = \"Math Run N.N.N for GPUs\"; };")
                              << QByteArray() << u"text-version-other"_s;
    }
    void versionsAreReadOfAnyFamily()
    {
        QFETCH(const QByteArray, attributes);
        QFETCH(const QByteArray, inner);
        QFETCH(const QString, rule);
        QMap<QString, QByteArray> recipes;
        for (const QByteArray &sm : {"80"_ba, "86"_ba, "89"_ba, "90"_ba}) {
            const QByteArray name = "mathrun-python313-cuda12_9-sm" + sm + "-avx2";
            QByteArray text = mathRun(name, sm, attributes, inner);
            recipes.insert(QString::fromLatin1(name), text.replace("N.N.N", sm == "86" ? "1.21.0" : "1.22.2"));
        }
        const BranchSnapshot snapshot = makeSnapshot(builtInCatalog(), u"/"_s, branchOf(recipes));
        QCOMPARE(snapshot.settings.versionOf(u"mathrun"_s), u"1.22.2"_s);
        for (const VariantEntry &entry : snapshot.entries) {
            const auto found = std::ranges::find(entry.findings, rule, &Finding::rule);
            QCOMPARE(found != entry.findings.end(), entry.variant.row == "sm86"_L1);
            if (entry.variant.row != "sm86"_L1)
                continue;
            QCOMPARE(toString(found->severity), u"warning"_s);
            QVERIFY2(entry.text.split('\n').at(found->line - 1).contains("1.21.0"), qPrintable(found->sentence));
        }
    }

    /// The first lines tell it of recipes in which nothing else does, as in those for CPUs beside others for GPUs. The
    /// settings then have one version, which a new one replaces in all of them.
    void versionsAreReadOfFirstLines_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QString>("version");
        QTest::newRow("first") << "# Math Run 1.22.2 CPU-only\n"_ba << u"1.22.2"_s;
        QTest::newRow("second") << "# For CPUs\n# mathrun v1.22.2\n"_ba << u"1.22.2"_s;
        QTest::newRow("of another") << "# For Math Tools 1.22.2\n"_ba << QString();
        QTest::newRow("two") << "# Math Run 1.22.2, like Math Run 1.21.0\n"_ba << QString();
        QTest::newRow("below") << "{ pkgs, ... }: # Math Run 1.22.2\n"_ba << QString();
    }
    void versionsAreReadOfFirstLines()
    {
        QFETCH(const QByteArray, head);
        QFETCH(const QString, version);
        QMap<QString, QByteArray> recipes;
        for (const QByteArray &isa : {"avx2"_ba, "avx512"_ba}) {
            const QByteArray gpu = "mathrun-python313-cuda12_9-sm90-" + isa, cpu = "mathrun-python313-cpu-" + isa;
            recipes.insert(QString::fromLatin1(gpu), mathRun(gpu, "90", "version = \"1.22.2\";", ""));
            QByteArray text = mathRun(cpu, "", "", "").replace("cudaSupport = true", "cudaSupport = false");
            if (!head.startsWith('#'))
                text.remove(0, text.indexOf('\n') + 1);
            recipes.insert(QString::fromLatin1(cpu), head + text);
        }
        const Inference inference = inferred(builtInCatalog(), branchOf(recipes));
        const Profile cpu = inference.settings.profiles.value({u"mathrun"_s, u"python313"_s, u"cpu"_s});
        QCOMPARE(cpu.version, version);
        QCOMPARE(writeSettingsFile(inference.settings, *builtInCatalog()).contains("version = \"\""),
                 version.isEmpty());
    }

    void whatCannotExistIsNotPromised()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm61-armv9"_s; // no such host
        const BranchSnapshot snapshot =
            makeSnapshot(builtInCatalog(), u"/"_s, branchOf({{name, handWritten(name, "python313Packages")}}));
        QVERIFY(!snapshot.find(name)->covered);
        QCOMPARE(snapshot.settings.toolkits(), QStringList{u"12.8"_s});
    }
};

TM_TEST(InferenceTest, QCoreApplication)
#include "tst_inference.moc"
