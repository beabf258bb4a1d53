// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// What the name of a new recipe promises comes true, or the recipe is refused: families with their values in the
// wrapper, in a table or in the builder, under new names. Real Nix judges, over a nixpkgs that only tells what it is
// asked for.
#include "model/base/RepositoryPaths.h"
#include "model/catalog/VariantName.h"
#include "model/change/Change.h"
#include "model/change/Generate.h"
#include "model/change/Repair.h"
#include "model/snapshot/SnapshotReader.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/EvaluatedRecipes.h"
#include "tests/support/GitFixture.h"
#include "tests/support/Results.h"
#include "tests/support/Rounds.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString packages = u".flox/pkgs/"_s;
const QByteArray promisedPin(40, '7');

/// Where a value is written.
enum class Place { Wrapper, Table, Builder };
enum Axis { PythonAxis, ToolkitAxis, RowAxis, IsaAxis, VersionAxis, axes };

/// How the names of a family become values.
struct Shape {
    std::array<Place, axes> places;
    int notation = 0;            ///< of wrappers
    bool standardPython = false; ///< a builder with python3Packages

    static Shape random(QRandomGenerator &dice)
    {
        Shape shape;
        for (Place &place : shape.places)
            place = Place(dice.bounded(3));
        shape.notation = int(dice.bounded(3));
        shape.standardPython = dice.bounded(2) == 0;
        return shape;
    }
    [[nodiscard]] bool isInBuilder(Axis axis) const { return places[axis] == Place::Builder; }
};

struct Gadget {
    QString word; ///< "gadgetab"
    Shape shape;
    [[nodiscard]] QString folder() const { return packages + u"lib/"_s + word + u'/'; }
};

QByteArray flagsFor(const QString &isa)
{
    QByteArray list = "[ ";
    for (const QString &flag : builtInCatalog()->isa(isa)->flags)
        list += '"' + flag.toUtf8() + "\" ";
    return list + "]";
}

/// The wrapper of a variant.
QByteArray wrapper(const Gadget &family, const Variant &variant)
{
    const auto pick = [&family](const QByteArray &a, const QByteArray &b, const QByteArray &c) {
        return family.shape.notation == 0 ? a : family.shape.notation == 1 ? b : c;
    };
    const QByteArray number = variant.python.sliced(6).toUtf8();
    const QByteArray toolkit = QString(variant.cuda).replace(u'.', u'_').toUtf8();
    const QByteArray row = variant.row.sliced(2).toUtf8();
    QByteArray arguments;
    const auto add = [&](Axis axis, const QByteArray &name, const QByteArray &value) {
        if (!family.shape.isInBuilder(axis))
            arguments += ' ' + name + " = " + value + ';';
    };
    const bool direct = family.shape.places[PythonAxis] == Place::Wrapper;
    add(PythonAxis, "python",
        direct ? pick("\"" + number + "\"", "\"python" + number + "Packages\"", "\"python" + number + "\"")
               : "\"" + number + "\"");
    add(ToolkitAxis, "toolkit",
        family.shape.places[ToolkitAxis] == Place::Wrapper
            ? pick("\"" + toolkit + "\"", "\"cudaPackages_" + toolkit + "\"", "\"" + variant.cuda.toUtf8() + "\"")
            : "\"" + toolkit + "\"");
    add(RowAxis, "sm", pick("\"" + row + "\"", "\"sm" + row + "\"", "\"" + row + "\""));
    add(IsaAxis, "isa",
        family.shape.places[IsaAxis] == Place::Wrapper ? flagsFor(variant.isa) : "\"" + variant.isa.toUtf8() + "\"");
    add(VersionAxis, "version", "\"" + FamilyName::of(variant.family).release({}).toUtf8() + "\"");
    return "# " + variant.row.toUpper().toUtf8() + "\n{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/" +
           family.word.toUtf8() + "/make.nix {" + arguments + " }\n";
}

