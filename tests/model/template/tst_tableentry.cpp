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
Result<QByteArray> completed(const QByteArray &table, const QByteArray &key, const QByteArray &use = ".capability")
{
    const QByteArray wrapper =
        "{ pkgs }: pkgs.hello.overrideAttrs (old: { pname = \"x\" + (import ./lib/table.nix).\"" + key + "\"" + use +
        "; })\n";
    const auto files = std::make_shared<const RecipeFiles>(
        QList<RecipeFiles::File>{{tablePath, table, "1"}, {wrapperPath, wrapper, "2", true}});
    const auto result = withTableEntries(*builtInCatalog(), files, wrapperPath, wrapper);
    if (!result)
        return result.error();
    return *(*result)->text(tablePath);
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
    arm = [ "armv9" ];
  };
  "89" =)"),
                 orin->constData());
        QVERIFY(orin->contains("61") && orin->size() > gpus.size());
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
