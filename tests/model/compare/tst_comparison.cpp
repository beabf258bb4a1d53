// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/ComparisonText.h"
#include "model/compare/Markdown.h"
#include "tests/support/BranchContents.h"
#include "tests/support/ComparedSides.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

QString nameOf(const QString &row, const QString &isa)
{
    return row == "cpu"_L1 ? u"pytorch-python313-cpu-"_s + isa : u"pytorch-python313-cuda12_8-%1-%2"_s.arg(row, isa);
}

BranchContent changed(const std::function<void(BranchContent &)> &change)
{
    BranchContent content = wholeLine(u"main"_s, false);
    change(content);
    return content;
}

/// The groups of all cells.
QList<DifferenceGroup> groupsOf(const Comparison &comparison)
{
    QList<const ComparedCell *> cells;
    for (const ComparedCell &cell : comparison.cells)
        cells.append(&cell);
    return differenceGroups(cells);
}

void replaceIn(BranchContent &content, const QString &name, const QByteArray &before, const QByteArray &after)
{
    QByteArray &text = *fileOf(content, name)->committed;
    QVERIFY2(text.contains(before), text.constData());
    text.replace(before, after);
}

ComparedCell cellOf(const Comparison &comparison, const QString &row, const QString &isa)
{
    for (const ComparedCell &cell : comparison.cells) {
        if (cell.variant.row == row && cell.variant.isa == isa)
            return cell;
    }
    qFatal("no such cell");
}

} // namespace

class ComparisonTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void theSameTwice()
    {
        const Comparison comparison =
            compareSides({sideOf(u"a"_s, wholeLine(u"main"_s)), sideOf(u"b"_s, wholeLine(u"main"_s, false))});
        QCOMPARE(comparison.cells.size(), 44);
        QCOMPARE(comparison.summary(), u"44 cells in both: 44 identical."_s);
        QCOMPARE(comparison.match, CellMatch{});
        QVERIFY(factDifferences(cellOf(comparison, u"sm90"_s, u"avx2"_s)).size() > 5);
        for (const FactDifference &fact : factDifferences(cellOf(comparison, u"sm90"_s, u"avx2"_s)))
            QVERIFY(!fact.differs);
    }

    /// The version often stands in prose alone: the package is that of its nixpkgs.
    void versionsThatDiffer()
    {
        const auto sideWith = [](const QString &label, const QByteArray &prose, const QByteArray &other) {
            BranchContent content{{label, QString(40, u'a')}};
            for (const auto &[isa, text] : {std::pair(u"avx2"_s, prose), std::pair(u"avx512"_s, other)}) {
                content.files.append(
                    recipeFile(nameOf(u"cpu"_s, isa),
                               "{ pkgs }: pkgs.python3Packages.torch.overrideAttrs (old: { meta = old.meta // { "
                               "description = \"" +
                                   text + "\"; }; })\n",
                               false));
            }
            return sideOf(label, content);
        };
        const ComparedSide old = sideWith(u"old"_s, "PyTorch 2.8.0 for AVX2", "PyTorch for AVX-512");
        const ComparedSide now = sideWith(u"now"_s, "PyTorch 2.9.1 for AVX2", "PyTorch 2.9.1 for AVX-512");
        QCOMPARE(compareSides({old, now}).versions, QStringList{u"pytorch 2.8.0 → 2.9.1"_s});
        QVERIFY2(compareSides({old, now}).summary().contains(u": pytorch 2.8.0 → 2.9.1."_s),
                 qPrintable(compareSides({old, now}).summary()));
        QCOMPARE(compareSides({old, now, old}).versions, QStringList{u"pytorch 2.8.0 → 2.9.1 → 2.8.0"_s});
        QCOMPARE(compareSides({now, now}).versions, QStringList());
        const ComparedSide none = sideWith(u"none"_s, "PyTorch", "PyTorch");
        QCOMPARE(compareSides({old, none}).versions, QStringList());
        // Each side's line has its version, also where another has none.
        QCOMPARE(compareSides({old, none}).head().sides, QStringList{u"1. old: pytorch 2.8.0"_s});
        QVERIFY(compareSides({now, now}).head().common.startsWith(u"The same in both: pytorch 2.9.1"_s));
        // A version that only its nixpkgs tells, where other recipes show what is in it.
        const QString revision(40, u'd');
        BranchContent pinned{{u"pinned"_s, QString(40, u'a')}};
        pinned.files.append(recipeFile(
            nameOf(u"cpu"_s, u"avx2"_s),
            "{ }: let nixpkgs = import (fetchTarball { url = "
            "\"https://github.com/NixOS/nixpkgs/archive/" +
                revision.toLatin1() + ".tar.gz\"; }) { }; in nixpkgs.python3Packages.torch.overrideAttrs (old: { })\n",
            false));
        VersionsOfPins known;
        known.add(revision, u"2.9.1"_s);
        const ComparedSide bare = sideOf(u"pinned"_s, pinned);
        QCOMPARE(compareSides({old, bare}).versions, QStringList());
        QCOMPARE(compareSides({old, bare}, {}, known).versions, QStringList{u"pytorch 2.8.0 → 2.9.1"_s});
        const ComparedSide several = sideWith(u"several"_s, "PyTorch 2.8.0", "PyTorch 2.9.1");
        QCOMPARE(compareSides({old, several}).versions, QStringList());
    }

    /// Cell-specific values in passthru and the environment do not separate cells with the same differences.
    void attributesAreComparedOneByOne()
    {
        const auto text = [](const QByteArray &isa, const QByteArray &blas, const QByteArray &overlays) {
            return "{ pkgs }: let nixpkgs = import (fetchTarball { url = \"https://example.org/a.tar.gz\"; }) { " +
                   overlays +
                   " }; in nixpkgs.python3Packages.torch.overrideAttrs (old: { preConfigure = ''\n  export BLAS=" +
                   blas + "\n  export LEVEL=" + isa + "\n''; passthru = (old.passthru or { }) // { cpuISA = \"" + isa +
                   "\"; blasProvider = \"" + blas.toLower() + "\"; }; })\n";
        };
        BranchContent a{{u"a"_s, QString(40, u'a')}};
        BranchContent b{{u"b"_s, QString(40, u'b')}};
        for (const char *isa : {"avx2", "avx512", "avx512bf16", "avx512vnni"}) {
            const QString name = nameOf(u"cpu"_s, QString::fromLatin1(isa));
            a.files.append(recipeFile(name, text(isa, "OpenBLAS", {}), false));
            b.files.append(
                recipeFile(name,
                           text(isa, "MKL",
                                "overlays = [ (final: prev: { blas = prev.blas.override { blasProvider = final.mkl; }; "
                                "lapack = prev.lapack.override { lapackProvider = final.mkl; }; }) ];"),
                           false));
        }
        const Comparison comparison = compareSides({sideOf(u"a"_s, a), sideOf(u"b"_s, b)});
        const QList<DifferenceGroup> groups = groupsOf(comparison);
        QCOMPARE(groups.size(), 1);
        QCOMPARE(groups.constFirst().cells.size(), 4);
        QStringList said;
        for (const FactDifference &fact : groups.constFirst().facts)
            said.append(fact.id + u": "_s + fact.values.join(u" -> "_s));
        QCOMPARE(said, (QStringList{u"blas: openblas -> mkl"_s, u"lapack:  -> mkl"_s,
                                    u"passthru.blasProvider: openblas -> mkl"_s}));
    }

    /// The same change of a list is the same difference, whatever else the lists have.
    void theSameChangeOfAListIsOneDifference()
    {
        const auto text = [](const QByteArray &architecture, const QByteArray &more) {
            return "{ pkgs }: pkgs.onnxruntime.overrideAttrs (old: { cmakeFlags = [ \"-DCMAKE_CUDA_ARCHITECTURES=" +
                   architecture + "\" " + more + " ]; })\n";
        };
        BranchContent a{{u"a"_s, QString(40, u'a')}};
        BranchContent b{{u"b"_s, QString(40, u'b')}};
        for (const char *row : {"75", "80", "90"}) {
            const QString name = u"onnxruntime-python313-cuda12_8-sm%1-avx2"_s.arg(QLatin1StringView(row));
            a.files.append(recipeFile(name, text(row, "\"-DUSE_TENSORRT=OFF\""), false));
            b.files.append(recipeFile(name, text(row, "\"-DUSE_TENSORRT=ON\" \"-DUSE_ROCM=OFF\""), false));
        }
        const Comparison comparison = compareSides({sideOf(u"a"_s, a), sideOf(u"b"_s, b)});
        const QList<DifferenceGroup> groups = groupsOf(comparison);
        QCOMPARE(groups.size(), 1);
        QCOMPARE(groups.constFirst().cells.size(), 3);
        const auto flags = std::ranges::find(groups.constFirst().facts, u"cmake_flags"_s, &FactDifference::id);
        QVERIFY(flags != groups.constFirst().facts.cend());
        QCOMPARE(flags->values,
                 (QStringList{u"-DUSE_TENSORRT=OFF \u2026"_s, u"-DUSE_TENSORRT=ON -DUSE_ROCM=OFF \u2026"_s}));
    }

    /// If passthru is composed differently, the attributes may be equal although the recipes are not.
    void setsThatArePutTogetherOtherwise()
    {
        const auto differences = [](const QByteArray &before, const QByteArray &after) {
            const auto text = [](const QByteArray &passthru) {
                return "{ pkgs }: pkgs.torch.overrideAttrs (old: { passthru = " + passthru + "; })\n";
            };
            QStringList said;
            for (const MeaningDifference &one :
                 meaningDifferences(text(before), readFacts(text(before)), text(after), readFacts(text(after))))
                said.append(one.path + (one.builds ? u""_s : u" (no build)"_s));
            return said.join(u' ');
        };
        QCOMPARE(differences("old.passthru // { a = \"1\"; }", "old.passthru // { a = \"2\"; }"), u"passthru.a"_s);
        QCOMPARE(differences("old.passthru // { a = \"1\"; }", "{ a = \"1\"; }"), u"passthru"_s);
        QCOMPARE(differences("old.passthru // { a = \"1\"; }", "{ a = \"1\"; } // old.passthru"),
                 u"passthru.a passthru passthru"_s);
        QCOMPARE(differences("old.passthru // { a = \"1\"; }", "old.meta // { a = \"2\"; }"), u"passthru.a passthru"_s);
    }

    void everyLikeness()
    {
        const BranchContent other = changed([](BranchContent &content) {
            removeFile(content, nameOf(u"sm80"_s, u"avx2"_s));
            // A comment and blanks: the same derivation.
            fileOf(content, nameOf(u"sm90"_s, u"avx2"_s))->committed->append("\n# a remark\n");
            replaceIn(content, nameOf(u"sm100"_s, u"avx2"_s),
                      "preConfigure = ", "ninjaFlags = [ \"-j8\" ];\n  preConfigure = ");
            replaceIn(content, nameOf(u"sm90"_s, u"avx512"_s), "-mavx512f", "-mavx512fp16");
            *fileOf(content, nameOf(u"sm86"_s, u"avx2"_s))->committed = "{ broken";
            content.files.append(recipeFile(nameOf(u"sm75"_s, u"avx2"_s), "{ }: { }\n", false));
        });
        const Comparison comparison =
            compareSides({sideOf(u"main"_s, wholeLine(u"main"_s, false)), sideOf(u"mine"_s, other)});
        QCOMPARE(toString(cellOf(comparison, u"sm90"_s, u"avx2"_s).likeness), toString(Likeness::Equal));
        QCOMPARE(toString(cellOf(comparison, u"sm100"_s, u"avx2"_s).likeness), toString(Likeness::SameBuild));
        QCOMPARE(toString(cellOf(comparison, u"sm90"_s, u"avx512"_s).likeness), toString(Likeness::Different));
        QCOMPARE(toString(cellOf(comparison, u"sm86"_s, u"avx2"_s).likeness), toString(Likeness::Different));
        QCOMPARE(toString(cellOf(comparison, u"sm80"_s, u"avx2"_s).likeness), toString(Likeness::Alone));
        QCOMPARE(cellOf(comparison, u"sm75"_s, u"avx2"_s).firstHolder(), 1);
        QCOMPARE(
            comparison.summary(),
            u"43 cells in both: 39 identical, 1 equal, 1 with the same build, 2 different. 1 only in main: sm80 avx2. 1 only in mine: sm75 avx2."_s);

        QStringList different;
        for (const FactDifference &fact : factDifferences(cellOf(comparison, u"sm90"_s, u"avx512"_s))) {
            if (fact.differs)
                different.append(fact.id);
        }
        QVERIFY2(different.contains(u"cpu_flags"_s), qPrintable(different.join(u' ')));
        QVERIFY(!different.contains(u"pin"_s));
    }

    /// Packages that are no variants are compared too, with what they import.
    void packagesThatAreNoVariants()
    {
        const auto content = [](const QByteArray &version, bool more) {
            return changed([&](BranchContent &content) {
                content.files.append(
                    recipeFile(u"tool"_s, "{ pkgs }: import ./lib/tool.nix { inherit pkgs; }\n", false));
                content.files.append(recipeFile(u"same"_s, "{ hello }: hello\n" + (more ? "# x\n"_ba : ""_ba), false));
                if (more)
                    content.files.append(recipeFile(u"extra"_s, "{ hello }: hello\n", false));
                addImported(content, u"lib/tool"_s, "{ pkgs }: pkgs.hello // { version = \"" + version + "\"; }\n");
            });
        };
        const Comparison comparison =
            compareSides({sideOf(u"main"_s, content("1", false)), sideOf(u"next"_s, content("2", true))});
        QMap<QString, QString> found;
        for (const ComparedPackage &package : comparison.packages)
            found.insert(package.name, toString(package.likeness));
        QCOMPARE(found, (QMap<QString, QString>{
                            {u"extra"_s, u"alone"_s}, {u"same"_s, u"equal"_s}, {u"tool"_s, u"different"_s}}));
        QVERIFY2(comparison.summary().endsWith(u"1 package that is no variant differs: tool. 1 package that is no "
                                               "variant is not on every side: extra."_s),
                 qPrintable(comparison.summary()));
    }

    /// Everything without a fact is reported by its path.
    void attributesThatAreNoFacts()
    {
        const QString name = nameOf(u"sm90"_s, u"avx512"_s);
        const BranchContent other = changed([&name](BranchContent &content) {
            replaceIn(content, name, "preConfigure = ", "doCheck = false;\n  preConfigure = ");
            replaceIn(content, name, "export CFLAGS", "touch a-file\n    echo done\n    export CFLAGS");
        });
        const Comparison comparison =
            compareSides({sideOf(u"main"_s, wholeLine(u"main"_s, false)), sideOf(u"mine"_s, other)});
        QStringList different;
        for (const FactDifference &fact : factDifferences(cellOf(comparison, u"sm90"_s, u"avx512"_s))) {
            if (fact.differs)
                different.append(u"%1: %2 > %3%4"_s.arg(fact.label, fact.values.at(0), fact.values.at(1),
                                                        fact.builds ? QString() : u" (no effect)"_s));
        }
        QCOMPARE(different.join(u'\n'),
                 u"doCheck:  > false\npreConfigure:  > touch a-file\necho lines:  >  (no effect)"_s);
    }

    void whatDiffersInTheSameIsToldTogether()
    {
        const BranchContent other = changed([](BranchContent &content) {
            for (VersionedFile &file : content.files)
                file.committed->replace("python313Packages", "python3Packages");
            replaceIn(content, nameOf(u"sm90"_s, u"avx512"_s), "-mavx512f", "-mavx512fp16");
            removeFile(content, nameOf(u"sm80"_s, u"avx2"_s));
        });
        const Comparison comparison =
            compareSides({sideOf(u"main"_s, wholeLine(u"main"_s, false)), sideOf(u"mine"_s, other)});
        const QString text = comparisonAsText(comparison);
        QVERIFY2(
            text.startsWith(u"42 cells: only base: python313Packages.torch \u2192 python3Packages.torch\n"
                            "      pytorch-python313-cuda12_8-sm61-avx\n      pytorch-python313-cuda12_8-sm61-avx2\n"
                            "      pytorch-python313-cuda12_8-sm80-armv8_2\n      and 39 more\n1 cell: 2 facts differ\n"
                            "    base: python313Packages.torch \u2192 python3Packages.torch\n    CPU flags: "_s),
            qPrintable(text));
        QVERIFY2(text.endsWith(u"1 cell not in mine:\n      pytorch-python313-cuda12_8-sm80-avx2\n"
                               "43 cells in both: 43 different. 1 only in main: sm80 avx2.\n"_s),
                 qPrintable(text));
        QCOMPARE(comparisonAsText(comparison, {}, true).count(u"      pytorch-"_s), 44);
        const QJsonArray groups = comparisonJson(comparison)[u"groups"_s].toArray();
        QCOMPARE(groups.size(), 2);
        QCOMPARE(groups[0][u"cells"_s].toArray().size(), 42);
        QCOMPARE(groups[0][u"differences"_s].toArray().size(), 1);
    }

    void familiesThatOneRepositoryLacksAreNotCompared()
    {
        const auto in = [](const QString &repository, const QStringList &families) {
            BranchContent content{u"main"_s, QString(40, u'b'), false, {}};
            for (const QString &family : families)
                content.files.append(recipeFile(family + u"-python313-cuda12_8-sm90-avx2"_s, "{ }: { }\n", false));
            return ComparedSide{repository, std::make_shared<const BranchSnapshot>(
                                                makeSnapshot(builtInCatalog(), repository, content))};
        };
        const Comparison comparison =
            compareSides({in(u"/a"_s, {u"pytorch"_s, u"torchvision"_s}), in(u"/b"_s, {u"pytorch"_s, u"torchaudio"_s})});
        QCOMPARE(comparison.summary(), u"1 cell in both: 1 identical."_s);
        const Comparison alone =
            compareSides({in(u"/a"_s, {u"pytorch"_s, u"torchvision"_s}), in(u"/a"_s, {u"pytorch"_s})});
        QCOMPARE(alone.summary(), u"1 cell in both: 1 identical. 1 only in /a: torchvision sm90 avx2."_s);
    }

    void twoBrokenTextsAreNotAlike()
    {
        const auto broken = [](const QByteArray &text) {
            return changed(
                [&text](BranchContent &content) { *fileOf(content, nameOf(u"sm90"_s, u"avx2"_s))->committed = text; });
        };
        const Comparison comparison = compareSides({sideOf(u"a"_s, broken("{ one")), sideOf(u"b"_s, broken("{ two"))});
        QCOMPARE(toString(cellOf(comparison, u"sm90"_s, u"avx2"_s).likeness), toString(Likeness::Different));
    }

    void fiveSides()
    {
        const auto without = [](const QString &row) {
            return changed([&row](BranchContent &content) { removeFile(content, nameOf(row, u"avx2"_s)); });
        };
        const BranchContent flags = changed(
            [](BranchContent &content) { replaceIn(content, nameOf(u"sm90"_s, u"avx2"_s), "-mf16c", "-mbmi"); });
        const Comparison comparison = compareSides({sideOf(u"a"_s, wholeLine(u"main"_s, false)), sideOf(u"b"_s, flags),
                                                    sideOf(u"c"_s, without(u"sm90"_s)), sideOf(u"d"_s, flags),
                                                    sideOf(u"e"_s, without(u"sm80"_s))});
        const ComparedCell cell = cellOf(comparison, u"sm90"_s, u"avx2"_s);
        QCOMPARE(cell.groups, (QList<int>{0, 1, -1, 1, 0}));
        QCOMPARE(toString(cell.likeness), toString(Likeness::Different));
        QCOMPARE(cellWords(comparison, cell), u"in 4 of 5, different"_s);
        QCOMPARE(comparison.summary(), u"44 cells, 42 of them in all 5: 43 identical, 1 different."_s);
        QCOMPARE(comparison.totals().held, (QList<int>{44, 44, 43, 44, 43}));
    }

    void theOddSidesAreThoseUnlikeMost()
    {
        QCOMPARE(oddSides({0, 0, 0}), QList<int>());
        QCOMPARE(oddSides({0, 1, 0}), QList<int>{1});
        QCOMPARE(oddSides({0, 1, 1}), QList<int>{0});
        QCOMPARE(oddSides({0, 1, 2}), QList<int>());
        QCOMPARE(oddSides({0, 1}), QList<int>());
        QCOMPARE(oddSides({0, -1, 1}), QList<int>()); // of two that have it none is odd
        QCOMPARE(oddSides({0, -1, 1, 0, 0, 2}), (QList<int>{2, 5}));
        QCOMPARE(oddSides({0, 0, 1, 1}), QList<int>());
        QCOMPARE(oddSides({-1, 0, -1}), QList<int>());
    }

    void linesOfAnotherToolkitAreComparedByCell()
    {
        const QList<ComparedSide> sides{sideOf(u"main"_s, wholeLine(u"main"_s, false)),
                                        sideOf(u"cuda-12_9"_s, wholeLine(u"cuda-12_9"_s, false))};
        const Comparison comparison = compareSides(sides);
        QVERIFY(!comparison.match.cuda);
        QVERIFY(comparison.match.family && comparison.match.python);
        QCOMPARE(comparison.totals().everywhere, 44);
        QCOMPARE(comparison.totals().only, (QList<int>{0, 6}));
        // What each side builds: once what both do.
        const ComparisonHead head = comparison.head();
        QCOMPARE(head.common, u"The same in both: Python 3.13."_s);
        QVERIFY2(head.shared.constFirst().startsWith(u"44 cells in both: 44 different"_s),
                 qPrintable(head.shared.constFirst()));
        QVERIFY2(head.headline.constFirst().startsWith(u"pytorch 2.8.0 → 2.9.1, CUDA 12.8 → 12.9, nixpkgs "_s) &&
                     head.headline.constFirst().endsWith(u"; all 44 recipes in both differ."_s),
                 qPrintable(head.headline.constFirst()));
        QCOMPARE(head.headline.constLast(), u"pytorch, CUDA, nixpkgs differ; all 44 recipes in both differ."_s);
        // Of three, who has what the others have not, then what each has otherwise.
        QCOMPARE(compareSides({sides.at(0), sides.at(1), sides.at(0)}).head().headline.constFirst(),
                 u"cuda-12_9 differs in pytorch, CUDA, nixpkgs; all 44 common recipes differ."_s);
        const ComparedSide third = sideOf(u"cuda-13_0"_s, wholeLine(u"cuda-13_0"_s, false));
        const QString of3 = compareSides({sides.at(0), sides.at(1), third}).head().headline.constFirst();
        // Of the recipes those that all three have are counted.
        QVERIFY2(of3.startsWith(u"They differ in pytorch, CUDA; main alone in nixpkgs; all 42 common recipes "_s),
                 qPrintable(of3));
        QVERIFY(compareSides({sides.constFirst(), sides.constFirst()}).head().headline.isEmpty());
        QCOMPARE(head.sides.size(), 2);
        QVERIFY2(head.sides.at(0).startsWith(u"1. main: pytorch 2.8.0, CUDA 12.8, nixpkgs "_s),
                 qPrintable(head.sides.at(0)));
        QVERIFY2(head.sides.at(1).startsWith(u"2. cuda-12_9: pytorch 2.9.1, CUDA 12.9, nixpkgs "_s) &&
                     head.sides.at(1).endsWith(u"; only here 6: all of sm103"_s),
                 qPrintable(head.sides.at(1)));
        QVERIFY(comparison.head({}, false).sides.at(1).endsWith(u"; only here 6"_s));
        QVERIFY(compareSides({sides.constFirst(), sides.constFirst()}).head().sides.isEmpty());
        QCOMPARE(cellOf(comparison, u"sm90"_s, u"avx2"_s).title(), u"pytorch python313 sm90 avx2"_s);
        QCOMPARE(cellOf(comparison, u"cpu"_s, u"avx2"_s).title(), u"pytorch-python313-cpu-avx2"_s);

        // By name they share the CPU recipes alone.
        const Comparison byName = compareSides(sides, CellMatch{});
        QCOMPARE(byName.totals().everywhere, 6);
        QCOMPARE(byName.totals().only, (QList<int>{38, 44}));
    }

    void companionsOfAnotherRepository()
    {
        BranchContent vision{u"main"_s, QString(40, u'b'), false, {}};
        for (const QString &isa : {u"avx2"_s, u"avx512"_s})
            vision.files.append(
                recipeFile(u"torchvision-python313-cuda12_8-sm90-"_s + isa, "# PyTorch 2.8.0\n{ }: { }\n", false));
        vision.files.append(
            recipeFile(u"torchvision-python313-cuda12_8-sm75-avx2"_s, "# PyTorch 2.8.0\n{ }: { }\n", false));
        const Comparison comparison =
            compareSides({sideOf(u"torchvision"_s, vision), sideOf(u"pytorch"_s, wholeLine(u"main"_s, false))});
        if (!builtInCatalog()->family(u"torchvision"_s))
            QCOMPARE(comparison.totals().held.at(0), 0); // the catalog has no such family yet
        else {
            QVERIFY(!comparison.match.family);
            QCOMPARE(comparison.totals().everywhere, 2);
            QCOMPARE(comparison.totals().only, (QList<int>{1, 42}));
            QCOMPARE(cellOf(comparison, u"sm75"_s, u"avx2"_s).firstHolder(), 0);
            QCOMPARE(comparison.summary(),
                     u"2 of 3 torchvision variants have their pytorch. 42 pytorch variants have no "
                     "torchvision."_s);
            // What states no torch version lacks none.
            for (VersionedFile &file : vision.files)
                file.committed->replace("# PyTorch 2.8.0", "#");
            const ComparedSide unknown = sideOf(u"torchvision"_s, vision);
            const ComparedSide pytorch = sideOf(u"pytorch"_s, wholeLine(u"main"_s, false));
            const auto words = u"Of 2, it is not known which torch version they need or get. "_s;
            QCOMPARE(compareSides({unknown, pytorch}).summary(), u"0 of 3 torchvision variants have their pytorch. "_s +
                                                                     words +
                                                                     u"44 pytorch variants have no torchvision."_s);
            QCOMPARE(compareSides({pytorch, unknown}).summary(),
                     u"0 of 44 pytorch variants have their torchvision. "_s + words +
                         u"1 torchvision variant has no pytorch."_s);
        }
    }

    void filters()
    {
        const BranchContent other = changed([](BranchContent &content) {
            removeFile(content, nameOf(u"sm80"_s, u"avx2"_s));
            replaceIn(content, nameOf(u"sm90"_s, u"avx512"_s), "-mavx512f", "-mavx512fp16");
        });
        const Comparison comparison =
            compareSides({sideOf(u"main"_s, wholeLine(u"main"_s, false)), sideOf(u"mine"_s, other)});
        const auto count = [&comparison](const ComparisonFilter &filter) {
            return std::ranges::count_if(comparison.cells,
                                         [&filter](const ComparedCell &cell) { return filter.accepts(cell); });
        };
        QCOMPARE(count({}), 44);
        QCOMPARE(count({true, false, {}, {}}), 2);
        QCOMPARE(count({false, true, {}, {}}), 1);
        QCOMPARE(count({false, false, u"sm90"_s, {}}), 6);
        QCOMPARE(count({true, false, {}, u"avx512"_s}), 1);
    }

    void asJson()
    {
        const BranchContent other = changed([](BranchContent &content) {
            removeFile(content, nameOf(u"sm80"_s, u"avx2"_s));
            replaceIn(content, nameOf(u"sm90"_s, u"avx512"_s), "-mavx512f", "-mavx512fp16");
        });
        const Comparison comparison =
            compareSides({sideOf(u"main"_s, wholeLine(u"main"_s, false)), sideOf(u"mine"_s, other)});
        const QJsonObject json = comparisonJson(comparison, {true, false, {}, {}});
        QCOMPARE(json[u"totals"_s][u"everywhere"_s].toInt(), 43);
        QCOMPARE(json[u"totals"_s][u"only"_s][u"main"_s].toInt(), 1);
        QCOMPARE(json[u"cells"_s].toArray().size(), 2);
        const QJsonObject missing = json[u"cells"_s][0].toObject();
        QCOMPARE(missing[u"likeness"_s].toString(), u"alone"_s);
        QCOMPARE(missing[u"missing"_s].toArray(), QJsonArray{u"mine"_s});
        const QJsonObject differ = json[u"cells"_s][1].toObject();
        QCOMPARE(differ[u"likeness"_s].toString(), u"different"_s);
        QCOMPARE(differ[u"recipes"_s][u"mine"_s][u"file"_s].toString(),
                 u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512.nix"_s);
        const QJsonArray facts = differ[u"differences"_s].toArray();
        QVERIFY(!facts.isEmpty());
        QVERIFY(facts.first()[u"values"_s][u"mine"_s].toString() != facts.first()[u"values"_s][u"main"_s].toString());
    }

    void asMarkdown()
    {
        const BranchContent other =
            changed([](BranchContent &content) { removeFile(content, nameOf(u"sm61"_s, u"avx2"_s)); });
        const Comparison comparison =
            compareSides({sideOf(u"main"_s, wholeLine(u"main"_s, false)), sideOf(u"a|b_*c*"_s, other)});
        const QString text = comparisonMarkdown(comparison, {true, false, {}, {}}, {});
        QCOMPARE(text, uR"(# main · a\|b\_\*c\*

43 cells in both: 43 identical. 1 only in main: sm61 avx2.

## pytorch python313 CUDA 12.8

|      | avx2      |
| ---- | --------- |
| sm61 | only main |
)"_s);
    }

    void markdownColumnsAsInTheGrid()
    {
        const BranchContent main = wholeLine(u"main"_s, false);
        const Comparison comparison = compareSides({sideOf(u"a"_s, main), sideOf(u"b"_s, main)});
        const QString text = comparisonMarkdown(comparison, {}, {u"avx2"_s, u"avx512"_s, u"armv9"_s, u"armv8_2"_s});
        const QString head = text.section(u'\n', 6, 6).simplified();
        QVERIFY2(head.startsWith(u"| | avx2 | avx512 | armv9 | armv8_2 |"_s), qPrintable(text.left(400)));
    }

    void markdownCells_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QString>("code");
        QTest::newRow("plain") << u"sm90 avx512"_s << u"sm90 avx512"_s << u"`sm90 avx512`"_s;
        QTest::newRow("bar") << u"a|b"_s << u"a\\|b"_s << u"`a\\|b`"_s;
        QTest::newRow("inside a word") << u"cuda12_8"_s << u"cuda12_8"_s << u"`cuda12_8`"_s;
        QTest::newRow("emphasis") << u"_a_ *b*"_s << u"\\_a\\_ \\*b\\*"_s << u"`_a_ *b*`"_s;
        QTest::newRow("html") << u"<b>&amp;"_s << u"\\<b\\>\\&amp;"_s << u"`<b>&amp;`"_s;
        QTest::newRow("backticks") << u"`a``b"_s << u"\\`a\\`\\`b"_s << u"``` `a``b ```"_s;
        QTest::newRow("line ends") << u"a\nb\r\nc"_s << u"a b c"_s << u"`a b c`"_s;
        QTest::newRow("link") << u"[x](y)"_s << u"\\[x\\](y)"_s << u"`[x](y)`"_s;
        QTest::newRow("empty") << QString() << QString() << QString();
    }
    void markdownCells()
    {
        QFETCH(QString, text);
        QFETCH(QString, cell);
        QFETCH(QString, code);
        QCOMPARE(inMarkdownCell(text), cell);
        QCOMPARE(codeInMarkdownCell(text), code);
    }
};

TM_TEST(ComparisonTest, QCoreApplication)
#include "tst_comparison.moc"
