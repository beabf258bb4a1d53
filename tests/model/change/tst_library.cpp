// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Changes of what recipes import: made there, once, with the number of recipes that they reach.
#include "model/change/Change.h"
#include "model/change/Check.h"
#include "model/git/Repository.h"
#include "model/settings/SettingsFile.h"
#include "tests/support/ImportingFixture.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString versionsTable = pkgsFolder + u"lib/tables/versions.nix"_s;
const QByteArray tablePin(40, '1');
const QByteArray tablePin13(40, '2');
const QByteArray unusedPin(40, '3'); // of a version that no recipe uses
const QByteArray libPin(40, 'c');

Result<ChangeSet> askThere(const ImportingFixture &fixture, const ChangeRequest &request)
{
    const Result<QList<ChangeSet>> sets = prepare(fixture.reader, fixture.path(), request);
    return sets ? Result<ChangeSet>(sets->constFirst()) : sets.error();
}

/// What generate writes for a variant, once all that the fixture has is committed.
Result<ChangeSet> generatedIn(const ImportingFixture &fixture, const QString &variant)
{
    fixture.commitAll();
    return askThere(fixture, GenerateRequest{.branch = {}, .names = {variant}});
}

Result<Applied> applyThere(const ImportingFixture &fixture, const ChangeSet &changes)
{
    const Result<Repository> repository = Repository::open(fixture.path());
    return repository ? repository->apply(changes) : repository.error();
}

/// A builder in lib/ that has the toolkit itself.
const QByteArray makeTorch =
    "{ sm }:\n"
    "let\n"
    "  nixpkgs = import (builtins.fetchTarball {\n"
    "    url = \"https://github.com/NixOS/nixpkgs/archive/1111111111111111111111111111111111111111.tar.gz\";\n"
    "  }) {\n"
    "    config = { allowUnfree = true; cudaSupport = true; };\n"
    "    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_8; }) ];\n"
    "  };\n"
    "in\n"
    "(nixpkgs.python313Packages.torch.override {\n"
    "  cudaSupport = true;\n"
    "  gpuTargets = [ (import ./gpus.nix).${sm} ];\n"
    "}).overrideAttrs (old: {\n"
    "  pname = \"pytorch-python313-cuda12_8-sm${sm}-avx2\";\n"
    "  preConfigure = ''\n"
    "    export CXXFLAGS=\"-mavx2 -mfma -mf16c $CXXFLAGS\"\n"
    "    export CFLAGS=\"-mavx2 -mfma -mf16c $CFLAGS\"\n"
    "  '';\n"
    "})\n";

MigrateRequest toPin(const QByteArray &pin, const QString &from = allPins)
{
    return {.branch = {}, .change = {.pin = QString::fromLatin1(pin), .pinFrom = from}, .inPlace = true};
}

/// The same change of the branch and of one that is derived from it.
QList<ChangeRequest> migratedAndDerived(const MigrateRequest &request)
{
    return {request, DeriveRequest{.from = {}, .name = u"next"_s, .change = request.change}};
}

QString pinOf(const ImportingFixture &fixture, const QString &name)
{
    return fixture.entry(name).facts->pins.constFirst().revision.value;
}

} // namespace

class TestLibrary : public QObject
{
    Q_OBJECT

private slots:
    // Where lib/ has the pins of four recipes, two entries change and no recipe does.
    void migratesPin()
    {
        const ImportingFixture fixture;
        const QByteArray tree = fixture.git({u"rev-parse"_s, u"HEAD^{tree}"_s});
        const auto changes = askThere(fixture, toPin(libPin));
        QVERIFY_OK(changes);
        const ChangedFile *table = changes->find(versionsTable);
        QVERIFY(table && table->isImported());
        QCOMPARE(*table->after, QByteArray(*table->before).replace(tablePin, libPin).replace(tablePin13, libPin));
        QVERIFY(table->after->contains(unusedPin));
        QVERIFY2(table->reason.contains(u"4 recipes"_s), qPrintable(table->reason));
        QVERIFY2(changes->subject().startsWith("Migrate 4 recipes to "_L1), qPrintable(changes->subject()));
        QCOMPARE(std::ranges::count_if(changes->files, &ChangedFile::follows), 4);
        for (const ChangedFile &file : changes->files)
            QVERIFY2(file.name.isEmpty() || (file.action == ChangeAction::Keep && !file.chosen), qPrintable(file.path));
        QCOMPARE(changes->chosenErrors(), QStringList());

        QVERIFY_OK(applyThere(fixture, *changes));
        QCOMPARE(fixture.status(), QByteArray());
        for (const VariantEntry &entry : fixture.snapshot().entries) {
            if (entry.present)
                QCOMPARE(pinOf(fixture, entry.variant.name()), QString::fromLatin1(libPin));
        }
        const auto undone = askThere(fixture, UndoRequest{});
        QVERIFY_OK(undone);
        QVERIFY_OK(applyThere(fixture, *undone));
        QCOMPARE(fixture.git({u"rev-parse"_s, u"HEAD^{tree}"_s}), tree);
    }

    // Of several pins, which are there on purpose, only the named one; without a name none.
    void migratesOneOfSeveralPins()
    {
        const QString own = u"pytorch-python313-cuda12_8-sm80-avx2"_s;
        const QByteArray ownPin(40, '4');
        const ImportingFixture fixture;
        fixture.commitFile(pkgsFolder + own + u".nix"_s, QByteArray(makeTorch)
                                                             .replace("{ sm }:", "{ pkgs ? import <nixpkgs> { } }:")
                                                             .replace("(import ./gpus.nix).${sm}", "\"8.0\"")
                                                             .replace("${sm}", "80")
                                                             .replace(tablePin, ownPin));
        QMap<QString, QString> before;
        for (const VariantEntry &entry : fixture.snapshot().entries) {
            if (entry.present)
                before.insert(entry.variant.name(), pinOf(fixture, entry.variant.name()));
        }
        QCOMPARE(before.value(own), QString::fromLatin1(ownPin));
        const auto several = askThere(fixture, toPin(libPin, {}));
        QVERIFY_OK(several);
        QVERIFY(several->refusal && several->refusal->usage);
        QVERIFY2(several->refusal->why.contains(u"1111111 (3 recipes)"_s) && several->pins.size() == 3,
                 qPrintable(several->refusal->why));
        QVERIFY_ERROR(applyThere(fixture, *several), several->refusal->why);
        DeriveRequest derive{.from = {}, .name = u"next"_s, .change = toPin(libPin, {}).change};
        QCOMPARE(askThere(fixture, derive)->refusal->why, several->refusal->why);
        QVERIFY(askThere(fixture, toPin(libPin, u"3333333"_s))->refusal);
        for (const QByteArray &from : {tablePin, tablePin13, ownPin}) {
            const QString pin = QString::fromLatin1(from);
            auto changes = askThere(fixture, toPin(libPin, pin.left(7)));
            QVERIFY_OK(changes);
            QVERIFY(!changes->refusal);
            QCOMPARE(changes->pins.size(), 1);
            QCOMPARE(changes->pins.constFirst().from, pin);
            QCOMPARE(changes->pins.constFirst().recipes, int(before.values().count(pin)));
            derive.change.pinFrom = pin;
            const auto derived = askThere(fixture, derive);
            QVERIFY_OK(derived);
            QCOMPARE(derived->pins, changes->pins);
            changes->forced = true; // The settings have no place for the pin of one recipe.
            QVERIFY_OK(applyThere(fixture, *changes));
            for (const auto &[name, was] : before.asKeyValueRange())
                QCOMPARE(pinOf(fixture, name), was == pin ? QString::fromLatin1(libPin) : was);
            fixture.git({u"reset"_s, u"--quiet"_s, u"--hard"_s, u"HEAD^"_s});
        }
    }

    // Only the entries of the chosen toolkit's recipes. What follows besides is named.
    void migratesPinOfOneToolkit()
    {
        const ImportingFixture fixture;
        MigrateRequest request;
        request.change.keys = {{u"cuda.13.0.nixpkgs"_s, QString::fromLatin1(libPin)}};
        const auto changes = askThere(fixture, request);
        QVERIFY_OK(changes);
        const ChangedFile *table = changes->find(versionsTable);
        QVERIFY(table);
        QCOMPARE(*table->after, QByteArray(*table->before).replace(tablePin13, libPin));
        QVERIFY2(table->reason.contains(u"1 recipe"_s), qPrintable(table->reason));

        // Both toolkits take their pin from one entry: the other one's recipes would follow.
        fixture.replace(u"lib/tables/versions.nix"_s, "pins.\"13_0\" = \"" + tablePin13 + "\";", "");
        fixture.commit();
        const auto shared = askThere(fixture, request);
        QVERIFY_OK(shared);
        QVERIFY(std::ranges::any_of(shared->warnings, [](const QString &warning) {
            return warning.contains(u"follow"_s) && warning.contains(u"torchvision-python313-cpu-avx2"_s);
        }));
    }

