// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/BranchSnapshot.h"
#include "tests/support/BranchContents.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QSet>
#include <QTest>
#include <QThread>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString sm90 = u"pytorch-python313-cuda12_8-sm90-avx2"_s;

BranchContent mainWith(const QList<VersionedFile> &files, bool withWorkTree = true)
{
    return {u"main"_s, QString(40, u'a'), withWorkTree, files};
}

/// Those entries that are not just missing, one line each: name, state, reason.
QString asText(const BranchSnapshot &snapshot)
{
    QStringList lines;
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.state == RecipeState::Missing && entry.reason.isEmpty())
            continue;
        QStringList words{entry.variant.name(), toString(entry.state)};
        if (!entry.covered)
            words.append(u"(not covered)"_s);
        if (entry.file != entry.variant.file())
            words.append(u"in "_s + entry.package());
        if (!entry.reason.isEmpty())
            words.append(u"- "_s + entry.reason);
        lines.append(words.join(u' '));
    }
    for (const QString &path : snapshot.unrecognised)
        lines.append(u"unrecognised "_s + path);
    return lines.join(u'\n');
}

} // namespace

class BranchSnapshotTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void wholeLinesAreCurrent_data();
    void wholeLinesAreCurrent();
    void emptyBranchHasNoMatrix();
    void emptyBranchWithAFileMissesAll();
    void stateOfOneFile_data();
    void stateOfOneFile();
    void conflicts();
    void lineEndsThatGitWritesAreNoFinding();
    void otherBranchIsReadFromItsCommit();
    void namesAndCells_data();
    void namesAndCells();
    void channelsArePackages();
    void packageIsTheFileThatIsThere();
    void lineOfTheBranch_data();
    void lineOfTheBranch();
    void inferredToolkitsHaveTheirOwnPins();
    void inferredLinePromisesWhatIsThere();
    void twoToolkitsWithoutCudaPart();
    void toolkitOfRecipesWithoutCudaPart();
    void workersAgree();
};

void BranchSnapshotTest::wholeLinesAreCurrent_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("total");
    QTest::newRow("main") << u"main"_s << 44;
    QTest::newRow("cuda-12_9") << u"cuda-12_9"_s << 50;
    QTest::newRow("cuda-13_0") << u"cuda-13_0"_s << 59;
}

void BranchSnapshotTest::wholeLinesAreCurrent()
{
    QFETCH(const QString, line);
    QFETCH(const int, total);
    const BranchSnapshot snapshot = snapshotOf(wholeLine(line));
    QCOMPARE(toString(snapshot.settings.source), u"built-in"_s);
    QCOMPARE(snapshot.entries.size(), total);
    QCOMPARE(snapshot.counts(), (QMap<RecipeState, int>{{RecipeState::Current, total}}));
    QCOMPARE(snapshot.unrecognised, QStringList());
    QVERIFY(snapshot.checkedOut);
}

void BranchSnapshotTest::emptyBranchHasNoMatrix()
{
    const BranchSnapshot snapshot = snapshotOf(mainWith({recipeFile(u"hello"_s, "{ }: { }\n")}));
    QVERIFY(snapshot.entries.isEmpty());
    QVERIFY(!snapshot.hasMatrix());
    QCOMPARE(snapshot.packages.keys(), QStringList{u"hello"_s});
    QVERIFY(snapshot.settings.profiles.isEmpty());
}

void BranchSnapshotTest::emptyBranchWithAFileMissesAll()
{
    BranchContent content = mainWith({});
    content.settingsFile = "base = \"main\"\n";
    const BranchSnapshot snapshot = snapshotOf(content);
    QVERIFY(snapshot.hasMatrix());
    QCOMPARE(snapshot.counts(), (QMap<RecipeState, int>{{RecipeState::Missing, 44}}));
    const VariantEntry *entry = snapshot.find(sm90);
    QVERIFY(entry);
    QCOMPARE(entry->file, recipePath(sm90));
    QVERIFY(!entry->present);
    QVERIFY(entry->rendered.contains("sm90"));
}

