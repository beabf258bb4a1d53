// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Entries of tables in lib/ that new recipes need: in the notation of their neighbours, or refused.
#include "model/recipe/RecipeFacts.h"
#include "model/template/TableEntry.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/NixInstantiate.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString tablePath = u".flox/pkgs/lib/table.nix"_s;
const QString wrapperPath = u".flox/pkgs/x.nix"_s;

/// The table with the entry that `(import ./lib/table.nix).${key}` selects.
Result<QByteArray> completed(const QByteArray &table, const QByteArray &key, const QByteArray &use = ".capability",
                             const QList<Variant> &variants = {})
{
    const QByteArray wrapper =
        "{ pkgs }: pkgs.hello.overrideAttrs (old: { pname = \"x\" + (import ./lib/table.nix).\"" + key + "\"" + use +
        "; })\n";
    const auto files = std::make_shared<const RecipeFiles>(
        QList<RecipeFiles::File>{{tablePath, table, "1"}, {wrapperPath, wrapper, "2", true}});
    const auto result = withTableEntries(*builtInCatalog(), files, wrapperPath, wrapper, nullptr, variants);
    if (!result)
        return result.error();
    return *(*result)->text(tablePath);
}

/// The variants that the recipes of `gpus` are for: of each row, those that its lists have; x86 where they are not
/// limited.
QList<Variant> variantsOfGpus()
{
    QList<Variant> variants;
    const auto add = [&variants](const QString &row, const QStringList &toolkits, const QStringList &isas) {
        for (const QString &toolkit : toolkits) {
            for (const QString &isa : isas)
                variants.append({u"hello"_s, u"python313"_s, toolkit, row, isa});
        }
    };
    const QStringList all{u"12.8"_s, u"12.9"_s, u"13.0"_s};
    add(u"sm61"_s, all.first(2), {u"avx"_s, u"avx2"_s});
    add(u"sm80"_s, all, {u"avx2"_s, u"avx512"_s, u"armv9"_s});
    add(u"sm89"_s, all, {u"avx2"_s, u"avx512"_s, u"armv9"_s});
    add(u"sm110"_s, {u"13.0"_s}, {u"armv9"_s});
    return variants;
}

/// The table after a recipe of that variant comes; `unclear`: the values that are not listed, and where.
QByteArray listed(const QByteArray &table, const Variant &variant, const QList<Variant> &former, QStringList &unclear)
{
    const QByteArray wrapper = "{ pkgs }: pkgs.hello.overrideAttrs (old: { pname = \"x\" + (import "
                               "./lib/table.nix).\"80\".capability; })\n";
    const auto files = std::make_shared<const RecipeFiles>(
        QList<RecipeFiles::File>{{tablePath, table, "1"}, {wrapperPath, wrapper, "2", true}});
    QList<ListOfRow> lists;
    const auto with =
        withListedVariant(*builtInCatalog(), files, wrapperPath, wrapper, variant, former, nullptr, &lists);
    for (const ListOfRow &list : lists)
        unclear.append(u"%1 %2 %3"_s.arg(list.line).arg(list.row, list.value));
    return *with->text(tablePath);
}

QJsonObject evaluatedJson(const QByteArray &table)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"table.nix"_s));
    QByteArray errors;
    if (!file.open(QIODevice::WriteOnly) || file.write(table) != table.size() || !file.flush())
        return {};
    return QJsonDocument::fromJson(test::evaluateWithNix(file.fileName(), folder.path(), errors)).object();
}

const QByteArray gpus = R"({
  # Pascal is the oldest.
  "61" = {
    capability = "6.1";
    title = "Pascal";
    boards = "P40, GTX 1080";
    isas = [ "avx" "avx2" ];
    toolkits = [ "12_8" "12_9" ];
    arm = null;
  };
  "80" = {
    capability = "8.0";
    title = "Ampere";
    boards = "A100";
    isas = null;
    toolkits = [ "12_8" "12_9" "13_0" ];
    arm = [ "armv9" ];
    armBoards = "A100 on ARM";
  };
  "89" = {
    capability = "8.9";
    title = "Ada Lovelace"; # not Hopper
    boards = "L40, RTX 4090";
    isas = null;
    toolkits = [ "12_8" "12_9" "13_0" ];
    arm = [ "armv9" ];
  };
  "110" = {
    capability = "11.0";
    title = "Thor";
    boards = "DRIVE Thor";
    isas = [ ]; # ARM only
    toolkits = [ "13_0" ];
    arm = [ "armv9" ];
  };
}
)";

} // namespace

