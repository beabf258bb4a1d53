// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/SnapshotReader.h"
#include "tests/support/BranchContents.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"
#include "tests/support/TwoBranches.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;
using tmx::test::avx2, tmx::test::avx512;

namespace {

/// Adds a third branch with other settings, and a clone's view of a remote.
struct Fixture : test::TwoBranches {
    Fixture()
    {
        git({u"checkout"_s, u"-q"_s, u"-b"_s, u"third"_s});
        commitFile(avx512, "{ }: { b = 2; }\n");
        git({u"checkout"_s, u"-q"_s, u"main"_s});
        git({u"update-ref"_s, u"refs/remotes/origin/main"_s, u"third"_s});
        git({u"symbolic-ref"_s, u"refs/remotes/origin/HEAD"_s, u"refs/remotes/origin/main"_s});
    }
    /// Further branches with the commit of the third: "copies/000", ...
    void addCopies(int count) const
    {
        const QByteArray tip = git({u"rev-parse"_s, u"third"_s});
        QByteArray packed = "# pack-refs with: peeled fully-peeled sorted \n";
        for (int i = 0; i < count; ++i)
            packed += tip + " refs/heads/copies/" + QByteArray::number(i).rightJustified(3, '0') + '\n';
        write(u".git/packed-refs"_s, packed);
    }
    [[nodiscard]] BranchesReading readAll(const WorkHooks &hooks = {}) const { return readAll(reader, hooks); }
    [[nodiscard]] BranchesReading readAll(const SnapshotReader &with, const WorkHooks &hooks = {}) const
    {
        const auto sources = branchesOf(path(), WorkTreeAs::OwnSide, true);
        return sources ? with.readAll(*sources, hooks) : BranchesReading{{}, {}, {{path(), sources.error()}}, {}};
    }
    [[nodiscard]] Result<ReadBranch> readSide(const QString &words, const QString &base) const
    {
        const auto source = sideNamed(path(), words, base);
        return source ? reader.read(*source) : source.error();
    }

    SnapshotReader reader{builtInCatalog()};
};

/// "main: cpu-avx2; ...": what each branch holds.
QString asText(const BranchesReading &reading)
{
    QStringList lines;
    for (const ReadBranch &branch : reading.branches) {
        QStringList names;
        for (const VariantEntry &entry : branch.snapshot->entries) {
            if (entry.present)
                names.append(entry.variant.row + u'-' + entry.variant.isa);
        }
        lines.append(branch.source.label + u": "_s + names.join(u' '));
    }
    return lines.join(u"; "_s);
}

} // namespace

class SnapshotReaderTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void localRemoteAndWorkTree()
    {
        Fixture fixture;
        fixture.write(avx512, "{ }: { c = 3; }\n");
        const QByteArray before = fixture.status();
        const auto reading = fixture.readAll();
        QCOMPARE(asText(reading),
                 u"main: cpu-avx2; second: cpu-avx2; third: cpu-avx2 cpu-avx512; origin/main: cpu-avx2 cpu-avx512; "
                 "working tree: cpu-avx2 cpu-avx512"_s);
        QCOMPARE(reading.find(u"third"_s)->source.commit.toLatin1(), fixture.git({u"rev-parse"_s, u"third"_s}));
        QCOMPARE(reading.find(u"origin/main"_s)->source.branch, u"main"_s);
        // main's line, whatever its remote's name.
        QCOMPARE(reading.find(u"origin/main"_s)->snapshot->settings.branch, u"main"_s);
        QCOMPARE(toString(reading.find(u"third"_s)->snapshot->settings.source), toString(Settings::Source::Inferred));
        // Nothing was checked out for it.
        QCOMPARE(fixture.status(), before);
        QCOMPARE(fixture.git({u"symbolic-ref"_s, u"HEAD"_s}), "refs/heads/main");
    }

    void theSameBlobIsReadOnce()
    {
        Fixture fixture;
        const auto reading = fixture.readAll();
        const auto textOn = [&reading](const QString &branch) {
            return reading.find(branch)->snapshot->find(u"pytorch-python313-cpu-avx2"_s)->text;
        };
        for (const QString &branch : {u"second"_s, u"third"_s, u"origin/main"_s}) {
            QCOMPARE(textOn(branch), "{ }: { a = 1; }\n");
            // Only branches that are read at the same time may each read it.
            QVERIFY(branch != u"origin/main"_s || textOn(branch).isSharedWith(textOn(u"third"_s)));
        }
    }

    void onlyWhatMovedIsReadAgain()
    {
        Fixture fixture;
        const auto first = fixture.readAll();
        fixture.git({u"checkout"_s, u"-q"_s, u"second"_s});
        fixture.commitFile(avx2, "{ }: { a = 2; }\n");
        // Another commit with the same recipes.
        fixture.git({u"checkout"_s, u"-q"_s, u"third"_s});
        fixture.commitFile(u"notes"_s, "nothing\n");
        const auto second = fixture.readAll();
        QCOMPARE(second.find(u"main"_s)->snapshot, first.find(u"main"_s)->snapshot);
        QVERIFY(second.find(u"second"_s)->snapshot != first.find(u"second"_s)->snapshot);
        QCOMPARE(second.find(u"second"_s)->snapshot->entries[u"pytorch-python313-cpu-avx2"_s].text,
                 "{ }: { a = 2; }\n");
        const auto &moved = second.find(u"third"_s)->snapshot;
        QCOMPARE(moved->commit.toLatin1(), fixture.git({u"rev-parse"_s, u"third"_s}));
        QCOMPARE(moved->entries, first.find(u"third"_s)->snapshot->entries);
    }

    /// Random histories: recipes are added, deleted, restored, and renamed to an old form.
    void theHistoryTellsWhatWasDeleted()
    {
        QRandomGenerator random(7);
        const QStringList isas{u"avx2"_s, u"avx512"_s, u"avx512bf16"_s, u"avx512vnni"_s, u"armv8_2"_s, u"armv9"_s};
        const QString folder = u".flox/pkgs/"_s;
        for (int round = 0; round < 4; ++round) {
            test::GitFixture fixture(u"theirs"_s);
            fixture.commitFile(folder + u"pytorch-python313-cpu-avx.nix"_s, "{ }: { }\n");
            QMap<QString, QString> files;   // by ISA: that are there
            QMap<QString, QString> deleted; // by ISA: the commit
            for (int step = 0; step < 30; ++step) {
                const QString isa = isas.at(random.bounded(isas.size()));
                const QString path = folder + u"pytorch-python313-cpu-%1.nix"_s.arg(isa);
                const QString old = folder + u"pytorch-py313-cpu-%1.nix"_s.arg(isa);
                if (!files.contains(isa)) {
                    fixture.commitFile(path, "{ }: { a = " + QByteArray::number(step) + "; }\n");
                    files.insert(isa, path);
                    deleted.remove(isa);
                    continue;
                }
                const QString file = files.take(isa);
                if (random.bounded(3) == 0) {
                    const QString other = file == path ? old : path;
                    fixture.git({u"mv"_s, file, other});
                    fixture.write(other, "{ }: { b = " + QByteArray::number(step) + "; }\n");
                    fixture.git({u"commit"_s, u"-qam"_s, u"Rename"_s});
                    files.insert(isa, other);
                } else {
                    fixture.git({u"rm"_s, u"-q"_s, file});
                    fixture.git({u"commit"_s, u"-qm"_s, u"Drop <b>%1</b> \"%2\""_s.arg(isa).arg(step)});
                    deleted.insert(isa, fixture.head());
                }
            }
            const SnapshotReader reader(builtInCatalog());
            const auto read = reader.read(fixture.path());
            QVERIFY_OK(read);
            QStringList expected, holes;
            for (const QString &isa : deleted.keys())
                expected.append(u"pytorch-python313-cpu-"_s + isa);
            for (const VariantEntry &entry : read->snapshot->entries) {
                if (!entry.hole)
                    continue;
                holes.append(entry.variant.name());
                const QString commit = deleted.value(entry.variant.isa);
                QVERIFY2(entry.reason.contains(commit.left(10)) && entry.reason.contains("Drop <b>"_L1),
                         qPrintable(entry.reason));
            }
            expected.sort();
            QCOMPARE(holes, expected);
            // It can be stopped, and a partial result is not cached.
            const SnapshotReader another(builtInCatalog());
            const auto stopped = another.deletions(fixture.path(), fixture.head(), {{}, [] { return true; }});
            QVERIFY_OK(stopped);
            QCOMPARE(*stopped, QList<DeletedFile>());
            const auto all = reader.deletions(fixture.path(), fixture.head());
            QVERIFY_OK(all);
            QVERIFY(all->size() >= expected.size());
        }
    }

    // A shallow clone has the commit, and not what was deleted before: what is kept of one clone is not said of the
    // other.
    void whatAShallowCloneKnows()
    {
        const test::GitFixture fixture(u"theirs"_s);
        fixture.commitFile(avx2, "{ }: { a = 1; }\n");
        fixture.commitFile(avx512, "{ }: { a = 2; }\n");
        fixture.git({u"rm"_s, u"-q"_s, avx512});
        fixture.git({u"commit"_s, u"-qm"_s, u"Drop"_s});
        const QString clone = fixture.path() + u"/clone"_s;
        fixture.git({u"clone"_s, u"-q"_s, u"--depth=1"_s, u"file://"_s + fixture.path(), clone});
        const SnapshotReader reader(builtInCatalog());
        // Deletions are in the settings that are inferred, and in the texts of absent recipes.
        const auto holes = [&reader](const QString &repository) {
            const auto read = reader.read(repository);
            return read && checkWhole(*read->content, u"read"_s)
                       ? int(std::ranges::count_if(read->snapshot->entries, &VariantEntry::hole))
                       : -1;
        };
        QCOMPARE(holes(fixture.path()), 1);
        QCOMPARE(holes(clone), 0);
        fixture.git({u"-C"_s, clone, u"fetch"_s, u"-q"_s, u"--unshallow"_s});
        QCOMPARE(holes(clone), 1);
    }

    // While a library is not valid Nix, nobody knows what the other recipes build: an old text does not come back.
    void aBrokenLibraryBringsNothingBack()
    {
        const test::GitFixture fixture(u"theirs"_s);
        const QString lib = u".flox/pkgs/lib/make.nix"_s;
        const QByteArray wrapper = "{ pkgs }: import ./lib/make.nix { inherit pkgs; }\n";
        fixture.commitFile(lib, "{ pkgs }: pkgs.python313Packages.torch\n");
        fixture.commitFile(avx2, wrapper);
        fixture.commitFile(avx512, "{ pkgs }: pkgs.python313Packages.torch\n");
        fixture.git({u"rm"_s, u"-q"_s, avx512});
        fixture.git({u"commit"_s, u"-qm"_s, u"Drop"_s});
        const auto restored = [&fixture] {
            const auto read = SnapshotReader(builtInCatalog()).read(fixture.path());
            return read && std::ranges::any_of(read->snapshot->entries,
                                               [](const VariantEntry &entry) { return !entry.restoredFrom.isEmpty(); });
        };
        QVERIFY(restored());
        fixture.commitFile(lib, "{ pkgs }: pkgs.python313Packages.torch {\n");
        QVERIFY(!restored());
    }

    void whatWentAwayIsForgotten()
    {
        Fixture fixture;
        QCOMPARE(fixture.readAll().branches.size(), 5);
        fixture.git({u"branch"_s, u"-qD"_s, u"third"_s});
        fixture.git({u"update-ref"_s, u"-d"_s, u"refs/remotes/origin/HEAD"_s});
        fixture.git({u"update-ref"_s, u"-d"_s, u"refs/remotes/origin/main"_s});
        for (int round = 0; round < 3; ++round)
            QCOMPARE(asText(fixture.readAll()), u"main: cpu-avx2; second: cpu-avx2; working tree: cpu-avx2"_s);
    }

    void packedRefsAndObjects()
    {
        Fixture fixture;
        const QString before = asText(fixture.readAll());
        fixture.git({u"gc"_s, u"-q"_s});
        fixture.git({u"pack-refs"_s, u"--all"_s});
        QCOMPARE(asText(fixture.readAll(SnapshotReader(builtInCatalog()))), before);
    }

    void oneBadBranchIsOneError()
    {
        Fixture fixture;
        // A branch with a missing tree: damaged or incomplete.
        const QByteArray commit = fixture.git(
            {u"hash-object"_s, u"-t"_s, u"commit"_s, u"-w"_s, u"--literally"_s, u"--stdin"_s},
            "tree 1234567890123456789012345678901234567890\nauthor A <a@b> 0 +0000\ncommitter A <a@b> 0 +0000\n\nx\n");
        fixture.write(u".git/refs/heads/bad"_s, commit + '\n');
        const auto reading = fixture.readAll();
        QCOMPARE(reading.unread.size(), 1);
        QCOMPARE(reading.unread.constFirst().branch, u"bad"_s);
        QCOMPARE(reading.branches.size(), 5);
        QVERIFY(!reading.find(u"bad"_s));
    }

    void progressAndStop()
    {
        Fixture fixture;
        std::atomic_int calls = 0;
        std::atomic_int highest = 0;
        WorkHooks hooks;
        hooks.progress = [&](int done, int total) {
            ++calls;
            highest = std::max(highest.load(), done);
            Q_ASSERT(total == 5);
        };
        QVERIFY(!fixture.readAll(hooks).stopped);
        QCOMPARE(calls, 5);
        QCOMPARE(highest, 5);

        hooks.progress = {};
        hooks.stop = [] { return true; };
        const auto stopped = fixture.readAll(SnapshotReader(builtInCatalog()), hooks);
        QVERIFY(stopped.stopped);
        QVERIFY(stopped.branches.isEmpty());
        QVERIFY(stopped.unread.isEmpty());
    }

    /// Stops a read at each point where it checks for it.
    void stopsAtAnyPoint()
    {
        Fixture fixture;
        fixture.write(avx512, "{ }: { c = 3; }\n");
        const auto sources = branchesOf(fixture.path(), WorkTreeAs::OwnSide, true);
        QVERIFY_OK(sources);
        for (const BranchSource &source : sources->sources) {
            int stops = 0;
            for (int last = 0;; ++last) {
                std::atomic_int asked = 0;
                const auto read = SnapshotReader(builtInCatalog()).read(source, {{}, [&] { return asked++ >= last; }});
                if (read)
                    break;
                QCOMPARE(read.error(), stoppedError());
                ++stops;
            }
            QVERIFY2(stops >= 5, qPrintable(u"%1: %2"_s.arg(source.label).arg(stops)));
        }
    }

    void anInterruptedReadingLeavesNothingWrongBehind()
    {
        Fixture fixture;
        const QString whole = asText(fixture.readAll());
        const SnapshotReader reader(builtInCatalog());
        for (int last = 0; last < 40; ++last) {
            std::atomic_int asked = 0;
            const auto partly = fixture.readAll(reader, {{}, [&] { return asked++ >= last; }});
            QVERIFY(partly.unread.isEmpty());
            for (const ReadBranch &branch : partly.branches)
                QVERIFY(branch.snapshot->entries.size() > 0);
        }
        QCOMPARE(asText(fixture.readAll(reader)), whole);
    }

    /// However many there are, those of a core are in memory, and none is kept.
    void branchesAreLetGoOneByOne()
    {
        Fixture fixture;
        const auto cores = qsizetype(std::max(1U, std::thread::hardware_concurrency()));
        fixture.addCopies(int(4 * cores));
        const auto sources = branchesOf(fixture.path(), WorkTreeAs::Branch, false);
        QVERIFY_OK(sources);
        const BranchesReading all = SnapshotReader(builtInCatalog()).readAll(*sources);
        for (const Templates templates : {Templates::Rendered, Templates::LeftOut}) {
            std::mutex mutex;
            QMap<qsizetype, QString> taken;
            QList<std::weak_ptr<const void>> read;
            qsizetype most = 0;
            const auto living = [&read] {
                return std::ranges::count_if(read, [](const auto &one) { return !one.expired(); });
            };
            const auto take = [&](qsizetype i, const ReadBranch &branch) {
                const std::lock_guard lock(mutex);
                read += {std::weak_ptr<const void>(branch.snapshot), std::weak_ptr<const void>(branch.content)};
                taken.insert(i, branch.source.label);
                most = std::max(most, qsizetype(living()));
            };
            const BranchesReading reading = fixture.reader.readEach(*sources, take, {}, templates);
            QVERIFY(reading.branches.isEmpty() && reading.unread.isEmpty() && !reading.stopped);
            QCOMPARE(taken.size(), all.branches.size());
            for (qsizetype i = 0; i < all.branches.size(); ++i)
                QCOMPARE(taken.value(i), all.branches.at(i).source.label);
            QVERIFY2(most <= 2 * cores, QByteArray::number(most));
            QCOMPARE(living(), 0);
        }
    }

    void manyBranchesAreReadAndCanBeStopped()
    {
        Fixture fixture;
        fixture.addCopies(300);
        std::atomic_int done = 0;
        const auto some = fixture.readAll({[&done](int, int) { ++done; }, [&done] { return done >= 20; }});
        QVERIFY(some.stopped);
        QVERIFY(some.branches.size() >= 20 && some.branches.size() < 100);
        const auto all = fixture.readAll();
        QVERIFY(!all.stopped);
        QCOMPARE(all.branches.size(), 305);
        QCOMPARE(all.find(u"copies/299"_s)->snapshot->find(u"pytorch-python313-cpu-avx512"_s)->text,
                 "{ }: { b = 2; }\n");
    }

    void theSameRecipesInAnotherRepository()
    {
        Fixture fixture;
        test::GitFixture other;
        other.commitFile(avx2, "{ }: { a = 1; }\n");
        QCOMPARE(fixture.reader.read(fixture.path(), u"second"_s)->snapshot->repository, fixture.path());
        other.git({u"branch"_s, u"second"_s});
        QCOMPARE(fixture.reader.read(other.path(), u"second"_s)->snapshot->repository, other.path());
    }

    void oneBranchByItsName()
    {
        Fixture fixture;
        fixture.write(avx512, "{ }: { c = 3; }\n");
        const auto own = fixture.reader.read(fixture.path());
        QVERIFY_OK(own);
        QVERIFY(own->snapshot->checkedOut);
        QCOMPARE(own->source.label, u"main"_s);
        QCOMPARE(own->content->files.size(), 2);
        QCOMPARE(fixture.reader.read(fixture.path(), u"main"_s)->snapshot, own->snapshot);
        const auto third = fixture.reader.read(fixture.path(), u"third"_s);
        QVERIFY(!third->snapshot->checkedOut);
        QCOMPARE(third->content->commit, third->source.commit);
        QVERIFY_ERROR(fixture.reader.read(fixture.path(), u"nothing"_s), u"has no such branch");
        fixture.git({u"checkout"_s, u"-q"_s, u"--detach"_s});
        QCOMPARE(fixture.reader.read(fixture.path())->source.label, QString());
        fixture.git({u"checkout"_s, u"-q"_s, u"--orphan"_s, u"fresh"_s});
        const auto sources = branchesOf(fixture.path(), WorkTreeAs::Branch, false);
        QVERIFY_OK(sources);
        QCOMPARE(sources->sources.constFirst().label, u"fresh"_s);
        QVERIFY(
            fixture.reader.read(fixture.path(), u"fresh"_s)->snapshot->find(u"pytorch-python313-cpu-avx2"_s)->present);
    }

    void sides_data()
    {
        QTest::addColumn<QString>("revision");
        QTest::addColumn<QString>("outcome");
        QTest::newRow("branch") << u"second"_s << u"cpu-avx2"_s;
        QTest::newRow("remote") << u"origin/main"_s << u"cpu-avx2 cpu-avx512"_s;
        QTest::newRow("parent") << u"third~1"_s << u"cpu-avx2"_s;
        QTest::newRow("tag") << u"v1"_s << u"cpu-avx2 cpu-avx512"_s;
        QTest::newRow("working tree") << workTreeLabel() << u"cpu-avx2"_s;
        QTest::newRow("unknown") << u"nothing"_s << u"has no branch or commit with that name"_s;
        QTest::newRow("option") << u"--all"_s << u"no commit has that name"_s;
        QTest::newRow("empty") << QString() << u"no commit has that name"_s;
        QTest::newRow("a tree") << u"main^{tree}"_s << u"has no branch or commit with that name"_s;
    }
    void sides()
    {
        QFETCH(QString, revision);
        QFETCH(QString, outcome);
        Fixture fixture;
        fixture.git({u"tag"_s, u"-a"_s, u"-m"_s, u"one"_s, u"v1"_s, u"third"_s});
        const auto side = fixture.readSide(revision, u"/"_s);
        if (!side) {
            QVERIFY2(side.error().sentence().contains(outcome), qPrintable(side.error().sentence()));
            return;
        }
        QStringList names;
        for (const VariantEntry &entry : side->snapshot->entries) {
            if (entry.present)
                names.append(entry.variant.row + u'-' + entry.variant.isa);
        }
        QCOMPARE(names.join(u' '), outcome);
        QCOMPARE(side->source.label, revision);
    }

    void anotherRepository()
    {
        Fixture fixture;
        test::GitFixture other;
        other.commitFile(avx512, "{ }: { }\n");
        const auto read = [&](const QString &words) { return fixture.readSide(words, u"/"_s); };
        const auto side = read(other.path() + u"@main"_s);
        QVERIFY_OK(side);
        QCOMPARE(side->source.label, other.path() + u"@main"_s);
        QCOMPARE(side->snapshot->repository, other.path());
        QVERIFY_OK(read(other.path().sliced(1) + u"@."_s)); // relative to /
        QVERIFY_OK(read(u"."_s));
        QCOMPARE(read(u"main"_s)->snapshot->repository, fixture.path());
        fixture.git({u"branch"_s, u"a@b"_s});
        QCOMPARE(read(u"a@b"_s)->source.label, u"a@b"_s);
        QVERIFY_ERROR(read(other.path() + u"@nothing"_s), u"has no branch or commit with that name");
        QVERIFY_ERROR(read(u"/nowhere@main"_s), u"has no branch or commit with that name");
    }

    void noRepository()
    {
        QVERIFY_ERROR(branchesOf(u"/nowhere"_s, WorkTreeAs::Branch, false), u"no such folder");
        const SnapshotReader reader(builtInCatalog());
        QVERIFY_ERROR(reader.read(u"/nowhere"_s), u"no such folder");
    }
};

TM_TEST(SnapshotReaderTest, QCoreApplication)
#include "tst_snapshotreader.moc"
