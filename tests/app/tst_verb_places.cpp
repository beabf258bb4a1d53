// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Queue.h"
#include "tests/support/BuildRepository.h"
#include "tests/support/JobProcesses.h"
#include "tests/support/TestMain.h"
#include "tests/support/TwentyBuilds.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

/// Repositories as git makes them, and machines as they are: file systems that lack calls, partial clones, damage. The
/// program itself, with real git.
class VerbPlacesTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<VerbFixture> m_fixture;

    [[nodiscard]] QString state() const { return m_folder->filePath(u"state"_s); }
    Ran run(const QString &program, const QStringList &arguments) const
    {
        return m_fixture->run(program, arguments, m_fixture->sample());
    }
    void git(const QStringList &arguments) const
    {
        const Ran ran = run(u"git"_s, arguments);
        if (ran.exitCode != 0)
            qFatal("git %s: %s", qPrintable(arguments.join(u' ')), ran.err.constData());
    }
    Ran lacking(const QString &what, const QStringList &verb) const
    {
        return run(QStringLiteral(TM_STANDINS "/lacking"), QStringList{what, QStringLiteral(TM_PROGRAM)} + verb);
    }
    /// A verb in a repository, with an answer that can be compared with that of another clone.
    Ran in(const QString &repository, const QStringList &verb) const
    {
        Ran ran = run(QStringLiteral(TM_PROGRAM), verb + QStringList{u"--repo"_s, repository});
        ran.out.replace(QFileInfo(repository).canonicalFilePath().toUtf8(), "REPOSITORY");
        return ran;
    }
    [[nodiscard]] static QStringList listAll() { return {u"list"_s, u"--all-branches"_s, u"--json"_s}; }
    [[nodiscard]] static QStringList compareTwo() { return {u"compare"_s, u"main"_s, u"cuda-12_9"_s, u"--json"_s}; }
    /// The blob or tree of a revision, as a file of the sample.
    [[nodiscard]] QString objectOf(const QString &revision) const
    {
        const QString id = QString::fromLatin1(m_fixture->git({u"rev-parse"_s, revision}).out.trimmed());
        return m_fixture->sample() + u"/.git/objects/"_s + id.first(2) + u'/' + id.sliced(2);
    }

private Q_SLOTS:
    void initTestCase() { standInActs({}); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_fixture = std::make_unique<VerbFixture>();
        QDir().mkpath(m_folder->filePath(u"store"_s));
        m_fixture->set(u"TORCH_MATRIX_STATE"_s, state());
        m_fixture->set(u"TORCH_MATRIX_STANDIN_STORE"_s, m_folder->filePath(u"store"_s));
        m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX_CALLS"_s, m_folder->filePath(u"calls"_s));
    }
    void cleanup() { QTRY_VERIFY(isQuiet(state())); }

    void worksWithoutSomeCalls_data();
    void worksWithoutSomeCalls();
    void tellsOfAClearedQueue();
    void readsAPartialClone_data();
    void readsAPartialClone();
    void runsNothingThatAPartialCloneNames();
    void keepsNoAnswerWithoutObjects();
    void comparesNoDamagedRecipe();
};

