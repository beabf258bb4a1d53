// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Check.h"
#include "model/settings/SettingsFile.h"
#include "tests/support/Requests.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <atomic>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::apply;
using tmx::test::ask;
using tmx::test::SampleFixture;
using Action = ChangeAction;

namespace {

const QString missing = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
const QString mine = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
const QString old = u"pytorch-python313-cuda12_8-sm90-armv9"_s;
const QString oldForm = u"pytorch-py313-cuda12_8-sm90-armv9"_s;

QString path(const QString &name)
{
    return u".flox/pkgs/%1.nix"_s.arg(name);
}

const QString magma = missing + u"-magma"_s;
const QString nightly = u"pytorch-python313-cpu-avx2-nightly"_s;

/// Adds two files besides the cells' recipes: one unknown to git, and one that was only added to the index.
void addStrays(const SampleFixture &f)
{
    f.write(path(magma), "{ }: { magma = 1; }\n");
    f.write(path(nightly), "{ }: { nightly = 1; }\n");
    f.git({u"add"_s, path(nightly)});
}

Result<ChangeSet> plan(const SampleFixture &f, const QString &branch = {})
{
    return ask(f, PlanRequest{branch});
}

Result<ChangeSet> undo(const SampleFixture &f, const QString &branch = {}, const QString &commit = {})
{
    return ask(f, UndoRequest{branch, commit});
}

/// Applies the plan for these names, which begin unchosen.
Result<Applied> applyPlan(const SampleFixture &f, const QStringList &names)
{
    const auto changes = plan(f);
    return apply(f, changes ? choose(*changes, names) : changes);
}

/// "REF:PATH" of the texts that an undo does not restore.
QStringList notRestored(const ChangeSet &undo)
{
    QStringList kept;
    for (const ChangedFile &file : undo.files) {
        if (file.action == Action::Keep)
            kept.append(undo.saved + u':' + file.path);
    }
    return kept;
}

/// One recipe is missing, one customised, one in an old form of its name.
void unsettle(const SampleFixture &f)
{
    f.takeOut(missing);
    f.write(path(mine), f.read(path(mine)) + "# mine\n");
    f.git({u"mv"_s, path(old), path(oldForm)});
    f.git({u"commit"_s, u"-qam"_s, u"Unsettle"_s});
}

} // namespace