void BranchSnapshotTest::stateOfOneFile_data()
{
    QTest::addColumn<std::optional<QByteArray>>("committed");
    QTest::addColumn<std::optional<QByteArray>>("onDisk");
    QTest::addColumn<FileStatus>("status");
    QTest::addColumn<FileTrouble>("trouble");
    QTest::addColumn<QString>("expected");
    using Text = std::optional<QByteArray>;
    const Text other = QByteArray("{ }: { }\n"), edited = QByteArray("{ }: { x = 1; }\n"), none;
    const auto row = [](const char *name, const Text &committed, const Text &onDisk, FileStatus status,
                        const QString &expected, FileTrouble trouble = FileTrouble::None) {
        QTest::newRow(name) << committed << onDisk << status << trouble << expected;
    };
    row("differs", other, other, FileStatus::Clean,
        u"customised - 14 facts differ from the template: nixpkgs, nixpkgs config, CUDA package set and 11 more."_s);
    row("edited", other, edited, FileStatus::Modified, u"modified"_s);
    row("edited and added", other, edited, FileStatus::Staged, u"modified - Changed and added, not committed yet."_s);
    row("added", none, other, FileStatus::Staged, u"untracked - Not committed yet."_s);
    row("added, then edited", none, edited, FileStatus::Modified,
        u"untracked - Changed since it was added; not committed yet."_s);
    row("unknown to git", none, other, FileStatus::Untracked, u"untracked - Untracked: flox does not see it."_s);
    row("out of the index", other, other, FileStatus::Untracked,
        u"modified - It was removed from the index, so flox does not see it."_s);
    row("deleted", other, none, FileStatus::Deleted,
        u"modified - The file is deleted in the working tree; the deletion is not committed."_s);
    row("deletion added", other, none, FileStatus::Staged,
        u"modified - The file is deleted in the working tree; the deletion is not committed."_s);
    row("left out by sparse checkout", other, none, FileStatus::Clean,
        u"customised - 14 facts differ from the template: nixpkgs, nixpkgs config, CUDA package set and 11 more."_s);
    row("empty", QByteArray("\n"), QByteArray("\n"), FileStatus::Clean, u"broken - The file is empty."_s);
    row("link", other, none, FileStatus::Modified,
        u"broken - It is a symbolic link; a recipe must be a file of its own."_s, FileTrouble::Link);
    row("folder", none, none, FileStatus::Untracked, u"broken - It is a folder; a recipe must be a file."_s,
        FileTrouble::Folder);
    row("too large", none, none, FileStatus::Clean, u"broken - It is too large to be a recipe."_s,
        FileTrouble::TooLarge);
    row("not text", none, none, FileStatus::Clean, u"broken - It is not UTF-8 text."_s, FileTrouble::NotText);
    row("unreadable", other, none, FileStatus::Clean,
        u"broken - It cannot be read: its permissions forbid it, or it is not a regular file."_s,
        FileTrouble::Unreadable);
}

void BranchSnapshotTest::stateOfOneFile()
{
    QFETCH(const std::optional<QByteArray>, committed);
    QFETCH(const std::optional<QByteArray>, onDisk);
    QFETCH(const FileStatus, status);
    QFETCH(const FileTrouble, trouble);
    QFETCH(const QString, expected);
    BranchContent content = mainWith({VersionedFile{recipePath(sm90), committed, onDisk, status, trouble}});
    content.settingsFile = "base = \"main\"\n";
    const BranchSnapshot snapshot = snapshotOf(content);
    QCOMPARE(asText(snapshot), sm90 + u' ' + expected);
    const VariantEntry *entry = snapshot.find(sm90);
    QVERIFY(entry->present);
    QCOMPARE(entry->committed, committed.value_or(QByteArray()));
    QCOMPARE(entry->text,
             status == FileStatus::Deleted || trouble != FileTrouble::None || expected.contains(u"deleted"_s)
                 ? QByteArray()
                 : onDisk.value_or(committed.value_or(QByteArray())));
    QCOMPARE(snapshot.entries.size(), 44);
}

