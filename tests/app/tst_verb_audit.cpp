// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace tmx::test;

namespace {

const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
const QString file = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512.nix"_s;

} // namespace

/// audit, fix, and the verbs that make recipes from recipes, run like by a user.
class VerbAuditTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;
    [[nodiscard]] Ran verb(const QStringList &arguments) const { return m_fixture->verb(arguments); }

    QByteArray change(const QByteArray &from, const QByteArray &to)
    {
        QByteArray text = m_fixture->read(file);
        text.replace(from, to);
        m_fixture->write(file, text);
        return text;
    }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<VerbFixture>();
    }

    void nothingWrong()
    {
        for (const auto &branch : {u"main"_s, u"cuda-12_9"_s, u"cuda-13_0"_s}) {
            const Ran ran = verb({u"audit"_s, u"--branch"_s, branch});
            QCOMPARE(ran.exitCode, 0);
            QVERIFY2(ran.out.isEmpty(), ran.out.constData());
            QVERIFY2(ran.err.contains(" recipes on "_ba + branch.toUtf8() + ": 0 errors, 0 warnings, "),
                     ran.err.constData());
        }
    }

    void findsAndMends()
    {
        const QByteArray sound = m_fixture->read(file);
        change("gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\"");
        const Ran found = verb({u"audit"_s});
        QCOMPARE(found.exitCode, 1);
        QVERIFY2(found.out.startsWith("   1 error    gpu-targets-notation: "), found.out.constData());
        QVERIFY2(found.out.contains("\n"_ba + file.toUtf8() + ":9:"), found.out.constData());
        QVERIFY(found.out.contains(": error: PyTorch does not read \"sm_90\""));
        QVERIFY(found.out.contains("[gpu-targets-notation]"));
        QVERIFY2(found.out.contains(("torch-matrix fix "_L1 + name + ":gpu-targets-notation"_L1).toUtf8()),
                 found.out.constData());
        QVERIFY(found.err.contains("44 recipes on main: 1 error, 0 warnings, "));
        QCOMPARE(verb({u"audit"_s, u"pytorch-python313-cpu-avx2"_s}).exitCode, 0);

        const Ran listed = verb({u"list"_s, u"--json"_s});
        QCOMPARE(listed.json()[u"branches"_s][0][u"counts"_s][u"broken"_s].toInt(), 1);
        const Ran shown = verb({u"show"_s, name, u"--json"_s});
        QCOMPARE(shown.json()[u"recipe"_s].toString(), u"broken"_s);
        QVERIFY(shown.json()[u"reason"_s].toString().startsWith(u"PyTorch does not read"_s));

        // Shown, and not written.
        const Ran fix = verb({u"fix"_s, name + u":gpu-targets-notation"_s});
        QCOMPARE(fix.exitCode, 0);
        QVERIFY2(fix.out.contains("-  gpuArchSM = \"sm_90\";\n+  gpuArchSM = \"9.0\";\n"), fix.out.constData());
        QVERIFY(m_fixture->read(file) != sound);
        const Ran applied = verb({u"fix"_s, u"--apply"_s, file + u":gpu-targets-notation:9"_s});
        QCOMPARE(applied.exitCode, 0);
        QCOMPARE(m_fixture->read(file), sound);
        QCOMPARE(verb({u"audit"_s}).exitCode, 0);
    }

    /// By rule, errors first, then the longest list; three places of each, or all.
    void groups()
    {
        QDir folder(m_fixture->sample() + u"/.flox/pkgs"_s);
        const QStringList recipes = folder.entryList({u"*-sm90-*"_s, u"*-sm80-*"_s});
        QCOMPARE(recipes.size(), 12);
        for (const QString &recipe : recipes) {
            QByteArray text = m_fixture->read(u".flox/pkgs/"_s + recipe);
            text.replace("NVIDIA 525.60.13+", "NVIDIA 390+");
            m_fixture->write(u".flox/pkgs/"_s + recipe, text);
        }
        change("gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\"");
        const Ran some = verb({u"audit"_s});
        QCOMPARE(some.exitCode, 1);
        const auto longest = some.out.indexOf("  12 warning  driver-low: ");
        const auto other = some.out.indexOf("   1 error    gpu-targets-notation: ");
        QVERIFY2(other == 0 && longest > 0, some.out.constData());
        QVERIFY(some.out.contains("     If ignored: "));
        QCOMPARE(some.out.count("[driver-low]"), 3);
        QVERIFY(some.out.contains("\nand 9 more; --all lists them\n"));
        const Ran all = verb({u"audit"_s, u"--all"_s});
        QCOMPARE(all.out.count("[driver-low]"), 12);
        QVERIFY(!all.out.contains("--all lists them"));
        // Findings in README.md belong to the branch, and are left out if a recipe is named.
        m_fixture->write(u"README.md"_s, "# Builds\n\nThis branch has 43 variants.\n");
        const Ran stale = verb({u"audit"_s});
        QVERIFY2(stale.out.contains("\nREADME.md:3:17: warning: It says 43 for branch main, which has 44 recipes. "
                                    "[readme-count-stale]\n"),
                 stale.out.constData());
        QCOMPARE(verb({u"audit"_s, u"--json"_s}).json()[u"others"_s][0][u"file"_s].toString(), u"README.md"_s);
        QCOMPARE(verb({u"audit"_s, u"pytorch-python313-cpu-avx2"_s}).exitCode, 0);
    }

    void differenceAppliesWithGit()
    {
        const QByteArray sound = m_fixture->read(file);
        change("platforms = [ \"x86_64-linux\" ]", "platforms = [ \"aarch64-linux\" ]");
        const Ran fix = verb({u"fix"_s, name + u":platforms-other"_s});
        m_fixture->write(u"fix.patch"_s, fix.out);
        m_fixture->git({u"apply"_s, u"fix.patch"_s});
        QCOMPARE(m_fixture->read(file), sound);
    }

    void fixesARule()
    {
        const QByteArray sound = m_fixture->read(file);
        change("gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\"");
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Break it"_s});
        const Ran shown = verb({u"fix"_s, u"--rule"_s, u"gpu-targets-notation"_s});
        QCOMPARE(shown.exitCode, 0);
        QVERIFY2(shown.out.contains("+  gpuArchSM = \"9.0\";\n"), shown.out.constData());
        QVERIFY(m_fixture->read(file) != sound);
        const Ran applied = verb({u"fix"_s, u"--rule"_s, u"gpu-targets-notation"_s, name, u"--apply"_s, u"--json"_s});
        QCOMPARE(applied.exitCode, 0);
        QCOMPARE(applied.json()[u"rewrite"_s][0][u"name"_s].toString(), name);
        QVERIFY(!applied.json()[u"commit"_s].toString().isEmpty());
        QCOMPARE(m_fixture->read(file), sound);
        QCOMPARE(m_fixture->git({u"status"_s, u"--porcelain"_s}).out, ""_ba);
        QCOMPARE(verb({u"fix"_s, u"--rule"_s, u"gpu-targets-notation"_s}).exitCode, 3);
        QCOMPARE(verb({u"fix"_s}).exitCode, 2);
        QCOMPARE(verb({u"fix"_s, u"a:b"_s, u"c:d"_s}).exitCode, 2);
    }

    // What can be fixed is; the rest is named.
    /// A rule that a note names is one, but has no fix.
    void aNoteIsNotFixed()
    {
        const Ran ran = m_fixture->verb({u"fix"_s, u"--rule"_s, u"pin-sha256-missing"_s});
        QCOMPARE(ran.exitCode, 3);
        QVERIFY2(ran.err.contains("44 recipes have it as a note, which has no fix. \"audit\" lists"),
                 ran.err.constData());
    }

    void fixesOfARuleWhatItCan()
    {
        const QString other = u".flox/pkgs/pytorch-python313-cuda12_8-sm86-avx2.nix"_s;
        const QByteArray flags = m_fixture->read(file);
        const qsizetype fma = flags.indexOf("    \"-mfma\"");
        change(flags.sliced(fma, flags.indexOf('\n', fma) + 1 - fma), "");
        m_fixture->write(other, m_fixture->read(other).replace("    export CFLAGS=", "    export OTHERFLAGS="));
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Break two"_s});
        const Ran shown = verb({u"fix"_s, u"--rule"_s, u"cpu-flags-missing"_s, u"--json"_s});
        QVERIFY2(shown.exitCode == 1, shown.err.constData());
        QCOMPARE(shown.json()[u"rewrite"_s][0][u"name"_s].toString(), name);
        QCOMPARE(shown.json()[u"left"_s].toArray().size(), 1);
        const Ran applied = verb({u"fix"_s, u"--rule"_s, u"cpu-flags-missing"_s, u"--apply"_s});
        QVERIFY2(applied.exitCode == 1, applied.err.constData());
        QVERIFY2(applied.err.contains(other.toUtf8() + ": Not fixed: line "), applied.err.constData());
        QVERIFY(m_fixture->read(file).contains("-mfma"));
        QCOMPARE(m_fixture->git({u"log"_s, u"-1"_s, u"--format=%s"_s}).out,
                 "Fix cpu-flags-missing in pytorch-python313-cuda12_8-sm90-avx512\n");
        const Ran again = verb({u"fix"_s, u"--rule"_s, u"cpu-flags-missing"_s, u"--apply"_s});
        QVERIFY2(again.exitCode == 1 && again.err.contains("\nNothing is fixed. "), again.err.constData());
        // What is said of many is said once.
        for (const char *row : {"sm80", "sm89", "sm90"}) {
            const QString more = u".flox/pkgs/pytorch-python313-cuda12_8-%1-avx2.nix"_s.arg(QLatin1StringView(row));
            m_fixture->write(more, m_fixture->read(more).replace("    export CFLAGS=", "    export OTHERFLAGS="));
        }
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Break more"_s});
        const Ran many = verb({u"fix"_s, u"--rule"_s, u"cpu-flags-missing"_s});
        QVERIFY2(many.err.count("Not fixed: ") == 1 && many.err.contains("avx2.nix and 3 more: Not fixed: "),
                 many.err.constData());
    }

    void errorsComeFirst()
    {
        change("gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\"");
        for (const char *row : {"sm86", "sm89"}) {
            const QString other = u".flox/pkgs/pytorch-python313-cuda12_8-%1-avx2.nix"_s.arg(QLatin1StringView(row));
            m_fixture->write(other, m_fixture->read(other).replace("NVIDIA 525.60.13+", "NVIDIA 390+"));
        }
        const Ran ran = verb({u"audit"_s});
        QVERIFY2(ran.out.indexOf("[gpu-targets-notation]") < ran.out.indexOf("[driver-low]"), ran.out.constData());
    }

    // The values of what differs, not its name alone.
    void showsTheValuesThatDiffer()
    {
        m_fixture->write(file,
                         m_fixture->read(file).replace("cudaSupport = true;\n  gpuTargets = [ gpuArchSM ];",
                                                       "cudaSupport = true;\n  gpuTargets = [ gpuArchSM \"8.9\" ];"));
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Two targets"_s});
        const Ran alone = verb({u"show"_s, name, u"--facts"_s});
        QVERIFY2(alone.out.startsWith("variant") && !alone.out.contains("{ pkgs") && alone.err.isEmpty(), alone.out);
        const Ran ran = verb({u"show"_s, name});
        QVERIFY2(ran.err.contains("GPU targets: 9.0 8.9; the template has 9.0\n"), ran.err.constData());
        QCOMPARE(verb({u"show"_s, name, u"--json"_s}).json()[u"differences"_s][0][u"template"_s].toString(), u"9.0"_s);
    }

    void generatesLikeARecipe()
    {
        change("# Package name", "# Ours, sm90.\n# Package name");
        const Ran printed =
            verb({u"generate"_s, u"pytorch-python313-cuda12_8-sm86-avx2"_s, u"--like"_s, name, u"--stdout"_s});
        QCOMPARE(printed.exitCode, 0);
        QVERIFY2(printed.out.contains("# Ours, sm86.\n"), printed.out.constData());
        const Ran refused = verb({u"generate"_s, u"pytorch-python313-cpu-avx512"_s, u"--like"_s, name, u"--stdout"_s});
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.contains("cannot be made from one of another kind"), refused.err.constData());
    }

    void learnsATemplate()
    {
        const Ran ran = verb({u"template"_s, u"learn"_s, u"--json"_s});
        QCOMPARE(ran.exitCode, 0);
        const QJsonValue profile = ran.json()[u"profiles"_s][0];
        QCOMPARE(profile[u"family"_s].toString(), u"pytorch"_s);
        QVERIFY(profile[u"recipes"_s].toInt() > 10);
        QCOMPARE(profile[u"sameBuild"_s].toInt(), profile[u"recipes"_s].toInt());
        const QStringList build{u"--build"_s, profile[u"build"_s].toString()};
        const Ran saved = verb(QStringList{u"template"_s, u"learn"_s, u"--save"_s, u"pytorch/ours"_s} + build);
        QVERIFY2(saved.exitCode == 0, saved.err.constData());
        QCOMPARE(QString::fromUtf8(m_fixture->read(u"../.config/torch-matrix/templates/pytorch/ours.nix"_s)),
                 profile[u"text"_s].toString());
        const Ran again = verb(QStringList{u"template"_s, u"learn"_s, u"--save"_s, u"pytorch/ours"_s} + build);
        QCOMPARE(again.exitCode, 3);
        QVERIFY2(again.err.contains("--force"), again.err.constData());
        QCOMPARE(verb({u"template"_s, u"learn"_s, u"--stdout"_s}).exitCode, 2);
        QCOMPARE(verb(QStringList{u"template"_s, u"learn"_s, u"--save"_s, u"../x"_s} + build).exitCode, 3);
    }

    void json()
    {
        change("pname = \"pytorch-", "pname = \"torch-");
        change("NVIDIA 525.60.13+", "NVIDIA 390+");
        const Ran ran = verb({u"audit"_s, u"--json"_s, name});
        QCOMPARE(ran.exitCode, 1);
        const QJsonObject json = ran.json();
        QCOMPARE(json[u"branch"_s].toString(), u"main"_s);
        QCOMPARE(json[u"errors"_s].toInt(), 0);
        QCOMPARE(json[u"warnings"_s].toInt(), 2);
        QCOMPARE(json[u"recipes"_s].toArray().size(), 1);
        const QJsonValue recipe = json[u"recipes"_s][0];
        QCOMPARE(recipe[u"name"_s].toString(), name);
        const QJsonValue finding = recipe[u"findings"_s][0];
        QCOMPARE(finding[u"id"_s].toString(), name + u":pname-other"_s);
        QCOMPARE(finding[u"severity"_s].toString(), u"warning"_s);
        QVERIFY(finding[u"line"_s].toInt() > 1 && finding[u"column"_s].toInt() > 1 && finding[u"length"_s].toInt() > 1);
        QVERIFY(finding[u"fixable"_s].toBool());
        const Ran fix = verb({u"fix"_s, u"--json"_s, finding[u"id"_s].toString()});
        QCOMPARE(fix.json()[u"name"_s].toString(), name);
        QVERIFY(!fix.json()[u"applied"_s].toBool());
        QVERIFY(fix.json()[u"diff"_s].toString().contains(u"+  pname = \"pytorch-python313"_s));
        const Ran rules = verb({u"audit"_s, u"--rules"_s, u"--json"_s});
        QVERIFY(rules.json()[u"rules"_s].toArray().size() > 40);
        for (const QJsonValue rule : rules.json()[u"rules"_s].toArray())
            QVERIFY(!rule[u"ignored"_s].toString().isEmpty() && !rule[u"seen"_s].toString().isEmpty());
    }

    /// One clear finding each, and none in the rest of the branch.
    void filesThatAreNoRecipes()
    {
        QDir folder(m_fixture->sample() + u"/.flox/pkgs"_s);
        const auto path = [&folder](const QString &isa) {
            return folder.filePath(u"pytorch-python313-cuda12_8-sm90-"_s + isa + u".nix"_s);
        };
        const auto replace = [&path](const QString &isa, const QByteArray &bytes) {
            QFile recipe(path(isa));
            QVERIFY(recipe.open(QIODevice::WriteOnly) && recipe.write(bytes) == bytes.size());
        };
        replace(u"avx2"_s, "{ pkgs }: let x = in x\n");
        replace(u"avx512"_s, QByteArray(50'000'000, ' '));
        replace(u"avx512bf16"_s, QByteArray("\x7f\x45\x4c\x46\0\xff\xfe", 7));
        QVERIFY(QFile::remove(path(u"avx512vnni"_s)) && QFile::link(u"/etc/passwd"_s, path(u"avx512vnni"_s)));
        QVERIFY(QFile::remove(path(u"armv9"_s)) && folder.mkdir(path(u"armv9"_s)));
        const Ran ran = verb({u"audit"_s});
        QCOMPARE(ran.exitCode, 1);
        QCOMPARE(ran.out.count(": error: "), 5);
        QCOMPARE(ran.out.count(": warning: "), 0);
        for (const char *rule : {"[syntax]", "[file-too-large]", "[file-not-text]", "[file-link]", "[file-folder]"})
            QVERIFY2(ran.out.count(rule) == 1, rule);
        QVERIFY2(ran.out.contains("-sm90-avx2.nix:1:"), ran.out.constData());
        QVERIFY(!ran.out.contains("root:"));
        QCOMPARE(verb({u"list"_s, u"--json"_s}).json()[u"branches"_s][0][u"counts"_s][u"current"_s].toInt(), 39);
    }

    /// Files other than the cells' recipes are reported as well.
    void otherFiles()
    {
        m_fixture->write(u".flox/pkgs/tools.nix"_s, "{ hello }: hello\n");
        m_fixture->write(u".flox/pkgs/half.nix"_s, "{ hello }: in\n");
        QVERIFY(QDir(m_fixture->sample()).mkdir(u".flox/pkgs/x.nix"_s));
        m_fixture->write(u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512-magma.nix"_s, m_fixture->read(file));
        const Ran ran = verb({u"audit"_s});
        QCOMPARE(ran.exitCode, 1);
        QVERIFY2(ran.out.contains(".flox/pkgs/half.nix:1:12: error: It is not valid Nix"), ran.out.constData());
        QVERIFY2(ran.out.contains(".flox/pkgs/x.nix: error: It is a folder"), ran.out.constData());
        QVERIFY2(ran.out.contains("-magma.nix: warning: The file's name is an old form: suffix -magma."),
                 ran.out.constData());
        QVERIFY2(ran.out.contains("sm90-avx512.nix: warning: 2 files are for this cell"), ran.out.constData());
        QVERIFY(!ran.out.contains("tools.nix"));
        const QJsonObject json = verb({u"audit"_s, u"--json"_s}).json();
        QCOMPARE(json[u"others"_s].toArray().size(), 4);
        QVERIFY(verb({u"audit"_s, u"--notes"_s}).out.contains("tools.nix: note: "));
    }

    void renderedAnew()
    {
        const QByteArray sound = m_fixture->read(file);
        change("  gpuTargets = [ gpuArchSM ];\n", "");
        const Ran refused = verb({u"fix"_s, u"--apply"_s, name + u":gpu-targets-missing"_s});
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.contains("--regenerate"), refused.err.constData());
        QVERIFY(m_fixture->read(file) != sound);
        QCOMPARE(verb({u"fix"_s, u"--regenerate"_s, u"--apply"_s, name + u":gpu-targets-missing"_s}).exitCode, 0);
        QCOMPARE(m_fixture->read(file), sound);
    }

    /// A separate package alone in a cell, and the second file of a cell, are audited under their own names.
    void furtherFiles()
    {
        const QString lone = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512-magma.nix"_s;
        m_fixture->git({u"mv"_s, file, lone});
        const QString second = u".flox/pkgs/pytorch-py313-sm89-avx2.nix"_s;
        m_fixture->write(
            second,
            m_fixture->read(u".flox/pkgs/pytorch-python313-cuda12_8-sm89-avx2.nix"_s).replace("\"8.9\"", "\"sm_89\""));
        m_fixture->git({u"add"_s, u"-A"_s});
        m_fixture->git({u"commit"_s, u"-qm"_s, u"Others"_s});
        const Ran all = verb({u"audit"_s});
        QVERIFY2(all.out.contains(
                     "-magma.nix: warning: The file's name is an old form: suffix -magma. [name-not-canonical]"),
                 all.out.constData());
        QVERIFY2(all.out.contains("Rename the file to "_ba + file.sliced(11).toUtf8()), all.out.constData());
        QVERIFY2(all.out.contains(second.toUtf8() + ":9:"), all.out.constData());
        const Ran named = verb({u"audit"_s, u"pytorch-py313-sm89-avx2"_s});
        QCOMPARE(named.exitCode, 1);
        QVERIFY2(named.out.contains("[gpu-targets-notation]") && !named.out.contains("-magma"), named.out.constData());
        const QByteArray listed = verb({u"list"_s}).err;
        QVERIFY2(listed.contains(lone.toUtf8()) && listed.contains(second.toUtf8()), listed.constData());
        const Ran fix = verb({u"fix"_s, u"pytorch-py313-sm89-avx2:gpu-targets-notation"_s});
        QVERIFY2(fix.exitCode == 3 && fix.err.contains("Rename or delete it; \"plan\" shows how."),
                 fix.err.constData());
        const Ran shown = verb({u"show"_s, u"pytorch-py313-sm89-avx2"_s});
        QVERIFY2(shown.exitCode == 3 && shown.err.contains("\"audit pytorch-py313-sm89-avx2\" describes it"),
                 shown.err.constData());
        const Ran duplicate = verb({u"fix"_s, u"--regenerate"_s, u"pytorch-python313-cuda12_8-sm89-avx2:duplicate"_s});
        QVERIFY2(duplicate.exitCode == 3 && duplicate.err.contains("Keep one of them. \"plan --apply\" does it"),
                 duplicate.err.constData());
    }

    /// fix has the same advice as audit, and a file that cannot be read is not overwritten.
    void adviceOfFixIsTheAudits_data()
    {
        QTest::addColumn<QByteArray>("rule");
        QTest::addColumn<QByteArray>("advice");
        for (const auto &[rule, advice] : {std::pair("file-folder", "Rename or delete the folder."),
                                           std::pair("file-link", "Put a copy of the file in its place."),
                                           std::pair("file-not-text", "Delete it, and regenerate the recipe.")})
            QTest::newRow(rule) << QByteArray(rule) << QByteArray(advice);
    }
    void adviceOfFixIsTheAudits()
    {
        QFETCH(const QByteArray, rule);
        QFETCH(const QByteArray, advice);
        const QString path = m_fixture->sample() + u'/' + file;
        if (rule == "file-not-text")
            m_fixture->write(file, "\xff\xfe");
        else
            QVERIFY(QFile::remove(path) &&
                    (rule == "file-link" ? QFile::link(u"/etc/passwd"_s, path) : QDir().mkdir(path)));
        QVERIFY(verb({u"audit"_s}).out.contains(advice));
        for (const QStringList &ways : {QStringList{}, {u"--regenerate"_s}, {u"--regenerate"_s, u"--apply"_s}}) {
            const Ran ran = verb(QStringList{u"fix"_s, name + u':' + QString::fromLatin1(rule)} + ways);
            QCOMPARE(ran.exitCode, 3);
            QVERIFY2(ran.err.endsWith(' ' + advice + '\n') && ran.err.count('\n') == 1 && ran.out.isEmpty(),
                     ran.err.constData());
        }
    }

    /// Names in an older form are accepted everywhere.
    void oldForms()
    {
        const QString old = u"pytorch-py313-sm90-avx512"_s;
        m_fixture->git({u"mv"_s, file, u".flox/pkgs/"_s + old + u".nix"_s});
        const Ran shown = verb({u"show"_s, old, u"--json"_s});
        QVERIFY2(shown.exitCode == 0, shown.err.constData());
        QCOMPARE(shown.json()[u"name"_s].toString(), name);
        const Ran fix = verb({u"fix"_s, old + u":name-not-canonical"_s});
        QVERIFY2(fix.exitCode == 3 && fix.err.contains("Rename the file to "_ba + name.toUtf8()) &&
                     fix.err.contains("\"plan --apply\"") && !fix.err.contains("anew"),
                 fix.err.constData());
    }

    /// Uncommitted texts are saved before they are overwritten.
    void uncommittedTextIsKept()
    {
        const QByteArray theirs = change("gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\"") + "# notes\n";
        m_fixture->write(file, theirs);
        const QString finding = name + u":gpu-targets-notation"_s;
        const Ran applied = verb({u"fix"_s, u"--regenerate"_s, u"--apply"_s, finding});
        QCOMPARE(applied.exitCode, 0);
        QVERIFY(m_fixture->read(file) != theirs);
        const QString ref =
            QString::fromUtf8(
                m_fixture->git({u"for-each-ref"_s, u"--format=%(refname)"_s, u"refs/torch-matrix/saved"_s}).out)
                .trimmed();
        QVERIFY2(applied.err.contains(("To read it: git show "_L1 + ref + ':'_L1 + file).toUtf8()),
                 applied.err.constData());
        QCOMPARE(m_fixture->git({u"show"_s, ref + u':' + file}).out, theirs);
        // So it is with a change in place, and without an identity.
        m_fixture->write(file, theirs);
        m_fixture->git({u"config"_s, u"user.useConfigOnly"_s, u"true"_s});
        const QJsonObject json = verb({u"fix"_s, u"--apply"_s, u"--json"_s, finding}).json();
        QCOMPARE(m_fixture->git({u"show"_s, json[u"saved"_s].toString() + u':' + file}).out, theirs);
        // Nothing needs saving if it is committed.
        m_fixture->write(file, theirs);
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Theirs"_s});
        const Ran committed = verb({u"fix"_s, u"--regenerate"_s, u"--apply"_s, u"--json"_s, finding});
        QVERIFY(committed.exitCode == 0 && committed.json()[u"saved"_s].toString().isEmpty());
    }

    /// A branch that is not checked out has no working tree: the change is committed directly.
    void anotherBranch()
    {
        const QByteArray sound = m_fixture->read(file);
        change("gpuArchSM = \"9.0\"", "gpuArchSM = \"8.9\"");
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Another GPU"_s});
        m_fixture->git({u"switch"_s, u"-q"_s, u"cuda-12_9"_s});
        QCOMPARE(verb({u"audit"_s, u"--branch"_s, u"main"_s}).exitCode, 1);
        const Ran applied = verb({u"fix"_s, u"--apply"_s, u"--branch"_s, u"main"_s, name + u":gpu-targets-other"_s});
        QVERIFY2(applied.exitCode == 0 && applied.err.contains("committed on branch main"), applied.err.constData());
        QCOMPARE(m_fixture->git({u"show"_s, u"main:"_s + file}).out, sound);
        QVERIFY(m_fixture->git({u"status"_s, u"--porcelain"_s}).out.isEmpty());
    }

    // Otherwise it would report no findings for a wrong folder.
    void nothingToRead()
    {
        for (const QStringList &arguments : {QStringList{u"audit"_s}, QStringList{u"audit"_s, u"--json"_s}}) {
            QVERIFY(QDir(m_fixture->sample() + u"/.flox/pkgs"_s).removeRecursively());
            m_fixture->git({u"add"_s, u"-A"_s});
            const Ran ran = m_fixture->verb(arguments);
            QCOMPARE(ran.exitCode, 3);
            QVERIFY2(ran.err.contains("it has no recipes"), ran.err);
            QCOMPARE(ran.out, QByteArray());
        }
    }

    // Otherwise Nix would report it after hours, or a maintainer would.
    void noDerivation()
    {
        m_fixture->write(u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s, "1 + 1\n");
        const Ran ran = m_fixture->verb({u"audit"_s});
        QCOMPARE(ran.exitCode, 1);
        QVERIFY2(
            ran.out.contains("error: It evaluates to no derivation, so there is nothing to build. [no-derivation]"),
            ran.out);
    }

    void wrongUse_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("no finding") << QStringList{u"fix"_s} << 2 << "FINDING"_ba;
        QTest::newRow("no name of a finding") << QStringList{u"fix"_s, u"x"_s} << 2 << "not the name of a finding"_ba;
        QTest::newRow("line that is no number")
            << QStringList{u"fix"_s, u"x:y:z"_s} << 2 << "not the name of a finding"_ba;
        QTest::newRow("no such recipe") << QStringList{u"fix"_s, u"x:y"_s} << 3 << "no such recipe"_ba;
        QTest::newRow("no such finding") << QStringList{u"fix"_s, name + u":syntax"_s} << 3 << "no such finding"_ba;
        QTest::newRow("unknown recipe") << QStringList{u"audit"_s, u"nothing"_s} << 2 << "no such recipe"_ba;
        QTest::newRow("unknown branch") << QStringList{u"audit"_s, u"--branch"_s, u"nothing"_s} << 3 << "nothing"_ba;
    }
    void wrongUse()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, words);
        const Ran ran = verb(arguments);
        QTEST(ran.exitCode, "exitCode");
        QVERIFY2(ran.err.contains(words), ran.err.constData());
        QVERIFY(ran.out.isEmpty());
    }
};

TM_TEST(VerbAuditTest, QCoreApplication)
#include "tst_verb_audit.moc"
