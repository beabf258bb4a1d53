// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/CommitReader.h"
#include "model/recipe/RecipeSource.h"
#include "tests/support/Changes.h"
#include "tests/support/FileText.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/KillAt.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDirIterator>
#include <QProcess>
#include <QRegularExpression>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString recipe = u".flox/pkgs/a.nix"_s;

QByteArray textOf(const QString &path)
{
    return tmx::test::contentOf(path);
}

void putObject(const QString &path, const QByteArray &text)
{
    QFile::remove(path); // objects are read-only
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(path));
}

void copyFolder(const QString &from, const QString &to)
{
    QDir(to).removeRecursively();
    if (QProcess::execute(u"cp"_s, {u"-a"_s, from, to}) != 0)
        qFatal("cannot copy %s", qPrintable(from));
}

QStringList filesBelow(const QString &folder)
{
    QStringList files;
    QDirIterator walk(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (walk.hasNext())
        files.append(walk.next());
    files.sort();
    return files;
}

} // namespace

/// A crafted repository in which any file of .git may have any content. Reading and writing give a value or one
/// sentence; files next to it do not change.
class RepositoryFuzzTest : public QObject
{
    Q_OBJECT
    quint32 m_seed = 0;
    QTemporaryDir m_place{inMemory()};

    [[nodiscard]] QString good() const { return m_place.filePath(u"good"_s); }
    [[nodiscard]] QString bad() const { return m_place.filePath(u"bad"_s); }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void initTestCase() { m_seed = newSeed(); }

    // Loose objects, the graph of commits, refs, index, configuration, HEAD.
    void objectsAndRefs()
    {
        GitFixture f;
        const QString first = f.commitFile(u".flox/pkgs/b.nix"_s, "{ }: 1\n");
        f.commitFile(u"torch-matrix.toml"_s, "base = \"main\"\n");
        f.git({u"repack"_s, u"-a"_s, u"-d"_s, u"-q"_s});
        f.git({u"branch"_s, u"packed"_s});
        f.git({u"pack-refs"_s, u"--all"_s});
        f.git({u"multi-pack-index"_s, u"write"_s});
        f.git({u"commit-graph"_s, u"write"_s, u"--reachable"_s});
        const QString last = f.commitFile(recipe, "{ }: 2\n");
        f.git({u"branch"_s, u"other/two"_s});
        f.git({u"tag"_s, u"-m"_s, u"A tag"_s, u"one"_s});
        f.write(recipe, "changed\n");
        copyFolder(f.path(), good());
        copyFolder(f.path(), bad());
        QStringList files = filesBelow(good() + u"/.git"_s);
        files.removeIf([](const QString &file) {
            return file.contains("/hooks/"_L1) || file.contains("/logs/"_L1) || file.contains("/.git/info/"_L1) ||
                   file.contains("/objects/pack/"_L1); // which libgit2 takes as git writes them
        });
        // git's own tables of numbers.
        const QStringList tables = files.filter(QRegularExpression(u"-graph$|/index$"_s));
        QCOMPARE(tables.size(), 2);
        const QRegularExpression looseObject(u"/objects/[0-9a-f]{2}/"_s);
        QByteArrayList corpus;
        for (const QString &file : std::as_const(files))
            corpus.append(textOf(file));

        Fuzzing fuzzing(m_seed);
        const int count = fuzzInputs(200);
        int read = 0;
        int written = 0;
        for (int i = 0; i < count; ++i) {
            QStringList touched;
            for (int changes = 1 + fuzzing.below(2); changes > 0; --changes) {
                const bool table = fuzzing.below(3) == 0;
                const QString file =
                    table ? tables.at(fuzzing.below(tables.size())) : files.at(fuzzing.below(files.size()));
                const QString relative = file.mid(good().size());
                QByteArray text = table ? fuzzing.withOtherNumbers(textOf(file))
                                        : fuzzing.input({textOf(file), corpus.at(fuzzing.below(corpus.size()))});
                if (!table && fuzzing.below(2) && relative.contains(looseObject)) {
                    // Valid for zlib, with hostile content.
                    QByteArray object = qUncompress(QByteArray("\0\1\0\0", 4) + textOf(file));
                    object = fuzzing.input({object});
                    text = qCompress(object).mid(4);
                }
                putObject(bad() + relative, text);
                touched.append(relative);
            }
            const auto where = [&] { return "input " + QByteArray::number(i) + ' ' + touched.join(u' ').toUtf8(); };
            if (const Result<Repository> repository = Repository::open(bad())) {
                const Result<RepositoryInfo> info = repository->info();
                QVERIFY2(info || !info.error().why.isEmpty(), where());
                FileSelection selection = nixFiles();
                selection.namedIn = pathsNamedIn;
                for (const QString &branch : {QString(), u"main"_s, u"packed"_s, u"other/two"_s}) {
                    const Result<BranchFiles> content = repository->readBranch(branch, selection);
                    QVERIFY2(content || !content.error().sentence().isEmpty(), where());
                    read += content.ok();
                }
                static_cast<void>(repository->operations());
                static_cast<void>(repository->savedCommits());
                static_cast<void>(repository->watchPaths());
                if (const Result<CommitReader> commits = CommitReader::open(bad()))
                    static_cast<void>(commits->contains(last, first)); // reads the graph of commits
                const Result<Applied> done = writeFile(*repository, recipe, "new\n", "changed\n"_ba);
                QVERIFY2(done || !done.error().sentence().isEmpty(), where());
                written += done.ok();
            } else {
                QVERIFY2(!repository.error().sentence().isEmpty(), where());
            }
            copyFolder(good(), bad());
        }
        qInfo("total: %d inputs (repositories), %d branches read, %d files written", count, read, written);
        QVERIFY(read > 0);
    }