// With the markers it is no recipe; a text that is to be added still is one.
void BranchSnapshotTest::conflicts()
{
    const QByteArray text = "{ }: { }\n";
    for (const QByteArray &now : {text, "<<<<<<< HEAD\n" + text + "=======\n>>>>>>> two\n"}) {
        VersionedFile file{recipePath(sm90), text, now, FileStatus::Modified};
        file.conflict = true;
        BranchContent content = mainWith({file});
        content.settingsFile = "base = \"main\"\n";
        QCOMPARE(asText(snapshotOf(content)),
                 u"%1 %2 - It has an unresolved merge conflict; fix the file and add it to the index."_s.arg(
                     sm90, now == text ? u"modified"_s : u"broken"_s));
    }
}

void BranchSnapshotTest::lineEndsThatGitWritesAreNoFinding()
{
    const QByteArray lf = "{ }:\n{ }\n", crlf = "{ }:\r\n{ }\r\n";
    const auto isFound = [](const QByteArray &committed, const QByteArray &onDisk, FileStatus status) {
        const BranchSnapshot snapshot =
            snapshotOf(mainWith({VersionedFile{recipePath(sm90), committed, onDisk, status}}));
        return std::ranges::count(snapshot.find(sm90)->findings, u"line-ends"_s, &Finding::rule) == 1;
    };
    QVERIFY(!isFound(lf, crlf, FileStatus::Clean));
    QVERIFY(isFound(crlf, crlf, FileStatus::Clean));
    QVERIFY(isFound(lf, crlf, FileStatus::Modified));
    QVERIFY(!isFound(lf, lf, FileStatus::Clean));
}

void BranchSnapshotTest::otherBranchIsReadFromItsCommit()
{
    const BranchSnapshot snapshot = snapshotOf(wholeLine(u"cuda-13_0"_s, false));
    QVERIFY(!snapshot.checkedOut);
    QCOMPARE(snapshot.counts(), (QMap<RecipeState, int>{{RecipeState::Current, 59}}));
}

