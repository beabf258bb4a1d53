// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Verbs that would write a recipe with an error stop, say which, and go on when they are told to.
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QRegularExpression>

using namespace tmx::test;
using namespace Qt::StringLiterals;

class VerbForceTest : public QObject
{
    Q_OBJECT

    static QByteArray countOf(const VerbFixture &fixture)
    {
        return fixture.git({u"rev-list"_s, u"--count"_s, u"--all"_s}).out;
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// main's pin contains 2.8.0: recipes would state 2.10.0 and build 2.8.0.
    void anotherVersionOfTheSamePin()
    {
        const VerbFixture fixture;
        const QStringList derive{u"derive"_s, u"next"_s, u"--from"_s, u"main"_s, u"--pytorch"_s, u"2.10.0"_s};
        const Ran shown = fixture.verb(derive);
        for (const char *words :
             {"error: nixpkgs fe5e41d7ff has PyTorch 2.8.0, not 2.10.0", "hashes.pytorch", "nix-prefetch-git",
              "https://github.com/pytorch/pytorch", "refs/tags/v2.10.0", "--fetch-submodules"})
            QVERIFY2(shown.err.contains(words), shown.err.constData());
        const Ran refused = fixture.verb(derive + QStringList{u"--apply"_s});
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.contains("the audit finds an error in the new text") &&
                     refused.err.contains("--force writes it anyway"),
                 refused.err.constData());
        QVERIFY(fixture.git({u"branch"_s, u"--list"_s, u"next"_s}).out.isEmpty());
        const Ran forced = fixture.verb(derive + QStringList{u"--apply"_s, u"--force"_s});
        QVERIFY2(forced.exitCode == 0, forced.err.constData());
        QVERIFY(forced.err.contains("error: nixpkgs fe5e41d7ff has PyTorch 2.8.0, not 2.10.0"));
        QVERIFY(!fixture.git({u"branch"_s, u"--list"_s, u"next"_s}).out.isEmpty());
    }

    void nameThatIsThere()
    {
        const VerbFixture fixture;
        for (const QString &name : {u"cuda-12_9"_s, u"a..b"_s}) {
            const Ran shown = fixture.verb({u"derive"_s, name, u"--from"_s, u"main"_s});
            QCOMPARE(shown.exitCode, name.contains(".."_L1) ? 2 : 3); // the one could never be
            QVERIFY2(shown.err.contains(name.toUtf8()), shown.err.constData());
        }
    }

    /// Settings with a notation that PyTorch does not read.
    void recipesWithErrors()
    {
        const VerbFixture fixture;
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const QString file = u".flox/pkgs/"_s + name + u".nix"_s;
        fixture.write(u"torch-matrix.toml"_s, "base = 'main'\narch_notation = 'sm'\n");
        static const QRegularExpression target(u"gpuArchSM = \"(\\d+)\\.(\\d)\""_s);
        const QDir folder(fixture.sample() + u"/.flox/pkgs"_s);
        for (const QString &recipe : folder.entryList({u"*-cuda*"_s})) {
            QString text = QString::fromUtf8(fixture.read(u".flox/pkgs/"_s + recipe));
            fixture.write(u".flox/pkgs/"_s + recipe, text.replace(target, u"gpuArchSM = \"sm_\\1\\2\""_s).toUtf8());
        }
        fixture.git({u"add"_s, u"."_s});
        fixture.git({u"commit"_s, u"-qm"_s, u"Insist"_s});
        fixture.git({u"rm"_s, u"-q"_s, file});
        fixture.git({u"commit"_s, u"-qm"_s, u"Take one out"_s});
        const QByteArray commits = countOf(fixture);

        const Ran generate = fixture.verb({u"generate"_s, name});
        QCOMPARE(generate.exitCode, 3);
        QVERIFY2(generate.err.contains("error: "_ba + file.toUtf8() + ": PyTorch does not read \"sm_90\""),
                 generate.err.constData());
        QVERIFY(!QFile::exists(fixture.sample() + u'/' + file));
        const Ran plan = fixture.verb({u"plan"_s, u"--only"_s, name, u"--apply"_s});
        QCOMPARE(plan.exitCode, 3);
        QCOMPARE(countOf(fixture), commits);
        QVERIFY(fixture.git({u"status"_s, u"--porcelain"_s}).out.isEmpty());

        const Ran forced = fixture.verb({u"generate"_s, name, u"--force"_s});
        QVERIFY2(forced.exitCode == 0, forced.err.constData());
        QVERIFY(fixture.read(file).contains("sm_90"));
    }

    /// One finding is resolved while another stays; a recipe that was broken before may be written with its old errors.
    void errorsOfBefore()
    {
        const VerbFixture fixture;
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const QString file = u".flox/pkgs/"_s + name + u".nix"_s;
        QByteArray text = fixture.read(file);
        text.replace("gpuArchSM = \"9.0\"", "gpuArchSM = \"sm_90\"")
            .replace("[ \"x86_64-linux\" ]", "[ \"aarch64-linux\" ]");
        fixture.write(file, text);
        QCOMPARE(fixture.verb({u"fix"_s, u"--apply"_s, name + u":platforms-other"_s}).exitCode, 0);
        QVERIFY(fixture.read(file).contains("[ \"x86_64-linux\" ]") && fixture.read(file).contains("sm_90"));
    }
};

TM_TEST(VerbForceTest, QCoreApplication)
#include "tst_verb_force.moc"