void VerbPlacesTest::worksWithoutSomeCalls_data()
{
    QTest::addColumn<QString>("what");
    for (const char *what : {"flags", "links", "locks", "unnamed", "flags,links,locks,unnamed"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

/// As on sshfs, NFS, 9p and vfat.
void VerbPlacesTest::worksWithoutSomeCalls()
{
    QFETCH(QString, what);
    const auto done = [&](const QStringList &verb) {
        const Ran ran = lacking(what, verb);
        QVERIFY2(ran.exitCode == 0, (verb.join(u' ').toUtf8() + ": " + ran.err).constData());
    };
    const QString name = twentyNames().constFirst();
    const QString file = u".flox/pkgs/%1.nix"_s.arg(name);
    m_fixture->git({u"rm"_s, u"-q"_s, file});
    m_fixture->git({u"commit"_s, u"-qm"_s, u"Remove a recipe"_s});
    done({u"plan"_s, u"--apply"_s});
    QCOMPARE(m_fixture->git({u"status"_s, u"--porcelain"_s}).out, QByteArray());
    QVERIFY(!m_fixture->git({u"ls-tree"_s, u"HEAD"_s, file}).out.isEmpty());
    m_fixture->git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~1"_s});
    done({u"generate"_s, name});
    QVERIFY(m_fixture->read(file).contains("torch"));
    QCOMPARE(m_fixture->git({u"status"_s, u"--porcelain"_s}).out, "A  " + file.toUtf8() + '\n');
    done({u"build"_s, twentyNames().at(1)});
    QVERIFY(QFileInfo(m_fixture->sample() + u"/result-"_s + twentyNames().at(1)).isSymLink());
    done({u"queue"_s, u"pause"_s});
    done({u"build"_s, u"--detach"_s, twentyNames().at(2)});
    done({u"queue"_s, u"clear"_s});
    done({u"queue"_s, u"resume"_s});
    const Ran past = lacking(what, {u"builds"_s, u"--json"_s});
    QVERIFY2(past.out.contains("\"built\""), (past.out + past.err).constData());
    QCOMPARE(m_fixture->git({u"fsck"_s, u"--strict"_s}).exitCode, 0);
    QDirIterator locks(m_fixture->sample() + u"/.git"_s, {u"*.lock"_s, u"*.held"_s}, QDir::Files,
                       QDirIterator::Subdirectories);
    QVERIFY2(!locks.hasNext(), qPrintable(locks.next()));
}

void VerbPlacesTest::tellsOfAClearedQueue()
{
    const QStringList names = twentyNames().first(2);
    for (const QStringList &wanted : {names.first(1), names}) {
        QCOMPARE(m_fixture->verb({u"queue"_s, u"pause"_s}).exitCode, 0);
        QProcess waiting;
        waiting.setProcessEnvironment(m_fixture->environment());
        waiting.setWorkingDirectory(m_fixture->sample());
        waiting.start(QStringLiteral(TM_PROGRAM), QStringList{u"build"_s} + wanted);
        QTRY_COMPARE_WITH_TIMEOUT(Queue(state()).contents().waiting.size(), wanted.size(), 30'000);
        QCOMPARE(m_fixture->verb({u"queue"_s, u"clear"_s}).exitCode, 0);
        QVERIFY(waiting.waitForFinished());
        QCOMPARE(waiting.exitCode(), 1);
        const QByteArray said = waiting.readAllStandardError();
        for (const QString &name : wanted)
            QVERIFY2(said.contains(name.toUtf8() + " was not built"), said.constData());
        QCOMPARE(m_fixture->verb({u"queue"_s, u"resume"_s}).exitCode, 0);
    }
}

void VerbPlacesTest::readsAPartialClone_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::newRow("blob:none") << QStringList{u"--filter=blob:none"_s};
    QTest::newRow("tree:0") << QStringList{u"--filter=tree:0"_s};
    QTest::newRow("blob:none, shallow") << QStringList{u"--filter=blob:none"_s, u"--depth=1"_s,
                                                       u"--no-single-branch"_s};
    QTest::newRow("not checked out") << QStringList{u"--filter=blob:none"_s, u"--no-checkout"_s};
}

void VerbPlacesTest::readsAPartialClone()
{
    QFETCH(QStringList, options);
    const QString server = m_folder->filePath(u"server.git"_s);
    git({u"clone"_s, u"-q"_s, u"--bare"_s, m_fixture->sample(), server});
    git({u"-C"_s, server, u"config"_s, u"uploadpack.allowFilter"_s, u"true"_s});
    const QString whole = m_folder->filePath(u"whole"_s);
    const QString partial = m_folder->filePath(u"partial"_s);
    git({u"clone"_s, u"-q"_s, u"file://"_s + server, whole});
    git(QStringList{u"clone"_s, u"-q"_s} + options + QStringList{u"file://"_s + server, partial});
    for (const QString &clone : {whole, partial})
        git({u"-C"_s, clone, u"branch"_s, u"-q"_s, u"cuda-12_9"_s, u"origin/cuda-12_9"_s});
    const bool checkedOut = !options.contains(u"--no-checkout"_s);
    const QString cache = QFileInfo(m_fixture->sample()).path() + u"/.cache"_s;

    // Without its remote: it says so, and says nothing else.
    QVERIFY(QFile::rename(server, server + u"-away"_s));
    const Ran compared = in(partial, compareTwo());
    QCOMPARE(compared.exitCode, 3);
    QVERIFY2(compared.err.contains("not here yet"), compared.err.constData());
    QVERIFY2(!compared.err.contains("broken") && !compared.err.contains("git_object"), compared.err.constData());
    const Ran listed = in(partial, listAll());
    QVERIFY2(listed.exitCode != 0 && (listed.out + listed.err).contains("not here yet"),
             (listed.out.left(500) + listed.err).constData());
    QVERIFY2(!listed.out.contains("\"broken\""), listed.out.left(500).constData());

    // With it: the same answers as those of a whole clone, though the other ones came first.
    QVERIFY(QFile::rename(server + u"-away"_s, server));
    QDir().mkpath(cache);
    const Ran now = in(partial, compareTwo());
    QCOMPARE(now.exitCode, 0);
    QCOMPARE(now.out, in(whole, compareTwo()).out);
    if (checkedOut)
        QCOMPARE(in(partial, listAll()).out, in(whole, listAll()).out);
    const Ran history = in(partial, {u"history"_s, twentyNames().constFirst(), u"--json"_s});
    QCOMPARE(history.exitCode, in(whole, {u"history"_s, twentyNames().constFirst(), u"--json"_s}).exitCode);
    const Ran checked = run(u"git"_s, {u"-C"_s, partial, u"fsck"_s});
    QVERIFY2(checked.exitCode == 0, checked.err.constData());
    // From now on the remote is not needed.
    QVERIFY(QFile::rename(server, server + u"-away"_s));
    QDir(cache).removeRecursively();
    QCOMPARE(in(partial, compareTwo()).out, now.out);
}

/// Opening a repository runs none of its code.
void VerbPlacesTest::runsNothingThatAPartialCloneNames()
{
    const QString server = m_folder->filePath(u"server.git"_s);
    git({u"clone"_s, u"-q"_s, u"--bare"_s, m_fixture->sample(), server});
    git({u"-C"_s, server, u"config"_s, u"uploadpack.allowFilter"_s, u"true"_s});
    const QString trace = m_folder->filePath(u"trace"_s);
    const QString tool = m_folder->filePath(u"tool"_s);
    QFile file(tool);
    QVERIFY(file.open(QIODevice::WriteOnly) &&
            file.write("#!/bin/sh\necho ran >>" + trace.toUtf8() + "\nexit 1\n") > 0);
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QString partial = m_folder->filePath(u"partial"_s);
    const QString cuda = u"origin/cuda-12_9"_s;
    git({u"clone"_s, u"-q"_s, u"--filter=blob:none"_s, u"file://"_s + server, partial});
    git({u"-C"_s, partial, u"branch"_s, u"-q"_s, u"cuda-12_9"_s, cuda});
    for (const QString &key : {u"core.sshCommand"_s, u"core.fsmonitor"_s, u"core.gitProxy"_s, u"credential.helper"_s,
                               u"remote.origin.uploadpack"_s, u"core.askPass"_s, u"core.alternateRefsCommand"_s})
        git({u"-C"_s, partial, u"config"_s, key, tool});
    git({u"-C"_s, partial, u"config"_s, u"core.hooksPath"_s, m_folder->path()});
    QCOMPARE(in(partial, compareTwo()).exitCode, 0);
    // Another address is followed with the user's rights to do so alone.
    const QString other = m_folder->filePath(u"other"_s);
    git({u"clone"_s, u"-q"_s, u"--filter=blob:none"_s, u"file://"_s + server, other});
    git({u"-C"_s, other, u"branch"_s, u"-q"_s, u"cuda-12_9"_s, cuda});
    git({u"-C"_s, other, u"config"_s, u"protocol.ext.allow"_s, u"always"_s});
    for (const QString &address : {u"ext::"_s + tool, u"ssh://-oProxyCommand="_s + tool + u"/x"_s}) {
        git({u"-C"_s, other, u"config"_s, u"remote.origin.url"_s, address});
        QCOMPARE(in(other, compareTwo()).exitCode, 3);
    }
    QVERIFY(!QFile::exists(trace));
}

void VerbPlacesTest::keepsNoAnswerWithoutObjects()
{
    const QString repository = m_fixture->sample();
    const QString recipe = u".flox/pkgs/"_s + twentyNames().constFirst() + u".nix"_s;
    for (const QString &revision : {u"cuda-12_9:.flox/pkgs"_s, u"cuda-12_9^{tree}"_s, u"main:"_s + recipe}) {
        const QString object = objectOf(revision);
        if (!QFile::exists(object)) // packed, or not on that branch
            continue;
        QVERIFY(QFile::rename(object, object + u"-away"_s));
        m_fixture->clearCache();
        for (const QStringList &verb : {compareTwo(), listAll()}) {
            const Ran ran = in(repository, verb);
            QVERIFY2(ran.exitCode != 0, qPrintable(revision + u' ' + verb.constFirst()));
            QVERIFY2((ran.out + ran.err).contains("missing from the repository"),
                     (ran.out.left(500) + ran.err).constData());
            QVERIFY2(!ran.out.contains("\"broken\""), ran.out.left(2000).constData());
        }
        QVERIFY(QFile::rename(object + u"-away"_s, object));
        const QByteArray compared = in(repository, compareTwo()).out;
        const QByteArray listed = in(repository, listAll()).out;
        m_fixture->clearCache();
        QCOMPARE(compared, in(repository, compareTwo()).out);
        QCOMPARE(listed, in(repository, listAll()).out);
    }
}

void VerbPlacesTest::comparesNoDamagedRecipe()
{
    const QString repository = m_fixture->sample();
    const QByteArray before = in(repository, compareTwo()).out;
    const QString path = QString::fromUtf8(
        m_fixture->git({u"ls-tree"_s, u"--name-only"_s, u"cuda-12_9"_s, u".flox/pkgs/"_s}).out.split('\n').at(3));
    const QString object = objectOf(u"cuda-12_9:"_s + path);
    QVERIFY2(QFile::exists(object), qPrintable(object));
    QVERIFY(QFile::rename(object, object + u"-away"_s));
    m_fixture->write(object.sliced(repository.size() + 1), "damaged");
    m_fixture->clearCache();
    for (int i = 0; i < 2; ++i) {
        const Ran ran = in(repository, compareTwo());
        QCOMPARE(ran.exitCode, 1);
        QVERIFY2(ran.err.contains(path.toUtf8()) && ran.err.contains("damaged"), ran.err.constData());
        QVERIFY(in(repository, listAll()).exitCode != 3);
    }
    QVERIFY(QFile::remove(object) && QFile::rename(object + u"-away"_s, object));
    QCOMPARE(in(repository, compareTwo()).out, before);
}

TM_TEST(VerbPlacesTest, QCoreApplication)
#include "tst_verb_places.moc"