void BranchSnapshotTest::namesAndCells_data()
{
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QString>("expected");
    const QString sm61 = u"pytorch-python313-cuda12_8-sm61-avx512"_s;
    const QString arm = u"pytorch-python313-cuda12_8-sm90-armv8_2"_s;
    QTest::newRow("old Python part")
        << QStringList{u"pytorch-py313-cuda12_8-sm90-avx2"_s}
        << sm90 +
               u" customised in pytorch-py313-cuda12_8-sm90-avx2 - The recipe is in pytorch-py313-cuda12_8-sm90-avx2.nix (py313 for python313)."_s;
    QTest::newRow("no CUDA part")
        << QStringList{u"pytorch-python313-sm90-avx2"_s}
        << sm90 +
               u" customised in pytorch-python313-sm90-avx2 - The recipe is in pytorch-python313-sm90-avx2.nix (no CUDA part)."_s;
    QTest::newRow("dotted ISA")
        << QStringList{u"pytorch-python313-cuda12_8-sm90-armv8.2"_s}
        << arm +
               u" broken in pytorch-python313-cuda12_8-sm90-armv8.2 - The dot in pytorch-python313-cuda12_8-sm90-armv8.2.nix splits the attribute path, so flox cannot build it by name."_s;
    QTest::newRow("two forms") << QStringList{u"pytorch-py313-cuda12_8-sm90-avx2"_s, sm90}
                               << sm90 + u" duplicate - 2 files are for this cell: "_s + sm90 +
                                      u".nix, pytorch-py313-cuda12_8-sm90-avx2.nix."_s;
    QTest::newRow("suffix beside the recipe")
        << QStringList{sm90, sm90 + u"-magma"_s}
        << sm90 + u" duplicate - 2 files are for this cell: "_s + sm90 + u".nix, "_s + sm90 + u"-magma.nix."_s;
    QTest::newRow("suffix alone") << QStringList{sm90 + u"-nightly"_s}
                                  << sm90 + u" missing - Only "_s + sm90 +
                                         u"-nightly.nix exists, and its suffix makes it another package."_s;
    QTest::newRow("suffix alone, beside another cell")
        << QStringList{arm, sm61 + u"-nightly"_s}
        << sm61 + u" not-covered (not covered) - Only "_s + sm61 +
               u"-nightly.nix exists, and its suffix makes it another package.\n"_s + arm +
               u" customised - 14 facts differ from the template: nixpkgs, nixpkgs config, CUDA package set and 11 more."_s;
    QTest::newRow("suffixes of all")
        << QStringList{sm61 + u"-static"_s, sm61 + u"-static-dev"_s}
        << sm61 +
               u"-static customised (not covered) - 15 facts differ from the template: nixpkgs, nixpkgs config, CUDA package set and 12 more.\n"_s +
               sm61 +
               u"-static-dev customised (not covered) - 15 facts differ from the template: nixpkgs, nixpkgs config, CUDA package set and 12 more."_s;
    QTest::newRow("not covered")
        << QStringList{sm61}
        << sm61 +
               u" customised (not covered) - 15 facts differ from the template: nixpkgs, nixpkgs config, CUDA package set and 12 more."_s;
    QTest::newRow("another toolkit")
        << QStringList{u"pytorch-python313-cuda12_9-sm90-avx2"_s, sm90}
        << u"pytorch-python313-cuda12_8-sm90-avx2 customised - 14 facts differ from the template: nixpkgs, nixpkgs config, CUDA package set and 11 more.\npytorch-python313-cuda12_9-sm90-avx2 customised (not covered) - There is nothing to compare it with: the settings of main have no CUDA 12.9."_s;
    QTest::newRow("impossible")
        << QStringList{u"pytorch-python313-cuda12_8-sm61-armv9"_s}
        << u"pytorch-python313-cuda12_8-sm61-armv9 unsupported (not covered) - CUDA on ARM hosts begins with Volta: no ARM variant of sm61 exists."_s;
    QTest::newRow("uncertain alone")
        << QStringList{u"llama-cpu"_s, u"llama-vulkan"_s}
        << u"unrecognised .flox/pkgs/llama-cpu.nix\nunrecognised .flox/pkgs/llama-vulkan.nix"_s;
    QTest::newRow("others") << QStringList{u"hello"_s, u"magma"_s}
                            << u"unrecognised .flox/pkgs/hello.nix\nunrecognised .flox/pkgs/magma.nix"_s;
    QTest::newRow("no instruction set of the catalog")
        << QStringList{u"pytorch-python313-cuda12_8-sm90-sse"_s}
        << u"pytorch-python313-cuda12_8-sm90-sse customised (not covered) - There is nothing to compare it with: the catalog has no instruction set \"sse\"."_s;
    QTest::newRow("family that nobody declared")
        << QStringList{u"vllm-python313-cuda12_8-sm90"_s}
        << u"vllm-python313-cuda12_8-sm90 customised (not covered) - There is nothing to compare it with: no template was learned from the recipes of vllm."_s;
}

void BranchSnapshotTest::namesAndCells()
{
    QFETCH(const QStringList, names);
    QFETCH(const QString, expected);
    QList<VersionedFile> files;
    for (const QString &name : names)
        files.append(recipeFile(name, "{ }: { }\n"));
    const auto mainWith = [](const QList<VersionedFile> &of) {
        BranchContent content = ::mainWith(of);
        content.settingsFile = "base = \"main\"\n"; // whatever the recipes say
        return content;
    };
    QCOMPARE(asText(snapshotOf(mainWith(files))), expected);
    // git's order of the files does not matter.
    std::ranges::reverse(files);
    QCOMPARE(asText(snapshotOf(mainWith(files))), expected);
}

