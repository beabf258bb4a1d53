// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/PlanOperations.h"
#include "model/workspace/UndoOperations.h"
#include "tests/support/Results.h"
#include "tests/support/SampleFixture.h"

#include <QFile>
#include <QTest>

#include <atomic>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::SampleFixture;
using Action = PlanStep::Action;

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

/// Beside the cells' recipes: a file that git does not know, and one that was only added to the index.
void addStrays(const SampleFixture &f)
{
    f.write(path(magma), "{ }: { magma = 1; }\n");
    f.write(path(nightly), "{ }: { nightly = 1; }\n");
    f.git({u"add"_s, path(nightly)});
}

/// Applies the steps of these names, which begin unchosen.
Result<CommitResult> apply(const SampleFixture &f, const QStringList &names, const WorkHooks &hooks = {})
{
    const auto reading = readPlan(f.catalog(), f.path());
    if (!reading)
        return reading.error();
    const auto plan = onlyNames(reading->plan, names);
    return plan ? applyPlan(f.path(), *plan, *reading->snapshot, {}, hooks) : plan.error();
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

class TestPlanOperations : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void applyAndUndo()
    {
        const SampleFixture f;
        unsettle(f);
        const QByteArray before = f.git({u"ls-tree"_s, u"-r"_s, u"HEAD"_s});
        const auto reading = readPlan(f.catalog(), f.path());
        QVERIFY_OK(reading);
        QCOMPARE(reading->plan.chosen(), (QMap<Action, int>{{Action::Create, 1}, {Action::Rename, 1}}));
        const auto applied = applyPlan(f.path(), reading->plan, *reading->snapshot);
        QVERIFY_OK(applied);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-status"_s, u"-M"_s, u"HEAD"_s}).split('\n').size(), 2);
        QVERIFY(f.read(path(mine)).endsWith("# mine\n"));
        QCOMPARE(f.status(), ""_ba);
        const auto again = readPlan(f.catalog(), f.path());
        QVERIFY(again.ok() && again->plan.isDone());

        const auto undo = readUndo(f.path());
        QVERIFY_OK(undo);
        QVERIFY(undo->isTip);
        QCOMPARE(undo->changes.size(), 3);
        QVERIFY_OK(applyUndo(*undo));
        QCOMPARE(f.git({u"ls-tree"_s, u"-r"_s, u"HEAD"_s}), before);
        QCOMPARE(f.status(), ""_ba);
        QCOMPARE(f.git({u"rev-list"_s, u"--count"_s, u"HEAD~2..HEAD"_s}),
                 "2"_ba); // nothing was taken out of the history
    }

    void undoRefusedWhereItWouldLoseWork()
    {
        const SampleFixture f;
        unsettle(f);
        const auto reading = readPlan(f.catalog(), f.path());
        QVERIFY_OK(reading);
        const auto applied = applyPlan(f.path(), reading->plan, *reading->snapshot);
        QVERIFY_OK(applied);
        f.write(path(missing), f.read(path(missing)) + "# open\n");
        const auto undo = readUndo(f.path());
        QVERIFY_OK(undo);
        QVERIFY_ERROR(applyUndo(*undo), u"would lose that"_s);
        f.git({u"commit"_s, u"-qam"_s, u"Mine"_s});
        const auto older = readUndo(f.path(), {}, applied->commit);
        QVERIFY_OK(older);
        QVERIFY(!older->isTip);
        QVERIFY_ERROR(applyUndo(*older), u"would lose that"_s);
        QVERIFY(f.read(path(missing)).endsWith("# open\n"));
    }

    // The sample's first commit holds files that this program does not write.
    void undoRefusedForOtherFiles()
    {
        const SampleFixture f;
        f.write(u"build.sh"_s, "echo\n");
        f.git({u"add"_s, u"."_s});
        f.git({u"commit"_s, u"-qm"_s, u"A script"_s});
        const auto undo = readUndo(f.path());
        QVERIFY_OK(undo);
        QVERIFY_ERROR(applyUndo(*undo), u"recipes lie in"_s);
        QVERIFY(QFile::exists(f.path(u"build.sh"_s)));
    }

    void otherBranch()
    {
        const SampleFixture f;
        unsettle(f);
        f.git({u"branch"_s, u"-q"_s, u"other"_s});
        f.git({u"switch"_s, u"-q"_s, u"cuda-12_9"_s});
        f.write(path(u"pytorch-python313-cpu-avx2"_s), "open\n");
        const auto reading = readPlan(f.catalog(), f.path(), u"main"_s);
        QVERIFY_OK(reading);
        const auto only = onlyNames(reading->plan, {mine, missing});
        QVERIFY_OK(only);
        QVERIFY_OK(applyPlan(f.path(), *only, *reading->snapshot, u"Settle"_s));
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%s"_s, u"main"_s}), "Settle"_ba);
        QCOMPARE(f.git({u"diff"_s, u"--name-status"_s, u"other"_s, u"main"_s}),
                 "M\t" + path(mine).toUtf8() + "\nA\t" + path(missing).toUtf8());
        QCOMPARE(f.status(), " M " + path(u"pytorch-python313-cpu-avx2"_s).toUtf8());
        QVERIFY_ERROR(applyPlan(f.path(), *only, *reading->snapshot), u"moved meanwhile"_s);
    }

    void uncommittedTextIsKept()
    {
        const SampleFixture f;
        f.write(path(mine), "half a thought\n");
        const auto reading = readPlan(f.catalog(), f.path());
        QVERIFY_OK(reading);
        QVERIFY(reading->plan.isDone());
        const auto only = onlyNames(reading->plan, {mine});
        QVERIFY_OK(only);
        // The work tree's text goes back to what is committed, so that there is nothing to commit.
        const auto back = applyPlan(f.path(), *only, *reading->snapshot);
        QVERIFY_OK(back);
        QCOMPARE(back->commit, QString());
        QCOMPARE(back->kept, QStringList{back->saved + u':' + path(mine)});
        QCOMPARE(f.git({u"show"_s, back->kept.first()}), "half a thought"_ba);
        QCOMPARE(f.status(), ""_ba);
        const auto first = readUndo(f.path());
        QVERIFY_OK(first);
        QVERIFY_OK(applyUndo(*first));
        QCOMPARE(f.read(path(mine)), "half a thought\n"_ba);
        f.takeOut(missing);
        const auto both = readPlan(f.catalog(), f.path());
        QVERIFY_OK(both);
        const auto chosen = onlyNames(both->plan, {mine, missing});
        QVERIFY_OK(chosen);
        const auto applied = applyPlan(f.path(), *chosen, *both->snapshot);
        QVERIFY_OK(applied);
        QCOMPARE(f.git({u"show"_s, applied->saved + u':' + path(mine)}), "half a thought"_ba);
        QCOMPARE(applied->kept, QStringList{applied->saved + u':' + path(mine)});
        QCOMPARE(f.status(), ""_ba);

        // Taking the commit back brings the uncommitted text back as well, uncommitted.
        const auto undo = readUndo(f.path());
        QVERIFY_OK(undo);
        QCOMPARE(undo->commit, applied->commit);
        const auto undone = applyUndo(*undo);
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
        const auto reading = readPlan(f.catalog(), f.path());
        QVERIFY_OK(reading);
        QVERIFY(reading->plan.isDone());
        const auto applied = apply(f, {magma, nightly});
        QVERIFY_OK(applied);
        QCOMPARE(applied->commit, QString());
        QCOMPARE(applied->branch, u"main"_s);
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD"_s}), head);
        QCOMPARE(f.status(), ""_ba); // gone from the index as well
        QVERIFY(!QFile::exists(f.path(path(magma))) && !QFile::exists(f.path(path(nightly))));
        QCOMPARE(applied->kept,
                 QStringList({applied->saved + u':' + path(nightly), applied->saved + u':' + path(magma)}));
        QCOMPARE(f.git({u"show"_s, applied->kept.last()}), "{ }: { magma = 1; }"_ba);
        QCOMPARE(f.git({u"show"_s, applied->kept.first()}), "{ }: { nightly = 1; }"_ba);

        const auto undo = readUndo(f.path());
        QVERIFY_OK(undo);
        QCOMPARE(undo->commit, QString());
        const auto undone = applyUndo(*undo);
        QVERIFY_OK(undone);
        QCOMPARE(undone->commit, QString());
        QCOMPARE(undone->restored, QStringList({path(nightly), path(magma)}));
        QCOMPARE(f.read(path(magma)), "{ }: { magma = 1; }\n"_ba);
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD"_s}), head);
        // What is back is not taken back again: next is the last commit.
        const auto next = readUndo(f.path());
        QCOMPARE(next ? next->commit.toLatin1() : head, head);
        f.git({u"fsck"_s, u"--strict"_s});
    }

    void filesThatWereNeverCommittedGoBesideACommit()
    {
        const SampleFixture f;
        f.takeOut(missing);
        addStrays(f);
        const auto applied = apply(f, {missing, magma, nightly});
        QVERIFY_OK(applied);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-status"_s}), "A\t" + path(missing).toUtf8());
        QCOMPARE(applied->kept.size(), 2);
        QCOMPARE(f.status(), ""_ba);
        // Somebody has put another file there meanwhile: it stays, and what was there is told.
        f.write(path(magma), "newer\n");
        const auto undo = readUndo(f.path(), {}, applied->commit);
        QVERIFY_OK(undo);
        QCOMPARE(undo->kept, QStringList{applied->saved + u':' + path(magma)});
        const auto undone = applyUndo(*undo);
        QVERIFY_OK(undone);
        QCOMPARE(undone->restored, QStringList{path(nightly)});
        QCOMPARE(undone->kept, undo->kept);
        QCOMPARE(f.read(path(magma)), "newer\n"_ba);
        QCOMPARE(f.read(path(nightly)), "{ }: { nightly = 1; }\n"_ba);
        QVERIFY(!QFile::exists(f.path(path(missing))));
        // By the name of the ref nothing is left to put back.
        const auto rest = readUndo(f.path(), {}, applied->saved);
        QVERIFY_OK(rest);
        QVERIFY_ERROR(applyUndo(*rest), u"newer ones are in their place"_s);
    }

    // An old form of the name, never committed: under its new name it is, and the old file is kept as the work tree's
    // alone was.
    void aRenameOfWhatWasNeverCommittedIsCommitted()
    {
        const SampleFixture f;
        const QByteArray text = f.read(path(old));
        f.takeOut(old);
        f.write(path(oldForm), text);
        const auto reading = readPlan(f.catalog(), f.path());
        QVERIFY_OK(reading);
        QVERIFY(reading->plan.isDone());
        const auto applied = apply(f, {old});
        QVERIFY_OK(applied);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-status"_s}), "A\t" + path(old).toUtf8());
        QCOMPARE(f.status(), ""_ba);
        const auto undo = readUndo(f.path());
        QVERIFY_OK(undo);
        QVERIFY_OK(applyUndo(*undo));
        QCOMPARE(f.read(path(oldForm)), text);
        QCOMPARE(f.status(), "?? " + path(oldForm).toUtf8());
    }

    void undoIsOfTheBranch()
    {
        const SampleFixture f;
        f.takeOut(missing);
        f.git({u"switch"_s, u"-q"_s, u"-c"_s, u"side"_s});
        f.takeOut(mine);
        f.git({u"switch"_s, u"-q"_s, u"main"_s});
        QVERIFY_ERROR(readUndo(f.path(), {}, u"side"_s), u"it is no commit of branch main"_s);
        QVERIFY_OK(readUndo(f.path(), {}, u"main"_s));
        const auto side = readUndo(f.path(), u"side"_s, u"main"_s); // main's last came before it
        QVERIFY_OK(side);
        QVERIFY(!side->isTip);
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
        const LineChange change{{}, {}, {}, QString(40, u'c'), {}};
        QVERIFY_ERROR(readPlan(f.catalog(), f.path(), {}, stop), stopped);
        QVERIFY_ERROR(apply(f, {missing}, stop), stopped);
        QVERIFY_ERROR(apply(f, {magma}, stop), stopped);
        QVERIFY_ERROR(readDerivation(f.catalog(), f.path(), {}, u"next"_s, change, stop), stopped);
        QVERIFY_ERROR(readMigration(f.catalog(), f.path(), {}, change, stop), stopped);
        QVERIFY_ERROR(readCopy(f.catalog(), f.path(), {}, u"cuda-13_0"_s, {mine}, stop), stopped);
        const auto work = readMigration(f.catalog(), f.path(), {}, change);
        QVERIFY_OK(work);
        QVERIFY_ERROR(applyLineWork(f.path(), *work, {}, stop), stopped);
        QCOMPARE(state(), before);
    }

    void progressGoesOneWay()
    {
        const SampleFixture f;
        const LineChange change{{}, {}, {}, QString(40, u'd'), {}};
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
                QVERIFY_OK(readDerivation(f.catalog(), f.path(), {}, u"next"_s, change, hooks));
            else
                QVERIFY_OK(readMigration(f.catalog(), f.path(), {}, change, hooks));
            QVERIFY(!back);
            QCOMPARE(last.load(), 100);
        }
    }

    void deriveFromWhatIsCommitted()
    {
        const SampleFixture f;
        f.write(path(mine), "open\n");
        const auto work =
            readDerivation(f.catalog(), f.path(), {}, u"lines/next"_s, {u"2.9.1"_s, {u"12.9"_s}, {}, {}, {}});
        QVERIFY_OK(work);
        QCOMPARE(work->from, u"main"_s);
        const auto made = applyLineWork(f.path(), *work, {});
        QVERIFY_OK(made);
        QCOMPARE(f.git({u"log"_s, u"--format=%s"_s, u"main..lines/next"_s}),
                 "Derive lines/next from main: PyTorch 2.9.1, CUDA 12.9"_ba);
        QCOMPARE(f.status(), " M " + path(mine).toUtf8());
        const auto plan = readPlan(f.catalog(), f.path(), u"lines/next"_s);
        QVERIFY_OK(plan);
        QVERIFY(plan->plan.isDone());
        QCOMPARE(plan->snapshot->counts(), (QMap<RecipeState, int>{{RecipeState::Current, 44}}));
        QVERIFY_ERROR(applyLineWork(f.path(), *work, {}), u"there is a branch of that name already"_s);
    }

    void migrateAndUndo()
    {
        const SampleFixture f;
        unsettle(f);
        const QByteArray before = f.git({u"ls-tree"_s, u"-r"_s, u"HEAD"_s});
        const auto work = readMigration(f.catalog(), f.path(), {}, {{}, {}, {}, QString(40, u'c'), {}});
        QVERIFY_OK(work);
        const auto made = applyLineWork(f.path(), *work, {});
        QVERIFY_OK(made);
        QVERIFY(f.read(u"torch-matrix.toml"_s).contains(QByteArray(40, 'c')));
        QVERIFY(f.read(path(mine)).endsWith("# mine\n") && !f.read(path(mine)).contains(QByteArray(40, 'c')));
        QCOMPARE(f.status(), ""_ba);
        const auto undo = readUndo(f.path(), {}, made->commit);
        QVERIFY_OK(undo);
        QVERIFY_OK(applyUndo(*undo));
        QCOMPARE(f.git({u"ls-tree"_s, u"-r"_s, u"HEAD"_s}), before);
    }

    void copyToAnotherBranch()
    {
        const SampleFixture f;
        f.git({u"switch"_s, u"-q"_s, u"cuda-13_0"_s});
        f.takeOut(u"pytorch-python313-cuda13_0-sm90-avx2"_s);
        const QByteArray head = f.git({u"rev-parse"_s, u"cuda-13_0"_s});
        f.git({u"switch"_s, u"-q"_s, u"main"_s});
        const auto work = readCopy(f.catalog(), f.path(), {}, u"cuda-13_0"_s, {mine});
        QVERIFY_OK(work);
        QVERIFY_OK(applyLineWork(f.path(), *work, {}));
        QCOMPARE(f.git({u"diff"_s, u"cuda-13_0~2"_s, u"cuda-13_0"_s}), ""_ba); // the very text that was taken out
        QVERIFY(f.git({u"rev-parse"_s, u"cuda-13_0~1"_s}) == head);
        QVERIFY_ERROR(readCopy(f.catalog(), f.path(), {}, u"main"_s, {mine}),
                      u"that is the branch that it is copied from"_s);
    }
};

QTEST_GUILESS_MAIN(TestPlanOperations)
#include "tst_planoperations.moc"
