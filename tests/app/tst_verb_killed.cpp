// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Fuzzing.h"
#include "tests/support/KillAt.h"
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QRandomGenerator>

#include <algorithm>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace tmx::test;

namespace {

/// The content of a repository without what differs between runs: ids of commits depend on their time.
struct State {
    QByteArray branches; ///< each with its tree and how many commits it has
    QByteArray index;
    QByteArray status;
    QByteArray texts; ///< of the work tree
    bool operator==(const State &) const = default;
};

} // namespace

/// Complete verbs, killed at any system call of any of their threads, or with a failing call: the disk is full, it is
/// broken, or a signal arrives. Afterwards there is the complete old state or the complete new one, git finds no
/// errors, nothing is left over once any verb has run, and the same command completes the work.
class VerbKilledTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;
    quint32 m_seed = 0;

    QString m_place; ///< of the row: "plain", "worktree" or "partial"

    /// The folder of the repository, of what it needs beside it, and of what they were before.
    [[nodiscard]] QString home() const { return QFileInfo(m_fixture->sample()).path(); }
    [[nodiscard]] QString prepared() const { return home() + u"/prepared-"_s + m_place; }
    [[nodiscard]] QString begin() const { return home() + u"/begin"_s; }
    [[nodiscard]] QStringList folders() const { return {m_fixture->sample(), m_fixture->sample() + u"-main"_s}; }

    static void run(const QString &program, const QStringList &arguments)
    {
        const int code = QProcess::execute(program, arguments);
        if (code != 0)
            qFatal("%s %s: %d", qPrintable(program), qPrintable(arguments.join(u' ')), code);
    }
    /// Copies the folders of a repository, including file times and the index.
    void copy(const QString &from, const QString &to) const
    {
        QDir().mkpath(to);
        for (const QString &folder : folders()) {
            const QString name = QFileInfo(folder).fileName();
            QDir(to + u'/' + name).removeRecursively();
            if (QFileInfo::exists(from + u'/' + name))
                run(u"cp"_s, {u"-a"_s, from + u'/' + name, to});
        }
    }
    void prepare(const QString &place);
    [[nodiscard]] QList<QStringList> readingVerbs() const
    {
        return {{u"list"_s}, {u"audit"_s}, {u"overview"_s, m_fixture->sample()}, {u"pins"_s, m_fixture->sample()}};
    }
    [[nodiscard]] QByteArray git(const QStringList &arguments) const { return m_fixture->git(arguments).out; }
    /// Number of faults of each kind for each verb, set by TORCH_MATRIX_ROUNDS; every call once if there are fewer
    /// calls. 0: a normal run takes two kinds for each verb, once each.
    [[nodiscard]] static int rounds() { return std::max(0, qEnvironmentVariableIntValue("TORCH_MATRIX_ROUNDS")); }
    [[nodiscard]] State state() const
    {
        State state;
        const QByteArrayList names =
            git({u"for-each-ref"_s, u"--format=%(refname)"_s, u"refs/heads"_s}).trimmed().split('\n');
        for (const QByteArray &name : names) {
            const QString ref = QString::fromUtf8(name);
            state.branches += name + ' ' + git({u"rev-parse"_s, ref + u"^{tree}"_s}).trimmed() + ' ' +
                              git({u"rev-list"_s, u"--count"_s, ref});
        }
        state.index = git({u"ls-files"_s, u"--stage"_s});
        state.status = git({u"status"_s, u"--porcelain"_s, u"-uall"_s, u"--ignored"_s});
        QDir recipes(m_fixture->sample() + u"/.flox/pkgs"_s);
        for (const QString &file : recipes.entryList(QDir::Files | QDir::Hidden))
            state.texts += file.toUtf8() + '\n' + m_fixture->read(u".flox/pkgs/"_s + file);
        return state;
    }
    [[nodiscard]] QStringList leftOvers() const
    {
        QStringList found;
        for (const QString &folder : folders()) {
            QDirIterator files(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QString path = QDir(folder).relativeFilePath(files.next());
                const bool ours = path.startsWith(".git/torch-matrix/"_L1) && path != ".git/torch-matrix/lock"_L1;
                if (ours || path.endsWith(".lock"_L1) || path.startsWith(".flox/pkgs/."_L1))
                    found.append(path);
            }
        }
        return found;
    }
    [[nodiscard]] TracedProgram traced(const QStringList &arguments) const
    {
        // A leak check cannot run under ptrace.
        TracedProgram program{{TM_PROGRAM}, {"ASAN_OPTIONS=detect_leaks=0"}, (prepared() + u"-output"_s).toLocal8Bit()};
        for (const QString &argument : arguments)
            program.words.append(argument.toLocal8Bit());
        program.words += {"--repo", m_fixture->sample().toLocal8Bit()};
        for (const QString &variable : m_fixture->environment().toStringList())
            program.environment.append(variable.toLocal8Bit());
        return program;
    }
    /// Every file with its size and time.
    [[nodiscard]] QStringList files() const
    {
        QStringList all;
        for (const QString &folder : folders()) {
            QDirIterator walk(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
            while (walk.hasNext()) {
                const QFileInfo file = walk.nextFileInfo();
                all.append(
                    u"%1 %2 %3"_s.arg(file.filePath()).arg(file.size()).arg(file.lastModified().toMSecsSinceEpoch()));
            }
        }
        all.sort();
        return all;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<VerbFixture>();
        m_seed = newSeed();
        // Eighteen recipes are missing (enough for a pack), one is wrong, and README.md has its markers.
        const QDir recipes(m_fixture->sample() + u"/.flox/pkgs"_s);
        const QStringList files = recipes.entryList({u"*sm90*.nix"_s, u"*sm80*.nix"_s, u"*sm86*.nix"_s}, QDir::Files);
        QCOMPARE(files.size(), 18);
        for (const QString &file : files)
            QVERIFY(QFile::remove(recipes.filePath(file)));
        const QString wrong = u".flox/pkgs/pytorch-python313-cuda12_8-sm100-avx2.nix"_s;
        m_fixture->write(wrong, m_fixture->read(wrong).replace("gpuArchSM = \"10.0\"", "gpuArchSM = \"sm_100\""));
        m_fixture->write(u"README.md"_s, "# Builds\n\n<!-- torch-matrix: begin -->\n<!-- torch-matrix: end -->\n");
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Take eighteen recipes out"_s});
        m_fixture->git({u"tag"_s, u"begin"_s});
        for (const QString &place : {u"plain"_s, u"worktree"_s, u"partial"_s})
            prepare(place);
    }

    void isWholeOrNotThere_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QList<QStringList>>("before");
        QTest::addColumn<QStringList>("verb");
        const QStringList generate{u"generate"_s, u"--all"_s};
        const QStringList plan{u"plan"_s, u"--apply"_s};
        // A normal run tries one verb in the other places.
        QRandomGenerator random(m_seed);
        QHash<QString, quint32> chosen;
        constexpr quint32 verbs = 15;
        for (const QString &place : {u"worktree"_s, u"partial"_s})
            chosen.insert(place, random.bounded(verbs));
        quint32 number = 0;
        const auto row = [&](const char *name, const QList<QStringList> &before, const QStringList &verb) {
            QTest::newRow(name) << u"plain"_s << before << verb;
            for (const auto &[place, one] : chosen.asKeyValueRange()) {
                if (rounds() > 0 || one == number)
                    QTest::addRow("%s, %s", name, qPrintable(place)) << place << before << verb;
            }
            ++number;
        };
        row("generate", {}, generate);
        row("generate --commit", {}, generate + QStringList{u"--commit"_s});
        row("generate --commit of what is staged", {generate}, generate + QStringList{u"--commit"_s});
        row("plan", {}, plan);
        const QStringList undo{u"plan"_s, u"--undo"_s, u"--apply"_s};
        row("undo", {plan}, undo);
        row("undo by a new commit", {plan}, undo + QStringList{u"-m"_s, u"Take it back"_s});
        row("redo", {plan, undo}, {u"plan"_s, u"--redo"_s, u"--apply"_s});
        row("derive", {}, {u"derive"_s, u"next"_s, u"--from"_s, u"main"_s, u"--cuda"_s, u"12.9"_s, u"--apply"_s});
        row("migrate", {}, {u"migrate"_s, u"--set"_s, u"metadata_rev=2"_s, u"--apply"_s});
        row("migrate elsewhere", {},
            {u"migrate"_s, u"--branch"_s, u"cuda-12_9"_s, u"--set"_s, u"metadata_rev=2"_s, u"--apply"_s});
        row("fix", {}, {u"fix"_s, u"pytorch-python313-cuda12_8-sm100-avx2:gpu-targets-notation"_s, u"--apply"_s});
        row("readme", {}, {u"readme"_s, u"--apply"_s});
        row("export", {}, {u"export"_s, u"github"_s, u"--apply"_s});
        row("settings set", {}, {u"settings"_s, u"set"_s, u"metadata_rev"_s, u"3"_s});
        row("settings save", {}, {u"settings"_s, u"save"_s});
        QCOMPARE(number, verbs);
    }
    void isWholeOrNotThere()
    {
        QFETCH(const QString, place);
        QFETCH(const QList<QStringList>, before);
        QFETCH(const QStringList, verb);
        m_place = place;
        copy(prepared(), home());
        for (const QStringList &earlier : before) {
            const Ran ran = m_fixture->verb(earlier);
            QVERIFY2(ran.exitCode == 0, ran.err.constData());
        }
        copy(home(), begin()); // Each round begins here.
        const State old = state();
        const FaultedRun whole = runWithFault(traced(verb), Fault::Kill, 0);
        QCOMPARE(whole.exitCode, 0);
        const State done = state();
        QVERIFY2(old != done, "the verb changes nothing");
        QRandomGenerator random(m_seed + qChecksum(QByteArrayView(QTest::currentDataTag())));
        QByteArrayList counts;
        QList<Fault> kinds(std::begin(allFaults), std::end(allFaults));
        if (rounds() == 0) {
            kinds.removeOne(Fault::BadDisk); // EIO at one of thousands of reads is for the soak.
            std::shuffle(kinds.begin(), kinds.end(), random);
            kinds.resize(2);
        }
        for (const Fault fault : std::as_const(kinds)) {
            const int calls = whole.calls[size_t(fault)];
            QVERIFY(calls > 5);
            int olds = 0;
            int struck = 0;
            const int rounds = std::min(std::max(1, this->rounds()), calls);
            for (int round = 0; round < rounds; ++round) {
                copy(begin(), home());
                const int n = rounds == calls ? round + 1 : int(random.bounded(1, calls + 1));
                const FaultedRun faulted = runWithFault(traced(verb), fault, n);
                // A git that it started, which fetches objects.
                QTRY_VERIFY_WITH_TIMEOUT(!isAtWork(m_fixture->sample()), 120'000);
                QFile output(QString::fromLocal8Bit(traced(verb).output));
                const QByteArray said = output.open(QIODevice::ReadOnly) ? output.readAll().trimmed() : QByteArray();
                const QByteArray where = toText(fault) + " at call " + QByteArray::number(n) + " of " +
                                         QByteArray::number(calls) + " (" + faulted.where + "), exit code " +
                                         QByteArray::number(faulted.exitCode) + ", said \"" +
                                         said.last(std::min<qsizetype>(said.size(), 300)) + "\": ";
                struck += faulted.struck;
                const bool killed = faulted.signal != 0 && faulted.signal == signalOf(fault) && faulted.struck;
                const bool signalled = signalOf(fault) != 0 && signalOf(fault) != SIGKILL;
                if (signalled) // A program that is asked to end leaves no git lock, not even for a moment.
                    QVERIFY2(leftOvers().isEmpty(), where + leftOvers().join(u' ').toUtf8());
                QVERIFY2(killed || faulted.signal == 0, where + "signal " + QByteArray::number(faulted.signal));
                QVERIFY2(git({u"fsck"_s, u"--strict"_s, u"--no-dangling"_s}).isEmpty(), where + "fsck");
                if (!killed)
                    QVERIFY2(faulted.exitCode == 0 || !said.isEmpty(), where + "no word");
                // The next verb completes what was decided and removes the rest, also one that reads.
                const QStringList reading = readingVerbs().at(random.bounded(readingVerbs().size()));
                QVERIFY2(m_fixture->verb(reading).exitCode <= 1, where + reading.constFirst().toUtf8());
                const State now = state();
                // From then on there is nothing to recover, and a reading verb changes nothing once it has what it
                // fetches in a partial clone.
                QVERIFY2(!m_fixture->verb({u"list"_s}).err.contains("interrupted"), where + "list");
                const QStringList asLeft = files();
                QVERIFY2(m_fixture->verb({u"list"_s}).exitCode <= 1 && files() == asLeft, where + "list again");
                QVERIFY2(now == old || now == done, where + "neither old nor new:\n" + now.branches + now.status +
                                                        "instead of\n" + done.branches + done.status);
                QVERIFY2(faulted.exitCode != 0 || now == done, where + "exit code 0, and it is not done");
                QVERIFY2(leftOvers().isEmpty(), where + leftOvers().join(u' ').toUtf8());
                if (now == old) {
                    ++olds;
                    const Ran ran = m_fixture->verb(verb);
                    QVERIFY2(ran.exitCode == 0, where + ran.err);
                    QVERIFY2(state() == done, where + "the same command did not complete it");
                }
                QVERIFY2(git({u"fsck"_s, u"--strict"_s, u"--no-dangling"_s}).isEmpty(), where + "fsck at the end");
            }
            qInfo("total: %d %s", struck,
                  fault == Fault::Kill || fault == Fault::KillAtWrite ? "kills of verbs"
                  : signalOf(fault) != 0                              ? "signals to verbs"
                                                                      : "failed system calls of verbs");
            counts.append(toText(fault) + ' ' + QByteArray::number(struck) + " of " + QByteArray::number(calls) +
                          " calls, old state " + QByteArray::number(olds));
        }
        qInfo("%s", counts.join("; ").constData());
    }
};

