// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// A finding in a file that recipes import is one finding, and its fix is one edit there, for all of them.
#include "model/change/Change.h"
#include "model/git/Repository.h"
#include "model/snapshot/SnapshotReader.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/ImportingFixture.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString isaFile = u".flox/pkgs/lib/tables/isa.nix"_s;
const QString gpuFile = u".flox/pkgs/lib/tables/gpu.nix"_s;

QList<SharedFinding> foundBy(const BranchSnapshot &snapshot, const QString &rule)
{
    QList<const VariantEntry *> entries;
    for (const VariantEntry &entry : snapshot.entries)
        entries.append(&entry);
    QList<SharedFinding> found = findingsOf(entries);
    found.removeIf([&rule](const SharedFinding &one) { return one.finding.rule != rule; });
    return found;
}

Result<ChangeSet> fixOf(const ImportingFixture &f, const FixRequest &request)
{
    const Result<QList<ChangeSet>> sets = prepare(builtInCatalog(), f.path(), request);
    return sets ? Result<ChangeSet>(sets->constFirst()) : sets.error();
}

} // namespace

class FixImportsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void oneFindingAndOneEdit()
    {
        const ImportingFixture f;
        f.replace(u"lib/tables/isa.nix"_s, "\"-mavx2\" \"-mfma\"", "\"-mavx2\"");
        f.commit();
        const BranchSnapshot snapshot = f.snapshot();
        const QList<SharedFinding> found = foundBy(snapshot, u"cpu-flags-missing"_s);
        QCOMPARE(found.size(), 1);
        const Finding &finding = found.constFirst().finding;
        QCOMPARE(finding.file, isaFile);
        QCOMPARE(finding.line, 7);
        QVERIFY(finding.fixable);
        QVERIFY(found.constFirst().recipes.size() > 2);
        QVERIFY(placedSentence(finding).startsWith("lib/tables/isa.nix:7: "_L1));

        // Of the whole rule as one commit, and of one recipe's finding in the working tree.
        const auto all = fixOf(f, FixRequest{.rule = finding.rule});
        const auto one =
            fixOf(f, FixRequest{.finding = found.constFirst().recipes.constLast()->package() + u':' + finding.rule});
        for (const auto &fix : {all, one}) {
            QVERIFY_OK(fix);
            QCOMPARE(fix->files.size(), 1);
            QCOMPARE(fix->files.constFirst().path, isaFile);
            QVERIFY(fix->files.constFirst().chosen);
        }
        QCOMPARE(all->files, one->files);
        // By its place, as the audit prints it.
        for (const QString &place : {isaFile, u"lib/tables/isa.nix"_s}) {
            for (const QString &form : {u"%1:%2"_s, u"%1:7:%2"_s, u"%1:7:5:%2"_s, u"%1:%2:7"_s}) {
                const auto placed = fixOf(f, FixRequest{.finding = form.arg(place, finding.rule)});
                QVERIFY2(placed.ok(), qPrintable(placed ? QString() : placed.error().sentence()));
                QCOMPARE(placed->files, one->files);
            }
            QVERIFY_ERROR(fixOf(f, FixRequest{.finding = u"%1:8:%2"_s.arg(place, finding.rule)}),
                          u"has no such finding"_s);
        }
        QVERIFY_ERROR(fixOf(f, FixRequest{.finding = u"lib/none.nix:"_s + finding.rule}), u"no such recipe"_s);
        QVERIFY_ERROR(fixOf(f, FixRequest{.finding = isaFile + u":7:"_s}), u"not the name of a finding"_s);
        QVERIFY_ERROR(fixOf(f, FixRequest{.finding = isaFile + u":1:2:3:"_s + finding.rule}),
                      u"not the name of a finding"_s);
        const auto repository = Repository::open(f.path());
        QVERIFY_OK(repository->apply(*all));
        QVERIFY(f.read(isaFile).contains("\"-mavx2\" \"-mfma\" \"-mf16c\""));
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%s"_s}), "Fix cpu-flags-missing in lib/tables/isa.nix"_ba);
        QCOMPARE(f.status(), ""_ba);
        QVERIFY(foundBy(f.snapshot(), finding.rule).isEmpty());
    }

    /// The place is right for another recipe, which the fix would break.
    void noFixBreaksAnotherRecipe()
    {
        const ImportingFixture f;
        f.replace(u"torchvision-python313-cuda12_8-sm90-avx512.nix"_s, "sm = \"90\"", "sm = \"120\"");
        f.commit();
        const QString rule = u"gpu-targets-other"_s;
        const QList<SharedFinding> found = foundBy(f.snapshot(), rule);
        QCOMPARE(found.size(), 1);
        QVERIFY(found.constFirst().finding.file.isEmpty() && !found.constFirst().finding.fixable); // the argument
        const auto fix = fixOf(f, FixRequest{.rule = rule});
        QVERIFY_OK(fix);
        QVERIFY(fix->isEmpty());
        const QString told = fix->warnings.join(u' '); // instead of nothing
        QVERIFY2(told.contains("Not fixed: line "_L1) && told.contains(found.constFirst().finding.advice),
                 qPrintable(told));
        QVERIFY(!fixOf(f, FixRequest{.finding = u"torchvision-python313-cuda12_8-sm90-avx512:"_s + rule}));
    }

    /// The mistake is one recipe's: its value is right for another, which would change and still have no error.
    void noFixChangesWhatIsRight()
    {
        const ImportingFixture f;
        f.replace(u"torchvision-python313-cpu-avx2.nix"_s, "isa = \"avx2\"", "isa = \"avx512\"; toolkit = \"\"");
        f.commit();
        const QString rule = u"cpu-flags-missing"_s;
        const QList<SharedFinding> found = foundBy(f.snapshot(), rule);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.constFirst().finding.file, isaFile);
        const auto fix = fixOf(f, FixRequest{.rule = rule});
        QVERIFY_OK(fix);
        QVERIFY(fix->isEmpty());
        QVERIFY2(fix->warnings.constFirst().contains("line 8 is right for 1 other recipe"_L1),
                 qPrintable(fix->warnings.constFirst()));
    }

    /// A comment that says what a text in lib/ says stays, if that text has to.
    void commentsStayWithTheirText()
    {
        const ImportingFixture f;
        f.clear();
        f.write(pkgsFolder + u"lib/make.nix"_s,
                "{ sm, target }:\nlet\n  nixpkgs = import (builtins.fetchTarball {\n    url = "
                "\"https://github.com/NixOS/nixpkgs/archive/1111111111111111111111111111111111111111.tar.gz\";\n  }) { "
                "config.cudaSupport = true; };\nin\n(nixpkgs.python313Packages.torch.override { gpuTargets = [ target "
                "]; }).overrideAttrs (old: {\n  pname = \"pytorch-python313-cuda12_8-sm${sm}-avx2\";\n  meta = "
                "old.meta // { description = \"PyTorch for SM${sm}, driver 550+\"; };\n})\n");
        const auto wrapper = [&f](const char *sm, const char *target, const char *driver) {
            f.write(pkgsFolder + u"pytorch-python313-cuda12_8-sm%1-avx2.nix"_s.arg(QLatin1StringView(sm)),
                    QByteArray("# PyTorch for SM") + sm + ", driver " + driver +
                        "+\n{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make.nix { sm = \"" + sm +
                        "\"; target = \"" + target + "\"; }\n");
        };
        wrapper("90", "9.0", "550");
        wrapper("100", "10.0", "550"); // needs 570
        f.commitAll();
        const auto fix = fixOf(f, FixRequest{.rule = u"driver-low"_s});
        QVERIFY_OK(fix);
        QVERIFY2(fix->isEmpty(), fix->files.isEmpty() ? "" : qPrintable(fix->files.constLast().path));
        QVERIFY2(fix->warnings.join(u'\n').contains(u"sm100"_s), qPrintable(fix->warnings.join(u'\n')));
        // Where no recipe is right as it is, both change.
        f.git({u"rm"_s, u"--quiet"_s, pkgsFolder + u"pytorch-python313-cuda12_8-sm90-avx2.nix"_s});
        f.commit();
        const auto both = fixOf(f, FixRequest{.rule = u"driver-low"_s});
        QVERIFY_OK(both);
        QCOMPARE(both->files.size(), 2);
        for (const ChangedFile &file : both->files)
            QVERIFY(file.chosen && file.after->contains("driver 570"));
    }

    /// A recipe that cannot be read is named, and nothing is said to be fixed in one whose import cannot be read.
    void namesWhatCannotBeRead()
    {
        const ImportingFixture f;
        f.clear();
        const auto wrapper = [&f](const char *sm, const char *imported, const char *head) {
            f.write(pkgsFolder + u"pytorch-python313-cuda12_8-sm%1-avx2.nix"_s.arg(QLatin1StringView(sm)),
                    QByteArray("# PyTorch for SM") + sm + ", driver 550+\n" + head +
                        "{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/" + imported + " { sm = \"" + sm + "\"; }\n");
        };
        const QByteArray library = "{ sm }:\nlet\n  nixpkgs = import <nixpkgs> { };\nin\n"
                                   "nixpkgs.python313Packages.torch.override { gpuTargets = [ sm ]; }\n";
        f.write(pkgsFolder + u"lib/right.nix"_s, library);
        f.write(pkgsFolder + u"lib/wrong.nix"_s, QByteArray(library).replace("in\n", "in in\n"));
        wrapper("100", "right.nix", "");
        wrapper("90", "wrong.nix", "");
        wrapper("120", "wrong.nix", "");
        wrapper("89", "right.nix", "= ");
        f.commitAll();
        const auto fix = fixOf(f, FixRequest{.rule = u"driver-low"_s});
        QVERIFY_OK(fix);
        QStringList written;
        for (const ChangedFile &file : fix->files) {
            if (file.chosen)
                written.append(file.name);
        }
        QCOMPARE(written, QStringList{u"pytorch-python313-cuda12_8-sm100-avx2"_s});
        const QString told = fix->warnings.join(u'\n');
        QVERIFY2(fix->warnings.size() == 2, qPrintable(told));
        QVERIFY2(told.contains("sm89-avx2.nix:2"_L1) && told.contains("wrong.nix:4"_L1), qPrintable(told));
        QCOMPARE(told.count("Not read: "_L1), 2);
        // All that it says about recipes that are read.
        const auto none = fixOf(f, FixRequest{.rule = u"cpu-flags-other"_s});
        QVERIFY_OK(none);
        QVERIFY(none->isEmpty() && none->warnings == fix->warnings);
        QVERIFY(
            !fixOf(f, FixRequest{.rule = u"cpu-flags-other"_s, .names = {u"pytorch-python313-cuda12_8-sm100-avx2"_s}}));
    }

    /// What is not committed in an imported file stays uncommitted.
    void uncommittedTextIsKept()
    {
        const ImportingFixture f;
        f.replace(u"lib/tables/isa.nix"_s, "\"-mavx2\" \"-mfma\"", "\"-mavx2\"");
        const auto fix = fixOf(f, FixRequest{.rule = u"cpu-flags-missing"_s});
        QVERIFY_OK(fix);
        QVERIFY(fix->isEmpty());
        QVERIFY(fix->warnings.constFirst().contains("uncommitted"_L1));
    }
};

TM_TEST(FixImportsTest, QCoreApplication)
#include "tst_fiximports.moc"