    // The journal: its plan with any text and the right checksum, its drafts with any text.
    void journal()
    {
        GitFixture f;
        const QString first = f.commitFile(recipe, "old\n");
        const QString journal = f.path(u".git/torch-matrix"_s);
        const auto commit = [&] {
            return commitEdits(opened(f.path()), u"main"_s, {{recipe, "new\n"_ba, "old\n"_ba}}, u"One"_s, first) ? 0
                                                                                                                 : 1;
        };
        for (int n = 1; !QFile::exists(journal + u"/plan"_s); ++n) {
            opened(f.path()).recover();
            // All forks of a process use the same names for unfinished objects, so a left-over one blocks them.
            const QDir objects(f.path(u".git/objects"_s));
            for (const QString &name : objects.entryList({u"tmp_object_git2_*"_s}, QDir::Files))
                QFile::remove(objects.filePath(name));
            QVERIFY(killAtChange(n, commit));
        }
        copyFolder(f.path(), good());
        copyFolder(f.path(), bad());
        QVERIFY(QDir(m_place.path()).mkpath(u"victim/.flox/pkgs"_s));
        const QString victim = m_place.filePath(u"victim/.flox/pkgs/a.nix"_s);
        putObject(victim, "theirs\n");
        const QByteArray plan = textOf(good() + u"/.git/torch-matrix/plan"_s);
        const QByteArray json = plan.mid(plan.indexOf('\n') + 1);
        const QByteArrayList corpus{
            json,
            QByteArray(json).replace(recipe.toUtf8(), "../victim/.flox/pkgs/a.nix"),
            QByteArray(json).replace(recipe.toUtf8(), victim.toUtf8()),
            QByteArray(json).replace("\"workTree\":\".\"", "\"workTree\":\"../../../victim\""),
            QByteArray(json).replace("\"branch\":\"main\"", "\"branch\":\"../../../../victim/x\""),
        };
        Fuzzing fuzzing(m_seed + 1);
        const int count = fuzzInputs(200);
        for (int i = 0; i < count; ++i) {
            const QByteArray text = fuzzing.below(8) ? fuzzing.input(corpus) : corpus.at(fuzzing.below(corpus.size()));
            const auto where = [&] { return "input " + QByteArray::number(i) + '\n' + text.toHex(); };
            const QByteArray sum = QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex();
            putObject(bad() + u"/.git/torch-matrix/plan"_s,
                      fuzzing.below(10) ? sum + '\n' + text : fuzzing.input({plan}));
            for (const QString &name : {u"text-0"_s, u"index"_s, u"ref"_s, u"operation"_s, u"work-tree"_s, u"git"_s}) {
                if (fuzzing.below(6) == 0)
                    putObject(bad() + u"/.git/torch-matrix/"_s + name, fuzzing.input({plan, first.toLatin1() + '\n'}));
            }
            opened(bad()).recover();
            QVERIFY2(textOf(victim) == "theirs\n", where());
            QCOMPARE(QDir(m_place.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                     (QStringList{u"bad"_s, u"good"_s, u"victim"_s}));
            QCOMPARE(filesBelow(m_place.filePath(u"victim"_s)).size(), 1);
            const QStringList left =
                QDir(bad() + u"/.git/torch-matrix"_s).entryList(QDir::Files | QDir::Hidden | QDir::System);
            QVERIFY2(left == QStringList{u"lock"_s}, where() + left.join(u' ').toUtf8());
            const QByteArray now = textOf(bad() + u'/' + recipe);
            QVERIFY2(now == "old\n" || now == "new\n" || !QFile::exists(bad() + u'/' + recipe), where() + now);
            copyFolder(good(), bad());
        }
        qInfo("total: %d inputs (journals)", count);
    }
};

TM_TEST(RepositoryFuzzTest, QCoreApplication)
#include "tst_repositoryfuzz.moc"
