// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Fuzzing.h"
#include "tests/support/KillAt.h"
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QRandomGenerator>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx::test;

/// What was not read is never an answer: each verb, with one read of the repository that ends with EIO or that a signal
/// interrupts, answers as without it, or says what could not be read; and nothing false is kept for the next time.
class VerbUnreadTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;
    quint32 m_seed = 0;

    [[nodiscard]] QByteArray output() const { return (m_fixture->sample() + u"-output"_s).toLocal8Bit(); }
    [[nodiscard]] FaultedRun run(const QStringList &verb, Fault fault, int n, QByteArray *said) const
    {
        // A leak check cannot run under ptrace.
        TracedProgram program{
            {TM_PROGRAM}, {"ASAN_OPTIONS=detect_leaks=0"}, output(), m_fixture->sample().toLocal8Bit()};
        for (QString argument : verb)
            program.words.append(argument.replace(u"HERE"_s, m_fixture->sample()).toLocal8Bit());
        if (!verb.contains(u"HERE"_s))
            program.words += {"--repo", m_fixture->sample().toLocal8Bit()};
        for (const QString &variable : m_fixture->environment().toStringList())
            program.environment.append(variable.toLocal8Bit());
        const FaultedRun done = runWithFault(program, fault, n);
        *said = contentOf(QString::fromLocal8Bit(output()));
        return done;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<VerbFixture>();
        m_seed = newSeed();
        // A recipe is missing, one was deleted, one is changed, one imports a file; some branches are packed.
        const QString pkgs = u".flox/pkgs/"_s;
        m_fixture->write(u"README.md"_s, "# Builds\n\n<!-- torch-matrix: begin -->\n<!-- torch-matrix: end -->\n");
        m_fixture->write(pkgs + u"lib/flags.nix"_s, "{ }: [ \"-O3\" ]\n");
        const QString importing = pkgs + u"pytorch-python313-cpu-avx512.nix"_s;
        m_fixture->write(importing, m_fixture->read(importing) + "# ${toString (import ./lib/flags.nix { })}\n");
        m_fixture->git({u"add"_s, u"."_s});
        m_fixture->git({u"commit"_s, u"-qm"_s, u"Import flags"_s});
        m_fixture->git({u"rm"_s, u"-q"_s, pkgs + u"pytorch-python313-cpu-avx2.nix"_s});
        m_fixture->git({u"commit"_s, u"-qm"_s, u"Drop AVX2"_s});
        m_fixture->git({u"pack-refs"_s, u"--all"_s});
        m_fixture->git({u"branch"_s, u"loose"_s});
        m_fixture->git({u"worktree"_s, u"add"_s, u"-q"_s, m_fixture->sample() + u"/.git/linked"_s, u"cuda-13_0"_s});
        const QString wrong = pkgs + u"pytorch-python313-cuda12_8-sm100-avx2.nix"_s;
        m_fixture->write(wrong, m_fixture->read(wrong).replace("gpuArchSM = \"10.0\"", "gpuArchSM = \"sm_100\""));
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Write another notation"_s});
        const QString changed = pkgs + u"pytorch-python313-cuda12_8-sm90-avx512.nix"_s;
        m_fixture->write(changed, m_fixture->read(changed) + "# changed\n");
    }

    void isNoAnswer_data()
    {
        QTest::addColumn<QStringList>("verb");
        for (const char *verb :
             {"list --json", "list --all-branches --json", "audit --json", "plan", "compare main cuda-12_9 --json",
              "overview HERE", "pins HERE", "match HERE HERE", "history pytorch-python313-cpu-avx2", "pick", "report",
              "readme", "export github", "migrate --set metadata_rev=2",
              "migrate --branch cuda-12_9 --set metadata_rev=2", "derive next --from main --cuda 12.9",
              "fix --rule gpu-targets-notation", "settings show", "show pytorch-python313-cpu-avx512"})
            QTest::newRow(verb) << QString::fromLatin1(verb).split(u' ');
    }
    void isNoAnswer()
    {
        QFETCH(const QStringList, verb);
        QRandomGenerator random(m_seed + qChecksum(QByteArrayView(QTest::currentDataTag())));
        m_fixture->clearCache();
        QByteArray expected, said;
        const int code = run(verb, Fault::BadDisk, 0, &expected).exitCode;
        QVERIFY2(code == 0 || code == 1, expected);
        QByteArrayList lies;
        for (const Fault fault : {Fault::BadDisk, Fault::Interrupted}) {
            m_fixture->clearCache();
            const int calls = run(verb, fault, 0, &said).calls[size_t(fault)];
            QVERIFY(calls > 5);
            const int asked = qEnvironmentVariableIntValue("TORCH_MATRIX_ROUNDS");
            const int rounds = std::min(calls, std::max(2, asked));
            for (int round = 0; round < rounds; ++round) {
                m_fixture->clearCache();
                const int n = rounds == calls ? round + 1 : int(random.bounded(1, calls + 1));
                const FaultedRun faulted = run(verb, fault, n, &said);
                const QByteArray where = toText(fault) + " at call " + QByteArray::number(n) + " of " +
                                         QByteArray::number(calls) + " (" + faulted.where + "), exit code " +
                                         QByteArray::number(faulted.exitCode);
                const bool told =
                    faulted.exitCode == 3 ||
                    (faulted.exitCode == 1 && (said.contains("ould not ") || said.contains("annot be read")));
                // A message that cannot be written: the whole answer is there without it.
                const bool unheard = fault == Fault::BadDisk && faulted.where.endsWith(' ' + output());
                if (said != expected && !told && !unheard)
                    lies.append(where + ":\n" + said.left(2000));
                static_cast<void>(run(verb, fault, 0, &said));
                if (said != expected)
                    lies.append(where + ", the next time:\n" + said.left(2000));
            }
            qInfo("total: %d verbs with a read that fails", rounds);
        }
        QVERIFY2(lies.isEmpty(), QByteArray::number(lies.size()) + " lies:\n" + lies.join("\n---\n") +
                                     "\ninstead of:\n" + expected.left(2000));
    }

    /// The last calls write: a signal that interrupts one loses no line.
    void messagesAreWhole()
    {
        QByteArray expected, said;
        const QStringList verb = u"derive next --from main --cuda 12.9"_s.split(u' ');
        static_cast<void>(run(verb, Fault::Interrupted, 0, &expected)); // fills the cache
        const int calls = run(verb, Fault::Interrupted, 0, &said).calls[size_t(Fault::Interrupted)];
        int writes = 0; // threads wait for each other more or less often
        for (int n = calls + 10; n > 0 && writes < 2; --n) {
            writes += run(verb, Fault::Interrupted, n, &said).where.endsWith(' ' + output());
            QCOMPARE(said, expected);
        }
        QCOMPARE(writes, 2);
    }
};

TM_TEST(VerbUnreadTest, QCoreApplication)
#include "tst_verb_unread.moc"