class TestTableEntry : public QObject
{
    Q_OBJECT

private slots:
    void addsRows()
    {
        const auto hopper = completed(gpus, "90");
        QVERIFY_OK(hopper);
        QByteArray wanted = gpus;
        wanted.replace("  \"110\" = {", R"(  "90" = {
    capability = "9.0";
    title = "Hopper";
    boards = "H100, H200, GH200";
    isas = null;
    toolkits = [ "12_8" "12_9" "13_0" ];
    arm = [ "armv9" ];
  };
  "110" = {)");
        QCOMPARE(*hopper, wanted);
        // The other hosts' entries have other values; an ARM board's is like another ARM board's.
        const auto orin = completed(gpus, "87");
        QVERIFY_OK(orin);
        QVERIFY2(orin->contains(R"(  "87" = {
    capability = "8.7";
    title = "Ampere";
    boards = "AGX Orin, Orin NX, Orin Nano";
    isas = [ ];
    toolkits = [ "12_8" "12_9" "13_0" ];
    arm = [ ];
  };
  "89" =)"), // its boards do not run ARMv9
                 orin->constData());
        QVERIFY(orin->contains("61") && orin->size() > gpus.size());
    }

    // Where the lists of the others have what the branch has, so has that of a new row.
    void listsWhatIsThere()
    {
        const Variant hopper{u"hello"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s};
        const auto made = completed(gpus, "90", ".capability", variantsOfGpus() + QList<Variant>{hopper});
        QVERIFY_OK(made);
        QVERIFY2(made->contains("    isas = null;\n    toolkits = [ \"12_9\" ];\n    arm = [ ];\n"), made->constData());
        // As the catalog has them, if the others have more than there is.
        const auto all = completed(gpus, "90", ".capability", {hopper});
        QVERIFY_OK(all);
        QVERIFY2(all->contains("toolkits = [ \"12_8\" \"12_9\" \"13_0\" ];\n    arm = [ \"armv9\" ];"),
                 all->constData());
    }

    // A row's list gets what comes, in its notation and order; what lists have that do not follow is told only.
    void extendsLists()
    {
        const QList<Variant> former = variantsOfGpus();
        const auto of = [](const QString &toolkit, const QString &row, const QString &isa) {
            return Variant{u"hello"_s, u"python313"_s, toolkit, row, isa};
        };
        QStringList unclear;
        QCOMPARE(listed(gpus, of(u"12.9"_s, u"sm110"_s, u"armv9"_s), former, unclear),
                 QByteArray(gpus).replace("toolkits = [ \"13_0\" ]", "toolkits = [ \"12_9\" \"13_0\" ]"));
        QCOMPARE(listed(gpus, of(u"13.1"_s, u"sm110"_s, u"armv9"_s), former, unclear),
                 QByteArray(gpus).replace("toolkits = [ \"13_0\" ]", "toolkits = [ \"13_0\" \"13_1\" ]"));
        QCOMPARE(listed(gpus, of(u"12.8"_s, u"sm61"_s, u"avx512"_s), former, unclear),
                 QByteArray(gpus).replace("\"avx2\" ]", "\"avx2\" \"avx512\" ]"));
        QCOMPARE(listed(gpus, of(u"13.0"_s, u"sm110"_s, u"armv8_2"_s), former, unclear),
                 QByteArray(gpus).replace("[ \"13_0\" ];\n    arm = [ \"armv9\" ]",
                                          "[ \"13_0\" ];\n    arm = [ \"armv8_2\" \"armv9\" ]"));
        QCOMPARE(listed(gpus, of(u"13.0"_s, u"sm110"_s, u"avx2"_s), former, unclear),
                 QByteArray(gpus).replace("isas = [ ]", "isas = [ \"avx2\" ]"));
        QCOMPARE(listed(gpus, of(u"12.8"_s, u"sm80"_s, u"avx2"_s), former, unclear), gpus); // all there
        const QByteArray lines = QByteArray(gpus).replace("[ \"13_0\" ]", "[\n      \"13_0\"\n      \"13_1\"\n    ]");
        QVERIFY(listed(lines, of(u"12.8"_s, u"sm110"_s, u"armv9"_s),
                       former + QList{of(u"13.1"_s, u"sm110"_s, u"armv9"_s)}, unclear)
                    .contains("[\n      \"12_8\"\n      \"13_0\"\n      \"13_1\"\n    ]"));
        QCOMPARE(unclear, QStringList());
        QCOMPARE(listed(gpus, of(u"12.9"_s, u"sm110"_s, u"armv9"_s), {of(u"13.0"_s, u"sm110"_s, u"armv9"_s)}, unclear),
                 gpus);
        QCOMPARE(unclear, QStringList{u"33 sm110 12.9"_s});
    }

    // What a list of the row lacks, where the lists are those of the recipes, is left out on purpose.
    void knowsWhatIsLeftOut()
    {
        const auto leftOut = [](const QString &cuda, const QString &row, const QString &isa,
                                const QList<Variant> &former, const QByteArray &table) {
            const RecipeFiles files(QList<RecipeFiles::File>{{tablePath, table, "1"}});
            return isLeftOut(*builtInCatalog(), files, {tablePath}, {u"hello"_s, u"python313"_s, cuda, row, isa},
                             former);
        };
        const QList<Variant> all = variantsOfGpus();
        QVERIFY(leftOut(u"12.8"_s, u"sm110"_s, u"armv9"_s, all, gpus));           // another toolkit
        QVERIFY(leftOut(u"12.8"_s, u"sm61"_s, u"avx512"_s, all, gpus));           // another instruction set
        QVERIFY(!leftOut(u"12.8"_s, u"sm80"_s, u"avx512"_s, all, gpus));          // listed
        QVERIFY(!leftOut(u"12.8"_s, u"sm90"_s, u"avx2"_s, all, gpus));            // no entry
        QVERIFY(!leftOut(u"12.8"_s, u"sm110"_s, u"armv9"_s, all.first(1), gpus)); // the lists are others
        QVERIFY(!leftOut(u"12.8"_s, u"sm110"_s, u"armv9"_s, all, "{ a = "));
    }

    // A value of which no recipe is left is told with its line.
    void namesEmptyLists()
    {
        QList<Variant> left = variantsOfGpus();
        QList<Variant> deleted;
        left.removeIf([&deleted](const Variant &variant) {
            const bool isGone = variant.row == "sm89"_L1 && (variant.cuda == "12.8"_L1 || variant.isa == "armv9"_L1);
            if (isGone)
                deleted.append(variant);
            return isGone;
        });
        const RecipeFiles files(QList<RecipeFiles::File>{{tablePath, gpus, "1"}});
        QStringList told;
        for (const ListOfRow &list : listsWithout(*builtInCatalog(), files, {tablePath}, deleted, left))
            told.append(u"%1 %2 %3"_s.arg(list.line).arg(list.row, list.value));
        QCOMPARE(told, (QStringList{u"26 sm89 armv9"_s, u"25 sm89 12.8"_s}));
    }

    // A toolkit gets its revision of nixpkgs in the table that decides, in that one's notation, where the recipe reads
    // another; nothing is written where it is pinned already, or where no table decides.
    void addsPins()
    {
        const QByteArray a(40, 'a'), b(40, 'b'), c(40, 'c');
        const auto pinned = [](const QByteArray &table, const QByteArray &select, const QByteArray &revision,
                               QString *place = nullptr) {
            const QByteArray recipe = "{ }:\nlet pins = import ./lib/table.nix; in (import (builtins.fetchTarball "
                                      "\"https://github.com/NixOS/nixpkgs/archive/${" +
                                      select + "}.tar.gz\") { }).hello\n";
            const auto files = std::make_shared<const RecipeFiles>(
                QList<RecipeFiles::File>{{tablePath, table, "1"}, {wrapperPath, recipe, "2", true}});
            return *withPinEntry(*builtInCatalog(), files, wrapperPath, recipe, u"13.0"_s,
                                 QString::fromLatin1(revision), nullptr, place)
                        ->text(tablePath);
        };
        const auto select = [](const QByteArray &set, const QByteArray &key) {
            return set + "." + key + " or pins.all";
        };
        for (const QByteArray key : {"\"13_0\"", "\"13.0\"", "cuda13_0", "cudaPackages_13_0"}) {
            const QByteArray former = QByteArray(key).replace("13", "12").replace("_0", "_9").replace(".0", ".9");
            const QByteArray table = "{\n  all = \"" + a + "\";\n  other = { " + former + " = \"" + b +
                                     "\"; };\n  over = {\n    " + former + " = \"" + b + "\"; # ours\n  };\n}\n";
            QString place;
            QCOMPARE(pinned(table, select("pins.over", key), c, &place),
                     QByteArray(table).replace("# ours\n", "# ours\n    " + key + " = \"" + c + "\";\n"));
            QCOMPARE(place, u"lib/table.nix:4"_s);
            QCOMPARE(pinned(table, select("pins.over", key), a), table); // pinned already
            QCOMPARE(pinned(table, "pins.all", c), table);               // read nowhere else
            QCOMPARE(pinned(table, select("pins.over", former), c), table);
        }
    }

    // Lists of toolkits in entries for versions get what comes, also one after the other.
    void extendsListsOfVersions()
    {
        const QByteArray table = "{\n  \"0.25-313\" = { boards = \"a\"; toolkits = [ \"12_8\" \"13_0\" ]; };\n"
                                 "  \"0.26-313\" = { boards = \"a\"; toolkits = [ \"12_8\" \"13_0\" ]; };\n}\n";
        QList<Variant> former, created;
        for (const QString &family : {u"hello025"_s, u"hello026"_s}) {
            for (const QString &toolkit : {u"12.8"_s, u"13.0"_s})
                former.append({family, u"python313"_s, toolkit, u"sm80"_s, u"avx2"_s});
            created.append({family, u"python313"_s, u"13.1"_s, u"sm80"_s, u"avx2"_s});
        }
        const QByteArray wrapper = "{ pkgs }: pkgs.hello.overrideAttrs (old: { pname = (import "
                                   "./lib/table.nix).\"0.25-313\".boards; })\n";
        auto files = std::make_shared<const RecipeFiles>(
            QList<RecipeFiles::File>{{tablePath, table, "1"}, {wrapperPath, wrapper, "2", true}});
        QList<ListOfRow> unclear;
        for (const Variant &variant : std::as_const(created))
            files = withListedVariant(*builtInCatalog(), files, wrapperPath, wrapper, variant, former, nullptr,
                                      &unclear, created);
        QVERIFY(unclear.isEmpty());
        QCOMPARE(*files->text(tablePath), QByteArray(table).replace("\"13_0\" ]", "\"13_0\" \"13_1\" ]"));
        // Of another Python there is none; where the lists have something else, they are told.
        Variant other = created.constFirst();
        other.python = u"python312"_s;
        QCOMPARE(withListedVariant(*builtInCatalog(), files, wrapperPath, wrapper, other, former), files);
        withListedVariant(*builtInCatalog(), files, wrapperPath, wrapper,
                          {u"hello025"_s, u"python313"_s, u"12.9"_s, u"sm80"_s, u"avx2"_s}, former, nullptr, &unclear);
        QCOMPARE(unclear.size(), 1);
        QCOMPARE(unclear.constFirst().row, u"0.25-313"_s);
    }

    void keepsOtherNotations()
    {
        const auto scalar = completed("{ sm80 = \"8.0\"; sm90 = \"9.0\"; }\n", "sm120", "");
        QVERIFY_OK(scalar);
        QCOMPARE(*scalar, QByteArray("{ sm80 = \"8.0\"; sm90 = \"9.0\"; sm120 = \"12.0\"; }\n"));
        const auto toolkit = completed("{\n  \"12_8\" = { overlay = \"cudaPackages_12_8\"; label = \"12.8\"; };\n"
                                       "  \"12_9\" = { overlay = \"cudaPackages_12_9\"; label = \"12.9\"; };\n}\n",
                                       "12_6", ".overlay");
        QVERIFY_OK(toolkit);
        QVERIFY2(
            toolkit->startsWith("{\n  \"12_6\" = { overlay = \"cudaPackages_12_6\"; label = \"12.6\"; };\n  \"12_8\""),
            toolkit->constData());
        const QByteArray isas =
            "{\n  avx2 = { flags = [ \"-mavx2\" \"-mfma\" \"-mf16c\" ]; host = \"x86_64-linux\"; };\n"
            "  avx512 = { flags = [ \"-mavx512f\" \"-mavx512dq\" \"-mavx512vl\" \"-mavx512bw\" "
            "\"-mfma\" ]; host = \"x86_64-linux\"; };\n}\n";
        const auto isa = completed(isas, "armv8_2", ".host");
        QVERIFY_OK(isa);
        QVERIFY2(isa->contains(
                     "\n  armv8_2 = { flags = [ \"-march=armv8.2-a+fp16+dotprod\" ]; host = \"aarch64-linux\"; };"),
                 isa->constData());
    }

    // Nothing is guessed: a value that does not follow, a key that nobody knows, a table of another kind.
    void refuses()
    {
        const QByteArray drivers = "{\n  \"12_8\" = { least = \"551\"; };\n  \"12_9\" = { least = \"566\"; };\n}\n";
        QVERIFY_ERROR(completed(drivers, "13_0", ".least"), u"lib/table.nix:1"_s);
        QVERIFY_ERROR(completed(drivers, "13_0", ".least"), u"least"_s);
        QVERIFY_ERROR(completed(gpus, "999"), u"\"999\""_s);
        const QByteArray versions = "{ \"0.25-313\" = { pin = \"a\"; }; \"0.26-313\" = { pin = \"b\"; }; }\n";
        QVERIFY_ERROR(completed(versions, "0.26-312", ".pin"), u"0.26-312"_s);
        QVERIFY_ERROR(completed("{ }\n", "90"), u"lib/table.nix:1"_s);
    }

    // Each row of the catalog is added to a table of the others, and what was there before keeps its value.
    /// An entry for another Python that cannot be made is shown as it would be written; with it, the table is whole.
    void showsWhatToPaste()
    {
        const QByteArray table =
            "{\n  \"0.25-313\" = {\n    version = \"0.25.0\"; # ours\n    set = \"python3Packages\";\n"
            "    name = \"python313\";\n  };\n  \"0.26-313\" = {\n    version = \"0.26.0\";\n    set = "
            "\"python3Packages\";\n    name = \"python313\";\n  };\n}\n";
        const QByteArray entry =
            "  \"0.26-312\" = {\n    version = \"0.26.0\";\n    set = \"python312Packages\";\n    name "
            "= \"python312\";\n  };";
        const auto refused = completed(table, "0.26-312", ".version");
        QVERIFY(!refused.ok());
        QVERIFY2(refused.error().remedy.endsWith(u'\n' + QString::fromUtf8(entry)), qPrintable(refused.error().remedy));
        const QByteArray pasted = QByteArray(table).chopped(2) + entry + "\n}\n";
        const auto whole = completed(pasted, "0.26-312", ".version");
        QVERIFY_OK(whole);
        QCOMPARE(*whole, pasted);
        for (const char *other : {"0.27-312", "0.26", "x-313"}) {
            const auto none = completed(table, other, ".version");
            QVERIFY2(none.ok() || !none.error().remedy.contains(u'{'), other);
        }
    }

    void isReadByNix()
    {
        const auto orin = completed(gpus, "87");
        QVERIFY_OK(orin);
        const auto evaluated = evaluatedJson(*orin);
        const auto before = evaluatedJson(gpus);
        QVERIFY(!before.isEmpty() && evaluated.size() == before.size() + 1);
        for (const QString &key : before.keys())
            QCOMPARE(evaluated.value(key), before.value(key));
    }
};

TM_TEST(TestTableEntry, QCoreApplication)
#include "tst_tableentry.moc"