    // A pin that is not read as one is replaced where it is stated, in Nix, JSON and TOML, with its hash.
    void replacesStatedPins_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("hashed");
        const QByteArray hash = "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        const QByteArray url = "https://github.com/NixOS/nixpkgs/archive/";
        QTest::newRow("niv") << u"lib/sources.json"_s
                             << QByteArray(
                                    "{\n  \"nixpkgs\": {\n    \"repo\": \"nixpkgs\",\n    \"rev\": \"" + tablePin +
                                    "\",\n    \"sha256\": \"" + hash + "\",\n    \"url\": \"" + url + tablePin +
                                    ".tar.gz\"\n  },\n  \"other\": { \"rev\": \"" + unusedPin +
                                    "\", \"sha256\": \"1yl36gzmhxpl9xxpdvs21ahccd3vryv6g0qasjxvqzlgq3fxrjx1\" }\n}\n")
                             << true;
        QTest::newRow("pins of a name") << u"lib/pins.json"_s
                                        << QByteArray("{ \"nixpkgs\": { \"rev\": \"" + tablePin + "\", \"sha256\": \"" +
                                                      hash + "\" } }\n")
                                        << true;
        QTest::newRow("a table that Nix reads")
            << u"lib/data.json"_s
            << QByteArray("{ \"pins\": { \"default\": { \"commit\": \"" + tablePin + "\", \"sha256\": \"" + hash +
                          "\" } }, \"other\": { \"commit\": \"" + unusedPin +
                          "\", \"sha256\": \"1yl36gzmhxpl9xxpdvs21ahccd3vryv6g0qasjxvqzlgq3fxrjx1\" } }\n")
            << true;
        QTest::newRow("toml") << u"lib/matrix.toml"_s
                              << QByteArray("# everything\nnixpkgs = \"" + tablePin + "\"\nsha256 = \"" + hash +
                                            "\"\n\n[source]\nrev = \"" + unusedPin + "\"\nhash = \"" + libPin + "\"\n")
                              << true;
        QTest::newRow("argument") << u"lib/build.nix"_s
                                  << QByteArray(
                                         "{ gpu, pin ? \"" + tablePin +
                                         "\" }:\nlet\n  pkgs = import (fetchTarball {\n    url = \"" + url +
                                         "${pin}.tar.gz\";\n    sha256 = \"" + hash +
                                         "\";\n  }) { };\nin\npkgs.unknown { src = { rev = \"" + unusedPin +
                                         "\"; hash = \"sha256-BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"; }; }\n")
                                  << true;
        QTest::newRow("address") << u"lib/build.nix"_s
                                 << QByteArray("{ gpu }:\n(import (fetchTarball \"" + url + tablePin +
                                               ".tar.gz\") { }).unknown { rev = \"" + unusedPin + "\"; }\n")
                                 << false;
    }
    void replacesStatedPins()
    {
        QFETCH(const QString, path);
        QFETCH(const QByteArray, text);
        QFETCH(const bool, hashed);
        const QByteArray hash = "sha256-CAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
        const ImportingFixture fixture;
        fixture.clear();
        const QString recipe = u"tool-server-cuda12_8-sm90-avx2.nix"_s;
        const QString name = path.section(u'/', 1);
        QByteArray builder = "{ }: (import ./lib/build.nix) { gpu = \"9.0\"; }\n";
        if (path.endsWith(".json"_L1))
            builder = "{ unknown }: unknown (builtins.fromJSON (builtins.readFile ./lib/" + name.toUtf8() + "))\n";
        if (path.endsWith("data.json"_L1))
            builder = "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pins = (builtins.fromJSON (builtins.readFile "
                      "./lib/data.json)).pins;\nin\n(import (fetchTarball {\n  url = "
                      "\"https://github.com/NixOS/nixpkgs/archive/${pins.default.commit}.tar.gz\";\n  sha256 = "
                      "pins.default.sha256;\n}) { }).hello\n";
        else if (path.endsWith(".toml"_L1))
            builder = "{ unknown }: unknown (builtins.fromTOML (builtins.readFile ./lib/" + name.toUtf8() + "))\n";
        else if (name.isEmpty())
            builder = "{ pkgs ? import <nixpkgs> { } }: pkgs.hello\n";
        fixture.write(pkgsFolder + recipe, builder);
        fixture.write(pkgsFolder + u"tool-server-cuda12_8-sm80-avx2.nix"_s, builder);
        fixture.write(pkgsFolder + path, text);
        fixture.commitAll();
        // As the verb gives it: not null.
        SettingsChange change{.pin = QString::fromLatin1(libPin), .pinFrom = u""_s};
        const QByteArray wanted = QByteArray(text).replace(tablePin, libPin);
        const auto unhashed = askThere(fixture, MigrateRequest{.branch = {}, .change = change, .inPlace = true});
        QVERIFY(!hashed || !unhashed || unhashed->refusal);
        if (hashed)
            change.keys = {{u"nixpkgs_sha256"_s, QString::fromLatin1(hash)}};
        for (const ChangeRequest &request :
             migratedAndDerived(MigrateRequest{.branch = {}, .change = change, .inPlace = true})) {
            const auto changes = askThere(fixture, request);
            QVERIFY_OK(changes);
            QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
            QVERIFY2(!changes->warnings.join(u' ').contains(u"not changed"_s),
                     qPrintable(changes->warnings.join(u' ')));
            const ChangedFile *file = changes->find(pkgsFolder + path);
            QVERIFY(file && file->chosen && file->after);
            QVERIFY(!file->after->contains(tablePin));
            QCOMPARE(*file->after,
                     hashed ? QByteArray(wanted).replace("sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", hash)
                            : wanted);
            const QByteArray after = *file->after;
            QVERIFY_OK(applyThere(fixture, *changes));
            QCOMPARE(fixture.git({u"show"_s, changes->branch + u':' + pkgsFolder + path}).trimmed(), after.trimmed());
            QCOMPARE(fixture.status(), QByteArray());
            fixture.git({u"reset"_s, u"--quiet"_s, u"--hard"_s, u"main"_s + (changes->newBranch ? u""_s : u"^"_s)});
        }
    }

    // A hash that is asked for is written beside the url; a table of revisions has no place for it.
    void aHashThatWasNotThereIsAdded()
    {
        const ImportingFixture fixture;
        fixture.clear();
        fixture.write(pkgsFolder + u"lib/torch.nix"_s, makeTorch);
        fixture.write(pkgsFolder + u"lib/gpus.nix"_s, "{ \"90\" = \"9.0\"; }\n");
        fixture.write(pkgsFolder + u"pytorch-python313-cuda12_8-sm90-avx2.nix"_s,
                      "{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/torch.nix { sm = \"90\"; }\n");
        fixture.commitAll();
        const QByteArray hash = "sha256-" + QByteArray(43, 'B') + '=';
        MigrateRequest request = toPin(libPin);
        request.change.keys = {{u"nixpkgs_sha256"_s, QString::fromLatin1(hash)}};
        for (const ChangeRequest &each : migratedAndDerived(request)) {
            const auto changes = askThere(fixture, each);
            QVERIFY_OK(changes);
            QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
            const ChangedFile *file = changes->find(pkgsFolder + u"lib/torch.nix"_s);
            QVERIFY(file && file->after);
            QByteArray wanted = makeTorch;
            QCOMPARE(*file->after, wanted.replace(QByteArray(40, '1'), libPin)
                                       .replace(".tar.gz\";\n", ".tar.gz\";\n    sha256 = \"" + hash + "\";\n"));
        }
        const ImportingFixture tables;
        const auto changes = askThere(tables, request);
        QVERIFY(changes && changes->refusal);
        QVERIFY2(changes->refusal->sentence().contains("neither a hash nor the url"_L1),
                 qPrintable(changes->refusal->sentence()));
    }

    // A recipe that imports another one of the branch follows its new name.
    void derivesWhatImportsRecipes()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const QByteArray pinned = "let\n  pinned = import (builtins.fetchTarball {\n    url = "
                                  "\"https://github.com/NixOS/nixpkgs/archive/" +
                                  tablePin +
                                  ".tar.gz\";\n  }) {\n    config = { allowUnfree = true; cudaSupport = true; };\n    "
                                  "overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_8; }) ];\n  };\n";
        const QByteArray flags =
            "  preConfigure = ''\n    export CXXFLAGS=\"-mavx2 -mfma -mf16c $CXXFLAGS\"\n    export "
            "CFLAGS=\"-mavx2 -mfma -mf16c $CFLAGS\"\n  '';\n";
        for (const QByteArray row : {"80", "90"}) {
            const QByteArray end = "-python313-cuda12_8-sm" + row + "-avx2";
            const QByteArray targets = "gpuTargets = [ \"" + row.first(1) + '.' + row.last(1) + "\" ]; ";
            fixture.write(pkgsFolder + u"pytorch"_s + QString::fromLatin1(end) + u".nix"_s,
                          "{ pkgs ? import <nixpkgs> { } }:\n" + pinned +
                              "in\n(pinned.python313Packages.torch.override { cudaSupport = true; " + targets +
                              "}).overrideAttrs (old: {\n  pname = \"pytorch" + end + "\";\n" + flags + "})\n");
            fixture.write(pkgsFolder + u"gadget"_s + QString::fromLatin1(end) + u".nix"_s,
                          "{ pkgs ? import <nixpkgs> { } }:\n" + pinned + "  torch = import ./pytorch" + end +
                              ".nix { inherit pkgs; };\nin\n(pinned.python313Packages.gadget.override { inherit torch; "
                              "}).overrideAttrs (old: {\n  pname = \"gadget" +
                              end + "\";\n" + flags + "})\n");
        }
        fixture.commitAll();
        for (const SettingsChange &change : {SettingsChange{.pythons = QStringList{u"python312"_s}},
                                             SettingsChange{.cudas = QStringList{u"12.9"_s}}}) {
            const auto changes = askThere(fixture, DeriveRequest{.from = {}, .name = u"next"_s, .change = change});
            QVERIFY_OK(changes);
            QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
            QCOMPARE(changes->chosenErrors(), QStringList());
            QCOMPARE(std::ranges::count(changes->files, ChangeAction::Rename, &ChangedFile::action), 4);
        }
    }

    // A package whose torch is another recipe, which has the CPU flags, need not state any.
    void generatesOverATorchElsewhere_data()
    {
        QTest::addColumn<QByteArray>("torch");
        QTest::addColumn<QString>("why"); ///< it is refused; empty: it is made
        QTest::newRow("sibling") << "import ./pytorch-NAME.nix { inherit pkgs; }"_ba << QString();
        QTest::newRow("published") << "catalogs.acme.pytorch-NAME"_ba << QString();
        QTest::newRow("fetched") << "import (\"${fetchTarball \"https://github.com/acme/torch/archive/" + libPin +
                                        ".tar.gz\"}/.flox/pkgs/pytorch-NAME.nix\") { }"
                                 << QString();
        QTest::newRow("one torch for all") << "catalogs.acme.pytorch-all"_ba << u"nothing in it states CPU flags"_s;
        QTest::newRow("nixpkgs' own") << "pinned.python313Packages.torch"_ba << u"no template was learned"_s;
    }
    void generatesOverATorchElsewhere()
    {
        QFETCH(const QByteArray, torch);
        QFETCH(const QString, why);
        const ImportingFixture fixture;
        fixture.clear();
        const QByteArray pinned = "let\n  pinned = import (fetchTarball \"https://github.com/NixOS/nixpkgs/archive/" +
                                  tablePin +
                                  ".tar.gz\") {\n    config = { allowUnfree = true; cudaSupport = true; };\n    "
                                  "overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_8; }) ];\n  };\n";
        QMap<QString, QByteArray> isas;
        for (const Isa &isa : builtInCatalog()->isas)
            isas.insert(isa.id, isa.flags.join(u' ').toUtf8());
        const auto recipe = [&](const QByteArray &name) {
            const QByteArray capability = name.contains("sm80") ? "8.0" : "9.0";
            return "{ pkgs ? import <nixpkgs> { }, catalogs }:\n" + pinned +
                   "  torch = " + QByteArray(torch).replace("NAME", name) +
                   ";\nin\n(pinned.python313Packages.gadget.override { inherit torch; }).overrideAttrs (old: {\n  "
                   "pname "
                   "= \"gadget-" +
                   name + "\";\n  TORCH_CUDA_ARCH_LIST = \"" + capability +
                   "\";\n  meta = old.meta // { platforms = [ \"x86_64-linux\" ]; };\n})\n";
        };
        const QByteArray start = "python313-cuda12_8-";
        for (const QByteArray row : {"sm80", "sm90"}) {
            for (const QByteArray isa : {"avx2", "avx512"}) {
                const QByteArray name = start + row + '-' + isa;
                fixture.write(pkgsFolder + u"pytorch-%1.nix"_s.arg(QLatin1StringView(name)),
                              "{ pkgs ? import <nixpkgs> { } }:\n" + pinned +
                                  "in\n(pinned.python313Packages.torch.override { cudaSupport = true; gpuTargets = [ "
                                  "\"" +
                                  (row == "sm80" ? "8.0" : "9.0") +
                                  "\" ]; }).overrideAttrs (old: {\n  pname = "
                                  "\"pytorch-" +
                                  name + "\";\n  CXXFLAGS = \"" + isas.value(QString::fromLatin1(isa)) +
                                  "\";\n  CFLAGS = \"" + isas.value(QString::fromLatin1(isa)) + "\";\n})\n");
                if (isa == "avx2")
                    fixture.write(pkgsFolder + u"gadget-%1.nix"_s.arg(QLatin1StringView(name)), recipe(name));
            }
        }
        const QByteArray wanted = start + "sm90-avx512";
        const auto changes = generatedIn(fixture, u"gadget-"_s + QString::fromLatin1(wanted));
        if (!why.isEmpty()) {
            QVERIFY2(!changes && changes.error().sentence().contains(why),
                     changes ? "" : qPrintable(changes.error().sentence()));
            return;
        }
        QVERIFY_OK(changes);
        QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
        QCOMPARE(*changes->files.constFirst().after, recipe(wanted));
    }

    // A recipe for another CPU names the boards that have that CPU, as the other recipes for it do.
    void generatesProductsOfItsHost_data()
    {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("products"); ///< of sm90 and sm100 for ARMv9
        QTest::addColumn<QString>("says");
        const QString superchips = u"GH200,GB200"_s;
        const QString boards = u"H100,B200"_s;
        QTest::newRow("superchip") << u"sm90-armv9"_s << superchips << u"GH200"_s;
        QTest::newRow("another superchip") << u"sm100-armv9"_s << superchips << u"GB200"_s;
        QTest::newRow("first one") << u"sm90-armv9"_s << QString() << u"GH200"_s;
        QTest::newRow("a board beside any CPU") << u"sm90-armv9"_s << boards << u"H100"_s;
        QTest::newRow("board") << u"sm90-avx512"_s << superchips << u"H100"_s;
        QTest::newRow("first board") << u"sm103-avx2"_s << superchips << u"B300"_s;
        QTest::newRow("another ARM") << u"sm90-armv8_2"_s << superchips << u"H100"_s;
        QTest::newRow("a board's name beside ARM") << u"sm80-armv9"_s << u"ARM"_s << u"A100 (ARM)"_s;
    }
    void generatesProductsOfItsHost()
    {
        QFETCH(const QString, wanted);
        QFETCH(const QString, products);
        QFETCH(const QString, says);
        const ImportingFixture fixture;
        fixture.clear();
        const Catalog &catalog = *builtInCatalog();
        const auto write = [&](const QString &row, const QString &id, const QString &product) {
            const Isa &isa = *catalog.isa(id);
            const QByteArray name = "gadget-python313-cuda12_9-" + row.toUtf8() + '-' + id.toUtf8();
            if (name.endsWith('-' + wanted.toUtf8()))
                return;
            const QByteArray flags = isa.flags.join(u' ').toUtf8();
            fixture.write(
                pkgsFolder + QString::fromLatin1(name) + u".nix"_s,
                "# Gadget for NVIDIA " + product.toUtf8() +
                    "\n{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (fetchTarball "
                    "\"https://github.com/NixOS/nixpkgs/archive/" +
                    tablePin +
                    ".tar.gz\") {\n    config = { allowUnfree = true; cudaSupport = true; };\n    overlays = [ "
                    "(final: prev: { cudaPackages = final.cudaPackages_12_9; }) ];\n  };\nin\n"
                    "pinned.python313Packages.gadget.overrideAttrs (old: {\n  pname = \"" +
                    name + "\";\n  TORCH_CUDA_ARCH_LIST = \"" + catalog.row(row)->capability.toUtf8() +
                    "\";\n  CXXFLAGS = \"" + flags + "\";\n  CFLAGS = \"" + flags +
                    "\";\n  meta = old.meta // { description = \"Gadget for " + product.toUtf8() +
                    "\"; platforms = [ \"" + isa.platform.toUtf8() + "\" ]; };\n})\n");
        };
        for (const auto &[row, product] : {std::pair(u"sm90"_s, u"H100"_s), {u"sm100"_s, u"B200"_s}}) {
            for (const QString &isa : {u"avx2"_s, u"avx512"_s})
                write(row, isa, product);
        }
        if (products == "ARM"_L1) {
            for (const QString &row : {u"sm75"_s, u"sm80"_s, u"sm86"_s, u"sm89"_s}) {
                const QString product = row == "sm80"_L1 ? u"A100"_s : catalog.row(row)->products.constFirst();
                for (const QString &isa : {u"avx"_s, u"avx2"_s, u"avx512"_s, u"avx512vnni"_s, u"armv8_2"_s, u"armv9"_s})
                    write(row, isa, row == "sm80"_L1 && isa.startsWith("arm"_L1) ? u"A100 (ARM)"_s : product);
            }
        } else if (products.isEmpty()) {
            write(u"sm90"_s, u"armv8_2"_s, u"H100"_s);
        } else {
            write(u"sm90"_s, u"armv9"_s, products.section(u',', 0, 0));
            write(u"sm100"_s, u"armv9"_s, products.section(u',', 1));
            write(u"sm103"_s, u"armv9"_s, products == u"GH200,GB200"_s ? u"GB300"_s : u"B300"_s);
        }
        const QString name = u"gadget-python313-cuda12_9-"_s + wanted;
        const auto changes = generatedIn(fixture, name);
        QVERIFY_OK(changes);
        const QByteArray made = *changes->files.constFirst().after;
        QVERIFY2(made.contains("NVIDIA " + says.toUtf8() + '\n') && made.contains("for " + says.toUtf8() + '"'),
                 made.constData());
    }

    // Two versions of a package in wrappers that select their values from tables.
    static void writeVersions(const ImportingFixture &fixture)
    {
        fixture.clear();
        fixture.write(pkgsFolder + u"lib/versions.nix"_s,
                      "{\n  \"26-313\" = { version = \"0.26.0\"; set = \"python313Packages\"; };\n"
                      "  \"27-313\" = { version = \"0.27.0\"; set = \"python313Packages\"; };\n"
                      "  \"27-312\" = { version = \"0.27.0\"; set = \"python312Packages\"; };\n}\n");
        fixture.write(pkgsFolder + u"lib/cudas.nix"_s,
                      "{\n  \"12_8\" = { overlay = \"cudaPackages_12_8\"; label = \"first of its kind\"; };\n"
                      "  \"13_0\" = { overlay = \"cudaPackages_13\"; label = \"second\"; };\n}\n");
        fixture.write(pkgsFolder + u"lib/make.nix"_s,
                      QByteArray(makeTorch)
                          .replace("{ sm }:", "{ version, py, cuda, sm }:")
                          .replace("final.cudaPackages_12_8", "final.${(import ./cudas.nix).${cuda}.overlay}")
                          .replace("(import ./gpus.nix).${sm}", "(if sm == \"80\" then \"8.0\" else \"9.0\")")
                          .replace("nixpkgs.python313Packages.torch", "nixpkgs.${entry.set}.torch")
                          .replace("in\n", "  entry = (import ./versions.nix).\"${version}-${py}\";\nin\n")
                          .replace("pname = \"pytorch-python313-cuda12_8-sm${sm}-avx2\";",
                                   "pname = \"gadget0${version}-python${py}-cuda${cuda}-sm${sm}-avx2\";\n  version = "
                                   "entry.version;\n  label = (import ./cudas.nix).${cuda}.label;"));
        for (const char *version : {"26", "27"}) {
            for (const char *sm : {"80", "90"})
                fixture.write(pkgsFolder + u"gadget0%1-python313-cuda12_8-sm%2-avx2.nix"_s.arg(
                                               QLatin1StringView(version), QLatin1StringView(sm)),
                              QByteArray("{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make.nix { version = \"") +
                                  version + "\"; py = \"313\"; cuda = \"12_8\"; sm = \"" + sm + "\"; }\n");
        }
        fixture.commitAll();
    }

    // What is dropped is no longer listed, and a family without recipes is not built.
    void dropsFamilies()
    {
        const ImportingFixture fixture;
        writeVersions(fixture);
        const DeriveRequest request{
            .from = {}, .name = u"next"_s, .change = {.pythons = QStringList{u"python312"_s}}, .drop = true};
        const auto changes = askThere(fixture, request);
        QVERIFY_OK(changes);
        QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
        QCOMPARE(changes->dropped, (QStringList{u"gadget026-python313-cuda12_8-sm80-avx2"_s,
                                                u"gadget026-python313-cuda12_8-sm90-avx2"_s}));
        for (const ChangedFile &file : changes->files) {
            if (file.action == ChangeAction::Delete)
                QVERIFY2(file.reason.startsWith(u"lib/versions.nix:"_s), qPrintable(file.reason));
        }
        QCOMPARE(changes->settings->families(), QStringList{u"gadget027"_s});
        const ChangedFile *settings = changes->find(settingsFileName);
        QVERIFY(settings && settings->after->contains("gadget027") && !settings->after->contains("gadget026"));
        QVERIFY2(changes->warnings.filter(u"no longer listed"_s).isEmpty(), qPrintable(changes->warnings.join(u'\n')));
        QCOMPARE(changes->settings->promised().size(), qsizetype(2));
    }

    // A toolkit that takes the recipes of another lists them, and what settings cannot list is left alone by the plan.
    void listsWhatIsCarriedOver()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const auto recipe = [&fixture](const QString &name, const QByteArray &toolkit, const QByteArray &target) {
            fixture.write(pkgsFolder + name + u".nix"_s,
                          "{ pkgs ? import <nixpkgs> { } }:\nlet\n  nixpkgs = import (builtins.fetchTarball {\n    url "
                          "= \"https://github.com/NixOS/nixpkgs/archive/" +
                              tablePin +
                              ".tar.gz\";\n  }) {\n    config.cudaSupport = true;\n    overlays = [ (final: "
                              "prev: { cudaPackages = final." +
                              toolkit +
                              "; }) ];\n  };\nin\n(nixpkgs.python313Packages.torch.override { gpuTargets = [ \"" +
                              target + "\" ]; }).overrideAttrs (old: {\n  pname = \"" + name.toUtf8() +
                              "\";\n  CFLAGS = \"-mavx2 -mfma -mf16c\";\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";\n})\n");
        };
        recipe(u"pytorch-python313-cuda12_8-sm80-avx2"_s, "cudaPackages_12_8", "8.0");
        recipe(u"pytorch-python313-cuda12_8-sm90-avx2"_s, "cudaPackages_12_8", "9.0");
        recipe(u"pytorch-python313-cuda12_9-sm90-avx2"_s, "cudaPackages_12_9", "9.0");
        fixture.write(
            pkgsFolder + u"pytorch-python313-rocm6_4-gfx942-avx2.nix"_s,
            "{ pkgs ? import <nixpkgs> { } }: pkgs.python313Packages.torch.override { rocmSupport = true; }\n");
        fixture.commitAll();
        const auto changes = askThere(
            fixture,
            DeriveRequest{.from = {}, .name = u"next"_s, .change = {.cudas = QStringList{u"12.9"_s}}, .drop = true});
        QVERIFY_OK(changes);
        QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
        QStringList listed;
        for (const Variant &variant : changes->settings->promised())
            listed.append(variant.name());
        QCOMPARE(listed,
                 (QStringList{u"pytorch-python313-cuda12_9-sm80-avx2"_s, u"pytorch-python313-cuda12_9-sm90-avx2"_s}));
        const auto plan = askThere(fixture, PlanRequest{});
        QVERIFY_OK(plan);
        for (const ChangedFile &file : plan->files)
            QVERIFY2(file.action != ChangeAction::Delete, qPrintable(file.path));
    }

    // A package of its own, which fetches its source in lib/, and words of its CPU that no template can turn.
    static void writeEngines(const ImportingFixture &fixture)
    {
        fixture.clear();
        fixture.write(pkgsFolder + u"lib/engine.nix"_s,
                      "{ buildPythonPackage, fetchFromGitHub, name, words, flags, target }:\n"
                      "buildPythonPackage {\n  pname = name;\n  version = \"2.1\";\n"
                      "  src = fetchFromGitHub {\n    owner = \"acme\";\n    repo = \"engine\";\n    tag = \"v2.1\";\n"
                      "    hash = \"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\";\n  };\n"
                      "  CFLAGS = flags;\n  CXXFLAGS = flags;\n  TORCH_CUDA_ARCH_LIST = target;\n"
                      "  engineBaseline = words;\n}\n");
        for (const auto &[isa, words, flags] :
             {std::tuple("avx2", "AVX2", "-mavx2 -mfma -mf16c"),
              {"avx512", "AVX512_SKX", "-mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma"}}) {
            for (const QByteArray &sm : {"80"_ba, "86"_ba, "89"_ba, "90"_ba}) {
                if (sm == "86" && QByteArray(isa) == "avx512")
                    continue;
                const QByteArray name = "engine-python313-cuda12_8-sm" + sm + '-' + isa;
                fixture.write(
                    pkgsFolder + QString::fromLatin1(name) + u".nix"_s,
                    "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (builtins.fetchTarball {\n    url = "
                    "\"https://github.com/NixOS/nixpkgs/archive/" +
                        tablePin +
                        ".tar.gz\";\n  }) {\n    config = { allowUnfree = true; cudaSupport = true; };\n    overlays "
                        "= [ (final: prev: { cudaPackages = final.cudaPackages_12_8; }) ];\n  };\nin\n"
                        "pinned.python313Packages.callPackage ./lib/engine.nix {\n  name = \"" +
                        name + "\";\n  target = \"" + sm.first(1) + '.' + sm.last(1) + "\";\n  words = \"" + words +
                        "\";\n  flags = \"" + flags + "\";\n}\n");
            }
        }
        fixture.commitAll();
    }

    void derivesWhatFetchesItsSource()
    {
        const ImportingFixture fixture;
        writeEngines(fixture);
        const auto changes = askThere(
            fixture, DeriveRequest{.from = {}, .name = u"next"_s, .change = {.pythons = QStringList{u"python312"_s}}});
        QVERIFY_OK(changes);
        QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
        QCOMPARE(changes->dropped, QStringList());
        const ChangedFile *made = changes->find(pkgsFolder + u"engine-python313-cuda12_8-sm89-avx512.nix"_s);
        QVERIFY(made && made->after && made->newPath.contains("python312"_L1));
        QCOMPARE(*made->after, fixture.read(pkgsFolder + u"engine-python313-cuda12_8-sm89-avx512.nix"_s)
                                   .replace("python313", "python312"));
    }

    // A recipe that changes only by the pin which it states does not stay behind, and the settings follow.
    void countsWhatStaysOnce()
    {
        const ImportingFixture fixture;
        writeEngines(fixture);
        const auto changes = askThere(fixture, toPin(libPin, {}));
        QVERIFY_OK(changes);
        QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
        QCOMPARE(std::ranges::count_if(changes->files,
                                       [](const ChangedFile &file) { return file.chosen && !file.name.isEmpty(); }),
                 qsizetype(7));
        QVERIFY2(changes->warnings.filter(u"not changed"_s).isEmpty(), qPrintable(changes->warnings.join(u'\n')));
        const ChangedFile *settings = changes->find(settingsFileName);
        QVERIFY(settings && settings->chosen);
    }

    // The words of a recipe for the CPU are those of its platform.
    void generatesForThePlatform()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const auto recipe = [](const QByteArray &isa, const QByteArray &servers, const QByteArray &flags) {
            return "# For " + servers +
                   "\n{ pkgs ? import <nixpkgs> { } }:\npkgs.python313Packages.torch.overrideAttrs (old: "
                   "{\n  pname = \"pytorch-python313-cpu-" +
                   isa + "\";\n  CFLAGS = \"" + flags + "\";\n  CXXFLAGS = \"" + flags + "\";\n})\n";
        };
        const QByteArray wide = "-mavx512f -mavx512dq -mavx512vl -mavx512bw ";
        const auto write = [&](const QByteArray &isa, const QByteArray &servers, const QByteArray &flags) {
            fixture.write(pkgsFolder + u"pytorch-python313-cpu-"_s + QString::fromLatin1(isa) + u".nix"_s,
                          recipe(isa, servers, flags));
        };
        write("armv8_2", "racks that ARM sells", "-march=armv8.2-a+fp16+dotprod");
        write("armv9", "racks that ARM sells", "-march=armv9-a+sve+sve2");
        write("avx512", "racks of Intel and AMD", wide + "-mfma");
        write("avx512bf16", "racks of Intel and AMD", wide + "-mavx512bf16 -mfma");
        const QString wanted = u"pytorch-python313-cpu-avx512vnni"_s;
        const auto made = generatedIn(fixture, wanted);
        QVERIFY_OK(made);
        const ChangedFile *file = made->find(pkgsFolder + wanted + u".nix"_s);
        QVERIFY(file && file->after);
        QCOMPARE(*file->after, recipe("avx512vnni", "racks of Intel and AMD", wide + "-mavx512vnni -mfma"));
    }

    // The tables of a folder that recipes import are no recipe, although the folder has a default.nix.
    void changesTheFolderThatIsImported()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const QString library = pkgsFolder + u"lib/default.nix"_s;
        fixture.write(library, "{\n  targets = {\n    sm80 = \"8.0\";\n    sm90 = \"9.0\";\n  };\n}\n");
        const auto recipe = [](const QByteArray &row) {
            return "{ pkgs ? import <nixpkgs> { } }:\n(pkgs.python313Packages.torch.override {\n  cudaSupport = "
                   "true;\n  gpuTargets = [ "
                   "(import "
                   "./lib).targets." +
                   row + " ];\n}).overrideAttrs (old: {\n  pname = \"pytorch-python313-cuda12_8-" + row +
                   "-avx2\";\n  CFLAGS = \"-mavx2 -mfma -mf16c\";\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";\n})\n";
        };
        for (const QByteArray &row : {"sm80"_ba, "sm90"_ba})
            fixture.write(pkgsFolder + u"pytorch-python313-cuda12_8-"_s + QString::fromLatin1(row) + u"-avx2.nix"_s,
                          recipe(row));
        const QString wanted = u"pytorch-python313-cuda12_8-sm89-avx2"_s;
        const auto made = generatedIn(fixture, wanted);
        QVERIFY_OK(made);
        const ChangedFile *file = made->find(pkgsFolder + wanted + u".nix"_s);
        QVERIFY(file && file->chosen);
        QCOMPARE(*file->after, recipe("sm89"));
        const ChangedFile *table = made->find(library);
        QVERIFY(table && table->after && table->after->contains("    sm89 = \"8.9\";\n"));
    }

    // A deleted whole recipe comes back beside recipes that import a builder.
    void restoresAWholeRecipe()
    {
        const ImportingFixture fixture;
        writeEngines(fixture);
        const QString name = u"engine-python313-cuda12_8-sm86-avx512"_s;
        const QString whole = pkgsFolder + name + u".nix"_s;
        // The same package without the builder.
        QByteArray text = fixture.read(pkgsFolder + u"engine-python313-cuda12_8-sm89-avx512.nix"_s);
        QByteArray builder = fixture.read(pkgsFolder + u"lib/engine.nix"_s);
        builder = builder.sliced(builder.indexOf("buildPythonPackage {"));
        builder.replace("name;", "\"" + name.toLatin1() + "\";")
            .replace("target;", "\"8.6\";")
            .replace("words;", "\"\";");
        builder.replace("flags;", "\"-mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma\";");
        builder.replace("fetchFromGitHub", "pinned.python313Packages.fetchFromGitHub");
        text = text.first(text.indexOf("callPackage")) + builder;
        fixture.commitFile(whole, text);
        fixture.git({u"rm"_s, u"--quiet"_s, whole});
        fixture.commit();
        const auto made = askThere(fixture, GenerateRequest{.branch = {}, .names = {name}});
        QVERIFY_OK(made);
        const ChangedFile *file = made->find(whole);
        QVERIFY(file && file->chosen);
        QCOMPARE(*file->after, text);
    }

    // The neighbour of the same CPU is the model, where the template fits none of its kind.
    void generatesLikeItsCpu()
    {
        const ImportingFixture fixture;
        writeEngines(fixture);
        const QString wanted = u"engine-python313-cuda12_8-sm86-avx512"_s;
        const auto made = askThere(fixture, GenerateRequest{.branch = {}, .names = {wanted}});
        QVERIFY_OK(made);
        const ChangedFile *file = made->find(pkgsFolder + wanted + u".nix"_s);
        QVERIFY(file && file->chosen);
        QCOMPARE(*file->after, fixture.read(pkgsFolder + u"engine-python313-cuda12_8-sm89-avx512.nix"_s)
                                   .replace("sm89", "sm86")
                                   .replace("8.9", "8.6"));
    }

    // An error in lib/ that all recipes have says nothing about a new wrapper, whose arguments are exchanged. What
    // cannot be read behind it is told; what is seen not to follow, and what hides the files, is refused with its
    // place.
    void generatesWithErrorsThatAllHave_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<QString>("told");    // in the remarks; else refused
        QTest::addColumn<QString>("refused"); // in the error
        const QString kept = u"errors that all others of its kind have already"_s;
        QTest::newRow("a package of another machine")
            << "cudaSupport = true;\n  gpuTargets"_ba
            << "cudaSupport = true;\n  magma = import /srv/magma-${sm}.nix { };\n  gpuTargets"_ba << kept << QString();
        QTest::newRow("a table of another machine")
            << "import ./gpus.nix"_ba << "import /srv/gpus.nix"_ba
            << u"GPU targets cannot be read from lib/make.nix:12 on"_s << QString();
        QTest::newRow("an entry of it that is always the same")
            << "(import ./gpus.nix).${sm}"_ba << "(import /srv/gpus.nix).\"90\""_ba << QString()
            << u"lib/make.nix:12"_s;
        QTest::newRow("targets that are always the same")
            << "gpuTargets = [ (import ./gpus.nix).${sm} ];"_ba
            << "gpuTargets = [ \"9.0\" ];\n  magma = import /srv/magma.nix;"_ba << QString() << u"lib/make.nix:12"_s;
        QTest::newRow("no Nix") << "inherit"_ba << "inherit }"_ba << QString() << u"lib/gpus.nix:2"_s;
        QTest::newRow("not tracked") << QByteArray() << QByteArray() << QString()
                                     << u"lib/make.nix, which git does not track"_s;
    }
    void generatesWithErrorsThatAllHave()
    {
        for (const bool hasRow : {false, true}) // as the first of its GPU, and as another
            generateWithErrorsThatAllHave(hasRow);
    }
    static void generateWithErrorsThatAllHave(bool hasRow)
    {
        QFETCH(const QByteArray, before);
        QFETCH(const QByteArray, after);
        QFETCH(const QString, told);
        QFETCH(const QString, refused);
        const ImportingFixture fixture;
        fixture.clear();
        const auto wrapper = [](const QByteArray &sm, const QByteArray &isa = "avx2") -> QByteArray {
            return "{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make.nix { sm = \"" + sm + "\"; isa = \"" + isa +
                   "\"; }\n";
        };
        const auto nameOf = [](const QByteArray &sm, const QByteArray &isa = "avx2") {
            return u"pytorch-python313-cuda12_8-sm%1-%2"_s.arg(QString::fromLatin1(sm), QString::fromLatin1(isa));
        };
        QByteArray make = makeTorch;
        make.replace("{ sm }", "{ sm, isa }")
            .replace("-mavx2 -mfma -mf16c", "${(import ./isas.nix).${isa}}")
            .replace("-avx2", "-${isa}");
        fixture.write(pkgsFolder + u"lib/make.nix"_s, make);
        fixture.write(pkgsFolder + u"lib/isas.nix"_s,
                      "{\n  avx2 = \"-mavx2 -mfma -mf16c\";\n  avx512 = \"-mavx512f -mavx512dq -mavx512vl -mavx512bw "
                      "-mfma\";\n}\n");
        fixture.write(pkgsFolder + u"lib/gpus.nix"_s,
                      "{\n  \"80\" = \"8.0\"; \"90\" = \"9.0\"; \"89\" = \"8.9\"; inherit;\n}\n");
        for (const QByteArray &sm : {"80"_ba, "90"_ba})
            fixture.write(pkgsFolder + nameOf(sm) + u".nix"_s, wrapper(sm));
        if (hasRow)
            fixture.write(pkgsFolder + nameOf("89", "avx512") + u".nix"_s, wrapper("89", "avx512"));
        if (before.isEmpty()) {
            fixture.write(u".gitignore"_s, "lib/\n");
            fixture.git({u"add"_s, u"--all"_s});
            fixture.commit();
        } else {
            fixture.replace(after.contains('}') && before == "inherit" ? u"lib/gpus.nix"_s : u"lib/make.nix"_s, before,
                            after);
            fixture.commitAll();
        }
        const QString wanted = nameOf("89");
        for (const QString &like : {QString(), nameOf("80")}) {
            const auto made = askThere(fixture, GenerateRequest{.branch = {}, .names = {wanted}, .like = like});
            if (!refused.isEmpty()) {
                const bool isUntracked = before.isEmpty() && !like.isEmpty(); // It was asked for.
                const QString why = made ? QString() : made.error().sentence();
                QVERIFY2(made.ok() == isUntracked, qPrintable(why));
                QVERIFY2(made || why.contains(refused), qPrintable(why));
                continue;
            }
            QVERIFY_OK(made);
            const ChangedFile *file = made->find(pkgsFolder + wanted + u".nix"_s);
            QVERIFY(file && file->chosen);
            QCOMPARE(file->after.value_or(QByteArray()), wrapper("89"));
            QCOMPARE(made->chosenErrors(), QStringList());
            const QString said = made->warnings.join(u'\n');
            QVERIFY2(said.contains(told), qPrintable(said));
            QCOMPARE(said.count(u"errors that all others of its kind have already"_s), 1);
        }
    }

    // An error in lib/ is the same whether or not the name in its text changes; one that comes is told.
    void derivesWithErrorsThatWereThere()
    {
        const ImportingFixture fixture;
        fixture.clear();
        QByteArray make = makeTorch;
        make.replace("cudaSupport = true;\n  gpuTargets",
                     "cudaSupport = true;\n  magma = import /srv/magma-cuda12_8-sm.nix { };\n  gpuTargets");
        fixture.write(pkgsFolder + u"lib/make.nix"_s, make);
        fixture.write(pkgsFolder + u"lib/gpus.nix"_s, "{\n  \"80\" = \"8.0\"; \"90\" = \"9.0\";\n}\n");
        for (const QString &sm : {u"80"_s, u"90"_s})
            fixture.write(pkgsFolder + u"pytorch-python313-cuda12_8-sm%1-avx2.nix"_s.arg(sm),
                          "{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make.nix { sm = \"" + sm.toUtf8() +
                              "\"; }\n");
        fixture.commitAll();
        for (const SettingsChange &change : {SettingsChange{.cudas = QStringList{u"12.9"_s}},
                                             SettingsChange{.pythons = QStringList{u"python312"_s}}}) {
            const auto changes =
                askThere(fixture, DeriveRequest{.from = {}, .name = u"next"_s, .change = change, .drop = true});
            QVERIFY_OK(changes);
            QVERIFY2(!changes->refusal, qPrintable(changes->refusal ? changes->refusal->sentence() : QString()));
            QCOMPARE(changes->chosenErrors(), QStringList());
            const QString said = changes->warnings.join(u'\n');
            QVERIFY2(said.contains("2 recipes keep errors that they have on main too"_L1), qPrintable(said));
        }
    }

    // What lib/ and the other recipes say of a GPU, an instruction set and a driver is what a new recipe says, whatever
    // the catalog would: each of the wrappers is made from the others as it is.
    void generatesInWordsOfLibrary()
    {
        const QMap<QByteArray, QByteArray> names{{"80", "A100, A30"}, {"100", "GB200"}, {"121", "R100 Ultra"}};
        const QMap<QByteArray, QByteArray> drivers{{"12_9", "560"}, {"13_0", "580"}};
        const QMap<QByteArray, QByteArray> words{{"armv8_2", "ARMv8.2"}, {"armv9", "ARMv9"}};
        const auto wrapper = [&](const QByteArray &sm, const QByteArray &isa, const QByteArray &cuda,
                                 const QByteArray &boards) {
            return "# PyTorch for NVIDIA " + boards + " (SM" + sm + ") - " + words[isa] + " - CUDA " +
                   QByteArray(cuda).replace('_', '.') + " (driver " + drivers[cuda] +
                   "+)\n{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make.nix { sm = \"" + sm + "\"; isa = \"" + isa +
                   "\"; cuda = \"" + cuda + "\"; }\n";
        };
        const auto nameOf = [](const QByteArray &sm, const QByteArray &isa, const QByteArray &cuda) {
            return u"pytorch-python313-cuda%1-sm%2-%3"_s.arg(QString::fromLatin1(cuda), QString::fromLatin1(sm),
                                                             QString::fromLatin1(isa));
        };
        const ImportingFixture fixture;
        fixture.clear();
        QByteArray make = makeTorch;
        make.replace("(import ./gpus.nix).${sm}", "gpu.capability")
            .replace("final.cudaPackages_12_8", "final.${toolkit.set}")
            .replace("{ sm }:\nlet\n", "{ sm, isa, cuda }:\nlet\n  gpu = (import ./gpus.nix).${sm};\n  cpu = (import "
                                       "./isas.nix).${isa};\n  toolkit = (import ./cudas.nix).${cuda};\n")
            .replace("cuda12_8-sm${sm}-avx2", "cuda${cuda}-sm${sm}-${isa}")
            .replace("-mavx2 -mfma -mf16c", "${cpu.flags}")
            .replace("  '';\n})",
                     "  '';\n  meta = {\n    description = \"PyTorch for NVIDIA ${gpu.names} (SM${sm}) with "
                     "${cpu.title} (driver ${toolkit.driver}+)\";\n    platforms = [ \"aarch64-linux\" "
                     "];\n  };\n})");
        fixture.write(pkgsFolder + u"lib/make.nix"_s, make);
        fixture.write(
            pkgsFolder + u"lib/gpus.nix"_s,
            "{\n  \"80\" = { capability = \"8.0\"; names = \"A100, A30\"; cudas = [ \"12_9\" \"13_0\" ]; };\n"
            "  \"100\" = { capability = \"10.0\"; names = \"GB200\"; cudas = [ \"12_9\" \"13_0\" ]; };\n"
            "  \"121\" = { capability = \"12.1\"; names = \"R100 Ultra\"; cudas = [ \"12_9\" \"13_0\" ]; };\n}\n");
        fixture.write(pkgsFolder + u"lib/isas.nix"_s,
                      "{\n  armv8_2 = { title = \"ARMv8.2\"; flags = \"-march=armv8.2-a+fp16+dotprod\"; };\n"
                      "  armv9 = { title = \"ARMv9\"; flags = \"-march=armv9-a+sve+sve2\"; };\n}\n");
        fixture.write(pkgsFolder + u"lib/cudas.nix"_s,
                      "{\n  \"12_9\" = { set = \"cudaPackages_12_9\"; driver = \"560\"; };\n"
                      "  \"13_0\" = { set = \"cudaPackages_13_0\"; driver = \"580\"; };\n}\n");
        for (const auto &[sm, boards] : names.asKeyValueRange()) {
            for (const QByteArray &isa : words.keys()) {
                for (const QByteArray &cuda : drivers.keys())
                    fixture.write(pkgsFolder + nameOf(sm, isa, cuda) + u".nix"_s, wrapper(sm, isa, cuda, boards));
            }
        }
        fixture.commitAll();
        const QString first = QString::fromLatin1(fixture.git({u"rev-parse"_s, u"HEAD"_s})).trimmed();
        for (const auto &[sm, boards] : names.asKeyValueRange()) {
            for (const QByteArray &isa : words.keys()) {
                const QString path = pkgsFolder + nameOf(sm, isa, "12_9") + u".nix"_s;
                fixture.git({u"rm"_s, u"--quiet"_s, path});
                fixture.git({u"commit"_s, u"--quiet"_s, u"--amend"_s, u"-m"_s, u"Without"_s}); // no history
                const auto made = askThere(fixture, GenerateRequest{.branch = {}, .names = {nameOf(sm, isa, "12_9")}});
                QVERIFY_OK(made);
                const ChangedFile *file = made->find(path);
                QVERIFY(file && file->chosen);
                QCOMPARE(file->after.value_or(QByteArray()), wrapper(sm, isa, "12_9", boards));
                fixture.git({u"reset"_s, u"--quiet"_s, u"--hard"_s, first});
            }
        }
        // Of a row that lib/ does not have, its new entry says the words.
        const auto orin = askThere(fixture, GenerateRequest{.branch = {}, .names = {nameOf("87", "armv8_2", "13_0")}});
        QVERIFY_OK(orin);
        const ChangedFile *file = orin->find(pkgsFolder + nameOf("87", "armv8_2", "13_0") + u".nix"_s);
        const ChangedFile *table = orin->find(pkgsFolder + u"lib/gpus.nix"_s);
        QVERIFY(file && table);
        const QByteArray boards = "AGX Orin, Orin NX, Orin Nano";
        QVERIFY2(table->after->contains("names = \"" + boards + "\"; cudas = [ \"13_0\" ]"), table->after->constData());
        QCOMPARE(file->after.value_or(QByteArray()), wrapper("87", "armv8_2", "13_0", boards));
    }

    // A toolkit that a table lacks is no reason to drop all that is for a GPU.
    void refusesToolkitOfNoTable()
    {
        const ImportingFixture fixture;
        writeVersions(fixture);
        for (const bool drop : {false, true}) {
            const DeriveRequest request{
                .from = {}, .name = u"next"_s, .change = {.cudas = QStringList{u"12.9"_s}}, .drop = drop};
            const auto changes = askThere(fixture, request);
            QVERIFY_OK(changes);
            QVERIFY(changes->refusal);
            const QString sentence = changes->refusal->sentence();
            QVERIFY2(sentence.contains(u"lib/cudas.nix:1"_s) && sentence.contains(u"label"_s), qPrintable(sentence));
        }
    }

    // A cell that only other versions of the package have is made like that of the nearest one, with the torch of its
    // own version.
    void generatesLikeAnotherVersion()
    {
        const ImportingFixture fixture;
        fixture.clear();
        fixture.write(pkgsFolder + u"lib/versions.nix"_s,
                      "{\n  \"0.25\" = { torch = \"210\"; release = \"0.25.0\"; };\n"
                      "  \"0.26\" = { torch = \"211\"; release = \"0.26.0\"; };\n"
                      "  \"0.27\" = { torch = \"212\"; release = \"0.27.1\"; };\n}\n");
        fixture.write(
            pkgsFolder + u"lib/make.nix"_s,
            "{ version, cell }:\nlet\n  entry = (import ./versions.nix).${version};\n  nixpkgs = import "
            "(builtins.fetchTarball {\n    url = "
            "\"https://github.com/NixOS/nixpkgs/archive/1111111111111111111111111111111111111111.tar.gz\";\n  }) { "
            "};\n  torches = builtins.fetchTarball "
            "\"https://github.com/acme/torch/archive/2222222222222222222222222222222222222222.tar.gz\";\n  torch = "
            "import \"${torches}/.flox/pkgs/pytorch${entry.torch}-python313-${cell}.nix\" { "
            "};\nin\n(nixpkgs.python313Packages.torchvision.override { inherit torch; }).overrideAttrs (old: {\n  "
            "pname "
            "= \"torchvision${builtins.replaceStrings [ \".\" ] [ \"\" ] version}-python313-${cell}\";\n  version = "
            "entry.release;\n  env = if cell == \"cpu-avx2\" then { CFLAGS = \"-mavx2 -mfma -mf16c\"; CXXFLAGS = "
            "\"-mavx2 -mfma -mf16c\"; } else { };\n})\n");
        const auto wrapper = [](const char *version, const char *torch, const char *cell) {
            return QByteArray("# TorchVision with PyTorch ") + torch + "\n{ pkgs ? import <nixpkgs> { } }:\n" +
                   "import ./lib/make.nix { version = \"" + version + "\"; cell = \"" + cell + "\"; }\n";
        };
        const QString wanted = u"torchvision027-python313-darwin-mps"_s;
        fixture.write(pkgsFolder + u"torchvision025-python313-darwin-mps.nix"_s,
                      "# The first one\n" + wrapper("0.25", "2.10", "darwin-mps"));
        fixture.write(pkgsFolder + u"torchvision026-python313-darwin-mps.nix"_s, wrapper("0.26", "2.11", "darwin-mps"));
        fixture.write(pkgsFolder + u"torchvision027-python313-cpu-avx2.nix"_s, wrapper("0.27", "2.12", "cpu-avx2"));
        fixture.commitAll();
        for (const QString &like : {QString(), u"torchvision026-python313-darwin-mps"_s}) {
            const auto made = askThere(fixture, GenerateRequest{.branch = {}, .names = {wanted}, .like = like});
            QVERIFY_OK(made);
            const ChangedFile *file = made->find(pkgsFolder + wanted + u".nix"_s);
            QVERIFY(file && file->chosen);
            QCOMPARE(*file->after, wrapper("0.27", "2.12", "darwin-mps"));
        }
    }

    // An argument that one toolkit does without, because lib/ has it as the default, is not missing in a new one's.
    void generatesWithTheArgumentsOfAToolkit()
    {
        const ImportingFixture fixture;
        fixture.clear();
        fixture.write(pkgsFolder + u"lib/core.nix"_s,
                      "{ base, tag ? \"cuda12_9\" }:\nbase.overrideAttrs (old: { pname = \"core-${tag}\"; })\n");
        const auto recipe = [](const QByteArray &toolkit, const QByteArray &tag) {
            return "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (builtins.fetchTarball {\n    url = "
                   "\"https://github.com/NixOS/nixpkgs/archive/1111111111111111111111111111111111111111.tar.gz\";\n  "
                   "}) "
                   "{\n    config = { allowUnfree = true; cudaSupport = true; cudaCapabilities = [ \"9.0\" ]; };\n    "
                   "overlays = [ (final: prev: { cudaPackages = final.cudaPackages_" +
                   toolkit + "; }) ];\n  };\n  core = import ./lib/core.nix { base = pinned.gadgetCore;" + tag +
                   " };\nin\n(pinned.python313Packages.gadget.override { inherit core; }).overrideAttrs (old: {\n  "
                   "pname = \"gadget-python313-cuda" +
                   toolkit +
                   "-sm90-avx2\";\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";\n  CFLAGS = \"-mavx2 -mfma "
                   "-mf16c\";\n})\n";
        };
        fixture.write(pkgsFolder + u"gadget-python313-cuda12_8-sm90-avx2.nix"_s,
                      recipe("12_8", " tag = \"cuda12_8\";"));
        fixture.write(pkgsFolder + u"gadget-python313-cuda12_9-sm90-avx2.nix"_s, recipe("12_9", {}));
        fixture.commitAll();
        const auto listed = askThere(
            fixture, SettingsRequest{.branch = {}, .settings = {}, .key = u"cudas"_s, .value = u"12.8,12.9,13.0"_s});
        QVERIFY_OK(listed);
        fixture.write(settingsFileName, *listed->files.constFirst().after);
        fixture.commitAll();
        const QString wanted = u"gadget-python313-cuda13_0-sm90-avx2"_s;
        const auto made = askThere(fixture, GenerateRequest{.branch = {}, .names = {wanted}});
        QVERIFY_OK(made);
        const ChangedFile *file = made->find(pkgsFolder + wanted + u".nix"_s);
        QVERIFY(file && file->after);
        QCOMPARE(*file->after, recipe("13_0", " tag = \"cuda13_0\";"));
    }

    // A version in the settings that the nixpkgs of the recipes does not contain is not written into them.
    void plansNoVersionThatThePinLacks()
    {
        const ImportingFixture fixture;
        fixture.clear();
        for (const char *isa : {"avx2", "avx512"})
            fixture.write(
                pkgsFolder + u"gadget-python313-cpu-%1.nix"_s.arg(QLatin1StringView(isa)),
                "# Gadget 1.2.0 for CPUs\n{ pkgs ? import <nixpkgs> { } }:\n(import (builtins.fetchTarball "
                "\"https://github.com/NixOS/nixpkgs/archive/1111111111111111111111111111111111111111.tar.gz\") "
                "{ }).python313Packages.gadget.overrideAttrs (old: {\n  pname = \"gadget-python313-cpu-" +
                    QByteArray(isa) + "\";\n})\n");
        fixture.commitAll();
        const auto set = askThere(
            fixture, SettingsRequest{.branch = {}, .settings = {}, .key = u"versions.gadget"_s, .value = u"1.3.0"_s});
        QVERIFY_OK(set);
        fixture.write(settingsFileName, *set->files.constFirst().after);
        fixture.commitAll();
        const auto planned = askThere(fixture, PlanRequest{});
        QVERIFY_OK(planned);
        QVERIFY(!planned->isEmpty());
        QVERIFY2(planned->chosenErrors().join(u' ').contains(u"would say 1.3.0 but build 1.2.0"_s),
                 qPrintable(planned->chosenErrors().join(u' ')));
    }

    // A change that reaches nothing is refused, and says where the revision is.
    void refusesPinOfNothing()
    {
        const ImportingFixture fixture;
        fixture.clear();
        for (const char *row : {"sm80", "sm90"})
            fixture.write(pkgsFolder + u"tool-server-cuda12_8-%1-avx2.nix"_s.arg(QLatin1StringView(row)),
                          "{ pkgs ? import <nixpkgs> { } }: pkgs.unknown { rev = \"" + tablePin + "\"; }\n");
        fixture.commitAll();
        for (const ChangeRequest &request : migratedAndDerived(toPin(libPin, u""_s))) {
            const auto changes = askThere(fixture, request);
            QVERIFY(!changes || changes->refusal);
        }
    }

    // A pin is changed in place whether or not the catalog has the row and the instruction set.
    void changesPinOfUnknownCells()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const QString names[] = {u"pytorch-python313-cpu-amx"_s, u"pytorch-python313-rocm6_4-gfx90a-avx2"_s,
                                 u"pytorch-python313-cpu-avx2"_s};
        for (const QString &name : names)
            fixture.write(
                pkgsFolder + name + u".nix"_s,
                "{ pkgs ? import <nixpkgs> { } }:\nlet\n  nixpkgs = import (builtins.fetchTarball {\n    url = "
                "\"https://github.com/NixOS/nixpkgs/archive/" +
                    tablePin +
                    ".tar.gz\";\n  }) { };\nin\nnixpkgs.python313Packages.torch.overrideAttrs (old: "
                    "{\n  pname = \"" +
                    name.toUtf8() + "\";\n})\n");
        fixture.commitAll();
        for (const ChangeRequest &request : migratedAndDerived(toPin(libPin, u""_s))) {
            const auto changes = askThere(fixture, request);
            QVERIFY_OK(changes);
            QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
            for (const QString &name : names) {
                const ChangedFile *file = changes->find(pkgsFolder + name + u".nix"_s);
                QVERIFY2(file && file->chosen && file->after, qPrintable(name));
                QCOMPARE(*file->after, QByteArray(*file->before).replace(tablePin, libPin));
            }
        }
    }

    // What is not Nix says nothing of any recipe, and a recipe that is deleted is named.
    void migratesNothingUnread()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const QString make = pkgsFolder + u"lib/make.nix"_s;
        fixture.write(pkgsFolder + u"lib/gpus.nix"_s, "{ \"80\" = \"8.0\"; \"90\" = \"9.0\"; }\n");
        fixture.write(make, makeTorch);
        for (const char *sm : {"80", "90"})
            fixture.write(pkgsFolder + u"pytorch-python313-cuda12_8-sm%1-avx2.nix"_s.arg(QLatin1StringView(sm)),
                          QByteArray("{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make.nix { sm = \"") + sm +
                              "\"; }\n");
        fixture.commitAll();
        const MigrateRequest request{
            .branch = {}, .change = {.versions = {{u"pytorch"_s, u"2.8.1"_s}}}, .inPlace = true};
        fixture.git({u"rm"_s, u"-q"_s, pkgsFolder + u"pytorch-python313-cuda12_8-sm80-avx2.nix"_s});
        const auto sound = askThere(fixture, request);
        QVERIFY_OK(sound);
        QVERIFY2(sound->warnings.join(u'\n').contains("deleted in the working tree and stay"_L1),
                 qPrintable(sound->warnings.join(u'\n')));
        fixture.write(make, "{ ;\n" + makeTorch);
        const auto broken = askThere(fixture, request);
        QVERIFY_ERROR(broken, u"no recipe can be read. "_s + make + u":1: Not read: It is not valid Nix: "_s);
    }

    // A table that the last recipe was entered in, or that somebody is editing, gets the next entry as well.
    void generatesOnWhatIsNotCommitted()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const QString table = pkgsFolder + u"lib/gpus.nix"_s;
        fixture.write(table, "{\n  \"80\" = \"8.0\";\n  \"90\" = \"9.0\";\n}\n");
        fixture.write(pkgsFolder + u"lib/make.nix"_s, makeTorch);
        for (const char *sm : {"80", "90"})
            fixture.write(pkgsFolder + u"pytorch-python313-cuda12_8-sm%1-avx2.nix"_s.arg(QLatin1StringView(sm)),
                          QByteArray("{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make.nix { sm = \"") + sm +
                              "\"; }\n");
        fixture.commitAll();
        const auto generate = [&](const char *sm, ChangeSet::Until until) {
            return askThere(
                fixture,
                GenerateRequest{.branch = {},
                                .names = {u"pytorch-python313-cuda12_8-sm%1-avx2"_s.arg(QLatin1StringView(sm))},
                                .until = until});
        };
        const auto first = generate("89", ChangeSet::Until::Index);
        QVERIFY_OK(first);
        QVERIFY_OK(applyThere(fixture, *first));
        QCOMPARE(fixture.git({u"diff"_s, u"--cached"_s, u"--name-only"_s}).trimmed(),
                 QByteArray(".flox/pkgs/pytorch-python313-cuda12_8-sm89-avx2.nix"));
        fixture.write(table, "# mine\n" + fixture.read(table));
        QVERIFY(!generate("86", ChangeSet::Until::Commit)); // which would commit that too
        QVERIFY(!generate("89", ChangeSet::Until::Commit)); // which would commit the recipe without its entry
        const auto second = generate("86", ChangeSet::Until::Index);
        QVERIFY_OK(second);
        QCOMPARE(second->chosenErrors(), QStringList());
        const auto applied = applyThere(fixture, *second);
        QVERIFY_OK(applied);
        QCOMPARE(applied->kept.size(), 1);
        QVERIFY(fixture.git({u"show"_s, applied->kept.constFirst()}).startsWith("# mine\n"));
        const QByteArray text = fixture.read(table);
        for (const char *part : {"# mine\n", "\"89\" = \"8.9\";", "\"86\" = \"8.6\";", "\"90\" = \"9.0\";"})
            QVERIFY2(text.contains(part), text.constData());
        for (const VariantEntry &entry : fixture.snapshot().entries)
            QVERIFY2(!entry.present || !entry.firstError(), qPrintable(entry.file));
    }

    // Recipes in folders get their new neighbours in folders, and packages that are no variants are named.
    void generatesInFolders()
    {
        const ImportingFixture fixture;
        fixture.clear();
        fixture.write(pkgsFolder + u"lib/gpus.nix"_s, "{ \"80\" = \"8.0\"; \"90\" = \"9.0\"; \"89\" = \"8.9\"; }\n");
        fixture.write(pkgsFolder + u"lib/make.nix"_s, makeTorch);
        const auto wrapper = [](const char *sm) {
            return QByteArray("{ pkgs ? import <nixpkgs> { } }:\nimport ../lib/make.nix { sm = \"") + sm + "\"; }\n";
        };
        for (const char *sm : {"80", "90"})
            fixture.write(pkgsFolder + u"pytorch-python313-cuda12_8-sm%1-avx2/default.nix"_s.arg(QLatin1StringView(sm)),
                          wrapper(sm));
        fixture.write(pkgsFolder + u"tool.nix"_s, "{ }: import ./lib/make.nix { sm = \"80\"; }\n");
        fixture.commitAll();
        const auto made =
            askThere(fixture, GenerateRequest{.branch = {}, .names = {u"pytorch-python313-cuda12_8-sm89-avx2"_s}});
        QVERIFY_OK(made);
        const ChangedFile *file = made->find(pkgsFolder + u"pytorch-python313-cuda12_8-sm89-avx2/default.nix"_s);
        QVERIFY(file && file->chosen);
        QCOMPARE(*file->after, wrapper("89"));
        QCOMPARE(made->chosenErrors(), QStringList());

        const auto derived = askThere(
            fixture, DeriveRequest{.from = {}, .name = u"next"_s, .change = {.cudas = QStringList{u"12.9"_s}}});
        QVERIFY_OK(derived);
        QVERIFY2(!derived->refusal, derived->refusal ? qPrintable(derived->refusal->sentence()) : "");
        QVERIFY(std::ranges::any_of(derived->files, [](const ChangedFile &one) {
            return one.newPath == pkgsFolder + u"pytorch-python313-cuda12_9-sm90-avx2/default.nix"_s;
        }));
        QVERIFY(std::ranges::any_of(derived->warnings,
                                    [](const QString &warning) { return warning.contains(u"else: tool."_s); }));
    }

    // A deleted recipe comes back as its text, also where its neighbours have errors and no template is learned.
    void restoresDeleted()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const auto recipe = [](const char *sm) {
            return QByteArray("{ pkgs ? import <nixpkgs> { } }: pkgs.unknown.build { odd = \"" + QByteArray(sm) +
                              "x\"; }\n");
        };
        for (const char *sm : {"80", "89", "90"})
            fixture.write(pkgsFolder + u"tool-server-cuda12_8-sm%1-avx2.nix"_s.arg(QLatin1StringView(sm)), recipe(sm));
        fixture.commitAll();
        const QString name = u"tool-server-cuda12_8-sm89-avx2"_s;
        fixture.git({u"rm"_s, u"--quiet"_s, pkgsFolder + name + u".nix"_s});
        fixture.commit();
        const auto made = askThere(fixture, GenerateRequest{.branch = {}, .names = {name}});
        QVERIFY_OK(made);
        QCOMPARE(*made->find(pkgsFolder + name + u".nix"_s)->after, recipe("89"));
    }

    // A recipe that was a folder comes back as one: what it imports is named from there.
    void restoresFolder()
    {
        const ImportingFixture fixture;
        fixture.clear();
        fixture.write(
            pkgsFolder + u"lib/make.nix"_s,
            "{ name }:\n{ pkgs ? import <nixpkgs> { } }: pkgs.tool.overrideAttrs (old: { pname = name; version = "
            "\"1.2\"; CFLAGS = \"-mavx2 -mfma -mf16c\"; CXXFLAGS = \"-mavx2 -mfma -mf16c\"; })\n");
        const QByteArray folder = "import ../lib/make.nix { name = baseNameOf ./.; }\n";
        for (const QByteArray sm : {"80", "86", "89", "90"}) {
            const QString name = u"tool-cuda12_8-sm"_s + QString::fromLatin1(sm) + u"-avx2"_s;
            if (sm == "89")
                fixture.write(pkgsFolder + name + u"/default.nix"_s, folder);
            else
                fixture.write(pkgsFolder + name + u".nix"_s,
                              "import ./lib/make.nix { name = \"" + name.toUtf8() + "\"; }\n");
        }
        fixture.commitAll();
        const QString name = u"tool-cuda12_8-sm89-avx2"_s;
        fixture.git({u"rm"_s, u"--quiet"_s, pkgsFolder + name + u"/default.nix"_s});
        fixture.commit();
        const auto made = askThere(fixture, GenerateRequest{.branch = {}, .names = {name}});
        QVERIFY_OK(made);
        const ChangedFile *file = made->find(pkgsFolder + name + u"/default.nix"_s);
        QVERIFY(file && file->after);
        QCOMPARE(*file->after, folder);
    }

    // Further words of a name mean what the recipes with them do, of this toolkit or of another one.
    void generatesWordsOfNames_data()
    {
        QTest::addColumn<QString>("cell");
        QTest::newRow("of its toolkit") << u"12_8-sm80-mpi"_s;
        QTest::newRow("of another toolkit") << u"12_9-sm90-mpi"_s;
        QTest::newRow("none, of its toolkit") << u"12_8-sm90"_s;
        QTest::newRow("none, of another toolkit") << u"12_9-sm89"_s;
    }
    void generatesWordsOfNames()
    {
        QFETCH(const QString, cell);
        const ImportingFixture fixture;
        fixture.clear();
        const auto textOf = [](const QString &of) {
            const QString cuda = of.section(u'-', 0, 0);
            const QString sm = of.section(u'-', 1, 1).sliced(2);
            const bool mpi = of.endsWith("-mpi"_L1);
            return u"# Tool for SM%1, %2\n{ pkgs ? import <nixpkgs> { } }:\n(pkgs.cudaPackages_%3.pkgs.tool.override "
                   "{ cudaSupport = true; }).overrideAttrs (old: {\n  pname = \"tool-cuda%4\";\n  cmakeFlags = "
                   "old.cmakeFlags ++ [ \"-DCMAKE_CUDA_ARCHITECTURES=%1\" \"-DTOOL_MPI=%5\" ];\n})\n"_s
                       .arg(sm, mpi ? u"many GPUs"_s : u"one GPU"_s, cuda, of, mpi ? u"ON"_s : u"OFF"_s)
                       .toUtf8();
        };
        const auto nameOf = [](const QString &of) { return u"tool-cuda"_s + of; };
        for (const char *other : {"12_8-sm80", "12_8-sm89", "12_8-sm90", "12_8-sm80-mpi", "12_8-sm90-mpi",
                                  "12_9-sm80-mpi", "12_9-sm90-mpi", "12_9-sm89"}) {
            if (const QString one = QString::fromLatin1(other); one != cell)
                fixture.write(pkgsFolder + nameOf(one) + u".nix"_s, textOf(one));
        }
        fixture.commitAll();
        const auto made = askThere(fixture, GenerateRequest{.branch = {}, .names = {nameOf(cell)}});
        QVERIFY_OK(made);
        QCOMPARE(*made->find(pkgsFolder + nameOf(cell) + u".nix"_s)->after, textOf(cell));
        // Nothing says what a new word means.
        const auto refused = askThere(fixture, GenerateRequest{.branch = {}, .names = {nameOf(u"12_8-sm80-fast"_s)}});
        QVERIFY(!refused || refused->refusal);
        const QString why = refused ? refused->refusal->sentence() : refused.error().sentence();
        QVERIFY2(why.contains(u"no other recipe of tool has fast in its name"_s) ||
                     why.contains(u"no template was learned"_s),
                 qPrintable(why));
    }

    void leavesWhatIsNotCommitted()
    {
        const ImportingFixture fixture;
        fixture.replace(u"lib/tables/versions.nix"_s, "\"0.25.0\"", "\"0.25.1\"");
        const auto changes = askThere(fixture, toPin(libPin));
        QVERIFY_OK(changes);
        QVERIFY(!changes->find(versionsTable));
        const ChangedFile *file = changes->find(pkgsFolder + u"torchvision-python313-cpu-avx2.nix"_s);
        QVERIFY(file && file->reason.contains(u"uncommitted changes"_s) && file->reason.contains(versionsTable));
        QVERIFY(changes->isEmpty());
    }

    // A version, with the hash of its source beside it.
    void migratesVersion()
    {
        const ImportingFixture fixture;
        const QByteArray oldHash = "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        const QByteArray newHash = "sha256-BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA=";
        fixture.replace(u"lib/tables/versions.nix"_s, "    torch = \"2.9.1\";",
                        "    torch = \"2.9.1\";\n    source = { version = \"0.24.1\"; hash = \"" + oldHash + "\"; };");
        fixture.replace(
            u"lib/make-vision.nix"_s, "  pname = \"torchvision-",
            "  inherit (version.source) version;\n  src = nixpkgs.fetchFromGitHub { owner = \"pytorch\"; repo "
            "= \"vision\"; rev = \"v${version.source.version}\"; hash = version.source.hash; };\n"
            "  pname = \"torchvision-");
        fixture.commit();
        MigrateRequest request;
        request.change.versions = {{u"torchvision"_s, u"0.24.2"_s}};
        // Without the new hash, a fetch of the new version would give the old source.
        const auto unknown = askThere(fixture, request);
        QVERIFY(!unknown || unknown->isEmpty());
        request.change.hashes = {{u"torchvision"_s, QString::fromLatin1(newHash)}};
        const auto changes = askThere(fixture, request);
        QVERIFY_OK(changes);
        const ChangedFile *table = changes->find(versionsTable);
        QVERIFY(table);
        QCOMPARE(*table->after, QByteArray(*table->before).replace("0.24.1", "0.24.2").replace(oldHash, newHash));
        QVERIFY2(table->reason.contains(u"3 recipes"_s), qPrintable(table->reason));
    }

    // A new recipe has nothing that the audit can fix, and no CPU of the recipe that it is made from.
    void newRecipesHaveNothingToFix()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const auto write = [&](const QByteArray &sm, const QByteArray &isa, const QByteArray &flags,
                               const QByteArray &words, const QByteArray &platforms) {
            const QByteArray name = "gadget-cuda12_9-sm" + sm + "-" + isa;
            fixture.write(pkgsFolder + QString::fromUtf8(name) + u".nix"_s,
                          "# Gadget for SM" + sm + " + " + words +
                              "\n{ pkgs ? import <nixpkgs> { } }:\n(pkgs.cudaPackages_12_9.pkgs.gadget.override { "
                              "cudaSupport = true; }).overrideAttrs (old: {\n  pname = \"" +
                              name + "\";\n  cmakeFlags = old.cmakeFlags ++ [ \"-DCMAKE_CUDA_ARCHITECTURES=" + sm +
                              "\" ];\n  env.CXXFLAGS = \"" + flags + "\";\n  env.CFLAGS = \"" + flags +
                              "\";\n  meta = old.meta // { description = \"Gadget + " + words + "\"; platforms = [ " +
                              platforms + " ]; };\n})\n");
        };
        const QByteArray both = "\"x86_64-linux\" \"aarch64-linux\"";
        for (const char *sm : {"90", "89"})
            write(sm, "avx2", "-mavx2 -mfma -mf16c", "AVX2", both);
        for (const char *sm : {"90", "120"})
            write(sm, "armv8_2", "-march=armv8.2-a+fp16+dotprod", "ARMv8.2 (Graviton2)", "\"aarch64-linux\"");
        fixture.commitAll();
        const auto textOf = [&](const QString &name) {
            const auto made = askThere(fixture, GenerateRequest{.branch = {}, .names = {name}});
            const ChangedFile *file = made ? made->find(pkgsFolder + name + u".nix"_s) : nullptr;
            return file && file->after ? *file->after : QByteArray();
        };
        const QByteArray x86 = textOf(u"gadget-cuda12_9-sm80-avx2"_s);
        QVERIFY2(x86.contains("platforms = [ \"x86_64-linux\" ]"), x86.constData());
        const QByteArray arm = textOf(u"gadget-cuda12_9-sm90-armv9"_s);
        QVERIFY2(arm.contains("Graviton4+") && !arm.contains("Graviton2"), arm.constData());
    }

    // The command that prints the version of a package without Python asks nixpkgs for the package itself.
    void asksForVersion()
    {
        const ImportingFixture fixture;
        fixture.clear();
        for (const char *sm : {"80", "90"})
            fixture.write(
                pkgsFolder + u"gadget29-cuda12_9-sm%1.nix"_s.arg(QLatin1StringView(sm)),
                "{ }:\nlet\n  pinned = import (builtins.fetchTarball \"https://github.com/NixOS/nixpkgs/archive/"
                "6a030d535719c5190187c4cec156f335e95e3211.tar.gz\") { config = { allowUnfree = true; cudaSupport "
                "= true; cudaCapabilities = [ \"" +
                    QByteArray(sm).insert(1, '.') +
                    "\" ]; }; };\nin\n(pinned.gadget.override { cudaPackages = pinned.cudaPackages_12_9; "
                    "}).overrideAttrs (old: {\n  pname = \"gadget29-cuda12_9-sm" +
                    sm + "\";\n  version = \"2.9.0\";\n})\n");
        fixture.commitAll();
        const auto changes = askThere(fixture, toPin(libPin));
        QVERIFY_OK(changes);
        const QString said = changes->warnings.join(u'\n');
        QVERIFY2(said.contains(u"{}).gadget.version'"_s), qPrintable(said));
    }

    // Recipes that no template builds are carried over; what is impossible is told. The version of its
    // first line is replaced too.
    void derivesWhatNoTemplateBuilds()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const auto recipe = [](const QString &cell, const QByteArray &rest) {
            const QByteArray python = cell.first(9).toUtf8();
            return "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (builtins.fetchTarball \"https://"
                   "github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz\") { config = { "
                   "allowUnfree = true; cudaSupport = true; }; };\nin\n" +
                   QByteArray("pinned.") + python + "Packages.gadget.overridePythonAttrs (old: {\n  pname = \"gadget-" +
                   cell.toUtf8() + "\";\n" + rest + "})\n";
        };
        const QByteArray flags = "  CXXFLAGS = \"-mavx2 -mfma -mf16c\";\n  CFLAGS = \"-mavx2 -mfma -mf16c\";\n";
        const auto write = [&](const QString &cell, const QByteArray &head, const QByteArray &rest) {
            fixture.write(pkgsFolder + u"gadget-%1.nix"_s.arg(cell), head + recipe(cell, rest + flags));
        };
        write(u"python313-cpu-avx2"_s, "# Gadget 1.2.0 for CPUs\n", {});
        for (const char *sm : {"80", "90"})
            write(u"python313-cuda12_9-sm%1-avx2"_s.arg(QLatin1StringView(sm)), {},
                  "  version = \"1.2.0\";\n  buildInputs = [ pinned.cudaPackages_12_9.cudatoolkit ];\n  "
                  "env.TORCH_CUDA_ARCH"
                  "_LIST = \"" +
                      QByteArray(sm).insert(1, '.') + "\";\n");
        write(u"python312-cuda12_4-sm100-avx2"_s, {},
              "  version = \"1.2.0\";\n  buildInputs = [ pinned.cudaPackages_12_4.cudatoolkit ];\n  env.TORCH_CUDA_ARCH"
              "_LIST = \"10.0\";\n");
        fixture.commitAll();
        DeriveRequest request{.from = {}, .name = u"next"_s, .change = {.pythons = QStringList{u"python313"_s}}};
        request.change.versions = {{u"gadget"_s, u"1.3.0"_s}};
        const auto changes = askThere(fixture, request);
        QVERIFY_OK(changes);
        QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
        const QString said = changes->warnings.join(u'\n');
        QVERIFY2(said.contains(u" impossible, as on main: gadget-python313-cuda12_4-sm100-avx2."_s) &&
                     !said.contains(u" 1.2.0: "_s) && !said.contains(u"no template"_s),
                 qPrintable(said));
        request.drop = true;
        const auto dropped = askThere(fixture, request);
        QVERIFY_OK(dropped);
        QVERIFY2(!dropped->refusal, dropped->refusal ? qPrintable(dropped->refusal->sentence()) : "");
        QVERIFY(!dropped->warnings.join(u'\n').contains(u"impossible"_s));
    }

    // A toolkit that is written in lib/ is changed there, for the new branch.
    void derivesToolkit()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const QByteArray gpus = "{ \"80\" = \"8.0\"; \"90\" = \"9.0\"; }\n";
        fixture.write(pkgsFolder + u"lib/gpus.nix"_s, gpus);
        fixture.write(pkgsFolder + u"lib/make.nix"_s, makeTorch);
        const QString names[] = {u"pytorch-python313-cuda12_8-sm80-avx2"_s, u"pytorch-python313-cuda12_8-sm90-avx2"_s};
        for (const QString &name : names)
            fixture.write(pkgsFolder + name + u".nix"_s,
                          "{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make.nix { sm = \"" +
                              name.mid(29, 2).toUtf8() + "\"; }\n");
        fixture.commitAll();
        const DeriveRequest request{.from = {}, .name = u"next"_s, .change = {.cudas = QStringList{u"12.9"_s}}};
        const auto changes = askThere(fixture, request);
        QVERIFY_OK(changes);
        QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
        const ChangedFile *make = changes->find(pkgsFolder + u"lib/make.nix"_s);
        QVERIFY(make && make->isImported());
        QCOMPARE(*make->after, QByteArray(*make->before).replace("12_8", "12_9"));
        QCOMPARE(changes->chosenErrors(), QStringList());
        for (const QString &name : names) {
            const ChangedFile *file = changes->find(pkgsFolder + name + u".nix"_s);
            QVERIFY(file && file->action == ChangeAction::Rename && file->newPath.contains(u"cuda12_9"_s));
        }
    }

    // An overlay of the old Python, its name included: under that it would change what nobody takes.
    void derivesPythonOfOverlay_data()
    {
        QTest::addColumn<QByteArray>("overlay");
        QTest::addColumn<QByteArray>("change");
        const QByteArray interpreter = "python313 = prev.python313.override { packageOverrides = self: super: { ";
        const QByteArray set = "python313Packages = prev.python313Packages.override { overrides = self: super: { ";
        const QByteArray scope = "python313Packages = prev.python313Packages.overrideScope (self: super: { ";
        const QByteArray torch = "torch = super.torch.override { gpuTargets = [ capability ]; };";
        const QByteArray other = "numpy = super.numpy.overrideAttrs (o: { doCheck = false; });";
        QTest::newRow("interpreter") << interpreter << torch;
        QTest::newRow("set") << set << torch;
        QTest::newRow("scope") << scope << torch;
        QTest::newRow("interpreter, neither torch nor the package") << interpreter << other;
        QTest::newRow("set, neither torch nor the package") << set << other;
        QTest::newRow("scope, neither torch nor the package") << scope << other;
        QTest::newRow("interpreter, not read")
            << "python313 = prev.python313.override { packageOverrides = self: super: { "_ba
            << "} // super.lib.unknown // {"_ba;
    }
    void derivesPythonOfOverlay()
    {
        QFETCH(const QByteArray, overlay);
        QFETCH(const QByteArray, change);
        const ImportingFixture fixture;
        fixture.clear();
        const bool isScope = overlay.endsWith("(self: super: { ");
        fixture.write(
            pkgsFolder + u"lib/nixpkgs.nix"_s,
            "{ capability }:\nimport (builtins.fetchTarball {\n  url = \"https://github.com/NixOS/nixpkgs/archive/" +
                tablePin +
                ".tar.gz\";\n}) {\n  config = { allowUnfree = true; cudaSupport = true; };\n  overlays = [\n    "
                "(final: "
                "prev: { cudaPackages = final.cudaPackages_12_8; })\n    (final: prev: {\n      " +
                overlay + change + " }" + (isScope ? ")" : "; }") + ";\n    })\n  ];\n}\n");
        for (const QByteArray row : {"80", "90"}) {
            const QByteArray name = "gadget-python313-cuda12_8-sm" + row + "-avx2";
            fixture.write(pkgsFolder + QString::fromLatin1(name) + u".nix"_s,
                          "{ pkgs ? import <nixpkgs> { } }:\n(import ./lib/nixpkgs.nix { capability = \"" +
                              row.first(1) + '.' + row.last(1) +
                              "\"; }).python313Packages.gadget.overrideAttrs (old: {\n  pname = \"" + name +
                              "\";\n  CFLAGS = \"-mavx2 -mfma -mf16c\";\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";\n})\n");
        }
        fixture.commitAll();
        const auto changes = askThere(
            fixture, DeriveRequest{.from = {}, .name = u"next"_s, .change = {.pythons = QStringList{u"python312"_s}}});
        QVERIFY_OK(changes);
        QVERIFY2(!changes->refusal, changes->refusal ? qPrintable(changes->refusal->sentence()) : "");
        const ChangedFile *lib = changes->find(pkgsFolder + u"lib/nixpkgs.nix"_s);
        QVERIFY(lib && lib->isImported());
        QCOMPARE(*lib->after, QByteArray(*lib->before).replace("python313", "python312"));
        QCOMPARE(changes->chosenErrors(), QStringList());
    }

    // What recipes that are kept import is not mended for others into what is wrong for them.
    void derivesNothingForWhatIsKept()
    {
        const ImportingFixture fixture;
        fixture.clear();
        fixture.write(
            pkgsFolder + u"lib/make.nix"_s,
            "{ name, cuda ? null, sm ? null }:\nlet\n  other = \"" + libPin +
                "\";\n  pin = if cuda == null then other else { \"12_8\" = \"" + tablePin +
                "\"; }.${cuda} or other;\n  pinned = import (builtins.fetchTarball {\n    url = "
                "\"https://github.com/NixOS/nixpkgs/archive/${pin}.tar.gz\";\n  }) ({ config = { allowUnfree = "
                "true; cudaSupport = cuda != null; }; } // (if cuda == null then { } else {\n    overlays = [ "
                "(final: prev: { cudaPackages = final.\"cudaPackages_${cuda}\"; }) ];\n  }));\nin\n"
                "(pinned.gadget.override { cudaSupport = cuda != null; }).overrideAttrs (old: {\n  pname = "
                "name;\n  CFLAGS = \"-mavx2 -mfma -mf16c\";\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";\n  "
                "cmakeFlags = if sm == null then [ ] else [ \"-DCMAKE_CUDA_ARCHITECTURES=${sm}\" ];\n})\n");
        const auto write = [&fixture](const QByteArray &name, const QByteArray &rest) {
            fixture.write(pkgsFolder + QString::fromLatin1(name) + u".nix"_s,
                          "{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make.nix { name = \"" + name + "\"; " + rest +
                              "}\n");
        };
        for (const QByteArray sm : {"80", "86", "89", "90"})
            write("gadget-cuda12_8-sm" + sm + "-avx2", "cuda = \"12_8\"; sm = \"" + sm + "\"; ");
        write("gadget-cpu-avx2", {});
        fixture.commitAll();
        const auto changes = askThere(
            fixture, DeriveRequest{.from = {}, .name = u"next"_s, .change = {.cudas = QStringList{u"13.0"_s}}});
        QVERIFY_OK(changes);
        const ChangedFile *kept = changes->find(pkgsFolder + u"gadget-cpu-avx2.nix"_s);
        QVERIFY(kept && kept->action == ChangeAction::Keep);
        const ChangedFile *lib = changes->find(pkgsFolder + u"lib/make.nix"_s);
        QVERIFY(!lib || lib->after->contains("other = \"" + libPin + '"'));
        QVERIFY(!changes->chosenErrors().isEmpty() || changes->refusal);
    }

    // What the settings want of lib/ is planned there, once; after it there is nothing to do.
    void plansInImports()
    {
        const ImportingFixture fixture;
        const auto settings = askThere(
            fixture,
            SettingsRequest{.branch = {}, .settings = {}, .key = u"nixpkgs"_s, .value = QString::fromLatin1(libPin)});
        QVERIFY_OK(settings);
        QVERIFY_OK(applyThere(fixture, *settings));
        const auto plan = askThere(fixture, PlanRequest{});
        QVERIFY_OK(plan);
        const ChangedFile *table = plan->find(versionsTable);
        QVERIFY(table && table->chosen);
        QCOMPARE(*table->after, QByteArray(*table->before).replace(tablePin, libPin));
        QVERIFY2(table->reason.contains(u"3 recipes"_s), qPrintable(table->reason));
        for (const ChangedFile &file : plan->files)
            QVERIFY2(file.isImported() || !file.chosen, qPrintable(file.path + u": "_s + file.reason));
        QCOMPARE(plan->chosenErrors(), QStringList());
        QVERIFY_OK(applyThere(fixture, *plan));
        QCOMPARE(pinOf(fixture, u"torchvision-python313-cpu-avx2"_s), QString::fromLatin1(libPin));
        const auto again = askThere(fixture, PlanRequest{});
        QVERIFY_OK(again);
        QVERIFY(again->isEmpty());
    }

    // An error in lib/ that can be fixed there.
    void plansFixesInImports()
    {
        const ImportingFixture fixture;
        const QString isas = u"lib/tables/isa.nix"_s;
        fixture.replace(isas, "\"-mf16c\"", "\"-mavx512f\"");
        fixture.commit();
        const auto fixed = askThere(fixture, PlanRequest{});
        QVERIFY_OK(fixed);
        const ChangedFile *table = fixed->find(pkgsFolder + isas);
        QVERIFY(table && table->chosen);
        QVERIFY2(!table->after->contains("\"-mfma\" \"-mavx512f\""), table->after->constData());
        QVERIFY2(table->reason.contains(u"cpu-flags-other"_s) && table->reason.contains(u"3 recipes"_s),
                 qPrintable(table->reason));
        for (const ChangedFile &file : fixed->files)
            QVERIFY2(file.isImported() || !file.chosen, qPrintable(file.path + u": "_s + file.reason));
        QVERIFY_OK(applyThere(fixture, *fixed));
        for (const VariantEntry &entry : fixture.snapshot().entries)
            QVERIFY2(!entry.present || !entry.firstError(), qPrintable(entry.file));
    }

    // Documents that a plan makes wrong, or finds so.
    void plansDocuments()
    {
        const ImportingFixture fixture;
        const QByteArray text = "# Builds\n\nTotal: 9 variants\n\n- nixpkgs pin of `main`: `bbbbbb1`\n";
        fixture.commitFile(u"docs/MATRIX.md"_s, text);
        const auto plan = askThere(fixture, PlanRequest{});
        QVERIFY_OK(plan);
        const ChangedFile *document = plan->find(u"docs/MATRIX.md"_s);
        QVERIFY(document && document->chosen);
        // Two revisions are fetched: which one is meant is not certain.
        QCOMPARE(*document->after, QByteArray(text).replace("9 variants", "4 variants"));
        QVERIFY2(document->reason.contains(u"3"_s), qPrintable(document->reason));
        QVERIFY(std::ranges::any_of(plan->warnings, [](const QString &warning) {
            return warning.startsWith(u"docs/MATRIX.md"_s) && warning.contains(u"bbbbbb1"_s);
        }));
        QVERIFY_OK(applyThere(fixture, *plan));
        QCOMPARE(fixture.read(u"docs/MATRIX.md"_s), *document->after);
        // A migration takes along what it makes wrong.
        fixture.commitFile(u"docs/MATRIX.md"_s, "nixpkgs: https://github.com/NixOS/nixpkgs/tree/" + tablePin13 + "\n");
        fixture.git({u"rm"_s, u"--quiet"_s, pkgsFolder + u"torchvision-python313-cpu-avx2.nix"_s,
                     pkgsFolder + u"torchvision-python313-cuda12_8-sm90-avx512.nix"_s,
                     pkgsFolder + u"pytorch-python313-cuda12_8-sm90-avx2.nix"_s});
        fixture.commit();
        const auto moved = askThere(fixture, toPin(libPin));
        QVERIFY_OK(moved);
        const ChangedFile *pin = moved->find(u"docs/MATRIX.md"_s);
        QVERIFY(pin && pin->chosen);
        QCOMPARE(*pin->after, "nixpkgs: https://github.com/NixOS/nixpkgs/tree/" + libPin + "\n");
    }

    // Recipes in folders have no cells: what a document counts may be all of them.
    void countsNoPartOfTheRecipes()
    {
        const ImportingFixture fixture;
        const QString readme = u"README.md"_s;
        fixture.commitFile(readme, "# Builds\n\nTotal: 9 variants\n");
        fixture.commitFile(pkgsFolder + u"tools/hello.nix"_s, "{ hello }: hello\n");
        QVERIFY(askThere(fixture, PlanRequest{})->find(readme));
        fixture.commitFile(pkgsFolder + u"hpc/gadget-cuda12_9-sm80-avx2.nix"_s, "{ hello }: hello\n");
        const auto plan = askThere(fixture, PlanRequest{});
        QVERIFY(!plan || !plan->find(readme));
    }

    // The number of recipes that a document states is that after the change: of what is chosen of a plan, of what is
    // generated, of a branch that is derived. What somebody edits is not written, and that is said.
    void countsInDocumentsFollow()
    {
        const ImportingFixture fixture;
        fixture.clear();
        const QString readme = u"README.md"_s;
        fixture.write(readme, "# Builds\n\nTotal: 3 variants\n");
        fixture.write(pkgsFolder + u"lib/make.nix"_s, QByteArray(makeTorch).replace("12_8", "12_9"));
        fixture.write(pkgsFolder + u"lib/gpus.nix"_s,
                      "{\n  \"61\" = \"6.1\"; \"80\" = \"8.0\"; \"89\" = \"8.9\"; \"90\" = \"9.0\";\n}\n");
        const auto nameOf = [](const QByteArray &sm) {
            return u"pytorch-python313-cuda12_9-sm%1-avx2"_s.arg(QString::fromLatin1(sm));
        };
        for (const QByteArray &sm : {"61"_ba, "80"_ba, "90"_ba})
            fixture.write(pkgsFolder + nameOf(sm) + u".nix"_s,
                          "{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make.nix { sm = \"" + sm + "\"; }\n");
        fixture.commitAll();
        const auto countAfter = [&](const Result<ChangeSet> &changes) {
            const ChangedFile *file = changes ? changes->find(readme) : nullptr;
            const QByteArray text = file && file->chosen ? file->after.value_or(QByteArray()) : QByteArray();
            return text.mid(text.indexOf("Total: ") + 7, 1);
        };
        const GenerateRequest generate{.branch = {}, .names = {nameOf("89")}, .until = ChangeSet::Until::Commit};
        QCOMPARE(countAfter(askThere(fixture, generate)), "4"_ba);
        const DeriveRequest derive{
            .from = {}, .name = u"next"_s, .change = {.cudas = QStringList{u"13.0"_s}}, .drop = true};
        const auto derived = askThere(fixture, derive);
        QCOMPARE(countAfter(derived), "2"_ba);
        QVERIFY_OK(applyThere(fixture, *derived));
        QVERIFY(fixture.git({u"show"_s, u"next:README.md"_s}).contains("Total: 2 variants"));
        // The settings list fewer, and more.
        Settings settings = fixture.snapshot().settings;
        for (Profile &profile : settings.profiles) {
            profile.cells.removeIf([](const GridCell &cell) { return cell.row == "sm80"_L1; });
            profile.cells.append({u"sm89"_s, u"avx2"_s, {}});
        }
        fixture.write(settingsFileName, writeSettingsFile(settings, *builtInCatalog()));
        fixture.commitAll();
        const PlanRequest nothing{.named = QStringList()};
        QCOMPARE(countAfter(askThere(fixture, nothing)), "4"_ba);
        PlanRequest deleting = nothing;
        deleting.deletes = true;
        QVERIFY(countAfter(askThere(fixture, deleting)).isEmpty()); // one comes and one goes
        const PlanRequest one{.named = QStringList{nameOf("80")}};
        QCOMPARE(countAfter(askThere(fixture, one)), "2"_ba);
        fixture.write(readme, "# Builds\n\nTotal: 3 variants\n\nMine.\n");
        const auto dirty = askThere(fixture, one);
        QVERIFY(countAfter(dirty).isEmpty());
        QVERIFY2(
            dirty->warnings.join(u' ').contains("README.md has uncommitted changes and is not written. Line 3: "_L1),
            qPrintable(dirty->warnings.join(u' ')));
        // A deletion and a recipe that are not committed are not in the commit.
        fixture.git({u"reset"_s, u"--quiet"_s, u"--hard"_s});
        QVERIFY(QFile::remove(fixture.path() + u'/' + pkgsFolder + nameOf("61") + u".nix"_s));
        fixture.write(pkgsFolder + nameOf("89") + u".nix"_s,
                      "{ pkgs ? import <nixpkgs> { } }:\n# Mine.\nimport ./lib/make.nix { sm = \"89\"; }\n");
        fixture.git({u"add"_s, u"-N"_s, u"."_s});
        QVERIFY(countAfter(askThere(fixture, nothing)).isEmpty());
        QCOMPARE(countAfter(askThere(fixture, one)), "2"_ba);
    }

    // A wrapper goes to a branch without its builder, which goes along; where both have one, what it makes counts.
    void copiesImports()
    {
        const ImportingFixture fixture;
        const QString name = u"torchvision-python313-cuda12_8-sm90-avx512"_s;
        const QString gpus = u"lib/tables/gpu.nix"_s;
        const CopyRequest request{.from = u"main"_s, .to = u"other"_s, .names = {name}};
        fixture.git({u"checkout"_s, u"--quiet"_s, u"-b"_s, u"other"_s});
        fixture.git({u"rm"_s, u"--quiet"_s, pkgsFolder + name + u".nix"_s, pkgsFolder + u"lib/fixups.nix"_s});
        fixture.replace(gpus, "\"120\" =", "# Blackwell\n  \"120\" =");
        fixture.commit();
        fixture.git({u"checkout"_s, u"--quiet"_s, u"main"_s});
        const auto changes = askThere(fixture, request);
        QVERIFY_OK(changes);
        const ChangedFile *fixups = changes->find(pkgsFolder + u"lib/fixups.nix"_s);
        QVERIFY(fixups && fixups->action == ChangeAction::Create);
        QVERIFY(!changes->find(pkgsFolder + gpus));
        QVERIFY_OK(applyThere(fixture, *changes));
        QCOMPARE(fixture.entry(name, u"other"_s).facts->failures.size(), 0);
        QCOMPARE(pinOf(fixture, name), QString::fromLatin1(tablePin));

        fixture.git({u"checkout"_s, u"--quiet"_s, u"other"_s});
        fixture.git({u"rm"_s, u"--quiet"_s, pkgsFolder + name + u".nix"_s});
        fixture.replace(gpus, "\"9.0\"", "\"9.0a\"");
        fixture.commit();
        fixture.git({u"checkout"_s, u"--quiet"_s, u"main"_s});
        QVERIFY_ERROR(askThere(fixture, request), u"lib/tables/gpu.nix"_s);
        QVERIFY_ERROR(askThere(fixture, request), u"line 4"_s);

        // A table there that lacks the row.
        fixture.git({u"checkout"_s, u"--quiet"_s, u"other"_s});
        fixture.replace(gpus, "  \"90\" = { capability = \"9.0a\"; products = \"H100, H200\"; };\n", "");
        fixture.commit();
        fixture.git({u"checkout"_s, u"--quiet"_s, u"main"_s});
        QVERIFY_ERROR(askThere(fixture, request), u"lib/tables/gpu.nix"_s);
    }

    // A version in JSON or TOML stays as it is: the line is named, by migrate and by derive.
    void namesTheLineOfAVersionInData()
    {
        for (const QString &file : {u"lib/releases.toml"_s, u"lib/releases.json"_s}) {
            const ImportingFixture fixture;
            fixture.clear();
            const bool isToml = file.endsWith("toml"_L1);
            fixture.write(pkgsFolder + file, isToml
                                                 ? "pin = 1\n\n[gadget]\nversion = \"0.8.1\"\n"
                                                 : "{\n  \"pin\": 1,\n  \"gadget\": {\n\"version\": \"0.8.1\" } }\n");
            fixture.write(pkgsFolder + u"lib/make.nix"_s,
                          QByteArray("{ sm }:\nlet\n  pkgs = import (fetchTarball "
                                     "\"https://github.com/NixOS/nixpkgs/archive/") +
                              tablePin + ".tar.gz\") { config.cudaSupport = true; };\n  releases = builtins.from" +
                              (isToml ? "TOML" : "JSON") + " (builtins.readFile ./" + file.section(u'/', 1).toUtf8() +
                              ");\nin\npkgs.python313Packages.gadget.overrideAttrs (old: {\n  pname = "
                              "\"gadget08-python313-cuda12_8-sm${sm}-avx2\";\n  version = "
                              "releases.gadget.version;\n})\n");
            for (const QByteArray sm : {"80", "90"})
                fixture.write(pkgsFolder + u"gadget08-python313-cuda12_8-sm%1-avx2.nix"_s.arg(QString::fromLatin1(sm)),
                              "{ }:\nimport ./lib/make.nix { sm = \"" + sm + "\"; }\n");
            fixture.commitAll();
            for (const ChangeRequest &request : migratedAndDerived(
                     {.branch = {}, .change = {.versions = {{u"gadget08"_s, u"0.8.2"_s}}}, .inPlace = true})) {
                const auto changes = askThere(fixture, request);
                const QString sentence = !changes           ? changes.error().sentence()
                                         : changes->refusal ? changes->refusal->sentence()
                                                            : QString();
                QVERIFY2(sentence.contains(file + u":4"_s) && sentence.contains(u"0.8.2"_s), qPrintable(sentence));
            }
        }
    }

    // To a branch without recipes goes what the recipe is and imports, of a family without Python and in a folder too.
    void copiesToABranchWithoutRecipes()
    {
        const ImportingFixture fixture;
        fixture.clear();
        fixture.write(u"README.md"_s, "Nothing yet.\n");
        fixture.commitAll();
        fixture.git({u"branch"_s, u"empty"_s});
        const QStringList names{u"gadget-cuda12_8-sm90-avx2"_s, u"gadget-cpu-avx2"_s,
                                u"widget-python313-cuda12_8-sm90-avx2"_s, u"widget-python312-cuda12_9-sm80-avx2"_s};
        for (const QString &name : names) {
            const bool isFolder = name.startsWith("widget"_L1);
            const QByteArray text = "{ hello }:\nimport " +
                                    QByteArray(isFolder ? "../lib/tool.nix" : "./lib/tool.nix") +
                                    " { inherit hello; pname = \"" + name.toUtf8() + "\"; }\n";
            fixture.write(pkgsFolder + name + (isFolder ? u"/default.nix"_s : u".nix"_s), text);
        }
        fixture.write(pkgsFolder + u"lib/tool.nix"_s,
                      "{ hello, pname }: hello.overrideAttrs (old: { inherit pname; } // builtins.fromJSON "
                      "(builtins.readFile ./tool.json))\n");
        fixture.write(pkgsFolder + u"lib/tool.json"_s, "{ \"doCheck\": false }\n");
        fixture.commitAll();
        auto changes = askThere(fixture, CopyRequest{.from = u"main"_s, .to = u"empty"_s, .names = names});
        QVERIFY_OK(changes);
        changes->forced = true; // They are no good recipes.
        QVERIFY_OK(applyThere(fixture, *changes));
        QCOMPARE(fixture.git({u"diff"_s, u"--stat"_s, u"main"_s, u"empty"_s}), QByteArray());
        // A family without Python has no Python to choose.
        fixture.git({u"checkout"_s, u"--quiet"_s, u"empty"_s});
        fixture.git({u"rm"_s, u"--quiet"_s, u"-r"_s, pkgsFolder + names.at(0) + u".nix"_s});
        fixture.commit();
        fixture.git({u"checkout"_s, u"--quiet"_s, u"main"_s});
        QVERIFY_OK(askThere(fixture, CopyRequest{.from = u"main"_s, .to = u"empty"_s, .names = names.first(1)}));
    }

    // A change of lib/ is checked in every recipe that it reaches.
    void checksWhatFollows()
    {
        const ImportingFixture fixture;
        auto changes = askThere(fixture, toPin(libPin));
        QVERIFY_OK(changes);
        for (ChangedFile &file : changes->files) {
            if (file.path == versionsTable)
                file.after = "{ }\n";
        }
        const BranchSnapshot snapshot = fixture.snapshot();
        check(fixture.reader.recipes(), *changes, snapshot.settings, textsByName(snapshot), snapshot.files);
        QVERIFY(!changes->chosenErrors().isEmpty());
    }
};

TM_TEST(TestLibrary, QCoreApplication)
#include "tst_library.moc"