void BranchSnapshotTest::channelsArePackages()
{
    const QString sm80 = u"pytorch-python313-cuda12_8-sm80-avx2"_s, nightly = u"-nightly"_s;
    const auto file = [](const QString &name, const QByteArray &version) {
        return recipeFile(name,
                          "{ pkgs }: pkgs.python313Packages.torch.overrideAttrs { version = \"" + version + "\"; }\n");
    };
    const QList<VersionedFile> releases{file(sm90, "2.8.0"), file(sm80, "2.8.0")};
    const auto duplicates = [&](const QList<VersionedFile> &suffixed) {
        const BranchSnapshot snapshot = snapshotOf(mainWith(releases + suffixed));
        return std::pair(snapshot.counts().value(RecipeState::Duplicate), snapshot.unrecognised.size());
    };
    const auto expected = [](int files, qsizetype packages) { return std::pair(files, packages); };
    // All build another version than the release beside them: two packages, not two files for a cell.
    QCOMPARE(duplicates({file(sm90 + nightly, "2.9.0a0"), file(sm80 + nightly, "2.9.0a0")}), expected(0, 2));
    // One alone, or with the release's version, or with none that could be read, is a file for the cell.
    QCOMPARE(duplicates({file(sm90 + nightly, "2.9.0a0")}), expected(1, 0));
    QCOMPARE(duplicates({file(sm90 + nightly, "2.9.0a0"), file(sm80 + nightly, "2.8.0")}), expected(2, 0));
    QCOMPARE(duplicates({file(sm90 + nightly, "2.9.0a0"), recipeFile(sm80 + nightly, "{ }: { }\n")}), expected(2, 0));
}

void BranchSnapshotTest::packageIsTheFileThatIsThere()
{
    const QString old = u"pytorch-py313-cuda12_8-sm90-avx2"_s;
    // An uncommitted rename: the old file is deleted on disk, the new one exists. One recipe, not two.
    const BranchSnapshot renamed =
        snapshotOf(mainWith({VersionedFile{recipePath(old), "{ }: { }\n", std::nullopt, FileStatus::Deleted},
                             VersionedFile{recipePath(sm90), std::nullopt, "{ }: { }\n", FileStatus::Untracked}}));
    QCOMPARE(renamed.find(sm90)->package(), sm90);
    QCOMPARE(toString(renamed.find(sm90)->state), u"untracked"_s);
    const BranchSnapshot before = snapshotOf(mainWith({recipeFile(old, "{ }: { }\n")}));
    QCOMPARE(before.find(sm90)->package(), old);
    // Only the index still has a file: it does not exist.
    BranchContent content =
        mainWith({recipeFile(u"pytorch-python313-cpu-avx2"_s, "{ }: { }\n"),
                  VersionedFile{recipePath(sm90), std::nullopt, std::nullopt, FileStatus::Deleted}});
    content.settingsFile = "base = \"main\"\n";
    const BranchSnapshot ghost = snapshotOf(content);
    QCOMPARE(toString(ghost.find(sm90)->state), u"missing"_s);
}

