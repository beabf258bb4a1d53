// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/UndoSteps.h"
#include "tests/support/Requests.h"
#include "tests/support/Results.h"
#include "tests/support/Rounds.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::apply;
using tmx::test::ask;
using tmx::test::SampleFixture;

namespace {

QString words(const QList<UndoStep> &steps)
{
    QStringList words;
    for (const UndoStep &step : steps)
        words.append(step.name);
    return words.join(u'|');
}

const QString changed = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx2.nix"_s;

/// Commits a recipe with another line; gives the subject.
QString change(const SampleFixture &f, const QString &subject)
{
    f.write(changed, f.read(changed) + "# " + subject.toUtf8() + '\n');
    const QString head = QString::fromUtf8(f.git({u"rev-parse"_s, u"HEAD"_s}));
    const auto changes = ask(f, CommitRequest{{u"pytorch-python313-cuda12_8-sm90-avx2"_s}, subject, head});
    const auto applied = apply(f, changes);
    if (!applied)
        qFatal("%s", qPrintable(applied.error().sentence()));
    return subject;
}

UndoSteps stepsOf(const SampleFixture &f)
{
    const Result<UndoSteps> steps = undoSteps(f.path());
    if (!steps)
        qFatal("%s", qPrintable(steps.error().sentence()));
    return *steps;
}

const QString writtenRecipe = u"pytorch-python313-cuda12_8-sm90-avx512"_s;

/// Writes torch-matrix.toml or a missing recipe without a commit; gives the name of the step.
QString write(const SampleFixture &f, const ChangeRequest &request)
{
    const auto changes = ask(f, request);
    const auto applied = apply(f, changes);
    if (!applied)
        qFatal("%s", qPrintable(applied.error().sentence()));
    return changes->subject();
}

QString generate(const SampleFixture &f)
{
    return write(f, GenerateRequest{.names = {writtenRecipe}});
}

QString setKey(const SampleFixture &f, const QString &key, const QString &value)
{
    return write(f, SettingsRequest{.settings = {}, .key = key, .value = value, .until = ChangeSet::Until::Index});
}

/// The visible state of the working tree: git's status, and the texts of recipes and settings.
QByteArray seen(const SampleFixture &f)
{
    return f.git({u"status"_s, u"--porcelain"_s}) + f.git({u"diff"_s, u"HEAD"_s});
}

/// Makes the sample a linked working tree, or a partial clone whose other branches have no texts here.
void putAt(const SampleFixture &f, const QString &place)
{
    const QString other = f.path() + u"-other"_s;
    if (place == "plain"_L1)
        return;
    if (!QDir().rename(f.path(), other) || !QDir().mkpath(f.path()))
        qFatal("%s cannot be moved", qPrintable(f.path()));
    if (place == "worktree"_L1) {
        f.git({u"-C"_s, other, u"checkout"_s, u"-q"_s, u"--detach"_s});
        f.git({u"-C"_s, other, u"worktree"_s, u"add"_s, u"-q"_s, f.path(), u"main"_s});
    } else {
        f.git({u"-C"_s, other, u"config"_s, u"uploadpack.allowFilter"_s, u"true"_s});
        f.git({u"-C"_s, other, u"config"_s, u"uploadpack.allowAnySHA1InWant"_s, u"true"_s});
        f.git({u"clone"_s, u"-q"_s, u"--filter=blob:none"_s, u"file://"_s + other, f.path()});
    }
}

/// As after a push of the checked-out branch.
void push(const SampleFixture &f)
{
    f.git({u"update-ref"_s, u"refs/remotes/origin/main"_s, u"HEAD"_s});
}

QByteArray idOf(const SampleFixture &f, const QString &revision)
{
    return f.git({u"rev-parse"_s, revision}).trimmed();
}

/// The way in which git's own words say that the last commit can be undone.
UndoStep::Way wayByGit(const SampleFixture &f)
{
    const auto having = [&f](const QString &list) { return f.git({list, u"--contains"_s, u"main"_s}).trimmed(); };
    const QByteArray branches =
        f.git({u"for-each-ref"_s, u"--contains=main"_s, u"--format=%(refname)"_s, u"refs/heads"_s, u"refs/remotes"_s});
    const bool alone = branches.trimmed() == "refs/heads/main" && having(u"tag"_s).isEmpty();
    const bool staged = f.git({u"diff"_s, u"--cached"_s, u"--name-only"_s, u"main"_s}).contains("sm90-avx2.nix");
    return alone && !staged ? UndoStep::Way::Back : UndoStep::Way::Commit;
}

struct Changed {
    QString name;
    QString commit;
};

/// The names of the changes whose commit is in the branch or can come back onto it, and the place of the last one.
std::pair<QString, qsizetype> listedByGit(const SampleFixture &f, const QList<Changed> &changes)
{
    const auto isIn = [&f](const QString &commit, const QString &other) {
        return f.tryGit({u"merge-base"_s, u"--is-ancestor"_s, commit, other}) == 0;
    };
    QStringList names;
    qsizetype last = -1;
    for (qsizetype i = 0; i < changes.size(); ++i) {
        const auto &[name, commit] = changes.at(i);
        if (!isIn(commit, u"main"_s) && !isIn(u"main"_s, commit))
            continue;
        names.append(name);
        last = i;
    }
    return {names.join(u'|'), last};
}

void takeBack(const SampleFixture &f, const UndoStep &step)
{
    const auto undoing = ask(f, UndoRequest{step.branch, step.commit});
    const auto applied = undoing ? apply(f, undoing) : undoing.error();
    if (!applied)
        qFatal("%s", qPrintable(applied.error().sentence()));
}

} // namespace

