// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/KillAt.h"
#include "tests/support/VerbFixture.h"

#include <QRandomGenerator>

#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace tmx::test;

namespace {

/// Kills of each verb: some in every run of the tests; many where TORCH_MATRIX_ROUNDS asks for them.
int rounds()
{
    const int asked = qEnvironmentVariableIntValue("TORCH_MATRIX_ROUNDS");
    return asked > 0 ? asked : 5;
}

/// What a repository holds, without what differs from run to run: ids of commits hold their time.
struct State {
    QByteArray branches; ///< each with its tree and how many commits it has
    QByteArray index;
    QByteArray status;
    QByteArray texts; ///< of the work tree
    bool operator==(const State &) const = default;
};

} // namespace

/// Whole verbs, ended by SIGKILL at any of their changes to the disk. The next start finds all of the old state or all
/// of the new one, git finds nothing wrong, nothing is left over, and the same command completes what was begun.
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
    /// The repository as it was prepared, file times and index included.
    void reset() const
    {
        QDir(m_fixture->sample()).removeRecursively();
        run(u"cp"_s, {u"-a"_s, prepared(), m_fixture->sample()});
    }
    [[nodiscard]] State state() const
    {
        const auto git = [this](const QStringList &arguments) { return m_fixture->git(arguments).out; };
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
    /// What a fork does: becomes the program.
    [[nodiscard]] std::function<int()> becoming(const QStringList &arguments) const
    {
        QByteArrayList words{TM_PROGRAM};
        for (const QString &argument : arguments)
            words.append(argument.toLocal8Bit());
        words += {"--repo", m_fixture->sample().toLocal8Bit()};
        QByteArrayList environment;
        for (const QString &variable : m_fixture->environment().toStringList())
            environment.append(variable.toLocal8Bit());
        return [words, environment]() mutable {
            std::vector<char *> argv;
            for (QByteArray &word : words)
                argv.push_back(word.data());
            argv.push_back(nullptr);
            std::vector<char *> envp;
            for (QByteArray &variable : environment)
                envp.push_back(variable.data());
            envp.push_back(nullptr);
            const int null = ::open("/dev/null", O_RDWR);
            for (const int stream : {0, 1, 2})
                ::dup2(null, stream);
            ::execve(argv.front(), argv.data(), envp.data());
            return 1;
        };
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<VerbFixture>();
        m_seed = qEnvironmentVariableIsSet("TORCH_MATRIX_SEED") ? qEnvironmentVariable("TORCH_MATRIX_SEED").toUInt()
                                                                : QRandomGenerator::global()->generate();
        qInfo("TORCH_MATRIX_SEED=%u", m_seed);
        // Twelve recipes are missing, one is wrong, and README.md has its markers.
        const QDir recipes(m_fixture->sample() + u"/.flox/pkgs"_s);
        const QStringList files = recipes.entryList({u"*sm90*.nix"_s, u"*sm80*.nix"_s}, QDir::Files);
        QCOMPARE(files.size(), 12);
        for (const QString &file : files)
            QVERIFY(QFile::remove(recipes.filePath(file)));
        const QString wrong = u".flox/pkgs/pytorch-python313-cuda12_8-sm100-avx2.nix"_s;
        m_fixture->write(wrong, m_fixture->read(wrong).replace("gpuArchSM = \"10.0\"", "gpuArchSM = \"sm_100\""));
        m_fixture->write(u"README.md"_s, "# Builds\n\n<!-- torch-matrix: begin -->\n<!-- torch-matrix: end -->\n");
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Take twelve recipes out"_s});
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
        row("line set", {}, {u"line"_s, u"set"_s, u"metadata_rev"_s, u"3"_s});
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
        const int changes = countChanges(becoming(verb));
        const State done = state();
        QVERIFY2(old != done, "the verb changes nothing");
        QVERIFY(changes > 5);

        QRandomGenerator random(m_seed);
        int olds = 0;
        for (int round = 0; round < rounds(); ++round) {
            again();
            const int n = int(random.bounded(1, changes + 1));
            const QByteArray where =
                "killed at change " + QByteArray::number(n) + " of " + QByteArray::number(changes) + ": ";
            killAtChange(n, becoming(verb));
            QVERIFY2(m_fixture->git({u"fsck"_s, u"--strict"_s, u"--no-dangling"_s}).out.isEmpty(), where);
            // The next start: what was decided is carried through, what was not is gone.
            QVERIFY(m_fixture->verb({u"list"_s}).exitCode <= 1);
            const State now = state();
            QVERIFY2(now == old || now == done, where + "neither old nor new:\n" + now.branches + now.status);
            QVERIFY2(leftOvers().isEmpty(), where + leftOvers().join(u' ').toUtf8());
            if (now == old) {
                ++olds;
                const Ran ran = m_fixture->verb(verb);
                QVERIFY2(ran.exitCode == 0, where + ran.err);
                QVERIFY2(state() == done, where + "the same command did not complete it");
            }
            QVERIFY2(m_fixture->git({u"fsck"_s, u"--strict"_s, u"--no-dangling"_s}).out.isEmpty(), where);
        }
        qInfo("%d changes; of %d kills %d left the old state", changes, rounds(), olds);
    }
};

QTEST_GUILESS_MAIN(VerbKilledTest)
#include "tst_verb_killed.moc"