void BranchSnapshotTest::lineOfTheBranch_data()
{
    QTest::addColumn<BranchContent>("content");
    QTest::addColumn<QString>("expected"); // source, torch version, toolkits, pin, promised
    const QString oldPin = u"fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3"_s,
                  newPin = u"6a030d535719c5190187c4cec156f335e95e3211"_s;
    const auto named = [](const QString &branch, BranchContent content) {
        content.branch = branch;
        return content;
    };
    const auto only = [](BranchContent content, auto keep) {
        content.files.removeIf([&keep](const VersionedFile &file) { return !keep(file); });
        return content;
    };
    const auto cpu = [](const VersionedFile &file) { return file.path.contains(u"-cpu-"_s); };
    QTest::newRow("built-in") << wholeLine(u"main"_s) << u"built-in 2.8.0 12.8 "_s + oldPin + u" 44"_s;
    QTest::newRow("fork of main") << named(u"feature-x"_s, wholeLine(u"main"_s))
                                  << u"inferred 2.8.0 12.8 "_s + oldPin + u" 44"_s;
    QTest::newRow("fork of cuda-12_9") << named(u"feature-x"_s, wholeLine(u"cuda-12_9"_s))
                                       << u"inferred 2.9.1 12.9 "_s + newPin + u" 50"_s;
    QTest::newRow("fork of cuda-13_0") << named(u"feature-x"_s, wholeLine(u"cuda-13_0"_s))
                                       << u"inferred 2.10.0 13.0 "_s + newPin + u" 59"_s;
    QTest::newRow("its CPU recipes alone")
        << named(u"cpu"_s, only(wholeLine(u"cuda-13_0"_s), cpu)) << u"inferred 2.10.0  "_s + newPin + u" 7"_s;
    QTest::newRow("nothing there") << named(u"feature-x"_s, BranchContent{}) << u"inferred    0"_s;
    QTest::newRow("another family on main")
        << mainWith({recipeFile(u"torchvision-python313-cpu-avx2"_s, "{ }: { }\n")}) << u"inferred    1"_s;
    QTest::newRow("no pin") << named(u"feature-x"_s, mainWith({recipeFile(sm90, "{ }: { }\n")}))
                            << u"inferred  12.8  1"_s;
    const QByteArray unknownPin =
        "(import (fetchTarball "
        "\"https://github.com/NixOS/nixpkgs/archive/0123456789012345678901234567890123456789.tar.gz\") { }).torch\n";
    QTest::newRow("a pin of its own") << named(u"feature-x"_s, mainWith({recipeFile(sm90, unknownPin)}))
                                      << u"inferred  12.8 0123456789012345678901234567890123456789 1"_s;
}

void BranchSnapshotTest::lineOfTheBranch()
{
    QFETCH(const BranchContent, content);
    QFETCH(const QString, expected);
    const Settings settings = settingsFor(builtInCatalog(), content);
    QCOMPARE(settings.branch, content.branch);
    const QStringList words{toString(settings.source), settings.versionOf(u"pytorch"_s), settings.toolkits().join(u' '),
                            settings.common(&Profile::pin).revision, QString::number(settings.promised().size())};
    QCOMPARE(words.join(u' '), expected);
}

void BranchSnapshotTest::inferredToolkitsHaveTheirOwnPins()
{
    const auto fetching = [](char digit) {
        return "(import (fetchTarball \"https://github.com/NixOS/nixpkgs/archive/" + QByteArray(40, digit) +
               ".tar.gz\") { }).torch\n";
    };
    BranchContent content = mainWith({recipeFile(u"pytorch-python313-cuda12_8-sm90-avx2"_s, fetching('a')),
                                      recipeFile(u"pytorch-python313-cuda12_8-sm80-avx2"_s, fetching('a')),
                                      recipeFile(u"pytorch-python313-cuda13_0-sm90-avx2"_s, fetching('b')),
                                      recipeFile(u"pytorch-python313-cuda13_1-sm90-avx2"_s, fetching('c')),
                                      recipeFile(u"pytorch-python313-cuda13_1-sm80-avx2"_s, fetching('d')),
                                      recipeFile(u"pytorch-python313-cpu-avx2"_s, fetching('e'))});
    content.branch = u"feature-x"_s;
    const Settings settings = settingsFor(builtInCatalog(), content);
    QStringList pins;
    for (const QString &build : QStringList{u"cpu"_s} + settings.toolkits())
        pins.append(build + u' ' + settings.common(&Profile::pin, {{}, {}, {build}}).revision.left(1));
    QCOMPARE(pins.join(u", "_s), u"cpu e, 12.8 a, 13.0 b, 13.1 c"_s); // of as many, the first
}