QByteArray builder(const Gadget &family)
{
    const Shape &shape = family.shape;
    QByteArray names;
    for (const auto &[axis, name] : {std::pair(PythonAxis, "python"),
                                     {ToolkitAxis, "toolkit"},
                                     {RowAxis, "sm"},
                                     {IsaAxis, "isa"},
                                     {VersionAxis, "version"}}) {
        if (!shape.isInBuilder(axis))
            names += (names.isEmpty() ? " " : ", ") + QByteArray(name);
    }
    const auto expression = [&shape](Axis axis, const QByteArray &direct, const QByteArray &table,
                                     const QByteArray &fixed) {
        return shape.places[axis] == Place::Wrapper ? direct : shape.places[axis] == Place::Table ? table : fixed;
    };
    const auto pick = [&shape](const QByteArray &a, const QByteArray &b, const QByteArray &c) {
        return shape.notation == 0 ? a : shape.notation == 1 ? b : c;
    };
    const QByteArray number = shape.notation == 1 ? "builtins.replaceStrings [ \"sm\" ] [ \"\" ] sm" : "sm";
    return "{" + names + " }:\nlet\n  set = " +
           expression(PythonAxis, pick("\"python${python}Packages\"", "python", "\"${python}Packages\""),
                      "(import ./pythons.nix).${python}.set",
                      shape.standardPython ? "\"python3Packages\"" : "\"python313Packages\"") +
           ";\n  cuda = " +
           expression(ToolkitAxis,
                      pick("\"cudaPackages_${toolkit}\"", "toolkit",
                           "\"cudaPackages_\" + builtins.replaceStrings [ \".\" ] [ \"_\" ] toolkit"),
                      "(import ./toolkits.nix).${toolkit}.overlay", "\"cudaPackages_12_8\"") +
           ";\n  number = " + (shape.isInBuilder(RowAxis) ? QByteArray("\"90\"") : number) +
           ";\n  target = " + expression(RowAxis, "number", "(import ./rows.nix).${number}.arch", "number") +
           ";\n  flags = " + expression(IsaAxis, "isa", "(import ./isas.nix).${isa}.flags", flagsFor(u"avx2"_s)) +
           ";\n  release = " +
           expression(VersionAxis, "\"${version}.0\"", "(import ./versions.nix).${version}.full", "\"0.26.0\"") +
           ";\n  nixpkgs = import (fetchTarball {\n    url = \"https://github.com/NixOS/nixpkgs/archive/" +
           promisedPin +
           ".tar.gz\";\n  }) {\n    config = { allowUnfree = true; cudaSupport = true; };\n"
           "    overlays = [ (final: prev: { cudaPackages = final.${cuda}; }) ];\n  };\nin\n"
           "nixpkgs.${set}." +
           family.word.toUtf8() +
           ".overrideAttrs (old: {\n  version = release;\n"
           "  cmakeFlags = [ \"-DCMAKE_CUDA_ARCHITECTURES=${target}\" ];\n"
           "  preConfigure = ''\n    export CXXFLAGS=\"${nixpkgs.lib.concatStringsSep \" \" flags} $CXXFLAGS\"\n"
           "    export CFLAGS=\"${nixpkgs.lib.concatStringsSep \" \" flags} $CFLAGS\"\n  '';\n})\n";
}

const QByteArray tables[][2] = {
    {"pythons", "{\n  \"311\" = { set = \"python311Packages\"; };\n  \"313\" = { set = \"python313Packages\"; };\n}\n"},
    {"toolkits",
     "{\n  \"12_6\" = { overlay = \"cudaPackages_12_6\"; };\n  \"12_8\" = { overlay = \"cudaPackages_12_8\"; };\n}\n"},
    {"rows", "{\n  \"80\" = { arch = \"80\"; };\n  \"86\" = { arch = \"86\"; };\n  \"90\" = { arch = \"90\"; };\n}\n"},
    {"versions", "{\n  \"0.25\" = { full = \"0.25.1\"; };\n  \"0.26\" = { full = \"0.26.0\"; };\n}\n"},
};

/// What Nix says about a recipe: PythonAxis, toolkit, target, flags, version.
const QByteArray judge = R"(
let
  make = py: final: {
    __toString = self: py;
  } // builtins.listToAttrs (map (name: { inherit name; value = {
    overrideAttrs = f: { python = py; toolkit = final.cudaPackages; } // f { };
  }; }) words);
  nixpkgs = { config ? { }, overlays ? [ ], ... }: let
    base = final: {
      lib.concatStringsSep = builtins.concatStringsSep;
      cudaPackages = "none";
      python3Packages = make "3.13" final; python311Packages = make "3.11" final;
      python312Packages = make "3.12" final; python313Packages = make "3.13" final;
    } // builtins.listToAttrs (map (v: { name = "cudaPackages_${v}"; value = v; }) [ "12_4" "12_6" "12_8" "12_9" "13_0" ]);
    final = builtins.foldl' (prev: layer: prev // layer final prev) (base final) overlays;
  in final;
  scope = {
    fetchTarball = _: "nixpkgs";
    import = path: if path == "nixpkgs" then nixpkgs else builtins.scopedImport scope path;
  };
  ask = file: let d = builtins.scopedImport scope file { pkgs = { }; };
    in [ d.python d.toolkit (toString d.cmakeFlags) d.preConfigure d.version ];
