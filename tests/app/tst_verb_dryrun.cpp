// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QDir>
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace tmx::test;

/// What would be built, as real Nix says it, with a store and a binary cache of its own.
class VerbDryRunTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;
    QTemporaryDir m_folder;
    const QString m_name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
    const QString m_other = u"pytorch-python313-cuda12_8-sm80-avx2"_s;

    /// A derivation that needs another one.
    [[nodiscard]] static QByteArray recipe(const QByteArray &word)
    {
        return "let\n"
               "  make = name: text: derivation {\n"
               "    inherit name; system = builtins.currentSystem; builder = \"/bin/sh\";\n"
               "    args = [ \"-c\" \"echo ${text} > $out\" ];\n"
               "  };\n"
               "in make \"main-" +
               word + "\" \"of ${make \"part\" \"a part\"}\"\n";
    }
    void write(const QString &name, const QByteArray &text) const
    {
        m_fixture->write(u".flox/pkgs/%1.nix"_s.arg(name), text);
    }
    void useSubstituter(const QString &cache)
    {
        m_fixture->set(u"NIX_CONFIG"_s,
                       u"sandbox = false\nbuild-users-group =\nrequire-sigs = false\nsubstituters = "_s + cache);
    }
    [[nodiscard]] Ran nix(const QStringList &words) const
    {
        return m_fixture->run(words.constFirst(), words.sliced(1), {});
    }
    void clearStore() const
    {
        QCOMPARE(nix({u"chmod"_s, u"-R"_s, u"u+w"_s, m_folder.filePath(u"nix"_s)}).exitCode, 0);
        QVERIFY(QDir(m_folder.filePath(u"nix"_s)).removeRecursively());
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_fixture = std::make_unique<VerbFixture>();
        m_fixture->set(u"TORCH_MATRIX_STATE"_s, m_folder.filePath(u"state"_s));
        for (const char *part : {"store", "state", "log", "conf"})
            m_fixture->set(u"NIX_%1_DIR"_s.arg(QString::fromLatin1(part).toUpper()),
                           m_folder.filePath(u"nix/"_s + QLatin1StringView(part)));
        useSubstituter({});
        write(m_name, recipe("one"));
        write(m_other, recipe("two"));
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Build something tiny"_s});
    }

    void saysWhatWouldBeBuilt()
    {
        const QStringList verb{u"build"_s, u"--engine"_s, u"nix"_s, u"--dry-run"_s, m_name};
        const Ran ran = m_fixture->verb(verb);
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
        QVERIFY2(ran.out.startsWith(m_name.toUtf8() + ": 2 derivations to build\n"), ran.out.constData());
        QVERIFY2(ran.out.contains("-main-one.drv\n") && ran.out.contains("-part.drv\n"), ran.out.constData());
        // Nothing was queued, built or left behind.
        QVERIFY(m_fixture->verb({u"jobs"_s, u"--json"_s}).json()[u"jobs"_s].toArray().isEmpty());
        QVERIFY(m_fixture->git({u"status"_s, u"--porcelain"_s, u"--ignored"_s}).out.isEmpty());
        const Ran both = m_fixture->verb(verb + QStringList{m_other});
        QCOMPARE(both.out.count(": 2 derivations to build\n"), 2);
        QCOMPARE(both.out.count('\n'), 2);
        // The commit counts, whatever lies in the working tree and whichever branch is checked out.
        write(m_name, "broken");
        QVERIFY(m_fixture->verb(verb).out.contains("-main-one.drv\n"));
        m_fixture->git({u"checkout"_s, u"-qf"_s, u"cuda-13_0"_s});
        const Ran elsewhere = m_fixture->verb(verb + QStringList{u"--branch"_s, u"main"_s});
        QVERIFY2(elsewhere.out.contains("-main-one.drv\n"), elsewhere.err.constData());
        m_fixture->git({u"checkout"_s, u"-qf"_s, u"main"_s});
    }

    void leavesOutWhatIsThereAndWhatASubstituterHas()
    {
        const QStringList verb{u"build"_s, u"--engine"_s, u"nix"_s, u"--dry-run"_s, m_name};
        const QString file = m_fixture->sample() + u"/.flox/pkgs/%1.nix"_s.arg(m_name);
        const Ran built = nix({u"nix-build"_s, u"--no-out-link"_s, file});
        QVERIFY2(built.exitCode == 0, built.err.constData());
        QVERIFY(m_fixture->verb(verb).out.startsWith(m_name.toUtf8() + ": nothing to build or fetch\n"));
        const QString cache = u"file://"_s + m_folder.filePath(u"cache"_s);
        const Ran copied = nix({u"nix"_s, u"--extra-experimental-features"_s, u"nix-command"_s, u"copy"_s, u"--to"_s,
                                cache, QString::fromUtf8(built.out.trimmed())});
        QVERIFY2(copied.exitCode == 0, copied.err.constData());
        clearStore();
        QVERIFY(m_fixture->verb(verb).out.startsWith(m_name.toUtf8() + ": 2 derivations to build\n"));
        clearStore();
        useSubstituter(cache);
        const Ran fetched = m_fixture->verb(verb);
        QVERIFY2(fetched.exitCode == 0, fetched.err.constData());
        QVERIFY2(fetched.out.startsWith(m_name.toUtf8() + ": 1 path to fetch (0.00 MiB, 0.00 MiB unpacked)\n") ||
                     fetched.out.startsWith(m_name.toUtf8() + ": 2 paths to fetch (0.00 MiB, 0.00 MiB unpacked)\n"),
                 fetched.out.constData());
        // The other one has its own main derivation; the part is fetched.
        const Ran other = m_fixture->verb({u"build"_s, u"--engine"_s, u"nix"_s, u"--dry-run"_s, m_other});
        QVERIFY2(other.out.startsWith(m_other.toUtf8() + ": 1 derivation to build, 1 path to fetch ("),
                 other.out.constData());
        useSubstituter({});
    }

    /// Flox has no dry run: what would be queued, which says whether it is what was meant.
    void listsWhatFloxWouldBuild()
    {
        m_fixture->set(u"PATH"_s, QStringLiteral(TM_STANDINS) + u':' + qEnvironmentVariable("PATH"));
        const QByteArray line = m_name.toUtf8() + " of sample@main\n";
        for (const QStringList &options : {QStringList{m_name}, QStringList{m_name, u"--detach"_s},
                                           QStringList{u"--missing"_s}, QStringList{u"--missing"_s, u"--detach"_s}}) {
            const Ran ran = m_fixture->verb(QStringList{u"build"_s, u"--dry-run"_s} + options);
            QVERIFY2(ran.exitCode == 0 && ran.out.contains(line), ran.out + ran.err);
            QCOMPARE(ran.out.contains(m_other.toUtf8() + " of sample@main\n"), options.contains(u"--missing"_s));
        }
        QVERIFY(m_fixture->verb({u"jobs"_s, u"--json"_s}).json()[u"jobs"_s].toArray().isEmpty());
        m_fixture->set(u"PATH"_s, qEnvironmentVariable("PATH"));
    }

    void saysWhyItCannotSay()
    {
        write(m_name, "{ }: nothing.there\n");
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Break it"_s});
        const Ran broken = m_fixture->verb({u"build"_s, u"--engine"_s, u"nix"_s, u"--dry-run"_s, m_name});
        QCOMPARE(broken.exitCode, 3);
        QVERIFY2(broken.err.contains("undefined variable 'nothing'"), broken.err.constData());
        QVERIFY2(!broken.err.contains("at /"), broken.err.constData()); // Nix's trace
        write(m_name, "import (builtins.fetchTarball \"http://127.0.0.1:1/nixpkgs.tar.gz\")\n");
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Fetch from nowhere"_s});
        useSubstituter(u"\ndownload-attempts = 1"_s);
        const Ran offline = m_fixture->verb({u"build"_s, u"--engine"_s, u"nix"_s, u"--dry-run"_s, m_name});
        QCOMPARE(offline.exitCode, 3);
        QVERIFY2(offline.err.contains("A download failed: ") && !offline.err.contains("fetchTarball"),
                 offline.err.constData());
        useSubstituter({});
    }
};

TM_TEST(VerbDryRunTest, QCoreApplication)
#include "tst_verb_dryrun.moc"
