// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/Repository.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/DiskCache.h"
#include "model/snapshot/FetchedTorch.h"
#include "model/snapshot/WorkTreeId.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/ImportingFixture.h"
#include "tests/support/Results.h"
#include "tests/support/Rounds.h"
#include "tests/support/TestMain.h"

#include <QFileInfo>
#include <QRandomGenerator>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

/// Everything that a snapshot is made from, as text.
QByteArray shown(const BranchContent &content)
{
    QByteArray text = content.settingsFile.value_or("no settings");
    for (const QList<VersionedFile> *files : {&content.files, &content.imported}) {
        for (const VersionedFile &file : *files)
            text += '\n' + file.path.toUtf8() + ' ' + file.blob.toLatin1() + ' ' +
                    QByteArray::number(int(file.status)) + ' ' + QByteArray::number(int(file.trouble)) + ' ' +
                    QByteArray::number(int(file.conflict)) + ' ' + file.onDisk.value_or("no text");
    }
    return text;
}

constexpr timespec aged{1'500'000'000, 0};

/// Gives all recipes an old time and writes the index again, as if they had been there for long.
void age(const ImportingFixture &fixture)
{
    const timespec old[2] = {aged, aged};
    QDirIterator files(fixture.path(u".flox/pkgs"_s), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        ::utimensat(AT_FDCWD, QFile::encodeName(files.next()).constData(), old, AT_SYMLINK_NOFOLLOW);
    fixture.git({u"update-index"_s, u"-q"_s, u"--refresh"_s});
    // The clock of files is coarse: until it goes on, the index is as old as what it describes.
    const auto changed = [](const QString &path) {
        struct stat info{};
        ::stat(QFile::encodeName(path).constData(), &info);
        return std::pair(info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    };
    const auto before = changed(fixture.path(u".git/index"_s));
    while (changed(fixture.path(u".git/index"_s)) == before)
        fixture.git({u"update-index"_s, u"--force-write-index"_s});
}

struct Kept {
    const ImportingFixture &fixture;
    DiskCache cache{fixture.path(u".git/kept"_s)};
    QHash<QByteArray, QByteArray> seen = {}; ///< what was read, by its id

    /// That the id is that of what is there now, and of nothing else that was there.
    bool isRight()
    {
        const Result<Repository> repository = Repository::open(fixture.path());
        const Result<BranchContent> content =
            repository ? readBranch(*repository, {}) : Result<BranchContent>(repository.error());
        const Result<QByteArray> id =
            repository ? workTreeId(*repository, &cache) : Result<QByteArray>(repository.error());
        if (!content || !id)
            return !content && !id;
        const QByteArray text = shown(*content);
        return *id == workTreeId(*content) && seen.value(*id, text) == text && (seen.insert(*id, text), true);
    }
};

/// Changes the working tree or the index in one of the ways that people and git do.
void change(const ImportingFixture &fixture, QRandomGenerator &random)
{
    const QStringList paths =
        QString::fromUtf8(fixture.git({u"ls-files"_s}) + "\n.flox/pkgs/new.nix").split(u'\n', Qt::SkipEmptyParts);
    const QString path = paths.at(random.bounded(int(paths.size())));
    const QString file = fixture.path(path);
    const QByteArray text = QFileInfo(file).isFile() ? fixture.read(path) : QByteArray("{ hello }: hello\n");
    struct stat before{};
    ::stat(QFile::encodeName(file).constData(), &before);
    switch (random.bounded(14)) {
    case 0: return fixture.write(path, text + "# more\n");
    case 1: return fixture.write(path, QByteArray(text).replace("python", "Python")); // the same size
    case 2: {                                                                         // with its old time
        fixture.write(path, QByteArray(text).replace("python", "pYthon"));
        const timespec old[2] = {before.st_atim, before.st_mtim};
        ::utimensat(AT_FDCWD, QFile::encodeName(file).constData(), old, 0);
        return;
    }
    case 3: return void(QFile::remove(file));
    case 4: return fixture.write(path, text); // touched only
    case 5: return void(QFile::setPermissions(file, QFile::permissions(file) ^ QFile::ExeOwner));
    case 6: return fixture.write(u".flox/pkgs/lib/extra%1.nix"_s.arg(random.bounded(3)), "{ }\n");
    case 7: return void(fixture.tryGit({u"add"_s, u"--"_s, path}));
    case 8: return void(fixture.tryGit({u"checkout"_s, u"--quiet"_s, u"--"_s, u"."_s}));
    case 9: return void(fixture.tryGit({u"commit"_s, u"--quiet"_s, u"--all"_s, u"-m"_s, u"Change"_s}));
    case 10: return void(QFile::remove(file) && QFile::link(u"elsewhere.nix"_s, file));
    case 11: return fixture.write(u"torch-matrix.toml"_s, "# " + QByteArray::number(random.bounded(3)) + '\n');
    case 12: return fixture.write(path, QByteArray(text).replace("\n", "\r\n"));
    case 13: fixture.git({u"reset"_s, u"--quiet"_s, u"--hard"_s}); return age(fixture);
    default: Q_UNREACHABLE();
    }
}

} // namespace

class WorkTreeIdTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isTheSameWithAndWithoutWhatIsKnown()
    {
        const quint32 seed = test::newSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < test::rounds(8); ++round) {
            const ImportingFixture fixture;
            if (random.bounded(2) == 0)
                fixture.write(u".gitattributes"_s, "*.nix text=auto\n");
            age(fixture);
            Kept kept{fixture};
            QVERIFY(kept.isRight());
            for (int i = 0; i < 25; ++i) {
                change(fixture, random);
                QVERIFY2(kept.isRight(), qPrintable(u"seed %1, round %2, change %3"_s.arg(seed).arg(round).arg(i)));
            }
        }
    }

    void whatIsAsCommittedIsNotRead()
    {
        const ImportingFixture fixture;
        age(fixture);
        const Result<Repository> repository = Repository::open(fixture.path());
        QVERIFY_OK(repository);
        const Result<BranchContent> all = readBranch(*repository, {});
        QVERIFY_OK(all);
        QVERIFY(!all->imported.isEmpty());
        const KnownFiles known = knownFilesOf(*all, {});
        const QString changed = all->files.constFirst().path;
        fixture.write(changed, fixture.read(changed) + "# more\n");
        const Result<BranchContent> now = readWorkTreeForId(*repository, known);
        QVERIFY_OK(now);
        QCOMPARE(now->imported.size(), all->imported.size());
        int untouched = 0;
        for (const VersionedFile &file : now->files + now->imported) {
            const bool isRead = !known.contains(file.path); // It may fetch PyTorch.
            QVERIFY2(!isRead || mayFetchTorch(*file.committed), qPrintable(file.path));
            QCOMPARE(file.committed.has_value(), isRead);
            QCOMPARE(file.onDisk.has_value(), isRead || file.path == changed);
            untouched += file.onDisk ? 0 : 1;
        }
        QVERIFY(untouched > 5);
    }

    /// Git calls such files racily clean: they may have been changed in the same tick of the clock.
    void whatIsNoOlderThanTheIndexIsRead()
    {
        const ImportingFixture fixture;
        age(fixture);
        const timespec old[2] = {aged, aged};
        QCOMPARE(::utimensat(AT_FDCWD, QFile::encodeName(fixture.path(u".git/index"_s)).constData(), old, 0), 0);
        const Result<Repository> repository = Repository::open(fixture.path());
        QVERIFY_OK(repository);
        const Result<BranchContent> all = readBranch(*repository, {});
        QVERIFY_OK(all);
        const Result<BranchContent> now = readWorkTreeForId(*repository, knownFilesOf(*all, {}));
        QVERIFY_OK(now);
        for (const VersionedFile &file : now->files + now->imported)
            QVERIFY2(file.onDisk, qPrintable(file.path));
    }

    /// The cache may hold anything: then the files are read.
    void aDamagedCacheIsNoAnswer()
    {
        const ImportingFixture fixture;
        const Result<Repository> repository = Repository::open(fixture.path());
        QVERIFY_OK(repository);
        const DiskCache cache(fixture.path(u".git/kept"_s));
        const Result<QByteArray> id = workTreeId(*repository, &cache);
        QVERIFY_OK(id);
        const QStringList kept = QDir(cache.folder()).entryList(QDir::Files);
        QCOMPARE(kept.size(), 1);
        QFile file(cache.folder() + u'/' + kept.constFirst());
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray bytes = file.readAll();
        for (qsizetype size = 0; size < bytes.size(); size += 97) {
            QVERIFY(file.resize(size));
            QCOMPARE(*workTreeId(*repository, &cache), *id);
        }
    }
};

TM_TEST(WorkTreeIdTest, QCoreApplication)
#include "tst_worktreeid.moc"