/// Makes the place of the sample, and keeps it: the sample itself; a linked working tree of it; a partial clone, where
/// the texts of the other branches are missing.
void VerbKilledTest::prepare(const QString &place)
{
    m_place = place;
    const QString main = folders().constLast();
    if (place == "worktree"_L1) {
        QVERIFY(QDir().rename(m_fixture->sample(), main));
        run(u"git"_s, {u"-C"_s, main, u"checkout"_s, u"-q"_s, u"--detach"_s});
        run(u"git"_s, {u"-C"_s, main, u"worktree"_s, u"add"_s, u"-q"_s, m_fixture->sample(), u"main"_s});
    } else if (place == "partial"_L1) {
        const QString origin = home() + u"/origin"_s;
        QDir(m_fixture->sample()).removeRecursively();
        QVERIFY(QDir().rename(main, origin));
        run(u"git"_s, {u"-C"_s, origin, u"worktree"_s, u"prune"_s});
        run(u"git"_s, {u"-C"_s, origin, u"checkout"_s, u"-q"_s, u"main"_s});
        run(u"git"_s, {u"-C"_s, origin, u"config"_s, u"uploadpack.allowFilter"_s, u"true"_s});
        run(u"git"_s, {u"-C"_s, origin, u"config"_s, u"uploadpack.allowAnySHA1InWant"_s, u"true"_s});
        run(u"git"_s, {u"clone"_s, u"-q"_s, u"--filter=blob:none"_s, u"file://"_s + origin, m_fixture->sample()});
        for (const QByteArray &branch :
             m_fixture->git({u"-C"_s, origin, u"for-each-ref"_s, u"--format=%(refname:short)"_s, u"refs/heads"_s})
                 .out.trimmed()
                 .split('\n')) {
            const QString name = QString::fromUtf8(branch);
            if (name != "main"_L1)
                m_fixture->git({u"branch"_s, u"-q"_s, name, u"origin/"_s + name});
        }
        QVERIFY(m_fixture->git({u"rev-list"_s, u"--objects"_s, u"--all"_s, u"--missing=print"_s}).out.contains("\n?"));
    }
    copy(home(), prepared());
}

TM_TEST(VerbKilledTest, QCoreApplication)
#include "tst_verb_killed.moc"
