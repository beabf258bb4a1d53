// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Change.h"
#include "model/change/RecipeWriters.h"
#include "tests/support/ImportingFixture.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QByteArray generator = "#!/usr/bin/env bash\n"
                             "out=\"$(dirname \"$0\")/../.flox/pkgs\"\n"
                             "rm -f \"$out\"/vision*.nix\n"
                             "for sm in 80 90; do\n"
                             "  cat > \"$out/vision-cuda12_8-sm$sm.nix\" <<EOF\n"
                             "{ pkgs ? import <nixpkgs> {} }:\n"
                             "import ./lib/mkVision.nix { sm = \"$sm\"; }\n"
                             "EOF\n"
                             "done\n";

} // namespace

class RecipeWritersTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void programs_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("writes");
        QTest::newRow("a shell script") << u"scripts/generate.sh"_s << generator << true;
        QTest::newRow("without an ending") << u"regenerate"_s << generator << true;
        QTest::newRow("Python") << u"tools/gen.py"_s
                                << QByteArray("PKGS = '.flox/pkgs'\nT = '{ pkgs, lib }: pkgs.torch.override { }'\n")
                                << true;
        QTest::newRow("a document that quotes it") << u"docs/notes.md"_s << generator << false;
        QTest::newRow("it only reads them")
            << u"check.sh"_s << QByteArray("for f in .flox/pkgs/*.nix; do grep -q sm90 \"$f\" || echo \"$f\"; done\n")
            << false;
        QTest::newRow("Nix of another folder")
            << u"gen.sh"_s << QByteArray("echo 'import ./lib/x.nix { }' > a.nix\n") << false;
        QTest::newRow("a recipe itself") << u".flox/pkgs/x.nix"_s << generator << false;
        QTest::newRow("no text") << u"gen.bin"_s << QByteArray("\0", 1) + generator << false;
    }
    void programs()
    {
        QFETCH(const QString, path);
        QFETCH(const QByteArray, text);
        QFETCH(const bool, writes);
        const test::GitFixture fixture;
        fixture.commitFile(path, text);
        const auto reader = CommitReader::open(fixture.path());
        QVERIFY_OK(reader);
        const auto found = recipeWriters(*reader, fixture.head());
        QVERIFY_OK(found);
        QCOMPARE(*found, writes ? QStringList{path} : QStringList());
    }

    // Who adds a recipe or deletes one is told of the program that would undo it.
    void aChangeOfRecipesNamesThem()
    {
        const ImportingFixture fixture;
        const auto warnings = [&fixture](const ChangeRequest &request) {
            const auto sets = prepare(fixture.reader, fixture.path(), request);
            return sets ? sets->constFirst().warnings.filter(u"Recipes are written by"_s).size() : -1;
        };
        const GenerateRequest one{.branch = {}, .names = {u"torchvision-python313-cuda12_8-sm86-avx2"_s}};
        QCOMPARE(warnings(one), 0);
        fixture.commitFile(u"scripts/generate.sh"_s, generator);
        QCOMPARE(warnings(one), 1);
    }
};

TM_TEST(RecipeWritersTest, QCoreApplication)
#include "tst_recipewriters.moc"
