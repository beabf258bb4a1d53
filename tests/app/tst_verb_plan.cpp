// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// The verbs that change many recipes at once: plan, derive, migrate, copy.
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;
using tmx::test::Ran;
using tmx::test::VerbFixture;

namespace {

const QString one = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
const QString two = u"pytorch-python313-cuda12_8-sm90-avx512"_s;

/// Appends a line to each recipe.
void addToAll(const VerbFixture &f, const QByteArray &line)
{
    for (const QByteArray &path : f.git({u"ls-files"_s, u".flox/pkgs"_s}).out.split('\n')) {
        if (!path.isEmpty())
            f.write(QString::fromUtf8(path), f.read(QString::fromUtf8(path)) + line);
    }
}

QStringList words(const char *line)
{
    return QString::fromLatin1(line).split(u' ', Qt::SkipEmptyParts);
}

QStringList namesIn(const QJsonObject &object, const QString &list)
{
    QStringList names;
    for (const QJsonValue &entry : object.value(list).toArray())
        names.append(entry[u"name"_s].toString());
    return names;
}

/// The name of a recipe's package.
QString packageIn(const QString &path)
{
    return path.section(u'/', -1).chopped(4);
}

/// One recipe is missing, another customised.
void unsettle(const VerbFixture &f)
{
    f.git({u"rm"_s, u"-q"_s, u".flox/pkgs/%1.nix"_s.arg(one)});
    f.write(u".flox/pkgs/%1.nix"_s.arg(two), f.read(u".flox/pkgs/%1.nix"_s.arg(two)) + "# mine\n");
    f.git({u"commit"_s, u"-qam"_s, u"Unsettle"_s});
}

QByteArray head(const VerbFixture &f, const QString &branch = u"HEAD"_s)
{
    return f.git({u"rev-parse"_s, branch}).out.trimmed();
}

} // namespace