void BranchSnapshotTest::inferredLinePromisesWhatIsThere()
{
    BranchContent content = wholeLine(u"cuda-13_0"_s);
    content.branch = u"feature-x"_s;
    // A file deleted on a fork may be missing there; a branch with a few files misses nothing.
    const QString gone = u"pytorch-python313-cuda13_0-sm90-avx2"_s;
    removeFile(content, gone);
    BranchSnapshot snapshot = snapshotOf(content);
    QCOMPARE(snapshot.counts(), (QMap<RecipeState, int>{{RecipeState::Current, 58}, {RecipeState::NotCovered, 1}}));
    QVERIFY(snapshot.find(gone)->hole && !snapshot.find(gone)->reason.isEmpty());

    content.files = content.files.sliced(0, 5);
    snapshot = snapshotOf(content);
    QCOMPARE(snapshot.counts(), (QMap<RecipeState, int>{{RecipeState::Current, 5}}));
}

void BranchSnapshotTest::twoToolkitsWithoutCudaPart()
{
    BranchContent content{u"many"_s, {}, true, {}};
    for (const auto &name : {u"pytorch-python313-cuda12_8-sm90-avx2"_s, u"pytorch-python313-cuda13_0-sm90-avx2"_s,
                             u"pytorch-python313-cuda13_0-sm90-avx512"_s, u"pytorch-python313-sm90-avx512"_s})
        content.files.append(recipeFile(name, "{ }: { }\n"));
    const BranchSnapshot snapshot = snapshotOf(content);
    // The toolkit of a recipe without a CUDA part is not guessed if there are two.
    QCOMPARE(snapshot.unrecognised, QStringList{recipePath(u"pytorch-python313-sm90-avx512"_s)});
    QCOMPARE(snapshot.entries.size(), 4);
    QVERIFY(snapshot.find(u"pytorch-python313-cuda12_8-sm90-avx2"_s)->covered);
    QVERIFY(snapshot.find(u"pytorch-python313-cuda13_0-sm90-avx512"_s)->covered);
    QVERIFY(snapshot.find(u"pytorch-python313-cuda12_8-sm90-avx512"_s)->hole); // the other toolkit has it
}

void BranchSnapshotTest::toolkitOfRecipesWithoutCudaPart()
{
    const auto placed = [](const QByteArrayList &toolkits) {
        BranchContent content{u"many"_s, {}, true, {}};
        for (int i = 0; i < toolkits.size(); ++i)
            content.files.append(recipeFile(u"pytorch-python313-sm%1-avx2"_s.arg(QStringList{u"80"_s, u"90"_s}.at(i)),
                                            "{ pkgs ? import <nixpkgs> { overlays = [ (final: prev: { cudaPackages = "
                                            "final.cudaPackages_" +
                                                toolkits.at(i) + "; }) ]; } }:\npkgs.python313Packages.torch\n"));
        return QStringList(snapshotOf(content).entries.keys());
    };
    QCOMPARE(placed({"12_8", "12_8"}), (QStringList{u"pytorch-python313-cuda12_8-sm80-avx2"_s, sm90}));
    QCOMPARE(placed({"12_8", "12_9"}), QStringList()); // not guessed
}

void BranchSnapshotTest::workersAgree()
{
    const QList<BranchContent> contents{wholeLine(u"main"_s), wholeLine(u"cuda-12_9"_s), wholeLine(u"cuda-13_0"_s)};
    QList<BranchSnapshot> snapshots(6);
    std::vector<std::unique_ptr<QThread>> threads;
    for (qsizetype i = 0; i < snapshots.size(); ++i) {
        threads.emplace_back(QThread::create(
            [&content = contents[i % 3], &snapshot = snapshots[i]] { snapshot = snapshotOf(content); }));
        threads.back()->start();
    }
    for (const auto &thread : threads)
        QVERIFY(thread->wait());
    for (qsizetype i = 0; i < 3; ++i) {
        QCOMPARE(snapshots.at(i), snapshots.at(i + 3));
        QCOMPARE(snapshots.at(i).counts(),
                 (QMap<RecipeState, int>{{RecipeState::Current, int(snapshots.at(i).entries.size())}}));
    }
}

TM_TEST(BranchSnapshotTest, QCoreApplication)
#include "tst_branchsnapshot.moc"
