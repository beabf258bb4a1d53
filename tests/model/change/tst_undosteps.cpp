// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/UndoSteps.h"
#include "tests/support/Requests.h"
#include "tests/support/Results.h"

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

/// Commits a recipe with another line; gives the subject.
QString change(const SampleFixture &f, const QString &subject)
{
    f.write(u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx2.nix"_s,
            f.read(u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx2.nix"_s) + "# " + subject.toUtf8() + '\n');
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
        QCOMPARE(words(stepsOf(f).undo), u"one|two"_s);
        const QByteArray two = f.git({u"rev-parse"_s, u"HEAD^{tree}"_s});
        takeBack(f, stepsOf(f).undo.constLast());
        QCOMPARE(words(stepsOf(f).undo), u"one"_s);
        QCOMPARE(words(stepsOf(f).redo), u"two"_s);
        takeBack(f, stepsOf(f).redo.constLast());
        QCOMPARE(words(stepsOf(f).undo), u"one|two"_s);
        QVERIFY(stepsOf(f).redo.isEmpty());
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD^{tree}"_s}), two);
        QCOMPARE(f.git({u"rev-list"_s, u"--count"_s, u"HEAD~4..HEAD"_s}), "4"_ba);
        // A commit by a person is none of these steps.
        f.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"By hand"_s});
        QCOMPARE(words(stepsOf(f).undo), u"one|two"_s);
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
        takeBack(f, stepsOf(f).undo.constLast());
        f.git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~1"_s}); // the undo is gone
        QCOMPARE(words(stepsOf(f).undo), u"one|two"_s);
        QVERIFY(stepsOf(f).redo.isEmpty());
        f.git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~1"_s});
        QCOMPARE(words(stepsOf(f).undo), u"one"_s);
    }

    /// What no commit holds comes back too, also after a restart: nothing but the repository is asked.
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
        QVERIFY(stepsOf(f).redo.isEmpty());

        // Where a newer text is in its place there is nothing to take back.
        const auto again = ask(f, DiscardRequest{{name}});
        QVERIFY(again && apply(f, again));
        QCOMPARE(stepsOf(f).undo.size(), 2);
        f.write(file, committed + "# newer\n");
        QCOMPARE(words(stepsOf(f).undo), u"one"_s);
        f.write(file, committed);
        QCOMPARE(stepsOf(f).undo.size(), 2);
        // Neither after the branch went on.
        f.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"By hand"_s});
        QCOMPARE(words(stepsOf(f).undo), u"one"_s);
    }

    /// Held against two lists, as an editor has them.
    void asTwoListsWouldHaveIt()
    {
        const SampleFixture f;
        QRandomGenerator random(7);
        QStringList undo;
        QStringList redo;
        for (int i = 0; i < 24; ++i) {
            const UndoSteps steps = stepsOf(f);
            QCOMPARE(words(steps.undo), undo.join(u'|'));
            QCOMPARE(words(steps.redo), redo.join(u'|'));
            const int choice = random.bounded(3);
            if (choice == 1 && !undo.isEmpty()) {
                takeBack(f, steps.undo.constLast());
                redo.append(undo.takeLast());
            } else if (choice == 2 && !redo.isEmpty()) {
                takeBack(f, steps.redo.constLast());
                undo.append(redo.takeLast());
            } else {
                undo.append(change(f, u"change %1"_s.arg(i)));
                redo.clear();
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestUndoSteps)
#include "tst_undosteps.moc"