class TestUndoSteps : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void undoAndRedoAreCommits()
    {
        const SampleFixture f;
        QCOMPARE(stepsOf(f), UndoSteps());
        change(f, u"one"_s);
        change(f, u"two"_s);
        push(f);
        QCOMPARE(words(stepsOf(f).undo), u"one|two"_s);
        const QByteArray two = f.git({u"rev-parse"_s, u"HEAD^{tree}"_s});
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(words(stepsOf(f).undo), u"one"_s);
        QCOMPARE(words(stepsOf(f).redo), u"two"_s);
        push(f);
        takeBack(f, stepsOf(f).redo.constLast());
        QCOMPARE(words(stepsOf(f).undo), u"one|two"_s);
        QVERIFY(stepsOf(f).redo.isEmpty());
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD^{tree}"_s}), two);
        QCOMPARE(f.git({u"rev-list"_s, u"--count"_s, u"HEAD~4..HEAD"_s}), "4"_ba);
        // A commit by the user is not one of these steps.
        f.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"By hand"_s});
        QCOMPARE(words(stepsOf(f).undo), u"one|two"_s);
    }

    /// As git revert writes them; those of earlier versions of the program are still known.
    void theMessagesAreGits()
    {
        const SampleFixture f;
        const auto message = [&f] { return f.git({u"log"_s, u"-1"_s, u"--format=%B"_s}).trimmed(); };
        const auto head = [&f] { return f.git({u"rev-parse"_s, u"HEAD"_s}).trimmed(); };
        change(f, u"Say \"one\""_s);
        push(f);
        const QByteArray one = head();
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(message(), "Revert \"Say \"one\"\"\n\nThis reverts commit " + one + '.');
        const QByteArray undone = head();
        push(f);
        takeBack(f, stepsOf(f).redo.constLast());
        QCOMPARE(message(), "Reapply \"Say \"one\"\"\n\nThis reverts commit " + undone + '.');
        QCOMPARE(words(stepsOf(f).undo), u"Say \"one\""_s);

        auto older = ask(f, UndoRequest{u"main"_s, QString::fromUtf8(head())});
        QVERIFY(older);
        older->message =
            undoSubject(QString::fromUtf8(head())) + u"\n\nIts files are as they were before commit x.\n"_s;
        older->movesTo.clear();
        QVERIFY(apply(f, older));
        QCOMPARE(words(stepsOf(f).undo), QString());
        QCOMPARE(words(stepsOf(f).redo), u"Say \"one\""_s);
    }

    /// A commit that nothing else has is taken away, and redo brings the same one back.
    void theLastCommitIsTakenAway()
    {
        const SampleFixture f;
        const QByteArray before = idOf(f, u"HEAD"_s);
        change(f, u"one"_s);
        const QByteArray one = idOf(f, u"HEAD"_s);
        change(f, u"two"_s);
        const QByteArray two = idOf(f, u"HEAD"_s);
        f.write(u"notes.txt"_s, "mine\n");
        f.git({u"add"_s, u"notes.txt"_s});
        const QByteArray status = f.status();
        QCOMPARE(stepsOf(f).undo.constLast().way, UndoStep::Way::Back);
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(idOf(f, u"HEAD"_s), one);
        QCOMPARE(idOf(f, u"HEAD@{1}"_s), two);
        QCOMPARE(idOf(f, u"main@{1}"_s), two);
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(idOf(f, u"HEAD"_s), before);
        QCOMPARE(f.status(), status);
        QCOMPARE(words(stepsOf(f).undo), QString());
        QCOMPARE(words(stepsOf(f).redo), u"two|one"_s);
        QCOMPARE(stepsOf(f).redo.constLast().way, UndoStep::Way::Forth);
        f.git({u"-c"_s, u"gc.reflogExpire=now"_s, u"-c"_s, u"gc.reflogExpireUnreachable=now"_s, u"gc"_s, u"-q"_s,
               u"--prune=now"_s}); // both stay
        for (const QByteArray &commit : {one, two}) {
            const auto redone = apply(f, ask(f, UndoRequest{.redo = true}));
            QVERIFY_OK(redone);
            QCOMPARE(redone->movedTo.toUtf8(), commit);
            QCOMPARE(idOf(f, u"HEAD"_s), commit);
            QCOMPARE(f.status(), status);
        }
        QCOMPARE(words(stepsOf(f).undo), u"one|two"_s);
        QVERIFY_ERROR(ask(f, UndoRequest{.redo = true}), u"nothing was undone last"_s);
        // Not if the branch has moved since, nor if git took it away.
        takeBack(f, stepsOf(f).undo.constLast());
        f.git({u"commit"_s, u"-q"_s, u"-m"_s, u"By hand"_s});
        QVERIFY(stepsOf(f).redo.isEmpty());
        QVERIFY_ERROR(ask(f, UndoRequest{u"main"_s, QString::fromUtf8(two)}), u"branch main has moved since"_s);
        f.git({u"reset"_s, u"-q"_s, u"--hard"_s, QString::fromUtf8(two)});
        QCOMPARE(words(stepsOf(f).undo), u"one|two"_s);
        f.git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~2"_s});
        QCOMPARE(stepsOf(f), UndoSteps());
    }

    /// What was written, then committed, then taken away is no step of its own any more.
    void whatWasCommittedSinceIsNoStep()
    {
        const SampleFixture f;
        f.takeOut(writtenRecipe);
        change(f, u"one"_s);
        const QByteArray one = idOf(f, u"HEAD"_s);
        generate(f);
        const auto commit = ask(f, CommitRequest{{writtenRecipe}, u"two"_s, QString::fromUtf8(one)});
        QVERIFY_OK(apply(f, commit));
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(idOf(f, u"HEAD"_s), one);
        QCOMPARE(f.status(), QByteArray());
        QCOMPARE(words(stepsOf(f).undo), u"one"_s);
        QCOMPARE(words(stepsOf(f).redo), u"two"_s);
        const auto next = ask(f, UndoRequest{});
        QVERIFY_OK(next);
        QCOMPARE(next->undoes.toUtf8(), one);
    }

    void whatAnotherHasIsReverted_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("remote-tracking branch") << QStringList{u"update-ref"_s, u"refs/remotes/origin/x"_s, u"HEAD"_s};
        QTest::newRow("another branch") << QStringList{u"branch"_s, u"other"_s};
        QTest::newRow("annotated tag") << QStringList{u"tag"_s, u"-am"_s, u"One"_s, u"v1"_s};
        QTest::newRow("staged otherwise") << QStringList{u"rm"_s, u"-q"_s, u"--cached"_s, u"-r"_s, u".flox"_s};
        QTest::newRow("a later branch") << QStringList{u"update-ref"_s, u"refs/remotes/origin/y"_s, u"LATER"_s};
        QTest::newRow("a broken branch") << QStringList{u"symbolic-ref"_s, u"refs/remotes/origin/z"_s,
                                                        u"refs/heads/no"_s};
    }
    void whatAnotherHasIsReverted()
    {
        QFETCH(QStringList, command);
        const SampleFixture f;
        change(f, u"one"_s);
        const QByteArray one = idOf(f, u"HEAD"_s);
        const auto undoing = ask(f, UndoRequest{});
        QVERIFY_OK(undoing);
        QCOMPARE(undoing->movesTo.toUtf8(), idOf(f, u"HEAD~1"_s));
        f.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"Later"_s});
        const QString later = QString::fromUtf8(idOf(f, u"HEAD"_s));
        f.git({u"reset"_s, u"-q"_s, u"--soft"_s, u"HEAD~1"_s});
        f.git(command.replaceInStrings(u"LATER"_s, later));
        QCOMPARE(stepsOf(f).undo.constLast().way, UndoStep::Way::Commit);
        const auto seen = ask(f, UndoRequest{});
        QVERIFY_OK(seen);
        QVERIFY(seen->movesTo.isEmpty());
        // Also if that happened after the look.
        const auto undone = apply(f, undoing);
        QVERIFY_OK(undone);
        QVERIFY(undone->movedTo.isEmpty());
        QCOMPARE(idOf(f, u"HEAD~1"_s), one);
        QVERIFY(f.git({u"log"_s, u"-1"_s, u"--format=%s"_s}).startsWith("Revert \"one\""));
    }

    void aNewChangeClearsRedo()
    {
        const SampleFixture f;
        change(f, u"one"_s);
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(words(stepsOf(f).redo), u"one"_s);
        change(f, u"two"_s);
        QVERIFY(stepsOf(f).redo.isEmpty());
        QCOMPARE(words(stepsOf(f).undo), u"two"_s);
    }

    void whatABranchNoLongerHoldsIsLeftOut()
    {
        const SampleFixture f;
        change(f, u"one"_s);
        change(f, u"two"_s);
        push(f);
        takeBack(f, stepsOf(f).undo.constLast());
        f.git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~1"_s}); // the undo is gone
        QCOMPARE(words(stepsOf(f).undo), u"one|two"_s);
        QVERIFY(stepsOf(f).redo.isEmpty());
        f.git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~1"_s});
        QCOMPARE(words(stepsOf(f).undo), u"one"_s);
    }

    /// Texts that were never committed are restored too, also after a restart: all data is in the repository.
    void uncommittedTextsComeBack()
    {
        const SampleFixture f;
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const QString file = u".flox/pkgs/%1.nix"_s.arg(name);
        change(f, u"one"_s);
        const QByteArray committed = f.read(file);
        f.write(file, committed + "# mine\n");
        const auto discarding = ask(f, DiscardRequest{{name}});
        QVERIFY(discarding && apply(f, discarding));
        QCOMPARE(f.read(file), committed);
        QCOMPARE(stepsOf(f).undo.size(), 2);
        const UndoStep last = stepsOf(f).undo.constLast();
        QVERIFY(last.texts);
        QVERIFY(last.name.contains(name));
        takeBack(f, last);
        QCOMPARE(f.read(file), committed + "# mine\n");
        QCOMPARE(words(stepsOf(f).undo), u"one"_s); // it is back
        QCOMPARE(words(stepsOf(f).redo), last.name);
        takeBack(f, stepsOf(f).redo.constLast());
        QCOMPARE(f.read(file), committed);
        QCOMPARE(words(stepsOf(f).undo), u"one|"_s + last.name);
        QVERIFY(stepsOf(f).redo.isEmpty());
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(f.read(file), committed + "# mine\n");
        // A newer text of the person is not lost by a redo.
        f.write(file, committed + "# mine\n# more\n");
        QVERIFY_ERROR(ask(f, UndoRequest{stepsOf(f).redo.constLast().branch, stepsOf(f).redo.constLast().commit}),
                      u"it has changed since it was written"_s);
        f.write(file, committed + "# mine\n");

        // If a newer text replaced it, there is nothing to undo.
        const auto again = ask(f, DiscardRequest{{name}});
        QVERIFY(again && apply(f, again));
        QCOMPARE(stepsOf(f).undo.size(), 2);
        f.write(file, committed + "# newer\n");
        QCOMPARE(words(stepsOf(f).undo), u"one"_s);
        f.write(file, committed);
        QCOMPARE(stepsOf(f).undo.size(), 2);
        // Also not after the branch moved.
        f.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"By hand"_s});
        QCOMPARE(words(stepsOf(f).undo), u"one"_s);
    }

    /// A commit that replaced a text which no commit held: undo brings it back, and redo replaces it again.
    void aCommitOverUncommittedTextsIsRedone()
    {
        const SampleFixture f;
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const QString file = u".flox/pkgs/%1.nix"_s.arg(name);
        f.write(file, f.read(file) + "# mine\n");
        const QByteArray before = seen(f);
        const QString subject = write(f, DeleteRequest{{}, {name}});
        const QByteArray after = seen(f);
        QVERIFY(!QFile::exists(f.path(file)));
        for (int i = 0; i < 2; ++i) {
            takeBack(f, stepsOf(f).undo.constLast());
            QCOMPARE(seen(f), before);
            QCOMPARE(words(stepsOf(f).redo), subject);
            takeBack(f, stepsOf(f).redo.constLast());
            QCOMPARE(seen(f), after);
            QCOMPARE(words(stepsOf(f).undo), subject);
        }
        // Of a newer text nothing is lost.
        takeBack(f, stepsOf(f).undo.constLast());
        f.write(file, f.read(file) + "# more\n");
        const UndoStep redo = stepsOf(f).redo.constLast();
        QVERIFY_ERROR(ask(f, UndoRequest{redo.branch, redo.commit}), u"it has changed since that commit"_s);
    }

    void whatWasWrittenWithoutACommitGoesAgain()
    {
        const SampleFixture f;
        f.takeOut(writtenRecipe);
        const QByteArray before = seen(f);
        const QString head = QString::fromUtf8(f.git({u"rev-parse"_s, u"HEAD"_s}));
        const QString subject = generate(f);
        const QByteArray after = seen(f);
        QVERIFY(after.startsWith("A  .flox/pkgs/"));
        QCOMPARE(words(stepsOf(f).undo), subject);
        QVERIFY(stepsOf(f).undo.constLast().texts);
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(seen(f), before);
        QVERIFY(stepsOf(f).undo.isEmpty());
        QCOMPARE(words(stepsOf(f).redo), subject);
        takeBack(f, stepsOf(f).redo.constLast());
        QCOMPARE(seen(f), after);
        QCOMPARE(words(stepsOf(f).undo), subject);
        QVERIFY(stepsOf(f).redo.isEmpty());
        QCOMPARE(QString::fromUtf8(f.git({u"rev-parse"_s, u"HEAD"_s})), head);
        // The terminal's undo does the same: for the last step, which may be an undo.
        const auto last = ask(f, UndoRequest{});
        QVERIFY_OK(last);
        QVERIFY_OK(apply(f, last));
        QCOMPARE(seen(f), before);
    }

    void theTextOfAPersonComesBackByteForByte()
    {
        const SampleFixture f;
        const QString file = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx2.nix"_s;
        const QByteArray mine = f.read(file).replace("gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\"") + "# mine\t\n";
        f.write(file, mine);
        const QString subject =
            write(f, FixRequest{{}, u"pytorch-python313-cuda12_8-sm90-avx2:gpu-targets-notation"_s});
        QVERIFY(f.read(file) != mine);
        const QByteArray index = f.git({u"diff"_s, u"--cached"_s});
        QCOMPARE(words(stepsOf(f).undo), subject);
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(f.read(file), mine);
        QCOMPARE(f.git({u"diff"_s, u"--cached"_s}), index);
    }

    void anotherTextIsNeverLost()
    {
        const SampleFixture f;
        f.takeOut(writtenRecipe);
        change(f, u"one"_s);
        generate(f);
        const UndoStep step = stepsOf(f).undo.constLast();
        const QString file = u".flox/pkgs/%1.nix"_s.arg(writtenRecipe);
        const QByteArray text = f.read(file);
        f.write(file, text + "# mine\n");
        // It remains the next step to undo, and the error says why it is impossible.
        QCOMPARE(stepsOf(f).undo.constLast(), step);
        for (const UndoRequest &request : {UndoRequest{step.branch, step.commit}, UndoRequest{}})
            QVERIFY_ERROR(ask(f, request), u"it has changed since it was written"_s);
        QCOMPARE(f.read(file), text + "# mine\n");
        // Between the look and the change too.
        f.write(file, text);
        const auto undo = ask(f, UndoRequest{});
        QVERIFY_OK(undo);
        f.write(file, text + "# mine\n");
        QVERIFY(!apply(f, undo));
        QCOMPARE(f.read(file), text + "# mine\n");
        // Once it is committed, by any program, the commit is what can be undone.
        f.git({u"commit"_s, u"-qam"_s, u"By hand"_s});
        QCOMPARE(words(stepsOf(f).undo), u"one"_s);
        f.git({u"reset"_s, u"-q"_s, u"--soft"_s, u"HEAD~1"_s});
        f.write(file, text);
        QCOMPARE(stepsOf(f).undo.constLast(), step);
        f.git({u"commit"_s, u"-qam"_s, u"By hand"_s});
        QVERIFY_ERROR(ask(f, UndoRequest{step.branch, step.commit}), u"it has been committed since"_s);
        QCOMPARE(words(stepsOf(f).undo), u"one"_s);
    }

    /// Commits, and recipes and settings written without one, undone and redone in any order: the working tree is as it
    /// was at each step, and a new change clears the redo list.
    void filesAndCommitsTakeTurns()
    {
        const SampleFixture f;
        f.takeOut(writtenRecipe);
        const QString mine = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const QString mineFile = u".flox/pkgs/%1.nix"_s.arg(mine);
        f.write(mineFile, f.read(mineFile) + "# mine\n");
        QRandomGenerator random(5);
        QList<std::pair<QString, QByteArray>> undo, redo; // with what is seen when it is done or taken back
        for (int i = 0; i < 40; ++i) {
            const UndoSteps steps = stepsOf(f);
            QStringList names;
            for (const auto &[name, tree] : undo)
                names.append(name);
            QCOMPARE(words(steps.undo), names.join(u'|'));
            QCOMPARE(steps.redo.size(), redo.size());
            const QByteArray now = seen(f);
            const int choice = random.bounded(6);
            if (choice <= 1 && !undo.isEmpty()) {
                takeBack(f, steps.undo.constLast());
                QCOMPARE(seen(f), undo.constLast().second);
                redo.append({undo.takeLast().first, now});
            } else if (choice == 2 && !redo.isEmpty()) {
                takeBack(f, steps.redo.constLast());
                QCOMPARE(seen(f), redo.constLast().second);
                undo.append({redo.takeLast().first, now});
            } else if (choice == 3 && !QFile::exists(f.path(u".flox/pkgs/%1.nix"_s.arg(writtenRecipe)))) {
                undo.append({generate(f), now});
                redo.clear();
            } else if (choice == 4 && f.read(mineFile).endsWith("# mine\n")) {
                undo.append({write(f, DiscardRequest{{mine}}), now});
                redo.clear();
            } else {
                undo.append({setKey(f, u"metadata_rev"_s, QString::number(i + 1)), now});
                redo.clear();
            }
        }
    }

    /// The redo list is cleared for good, also where the change that did so was taken away and cannot come back.
    void aChangeThatWasTakenAwayClearsTheRedoList()
    {
        const SampleFixture f;
        for (const QString &name : {u"first"_s, u"second"_s}) {
            change(f, name);
            push(f);
        }
        takeBack(f, stepsOf(f).undo.constLast());
        push(f);
        QCOMPARE(words(stepsOf(f).redo), u"second"_s);
        change(f, u"third"_s);
        QCOMPARE(words(stepsOf(f).redo), QString());
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(words(stepsOf(f).redo), u"third"_s);
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(words(stepsOf(f).redo), u"first"_s); // The third comes back where the branch was.
        takeBack(f, stepsOf(f).redo.constLast());
        QCOMPARE(words(stepsOf(f).redo), u"third"_s);
    }

    /// Commits, pushes, tags, commits by hand and edits in any order, in each place where a branch can be: two lists,
    /// as in an editor, say what is undone; git says which way, and which commits can come back onto the branch as it
    /// is now; no commit and no text is ever lost.
    void asTwoListsWouldHaveIt_data()
    {
        QTest::addColumn<QString>("place");
        for (const char *place : {"plain", "worktree", "partial"})
            QTest::newRow(place) << QString::fromLatin1(place);
    }
    void asTwoListsWouldHaveIt()
    {
        QFETCH(QString, place);
        const SampleFixture f;
        putAt(f, place);
        QRandomGenerator random(7);
        QList<Changed> undo;
        QList<Changed> redo;
        QByteArrayList made;
        int moved = 0;
        const int rounds = test::rounds(120);
        for (int i = 0; i < rounds; ++i) {
            const UndoSteps steps = stepsOf(f);
            QCOMPARE(words(steps.undo), listedByGit(f, undo).first);
            const auto [listed, next] = listedByGit(f, redo);
            QCOMPARE(words(steps.redo), listed);
            const QByteArray tip = idOf(f, u"main"_s);
            made.append(tip);
            const int choice = random.bounded(12);
            const bool undoes = choice < 4;
            if (choice < 7 && (undoes ? !undo.isEmpty() : next >= 0)) {
                const UndoStep step = (undoes ? steps.undo : steps.redo).constLast();
                const bool forth = step.way == UndoStep::Way::Forth;
                if (!forth)
                    QCOMPARE(step.way, step.commit.toUtf8() == tip ? wayByGit(f) : UndoStep::Way::Commit);
                const bool elsewhere = random.bounded(3) == 0;
                if (elsewhere)
                    f.git({u"checkout"_s, u"-q"_s, u"--detach"_s, u"HEAD~1"_s});
                takeBack(f, step);
                if (elsewhere)
                    f.git({u"checkout"_s, u"-q"_s, u"main"_s});
                QCOMPARE(f.status(), QByteArray());
                const QByteArray now = idOf(f, u"main"_s);
                if (forth)
                    QCOMPARE(now, step.commit.toUtf8());
                else
                    QCOMPARE(step.way == UndoStep::Way::Back ? idOf(f, u"%1~1"_s.arg(step.commit)) : tip,
                             step.way == UndoStep::Way::Back ? now : idOf(f, u"main~1"_s));
                moved += step.way != UndoStep::Way::Commit;
                (undoes ? redo : undo).append(undoes ? undo.takeLast() : redo.takeAt(next));
            } else if (choice == 7) {
                push(f);
            } else if (choice == 8) {
                f.git({u"tag"_s, u"t%1"_s.arg(i)});
            } else if (choice == 9 && !undo.isEmpty()) {
                const QByteArray text = f.read(changed) + "# mine\n";
                f.write(changed, text);
                QVERIFY(!ask(f, UndoRequest{steps.undo.constLast().branch, steps.undo.constLast().commit}));
                QCOMPARE(f.read(changed), text);
                QCOMPARE(idOf(f, u"main"_s), tip);
                f.git({u"checkout"_s, u"-q"_s, u"--"_s, changed});
            } else {
                const QString name = change(f, u"change %1"_s.arg(i));
                undo.append({name, QString::fromUtf8(idOf(f, u"main"_s))});
                redo.clear();
            }
        }
        QVERIFY(moved > 3);
        f.git({u"-c"_s, u"gc.reflogExpire=now"_s, u"-c"_s, u"gc.reflogExpireUnreachable=now"_s, u"gc"_s, u"-q"_s,
               u"--prune=now"_s});
        for (const QByteArray &commit : std::as_const(made))
            QCOMPARE(f.tryGit({u"cat-file"_s, u"-e"_s, QString::fromUtf8(commit)}), 0);
        QCOMPARE(f.git({u"fsck"_s, u"--strict"_s, u"--no-dangling"_s}), QByteArray());
    }
};

TM_TEST(TestUndoSteps, QCoreApplication)
#include "tst_undosteps.moc"
