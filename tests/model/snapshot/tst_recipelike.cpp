// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/VariantName.h"
#include "model/change/Repair.h"
#include "model/meaning/Meaning.h"
#include "model/settings/SettingsEdit.h"
#include "model/settings/SettingsFile.h"
#include "model/snapshot/RecipeLike.h"
#include "tests/support/BranchContents.h"
#include "tests/support/Results.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

/// main as written by a person who runs the tests of every build and has their own wording.
BranchContent handWritten()
{
    BranchContent content = wholeLine(u"main"_s, false);
    for (VersionedFile &file : content.files) {
        file.committed->prepend("# Ours.\n");
        file.committed->replace("  preConfigure = ", "  doCheck = false;\n      preConfigure = ");
    }
    return content;
}

/// The catalog with a family that is no torch.
std::shared_ptr<const Catalog> catalogWithLibrary()
{
    static const std::shared_ptr<const Catalog> catalog = [] {
        auto wider = std::make_shared<Catalog>(*builtInCatalog());
        Family family;
        family.id = family.attribute = u"fastmath"_s;
        family.title = u"Fast Math"_s;
        wider->families.append(family);
        return wider;
    }();
    return catalog;
}

/// Python bindings whose library is built in the same file, with its flags and targets: the recipe of a variant.
QByteArray bindingsFor(const Variant &variant)
{
    const Catalog &catalog = *catalogWithLibrary();
    const Isa &isa = *catalog.isa(variant.isa);
    const GpuRow &row = *catalog.row(variant.row);
    QByteArray text = R"(# Fast Math for NVIDIA SMNUMBER
{ pkgs ? import <nixpkgs> { } }:
let
  pinned = import (builtins.fetchTarball {
    url = "https://github.com/NixOS/nixpkgs/archive/fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3.tar.gz";
  }) {
    config = { allowUnfree = true; cudaSupport = true; cudaCapabilities = [ "CAPABILITY" ]; };
    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_TOOLKIT; }) ];
  };
  inherit (pinned) lib;
  arch = "NUMBER";
  flags = [ FLAGS ];
  name = "VARIANT";
  native = (pinned.fastmath.override { cudaSupport = true; }).overrideAttrs (old: {
    cmakeFlags = (old.cmakeFlags or [ ]) ++ [ (lib.cmakeFeature "CMAKE_CUDA_ARCHITECTURES" arch) ];
    preConfigure = (old.preConfigure or "") + ''
      export CXXFLAGS="${lib.concatStringsSep " " flags} $CXXFLAGS"
      export CFLAGS="${lib.concatStringsSep " " flags} $CFLAGS"
    '';
  });
in
(pinned.python313Packages.fastmath.override { fastmath = native; }).overrideAttrs (old: {
  pname = name;
  meta = old.meta // { platforms = [ "PLATFORM" ]; };
})
)";
    QByteArrayList flags;
    for (const QString &flag : isa.flags)
        flags.append('"' + flag.toUtf8() + '"');
    return text.replace("SMNUMBER", "SM" + row.id.mid(2).toUtf8())
        .replace("\"NUMBER", '"' + row.id.mid(2).toUtf8())
        .replace("CAPABILITY", row.capability.toUtf8())
        .replace("TOOLKIT", QString(variant.cuda).replace(u'.', u'_').toUtf8())
        .replace("FLAGS ]", flags.join(' ') + " ]")
        .replace("VARIANT", variant.name().toUtf8())
        .replace("PLATFORM", isa.platform.toUtf8());
}

AuditInput bindingsInput(const Variant &variant, const QByteArray &text)
{
    static const Settings settings = [] {
        Settings any = *builtInCatalog()->settings(u"main"_s);
        for (const char *toolkit : {"12.8", "12.9"}) {
            Profile profile = any.profiles.value({u"pytorch"_s, u"python313"_s, u"12.8"_s});
            profile.version = u"1.2.3"_s;
            profile.cudaAttribute = catalogWithLibrary()->toolkit(QString::fromLatin1(toolkit))->attribute;
            any.profiles.insert({u"fastmath"_s, u"python313"_s, QString::fromLatin1(toolkit)}, profile);
        }
        return any;
    }();
    AuditInput input;
    input.catalog = catalogWithLibrary().get();
    input.settings = &settings;
    input.variant = variant;
    input.file = variant.file();
    input.text = text;
    return input;
}

} // namespace

