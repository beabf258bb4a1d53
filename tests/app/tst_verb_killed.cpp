// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
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
/// errors, nothing is left over, a reading verb changes nothing, and the same command completes the work.
class VerbKilledTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;
    quint32 m_seed = 0;

    QString prepared() const { return m_fixture->sample() + u"-prepared"_s; }

    static void run(const QString &program, const QStringList &arguments)
    {
        const int code = QProcess::execute(program, arguments);
        if (code != 0)
            qFatal("%s %s: %d", qPrintable(program), qPrintable(arguments.join(u' ')), code);
    }
    /// The repository as prepared, including file times and the index.
    void reset() const
    {
        QDir(m_fixture->sample()).removeRecursively();
        run(u"cp"_s, {u"-a"_s, prepared(), m_fixture->sample()});
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
        QDirIterator files(m_fixture->sample(), QDir::Files | QDir::Hidden | QDir::System,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = QDir(m_fixture->sample()).relativeFilePath(files.next());
            const bool ours = path.startsWith(".git/torch-matrix/"_L1) && path != ".git/torch-matrix/lock"_L1;
            if (ours || path.endsWith(".lock"_L1) || path.startsWith(".flox/pkgs/."_L1))
                found.append(path);
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
    /// A verb that writes, and afterwards has nothing to write.
    void recover() const
    {
        const Ran ran = m_fixture->verb({u"fix"_s, u"none:driver-low"_s, u"--apply"_s});
        QVERIFY2(ran.exitCode == 3, ran.out + ran.err);
    }
    /// Every file with its size and time.
    [[nodiscard]] QStringList files() const
    {
        QStringList all;
        QDirIterator walk(m_fixture->sample(), QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            const QFileInfo file = walk.nextFileInfo();
            all.append(
                u"%1 %2 %3"_s.arg(file.filePath()).arg(file.size()).arg(file.lastModified().toMSecsSinceEpoch()));
        }
        all.sort();
        return all;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<VerbFixture>();
        m_seed = qEnvironmentVariableIsSet("TORCH_MATRIX_SEED") ? qEnvironmentVariable("TORCH_MATRIX_SEED").toUInt()
                                                                : QRandomGenerator::global()->generate();
        qInfo("TORCH_MATRIX_SEED=%u", m_seed);
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
        QVERIFY(QDir().rename(m_fixture->sample(), prepared()));
    }

    void isWholeOrNotThere_data()
    {
        QTest::addColumn<QList<QStringList>>("before");
        QTest::addColumn<QStringList>("verb");
        const QStringList generate{u"generate"_s, u"--all"_s};
        const QStringList plan{u"plan"_s, u"--apply"_s};
        const auto row = [](const char *name, const QList<QStringList> &before, const QStringList &verb) {
            QTest::newRow(name) << before << verb;
        };
        row("generate", {}, generate);
        row("generate --commit", {}, generate + QStringList{u"--commit"_s});
        row("generate --commit of what is staged", {generate}, generate + QStringList{u"--commit"_s});
        row("plan", {}, plan);
        row("undo", {plan}, {u"plan"_s, u"--undo"_s, u"--apply"_s});
        row("derive", {}, {u"derive"_s, u"next"_s, u"--from"_s, u"main"_s, u"--cuda"_s, u"12.9"_s, u"--apply"_s});
        row("migrate", {}, {u"migrate"_s, u"--set"_s, u"metadata_rev=2"_s, u"--apply"_s});
        row("migrate elsewhere", {},
            {u"migrate"_s, u"--branch"_s, u"cuda-12_9"_s, u"--set"_s, u"metadata_rev=2"_s, u"--apply"_s});
        row("fix", {}, {u"fix"_s, u"pytorch-python313-cuda12_8-sm100-avx2:gpu-targets-notation"_s, u"--apply"_s});
        row("readme", {}, {u"readme"_s, u"--apply"_s});
        row("export", {}, {u"export"_s, u"github"_s, u"--apply"_s});
        row("settings set", {}, {u"settings"_s, u"set"_s, u"metadata_rev"_s, u"3"_s});
        row("settings save", {}, {u"settings"_s, u"save"_s});
    }
    void isWholeOrNotThere()
    {
        QFETCH(const QList<QStringList>, before);
        QFETCH(const QStringList, verb);
        reset();
        for (const QStringList &earlier : before) {
            const Ran ran = m_fixture->verb(earlier);
            QVERIFY2(ran.exitCode == 0, ran.err.constData());
        }
        // Each round begins here.
        const QString begin = prepared() + u"-begin"_s;
        QDir(begin).removeRecursively();
        run(u"cp"_s, {u"-a"_s, m_fixture->sample(), begin});
        const auto again = [this, &begin] {
            QDir(m_fixture->sample()).removeRecursively();
            run(u"cp"_s, {u"-a"_s, begin, m_fixture->sample()});
        };
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
                again();
                const int n = rounds == calls ? round + 1 : int(random.bounded(1, calls + 1));
                const FaultedRun faulted = runWithFault(traced(verb), fault, n);
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
                // A reading verb changes nothing.
                const QStringList asLeft = files();
                QVERIFY2(m_fixture->verb({u"list"_s}).exitCode <= 1, where);
                QVERIFY2(files() == asLeft, where + "list has changed something");
                // The next writing verb completes what was decided and removes the rest.
                recover();
                const State now = state();
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

TM_TEST(VerbKilledTest, QCoreApplication)
#include "tst_verb_killed.moc"