in map (file: let r = builtins.tryEval (builtins.deepSeq (ask file) (ask file)); in if r.success then r.value else [ ]) files
)";

struct Made {
    QString name;
    QString file;
};

void commitAll(const test::GitFixture &fixture)
{
    fixture.git({u"add"_s, u"--all"_s, u"--force"_s});
    fixture.git({u"commit"_s, u"--quiet"_s, u"-m"_s, u"Add recipes"_s});
}

class Families
{
public:
    explicit Families(int count)
    {
        QRandomGenerator dice(20261126);
        for (int i = 0; i < count; ++i)
            families.append({u"gadget"_s + QChar(u'a' + i / 26) + QChar(u'a' + i % 26), Shape::random(dice)});
        for (const Gadget &family : std::as_const(families)) {
            fixture.write(family.folder() + u"make.nix"_s, builder(family));
            for (const auto &[name, text] : tables)
                fixture.write(family.folder() + QString::fromUtf8(name) + u".nix"_s, text);
            fixture.write(family.folder() + u"isas.nix"_s,
                          "{\n  avx2 = { flags = " + flagsFor(u"avx2"_s) +
                              "; };\n  avx512bf16 = { flags = " + flagsFor(u"avx512bf16"_s) + "; };\n}\n");
            add(family, {{}, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s});
            if (!family.shape.isInBuilder(RowAxis))
                add(family, {{}, u"python313"_s, u"12.8"_s, u"sm80"_s, u"avx2"_s});
        }
        // A family with another toolkit, so that the settings have it.
        Gadget other{u"gadget"_s, {}};
        fixture.write(other.folder() + u"make.nix"_s, builder(other));
        for (const QString &toolkit : {u"12.8"_s, u"12.9"_s})
            add(other, {{}, u"python313"_s, toolkit, u"sm90"_s, u"avx2"_s});
        commitAll(fixture);
    }

    static QString nameOf(const Gadget &family, Variant variant)
    {
        if (variant.family.isEmpty())
            variant.family = u"026"_s;
        variant.family = family.word + variant.family;
        return variant.name();
    }

    /// Writes what a change makes, to be judged.
    void keep(const Gadget &family, const QString &name, const QByteArray &text,
              const QMap<QString, QByteArray> &changed)
    {
        const QString root = m_out.filePath(QString::number(made.size())) + u'/';
        const QString lib = u"lib/"_s + family.word + u'/';
        for (const QString &file : {u"make"_s, u"pythons"_s, u"toolkits"_s, u"rows"_s, u"isas"_s, u"versions"_s}) {
            const QString path = packages + lib + file + u".nix"_s;
            tmx::test::putFile(root + lib + file + u".nix"_s, changed.value(path, fixture.read(path)));
        }
        tmx::test::putFile(root + name + u".nix"_s, text);
        made.append({name, root + name + u".nix"_s});
    }

    /// Fails for each recipe that is not what its name says.
    void verify() const
    {
        QByteArray words, files;
        for (const Gadget &family : families)
            words += '"' + family.word.toUtf8() + "\" ";
        for (const Made &one : made)
            files += one.file.toUtf8() + ' ';
        const QString file = m_out.filePath(u"judge.nix"_s);
        tmx::test::putFile(file, "let words = [ " + words + "]; files = [ " + files + "]; in" + judge);
        const QJsonArray all = QJsonDocument::fromJson(runNix({u"--eval"_s, u"--strict"_s, u"--json"_s, file})).array();
        QCOMPARE(all.size(), made.size());
        for (qsizetype i = 0; i < made.size(); ++i) {
            const QStringList said = all.at(i).toVariant().toStringList();
            const QString name = made.at(i).name;
            const Variant variant = VariantName::parse(name, builtInCatalog()->isaIds())->variant;
            const QByteArray where = name.toUtf8() + ": " + said.join(u" | "_s).toUtf8() + "\n" + shapeOf(name);
            QVERIFY2(said.size() == 5, where);
            QVERIFY2(said.at(0) == pythonVersion(variant.python), where);
            QVERIFY2(said.at(1) == QString(variant.cuda).replace(u'.', u'_'), where);
            QVERIFY2(said.at(2).endsWith(u'=' + variant.row.sliced(2)), where);
            QVERIFY2(said.at(3).contains(u'"' + builtInCatalog()->isa(variant.isa)->flags.join(u' ') + u' '), where);
            QVERIFY2(said.at(4).startsWith(FamilyName::of(variant.family).release({}) + u'.'), where);
        }
    }