/// A cell without a recipe on a branch of hand-written ones.
class TestRecipeLike : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void aMissingRecipeIsMadeOfItsNeighbour_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"cuda12_8-sm90-avx512", "cuda12_8-sm86-avx2", "cuda12_8-sm120-armv9", "cpu-avx2"})
            QTest::newRow(name) << u"pytorch-python313-"_s + QLatin1StringView(name);
    }
    void aMissingRecipeIsMadeOfItsNeighbour()
    {
        QFETCH(QString, name);
        BranchContent content = handWritten();
        const QByteArray lost = *fileOf(content, name)->committed;
        QVERIFY(lost.contains("doCheck"));
        removeFile(content, name);
        const BranchSnapshot snapshot = snapshotOf(content);
        const VariantEntry *entry = snapshot.find(name);
        QVERIFY(entry && entry->state == RecipeState::Missing);
        QVERIFY2(entry->rendered.startsWith("# Ours.\n"), entry->rendered.left(200).constData());
        QVERIFY(samenessOf(lost, readMeaning(lost), entry->rendered, readMeaning(entry->rendered)) !=
                Sameness::Different);
        // The plan creates that text.
        const ChangeSet plan = repaired(builtInCatalog(), snapshot, content);
        const auto file = std::ranges::find(plan.files, name, &ChangedFile::name);
        QVERIFY(file != plan.files.end() && file->chosen);
        QCOMPARE(file->after, entry->rendered);
    }

    /// From any cell to any other: nothing of the old one is left, and the way back gives the same bytes.
    // What people say of a GPU and of an instruction set is said of a new cell of both, in comments and descriptions.
    void itHasTheWordsOfItsSiblings()
    {
        BranchContent content = handWritten();
        for (VersionedFile &file : content.files) {
            if (file.path.contains("-sm90-"_L1))
                file.committed->replace("Hopper", "the big Hopper").replace("H100, H200, GH200", "H100 and H200");
            if (file.path.endsWith("-armv9.nix"_L1))
                file.committed->replace("SVE2", "SVE 2");
        }
        const QString name = u"pytorch-python313-cuda12_8-sm90-armv9"_s;
        const QByteArray wanted = *fileOf(content, name)->committed;
        QVERIFY(wanted.contains("the big Hopper") && wanted.contains("SVE 2"));
        content.files.removeIf([&name](const VersionedFile &file) { return file.path.contains(name); });
        QCOMPARE(snapshotOf(content).find(name)->rendered, wanted);
    }

    void nothingOfTheOldCellIsLeft()
    {
        const QString python = u"python313"_s;
        QList<Variant> cells;
        for (const QString &cuda : {u"12.8"_s, u"12.9"_s}) {
            for (const QString &row : {u"sm75"_s, u"sm80"_s, u"sm90"_s, u"sm120"_s}) {
                for (const Isa &isa : builtInCatalog()->isas) {
                    const Variant cell{u"fastmath"_s, python, cuda, row, isa.id};
                    if (builtInCatalog()->validity(cell).valid)
                        cells.append(cell);
                }
            }
        }
        QVERIFY(cells.size() > 40);
        for (const Variant &from : std::as_const(cells)) {
            for (const Variant &to : std::as_const(cells)) {
                const Result<Exchanged> made =
                    recipeLike(bindingsInput(from, bindingsFor(from)), bindingsInput(to, {}));
                QVERIFY2(made.ok(), qPrintable(made ? QString() : made.error().sentence()));
                QCOMPARE(QString::fromUtf8(made->text), QString::fromUtf8(bindingsFor(to)));
            }
        }
    }

    void whatWouldBeLeftIsRefusedWithItsLine_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<int>("line");
        QTest::newRow("a flag in a comment")
            << "  inherit (pinned) lib;"_ba << "  inherit (pinned) lib; # -mavx512bf16"_ba << 10;
        QTest::newRow("a flag in another variable")
            << "    cmakeFlags ="_ba << "    NVCCFLAGS = \"-Xcompiler -mavx512bf16\";\n    cmakeFlags ="_ba << 15;
        QTest::newRow("computed targets") << "arch = \"90\";"_ba << "arch = toString (9 * 10);"_ba << 15;
        QTest::newRow("targets of another file") << "arch = \"90\";"_ba << "arch = import ./arch.nix;"_ba << 11;
    }
    void whatWouldBeLeftIsRefusedWithItsLine()
    {
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        QFETCH(const int, line);
        const Variant cell{u"fastmath"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512bf16"_s};
        const Variant wanted{u"fastmath"_s, u"python313"_s, u"12.9"_s, u"sm120"_s, u"avx2"_s};
        const QByteArray text = bindingsFor(cell).replace(from, to);
        QVERIFY(text != bindingsFor(cell));
        const Result<Exchanged> made = recipeLike(bindingsInput(cell, text), bindingsInput(wanted, {}));
        QVERIFY2(!made.ok(), made ? made->text.constData() : "");
        QVERIFY2(made.error().why.startsWith(u"line %1: "_s.arg(line)), qPrintable(made.error().why));
    }

    /// A driver that is too old for the new GPU or toolkit becomes the oldest that suits.
    void driversAreRaised()
    {
        const Variant cell{u"fastmath"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512bf16"_s};
        const Variant wanted{u"fastmath"_s, u"python313"_s, u"12.9"_s, u"sm120"_s, u"avx2"_s};
        const QByteArray text = bindingsFor(cell).replace(
            "# Fast Math for", "# Driver 470+\n# Needs NVIDIA driver version 520\n# Fast Math for");
        const Result<Exchanged> made = recipeLike(bindingsInput(cell, text), bindingsInput(wanted, {}));
        QVERIFY_OK(made);
        QVERIFY2(made->text.startsWith("# Driver 570+\n# Needs NVIDIA driver version 570\n"), made->text.constData());
    }

    /// An uncommitted text is compared with the same text, so that an interrupted run can be completed.
    void whatIsNotCommittedIsNoModel()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        BranchContent content = handWritten();
        content.withWorkTree = true;
        for (VersionedFile &file : content.files)
            file.onDisk = file.committed;
        VersionedFile *file = fileOf(content, name);
        const BranchSnapshot before = snapshotOf(content);
        file->committed.reset();
        file->blob.clear();
        file->status = FileStatus::Untracked;
        file->onDisk = "{ }: { }\n";
        const BranchSnapshot snapshot = snapshotOf(content);
        QVERIFY(snapshot.find(name)->rendered.startsWith("# Ours.\n"));
        const Variant other{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm75"_s, u"avx512"_s};
        const auto made = recipeLikeItsNeighbours(*builtInCatalog(), snapshot, other);
        QVERIFY(made);
        QVERIFY(made->text.startsWith("# Ours.\n") && made->text.contains("7.5"));
    }

    // A new Python's and instruction set's recipe is made from the nearest one that is there, and says so.
    void theNearestRecipeIsTheModel_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("model");
        const QString sm90 = u"pytorch-python313-cuda12_8-sm90-"_s;
        QTest::newRow("another Python") << u"pytorch-python312-cpu-avx512"_s << u"pytorch-python313-cpu-avx512"_s;
        QTest::newRow("another Python, for a GPU") << u"pytorch-python312-cuda12_8-sm90-armv9"_s << sm90 + u"armv9"_s;
        QTest::newRow("an instruction set") << sm90 + u"avx512bf16"_s << sm90 + u"avx512"_s;
        QTest::newRow("one for the CPU alone")
            << u"pytorch-python313-cpu-avx512vnni"_s << u"pytorch-python313-cpu-avx512"_s;
        QTest::newRow("a GPU") << u"pytorch-python313-cuda12_8-sm87-armv8_2"_s << QString();
    }
    void theNearestRecipeIsTheModel()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, model);
        // Each has words of its own, and none for BF16 and VNNI; a learned template has those of one for ARM.
        for (const bool isLearned : {false, true}) {
            BranchContent content = isLearned ? inTheirOwnShape(false) : handWritten();
            content.files.removeIf([&](const VersionedFile &file) {
                return file.path.contains("bf16"_L1) || file.path.contains("vnni"_L1) || file.path.contains("12_9"_L1);
            });
            char word = 'a'; // of its own for each
            for (VersionedFile &file : content.files)
                file.committed->prepend("# Written by " + QByteArray(3, word++) + ".\n");
            content.settingsFile = writeSettingsFile(
                withPythons(snapshotOf(content).settings, {u"python313"_s, u"python312"_s}), *builtInCatalog());
            const BranchSnapshot snapshot = snapshotOf(content);
            const auto variant = VariantName::parse(name, builtInCatalog()->isaIds());
            QVERIFY(variant);
            const auto made = recipeLikeItsNeighbours(*builtInCatalog(), snapshot, variant->variant);
            QVERIFY(made);
            QCOMPARE(model.isEmpty() ? made->model.last(8) : made->model, model.isEmpty() ? u"-armv8_2"_s : model);
            QVERIFY(originOfNew(builtInCatalog(), snapshot, variant->variant, made->text, made).contains(made->words));
            // Many cells of another Python have one sentence.
            QCOMPARE(made->words, name.contains(u"python312"_s) ? u"that of Python 3.13"_s : made->model);
        }
    }

    // None of the recipes switches off what needs AVX2: the built-in template does, in other words than theirs.
    void theBuiltInTemplateIsSaid()
    {
        BranchContent content = handWritten();
        content.files.removeIf([](const VersionedFile &file) { return file.path.endsWith("-avx.nix"_L1); });
        const Variant variant{u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx"_s};
        const RecipeCache recipes(builtInCatalog());
        const auto said = [&](const BranchContent &of) {
            const BranchSnapshot snapshot = snapshotOf(of);
            const auto text = recipes.rendered(snapshot.settings, {variant}).constFirst();
            return text ? originOfNew(recipes, snapshot, variant, *text, std::nullopt) : text.error().sentence();
        };
        QVERIFY2(said(content).contains("the built-in template, not like"_L1), qPrintable(said(content)));
        QCOMPARE(said(wholeLine(u"main"_s, false)), QString());
        // Recipes that build what the template does may have other words.
        BranchContent reworded = wholeLine(u"main"_s, false);
        for (VersionedFile &file : reworded.files)
            file.committed->prepend("# Ours.\n");
        QVERIFY2(said(reworded).contains("the built-in template, not like"_L1), qPrintable(said(reworded)));
    }

    void theTemplateServesWhereItIsUsed()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        BranchContent content = wholeLine(u"main"_s, false);
        const QByteArray lost = *fileOf(content, name)->committed;
        removeFile(content, name);
        fileOf(content, u"pytorch-python313-cuda12_8-sm90-avx2"_s)->committed->prepend("# Ours.\n");
        QCOMPARE(snapshotOf(content).find(name)->rendered, lost);
    }

    /// The other recipe for the only GPU without cuDNN is for AVX only: neither it nor any other is a model.
    // GPU recipes may import their builder, while CPU recipes are whole.
    void aWholeRecipeFitsItsOwnKind()
    {
        BranchContent content = wholeLine(u"main"_s, false);
        for (VersionedFile &file : content.files) {
            if (file.path.contains(u"-cuda"_s))
                file.committed = "{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/torch.nix { }\n";
        }
        addImported(content, u"lib/torch"_s, "{ }: { }\n");
        const BranchSnapshot snapshot = makeSnapshot(builtInCatalog(), u"/"_s, content);
        const QByteArray whole = "{ torch }: torch\n";
        QCOMPARE(
            whyNotAlone(*builtInCatalog(), snapshot, {u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx2"_s}, whole),
            QString());
        QVERIFY(!whyNotAlone(*builtInCatalog(), snapshot,
                             {u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s}, whole)
                     .isEmpty());
    }

    void theTemplateServesWhereNoRecipeIsAModel()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm61-avx2"_s;
        BranchContent plain = wholeLine(u"main"_s, false);
        const QByteArray given = *fileOf(plain, name)->committed;
        BranchContent content = handWritten();
        removeFile(content, name);
        QCOMPARE(snapshotOf(content).find(name)->rendered, given);
    }
};

TM_TEST(TestRecipeLike, QCoreApplication)
#include "tst_recipelike.moc"