class TestChange : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    /// Files that are no recipes are told by their paths.
    void summaryNamesFiles()
    {
        ChangeSet changes;
        changes.files = {
            {.action = ChangeAction::Delete, .path = u"a.md"_s, .before = "a", .chosen = true},
            {.action = ChangeAction::Rewrite, .path = u"b.md"_s, .before = "a", .after = "b", .chosen = true},
            {.action = ChangeAction::Create, .path = u"c.md"_s, .after = "c", .chosen = true},
            {.action = ChangeAction::Rewrite, .path = u"d.md"_s, .before = "a", .after = "b"}};
        QCOMPARE(summary({changes}), u"a.md deleted, b.md changed, c.md written."_s);
    }

    void init() { QTest::failOnWarning(); }

    /// The file keeps all that is there, and gets the reason; a new file states nothing else, and a key adds the rest.
    void ignoredFindingsAreLeft()
    {
        const SampleFixture f;
        FixRequest fix;
        fix.rule = u"driver-low"_s;
        for (const QString &name : {mine, missing}) {
            QByteArray text = f.read(path(name));
            QVERIFY(text.contains("NVIDIA 525.60.13+ required"));
            f.write(path(name), text.replace("NVIDIA 525.60.13+ required", "NVIDIA 390+ required"));
        }
        f.git({u"commit"_s, u"-qam"_s, u"Low"_s});
        auto fixed = ask(f, fix);
        QVERIFY_OK(fixed);
        QCOMPARE(fixed->chosen().value(Action::Rewrite), 2);
        QVERIFY2(equalChanges({*fixed}).endsWith(u" in 2 recipes"_s), qPrintable(equalChanges({*fixed})));

        SettingsRequest ignore;
        ignore.ignored = IgnoredRule{u"driver-low"_s, {mine}, u" "_s};
        QVERIFY(!ask(f, ignore)); // a reason is needed
        ignore.ignored->reason = u"\"<b>tried</b>\" \u00e9"_s;
        QVERIFY_OK(apply(f, ask(f, ignore)));
        const QByteArray written = f.read(u"torch-matrix.toml"_s);
        QVERIFY2(written.startsWith("[[ignore]]\nrule = \"driver-low\"\n"), written.constData());
        const auto only = onlyIgnored(written);
        QVERIFY(only && *only);
        QCOMPARE(**only, QList<IgnoredRule>{*ignore.ignored});
        SettingsRequest key;
        key.key = u"blas"_s;
        key.value = u"openblas"_s;
        const auto whole = ask(f, key);
        QVERIFY_OK(whole);
        const QByteArray text = whole->find(u"torch-matrix.toml"_s)->after.value_or(QByteArray());
        QVERIFY2(text.endsWith(written) && text.count("[[ignore]]") == 1, text.constData());
        const auto back = readSettingsFile(text, *f.catalog(), u"main"_s);
        QVERIFY_OK(back);
        QCOMPARE(back->ignored, **only);
        QCOMPARE(back->versionOf(u"pytorch"_s), u"2.8.0"_s);
        QCOMPARE(readSettingsFile(writeSettingsFile(*back, *f.catalog()), *f.catalog(), u"main"_s)->ignored,
                 back->ignored);
        fixed = ask(f, fix);
        QVERIFY_OK(fixed);
        QCOMPARE(fixed->chosen().value(Action::Rewrite), 1);
        QVERIFY(!fixed->find(mine) || !fixed->find(mine)->chosen);

        f.write(u"torch-matrix.toml"_s, "# mine\n" + written);
        f.git({u"commit"_s, u"-qam"_s, u"Comment"_s});
        ignore.ignored->recipes.clear(); // in all of them
        QVERIFY_OK(apply(f, ask(f, ignore)));
        QVERIFY(f.read(u"torch-matrix.toml"_s).startsWith("# mine\n" + written));
        fixed = ask(f, fix);
        QVERIFY(!fixed || fixed->chosen().value(Action::Rewrite) == 0);
    }

    void equalChangesAreToldTogether()
    {
        ChangeSet changes;
        const auto add = [&changes](const QByteArray &before, const QByteArray &after, bool chosen = true) {
            changes.files.append(
                {.action = Action::Rewrite, .path = u"p"_s, .before = before, .after = after, .chosen = chosen});
        };
        QCOMPARE(equalChanges({changes}), QString());
        add("a\nx = \"550.54\";\nb\n", "a\nx = \"570\";\nb\n");
        add("a\ny = \"550.54\"; z\n", "a\ny = \"570\"; z\n");
        add("a\nb\nc\n", "a\nc\n");
        add("a\n", "b\n", false);
        QCOMPARE(equalChanges({changes}), u"550.54 \u2192 570 in 2 recipes; 1 line in 1 recipe"_s);
        add("<b>a</b>\n", "<b>a</b> " + QByteArray(1000, 'x') + "\n");
        QVERIFY(equalChanges({changes}).size() < 200);
    }

    void applyAndUndo()
    {
        const SampleFixture f;
        unsettle(f);
        const QByteArray before = f.git({u"ls-tree"_s, u"-r"_s, u"HEAD"_s});
        const auto reading = plan(f);
        QVERIFY_OK(reading);
        QCOMPARE(reading->chosen(), (QMap<Action, int>{{Action::Create, 1}, {Action::Rename, 1}}));
        const auto applied = apply(f, *reading);
        QVERIFY_OK(applied);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-status"_s, u"-M"_s, u"HEAD"_s}).split('\n').size(), 2);
        QVERIFY(f.read(path(mine)).endsWith("# mine\n"));
        QCOMPARE(f.status(), ""_ba);
        const auto again = plan(f);
        QVERIFY(again.ok() && again->isEmpty());

        const auto undoing = undo(f);
        QVERIFY_OK(undoing);
        QCOMPARE(undoing->undoes, undoing->parentCommit);
        QCOMPARE(undoing->files.size(), 3);
        QVERIFY_OK(apply(f, *undoing));
        QCOMPARE(f.git({u"ls-tree"_s, u"-r"_s, u"HEAD"_s}), before);
        QCOMPARE(f.status(), ""_ba);
        QCOMPARE(f.git({u"rev-list"_s, u"--count"_s, u"HEAD~2..HEAD"_s}),
                 "2"_ba); // nothing was taken out of the history
    }

    /// A disk that fails for one recipe must not make a branch without it.
    void wholeBranchesAreReadWhole()
    {
        const SampleFixture f;
        const QString branch = u"cuda-12_9"_s;
        const QString recipe = path(u"pytorch-python313-cpu-avx2"_s);
        const QString id = QString::fromLatin1(f.git({u"rev-parse"_s, branch + u':' + recipe}).trimmed());
        const QString object = f.path(u".git/objects/%1/%2"_s.arg(id.first(2), id.sliced(2)));
        QVERIFY(QFile::exists(object));
        QVERIFY(QFile::setPermissions(object, QFile::ReadOwner | QFile::WriteOwner));
        QVERIFY(QFile::resize(object, 5));

        SettingsChange change;
        change.keys = {{u"metadata_rev"_s, u"2"_s}};
        FixRequest rule{.branch = branch, .finding = {}};
        rule.rule = u"driver-low"_s;
        GenerateRequest all{.branch = branch, .names = {}, .all = true};
        all.until = ChangeSet::Until::Commit;
        const QList<ChangeRequest> requests = {
            all,
            PlanRequest{branch},
            rule,
            DeriveRequest{branch, u"next"_s, change},
            MigrateRequest{branch, change},
            CopyRequest{branch, u"main"_s, {u"pytorch-python313-cuda12_9-sm90-avx2"_s}},
            SettingsRequest{.branch = branch, .settings = {}, .key = {}, .value = {}},
        };
        for (const ChangeRequest &request : requests) {
            const auto refused = ask(f, request);
            QVERIFY2(!refused, QByteArray::number(int(request.index())).constData());
            QVERIFY2(refused.error().why.contains(recipe), qPrintable(refused.error().sentence()));
        }
        // One recipe that was read is another matter.
        GenerateRequest one{.branch = branch, .names = {missing}};
        one.until = ChangeSet::Until::Commit;
        const auto generated = ask(f, one);
        QVERIFY2(generated.ok() || !generated.error().why.contains(recipe),
                 qPrintable(generated ? QString() : generated.error().sentence()));
    }

    void undoRefusedWhereItWouldLoseWork()
    {
        const SampleFixture f;
        unsettle(f);
        const auto applied = apply(f, plan(f));
        QVERIFY_OK(applied);
        const auto earlier = undo(f);
        QVERIFY_OK(earlier);
        f.write(path(missing), f.read(path(missing)) + "# open\n");
        QVERIFY_ERROR(undo(f), u"would lose that"_s);
        QVERIFY_ERROR(apply(f, *earlier), missing);
        f.git({u"commit"_s, u"-qam"_s, u"Mine"_s});
        QVERIFY_ERROR(undo(f, {}, applied->commit), u"would lose that"_s);
        QVERIFY(f.read(path(missing)).endsWith("# open\n"));
    }

    // Commits of other programs cannot be undone.
    void undoRefusedForOthersCommits()
    {
        const SampleFixture f;
        f.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"--author=Ada <ada@example.org>"_s, u"-m"_s, u"A script"_s});
        const auto undoing = undo(f);
        QVERIFY_ERROR(undoing, u"this program did not make it: \"A script\" is a commit by Ada"_s);
        QVERIFY_ERROR(undoing, u"git revert"_s);
        QVERIFY(!undoing.error().sentence().contains("--commit"_L1));
        const auto done = apply(f, ask(f, SettingsRequest{.settings = {}, .key = u"metadata_rev"_s, .value = u"2"_s}));
        QVERIFY_OK(done);
        f.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"Another script"_s});
        QVERIFY_ERROR(undo(f), u"\"plan --undo --commit %1\" undoes the last"_s.arg(done->commit.left(10)));
    }

    // An interrupted run left one recipe written and one staged; the next run commits them together with what it
    // writes.
    void generateAllCompletesAnInterruptedRun()
    {
        const SampleFixture f;
        const QByteArray written = f.read(path(mine));
        const QByteArray staged = f.read(path(old));
        const QString edited = u"pytorch-python313-cpu-avx2"_s;
        for (const QString &name : {missing, mine, old, edited})
            f.takeOut(name);
        f.write(path(mine), written);
        f.write(path(old), staged);
        f.git({u"add"_s, path(old)});
        f.write(path(edited), "somebody's own\n");
        const QByteArray head = f.git({u"rev-parse"_s, u"HEAD"_s});
        const GenerateRequest all{.all = true, .until = ChangeSet::Until::Commit};
        const auto applied = apply(f, ask(f, all));
        QVERIFY_OK(applied);
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD~1"_s}), head);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-status"_s}),
                 "A\t" + path(old).toUtf8() + "\nA\t" + path(mine).toUtf8() + "\nA\t" + path(missing).toUtf8());
        QCOMPARE(f.status(), "?? " + path(edited).toUtf8());
        const auto again = ask(f, all);
        QVERIFY_OK(again);
        QVERIFY(again->isEmpty());
        // Without a commit it is sufficient that git tracks the file.
        f.git({u"reset"_s, u"-q"_s, u"HEAD~1"_s});
        QVERIFY_OK(apply(f, ask(f, GenerateRequest{.all = true})));
        QVERIFY(ask(f, GenerateRequest{.all = true})->isEmpty());
        QVERIFY(f.status().startsWith("A  " + path(old).toUtf8() + "\nA  "));
    }

    void generateOnABranchThatIsNotCheckedOut()
    {
        const SampleFixture f;
        f.takeOut(missing);
        f.git({u"switch"_s, u"-q"_s, u"cuda-12_9"_s});
        GenerateRequest request{.branch = u"main"_s, .names = {missing}};
        QVERIFY_ERROR(ask(f, request), u"not checked out"_s);
        request.until = ChangeSet::Until::Commit;
        const auto changes = ask(f, request);
        QVERIFY_OK(changes);
        QVERIFY_OK(apply(f, changes));
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%s"_s, u"main"_s}), "Add " + missing.toUtf8());
        QCOMPARE(f.status(), ""_ba);
    }

    // A build reports the right hash: it replaces the stated one in the same notation, and nothing else changes.
    void aHashThatABuildFoundIsStated_data()
    {
        QTest::addColumn<QByteArray>("stated");
        QTest::addColumn<QByteArray>("right");
        // What `nix-hash --type sha256 --to-sri`, `--to-base16` and `--to-base32` print of one another.
        QTest::newRow("SRI") << "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="_ba
                             << "sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="_ba;
        QTest::newRow("base 16") << "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"_ba
                                 << "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"_ba;
        QTest::newRow("base 32") << "0mdqa9w1p6cmli6976v4wi0sw9r4p5prkj7lzfd1877wk11c9c73"_ba
                                 << "094qif9n4cq4fdg459qzbhg1c6wywawwaaivx0k0x8xhbyx4vwic"_ba;
    }
    void aHashThatABuildFoundIsStated()
    {
        QFETCH(const QByteArray, stated);
        QFETCH(const QByteArray, right);
        const SampleFixture f;
        const QByteArray before = f.read(path(mine)) + "# hash \"" + stated + "\" and again " + stated + "\n";
        f.write(path(mine), before);
        f.git({u"commit"_s, u"-qam"_s, u"State a hash"_s});
        FixRequest request{.finding = mine + u":hash-mismatch"_s,
                           .statedHash = u"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="_s,
                           .rightHash = u"sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="_s};
        const auto fix = ask(f, request);
        QVERIFY_OK(fix);
        QCOMPARE(fix->files.size(), 1);
        QCOMPARE(fix->files.constFirst().after, QByteArray(before).replace(stated, right));
        QVERIFY_OK(apply(f, fix));
        QCOMPARE(f.read(path(mine)), QByteArray(before).replace(stated, right));
        QVERIFY_ERROR(ask(f, request), u"the recipe does not contain"_s); // any more
        request.rightHash = u"nonsense"_s;
        QVERIFY_ERROR(ask(f, request), u"the recipe does not contain"_s);
    }

    // The same wrong hash is in every recipe, so the branch seems to agree on it: a build's result overrides the
    // majority. Recipes that fetch something else with that hash do not change.
    void aHashThatABuildFoundIsRightEverywhere_data()
    {
        QTest::addColumn<bool>("settings");
        QTest::addColumn<bool>("tarball"); // as fetchTarball prints the hashes, not as a builder's failure does
        QTest::newRow("inferred settings") << false << false;
        QTest::newRow("settings of a file") << true << false;
        QTest::newRow("inferred settings, of fetchTarball") << false << true;
        QTest::newRow("settings of a file, of fetchTarball") << true << true;
    }
    void aHashThatABuildFoundIsRightEverywhere()
    {
        QFETCH(const bool, settings);
        QFETCH(const bool, tarball);
        const SampleFixture f;
        f.git({u"checkout"_s, u"-qb"_s, u"theirs"_s});
        const QString stated = u"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="_s;
        const QString right = u"sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="_s;
        const QByteArray base16 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        const QByteArray rightBase16 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
        static const QRegularExpression pin(u"(archive/)([0-9a-f]{40})(\\.tar\\.gz\";)(\\s*sha256 = \"[^\"]*\";)?"_s);
        const QStringList files =
            QString::fromUtf8(f.git({u"ls-files"_s, u".flox/pkgs"_s})).split(u'\n', Qt::SkipEmptyParts);
        const QString other = path(u"pytorch-python313-cpu-avx2"_s); // fetches another commit, with that very hash
        for (const QString &file : files) {
            QString text = QString::fromUtf8(f.read(file));
            const QString hash = file == path(old) ? QString::fromLatin1(base16) : stated;
            text.replace(pin,
                         u"\\1%1\\3\n    sha256 = \"%2\";"_s.arg(file == other ? QString(40, u'e') : u"\\2"_s, hash));
            QVERIFY2(text.contains(hash), qPrintable(file));
            f.write(file, text.toUtf8());
        }
        f.git({u"commit"_s, u"-qam"_s, u"State a hash"_s});
        if (settings) {
            QVERIFY_OK(apply(f, ask(f, SettingsRequest{.branch = {}, .settings = {}, .key = {}, .value = {}})));
            QVERIFY(f.read(u"torch-matrix.toml"_s).contains(stated.toLatin1()));
        }
        const QString statedTarball = u"sha256:0mdqa9w1p6cmli6976v4wi0sw9r4p5prkj7lzfd1877wk11c9c73"_s;
        const QString rightTarball = u"sha256:094qif9n4cq4fdg459qzbhg1c6wywawwaaivx0k0x8xhbyx4vwic"_s;
        const FixRequest request{.finding = mine + u":hash-mismatch"_s,
                                 .statedHash = tarball ? statedTarball : stated,
                                 .rightHash = tarball ? rightTarball : right};
        const auto fix = ask(f, request);
        QVERIFY_OK(fix);
        QCOMPARE(fix->chosenErrors(), QStringList());
        QCOMPARE(fix->files.constFirst().path, path(mine));
        QCOMPARE(fix->files.size(), files.size() - 1 + (settings ? 1 : 0));
        QVERIFY(!fix->find(other));
        QCOMPARE(fix->warnings.filter(u"other recipes fetch the same source with that hash"_s).size(), 1);
        QVERIFY_OK(apply(f, fix));
        QCOMPARE(f.read(other).count(stated.toLatin1()), 1);
        for (const QString &file : files) {
            if (file != other)
                QCOMPARE(f.read(file).count(file == path(old) ? rightBase16 : right.toLatin1()), 1);
        }
        // The hash that Nix refused is not advised.
        if (settings)
            QVERIFY(f.read(u"torch-matrix.toml"_s).contains(right.toLatin1()));
        const auto after = plan(f);
        QVERIFY_OK(after);
        for (const ChangedFile &file : after->files)
            QVERIFY2(file.path == other || (!file.chosen && !file.reason.contains("sha256"_L1)),
                     qPrintable(file.path + u' ' + file.reason));
    }

    // A change for the working tree never becomes a commit because another branch was checked out meanwhile.
    void aFixIsRefusedOnceAnotherBranchIsCheckedOut()
    {
        const SampleFixture f;
        f.write(path(mine), f.read(path(mine)).replace("gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\""));
        f.git({u"commit"_s, u"-qam"_s, u"Break it"_s});
        const auto fix = ask(f, FixRequest{{}, mine + u":gpu-targets-notation"_s});
        QVERIFY_OK(fix);
        QCOMPARE(fix->until, ChangeSet::Until::WorkTree);
        const QByteArray main = f.git({u"rev-parse"_s, u"main"_s});
        f.git({u"switch"_s, u"-q"_s, u"cuda-12_9"_s});
        QVERIFY_ERROR(apply(f, fix), u"no longer checked out"_s);
        QCOMPARE(f.git({u"rev-parse"_s, u"main"_s}), main);
        QCOMPARE(f.status(), ""_ba);
        f.git({u"switch"_s, u"-q"_s, u"main"_s});
        QVERIFY_OK(apply(f, fix));
        QCOMPARE(f.status(), " M " + path(mine).toUtf8());
        const auto undo = ask(f, UndoRequest{});
        QVERIFY_OK(undo);
        QVERIFY_OK(apply(f, undo));
        QCOMPARE(f.status(), ""_ba);
    }

    // All findings of a rule are fixed in one commit; what cannot be fixed or has uncommitted changes stays, with the
    // reason.
    void fixesAllFindingsOfARule()
    {
        const SampleFixture f;
        const QStringList broken{mine, missing, u"pytorch-python313-cuda12_8-sm89-avx2"_s};
        const auto breakIt = [&f](const QString &name) {
            QByteArray text = f.read(path(name));
            const qsizetype at = text.indexOf("gpuArchSM = \"") + 13;
            const qsizetype end = text.indexOf('"', at);
            f.write(path(name), text.replace(at, end - at, "sm_" + text.sliced(at, end - at).replace(".", "")));
        };
        for (const QString &name : broken)
            breakIt(name);
        f.git({u"commit"_s, u"-qam"_s, u"Break them"_s});
        f.write(path(missing), f.read(path(missing)) + "# mine\n");
        const FixRequest request{.rule = u"gpu-targets-notation"_s};
        const auto fix = ask(f, request);
        QVERIFY_OK(fix);
        QCOMPARE(fix->files.size(), broken.size());
        QCOMPARE(fix->chosen().value(Action::Rewrite), broken.size() - 1);
        QVERIFY_OK(apply(f, fix));
        QCOMPARE(f.status(), " M " + path(missing).toUtf8());
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%s"_s}), "Fix gpu-targets-notation in 2 recipes"_ba);
        QVERIFY(f.read(path(mine)).contains("gpuArchSM = \"9.0\""));
        QVERIFY(f.read(path(missing)).contains("gpuArchSM = \"sm_90\""));
        QVERIFY(f.read(path(missing)).endsWith("# mine\n"));

        QVERIFY_ERROR(ask(f, FixRequest{.rule = u"no-such"_s}), u"no such rule"_s);
        QVERIFY_ERROR(ask(f, FixRequest{.rule = request.rule, .names = {u"nobody"_s}}), u"no such recipe"_s);
        QVERIFY_ERROR(ask(f, FixRequest{.rule = request.rule, .names = {mine}}),
                      u"none of the named recipes has such a finding"_s);
    }

    // Errors that recipes bring along are fixed in place and reported; without a change every byte stays, and a branch
    // that would be equal is refused.
    void deriveFixesTheErrorsItBringsAlong()
    {
        const SampleFixture f;
        const QByteArray text = f.read(path(mine)) + "# mine\n";
        f.write(path(mine), QByteArray(text).replace("\"9.0\"", "\"sm_90\""));
        f.git({u"commit"_s, u"-qam"_s, u"Break"_s});
        const auto changed = ask(f, DeriveRequest{{}, u"next"_s, {.pythons = QStringList{u"python312"_s}}});
        QVERIFY_OK(changed);
        const auto named = [](const ChangeSet &set, const QString &name) {
            return std::ranges::find(set.files, name, &ChangedFile::name);
        };
        const auto file = named(*changed, QString(mine).replace(u"313"_s, u"312"_s));
        QVERIFY(file != changed->files.end() && file->after->contains("\"9.0\"") && file->after->endsWith("# mine\n"));
        QVERIFY2(changed->warnings.join(u' ').contains(u"would have an error (gpu-targets-notation)"_s),
                 qPrintable(changed->warnings.join(u' ')));
        QVERIFY(changed->chosenErrors().isEmpty());
        const auto same = ask(f, DeriveRequest{{}, u"next"_s, {}});
        QVERIFY_OK(same);
        QVERIFY(same->find(path(mine))->after->contains("\"sm_90\""));
        QVERIFY_OK(apply(f, same));
        const auto again = ask(f, DeriveRequest{u"next"_s, u"third"_s, {}});
        QVERIFY_OK(again);
        QVERIFY(again->refusal && again->refusal->sentence().contains(u"nothing would differ"_s));
    }

    // A recipe is made from its neighbour, including the words that people wrote there.
    void generateLikeAReference()
    {
        const SampleFixture f;
        f.takeOut(missing);
        f.write(path(mine), "# Ours, for sm90 with AVX2\n" + f.read(path(mine)));
        f.git({u"commit"_s, u"-qam"_s, u"Write a comment"_s});
        const auto changes = ask(f, GenerateRequest{.names = {missing}, .like = mine});
        QVERIFY_OK(changes);
        QCOMPARE(changes->files.size(), 1);
        QVERIFY(changes->files.constFirst().after->startsWith("# Ours, for sm90 with AVX-512\n"));
        QCOMPARE(changes->files.constFirst().after->sliced(30).replace("# ", ""),
                 f.git({u"show"_s, u"HEAD~2:"_s + path(missing)}).append('\n').replace("# ", ""));
        QVERIFY_OK(apply(f, changes));
        QCOMPARE(f.status(), "A  " + path(missing).toUtf8());

        QVERIFY_ERROR(ask(f, GenerateRequest{.names = {missing}, .like = u"nobody"_s}), u"no such recipe"_s);
        QVERIFY_ERROR(ask(f, GenerateRequest{.names = {u"pytorch-python313-cuda12_8-sm90-avx512bf16"_s},
                                             .like = u"pytorch-python313-cpu-avx2"_s}),
                      u"cannot be made from one of another kind"_s);
        // An existing recipe is not overwritten.
        QVERIFY_ERROR(ask(f, GenerateRequest{.names = {missing}, .like = u"pytorch-python313-cuda12_8-sm89-avx2"_s}),
                      u"already exists"_s);
    }

    // No other recipe of its kind is similar, and the template differs from what people wrote.
    void planBringsADeletedRecipeBack()
    {
        const SampleFixture f;
        const QString name = u"pytorch-python313-cpu-avx2"_s;
        for (const QString &isa :
             {u"avx2"_s, u"avx512"_s, u"avx512bf16"_s, u"avx512vnni"_s, u"armv8_2"_s, u"armv9"_s}) {
            const QString file = path(u"pytorch-python313-cpu-"_s + isa);
            f.write(file, f.read(file).replace("USE_CUDA=0", "USE_CUDA=0\n      export OURS=" + isa.toUtf8()));
        }
        f.git({u"commit"_s, u"-qam"_s, u"Ours"_s});
        const QByteArray before = f.read(path(name));
        QVERIFY(before.contains("OURS=avx2"));
        f.git({u"rm"_s, u"-q"_s, path(name)});
        f.git({u"commit"_s, u"-qm"_s, u"Delete"_s});
        const auto changes = plan(f);
        QVERIFY_OK(changes);
        const ChangedFile *file = changes->find(path(name));
        QVERIFY(file && file->chosen && file->action == Action::Create);
        QCOMPARE(file->after, before);
    }

    // A companion takes torch from the recipe next to it: a warning names it before that recipe is deleted.
    void companionsThatLoseTheirTorchAreNamed()
    {
        const SampleFixture f;
        QFile fixture(QStringLiteral(TM_FIXTURES "/recipes/torchvision-sibling.nix"));
        QVERIFY(fixture.open(QIODevice::ReadOnly));
        const QString companion = u"torchvision-python313-cuda12_8-sm90-avx2"_s;
        const QByteArray text = fixture.readAll();
        const QString torch = readFacts(text).torch.file.chopped(4);
        const QByteArray recipe = f.read(path(torch));
        f.takeOut(torch);
        f.write(path(companion), text);
        f.git({u"add"_s, path(companion)});
        f.git({u"commit"_s, u"-qm"_s, u"A companion"_s});
        QVERIFY_OK(apply(f, ask(f, GenerateRequest{.names = {torch}, .until = ChangeSet::Until::Commit})));
        const QString said = u"1 recipe takes torch from %1.nix, which is deleted: %2.nix."_s.arg(torch, companion);
        for (const auto &asked : {ask(f, DeleteRequest{{}, {torch}}), undo(f)}) {
            QVERIFY_OK(asked);
            QCOMPARE(asked->warnings.filter(u"takes torch"_s), QStringList{said});
        }
        const auto both = ask(f, DeleteRequest{{}, {torch, companion}});
        QVERIFY_OK(both);
        QVERIFY(both->warnings.filter(u"takes torch"_s).isEmpty());
    }

    // A companion deleted together with its PyTorch is judged with what the plan writes.
    void planBringsACompanionBackWithItsPyTorch()
    {
        const SampleFixture f;
        QFile fixture(QStringLiteral(TM_FIXTURES "/recipes/torchvision-sibling.nix"));
        QVERIFY(fixture.open(QIODevice::ReadOnly));
        const QByteArray text = fixture.readAll();
        const QString companion = u"torchvision-python313-cuda12_8-sm90-avx2"_s;
        f.write(path(companion), text);
        f.write(u"torch-matrix.toml"_s, "base = \"main\"\nfamilies = [\"pytorch\", \"torchvision\"]\n"
                                        "torch_source = \"sibling\"\n");
        f.git({u"add"_s, u"."_s});
        f.git({u"commit"_s, u"-qm"_s, u"A companion"_s});
        f.git({u"rm"_s, u"-q"_s, path(companion), path(mine)});
        f.git({u"commit"_s, u"-qm"_s, u"Delete both"_s});
        const auto changes = plan(f);
        QVERIFY_OK(changes);
        const ChangedFile *torch = changes->find(path(mine));
        QVERIFY(torch && torch->chosen);
        const ChangedFile *file = changes->find(path(companion));
        QVERIFY(file && file->action == Action::Create);
        QVERIFY2(file->chosen && file->reason.contains(u"Its text comes from commit"_s), qPrintable(file->reason));
        QCOMPARE(file->after, text);
    }

    // The settings do not cover it, but a commit of the branch deleted it: the plan offers its last text, not chosen.
    void planOffersWhatTheHistoryDeleted()
    {
        const SampleFixture f;
        f.git({u"checkout"_s, u"-qb"_s, u"theirs"_s});
        const QString name = u"pytorch-python313-cpu-avx2"_s;
        const QByteArray ours = f.read(path(name)) + "# ours\n";
        for (const QString &isa : {u"avx2"_s, u"avx512"_s, u"armv9"_s}) {
            const QString file = path(u"pytorch-python313-cpu-"_s + isa);
            f.write(file, f.read(file) + "# ours\n");
        }
        f.git({u"rm"_s, u"-qf"_s, path(u"pytorch-python313-cpu-avx512bf16"_s), path(u"pytorch-python313-cpu-armv8_2"_s),
               path(u"pytorch-python313-cpu-avx512vnni"_s)});
        f.git({u"commit"_s, u"-qam"_s, u"Ours"_s});
        f.git({u"rm"_s, u"-q"_s, path(name)});
        f.git({u"commit"_s, u"-qm"_s, u"Delete one\033[31m"_s});
        const auto changes = plan(f);
        QVERIFY_OK(changes);
        const ChangedFile *file = changes->find(path(name));
        QVERIFY(file && !file->chosen && file->possible && file->action == Action::Create);
        QVERIFY2(file->reason.contains("Delete one"_L1) && !file->reason.contains(QChar(0x1b)),
                 qPrintable(file->reason));
        QCOMPARE(file->after, ours);
        const auto all = ask(f, GenerateRequest{.all = true});
        QVERIFY_OK(all);
        QVERIFY(all->isEmpty());
        QCOMPARE(all->warnings.size(), 1);
        QVERIFY2(
            all->warnings.constFirst().startsWith("4 recipes may be missing, but the settings do not list them: "_L1) &&
                all->warnings.constFirst().contains(name),
            qPrintable(all->warnings.constFirst()));
    }

    // A whole family, or all recipes for the CPU, may be missing as well.
    void planOffersAWholeGroupThatTheHistoryDeleted()
    {
        const SampleFixture f;
        const QString vision = u"torchvision-python313-cuda12_8-sm90-avx2"_s;
        const QByteArray text = "{ }: { vision = 1; }\n";
        f.write(path(vision), text);
        f.git({u"add"_s, u"-A"_s});
        f.git({u"commit"_s, u"-qm"_s, u"Vision"_s});
        QHash<QString, QByteArray> gone{{path(vision), text}};
        const QByteArray list = f.git({u"ls-files"_s, u".flox/pkgs/pytorch-python313-cpu-*"_s});
        for (const QString &file : QString::fromUtf8(list).split(u'\n', Qt::SkipEmptyParts)) {
            f.write(file, f.read(file) + "# ours\n");
            gone.insert(file, f.read(file));
        }
        f.git({u"commit"_s, u"-qam"_s, u"Ours"_s});
        f.git(QStringList{u"rm"_s, u"-q"_s} + gone.keys());
        f.git({u"commit"_s, u"-qm"_s, u"Delete"_s});
        QVERIFY(gone.size() > 3);
        for (const QString &branch : {u"main"_s, u"theirs"_s}) {
            if (branch == "theirs"_L1)
                f.git({u"checkout"_s, u"-qb"_s, branch});
            const auto changes = plan(f);
            QVERIFY_OK(changes);
            for (auto it = gone.cbegin(); it != gone.cend(); ++it) {
                const ChangedFile *file = changes->find(it.key());
                QVERIFY2(file && file->action == Action::Create, qPrintable(branch + u' ' + it.key()));
                QVERIFY2(file->reason.contains("\"Delete\""_L1) || branch == "main"_L1, qPrintable(file->reason));
                if (it.key() != path(vision)) // the audit finds errors in that
                    QCOMPARE(file->after, *it);
            }
        }
    }

    // Hand-written recipes state no version, so that of a new version only the settings change.
    void settingsAloneCanBeWrong()
    {
        ChangeSet changes;
        changes.errors = {u"wrong"_s};
        changes.files = {{.path = u"torch-matrix.toml"_s, .after = "a\n"_ba, .chosen = true}};
        QCOMPARE(changes.chosenErrors(), changes.errors);
        changes.files.first().chosen = false;
        QCOMPARE(changes.chosenErrors(), QStringList());
    }

    // check() audits the result of a change.
    void checkFindsWhatIsBroken()
    {
        const SampleFixture f;
        f.takeOut(missing);
        auto changes = ask(f, GenerateRequest{.names = {missing}});
        QVERIFY_OK(changes);
        const auto errors = [&changes, &f] {
            check(f.catalog(), *changes, *changes->settings, {});
            return changes->chosenErrors().size();
        };
        QCOMPARE(errors(), 0);
        ChangedFile &file = changes->files.first();
        QByteArray text = *file.after;
        file.after = text.replace("gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\"");
        QVERIFY(errors() > 0);
        file.chosen = false;
        QCOMPARE(errors(), 0);
    }

    // New warnings of the audit for a text to be written are reported before, once per rule; those that the old text
    // had are not new.
    void checkSaysNewWarnings()
    {
        const SampleFixture f;
        f.takeOut(missing);
        auto changes = ask(f, GenerateRequest{.names = {missing}});
        QVERIFY_OK(changes);
        QCOMPARE(changes->warnings, QStringList());
        ChangedFile &file = changes->files.first();
        const QByteArray text = *file.after;
        file.after = QByteArray(text).replace("[ \"x86_64-linux\" ]", "[ \"x86_64-linux\" \"aarch64-linux\" ]");
        QVERIFY(file.after != text);
        const auto warnings = [&changes, &f] {
            changes->warnings.clear();
            check(f.catalog(), *changes, *changes->settings, {});
            return changes->warnings;
        };
        const QStringList said = warnings();
        QVERIFY(!said.isEmpty());
        for (const QString &one : said)
            QVERIFY2(one.startsWith(u"The audit has warnings for 1 new text, %1 ("_s.arg(missing)), qPrintable(one));
        file.before = file.after;
        QCOMPARE(warnings(), QStringList());
        file.before = text;
        QCOMPARE(warnings(), said);
        file.chosen = false;
        QCOMPARE(warnings(), QStringList());
    }

    void otherBranch()
    {
        const SampleFixture f;
        unsettle(f);
        f.git({u"branch"_s, u"-q"_s, u"other"_s});
        f.git({u"switch"_s, u"-q"_s, u"cuda-12_9"_s});
        f.write(path(u"pytorch-python313-cpu-avx2"_s), "open\n");
        const auto reading = plan(f, u"main"_s);
        QVERIFY_OK(reading);
        auto only = choose(*reading, {path(mine), missing});
        QVERIFY_OK(only);
        only->message = u"Settle"_s;
        QVERIFY_OK(apply(f, *only));
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%s"_s, u"main"_s}), "Settle"_ba);
        QCOMPARE(f.git({u"diff"_s, u"--name-status"_s, u"other"_s, u"main"_s}),
                 "M\t" + path(mine).toUtf8() + "\nA\t" + path(missing).toUtf8());
        QCOMPARE(f.status(), " M " + path(u"pytorch-python313-cpu-avx2"_s).toUtf8());
        QVERIFY_ERROR(apply(f, *only), u"moved meanwhile"_s);
    }

    void uncommittedTextIsKept()
    {
        const SampleFixture f;
        f.write(path(mine), "half a thought\n");
        const auto reading = plan(f);
        QVERIFY_OK(reading);
        QVERIFY(reading->isEmpty());
        const auto only = choose(*reading, {mine});
        QVERIFY_OK(only);
        // The text in the working tree equals the committed one again, so there is nothing to commit.
        const auto back = apply(f, *only);
        QVERIFY_OK(back);
        QCOMPARE(back->commit, QString());
        QCOMPARE(back->kept, QStringList{back->saved + u':' + path(mine)});
        QCOMPARE(f.git({u"show"_s, back->kept.first()}), "half a thought"_ba);
        QCOMPARE(f.status(), ""_ba);
        const auto first = undo(f);
        QVERIFY_OK(first);
        QVERIFY_OK(apply(f, *first));
        QCOMPARE(f.read(path(mine)), "half a thought\n"_ba);
        f.takeOut(missing);
        const auto both = plan(f);
        QVERIFY_OK(both);
        const auto chosen = choose(*both, {mine, missing});
        QVERIFY_OK(chosen);
        const auto applied = apply(f, *chosen);
        QVERIFY_OK(applied);
        QCOMPARE(f.git({u"show"_s, applied->saved + u':' + path(mine)}), "half a thought"_ba);
        QCOMPARE(applied->kept, QStringList{applied->saved + u':' + path(mine)});
        QCOMPARE(f.status(), ""_ba);

        // Undoing the commit also restores the uncommitted text, uncommitted.
        const auto undoing = undo(f);
        QVERIFY_OK(undoing);
        QCOMPARE(undoing->undoes, applied->commit);
        const auto undone = apply(f, *undoing);
        QVERIFY_OK(undone);
        QCOMPARE(undone->restored, QStringList{path(mine)});
        QCOMPARE(undone->kept, QStringList());
        QCOMPARE(f.read(path(mine)), "half a thought\n"_ba);
        QCOMPARE(f.status(), " M " + path(mine).toUtf8());
        f.git({u"fsck"_s, u"--strict"_s});
    }

    void filesThatWereNeverCommittedGoWithoutACommit()
    {
        const SampleFixture f;
        addStrays(f);
        const QByteArray head = f.git({u"rev-parse"_s, u"HEAD"_s});
        const auto reading = plan(f);
        QVERIFY_OK(reading);
        QVERIFY(reading->isEmpty());
        const auto applied = applyPlan(f, {magma, nightly});
        QVERIFY_OK(applied);
        QCOMPARE(applied->commit, QString());
        QCOMPARE(applied->branch, u"main"_s);
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD"_s}), head);
        QCOMPARE(f.status(), ""_ba); // gone from the index as well
        QVERIFY(!QFile::exists(f.path(path(magma))) && !QFile::exists(f.path(path(nightly))));
        QCOMPARE(applied->kept,
                 QStringList({applied->saved + u':' + path(magma), applied->saved + u':' + path(nightly)}));
        QCOMPARE(f.git({u"show"_s, applied->kept.first()}), "{ }: { magma = 1; }"_ba);
        QCOMPARE(f.git({u"show"_s, applied->kept.last()}), "{ }: { nightly = 1; }"_ba);

        const auto undoing = undo(f);
        QVERIFY_OK(undoing);
        QCOMPARE(undoing->undoes, applied->saved);
        const auto undone = apply(f, *undoing);
        QVERIFY_OK(undone);
        QCOMPARE(undone->commit, QString());
        QCOMPARE(undone->restored, QStringList({path(nightly), path(magma)}));
        QCOMPARE(f.read(path(magma)), "{ }: { magma = 1; }\n"_ba);
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD"_s}), head);
        // A restored text is not undone again: the next step is the last commit.
        const auto next = undo(f);
        QVERIFY_OK(next);
        QVERIFY_OK(apply(f, *next));
        QVERIFY(!QFile::exists(f.path(path(magma))) && !QFile::exists(f.path(path(nightly))));
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD"_s}), head);
        f.git({u"fsck"_s, u"--strict"_s});
    }

    void filesThatWereNeverCommittedGoBesideACommit()
    {
        const SampleFixture f;
        f.takeOut(missing);
        addStrays(f);
        const auto applied = applyPlan(f, {missing, magma, nightly});
        QVERIFY_OK(applied);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-status"_s}), "A\t" + path(missing).toUtf8());
        QCOMPARE(applied->kept.size(), 2);
        QCOMPARE(f.status(), ""_ba);
        // The user has put another file there meanwhile: it stays, and the old text is reported.
        f.write(path(magma), "newer\n");
        const auto undoing = undo(f, {}, applied->commit);
        QVERIFY_OK(undoing);
        QCOMPARE(notRestored(*undoing), QStringList{applied->saved + u':' + path(magma)});
        const auto undone = apply(f, *undoing);
        QVERIFY_OK(undone);
        QCOMPARE(undone->restored, QStringList{path(nightly)});
        QCOMPARE(undone->kept, notRestored(*undoing));
        QCOMPARE(f.read(path(magma)), "newer\n"_ba);
        QCOMPARE(f.read(path(nightly)), "{ }: { nightly = 1; }\n"_ba);
        QVERIFY(!QFile::exists(f.path(path(missing))));
        // With the name of the ref, nothing is left to restore.
        QVERIFY_ERROR(undo(f, {}, applied->saved), u"the files have changed since"_s);
    }

    // An old form of the name, never committed: it is committed under its new name, and the old file's text is saved as
    // one that was only in the working tree. The message says what the commit contains.
    void theMessageCountsWhatTheCommitHolds()
    {
        const SampleFixture f;
        f.takeOut(missing);
        addStrays(f);
        f.write(path(missing), "{ }: { mine = 1; }\n");
        const auto done = applyPlan(f, {missing, magma});
        QVERIFY_OK(done);
        QCOMPARE(done->subject, u"Create "_s + missing);
        QVERIFY(!f.git({u"log"_s, u"-1"_s, u"--format=%B"_s}).contains("magma"));
    }

    void aRenameOfWhatWasNeverCommittedIsCommitted()
    {
        const SampleFixture f;
        const QByteArray text = f.read(path(old));
        f.takeOut(old);
        f.write(path(oldForm), text);
        const auto reading = plan(f);
        QVERIFY_OK(reading);
        QVERIFY(reading->isEmpty());
        const auto applied = applyPlan(f, {old});
        QVERIFY_OK(applied);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-status"_s}), "A\t" + path(old).toUtf8());
        QCOMPARE(f.status(), ""_ba);
        const auto undoing = undo(f);
        QVERIFY_OK(undoing);
        QVERIFY_OK(apply(f, *undoing));
        QCOMPARE(f.read(path(oldForm)), text);
        QCOMPARE(f.status(), "?? " + path(oldForm).toUtf8());
    }

    void recipesAreDeletedByACommit()
    {
        const SampleFixture f;
        const QByteArray text = f.read(path(mine));
        f.write(path(mine), text + "# mine\n");
        addStrays(f);
        const QByteArray before = f.git({u"rev-parse"_s, u"HEAD"_s});
        const auto asked = ask(f, DeleteRequest{{}, {mine, old}});
        QVERIFY_OK(asked);
        QCOMPARE(asked->chosen(), (QMap<Action, int>{{Action::Delete, 2}}));
        const auto applied = apply(f, *asked);
        QVERIFY_OK(applied);
        QCOMPARE(f.git({u"show"_s, u"--format=%s"_s, u"--name-status"_s}),
                 "Delete 2 recipes\n\nD\t" + path(old).toUtf8() + "\nD\t" + path(mine).toUtf8());
        QCOMPARE(applied->kept.size(), 1);
        QVERIFY_OK(apply(f, undo(f)));
        QCOMPARE(f.read(path(mine)), text + "# mine\n");
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD"_s}), before);
        QVERIFY_ERROR(ask(f, DeleteRequest{{}, {u"pytorch-python313-cuda12_8-sm61-avx512"_s}}), u"no such recipe"_s);
        // Of a branch that is not checked out, and what was never committed.
        const QString there = u"pytorch-python313-cuda12_9-sm90-avx2"_s;
        QVERIFY_OK(apply(f, ask(f, DeleteRequest{u"cuda-12_9"_s, {there}})));
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-status"_s, u"cuda-12_9"_s}), "D\t" + path(there).toUtf8());
        f.takeOut(missing);
        const QByteArray head = f.git({u"rev-parse"_s, u"HEAD"_s});
        f.write(path(missing), "{ }: { }\n");
        const auto never = apply(f, ask(f, DeleteRequest{{}, {missing}}));
        QVERIFY_OK(never);
        QVERIFY(never->commit.isEmpty() && !QFile::exists(f.path(path(missing))));
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD"_s}), head);
        QVERIFY_OK(apply(f, undo(f, {}, never->saved)));
        QCOMPARE(f.read(path(missing)), "{ }: { }\n"_ba);
        // A link: it is unknown what would be lost.
        QVERIFY(QFile::remove(f.path(path(missing))));
        QVERIFY(QFile::link(u"/dev/null"_s, f.path(path(missing))));
        QVERIFY_ERROR(ask(f, DeleteRequest{{}, {missing}}), u"cannot be read"_s);
    }

    void uncommittedChangesAreDiscardedAndPutBack()
    {
        const SampleFixture f;
        const QString gone = u"pytorch-python313-cpu-avx2"_s;
        f.takeOut(missing);
        const QByteArray head = f.git({u"rev-parse"_s, u"HEAD"_s});
        const QByteArray text = f.read(path(mine));
        f.write(path(mine), text + "# staged\n");
        f.git({u"add"_s, path(mine)});
        f.write(path(mine), text + "# mine\n");
        f.write(path(missing), "{ }: { }\n");
        f.git({u"add"_s, path(missing)});
        QVERIFY(QFile::remove(f.path(path(gone))));
        f.write(path(old), "# stays\n");
        QVERIFY_ERROR(ask(f, DiscardRequest{{u"pytorch-python313-cpu-avx512"_s}}), u"it has none"_s);
        const auto asked = ask(f, DiscardRequest{{mine, missing, gone}});
        QVERIFY_OK(asked);
        QCOMPARE(asked->chosen(), (QMap<Action, int>{{Action::Create, 1}, {Action::Rewrite, 1}, {Action::Delete, 1}}));
        const auto applied = apply(f, *asked);
        QVERIFY_OK(applied);
        QVERIFY(applied->commit.isEmpty());
        QCOMPARE(applied->subject, u"Discard changes of 3 recipes"_s);
        QCOMPARE(applied->kept.size(), 3); // what was only staged is saved as well
        QCOMPARE(f.status(), " M " + path(old).toUtf8());
        QCOMPARE(f.read(path(mine)), text);
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD"_s}), head);
        QVERIFY_OK(apply(f, undo(f, {}, applied->saved)));
        QCOMPARE(f.read(path(mine)), text + "# mine\n");
        QCOMPARE(f.read(path(missing)), "{ }: { }\n"_ba);
        f.git({u"fsck"_s, u"--strict"_s});
    }

    void undoIsOfTheBranch()
    {
        const SampleFixture f;
        const auto takeOutAndGenerate = [&f](const QString &name) {
            f.takeOut(name);
            return apply(f, ask(f, GenerateRequest{.names = {name}, .until = ChangeSet::Until::Commit}));
        };
        QVERIFY_OK(takeOutAndGenerate(missing));
        f.git({u"switch"_s, u"-q"_s, u"-c"_s, u"side"_s});
        QVERIFY_OK(takeOutAndGenerate(mine));
        f.git({u"switch"_s, u"-q"_s, u"main"_s});
        QVERIFY_ERROR(undo(f, {}, u"side"_s), u"it is not a commit of branch main"_s);
        QVERIFY_OK(undo(f, {}, u"main"_s));
        const auto side = undo(f, u"side"_s, u"main"_s); // main's last came before it
        QVERIFY_OK(side);
        QVERIFY(side->undoes != side->parentCommit);
    }

    void aStopChangesNothing()
    {
        const SampleFixture f;
        unsettle(f);
        addStrays(f);
        const auto state = [&f] {
            return f.git({u"for-each-ref"_s}) + f.status() + f.git({u"ls-files"_s, u"--stage"_s});
        };
        const QByteArray before = state();
        const WorkHooks stop{{}, [] { return true; }};
        const QString stopped = stoppedError().sentence();
        const SettingsChange change{.pin = QString(20, u'c') + QString(20, u'd')};
        QVERIFY_ERROR(ask(f, PlanRequest{}, stop), stopped);
        QVERIFY_ERROR(ask(f, GenerateRequest{.names = {missing}}, stop), stopped);
        QVERIFY_ERROR(ask(f, DeriveRequest{{}, u"next"_s, change}, stop), stopped);
        QVERIFY_ERROR(ask(f, MigrateRequest{{}, change}, stop), stopped);
        QVERIFY_ERROR(ask(f, CopyRequest{{}, u"cuda-13_0"_s, {mine}}, stop), stopped);
        QVERIFY_ERROR(ask(f, ReadmeRequest{}, stop), stopped);
        QCOMPARE(state(), before);
    }

    void progressGoesOneWay()
    {
        const SampleFixture f;
        const SettingsChange change{.pin = QString(40, u'd')};
        for (const bool derive : {true, false}) {
            std::atomic_int last = -1;
            std::atomic_bool back = false;
            const WorkHooks hooks{[&](int done, int total) {
                                      const int percent = 100 * done / total;
                                      back = back || percent < last;
                                      last = percent;
                                  },
                                  {}};
            if (derive)
                QVERIFY_OK(ask(f, DeriveRequest{{}, u"next"_s, change}, hooks));
            else
                QVERIFY_OK(ask(f, MigrateRequest{{}, change}, hooks));
            QVERIFY(!back);
            QCOMPARE(last.load(), 100);
        }
    }

    void deriveFromWhatIsCommitted()
    {
        const SampleFixture f;
        f.write(path(mine), "open\n");
        const auto work = ask(
            f, DeriveRequest{
                   {}, u"lines/next"_s, {.versions = {{u"pytorch"_s, u"2.9.1"_s}}, .cudas = QStringList{u"12.9"_s}}});
        QVERIFY_OK(work);
        QCOMPARE(work->from, u"main"_s);
        const auto made = apply(f, *work);
        QVERIFY_OK(made);
        QCOMPARE(f.git({u"log"_s, u"--format=%s"_s, u"main..lines/next"_s}),
                 "Derive lines/next from main: PyTorch 2.9.1, CUDA 12.9, Python 3.13"_ba);
        QCOMPARE(f.status(), " M " + path(mine).toUtf8());
        const auto next = plan(f, u"lines/next"_s);
        QVERIFY_OK(next);
        QVERIFY(next->isEmpty());
        QCOMPARE(next->files.size(), 44);
        QVERIFY_ERROR(apply(f, *work), u"a branch with that name already exists"_s);
    }

    void deriveFromAnyRevision()
    {
        const SampleFixture f;
        const QByteArray commit = f.git({u"rev-parse"_s, u"cuda-12_9"_s});
        f.git({u"tag"_s, u"release"_s, u"cuda-12_9"_s});
        const auto work = ask(f, DeriveRequest{u"release"_s, u"next"_s, {}});
        QVERIFY_OK(work);
        QCOMPARE(work->parentCommit.toLatin1(), commit);
        QVERIFY_OK(apply(f, work));
        QCOMPARE(f.git({u"rev-parse"_s, u"next~1"_s}), commit);
        QVERIFY_ERROR(ask(f, DeriveRequest{u"nothing"_s, u"next"_s, {}}), u"has no branch or commit with that name"_s);
    }

    void migrateAndUndo()
    {
        const SampleFixture f;
        unsettle(f);
        const QByteArray before = f.git({u"ls-tree"_s, u"-r"_s, u"HEAD"_s});
        const auto work = ask(f, MigrateRequest{{}, {.pin = QString(20, u'c') + QString(20, u'd')}});
        QVERIFY_OK(work);
        const auto made = apply(f, *work);
        QVERIFY_OK(made);
        QVERIFY(f.read(u"torch-matrix.toml"_s).contains(QByteArray(20, 'c') + QByteArray(20, 'd')));
        // It builds the same as its template: it follows, and keeps its comment.
        QVERIFY(f.read(path(mine)).endsWith("# mine\n") &&
                f.read(path(mine)).contains(QByteArray(20, 'c') + QByteArray(20, 'd')));
        QCOMPARE(f.status(), ""_ba);
        const auto undoing = undo(f, {}, made->commit);
        QVERIFY_OK(undoing);
        QVERIFY_OK(apply(f, *undoing));
        QCOMPARE(f.git({u"ls-tree"_s, u"-r"_s, u"HEAD"_s}), before);
    }

    // The commit of a migration includes torch-matrix.toml with earlier changes.
    void migrateSaysThatItTakesTheSettingsAlong()
    {
        const SampleFixture f;
        const auto warned = [&f] {
            const auto work = ask(f, MigrateRequest{{}, {.pin = QString(20, u'c') + QString(20, u'd')}});
            return work && work->warnings.join(u' ').contains("torch-matrix.toml has uncommitted changes"_L1);
        };
        f.write(u"torch-matrix.toml"_s, "base = \"main\"\n");
        QVERIFY(warned());
        f.git({u"add"_s, u"-A"_s});
        f.git({u"commit"_s, u"-qm"_s, u"Settings"_s});
        QVERIFY(!warned());
    }

    /// One of several recipes that cannot be made does not stop the others; alone, it is the error.
    void generateLeavesWhatCannotBeMade()
    {
        const SampleFixture f;
        const QString there = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        const QString lacking = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        f.takeOut(lacking);
        f.write(path(there), "{ hello }: hello\n");
        GenerateRequest request{.branch = {}, .names = {there, lacking}, .message = {}};
        QVERIFY_ERROR(ask(f, request), u"already exists with a different text"_s);
        request.leaves = true;
        const auto work = ask(f, request);
        QVERIFY_OK(work);
        const auto of = [&work](const QString &name) {
            return *std::ranges::find(work->files, name, &ChangedFile::name);
        };
        QVERIFY(of(lacking).chosen && !of(there).chosen && !of(there).possible);
        QVERIFY2(work->warnings.join(u' ').contains(there), qPrintable(work->warnings.join(u' ')));
        request.names = {there};
        QVERIFY_ERROR(ask(f, request), u"already exists with a different text"_s);
        // Of several, each says why.
        request.names = {there, u"pytorch-python313-cuda12_8-sm121-avx2"_s};
        for (const QString &name : request.names)
            QVERIFY_ERROR(ask(f, request), name);
    }

    void copyToAnotherBranch()
    {
        const SampleFixture f;
        f.git({u"switch"_s, u"-q"_s, u"cuda-13_0"_s});
        f.takeOut(u"pytorch-python313-cuda13_0-sm90-avx2"_s);
        const QByteArray head = f.git({u"rev-parse"_s, u"cuda-13_0"_s});
        f.git({u"switch"_s, u"-q"_s, u"main"_s});
        const auto work = ask(f, CopyRequest{{}, u"cuda-13_0"_s, {mine}});
        QVERIFY_OK(work);
        QVERIFY_OK(apply(f, *work));
        QCOMPARE(f.git({u"diff"_s, u"cuda-13_0~2"_s, u"cuda-13_0"_s}), ""_ba); // the very text that was taken out
        QVERIFY(f.git({u"rev-parse"_s, u"cuda-13_0~1"_s}) == head);
        QVERIFY_ERROR(ask(f, CopyRequest{{}, u"main"_s, {mine}}), u"it is also the branch to copy from"_s);
    }
};

TM_TEST(TestChange, QCoreApplication)
#include "tst_change.moc"
