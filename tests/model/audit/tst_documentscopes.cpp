// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Which branch a document means where it names a nixpkgs.
#include "model/audit/Documents.h"
#include "model/recipe/Edits.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

const QString oldPin = u"0ddba11"_s + QString(33, u'a');
const QString newPin = u"5eed"_s + QString(36, u'b');

Documented facts()
{
    return {.branch = u"main"_s,
            .recipes = {{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s}},
            .pins = {newPin},
            .branches = {u"main"_s, u"torch-2.9"_s},
            .repositoryNames = {u"build-pytorch"_s},
            .packages = {u"pytorch"_s, u"PyTorch"_s},
            .otherPackages = {u"vllm"_s, u"torchvision"_s},
            .formerPins = {oldPin},
            .newPins = {newPin}};
}

struct Lines {
    QList<int> edited;
    QList<int> left;
};

/// "%": the former pin.
Lines linesOf(QString text, const Documented &facts)
{
    Lines lines;
    for (const OutdatedLine &line : auditDocument(text.replace(u'%', oldPin).toUtf8(), facts)) {
        QList<int> &of =
            line.finding.rule == pinUnclearRule || line.finding.rule == versionUnclearRule ? lines.left : lines.edited;
        if ((&of == &lines.left || !line.edits.isEmpty()) && !of.contains(line.finding.line))
            of.append(line.finding.line);
    }
    return lines;
}

/// Documents that name what they are about at one place; "%1" is the name.
const QStringList places{
    u"Notes.\n\nThe nixpkgs pin of %1 is `%`.\n"_s,
    u"nixpkgs `%` is what %1 fetches.\n"_s,
    u"nixpkgs `%`,\nwhich %1 fetches.\n"_s,
    u"| | nixpkgs |\n|---|---|\n| %1 | `%` |\n"_s,
    u"| | %1 | elsewhere |\n|---|---|---|\n| Nixpkgs pin | `%` | - |\n"_s,
    u"## %1\n\n- Nixpkgs: `%`\n"_s,
    u"## %1\n\n### Versions\n\nNixpkgs pin: `%`\n"_s,
    u"%1\n===\n\nRevision: nixpkgs `%`\n"_s,
    u"**%1**\n\nPinned nixpkgs: `%`\n"_s,
    u"- %1\n  - nixpkgs: `%`\n"_s,
    u"1. For %1:\n   - Python 3.13\n   - nixpkgs: `%`\n"_s,
    u"The versions of %1:\n\n| nixpkgs | `%` |\n"_s,
    u"As in %1:\n\n```\nnixpkgs = https://github.com/NixOS/nixpkgs/archive/%.tar.gz\n```\n"_s,
};

} // namespace

class DocumentScopesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Numbers, lists and tables of all that there was are named where something comes; those of other branches, of
    /// some, or with what comes are not.
    void whatIsNew_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<int>>("lines");
        const auto row = [](const char *name, const QString &text, const QList<int> &lines = {}) {
            QTest::newRow(name) << text << lines;
        };
        row("list", u"- flags (avx2, avx512, avx512bf16)"_s, {1});
        row("list of titles", u"It has AVX2, AVX-512 and AVX-512 BF16."_s, {1});
        row("list with it", u"avx2, avx512, avx512bf16, avx512vnni"_s);
        row("list of some", u"avx2 and avx512"_s);
        row("of another platform", u"armv8_2, armv9"_s);
        row("number", u"There are 5 ISAs."_s, {1});
        row("number of a platform", u"x86 (3 instruction sets)"_s, {1});
        row("another number", u"19 SM architectures"_s);
        row("in total", u"20 per toolkit, 30 total"_s, {1});
        row("toolkits", u"For CUDA 12.8/12.9"_s, {1});
        row("toolkits with it", u"For CUDA 12.8, 12.9 and 13.0"_s);
        row("of another branch", u"- `torch-2.9`: CUDA 12.8/12.9"_s);
        row("of an unknown branch", u"- **torch-1.0**: CUDA 12.8/12.9"_s);
        row("in code", u"```\nfor isa in avx2 avx512 avx512bf16\n```"_s);
        row("table", u"| SM | |\n|-|-|\n| SM80 | x |\n| SM86 | y |\n| **SM90** | z |"_s, {5});
        row("table with it", u"| SM | |\n|-|-|\n| SM80 | x |\n| SM86 | y |\n| SM90 | z |\n| SM120 | 0 |"_s);
        row("another table", u"| SM | |\n|-|-|\n| SM80 | x |\n| SM100 | y |"_s);
        row("row of a table", u"| SM | CUDA |\n|-|-|\n| SM90 | 12.8, 12.9 |\n| SM80 | 12.8, 12.9 |"_s, {3});
    }
    void whatIsNew()
    {
        QFETCH(const QString, text);
        QFETCH(const QList<int>, lines);
        Documented all = facts();
        all.recipes.clear();
        for (const QString &row : {u"sm80"_s, u"sm86"_s, u"sm90"_s}) {
            for (const QString &isa : {u"avx2"_s, u"avx512"_s, u"avx512bf16"_s, u"armv8_2"_s, u"armv9"_s}) {
                for (const QString &cuda : {u"12.8"_s, u"12.9"_s})
                    all.recipes.append({u"pytorch"_s, u"python313"_s, cuda, row, isa});
            }
        }
        all.formerRecipes = all.recipes;
        all.recipes.append({u"pytorch"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx512vnni"_s});
        all.recipes.append({u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm120"_s, u"avx2"_s});
        QList<int> found;
        for (const OutdatedLine &line : auditDocument(text.toUtf8(), all)) {
            if (line.finding.rule == listStaleRule)
                found.append(line.finding.line);
            QVERIFY(line.finding.rule != listStaleRule || line.edits.isEmpty());
        }
        QCOMPARE(found, lines);
        all.formerRecipes.clear();
        for (const OutdatedLine &line : auditDocument(text.toUtf8(), all))
            QVERIFY(line.finding.rule != listStaleRule);
    }

    /// A number that was that of all recipes is theirs, though it has become that of a part.
    void numberOfAll()
    {
        Documented now = facts();
        for (const QString &isa : {u"avx512"_s, u"avx512bf16"_s, u"armv9"_s})
            now.recipes.append({u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, isa});
        now.recipes.append({u"torchaudio"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s});
        const QByteArray text = "Of this branch: 4 variants, for CUDA 12.8.\n";
        QVERIFY(auditDocument(text, now).isEmpty());
        now.formerRecipes = now.recipes;
        now.formerRecipes.removeAt(1);
        const QList<OutdatedLine> found = auditDocument(text, now);
        QCOMPARE(found.size(), 1);
        QCOMPARE(*edited(text, found.constFirst().edits), QByteArray(text).replace("4", "5"));
    }

    /// A total below rows that do not have all of it is not changed alone.
    void totalOfRows()
    {
        Documented now = facts();
        now.recipes.clear();
        for (const QString &family : {u"hello025"_s, u"hello026"_s, u"hello027"_s})
            now.recipes.append({family, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s});
        const auto editsOf = [&now](const QByteArray &text) {
            qsizetype count = 0;
            for (const OutdatedLine &line : auditDocument(text, now))
                count += line.finding.rule == "readme-count-stale"_L1 ? line.edits.size() : 0;
            return count;
        };
        const QByteArray head = "| Version | Variants |\n|-|-|\n| 0.25 | 1 |\n| 0.26 | 1 |\n";
        QCOMPARE(editsOf(head + "| Total | 2 |\n"), 0);
        QCOMPARE(editsOf(head + "| 0.27 | 2 |\n| Total | 4 |\n"), 2);
    }

    /// A pin or a version that some recipes keep is named and not changed.
    void keptBySome()
    {
        Documented some = facts();
        some.pins.append(oldPin);
        some.formerPins.clear();
        some.keptPins = {oldPin};
        some.versions = {{{u"pytorch"_s, u"PyTorch"_s}, u"2.8.0"_s, u"2.9.1"_s, true}};
        const Lines lines = linesOf(u"- nixpkgs: `%`\n\nThis branch builds PyTorch 2.8.0.\n"_s, some);
        QCOMPARE(lines.edited, QList<int>());
        QCOMPARE(lines.left, (QList<int>{1, 3}));
        // What was built is named like it.
        some.versions.first().isPartly = false;
        QCOMPARE(linesOf(u"/nix/store/x-python3.13-pytorch-cpu-avx2-2.8.0.drv\n"_s, some).left, QList<int>{1});
        QCOMPARE(linesOf(u"/nix/store/x-other-2.8.0.drv\n"_s, some).left, QList<int>());
    }

    /// What says that it is the branch that was derived from.
    void derivedFrom()
    {
        Documented derived = facts();
        derived.branch = u"next"_s;
        derived.branches = {u"main"_s};
        derived.formerBranch = u"main"_s;
        QList<int> found;
        for (const OutdatedLine &line : auditDocument(
                 "> **You are on the `main` branch**\n\nThis is branch `main`.\n\nGo to the `main` branch.\n\n"
                 "| Branch | |\n|-|-|\n| **`main`** \u2b05\ufe0f | a |\n| `other` | b |\n| `main` | c |\n",
                 derived)) {
            if (line.finding.rule == branchStaleRule)
                found.append(line.finding.line);
        }
        QCOMPARE(found, (QList<int>{1, 3, 9}));
    }

    /// What names another repository or branch anywhere is not changed; what names this one is never another's.
    void names_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isOther");
        for (const char *other :
             {"build-vllm", "`build-vllm`", "build-vllm (`main`)", "`build-vllm` `main`", "build-vllm@main",
              "build-vllm/main", "[vllm](https://github.com/someone/build-vllm)",
              "https://github.com/someone/build-vllm/tree/main", "git@github.com:someone/build-vllm.git",
              "torchvision-nix", "[recipes](https://gitlab.com/a/torch-recipes)", "branch torch-2.9", "`torch-2.9`",
              "torch-2.9", "build-pytorch@torch-2.9", "`build-pytorch` on `torch-2.9`"})
            QTest::addRow("%s", other) << QString::fromLatin1(other) << true;
        for (const char *own : {"this branch", "`main`", "branch main", "build-pytorch", "build-pytorch@main",
                                "https://github.com/someone/build-pytorch", "the `build-pytorch` branch `main`"})
            QTest::addRow("%s", own) << QString::fromLatin1(own) << false;
    }
    void names()
    {
        QFETCH(const QString, name);
        QFETCH(const bool, isOther);
        for (const QString &place : places) {
            const QString text = QString(place).replace(u"%1"_s, name);
            const Lines lines = linesOf(text, facts());
            if (isOther)
                QVERIFY2(lines.edited.isEmpty(), qPrintable(text));
            else
                QVERIFY2(lines.edited.size() + lines.left.size() == 1, qPrintable(text));
        }
    }

    void documents_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<int>>("edited");
        QTest::addColumn<QList<int>>("left");
        const auto row = [](const char *name, const QString &text, const QList<int> &edited, const QList<int> &left) {
            QTest::newRow(name) << text << edited << left;
        };
        row("repositories and branches",
            u"| Repo | Branch | Pin |\n|---|---|---|\n| `build-vllm` | `main` | `%` |\n| `build-pytorch` | **`main`** "
            u"| "
            "`%` |\n| `build-pytorch` | `torch-2.9` | `%` |\n| build-pytorch | gone-1 | `%` |\n"_s,
            {4}, {3});
        row("branches", u"| Branch | Nixpkgs |\n|---|---|\n| **`main`** <- | `%` |\n| gone | `%` |\n"_s, {3}, {});
        row("a column for each", u"| | build-pytorch | build-vllm |\n|---|---|---|\n| nixpkgs | `%` | `%` |\n"_s, {3},
            {3});
        row("another package", u"By contrast, the vLLM nixpkgs pin (`%`) has 2.10.\n"_s, {}, {1});
        row("versions that follow", u"Nixpkgs pin: each variant pins `%`, for PyTorch 2.8 and TorchVision 0.23.\n"_s,
            {1}, {});
        row("a package's heading", u"# PyTorch\n\n## vLLM\n\n- Nixpkgs: `%`\n\n## PyTorch 2.8\n\n- Nixpkgs: `%`\n"_s,
            {9}, {5});
        row("both", u"On this branch and in build-vllm nixpkgs is `%`.\n"_s, {}, {1});
        row("another sentence", u"It goes with build-vllm. Nixpkgs pin: `%`.\n"_s, {}, {1});
        row("an example", u"```nix\nurl = \"https://github.com/NixOS/nixpkgs/archive/%.tar.gz\";\n```\n"_s, {}, {2});
        row("below a title", u"### Nixpkgs Pin\n\n- Revision: `%`\n- Other: `%`\n"_s, {3}, {4});
        row("told nothing", u"We use % today.\n"_s, {}, {1});
        row("the past", u"- nixpkgs: % -> 1234567\n"_s, {}, {1});
        row("back from another", u"## build-vllm\n\nnixpkgs: `%`\n\n## Here\n\nnixpkgs: `%`\n"_s, {7}, {3});
        row("an item after another's", u"- build-vllm: nixpkgs `%`\n- nixpkgs: `%`\n"_s, {2}, {1});
        row("what was verified", u"Nixpkgs revision `%`:\n\n- **PyTorch 2.8** - verified: `...version`\n"_s, {}, {1});
        row("below what was tested", u"### Tested with\n\n- Nixpkgs: `%`\n\n### Pins\n\n- Nixpkgs: `%`\n"_s, {7}, {3});
        row("both of a row", u"| Branch | PyTorch | Nixpkgs |\n|---|---|---|\n| `main` | 1.0.0 | `%` |\n"_s, {3}, {});
        row("neither of a row", u"| Branch | CUDA | Nixpkgs |\n|---|---|---|\n| `main` | 1.0.0 | `%` |\n"_s, {}, {3});
        row("neither of a row of another toolkit",
            u"| Branch | PyTorch | CUDA | Nixpkgs |\n|---|---|---|---|\n| `main` | 1.0.0 | 12.4 | `%` |\n"_s, {}, {3});
        row("a paragraph after a list", u"- build-vllm\n  - x\n\nNixpkgs: `%`\n"_s, {4}, {});
        row("a link and its text", u"| Nixpkgs | [`0ddba11`](https://github.com/NixOS/nixpkgs/tree/%) |\n"_s, {1}, {});
    }
    void documents()
    {
        QFETCH(const QString, text);
        QFETCH(const QList<int>, edited);
        QFETCH(const QList<int>, left);
        Documented here = facts();
        here.versions = {{{u"pytorch"_s, u"PyTorch"_s}, u"1.0.0"_s, u"1.1.0"_s}};
        const Lines lines = linesOf(text, here);
        QCOMPARE(lines.edited, edited);
        QCOMPARE(lines.left, left);
    }

    /// A version that a change replaces, where texts state it of the branch. What may be about something else is named.
    void versions_data()
    {
        QTest::addColumn<QString>("text");  // "%": the former version
        QTest::addColumn<QString>("after"); // "%": it is left and named; empty: it is left unsaid
        const auto row = [](const char *name, const QString &text, const QString &after) {
            QTest::newRow(name) << text << after;
        };
        row("item", u"- PyTorch: %\n"_s, u"- PyTorch: 1.1.0\n"_s);
        row("bold item", u"- **PyTorch**: `v%` from source\n"_s, u"- **PyTorch**: `v1.1.0` from source\n"_s);
        row("heading", u"# PyTorch % recipes\n"_s, u"# PyTorch 1.1.0 recipes\n"_s);
        row("component", u"| What | Version |\n|---|---|\n| PyTorch | % |\n| Other | % |\n"_s,
            u"| What | Version |\n|---|---|\n| PyTorch | 1.1.0 |\n| Other | % |\n"_s);
        row("branches", u"| Branch | PyTorch Version |\n|---|---|\n| `main` | **%** |\n| `torch-2.9` | 1.0.0 |\n"_s,
            u"| Branch | PyTorch Version |\n|---|---|\n| `main` | **1.1.0** |\n| `torch-2.9` | 1.0.0 |\n"_s);
        row("sentence", u"> You are on the `main` branch - PyTorch % + CUDA 12.8\n"_s,
            u"> You are on the `main` branch - PyTorch 1.1.0 + CUDA 12.8\n"_s);
        row("example", u"```nix\n# PyTorch % for H100\ndescription = \"PyTorch % [CUDA 12.8]\";\n```\n"_s,
            u"```nix\n# PyTorch 1.1.0 for H100\ndescription = \"PyTorch 1.1.0 [CUDA 12.8]\";\n```\n"_s);
        row("other toolkit", u"**This branch builds PyTorch % with CUDA 12.4**\n"_s,
            u"**This branch builds PyTorch % with CUDA 12.4**\n"_s);
        row("other Python", u"- PyTorch: % for Python 3.11\n"_s, u"- PyTorch: % for Python 3.11\n"_s);
        row("told of it", u"The bug of PyTorch % is mended here.\n"_s, u"The bug of PyTorch % is mended here.\n"_s);
        row("verified", u"- PyTorch % - verified with `torch.version`\n"_s,
            u"- PyTorch % - verified with `torch.version`\n"_s);
        row("beside verified", u"It has:\n\n- PyTorch %\n- CUDA 12.8 - verified\n"_s,
            u"It has:\n\n- PyTorch %\n- CUDA 12.8 - verified\n"_s);
        row("the past", u"- PyTorch: % -> 1.1.0\n"_s, u"- PyTorch: % -> 1.1.0\n"_s);
        row("another repository", u"build-vllm has PyTorch %.\n"_s, u"build-vllm has PyTorch %.\n"_s);
        row("another branch", u"- **`torch-2.9`**: PyTorch 1.0.0\n"_s, QString());
        row("another package", u"| vLLM | 1.0.0 |\n"_s, u"| vLLM | % |\n"_s);
        row("a longer number", u"- PyTorch: 1.0.0.1, 11.0.0, 1.0.01\n"_s, QString());
    }
    void versions()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, after);
        Documented here = facts();
        here.versions = {{{u"pytorch"_s, u"PyTorch"_s}, u"1.0.0"_s, u"1.1.0"_s},
                         {{u"torchaudio"_s, u"TorchAudio"_s}, u"1.0.0"_s, u"1.1.0"_s}};
        const QByteArray document = QString(text).replace(u'%', u"1.0.0"_s).toUtf8();
        Edits edits;
        QList<int> named;
        for (const OutdatedLine &line : auditDocument(document, here)) {
            edits += line.edits;
            if (line.finding.rule == versionUnclearRule)
                named.append(line.finding.line);
        }
        const QString made = QString::fromUtf8(edited(document, edits).value_or(QByteArray()));
        QCOMPARE(made, after.isEmpty() ? QString::fromUtf8(document) : QString(after).replace(u'%', u"1.0.0"_s));
        const QStringList lines = after.split(u'\n');
        for (qsizetype i = 0; i < lines.size(); ++i)
            QCOMPARE(named.contains(int(i) + 1), lines.at(i).contains(u'%'));
    }

    /// A clone in any folder, without a remote: "build-pytorch" builds pytorch.
    void folderOfAnotherName()
    {
        const QString text =
            u"| Repo | Pin |\n|---|---|\n| build-vllm | nixpkgs `%` |\n| build-pytorch | nixpkgs `%` |\n"_s;
        for (const QString &folder : {u"clone"_s, u"build-pytorch-2"_s}) {
            Documented here = facts();
            here.branches = {u"main"_s};
            here.repositoryNames = {folder};
            QCOMPARE(linesOf(text, here).edited, QList<int>{4});
        }
    }

    /// One of several is replaced: what states it gets what replaced it.
    void oneOfSeveral()
    {
        Documented here = facts();
        here.pins.append(u"cafe"_s + QString(36, u'c'));
        QCOMPARE(linesOf(u"- nixpkgs: %\n"_s, here).edited, QList<int>{1});
        here.formerPins.clear();
        QCOMPARE(linesOf(u"- nixpkgs: %\n"_s, here).edited, QList<int>());
    }

    /// The version of a companion and that of the torch inside it are replaced together, or the line is named.
    void twoVersionsOfALine()
    {
        Documented here = facts();
        here.packages = {u"torchvision"_s, u"TorchVision"_s};
        here.otherPackages = {u"pytorch"_s, u"PyTorch"_s};
        here.recipes = {{u"torchvision"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s}};
        here.built = {{u"torchvision"_s, {u"0.24.1"_s}}};
        here.versions = {{{u"torchvision"_s, u"TorchVision"_s}, u"0.23.0"_s, u"0.24.1"_s},
                         {{u"pytorch"_s, u"PyTorch"_s}, u"2.8.0"_s, u"2.9.1"_s}};
        for (const QByteArray line : {"- TorchVision 0.23.0 + PyTorch 2.8.0 + CUDA 12.8\n",
                                      "This branch builds TorchVision 0.23.0 with PyTorch 2.8.0.\n",
                                      "`main`: TorchVision 0.23.0, PyTorch 2.8.0\n"}) {
            Edits edits;
            bool isNamed = false;
            for (const OutdatedLine &found : auditDocument(line, here)) {
                edits += found.edits;
                isNamed = isNamed || found.finding.rule == versionUnclearRule;
            }
            const QByteArray text = edited(line, edits).value_or(QByteArray());
            QVERIFY2(!text.isEmpty() && text.contains("0.24.1") == text.contains("2.9.1"), text.constData());
            QVERIFY2(isNamed == text.contains("2.8.0"), text.constData());
        }
    }

    /// A number that a sentence says again as a part may be about two things.
    void aNumberThatIsSaidAgain()
    {
        QCOMPARE(linesOf(u"This branch has 44 variants.\n"_s, facts()).edited, QList<int>{1});
        QCOMPARE(linesOf(u"This branch has 44 variants (44/44 are done).\n"_s, facts()).edited, QList<int>());
        QCOMPARE(linesOf(u"This branch has 44 variants, 4.44 GB each.\n"_s, facts()).edited, QList<int>{1});
    }

    /// The columns of a change, and the text of one that is to be made, stay.
    void aPlan()
    {
        const QString table =
            u"## Changes of `main`\n\n| What | From `main` | To |\n|---|---|---|\n| Nixpkgs pin | `%` | `5eedbbb` |\n"_s;
        QCOMPARE(linesOf(table, facts()).edited, QList<int>());
        QCOMPARE(linesOf(QString(table).remove("From "_L1), facts()).edited, QList<int>{5});
        const QString state = u"## Current State\n\n- nixpkgs pin of `main`: `%`\n"_s;
        QCOMPARE(linesOf(state, facts()).edited, QList<int>{3});
        QCOMPARE(linesOf(u"## Goal\n\nOne pin.\n\n"_s + state, facts()).edited, QList<int>());
    }

    /// Without a change that says what replaces it, what was verified stays, and so does a line with another version
    /// than the recipes build.
    void afterAChange()
    {
        Documented here = facts();
        here.formerPins.clear();
        here.newPins.clear();
        here.built = {{u"pytorch"_s, {u"2.9.1"_s}}};
        QCOMPARE(linesOf(u"- nixpkgs: %\n"_s, here).edited, QList<int>{1});
        QCOMPARE(linesOf(u"- nixpkgs: % with PyTorch 2.9.1\n"_s, here).edited, QList<int>{1});
        QCOMPARE(linesOf(u"- nixpkgs: % with PyTorch 2.8.0\n"_s, here).edited, QList<int>());
        QCOMPARE(linesOf(u"Nixpkgs revision `%`:\n\n- PyTorch 2.9.1 - verified\n"_s, here).edited, QList<int>());
    }
};

TM_TEST(DocumentScopesTest, QCoreApplication)
#include "tst_documentscopes.moc"
