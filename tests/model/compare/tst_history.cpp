// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/History.h"
#include "tests/support/BranchContents.h"
#include "tests/support/GitFixture.h"
#include "tests/support/ImportingFixture.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString name = u"pytorch-python313-cpu-avx2"_s;
const QString path = u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s;

/// "subject", newest first; with "<- path" where it was renamed, "(removed)" where it was.
QString asText(const Result<CellHistory> &history)
{
    if (!history)
        return history.error().sentence();
    QStringList words;
    for (const HistoryStep &step : history->steps) {
        QString word = step.revision.subject;
        if (!step.revision.before.isEmpty())
            word += u" <- "_s + step.revision.before.section(u'/', 2);
        if (!step.revision.text)
            word += u" (removed)"_s;
        words.append(word);
    }
    return words.join(u"; "_s);
}

struct Fixture : test::GitFixture {
    [[nodiscard]] Result<CellHistory> history(const QString &branch = {}, int limit = 50) const
    {
        return historyOf(*builtInCatalog(), path(), branch, name, limit);
    }
    using GitFixture::path;
};

} // namespace

class HistoryTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    // A change of lib/ is one of each recipe that imports it, with what it did to this one.
    void imported()
    {
        const ImportingFixture fixture;
        const QString wrapper = u"torchvision-python313-cuda12_8-sm90-avx512"_s;
        fixture.replace(u"lib/tables/gpu.nix"_s, "\"9.0\"", "\"9.0a\"");
        fixture.commit();
        const auto history = historyOf(*builtInCatalog(), fixture.path(), {}, wrapper, 50);
        QVERIFY_OK(history);
        QCOMPARE(history->steps.size(), 2);
        const HistoryStep &step = history->steps.constFirst();
        QCOMPARE(step.imported, pkgsFolder + u"lib/tables/gpu.nix"_s);
        QCOMPARE(step.reach, 4); // all wrappers of the builder that imports it
        QVERIFY(step.before->contains("\"9.0\"") && step.revision.text->contains("\"9.0a\""));
        QVERIFY(std::ranges::any_of(step.changes, [](const FactChange &change) {
            return change.before.contains(u"9.0"_s) && change.after.contains(u"9.0a"_s);
        }));
        QVERIFY(history->steps.constLast().imported.isEmpty());
        // A recipe that does not import it has no such step.
        fixture.commitFile(pkgsFolder + name + u".nix"_s, "{ pkgs }: pkgs.python313Packages.torch\n");
        const auto other = historyOf(*builtInCatalog(), fixture.path(), {}, name, 50);
        QVERIFY_OK(other);
        QCOMPARE(other->steps.size(), 1);
    }

    // What cannot be read is not "not there": each folder and each text of the history in turn.
    void unreadable_data()
    {
        QTest::addColumn<QString>("object");
        for (const char *object : {"HEAD^{tree}", "HEAD~1^{tree}", "HEAD~1:.flox", "HEAD~1:.flox/pkgs",
                                   "HEAD~2:.flox/pkgs", "HEAD~2:.flox/pkgs/pytorch-python313-cpu-avx2.nix"})
            QTest::newRow(object) << QString::fromLatin1(object);
    }
    void unreadable()
    {
        QFETCH(const QString, object);
        Fixture fixture;
        fixture.commitFile(path, "{ }: { a = 1; }\n", u"Add"_s);
        fixture.commitFile(u"notes"_s, "x\n", u"Notes"_s);
        fixture.commitFile(path, "{ }: { a = 2; }\n", u"Change"_s);
        QCOMPARE(asText(fixture.history()), u"Change; Add"_s);
        const QString id = QString::fromLatin1(fixture.git({u"rev-parse"_s, object}).trimmed());
        const QString file = u".git/objects/"_s + id.left(2) + u'/' + id.sliced(2);
        QVERIFY(QFile::setPermissions(fixture.path(file), QFile::ReadOwner | QFile::WriteOwner));
        fixture.write(file, "broken");
        const auto history = fixture.history();
        QVERIFY2(!history, qPrintable(asText(history)));
        QVERIFY2(history.error().sentence().contains(id.sliced(2)) &&
                     !history.error().sentence().contains("no error"_L1),
                 qPrintable(history.error().sentence()));
    }

    void onlyCommitsThatTouchedIt()
    {
        Fixture fixture;
        fixture.commitFile(path, "{ }: { a = 1; }\n", u"Add"_s);
        fixture.commitFile(u"notes"_s, "x\n", u"Notes"_s);
        fixture.commitFile(path, "{ }: { a = 2; }\n", u"Change"_s);
        fixture.commitFile(u"notes"_s, "y\n", u"More notes"_s);
        const auto history = fixture.history();
        QCOMPARE(asText(history), u"Change; Add"_s);
        QCOMPARE(history->steps.first().revision.text, "{ }: { a = 2; }\n");
        QCOMPARE(history->steps.first().before, "{ }: { a = 1; }\n");
        QCOMPARE(history->steps.first().revision.author, u"Ada Tester"_s);
        QVERIFY(!history->steps.last().before);
        QVERIFY(!history->more);
        QCOMPARE(asText(fixture.history({}, 1)), u"Change"_s);
        QVERIFY(fixture.history({}, 1)->more);
        QCOMPARE(fixture.history({}, 1)->steps.first().before, "{ }: { a = 1; }\n");
    }

    void namesInAnOldFormAreFollowed()
    {
        Fixture fixture;
        fixture.commitFile(u".flox/pkgs/pytorch-py313-cpu-avx2.nix"_s, "{ }: { old = 1; }\n", u"Add"_s);
        fixture.git({u"mv"_s, u".flox/pkgs/pytorch-py313-cpu-avx2.nix"_s, path});
        fixture.write(path, "{ }: { other = 2; }\n");
        fixture.git({u"add"_s, u"-A"_s});
        fixture.git({u"commit"_s, u"-qm"_s, u"Rename and rewrite"_s});
        QCOMPARE(asText(fixture.history()), u"Rename and rewrite <- pytorch-py313-cpu-avx2.nix; Add"_s);
    }

    void aNameThatItHasNowIsFollowed()
    {
        Fixture fixture;
        fixture.commitFile(path, "{ }: { a = 1; }\n", u"Add"_s);
        fixture.git({u"mv"_s, path, u".flox/pkgs/pytorch-python313-cpu-avx2-mine.nix"_s});
        fixture.git({u"commit"_s, u"-qm"_s, u"Away"_s});
        fixture.git({u"mv"_s, u".flox/pkgs/pytorch-python313-cpu-avx2-mine.nix"_s, u".flox/pkgs/mine.nix"_s});
        fixture.git({u"commit"_s, u"-qm"_s, u"Further"_s});
        fixture.commitFile(u".flox/pkgs/mine.nix"_s, "{ }: { a = 2; }\n", u"Change"_s);
        const auto history = fixture.history();
        QCOMPARE(
            asText(history),
            u"Change; Further <- pytorch-python313-cpu-avx2-mine.nix; Away <- pytorch-python313-cpu-avx2.nix; Add"_s);
        QCOMPARE(history->file, u".flox/pkgs/mine.nix"_s);
        // If a recipe exists again under its own name, the history is that recipe's, and the step says what happened to
        // the other.
        fixture.commitFile(path, "{ }: { b = 1; }\n", u"Another"_s);
        const auto again = fixture.history();
        QCOMPARE(asText(again), u"Another; Away (removed); Add"_s);
        QCOMPARE(again->file, path);
        QCOMPARE(again->steps.at(1).revision.after, u".flox/pkgs/pytorch-python313-cpu-avx2-mine.nix"_s);
    }

    void anOldFormWithoutItsToolkitIsFollowed()
    {
        Fixture fixture;
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        fixture.commitFile(recipePath(name), "{ }: { a = 1; }\n", u"Add"_s);
        fixture.git({u"mv"_s, recipePath(name), recipePath(u"pytorch-python313-sm90-avx2"_s)});
        fixture.git({u"commit"_s, u"-qm"_s, u"Shorten"_s});
        const auto history = historyOf(*builtInCatalog(), fixture.path(), {}, name, 5);
        QCOMPARE(asText(history), u"Shorten <- pytorch-python313-cuda12_8-sm90-avx2.nix; Add"_s);
    }

    void whatWentAwayWhileAnotherCameIsRemoved()
    {
        Fixture fixture;
        fixture.commitFile(path, "{ }: { a = 1; }\n", u"Add"_s);
        fixture.git({u"rm"_s, u"-q"_s, path});
        fixture.write(u".flox/pkgs/pytorch-python313-cpu-avx512.nix"_s, "{ }: { b = 1; }\n");
        fixture.git({u"add"_s, u"-A"_s});
        fixture.git({u"commit"_s, u"-qm"_s, u"One for the other"_s});
        QCOMPARE(asText(fixture.history()), u"One for the other (removed); Add"_s);
    }

    void theSameTextIsFollowed()
    {
        Fixture fixture;
        fixture.commitFile(u".flox/pkgs/mine.nix"_s, "{ }: { }\n", u"Add mine"_s);
        fixture.git({u"mv"_s, u".flox/pkgs/mine.nix"_s, path});
        fixture.git({u"commit"_s, u"-qm"_s, u"Name it"_s});
        QCOMPARE(asText(fixture.history()), u"Name it <- mine.nix; Add mine"_s);
    }

    void aCopyIsNoRename()
    {
        Fixture fixture;
        fixture.commitFile(u".flox/pkgs/mine.nix"_s, "{ }: { }\n", u"Add mine"_s);
        fixture.commitFile(path, "{ }: { }\n", u"Copy"_s);
        QCOMPARE(asText(fixture.history()), u"Copy"_s);
    }

    void anotherVariantIsNoOlderName()
    {
        Fixture fixture;
        fixture.commitFile(u".flox/pkgs/pytorch-python313-cpu-avx512.nix"_s, "{ }: { b = 1; }\n", u"Add another"_s);
        fixture.git({u"rm"_s, u"-q"_s, u".flox/pkgs/pytorch-python313-cpu-avx512.nix"_s});
        fixture.write(path, "{ }: { a = 1; }\n");
        fixture.git({u"add"_s, u"-A"_s});
        fixture.git({u"commit"_s, u"-qm"_s, u"One for the other"_s});
        QCOMPARE(asText(fixture.history()), u"One for the other"_s);
    }

    void removedAndBack()
    {
        Fixture fixture;
        fixture.commitFile(path, "{ }: { a = 1; }\n", u"Add"_s);
        fixture.git({u"rm"_s, u"-q"_s, path});
        fixture.git({u"commit"_s, u"-qm"_s, u"Remove"_s});
        QCOMPARE(asText(fixture.history()), u"Remove (removed); Add"_s);
        fixture.commitFile(u"notes"_s, "x\n", u"Notes"_s);
        fixture.commitFile(path, "{ }: { a = 1; }\n", u"Back"_s);
        QCOMPARE(asText(fixture.history()), u"Back; Remove (removed); Add"_s);
        QVERIFY(fixture.history()->steps.first().cameBack && !fixture.history()->steps.last().cameBack);
        QVERIFY(fixture.history({}, 1)->steps.first().cameBack); // the one before it is not shown
    }

    // What a shallow clone does not have is unknown: its oldest commit is not the first version.
    void aShallowCloneEndsEarly()
    {
        Fixture fixture;
        fixture.commitFile(path, "{ }: { a = 1; }\n", u"Add"_s);
        fixture.commitFile(path, "{ }: { a = 2; }\n", u"Change"_s);
        for (const int depth : {1, 2, 3}) {
            const QString clone = fixture.path() + u"/clone-%1"_s.arg(depth);
            fixture.git({u"clone"_s, u"-q"_s, u"--depth=%1"_s.arg(depth), u"file://"_s + fixture.path(), clone});
            const auto history = historyOf(*builtInCatalog(), clone, {}, name, 50);
            QVERIFY_OK(history);
            QCOMPARE(history->steps.size(), std::min(depth, 2));
            QCOMPARE(history->steps.constLast().cutOff, depth < 3); // There is a commit before "Add".
            QVERIFY(depth < 2 || !history->steps.constFirst().cutOff);
        }
    }

    void mergesFollowTheSideThatItCameFrom()
    {
        Fixture fixture;
        fixture.commitFile(path, "{ }: { a = 1; }\n", u"Add"_s);
        fixture.git({u"checkout"_s, u"-qb"_s, u"side"_s});
        fixture.commitFile(path, "{ }: { a = 2; }\n", u"On the side"_s);
        fixture.git({u"checkout"_s, u"-q"_s, u"main"_s});
        fixture.commitFile(u"notes"_s, "x\n", u"Meanwhile"_s);
        fixture.git({u"merge"_s, u"-q"_s, u"--no-ff"_s, u"-m"_s, u"Merge"_s, u"side"_s});
        QCOMPARE(asText(fixture.history()), u"On the side; Add"_s);
    }

    void whatChangedInFacts()
    {
        const BranchContent line = wholeLine(u"main"_s, false);
        const QByteArray text = *line.files.first().committed;
        QByteArray other = text;
        other.replace("fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3", "6a030d535719c5190187c4cec156f335e95e3211");
        QVERIFY(other != text);
        QVERIFY(changedFacts(text, text).isEmpty());
        const QList<FactChange> changes = changedFacts(text, other);
        QCOMPARE(changes.size(), 1);
        QCOMPARE(changes.first().id, u"pin"_s);
        QVERIFY(changes.first().before.contains(u"fe5e41d"_s) && changes.first().after.contains(u"6a030d5"_s));
        QVERIFY(changedFacts(text, text + "# a remark\n").isEmpty());
        QVERIFY(!changedFacts(std::nullopt, text).isEmpty());
    }

    void refusals()
    {
        Fixture fixture;
        QVERIFY_ERROR(fixture.history(), u"it has no commit yet");
        fixture.commitFile(u"notes"_s, "x\n");
        QVERIFY_ERROR(fixture.history(), u"ever had such a recipe");
        QVERIFY_ERROR(historyOf(*builtInCatalog(), fixture.path(), {}, u"../../etc/passwd"_s, 5),
                      u"show the history of");
        QVERIFY_ERROR(historyOf(*builtInCatalog(), fixture.path(), {}, u"-x"_s, 5), u"cannot begin with a dash");
        QVERIFY_ERROR(fixture.history(u"nothing"_s), u"has no branch or commit with that name");
        const QString commit = fixture.commitFile(path, "{ }: { }\n");
        QCOMPARE(asText(fixture.history(commit.left(8))), u"Add a file"_s);
    }
};

TM_TEST(HistoryTest, QCoreApplication)
#include "tst_history.moc"
