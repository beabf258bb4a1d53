// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// A recipe is its text and what it imports: states, findings and facts of wrappers over files in lib/.
#include "tests/support/ImportingFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString gpuWrapper = u"torchvision-python313-cuda12_8-sm90-avx512"_s;
const QString cpuWrapper = u"torchvision-python313-cpu-avx2"_s;
const QString plainImport = u"pytorch-python313-cpu-avx2"_s;
const QString isaTable = u"lib/tables/isa.nix"_s;

const Finding *importFinding(const VariantEntry &entry, const QString &rule)
{
    const auto found = std::ranges::find(entry.findings, rule, &Finding::rule);
    return found == entry.findings.end() ? nullptr : &*found;
}

QString samenessNow(const VariantEntry &a, const VariantEntry &b)
{
    return toString(samenessOf(a.text, *a.meaning, b.text, *b.meaning));
}

} // namespace

class ImportsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void readsFactsWhereTheyAreStated()
    {
        const ImportingFixture fixture;
        const VariantEntry entry = fixture.entry(gpuWrapper);
        const QList<Fact> facts = entry.facts->rows();
        const auto fact = [&facts](const QString &id) {
            const auto found = std::ranges::find(facts, id, &Fact::id);
            return found == facts.end() ? QString()
                                        : u"%1 (%2:%3)"_s.arg(found->value, shownPath(found->file)).arg(found->line);
        };
        QCOMPARE(fact(u"cpu_flags"_s), u"-mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma (lib/tables/isa.nix:8)"_s);
        QCOMPARE(fact(u"pin"_s), u"1111111111111111111111111111111111111111 (lib/tables/versions.nix:8)"_s);
        QCOMPARE(fact(u"toolkit"_s), u"cudaPackages_12_8 (lib/make-vision.nix:41)"_s);
        QCOMPARE(entry.facts->torch.kind, TorchSource::Kind::Fetched);
        QCOMPARE(entry.facts->torch.file, u"pytorch29-python313-cuda12_8-sm90-avx512.nix"_s);
        QCOMPARE(entry.imports->paths.size(), 6);
    }

    void aChangeThatIsNotCommittedModifiesWhatImportsIt()
    {
        const ImportingFixture fixture;
        static_cast<void>(fixture.commitFile(pkgsFolder + plainImport + u".nix"_s,
                                             "{ pkgs }: pkgs.callPackage ./lib/tables/gpu.nix { }\n"));
        const BranchSnapshot before = fixture.snapshot();
        QVERIFY2(!before.find(plainImport)->firstError(), qPrintable(before.find(plainImport)->reason));
        fixture.replace(u"lib/tables/gpu.nix"_s, "9.0", "9.0a");
        const BranchSnapshot after = fixture.snapshot();
        QCOMPARE(after.find(plainImport)->fileStatus, FileStatus::Clean);
        QCOMPARE(toString(after.find(plainImport)->state), u"modified"_s);
        QVERIFY2(after.find(plainImport)->reason.contains("lib/tables/gpu.nix"_L1),
                 qPrintable(after.find(plainImport)->reason));
        QCOMPARE(after.find(gpuWrapper)->changedImports(), QStringList{pkgsFolder + u"lib/tables/gpu.nix"_s});
        // It names their folder.
        const QString whole = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        QVERIFY(after.find(whole)->imports &&
                after.find(whole)->changedImports() == QStringList{pkgsFolder + u"lib/tables/gpu.nix"_s});
        QVERIFY(!(after == before));
        fixture.git({u"checkout"_s, u"--quiet"_s, u"."_s});
        QVERIFY(fixture.snapshot() == before);
    }

    void branchesThatDifferInWhatIsImportedAreNotIdentical_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<QString>("gpu");
        QTest::addColumn<QString>("cpu");
        const auto row = [](const char *name, const QString &file, const char *before, const char *after, Sameness gpu,
                            Sameness cpu) {
            QTest::newRow(name) << file << QByteArray(before) << QByteArray(after) << toString(gpu) << toString(cpu);
        };
        constexpr auto equal = Sameness::Equal;
        constexpr auto different = Sameness::Different;
        row("comment", u"lib/fixups.nix"_s, "# What", "# Whatever", equal, equal);
        row("shell comment", u"lib/make-vision.nix"_s, "# What is", "# What was", Sameness::SameBuild,
            Sameness::SameBuild);
        row("flag", isaTable, "-mf16c", "-mf16d", equal, different);
        row("capability", u"lib/tables/gpu.nix"_s, "9.0", "9.0a", different, equal);
        row("pin", u"lib/tables/versions.nix"_s, "1111111111", "1111111112", different, different);
        row("unused version", u"lib/tables/versions.nix"_s, "3333333333", "3333333334", equal, equal);
        row("jobs", u"lib/make-vision.nix"_s, "-j32", "-j16", Sameness::SameBuild, Sameness::SameBuild);
        row("name", u"lib/make-vision.nix"_s, "isCuda", "withCuda", equal, equal);
    }
    void branchesThatDifferInWhatIsImportedAreNotIdentical()
    {
        QFETCH(const QString, file);
        QFETCH(const QByteArray, before);
        QFETCH(const QByteArray, after);
        const ImportingFixture fixture;
        fixture.git({u"checkout"_s, u"--quiet"_s, u"-b"_s, u"second"_s});
        QCOMPARE(samenessNow(fixture.entry(gpuWrapper, u"main"_s), fixture.entry(gpuWrapper, u"second"_s)),
                 u"identical"_s);
        fixture.replace(file, before, after);
        fixture.commit();
        const bool comment = QLatin1StringView(QTest::currentDataTag()) == "comment"_L1;
        for (const QString &name : {gpuWrapper, cpuWrapper})
            QCOMPARE(fixture.entry(name, u"main"_s).source().builtKey() ==
                         fixture.entry(name, u"second"_s).source().builtKey(),
                     comment);
        QTEST(samenessNow(fixture.entry(gpuWrapper, u"main"_s), fixture.entry(gpuWrapper, u"second"_s)), "gpu");
        QTEST(samenessNow(fixture.entry(cpuWrapper, u"main"_s), fixture.entry(cpuWrapper, u"second"_s)), "cpu");
    }

    /// A value in lib/ that is right for another recipe which reads it cannot be fixed there for this one.
    void aValueThatOthersNeedIsNotFixedThere_data()
    {
        QTest::addColumn<QByteArray>("isa");
        QTest::addColumn<bool>("fixable");
        QTest::newRow("right for another") << QByteArray("\"avx512\"") << false;
        QTest::newRow("right for none") << QByteArray("\"avx\"") << true;
    }
    void aValueThatOthersNeedIsNotFixedThere()
    {
        QFETCH(const QByteArray, isa);
        QFETCH(const bool, fixable);
        const ImportingFixture fixture;
        fixture.replace(u"lib/make-vision.nix"_s, "cpuISA = isa;", "cpuISA = " + isa + ';');
        const VariantEntry entry = fixture.entry(cpuWrapper);
        const Finding *finding = importFinding(entry, u"passthru-other"_s);
        QVERIFY(finding);
        QCOMPARE(shownPath(finding->file), u"lib/make-vision.nix"_s);
        QCOMPARE(finding->fixable, fixable);
        QCOMPARE(finding->advice.contains("What stands there is right for 1 other"_L1), !fixable);
    }

    void findsImportsThatFloxDoesNotSee_data()
    {
        QTest::addColumn<QByteArray>("import");
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("missing") << QByteArray("./tables/nowhere.nix") << u"import-missing"_s
                                 << u"lib/make-vision.nix:11: It imports ./tables/nowhere.nix, which does not exist."_s;
        QTest::newRow("outside") << QByteArray("../../../../tables/isa.nix") << u"import-outside"_s
                                 << u"lib/make-vision.nix:11: It imports ../../../../tables/isa.nix, outside of the "
                                    "repository."_s;
        QTest::newRow("absolute") << QByteArray("/home/ada/isa.nix") << u"import-absolute"_s
                                  << u"lib/make-vision.nix:11: It imports the absolute path /home/ada/isa.nix."_s;
        QTest::newRow("absolute, the rest computed")
            << QByteArray("/home/ada/isa-${name}.nix") << u"import-absolute"_s
            << u"lib/make-vision.nix:11: It imports the absolute path /home/ada/isa-\u2026."_s;
        QTest::newRow("untracked") << QByteArray("./tables/new.nix") << u"import-untracked"_s
                                   << u"lib/make-vision.nix:11: It imports .flox/pkgs/lib/tables/new.nix, which git "
                                      "does not track."_s;
    }
    void findsImportsThatFloxDoesNotSee()
    {
        QFETCH(const QByteArray, import);
        QFETCH(const QString, rule);
        const ImportingFixture fixture;
        QVERIFY(!importFinding(fixture.entry(gpuWrapper), rule));
        fixture.write(pkgsFolder + u"lib/.gitignore"_s, "new.nix\n");
        fixture.replace(u"lib/make-vision.nix"_s, "import ./tables/isa.nix", "import " + import);
        fixture.commit();
        fixture.write(pkgsFolder + u"lib/tables/new.nix"_s, fixture.read(pkgsFolder + isaTable));
        const VariantEntry entry = fixture.entry(gpuWrapper);
        const Finding *finding = importFinding(entry, rule);
        QVERIFY(finding);
        QTEST(placedSentence(*finding), "sentence");
        QCOMPARE(toString(finding->severity), u"error"_s);
        QVERIFY(entry.state == RecipeState::Broken);
        QCOMPARE(entry.reason, placedSentence(*entry.firstError()));
    }

    void aMissingFileIsFoundAtTheLineOfTheRecipe()
    {
        const ImportingFixture fixture;
        fixture.git({u"rm"_s, u"--quiet"_s, pkgsFolder + u"lib/make-vision.nix"_s});
        fixture.commit();
        const Finding *finding = nullptr;
        const VariantEntry entry = fixture.entry(gpuWrapper);
        QVERIFY((finding = importFinding(entry, u"import-missing"_s)));
        QCOMPARE(finding->line, 3);
        QCOMPARE(finding->sentence, u"It imports ./lib/make-vision.nix, which does not exist."_s);
    }

    void aFileThatIsNotNixBreaksWhatImportsIt()
    {
        const ImportingFixture fixture;
        fixture.write(pkgsFolder + isaTable, "{ avx2 = [ \"-mavx2\" ]; }}\n");
        fixture.commit();
        const VariantEntry entry = fixture.entry(gpuWrapper);
        const Finding *finding = importFinding(entry, u"import-invalid"_s);
        QVERIFY(finding);
        QVERIFY2(finding->sentence.contains(u"is not valid Nix: "_s), qPrintable(finding->sentence));
        QCOMPARE(finding->file, pkgsFolder + isaTable);
        QCOMPARE(finding->line, 1);
        QVERIFY(entry.state == RecipeState::Broken);
    }

    void theWorkingTreesFileCountsEvenIfItCannotBeRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("why");
        QTest::newRow("bytes") << "\xff\xfe\x01" + QByteArray(200'000, '\xc3') << u"it is not text"_s;
        QTest::newRow("too large") << QByteArray(2'000'000, ' ') << u"it is larger than"_s;
        QTest::newRow("half an expression") << "{ avx2 = [ \""_ba << u"is not valid Nix"_s;
        QTest::newRow("folder") << "folder"_ba << u"it is a folder"_s;
        QTest::newRow("link") << "link"_ba << u"it is a link"_s;
    }

    /// Not committed, at a file that recipes import: one finding at each recipe, and none from what was committed.
    void theWorkingTreesFileCountsEvenIfItCannotBeRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, why);
        const ImportingFixture fixture;
        QVERIFY(!importFinding(fixture.entry(gpuWrapper), u"import-invalid"_s));
        const QString file = fixture.path() + u'/' + pkgsFolder + isaTable;
        if (text == "folder" || text == "link") {
            QVERIFY(QFile::remove(file));
            QVERIFY(text == "link" ? QFile::link(u"gpu.nix"_s, file) : QDir().mkpath(file));
        } else {
            fixture.write(pkgsFolder + isaTable, text);
        }
        const VariantEntry entry = fixture.entry(gpuWrapper);
        const Finding *finding = importFinding(entry, u"import-invalid"_s);
        QVERIFY(finding);
        QVERIFY2(finding->sentence.contains(why), qPrintable(finding->sentence));
        QCOMPARE(std::ranges::count(entry.findings, u"import-invalid"_s, &Finding::rule), 1);
        QVERIFY(entry.state == RecipeState::Broken);
    }

    /// Nix follows a link; what git has of it is the same everywhere.
    void aCommittedLinkIsWhatItLeadsTo()
    {
        const ImportingFixture fixture;
        const VariantEntry before = fixture.entry(gpuWrapper);
        const QString file = fixture.path() + u'/' + pkgsFolder + isaTable;
        QVERIFY(QFile::rename(file, QFileInfo(file).path() + u"/isa-table.nix"_s));
        QVERIFY(QFile::link(u"isa-table.nix"_s, file));
        fixture.commitAll();
        const VariantEntry entry = fixture.entry(gpuWrapper);
        QVERIFY(!importFinding(entry, u"import-invalid"_s));
        QCOMPARE(samenessNow(before, entry), u"identical"_s);
        // Its target is not there, is elsewhere, or is not committed.
        QVERIFY(QFile::remove(file) && QFile::link(u"isa-tables.nix"_s, file));
        fixture.commitAll();
        QVERIFY(importFinding(fixture.entry(gpuWrapper), u"import-invalid"_s));
        fixture.write(pkgsFolder + u"lib/tables/isa-tables.nix"_s, "{ }\n");
        QVERIFY(importFinding(fixture.entry(gpuWrapper), u"import-invalid"_s));
        fixture.git({u"clean"_s, u"--quiet"_s, u"--force"_s, u"-d"_s});
        QVERIFY(QFile::remove(file) && QFile::link(u"../tables/isa-table.nix"_s, file));
        fixture.commitAll();
        QVERIFY(importFinding(fixture.entry(gpuWrapper), u"import-invalid"_s));
    }

    /// It is found where nothing else names the file that it leads to.
    void aLinkBesideNothingThatIsRead()
    {
        const ImportingFixture fixture;
        fixture.write(u"nix/table.nix"_s, "{ avx2 = [ ]; }\n");
        QVERIFY(QFile::link(u"table.nix"_s, fixture.path() + u"/nix/isa.nix"_s));
        fixture.commitAll();
        static_cast<void>(fixture.commitFile(pkgsFolder + plainImport + u".nix"_s,
                                             "{ pkgs }: pkgs.callPackage ../../nix/isa.nix { }\n"));
        const VariantEntry entry = fixture.entry(plainImport);
        QVERIFY(!importFinding(entry, u"import-invalid"_s) && !importFinding(entry, u"import-missing"_s));
    }

    void importsThatGoRoundAreBounded()
    {
        const ImportingFixture fixture;
        fixture.write(pkgsFolder + isaTable, "import ./gpu.nix\n");
        fixture.write(pkgsFolder + u"lib/tables/gpu.nix"_s, "import ./isa.nix\n");
        fixture.commit();
        const VariantEntry entry = fixture.entry(gpuWrapper);
        QVERIFY(!entry.meaning->isKnown());
        QCOMPARE(entry.meaning->problem, u"it refers to itself"_s);
        const Finding *finding = importFinding(entry, u"import-cycle"_s);
        QVERIFY(finding);
        QCOMPARE(finding->file, pkgsFolder + isaTable);
        QCOMPARE(std::ranges::count(entry.findings, u"import-cycle"_s, &Finding::rule), 1);
        // Each may need something else of the other.
        fixture.write(pkgsFolder + isaTable, "{ base = [ \"-mavx512f\" ]; inherit (import ./gpu.nix) all; }\n");
        fixture.write(pkgsFolder + u"lib/tables/gpu.nix"_s, "{ all = (import ./isa.nix).base; }\n");
        fixture.commit();
        QVERIFY(!importFinding(fixture.entry(gpuWrapper), u"import-cycle"_s));
    }

    /// A file that is read as text as well is compared with its comments.
    void commentsCountInWhatIsReadAsText()
    {
        const ImportingFixture fixture;
        const auto keyWith = [&](const QByteArray &use, const QByteArray &comment) {
            fixture.write(pkgsFolder + u"lib/tables/note.nix"_s, "{ x = 1; } # " + comment + "\n");
            fixture.write(pkgsFolder + plainImport + u".nix"_s,
                          "{ pkgs }: pkgs.hello // (import ./lib/tables/note.nix) // { y = " + use + "; }\n");
            fixture.git({u"add"_s, u"--all"_s});
            return fixture.entry(plainImport).source().builtKey();
        };
        QCOMPARE(keyWith("2", "a"), keyWith("2", "b"));
        QVERIFY(keyWith("builtins.readFile ./lib/tables/note.nix", "a") !=
                keyWith("builtins.readFile ./lib/tables/note.nix", "b"));
    }

    /// A recipe may depend on its own name, and on the line of what it says: two of the same text are two recipes, and
    /// a comment that moves the line is no comment alone.
    void aRecipeThatAsksWhereItIs()
    {
        const ImportingFixture fixture;
        const QString other = QString(plainImport).replace("avx2"_L1, "avx512"_L1);
        const auto write = [&](const QByteArray &ours, const QByteArray &lib) {
            fixture.write(pkgsFolder + u"lib/named.nix"_s, lib);
            for (const QString &name : {plainImport, other})
                fixture.write(pkgsFolder + name + u".nix"_s, ours);
            fixture.git({u"add"_s, u"--all"_s});
            fixture.git({u"commit"_s, u"--quiet"_s, u"--allow-empty"_s, u"-m"_s, u"Ask"_s});
        };
        const QByteArray byFile = "{ pkgs }: import ./lib/named.nix { inherit pkgs; at = __curPos; }\n";
        const QByteArray names = "{ pkgs, at }: pkgs.hello.overrideAttrs { pname = pkgs.lib.removeSuffix \".nix\" "
                                 "(baseNameOf at.file); }\n";
        write(byFile, names);
        const VariantEntry one = fixture.entry(plainImport);
        const VariantEntry two = fixture.entry(other);
        QCOMPARE(one.facts->package.pname.value, plainImport);
        QCOMPARE(two.facts->package.pname.value, other);
        QCOMPARE(samenessNow(one, two), u"different"_s);
        QVERIFY(one.source().builtKey() != two.source().builtKey());
        write(byFile, "# ours\n" + names);
        QCOMPARE(samenessNow(one, fixture.entry(plainImport)), u"equal"_s);
        // The line is told to the build.
        const QByteArray byLine = "{ pkgs, at }: pkgs.hello.overrideAttrs { line = toString at.line; }\n";
        write(byFile, byLine);
        const VariantEntry line = fixture.entry(plainImport);
        write("# ours\n" + byFile, byLine);
        QCOMPARE(samenessNow(line, fixture.entry(plainImport)), u"different"_s);
        QVERIFY(line.source().builtKey() != fixture.entry(plainImport).source().builtKey());
        // A file in lib/ asks where the recipe states something.
        const QByteArray asks = "{ pkgs, sm }@args: pkgs.hello.overrideAttrs { at = (builtins.unsafeGetAttrPos \"sm\" "
                                "args).file; }\n";
        const QByteArray states = "{ pkgs }: import ./lib/named.nix { inherit pkgs; sm = \"90\"; }\n";
        write(states, asks);
        const VariantEntry stated = fixture.entry(plainImport);
        QCOMPARE(samenessNow(stated, fixture.entry(other)), u"different"_s);
        write(states, "# ours\n" + asks);
        QCOMPARE(samenessNow(stated, fixture.entry(plainImport)), u"different"_s);
    }

    /// Eight wrappers; one of them passes something else than its name says. What is wrong is its import, not the line
    /// of the library that is right for the others; a defect of the library stays where it is.
    void placesAtTheImportWhatTheRecipePasses_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<QString>("rule");
        QTest::newRow("GPU") << gpuWrapper << QByteArray("sm = \"90\"") << QByteArray("sm = \"120\"")
                             << u"gpu-targets-other"_s;
        QTest::newRow("ISA") << gpuWrapper << QByteArray("\"avx512\"") << QByteArray("\"avx2\"")
                             << u"pname-of-another"_s;
        QTest::newRow("toolkit") << gpuWrapper << QByteArray("12_8") << QByteArray("13_0") << u"cuda-overlay-other"_s;
        QTest::newRow("table") << isaTable << QByteArray("\"-mavx512vl\" ") << QByteArray() << u"cpu-flags-missing"_s;
    }
    void placesAtTheImportWhatTheRecipePasses()
    {
        QFETCH(const QString, file);
        QFETCH(const QByteArray, before);
        QFETCH(const QByteArray, after);
        QFETCH(const QString, rule);
        const ImportingFixture fixture;
        for (const QString &toolkit : {u"12_8"_s, u"13_0"_s}) {
            for (const QString &sm : {u"90"_s, u"120"_s}) {
                for (const QString &isa : {u"avx2"_s, u"avx512"_s})
                    fixture.write(
                        pkgsFolder + u"torchvision-python313-cuda%1-sm%2-%3.nix"_s.arg(toolkit, sm, isa),
                        u"{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/make-vision.nix { release = \"0.24\"; python = \"313\"; backend = \"cuda\"; sm = \"%1\"; isa = \"%2\"; toolkit = \"%3\"; }\n"_s
                            .arg(sm, isa, toolkit)
                            .toUtf8());
            }
        }
        fixture.git({u"add"_s, u"--all"_s});
        fixture.commit();
        const QList<Finding> sound = fixture.entry(gpuWrapper).findings;
        fixture.replace(file.endsWith(".nix"_L1) ? file : file + u".nix"_s, before, after);
        QStringList rules;
        for (const Finding &finding : fixture.entry(gpuWrapper).findings) {
            if (finding.severity == Severity::Note || sound.contains(finding))
                continue;
            rules.append(finding.rule);
            QVERIFY2(finding.file == (file == isaTable ? pkgsFolder + isaTable : QString()),
                     qPrintable(finding.rule + u' ' + placedSentence(finding)));
            QVERIFY(finding.line > 0);
            QVERIFY(file == isaTable || finding.line == 2);
        }
        QVERIFY2(rules.contains(rule), qPrintable(rules.join(u' ')));
    }

    /// callPackage cannot be followed where a package may replace a default; what it reads is code all the same.
    void commentsOfCalledFilesDoNotCount()
    {
        const ImportingFixture fixture;
        const QString name = plainImport;
        fixture.write(pkgsFolder + u"lib/called/default.nix"_s,
                      "{ stdenv, debug ? false, sm }: stdenv.mkDerivation (import ./flags.nix // { inherit sm; })\n");
        fixture.write(pkgsFolder + u"lib/called/flags.nix"_s, "{ C = \"-O2\"; }\n");
        fixture.write(pkgsFolder + u"lib/called/other.nix"_s, "{ }\n");
        fixture.write(pkgsFolder + name + u".nix"_s, "{ pkgs }: pkgs.callPackage ./lib/called { sm = \"90\"; }\n");
        fixture.git({u"add"_s, u"--all"_s});
        fixture.commit();
        const VariantEntry before = fixture.entry(name);
        const auto after = [&](const char *file, const QByteArray &old, const QByteArray &now) {
            fixture.replace(u"lib/called/"_s + QString::fromLatin1(file), old, now);
            fixture.commit();
            const QString said = samenessNow(before, fixture.entry(name));
            fixture.git({u"reset"_s, u"--quiet"_s, u"--hard"_s, u"HEAD~1"_s});
            return said;
        };
        QCOMPARE(after("default.nix", "{ stdenv", "# ours\n{ stdenv"), u"equal"_s);
        QCOMPARE(after("flags.nix", "{ C", "# ours\n{ C"), u"equal"_s);
        QCOMPARE(after("other.nix", "{ }", "{ a = 1; }"), u"identical"_s);
        QCOMPARE(after("flags.nix", "-O2", "-O3"), u"different"_s);
        QCOMPARE(after("default.nix", "debug ? false", "debug ? true"), u"different"_s);
    }

    /// Also a file outside of .flox/pkgs, a patch, and a folder.
    void coversWhatPathsName()
    {
        const ImportingFixture fixture;
        const QString name = plainImport;
        fixture.write(u"nix/more.nix"_s, "pkgs: pkgs.lib.callPackageWith pkgs ({ stdenv, patch }: \"-O2\")\n");
        fixture.write(u"patches/a.patch"_s, "-1\n+2\n");
        fixture.write(pkgsFolder + name + u".nix"_s,
                      "{ pkgs }: import ../../nix/more.nix pkgs { patch = ../../patches/a.patch; }\n");
        fixture.git({u"add"_s, u"--all"_s});
        fixture.commit();
        const VariantEntry before = fixture.entry(name);
        QCOMPARE(before.imports->paths, (QStringList{u"nix/more.nix"_s, u"patches/a.patch"_s}));
        for (const auto &[path, text] :
             {std::pair(u"nix/more.nix"_s, "pkgs: pkgs.lib.callPackageWith pkgs ({ stdenv, patch }: \"-O3\")\n"),
              std::pair(u"patches/a.patch"_s, "-1\n+2 # more\n")}) {
            fixture.write(path, text);
            QCOMPARE(toString(fixture.entry(name).state), u"modified"_s);
            QVERIFY(fixture.entry(name).source().builtKey() != before.source().builtKey());
            fixture.commit();
            QCOMPARE(samenessNow(before, fixture.entry(name)), u"different"_s);
            fixture.git({u"reset"_s, u"--quiet"_s, u"--hard"_s, u"HEAD~1"_s});
        }
        QCOMPARE(samenessNow(before, fixture.entry(name)), u"identical"_s);
    }
};

TM_TEST(ImportsTest, QCoreApplication)
#include "tst_imports.moc"