    [[nodiscard]] QByteArray shapeOf(const QString &name) const
    {
        for (const Gadget &family : families) {
            if (name.startsWith(family.word + u'0'))
                return builder(family);
        }
        return {};
    }

    test::GitFixture fixture;
    SnapshotReader reader{builtInCatalog()};
    QList<Gadget> families;
    QList<Made> made;

private:
    void add(const Gadget &family, const Variant &variant)
    {
        Variant whole = variant;
        whole.family = family.word + u"026"_s;
        fixture.write(packages + whole.name() + u".nix"_s, wrapper(family, whole));
    }

    QTemporaryDir m_out;
};

} // namespace

class TestPromises : public QObject
{
    Q_OBJECT

private slots:
    // A new row, instruction set, toolkit, Python or version, like a recipe of the family and printed too.
    void generated()
    {
        Families all(test::rounds(32));
        const struct {
            Axis axis;
            Variant variant;
            bool inTable; ///< the tables have it, or the catalog tells its entry
        } wanted[] = {
            {RowAxis, {{}, u"python313"_s, u"12.8"_s, u"sm86"_s, u"avx2"_s}, true},
            {RowAxis, {{}, u"python313"_s, u"12.8"_s, u"sm100"_s, u"avx2"_s}, true},
            {IsaAxis, {{}, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512bf16"_s}, true},
            {IsaAxis, {{}, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512"_s}, true},
            {ToolkitAxis, {{}, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s}, true},
            {PythonAxis, {{}, u"python311"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s}, true},
            {PythonAxis, {{}, u"python312"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s}, false},
            {VersionAxis, {u"025"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s}, true},
            {VersionAxis, {u"027"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s}, false},
        };
        const auto read = all.reader.read(all.fixture.path(), {}, {});
        QVERIFY_OK(read);
        for (const Gadget &family : std::as_const(all.families)) {
            const QString like = Families::nameOf(family, {{}, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s});
            for (const auto &[axis, variant, inTable] : wanted) {
                const QString name = Families::nameOf(family, variant);
                const auto texts = renderRecipes(all.reader.recipes(), *read->snapshot, {name}, like);
                const Result<QList<ChangeSet>> sets = prepare(
                    all.reader, all.fixture.path(), GenerateRequest{.branch = {}, .names = {name}, .like = like});
                const QByteArray why = !sets    ? sets.error().sentence().toUtf8()
                                       : !texts ? texts.error().sentence().toUtf8()
                                                : QByteArray();
                const bool isMade = sets && !sets->constFirst().isEmpty();
                QVERIFY2(isMade == texts.ok(), name.toUtf8() + ": " + why);
                // A place is named, and what comes from the wrapper is made. Flags that it lists are the builder's own.
                if (!isMade) {
                    const bool isList = axis == IsaAxis && family.shape.places[axis] == Place::Wrapper;
                    const QByteArray told = name.toUtf8() + ": " + why + builder(family);
                    QVERIFY2(family.shape.places[axis] != Place::Wrapper || isList, told);
                    QVERIFY2(!inTable || family.shape.isInBuilder(axis) || isList, told);
                    QVERIFY2(why.contains(".nix:") || why.contains("line ") || why.contains("states"), told);
                    continue;
                }
                QMap<QString, QByteArray> changed;
                for (const ChangedFile &file : sets->constFirst().files) {
                    if (file.isImported() && file.after)
                        changed.insert(file.path, *file.after);
                }
                all.keep(family, name, texts->constFirst().second, changed);
            }
        }
        QVERIFY(all.made.size() > 3 * all.families.size());
        all.verify();
    }

    // A builder that gets the recipe's own path and takes its name apart. Its table gets what the catalog knows; what
    // its pattern does not match is refused with the place.
    void takenApartByName()
    {
        test::GitFixture fixture;
        fixture.write(packages + u"lib/rows.nix"_s, "{\n  sm80 = \"8.0\";\n  sm90 = \"9.0\";\n}\n");
        fixture.write(packages + u"lib/from-name.nix"_s,
                      "file:\nlet\n  name = builtins.replaceStrings [ \".nix\" ] [ \"\" ] (baseNameOf file);\n"
                      "  parts = builtins.match \"gadget-(python[0-9]+)-cuda([0-9]+_[0-9]+)-(sm[0-9]+)\" name;\n"
                      "  part = builtins.elemAt parts;\n"
                      "  nixpkgs = import (fetchTarball \"https://github.com/NixOS/nixpkgs/archive/" +
                          promisedPin +
                          ".tar.gz\") {\n    config = { cudaSupport = true; cudaCapabilities = [ "
                          "(import ./rows.nix).${part 2} ]; };\n    overlays = [ (final: prev: { cudaPackages = "
                          "final.\"cudaPackages_${part 1}\"; }) ];\n  };\nin\n"
                          "nixpkgs.\"${part 0}Packages\".gadget.overrideAttrs (old: { pname = name; })\n");
        const auto wrapperOf = [](const QString &name) -> QByteArray {
            return "{ }:\nimport ./lib/from-name.nix ./" + name.toUtf8() + ".nix\n";
        };
        for (const QString &row : {u"sm80"_s, u"sm90"_s}) {
            const QString name = u"gadget-python313-cuda12_8-"_s + row;
            fixture.write(packages + name + u".nix"_s, wrapperOf(name));
        }
        commitAll(fixture);
        const SnapshotReader reader(builtInCatalog());
        const auto read = reader.read(fixture.path(), {}, {});
        QVERIFY_OK(read);
        QStringList told;
        const QString turing = u"gadget-python313-cuda12_8-sm75"_s;
        const auto made = renderRecipes(reader.recipes(), *read->snapshot, {turing}, {}, &told, nullptr);
        QVERIFY_OK(made);
        QCOMPARE(made->constFirst().second, wrapperOf(turing));
        QVERIFY2(told.join(u' ').contains("lib/rows.nix"_L1), qPrintable(told.join(u' ')));
        const auto all = renderRecipes(reader.recipes(), *read->snapshot, {u"gadget-python313-cuda12_8-all"_s}, {},
                                       nullptr, nullptr);
        QVERIFY(!all);
        QVERIFY2(all.error().why.contains("lib/from-name.nix:"_L1), qPrintable(all.error().why));
        // Its comments are not part of what is built.
        const VariantEntry &entry = *read->snapshot->find(u"gadget-python313-cuda12_8-sm90"_s);
        const auto with =
            read->snapshot->files->with({{packages + u"lib/from-name.nix"_s,
                                          "# Other words.\n" + fixture.read(packages + u"lib/from-name.nix"_s)}});
        const auto before = reader.recipes().meaning(entry.source());
        QVERIFY(before->isKnown());
        QCOMPARE(reader.recipes().meaning(with->source(entry.file, entry.text))->exact, before->exact);
    }

    // Recipes that select no toolkit are no model of one for another toolkit: the built-in template has it. It says
    // why.
    void recipesWithoutToolkit()
    {
        test::GitFixture fixture;
        const auto recipeOf = [](const QString &row, const QByteArray &capability) -> QByteArray {
            return "{ pkgs ? import <nixpkgs> { } }:\nlet\n  nixpkgs = import (fetchTarball "
                   "\"https://github.com/NixOS/nixpkgs/archive/" +
                   promisedPin + ".tar.gz\") { config = { allowUnfree = true; cudaSupport = true; }; };\n  flags = " +
                   flagsFor(u"avx2"_s) + ";\nin\n(nixpkgs.python313Packages.torch.override { gpuTargets = [ \"" +
                   capability + "\" ]; }).overrideAttrs (old: {\n  pname = \"pytorch-python313-cuda12_8-" +
                   row.toUtf8() +
                   "-avx2\";\n  preConfigure = ''\n    export CXXFLAGS=\"${toString flags} $CXXFLAGS\"\n    export "
                   "CFLAGS=\"${toString flags} $CFLAGS\"\n  '';\n})\n";
        };
        for (const auto &[row, capability] : {std::pair(u"sm80"_s, "8.0"), {u"sm86"_s, "8.6"}, {u"sm90"_s, "9.0"}})
            fixture.write(packages + u"pytorch-python313-cuda12_8-%1-avx2.nix"_s.arg(row), recipeOf(row, capability));
        fixture.write(
            settingsFileName,
            "families = [\"pytorch\"]\npythons = [\"python313\"]\nnixpkgs = \"" + promisedPin +
                "\"\ngpu_templates = [\"pytorch/learned\"]\n[versions]\npytorch = \"2.9.1\"\n[[cuda]]\nversion = "
                "\"12.8\"\n[[cuda]]\nversion = \"12.9\"\n[[coverage]]\nrows = [\"sm80\", \"sm86\", "
                "\"sm90\"]\nisas = [\"avx2\"]\n");
        commitAll(fixture);
        const SnapshotReader reader(builtInCatalog());
        const auto plan = prepare(reader, fixture.path(), PlanRequest{.branch = {}});
        QVERIFY_OK(plan);
        QStringList reasons;
        for (const ChangedFile &file : plan->constFirst().files) {
            if (file.action != ChangeAction::Create)
                continue;
            QVERIFY2(file.chosen && file.after->contains("cudaPackages_12_9"), qPrintable(file.reason));
            reasons.append(file.reason);
        }
        QCOMPARE(reasons.size(), 3);
        QCOMPARE(reasons.removeDuplicates(), 2);
        QVERIFY2(reasons.constFirst().contains("built-in"_L1), qPrintable(reasons.constFirst()));
        const auto one = prepare(reader, fixture.path(),
                                 GenerateRequest{.branch = {}, .names = {u"pytorch-python313-cuda12_9-sm86-avx2"_s}});
        QVERIFY_OK(one);
        QVERIFY(one->constFirst().warnings.join(u' ').contains("built-in"_L1));
    }

    // A toolkit's own nixpkgs comes into the table that selects it, for new recipes and for those that are there, and
    // the others keep theirs; where no table selects it, the recipe is refused with the place. Where the settings have
    // none, the table that lacks it is named.
    void pinsOfToolkits()
    {
        const QByteArray a(40, 'a'), b(40, 'b'), c(40, 'c');
        const QByteArray over = "  over = {\n    \"12_9\" = \"" + b + "\";\n  };\n";
        const QString own = u"gadget-python313-cuda13_0-sm90-avx2"_s;
        for (const bool selects : {true, false}) {
            for (const bool isThere : {true, false}) {
                test::GitFixture fixture;
                const QString table = packages + u"lib/pins.nix"_s;
                fixture.write(table, "{\n  all = \"" + a + "\";\n" + over + "}\n");
                fixture.write(
                    packages + u"lib/make.nix"_s,
                    "{ toolkit, sm }:\nlet\n  pins = import ./pins.nix;\n  nixpkgs = import (fetchTarball "
                    "\"https://github.com/NixOS/nixpkgs/archive/${" +
                        QByteArray(selects ? "pins.over.${toolkit} or pins.all" : "pins.all") +
                        "}.tar.gz\") {\n    config = { cudaSupport = true; cudaCapabilities = [ sm ]; };\n"
                        "    overlays = [ (final: prev: { cudaPackages = "
                        "final.\"cudaPackages_${toolkit}\"; }) ];\n  };\nin\nnixpkgs.python313Packages.gadget\n");
                QStringList names{u"gadget-python313-cuda12_8-sm90-avx2"_s, u"gadget-python313-cuda12_8-sm80-avx2"_s};
                if (selects)
                    names.append(u"gadget-python313-cuda12_9-sm90-avx2"_s);
                const auto wrapperOf = [](const QString &name) -> QByteArray {
                    const QStringList parts = name.split(u'-');
                    return "{ }:\nimport ./lib/make.nix { toolkit = \"" + parts.at(2).mid(4).toUtf8() + "\"; sm = \"" +
                           (parts.at(3) == "sm90"_L1 ? "9.0" : "8.0") + "\"; }\n";
                };
                for (const QString &name : names + (isThere ? QStringList{own} : QStringList()))
                    fixture.write(packages + name + u".nix"_s, wrapperOf(name));
                const auto settings = [&](const QByteArray &pin) -> QByteArray {
                    return "families = [\"gadget\"]\npythons = [\"python313\"]\nnixpkgs = \"" + a +
                           "\"\n[[cuda]]\nversion = \"12.8\"\n[[cuda]]\nversion = \"12.9\"\nnixpkgs = \"" + b +
                           "\"\n[[cuda]]\nversion = \"13.0\"\n" + pin +
                           "[[coverage]]\nrows = [\"sm80\"]\nisas = [\"avx2\"]\nbuilds = [\"12.8\"]\n"
                           "[[coverage]]\nrows = [\"sm90\"]\nisas = [\"avx2\"]\n";
                };
                fixture.write(settingsFileName, settings("nixpkgs = \"" + c + "\"\n"));
                commitAll(fixture);
                const SnapshotReader reader(builtInCatalog());
                const auto sets =
                    isThere ? prepare(reader, fixture.path(), PlanRequest{.branch = {}})
                            : prepare(reader, fixture.path(),
                                      GenerateRequest{.branch = {}, .names = {own}, .like = names.constFirst()});
                if (!selects) {
                    const QString told = sets ? sets->constFirst().warnings.join(u'\n') : sets.error().sentence();
                    QVERIFY2(told.contains("lib/pins.nix:2"_L1), qPrintable(told));
                    QVERIFY(!sets || !sets->constFirst().find(table));
                    continue;
                }
                QVERIFY_OK(sets);
                const ChangedFile *pins = sets->constFirst().find(table);
                QVERIFY(pins && pins->after);
                QCOMPARE(*pins->after, "{\n  all = \"" + a + "\";\n" +
                                           QByteArray(over).replace("  };", "    \"13_0\" = \"" + c + "\";\n  };") +
                                           "}\n");
                if (isThere)
                    continue;
                QCOMPARE(*sets->constFirst().find(packages + own + u".nix"_s)->after, wrapperOf(own));
                fixture.write(settingsFileName, settings({}));
                commitAll(fixture);
                const auto shared = prepare(reader, fixture.path(),
                                            GenerateRequest{.branch = {}, .names = {own}, .like = names.constFirst()});
                QVERIFY_OK(shared);
                QVERIFY(!shared->constFirst().find(table));
                const QString told = shared->constFirst().warnings.join(u'\n');
                QVERIFY2(told.contains("lib/pins.nix:3"_L1) && told.contains("cuda.13.0.nixpkgs"_L1), qPrintable(told));
            }
        }
    }

    // The first recipe of a row or of an instruction set, whose value the package gets in a way of its own: it follows
    // the name, or the place where it is written is told. What comes of it is measured by the level of the CPU too.
    void firstOfItsKind()
    {
        const auto crate = [](const QString &name, const QByteArray &capability, const QByteArray &cpu) -> QByteArray {
            return "{ gadget, cudaPackages_12_8 }:\n(gadget.override {\n  cudaPackages = cudaPackages_12_8;\n  "
                   "cudaCapability = " +
                   capability + ";\n}).overrideAttrs (old: {\n  pname = \"" + name.toUtf8() +
                   "\";\n  env.RUSTFLAGS = \"-C target-cpu=" + cpu + "\";\n})\n";
        };
        struct Case {
            QByteArray capability; ///< as it is written in the recipe; empty: the row's
            QString name;
            QStringList told; ///< in the refusal or an error; empty: it is made
        };
        const QString place = u"lib/gpu.nix:2"_s;
        for (const Case &one : {Case{{}, u"gadget-cuda12_8-sm75-avx2"_s, {}},
                                Case{"(import ./lib/gpu.nix).sm", u"gadget-cuda12_8-sm75-avx2"_s, {place}},
                                Case{"(import ./lib/gpu.nix).sm", u"gadget-cuda12_8-all-avx2"_s, {place}},
                                Case{{}, u"gadget-cuda12_8-sm90-avx512"_s, {u"-mavx512f"_s, u"x86-64-v3"_s}},
                                Case{{}, u"gadget-cuda12_8-sm90-avx512bf16"_s, {u"-mavx512bf16"_s, u"x86-64-v3"_s}},
                                Case{{}, u"gadget-cuda12_8-sm90-armv9"_s, {u"x86-64-v3"_s}}}) {
            test::GitFixture fixture;
            fixture.write(packages + u"lib/gpu.nix"_s, "{\n  sm = \"9.0\";\n}\n");
            for (const auto &[row, number] : {std::pair(u"sm80"_s, "\"8.0\""), {u"sm90"_s, "\"9.0\""}}) {
                const QString name = u"gadget-cuda12_8-"_s + row + u"-avx2"_s;
                if (one.capability.isEmpty() || row == "sm90"_L1)
                    fixture.write(
                        packages + name + u".nix"_s,
                        crate(name, one.capability.isEmpty() ? QByteArray(number) : one.capability, "x86-64-v3"));
            }
            commitAll(fixture);
            const SnapshotReader reader(builtInCatalog());
            const auto read = reader.read(fixture.path(), {}, {});
            QVERIFY_OK(read);
            QStringList errors;
            const auto made = renderRecipes(reader.recipes(), *read->snapshot, {one.name}, {}, nullptr, &errors);
            const QString all = made ? errors.join(u' ') : made.error().sentence();
            QVERIFY2(one.told.isEmpty() == all.isEmpty(), qPrintable(one.name + u": "_s + all));
            if (one.told.isEmpty())
                QCOMPARE(made->constFirst().second, crate(one.name, "\"7.5\"", "x86-64-v3"));
            else
                QVERIFY2(std::ranges::any_of(one.told, [&](const QString &word) { return all.contains(word); }),
                         qPrintable(one.name + u": "_s + all));
        }
    }

    // The first recipe of its Python names the driver that the others of its toolkit name.
    void driverOfToolkit()
    {
        const auto recipe = [](const QByteArray &python, const QByteArray &cuda, const QByteArray &driver) {
            return "# CUDA " + QByteArray(cuda).replace('_', '.') + " needs NVIDIA driver " + driver +
                   "+\n{ pkgs }:\nlet\n  nixpkgs = import (fetchTarball "
                   "\"https://github.com/NixOS/nixpkgs/archive/" +
                   promisedPin +
                   ".tar.gz\") {\n    config = { cudaSupport = true; cudaCapabilities = [ \"9.0\" ]; };\n    overlays "
                   "= "
                   "[ (final: prev: { cudaPackages = final.cudaPackages_" +
                   cuda + "; }) ];\n  };\nin\nnixpkgs." + python +
                   "Packages.gadget.overrideAttrs (old: {\n  pname = "
                   "\"gadget-" +
                   python + "-cuda" + cuda + "-sm90\";\n})\n";
        };
        test::GitFixture fixture;
        fixture.write(packages + u"gadget-python312-cuda12_4-sm90.nix"_s, recipe("python312", "12_4", "550"));
        fixture.write(packages + u"gadget-python313-cuda12_9-sm90.nix"_s, recipe("python313", "12_9", "560"));
        commitAll(fixture);
        const SnapshotReader reader(builtInCatalog());
        const auto read = reader.read(fixture.path(), {}, {});
        QVERIFY_OK(read);
        const auto made = renderRecipes(reader.recipes(), *read->snapshot, {u"gadget-python313-cuda12_4-sm90"_s}, {},
                                        nullptr, nullptr);
        QVERIFY_OK(made);
        QCOMPARE(made->constFirst().second, recipe("python313", "12_4", "550"));
    }

    // A whole branch for another Python and another toolkit. What cannot follow is left out, with its reason.
    void derived()
    {
        Families all(test::rounds(32));
        for (const SettingsChange &change : {SettingsChange{.pythons = QStringList{u"python312"_s}},
                                             SettingsChange{.cudas = QStringList{u"12.9"_s}}}) {
            const Result<QList<ChangeSet>> sets =
                prepare(all.reader, all.fixture.path(),
                        DeriveRequest{.from = {}, .name = u"next"_s, .change = change, .drop = true});
            QVERIFY_OK(sets);
            const ChangeSet &changes = sets->constFirst();
            QMap<QString, QByteArray> changed;
            for (const ChangedFile &file : changes.files) {
                if (file.isImported() && file.after)
                    changed.insert(file.path, *file.after);
            }
            int count = 0;
            for (const ChangedFile &file : changes.files) {
                const QString name = packageOf(file.newPath.isEmpty() ? file.path : file.newPath);
                const auto family = std::ranges::find_if(
                    all.families, [&name](const Gadget &one) { return name.startsWith(one.word + u'0'); });
                if (file.action == ChangeAction::Delete) {
                    QVERIFY2(file.reason.contains(u".nix:"_s) || file.reason.contains(u"replaces"_s),
                             qPrintable(file.path + u": "_s + file.reason));
                    continue;
                }
                if (family == all.families.end() || !file.after)
                    continue;
                ++count;
                all.keep(*family, name, *file.after, changed);
            }
            QVERIFY(count > 0);
        }
        all.verify();
    }
};

TM_TEST(TestPromises, QCoreApplication)
#include "tst_promises.moc"