class TestVerbPlan : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void planCanBeTickedInAnIssue()
    {
        const VerbFixture f;
        unsettle(f);
        const Ran ran = f.verb({u"plan"_s, u"--markdown"_s});
        QCOMPARE(ran.exitCode, 1);
        const QByteArrayList lines = ran.out.split('\n');
        QCOMPARE(lines.mid(0, 6), (QByteArrayList{"# Plan of main", "", "1 to create.", "", "## create (1)", ""}));
        QVERIFY(lines.value(6).startsWith("- [x] `" + one.toLatin1() + "` "));
        QVERIFY2(lines.value(8).startsWith("keep ") && lines.value(8).contains(" 43 recipes "), ran.out.constData());
        const Ran all = f.verb({u"plan"_s, u"--markdown"_s, u"--all"_s});
        QVERIFY2(all.out.contains("\n## rewrite (1)\n\n- [ ] `" + two.toLatin1() + "` "), all.out.constData());
        QCOMPARE(f.verb({u"plan"_s, u"--markdown"_s, u"--json"_s}).exitCode, 2);
    }

    // The branch of a plan that people wrote: six files, of which one is right, two are from another branch, and three
    // have to go; and settings that list 59 variants.
    void sixFilesBecomeFiftyNine()
    {
        const VerbFixture f;
        const auto fixture = [](const QString &name) {
            QFile file(QStringLiteral(TM_FIXTURES "/recipes/") + name);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const auto path = [](const char *rest) {
            return u".flox/pkgs/pytorch-python313-cuda13_0-%1.nix"_s.arg(QString::fromLatin1(rest));
        };
        f.git({u"checkout"_s, u"-q"_s, u"--orphan"_s, u"six"_s});
        f.git({u"rm"_s, u"-rqf"_s, u"."_s});
        QByteArray right = fixture(u"written/upgraded.nix"_s);
        right
            .replace("[ \"-mavx2\" \"-mfma\" \"-mf16c\" ]",
                     "[ \"-mavx512f\" \"-mavx512dq\" \"-mavx512vl\" \"-mavx512bw\" \"-mfma\" ]")
            .replace("\"8.9\"", "\"12.0\"")
            .replace("sm89-avx2", "sm120-avx512")
            .replace("cpuISA = \"avx2\"", "cpuISA = \"avx512\"")
            .replace("Ada (SM89) and AVX2", "Blackwell (SM120) and AVX-512")
            .replace("RTX 4090 and L40S (SM89)", "RTX 5090 (SM120)")
            .replace("RTX 4090, L4, L40S (SM89, Ada Lovelace)", "RTX 5090 (SM120, Blackwell)");
        const QByteArray older = fixture(u"older-arm.nix"_s);
        f.write(path("sm120-avx512"), right);
        f.write(path("sm120-avx512-magma"), right);
        f.write(path("sm110-armv8_2"), older);
        f.write(path("sm110-armv9"), QByteArray(older)
                                         .replace("armv8_2", "armv9")
                                         .replace("-march=armv8.2-a+fp16+dotprod", "-march=armv9-a+sve+sve2"));
        f.write(path("sm120-avx"), QByteArray(older)
                                       .replace("sm110-armv8_2", "sm120-avx")
                                       .replace("11.0", "12.0")
                                       .replace("-march=armv8.2-a+fp16+dotprod", "-mavx")
                                       .replace("aarch64", "x86_64"));
        f.write(path("sm121-armv9-nightly"), fixture(u"nightly.nix"_s));
        f.write(u"torch-matrix.toml"_s, "base = \"cuda-13_0\"\n");
        f.git({u"add"_s, u"-A"_s});
        f.git({u"commit"_s, u"-qm"_s, u"Six files"_s});
        const QByteArray tree = f.git({u"rev-parse"_s, u"HEAD^{tree}"_s}).out;
        const QByteArray before = head(f);

        const QStringList leaving{packageIn(path("sm120-avx")), packageIn(path("sm120-avx512-magma")),
                                  packageIn(path("sm121-armv9-nightly"))};
        QVERIFY(namesIn(f.verb({u"plan"_s, u"--json"_s}).json(), u"delete"_s).isEmpty());
        const Ran shown = f.verb({u"plan"_s, u"--delete"_s, u"--json"_s});
        QCOMPARE(namesIn(shown.json(), u"delete"_s), leaving);
        QCOMPARE(namesIn(shown.json(), u"rewrite"_s),
                 QStringList({packageIn(path("sm110-armv8_2")), packageIn(path("sm110-armv9"))}));
        QCOMPARE(namesIn(shown.json(), u"create"_s).size(), 59 - 3);
        QCOMPARE(head(f), before);
        QCOMPARE(f.verb({u"plan"_s, u"--delete"_s, u"--only"_s, leaving.constFirst()}).exitCode, 2);

        const Ran done = f.verb({u"plan"_s, u"--apply"_s, u"--delete"_s});
        QVERIFY2(done.exitCode == 0, done.err.constData());
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD^"_s}).out.trimmed(), before);
        QCOMPARE(f.git({u"ls-files"_s, u".flox/pkgs"_s}).out.trimmed().split('\n').size(), 59);
        const QJsonObject audit = f.verb({u"audit"_s, u"--json"_s}).json();
        QCOMPARE(audit.value(u"recipes"_s).toArray().size(), 59);
        QCOMPARE(audit.value(u"errors"_s).toInt(), 0);
        QCOMPARE(f.verb({u"plan"_s}).exitCode, 0);
        QVERIFY(f.git({u"status"_s, u"--porcelain"_s}).out.isEmpty());

        const Ran undone = f.verb({u"plan"_s, u"--undo"_s, u"--apply"_s});
        QVERIFY2(undone.exitCode == 0, undone.err.constData());
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD^{tree}"_s}).out, tree);
    }

    // A filter restricts deletions, too. generate names the command that lists what plan would delete.
    void unlistedRecipes()
    {
        const VerbFixture f;
        QCOMPARE(f.verb(words("settings save")).exitCode, 0);
        QCOMPARE(f.verb(words("settings set coverage.sm61 avx2 --force")).exitCode, 0);
        f.git({u"add"_s, u"-A"_s});
        f.git({u"commit"_s, u"-qm"_s, u"Settings"_s});
        const Ran shown = f.verb(words("plan"));
        QVERIFY2(shown.out.contains("delete only with --delete or --only NAME"), shown.out.constData());
        QCOMPARE(namesIn(f.verb(words("plan --delete --json")).json(), u"delete"_s),
                 QStringList{u"pytorch-python313-cuda12_8-sm61-avx"_s});
        QVERIFY(namesIn(f.verb(words("plan --delete --cuda none --json")).json(), u"delete"_s).isEmpty());

        const Ran made = f.verb(words("generate --commit pytorch-python313-cuda12_8-sm70-avx512 "
                                      "pytorch-python313-cuda12_8-sm70-avx2"));
        QCOMPARE(made.exitCode, 0);
        const QByteArray listing = "settings set coverage.sm70 avx2,avx512";
        QVERIFY2(made.err.contains("torch-matrix.toml does not list it. \"" + listing + "\" does."),
                 made.err.constData());
        QCOMPARE(f.verb(words(listing.constData())).exitCode, 0);
        const Ran after = f.verb(words("plan"));
        QVERIFY2(!after.out.contains("sm70"), after.out.constData());
    }

    void planIsADryRun()
    {
        const VerbFixture f;
        QCOMPARE(f.verb({u"plan"_s}).exitCode, 0);
        unsettle(f);
        const QByteArray before = head(f);
        const Ran ran = f.verb({u"plan"_s, u"--json"_s});
        QCOMPARE(ran.exitCode, 1);
        QStringList keys = ran.json().keys();
        keys.sort();
        QCOMPARE(keys, QStringList({u"create"_s, u"delete"_s, u"keep"_s, u"rename"_s, u"rewrite"_s}));
        QCOMPARE(namesIn(ran.json(), u"create"_s), QStringList{one});
        QCOMPARE(namesIn(ran.json(), u"keep"_s).size(), 43);
        QVERIFY(namesIn(ran.json(), u"keep"_s).contains(two));
        const QJsonObject entry = ran.json().value(u"create"_s).toArray().first().toObject();
        QCOMPARE(entry.keys(), QStringList({u"file"_s, u"name"_s, u"reason"_s}));
        const Ran text = f.verb({u"plan"_s});
        QVERIFY2(text.out.startsWith("create   " + one.toUtf8()), text.out.constData());
        QVERIFY(text.err.contains("1 to create; --apply does it"));
        QCOMPARE(head(f), before);
    }

    void planAppliesAndUndoes()
    {
        const VerbFixture f;
        unsettle(f);
        const QByteArray before = head(f);
        const Ran ran = f.verb({u"plan"_s, u"--apply"_s, u"--json"_s, u"-m"_s, u"Settle"_s});
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
        QCOMPARE(ran.json().value(u"commit"_s).toString().toLatin1(), head(f));
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%s %P"_s}).out.trimmed(), "Settle " + before);
        QCOMPARE(f.verb({u"plan"_s}).exitCode, 0);

        QCOMPARE(f.verb({u"plan"_s, u"--undo"_s}).out, "delete   .flox/pkgs/" + one.toUtf8() + ".nix\n");
        const Ran undone = f.verb({u"plan"_s, u"--undo"_s, u"--apply"_s});
        QVERIFY2(undone.exitCode == 0, undone.err.constData());
        QCOMPARE(f.git({u"diff"_s, QString::fromLatin1(before), u"HEAD"_s}).out, ""_ba);
        QCOMPARE(f.git({u"status"_s, u"--porcelain"_s}).out, ""_ba);
    }

    // Kept files are one line, unless they are requested; steps are named.
    void whatIsKeptIsCounted()
    {
        const VerbFixture f;
        unsettle(f);
        const Ran ran = f.verb({u"plan"_s});
        QCOMPARE(ran.out.count('\n'), 2);
        QVERIFY2(
            ran.out.contains("\nkeep     43 recipes as they are (1 same build; --only NAME rewrites one); --all lists "
                             "them\n"),
            ran.out.constData());
        const Ran all = f.verb({u"plan"_s, u"--all"_s});
        QCOMPARE(all.out.count('\n'), 44);
        QVERIFY(!all.out.contains("--all lists them"));
        // In the words of the grid.
        QVERIFY2(all.out.contains("keep     " + two.toUtf8() +
                                  "  Same derivation as the template's. [rewrite only with --only NAME]\n"),
                 all.out.constData());
    }

    void onlyOfACellThatNobodyLists()
    {
        const VerbFixture f;
        const Ran ran = f.verb({u"plan"_s, u"--only"_s, u"pytorch-python313-cuda12_8-sm75-avx2"_s});
        QCOMPARE(ran.exitCode, 3);
        QVERIFY2(ran.err.contains("do not list it, and it has no recipe") &&
                     ran.err.contains("settings set coverage.sm75"),
                 ran.err.constData());
        const Ran invalid = f.verb({u"plan"_s, u"--only"_s, u"pytorch-python313-cuda12_8-sm121-avx2"_s});
        QVERIFY2(invalid.err.contains("nvcc 12.8 does not know sm_121"), invalid.err.constData());
        const Ran noName = f.verb({u"plan"_s, u"--only"_s, u"nonsense"_s});
        QVERIFY2(noName.err.contains("neither a variant's name nor a file"), noName.err.constData());
    }

    /// A recipe that people wrote and deleted is restored with its text by every verb, with a message.
    void aDeletedTextComesBackTheSame()
    {
        const VerbFixture f;
        addToAll(f, "# by hand\n"); // nothing is what the template gives
        f.write(u".flox/pkgs/%1.nix"_s.arg(one), f.read(u".flox/pkgs/%1.nix"_s.arg(one)) + "# this one most of all\n");
        f.git({u"commit"_s, u"-qam"_s, u"By hand"_s});
        const QByteArray said = "Its text comes from commit " + head(f).first(10);
        const QString file = u".flox/pkgs/%1.nix"_s.arg(one);
        const QByteArray text = f.read(file);
        f.git({u"rm"_s, u"-q"_s, file});
        f.git({u"commit"_s, u"-qm"_s, u"Gone"_s});
        const Ran shown = f.verb({u"show"_s, one});
        QCOMPARE(shown.out, text);
        QVERIFY2(shown.err.contains(said), shown.err.constData());
        QCOMPARE(f.verb({u"generate"_s, one, u"--stdout"_s}).out, text);
        QVERIFY(f.verb({u"plan"_s}).out.contains(said));
        QCOMPARE(f.verb({u"plan"_s, u"--only"_s, one, u"--apply"_s}).exitCode, 0);
        QCOMPARE(f.read(file), text);
    }

    /// With a mistake that the audit can fix, it is that text without the mistake; with another one it is not used.
    void aDeletedTextComesBackWithoutItsMistake()
    {
        const VerbFixture f;
        addToAll(f, "# by hand\n");
        const QString file = u".flox/pkgs/%1.nix"_s.arg(one);
        const QByteArray right = f.read(file) + "# this one most of all\n";
        const auto generated = [&](const QByteArray &text) {
            f.write(file, text);
            f.git({u"commit"_s, u"-qam"_s, u"By hand"_s});
            f.git({u"rm"_s, u"-q"_s, file});
            f.git({u"commit"_s, u"-qm"_s, u"Gone"_s});
            const QByteArray made = f.verb({u"generate"_s, one, u"--stdout"_s}).out;
            f.git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~2"_s});
            return made;
        };
        QByteArray wrong = right;
        wrong.replace("\"9.0\"", "\"8.9\"");
        QVERIFY(wrong != right);
        QCOMPARE(generated(wrong), right);
        const QByteArray made = generated(QByteArray(right).replace("cudaSupport = true", "cudaSupport = tru"));
        QVERIFY2(!made.isEmpty() && !made.contains("# this one"), made.constData());
    }

    /// The branch has moved to another version since: the deleted text would build the old one.
    void aDeletedTextOfAnotherVersionStaysAway()
    {
        const VerbFixture f;
        const QString file = u".flox/pkgs/%1.nix"_s.arg(one);
        const QByteArray text = f.read(file);
        f.git({u"rm"_s, u"-q"_s, file});
        f.git({u"commit"_s, u"-qm"_s, u"Gone"_s});
        for (const QByteArray &path : f.git({u"ls-files"_s, u".flox/pkgs"_s}).out.split('\n')) {
            if (path.isEmpty())
                continue;
            QByteArray now = f.read(QString::fromUtf8(path));
            now.insert(now.indexOf('\n', now.indexOf("pname = ")), "\n  version = \"9.9.9\";");
            f.write(QString::fromUtf8(path), now);
        }
        f.git({u"commit"_s, u"-qam"_s, u"Another version"_s});
        const Ran planned = f.verb({u"plan"_s, u"--only"_s, one});
        QVERIFY2(planned.out.contains(
                     "is not used: it builds another source than the other recipes of the branch (version)."),
                 planned.out.constData());
        QVERIFY(f.verb({u"generate"_s, one, u"--stdout"_s}).out != text);
    }

    /// However many recipes have it.
    void aPackageSetOfAnotherToolkitIsAnError()
    {
        const VerbFixture f;
        for (const QByteArray &path : f.git({u"ls-files"_s, u".flox/pkgs/*cuda12_8*"_s}).out.split('\n')) {
            if (!path.isEmpty())
                f.write(QString::fromUtf8(path),
                        f.read(QString::fromUtf8(path)).replace("cudaPackages_12_8", "cudaPackages_12_9"));
        }
        const Ran ran = f.verb({u"audit"_s, u"--json"_s});
        QCOMPARE(ran.exitCode, 1);
        QVERIFY2(ran.out.contains("\"cuda-overlay-other\""), ran.out.left(2000).constData());
    }

    /// With a filter too, what is asked for and cannot be done is named.
    void aFilterNamesWhatIsLeft()
    {
        const VerbFixture f;
        const QString other = QString(one).replace(u"sm90"_s, u"sm75"_s);
        f.write(u".flox/pkgs/%1.nix"_s.arg(other), f.read(u".flox/pkgs/%1.nix"_s.arg(one)).replace("sm90", "sm75"));
        f.git({u"add"_s, u"."_s});
        f.git({u"commit"_s, u"-qm"_s, u"One more"_s});
        const Ran ran = f.verb({u"plan"_s, u"--cuda"_s, u"12.8"_s});
        QCOMPARE(ran.exitCode, 1);
        QVERIFY2(ran.out.startsWith("leave    " + other.toUtf8()) && ran.out.count('\n') == 1, ran.out.constData());
        const Ran none = f.verb({u"plan"_s, u"--cuda"_s, u"none"_s});
        QVERIFY2(none.exitCode == 0 && none.err.contains("nothing to do for these variants"), none.err.constData());
    }

    /// What it leaves to the user is said once more when the rest is done.
    void saysWhatItLeaves()
    {
        const VerbFixture f;
        unsettle(f);
        for (const QString &suffix : {u"-magma"_s, u"-nightly"_s})
            f.write(u".flox/pkgs/%1%2.nix"_s.arg(two, suffix), f.read(u".flox/pkgs/%1.nix"_s.arg(two)));
        const Ran planned = f.verb({u"plan"_s});
        const auto left = planned.out.count("\nleave ") + planned.out.startsWith("leave ");
        QVERIFY2(left > 1, planned.out.constData());
        const Ran applied = f.verb({u"plan"_s, u"--apply"_s});
        QVERIFY2(applied.err.contains(QByteArray::number(left) + " recipes are not changed, as said above"),
                 applied.err.constData());
    }

    /// Only what is named is listed.
    void onlyListsWhatIsNamed()
    {
        const VerbFixture f;
        unsettle(f);
        const Ran ran = f.verb({u"plan"_s, u"--only"_s, one});
        QCOMPARE(ran.out.count('\n'), 1);
        QVERIFY2(ran.out.contains(one.toUtf8()), ran.out.constData());
    }

    void undoOfAnUndoIsSaid()
    {
        const VerbFixture f;
        unsettle(f);
        QCOMPARE(f.verb({u"plan"_s, u"--apply"_s}).exitCode, 0);
        const QByteArray planned = head(f);
        f.git({u"update-ref"_s, u"refs/remotes/origin/main"_s, u"HEAD"_s}); // pushed
        QVERIFY(f.verb({u"plan"_s, u"--undo"_s}).err.contains("(\"Create " + one.toUtf8() + "\")"));
        QCOMPARE(f.verb({u"plan"_s, u"--undo"_s, u"--apply"_s}).exitCode, 0);
        const Ran again = f.verb({u"plan"_s, u"--undo"_s});
        QVERIFY2(again.err.contains("would take " + head(f).first(10) + " away"), again.err.constData());
        f.git({u"update-ref"_s, u"refs/remotes/origin/main"_s, u"HEAD"_s});
        const Ran pushed = f.verb({u"plan"_s, u"--undo"_s});
        QVERIFY2(pushed.err.contains("the last change was itself an undo: would redo") &&
                     pushed.err.contains(planned.first(10)),
                 pushed.err.constData());
    }

    /// What was not pushed is taken away, and comes back as it was; each time it says which way.
    void takesAwayAndBringsBack()
    {
        const VerbFixture f;
        unsettle(f);
        const QByteArray before = head(f);
        QCOMPARE(f.verb({u"plan"_s, u"--apply"_s}).exitCode, 0);
        const QByteArray planned = head(f);
        QVERIFY(f.verb({u"plan"_s, u"--undo"_s})
                    .err.contains("would take " + planned.first(10) + " away, which was not pushed"));
        const Ran undone = f.verb({u"plan"_s, u"--undo"_s, u"--apply"_s});
        QVERIFY2(undone.err.contains("took " + planned.first(10) + " away: main is at " + before.first(10)),
                 undone.err.constData());
        QCOMPARE(head(f), before);
        QVERIFY(f.verb({u"plan"_s, u"--redo"_s}).err.contains("would bring " + planned.first(10) + " back"));
        const Ran redone = f.verb({u"plan"_s, u"--redo"_s, u"--apply"_s, u"--json"_s});
        QCOMPARE(redone.json().value(u"movedTo"_s).toString().toUtf8(), planned);
        QCOMPARE(head(f), planned);
        QCOMPARE(f.git({u"status"_s, u"--porcelain"_s}).out, ""_ba);
        QCOMPARE(f.verb({u"plan"_s, u"--redo"_s}).exitCode, 3);
        // With a message of its own it is a commit.
        QCOMPARE(f.verb({u"plan"_s, u"--undo"_s, u"--apply"_s, u"-m"_s, u"Take it back"_s}).exitCode, 0);
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%s %P"_s}).out.trimmed(), "Take it back " + planned);
    }

    void anotherPythonIsNotGeneratedSilently()
    {
        const VerbFixture f;
        const Ran ran = f.verb({u"generate"_s, u"pytorch-python312-cuda12_8-sm90-avx2"_s});
        QCOMPARE(ran.exitCode, 3);
        QVERIFY2(ran.err.contains("builds for python313, not for python312") &&
                     ran.err.contains("settings set pythons python313,python312"),
                 ran.err.constData());
        QCOMPARE(f.git({u"status"_s, u"--porcelain"_s}).out, ""_ba);
        // To look at it, or after a reference, is another matter.
        QCOMPARE(f.verb({u"show"_s, u"pytorch-python312-cuda12_8-sm90-avx2"_s}).exitCode, 0);
        const Ran like = f.verb({u"generate"_s, u"pytorch-python312-cuda12_8-sm90-avx2"_s, u"--like"_s, one});
        QVERIFY2(like.exitCode == 0, like.err.constData());
    }

    /// What no recipe makes true or false is for the audit to say; what a commit changes beside recipes, its message
    /// names.
    void aCommitNamesTheDocumentsThatItChanges()
    {
        const VerbFixture f;
        f.git({u"rm"_s, u"-q"_s, u".flox/pkgs/%1.nix"_s.arg(one)});
        f.write(u"README.md"_s, "This branch has 43 recipes.\n\nSee `git checkout nowhere`.\n");
        f.git({u"add"_s, u"."_s});
        f.git({u"commit"_s, u"-qm"_s, u"Count"_s});
        const Ran planned = f.verb({u"plan"_s});
        QVERIFY2(!planned.err.contains("nowhere"), planned.err.constData());
        QVERIFY(f.verb({u"audit"_s, u"--notes"_s}).out.contains("nowhere"));
        const QByteArray lines = one.toUtf8() + "\n\nrewrite README.md\n\n";
        for (const auto &[words, verb] : {std::pair{QStringList{u"generate"_s, one, u"--commit"_s}, "Add "_ba},
                                          {{u"plan"_s, u"--only"_s, one, u"--apply"_s}, "Create "_ba}}) {
            const Ran ran = f.verb(words);
            QVERIFY2(ran.exitCode == 0, ran.err.constData());
            QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%B"_s}).out, verb + lines);
            QVERIFY(f.read(u"README.md"_s).startsWith("This branch has 44 recipes."));
            f.git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~1"_s});
        }
    }

    /// A detached HEAD has no name, which would be everywhere in a document.
    void aDetachedHeadIsNamedNowhere()
    {
        const VerbFixture f;
        f.write(u"README.md"_s, "**Old** rows: 2 recipes.\n");
        f.git({u"add"_s, u"."_s});
        f.git({u"commit"_s, u"-qm"_s, u"Read me"_s});
        f.git({u"checkout"_s, u"-q"_s, u"--detach"_s});
        const Ran planned = f.verb({u"plan"_s});
        QVERIFY2(!planned.out.contains("README") && !planned.err.contains("README"),
                 (planned.out + planned.err).constData());
    }

    void aCoverageIsCopied()
    {
        const VerbFixture f;
        const Ran shown = f.verb({u"copy"_s, u"--from"_s, u"cuda-13_0"_s, u"--coverage"_s});
        QVERIFY2(shown.exitCode == 0 && shown.err.contains("cells are impossible here and are left out"),
                 shown.err.constData());
        QVERIFY2(shown.out.contains("[[coverage]]"), shown.out.constData());
        QVERIFY(f.read(u"torch-matrix.toml"_s).isEmpty());
        const Ran done = f.verb({u"copy"_s, u"--from"_s, u".@cuda-13_0"_s, u"--coverage"_s, u"--apply"_s});
        QVERIFY2(done.exitCode == 0, done.err.constData());
        QVERIFY(f.read(u"torch-matrix.toml"_s).contains("sm75"));
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%s"_s}).out, "List the coverage of .@cuda-13_0\n");
        QCOMPARE(f.verb({u"copy"_s}).exitCode, 2);
        QCOMPARE(f.verb({u"copy"_s, u"--coverage"_s}).exitCode, 2);
    }

    void whatAHookPrintsIsTold()
    {
        const VerbFixture f;
        unsettle(f);
        f.write(u".git/hooks/pre-commit"_s, "#!/bin/sh\nprintf 'tidy \\033]0;title\\007\\n\\n'\n");
        QVERIFY(QFile::setPermissions(f.sample() + u"/.git/hooks/pre-commit"_s,
                                      QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const Ran ran = f.verb({u"plan"_s, u"--apply"_s});
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
        QVERIFY2(ran.err.contains("git: tidy ]0;title\n"), ran.err.constData());
    }

    void planOnly()
    {
        const VerbFixture f;
        unsettle(f);
        const Ran ran = f.verb({u"plan"_s, u"--apply"_s, u"--only"_s, two});
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-status"_s}).out,
                 "M\t.flox/pkgs/" + two.toUtf8() + ".nix\n");
        QCOMPARE(f.verb({u"plan"_s, u"--only"_s, u"nonsense"_s}).exitCode, 2);
    }

    // A branch whose recipes cannot follow its settings is not complete.
    void planSaysWhatItLeaves()
    {
        const VerbFixture f;
        QCOMPARE(f.verb({u"plan"_s}).exitCode, 0);
        const Ran set = f.verb({u"settings"_s, u"set"_s, u"nixpkgs"_s, QString(40, u'c')});
        QVERIFY2(set.err.contains("the recipes are not updated yet: 44 to rewrite"), set.err.constData());
        Ran ran = f.verb({u"plan"_s});
        QCOMPARE(ran.exitCode, 1);
        QVERIFY2(ran.err.contains("warning: torch-matrix.toml has uncommitted changes"), ran.err.constData());
        f.git({u"commit"_s, u"-qam"_s, u"Settings"_s});
        ran = f.verb({u"plan"_s});
        QVERIFY2(!ran.err.contains("uncommitted changes"), ran.err.constData());

        // They compute the value in the settings.
        const QByteArray pin = "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3";
        const QStringList files = QDir(f.sample() + u"/.flox/pkgs"_s).entryList({u"*.nix"_s}, QDir::Files);
        for (const QString &file : files) {
            const QString path = u".flox/pkgs/"_s + file;
            f.write(path, f.read(path).replace(pin, "${builtins.unsafeDiscardStringContext \"" + pin + "\"}"));
        }
        f.git({u"commit"_s, u"-qam"_s, u"Compute the revision"_s});
        ran = f.verb({u"plan"_s});
        QCOMPARE(ran.exitCode, 1);
        QVERIFY2(ran.err.contains("main: 44 recipes are not changed, as said above"), ran.err.constData());
        QCOMPARE(ran.out.count("It does not follow the branch settings"), 1); // once for all
        QVERIFY2(ran.out.contains("leave    44 recipes  It does not follow"), ran.out.constData());
        ran = f.verb({u"plan"_s, u"--all"_s});
        QCOMPARE(ran.out.count("It does not follow the branch settings"), 44);
        const Ran again = f.verb({u"settings"_s, u"set"_s, u"nixpkgs"_s, QString(40, u'd')});
        QVERIFY2(again.err.contains("44 recipes are not changed; \"torch-matrix plan\" says why"),
                 again.err.constData());
    }

    // A branch without recipes that the user deleted is not complete either: listed steps are not called nothing.
    void planSaysThatDeletedRecipesAreLeft()
    {
        const VerbFixture f;
        const QString file = u".flox/pkgs/%1.nix"_s.arg(one);
        const auto saysThatOneIsLeft = [&f] {
            const Ran ran = f.verb({u"plan"_s});
            QVERIFY2(ran.out.startsWith("leave    " + one.toUtf8()), ran.out.constData());
            QVERIFY2(ran.err.contains("1 recipe is not created, as said above"), ran.err.constData());
            QCOMPARE(ran.exitCode, 1);
            QVERIFY(f.verb({u"plan"_s, u"--markdown"_s}).out.contains("\n\nNothing is chosen.\n"));
        };
        QVERIFY(QFile::remove(f.sample() + u'/' + file));
        saysThatOneIsLeft();
        // On a branch whose recipes alone say what it has.
        f.git({u"checkout"_s, u"-q"_s, u"."_s});
        f.git({u"checkout"_s, u"-qb"_s, u"theirs"_s});
        f.git({u"rm"_s, u"-q"_s, u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512bf16.nix"_s});
        f.git({u"commit"_s, u"-qm"_s, u"Theirs"_s});
        f.git({u"rm"_s, u"-q"_s, file});
        f.git({u"commit"_s, u"-qm"_s, u"Delete"_s});
        const Ran ran = f.verb({u"plan"_s});
        QVERIFY2(ran.out.contains("leave    " + one.toUtf8()), ran.out.constData());
        QVERIFY2(ran.err.contains("theirs: 2 recipes are not created, as said above"), ran.err.constData());
        QCOMPARE(ran.exitCode, 1);
    }

    void planLeavesWhatWasNeverCommitted()
    {
        const VerbFixture f;
        const QString magma = one + u"-magma"_s;
        const QString file = u".flox/pkgs/%1.nix"_s.arg(magma);
        f.write(file, "mine alone\n");
        const QByteArray before = head(f);
        const Ran shown = f.verb({u"plan"_s});
        QCOMPARE(shown.exitCode, 1);
        QVERIFY2(shown.err.contains("main: 1 recipe is not changed, as said above"), shown.err.constData());
        QVERIFY2(shown.out.contains(magma.toUtf8() + "  It was never committed. "), shown.out.constData());

        const Ran ran = f.verb({u"plan"_s, u"--only"_s, magma, u"--apply"_s});
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
        QVERIFY(ran.err.contains("nothing to commit"));
        QCOMPARE(head(f), before);
        QCOMPARE(f.read(file), ""_ba);
        // The printed command restores the text.
        const qsizetype at = ran.err.indexOf("git show ");
        QVERIFY2(at > 0, ran.err.constData());
        const QString command = QString::fromUtf8(ran.err.sliced(at, ran.err.indexOf('\n', at) - at));
        QCOMPARE(f.git(command.split(u' ').sliced(1)).out, "mine alone\n"_ba);

        QCOMPARE(f.verb({u"plan"_s, u"--undo"_s}).out, "restore  " + file.toUtf8() + "  uncommitted changes\n");
        QCOMPARE(f.read(file), ""_ba);
        const Ran undone = f.verb({u"plan"_s, u"--undo"_s, u"--apply"_s, u"--json"_s});
        QVERIFY2(undone.exitCode == 0, undone.err.constData());
        QCOMPARE(undone.json().value(u"restored"_s).toArray(), QJsonArray{file});
        QCOMPARE(f.read(file), "mine alone\n"_ba);
        QCOMPARE(head(f), before);
    }

    void undoSaysWhatItCannotPutBack()
    {
        const VerbFixture f;
        const QString magma = one + u"-magma"_s;
        const QString file = u".flox/pkgs/%1.nix"_s.arg(magma);
        unsettle(f);
        f.write(file, "mine alone\n");
        const Ran applied = f.verb({u"plan"_s, u"--only"_s, one, magma, u"--apply"_s, u"--json"_s});
        QVERIFY2(applied.exitCode == 0, applied.err.constData());
        const QString kept = applied.json().value(u"kept"_s).toArray().first().toString();
        QCOMPARE(kept, applied.json().value(u"saved"_s).toString() + u':' + file);
        f.write(file, "newer\n");
        const Ran undone = f.verb({u"plan"_s, u"--undo"_s, u"--apply"_s});
        QVERIFY2(undone.exitCode == 0, undone.err.constData());
        QVERIFY2(undone.err.contains("the file has changed since; to read it:\n  git show " + kept.toUtf8()),
                 undone.err.constData());
        QCOMPARE(f.read(file), "newer\n"_ba);
    }

    void undoSaysWhatWasStaged()
    {
        const VerbFixture f;
        const QString file = u".flox/pkgs/%1.nix"_s.arg(one);
        f.write(file, "staged\n");
        f.git({u"add"_s, file});
        f.write(file, "not staged\n");
        const Ran applied = f.verb({u"plan"_s, u"--only"_s, one, u"--apply"_s});
        QVERIFY2(applied.exitCode == 0, applied.err.constData());
        const Ran undone = f.verb({u"plan"_s, u"--undo"_s, u"--apply"_s});
        QVERIFY2(undone.exitCode == 0, undone.err.constData());
        QCOMPARE(f.read(file), "not staged\n"_ba);
        const qsizetype at = undone.err.indexOf("staged before, and not staged again; to read it:\n  git show ");
        QVERIFY2(at >= 0 && !undone.err.contains("has changed since"), undone.err.constData());
        const qsizetype command = undone.err.indexOf("git show ", at);
        const QByteArray line = undone.err.sliced(command, undone.err.indexOf('\n', command) - command);
        QCOMPARE(f.git(QString::fromUtf8(line).split(u' ').sliced(1)).out, "staged\n"_ba);
    }

    // Another recipe is in the cell: it is kept, and the request was not fulfilled.
    void copySaysThatItCopiedNothing()
    {
        const VerbFixture f;
        f.git({u"branch"_s, u"theirs"_s});
        unsettle(f);
        const Ran ran = f.verb({u"copy"_s, two, u"--from"_s, u"theirs"_s, u"--to"_s, u"main"_s, u"--apply"_s});
        QCOMPARE(ran.exitCode, 1);
        QVERIFY2(ran.err.contains("main: nothing is changed, for the reasons above"), ran.err.constData());
        QVERIFY2(ran.out.contains(two.toUtf8() + "  main has another recipe for that cell."), ran.out.constData());
        QCOMPARE(f.verb({u"copy"_s, two, u"--from"_s, u"theirs"_s, u"--to"_s, u"main"_s, u"--also"_s, two}).exitCode,
                 0);
    }

    // Changes that follow from a setting may have errors: plan refuses them, which is reported immediately.
    void lineSetSaysThatWhatFollowsIsRefused()
    {
        const VerbFixture f;
        // Recipes with the default toolkit of their nixpkgs.
        for (const QString &file : QDir(f.sample() + u"/.flox/pkgs"_s).entryList({u"*.nix"_s}, QDir::Files)) {
            const QString path = u".flox/pkgs/"_s + file;
            QByteArrayList lines = f.read(path).split('\n');
            lines.removeIf([](const QByteArray &line) { return line.contains("cudaPackages = final."); });
            f.write(path, lines.join('\n'));
        }
        f.git({u"checkout"_s, u"-qb"_s, u"theirs"_s});
        f.git({u"commit"_s, u"-qam"_s, u"Take the default toolkit"_s});
        const Ran set = f.verb(words("settings set cudas 12.9"));
        QVERIFY2(
            set.err.contains("38 to create; \"torch-matrix plan\" lists them, and its --apply refuses them: the audit "
                             "finds errors"),
            set.err.constData());
        const Ran plan = f.verb({u"plan"_s});
        QVERIFY2(plan.err.contains("theirs: 38 to create; --apply --force does it"), plan.err.constData());
        QCOMPARE(f.verb({u"plan"_s, u"--apply"_s}).exitCode, 3);
    }

    void undoIsOfTheBranch()
    {
        const VerbFixture f;
        const Ran ran = f.verb({u"plan"_s, u"--undo"_s, u"--commit"_s, u"cuda-12_9"_s});
        QCOMPARE(ran.exitCode, 3);
        QVERIFY2(ran.err.contains("it is not a commit of branch main"), ran.err.constData());
    }

    void deriveShowsThenMakes()
    {
        const VerbFixture f;
        const Ran refused = f.verb(words("derive next --pytorch 2.10.0 --cuda 13.0"));
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.count("CUDA 13.0 dropped sm61") == 1 && refused.err.contains("cuda12_8-sm61-avx, ") &&
                     refused.err.contains("--drop"),
                 refused.err.constData());
        const QStringList derive = words("derive next --pytorch 2.10.0 --cuda 13.0 --drop");
        const Ran shown = f.verb(derive);
        QVERIFY2(shown.exitCode == 0, shown.err.constData());
        QVERIFY(shown.err.contains("6 to rewrite, 36 to rename, 2 to delete; --apply does it"));
        QVERIFY(shown.err.contains("dropped: pytorch-python313-cuda12_8-sm61-avx,"));
        QCOMPARE(shown.out.count("+++ b/.flox/pkgs/"), 2);
        QVERIFY(f.verb({u"list"_s, u"--branch"_s, u"next"_s}).exitCode == 3);

        const QByteArray before = head(f);
        const Ran made = f.verb(derive + words("--apply --json"));
        QVERIFY2(made.exitCode == 0, made.err.constData());
        QCOMPARE(made.json().value(u"commit"_s).toString().toLatin1(), head(f, u"next"_s));
        QCOMPARE(head(f), before);
        QCOMPARE(f.git({u"status"_s, u"--porcelain"_s}).out, ""_ba);
        QCOMPARE(f.git({u"ls-tree"_s, u"-r"_s, u"--name-only"_s, u"next"_s, u".flox/pkgs/"_s}).out.count('\n'), 42);
        QCOMPARE(f.verb(words("plan --branch next")).exitCode, 0);
        const Ran again = f.verb(derive + words("--apply"));
        QCOMPARE(again.exitCode, 3);
        QVERIFY(again.err.contains("a branch with that name already exists"));
        QCOMPARE(f.verb(words("derive more --set nonsense --apply")).exitCode, 2);
        QCOMPARE(f.verb(words("derive -- -x")).exitCode, 2);
        QCOMPARE(f.verb(words("derive --apply -- -x")).exitCode, 2);
    }

    void deriveToAVersionThatThePinDoesNotHold()
    {
        const VerbFixture f;
        const Ran refused = f.verb(words("derive next --pytorch 2.9.1 --apply"));
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.contains("hashes.pytorch") && refused.err.contains("nix-prefetch-git"),
                 refused.err.constData());
        QCOMPARE(f.verb(words("list --branch next")).exitCode, 3);
        const Ran forced = f.verb(words("derive next --pytorch 2.9.1 --apply --force"));
        QVERIFY2(forced.exitCode == 0, forced.err.constData());
        QVERIFY(forced.err.contains("hashes.pytorch"));
    }

    void migrateKeepsWhatIsCustomised()
    {
        const VerbFixture f;
        unsettle(f);
        const QString path = u".flox/pkgs/%1.nix"_s.arg(two);
        f.write(path, f.read(path).replace("  meta = oldAttrs.meta", "  doCheck = true;\n  meta = oldAttrs.meta"));
        f.git({u"commit"_s, u"-qam"_s, u"Check it"_s});
        const QByteArray pin = QByteArray(20, 'c') + QByteArray(20, 'd');
        const QStringList migrate{u"migrate"_s, u"--pin"_s, QString::fromLatin1(pin)};
        const Ran shown = f.verb(migrate + words("--diff"));
        QVERIFY2(shown.exitCode == 0, shown.err.constData());
        QCOMPARE(shown.out.count("+++ b/.flox/pkgs/"), 42);
        QVERIFY2(shown.out.contains("; --also NAME rewrites one); --all lists them"), shown.out.constData());
        const Ran made = f.verb(migrate + words("--apply"));
        QVERIFY2(made.exitCode == 0, made.err.constData());
        QVERIFY(f.read(u"torch-matrix.toml"_s).contains(pin));
        QVERIFY(!f.read(u".flox/pkgs/%1.nix"_s.arg(two)).contains(pin));
        QVERIFY(f.read(u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s).contains(pin));
        QCOMPARE(f.verb({u"migrate"_s, u"--pin"_s, QString::fromLatin1(pin), u"--also"_s, two, u"--apply"_s}).exitCode,
                 0);
        QVERIFY(f.read(u".flox/pkgs/%1.nix"_s.arg(two)).contains(pin));
    }

    void copyRendersForTheOther()
    {
        const VerbFixture f;
        f.git(words("switch -q cuda-12_9"));
        f.git({u"rm"_s, u"-q"_s, u".flox/pkgs/pytorch-python313-cuda12_9-sm90-avx2.nix"_s});
        f.git({u"commit"_s, u"-qm"_s, u"Take one out"_s});
        f.git(words("switch -q main"));
        const Ran shown = f.verb({u"copy"_s, one, u"--to"_s, u"cuda-12_9"_s, u"--json"_s});
        QCOMPARE(namesIn(shown.json(), u"create"_s), QStringList{u"pytorch-python313-cuda12_9-sm90-avx2"_s});
        const Ran made = f.verb({u"copy"_s, one, u"--to"_s, u"cuda-12_9"_s, u"--apply"_s});
        QVERIFY2(made.exitCode == 0, made.err.constData());
        QCOMPARE(f.git({u"diff"_s, u"cuda-12_9~2"_s, u"cuda-12_9"_s}).out, ""_ba);
        QCOMPARE(f.verb({u"copy"_s, u"nonsense"_s, u"--to"_s, u"cuda-12_9"_s}).exitCode, 2);
    }
};

TM_TEST(TestVerbPlan, QCoreApplication)
#include "tst_verb_plan.moc"
