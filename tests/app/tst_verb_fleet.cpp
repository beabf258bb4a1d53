// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/FleetFixture.h"
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace tmx::test;

/// overview, pins, match and the companions of compare, as a person runs them over real repositories.
class VerbFleetTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_program;
    std::unique_ptr<FleetFixture> m_fleet;
    [[nodiscard]] Ran verb(const QStringList &arguments) const { return m_program->verb(arguments); }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_program = std::make_unique<VerbFixture>();
        m_fleet = std::make_unique<FleetFixture>();
        m_fleet->commit(u"build-torch"_s, u"old"_s,
                        FleetFixture::torches(oldPin, "12_8", "python311", "2.8.0", {"avx2", "avx512"}));
        m_fleet->commit(u"build-torch"_s, u"new"_s,
                        FleetFixture::torches(newPin, "12_8", "python313", "2.9.1", {"avx2", "avx512"}));
        m_fleet->commit(u"serve"_s, u"main"_s,
                        FleetFixture::served(newPin, "12_8", "python313", "2.9.1", {"avx2", "avx"}));
    }

    void overviewOfAFolder()
    {
        const Ran ran = verb({u"overview"_s, m_fleet->path(), u"--json"_s});
        QCOMPARE(ran.exitCode, 0);
        QVERIFY2(ran.err.isEmpty(), ran.err.constData());
        const QJsonArray branches = ran.json()[u"branches"_s].toArray();
        QCOMPARE(branches.size(), 3);
        QCOMPARE(branches.at(0)[u"branch"_s].toString(), u"new"_s);
        QCOMPARE(branches.at(0)[u"recipes"_s].toInt(), 2);
        QCOMPARE(branches.at(0)[u"versions"_s][u"pytorch"_s][0].toString(), u"2.9.1"_s);
        QCOMPARE(branches.at(2)[u"torch"_s][u"needed"_s].toInt(), 2);
        QCOMPARE(branches.at(2)[u"torch"_s][u"covered"_s].toInt(), 1);
        QCOMPARE(branches.at(2)[u"torch"_s][u"branch"_s].toString(), u"new"_s);
        const Ran table = verb({u"overview"_s, m_fleet->path()});
        QCOMPARE(table.exitCode, 0);
        QCOMPARE(table.out.count('\n'), 4);
        QVERIFY2(table.out.contains("1/2 build-torch@new"), table.out.constData());
    }

    /// Settings that cannot be read are told of, whatever else the table says.
    void brokenSettingsAreTold()
    {
        const QString serve = m_fleet->path(u"serve"_s);
        QFile file(serve + u"/torch-matrix.toml"_s);
        QVERIFY(!file.exists() && file.open(QIODevice::WriteOnly));
        file.write("families = [\n");
        file.close();
        for (const QString &name : {u"overview"_s, u"pins"_s}) {
            const Ran ran = verb({name, serve});
            QVERIFY2(ran.err.contains("serve@main: ") && ran.err.contains("torch-matrix.toml"), ran.err.constData());
            QVERIFY(ran.exitCode == 1 && !ran.out.isEmpty());
        }
        QVERIFY(file.remove());
    }

    void repositoriesAreRemembered()
    {
        QCOMPARE(verb({u"overview"_s}).exitCode, 3);
        QCOMPARE(verb({u"overview"_s, u"--add"_s}).exitCode, 2);
        QCOMPARE(verb({u"overview"_s, u"/nowhere"_s}).exitCode, 2);
        QCOMPARE(verb({u"overview"_s, u"--add"_s, m_fleet->path(u"serve"_s)}).exitCode, 0);
        const Ran known = verb({u"overview"_s, u"--json"_s});
        QCOMPARE(known.json()[u"branches"_s].toArray().size(), 1);
        QCOMPARE(verb({u"overview"_s, u"--forget"_s, m_fleet->path(u"serve"_s)}).exitCode, 0);
        QCOMPARE(verb({u"overview"_s}).exitCode, 3);
    }

    void pinsAndTheirPlaces()
    {
        const Ran ran = verb({u"pins"_s, m_fleet->path(), u"--json"_s});
        QCOMPARE(ran.exitCode, 0);
        QCOMPARE(ran.json()[u"pins"_s].toArray().size(), 2);
        QCOMPARE(ran.json()[u"pins"_s][0][u"revision"_s].toString(), QString::fromLatin1(newPin));
        const Ran places = verb({u"pins"_s, m_fleet->path(), QString::fromLatin1(newPin.left(8)), u"--json"_s});
        QCOMPARE(places.exitCode, 0);
        QCOMPARE(places.json()[u"places"_s].toArray().size(), 4);
        QCOMPARE(verb({u"pins"_s, m_fleet->path(), u"9999999"_s}).exitCode, 3);
        QCOMPARE(verb({u"pins"_s, m_fleet->path(), u"9999999"_s, u"8888888"_s}).exitCode, 2);
    }

    void matchNamesTheBestFirst()
    {
        const Ran ran = verb({u"match"_s, m_fleet->path(u"serve"_s), m_fleet->path(u"build-torch"_s)});
        QCOMPARE(ran.exitCode, 0);
        const QByteArrayList lines = ran.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines.at(0).startsWith("build-torch@new"), ran.out.constData());
        QVERIFY2(lines.at(1).contains("Python 3.11 instead of 3.13"), ran.out.constData());
        const Ran old =
            verb({u"match"_s, m_fleet->path(u"build-torch"_s) + u"@old"_s, m_fleet->path(u"serve"_s), u"--json"_s});
        QCOMPARE(old.exitCode, 1);
        QCOMPARE(old.json()[u"matches"_s][0][u"fitting"_s].toInt(), 0);
        QCOMPARE(verb({u"match"_s, m_fleet->path(u"serve"_s) + u"@none"_s, m_fleet->path(u"build-torch"_s)}).exitCode,
                 3);
        QCOMPARE(verb({u"match"_s, m_fleet->path(), m_fleet->path(u"serve"_s)}).exitCode, 2);
    }

    /// One change over several repositories: every change is shown, and all are prepared before the first is made.
    void changesSeveralRepositories()
    {
        const QString torch = m_fleet->path(u"build-torch"_s) + u"@new"_s;
        const QString serve = m_fleet->path(u"serve"_s);
        const QByteArray pin = "3c33333cccc3333333333333333333333333333c";
        const auto head = [&](const QString &repository, const QString &branch) {
            return m_fleet->git(repository, {u"rev-parse"_s, branch});
        };
        const QByteArray torchBefore = head(u"build-torch"_s, u"new"_s);
        const QByteArray serveBefore = head(u"serve"_s, u"main"_s);
        const QStringList migrate{u"migrate"_s, u"--pin"_s, QString::fromLatin1(pin), u"--in-place"_s, u"--in"_s, torch,
                                  u"--in"_s,    serve};
        const Ran shown = verb(migrate);
        QVERIFY2(shown.exitCode == 0, shown.err.constData());
        QVERIFY2(shown.out.contains("# build-torch@new\n") && shown.out.contains("# serve@main\n"),
                 shown.out.constData());
        QCOMPARE(head(u"build-torch"_s, u"new"_s), torchBefore);
        // One that cannot be prepared keeps all from being made.
        const Ran none = verb(migrate + QStringList{u"--in"_s, serve + u"@none"_s, u"--apply"_s});
        QCOMPARE(none.exitCode, 3);
        QVERIFY2(none.err.contains("Nothing is written."), none.err.constData());
        QCOMPARE(verb(migrate + QStringList{u"--in"_s, serve, u"--apply"_s}).exitCode, 3);
        QCOMPARE(head(u"build-torch"_s, u"new"_s), torchBefore);
        QCOMPARE(head(u"serve"_s, u"main"_s), serveBefore);
        QCOMPARE(verb(migrate + QStringList{u"--branch"_s, u"main"_s}).exitCode, 2);
        // So does one that could not be committed to.
        const auto refuses = [&](const char *because) {
            const Ran refused = verb(migrate + QStringList{u"--apply"_s});
            return refused.exitCode == 3 && refused.err.contains("Nothing is written.") &&
                   refused.err.contains(because) && head(u"build-torch"_s, u"new"_s) == torchBefore &&
                   head(u"serve"_s, u"main"_s) == serveBefore;
        };
        for (const QString &lock : {u"index.lock"_s, u"refs/heads/main.lock"_s}) {
            QFile file(serve + u"/.git/"_s + lock);
            QVERIFY(file.open(QIODevice::WriteOnly));
            QVERIFY(refuses("another git process holds"));
            file.remove();
        }
        m_fleet->git(u"serve"_s, {u"checkout"_s, u"-q"_s, u"--detach"_s});
        QVERIFY(refuses("HEAD is detached"));
        m_fleet->git(u"serve"_s, {u"checkout"_s, u"-q"_s, u"main"_s});

        const Ran done = verb(migrate + QStringList{u"--apply"_s, u"--json"_s});
        QVERIFY2(done.exitCode == 0, done.err.constData());
        const QJsonArray changes = done.json()[u"changes"_s].toArray();
        QCOMPARE(changes.size(), 2);
        for (const QJsonValue &change : changes)
            QVERIFY(change[u"applied"_s].toBool() && !change[u"commit"_s].toString().isEmpty());
        for (const auto &[repository, branch, before] :
             {std::tuple(u"build-torch"_s, u"new"_s, torchBefore), std::tuple(u"serve"_s, u"main"_s, serveBefore)}) {
            QCOMPARE(head(repository, branch + u'^'), before);
            QVERIFY(!m_fleet->git(repository, {u"grep"_s, u"-l"_s, QString::fromLatin1(pin), branch}).isEmpty());
        }
        // Each is undone by itself.
        QCOMPARE(verb({u"plan"_s, u"--undo"_s, u"--apply"_s, u"--repo"_s, serve, u"--branch"_s, u"main"_s}).exitCode,
                 0);
        QCOMPARE(m_fleet->git(u"serve"_s, {u"diff"_s, QString::fromLatin1(serveBefore), u"main"_s}), QByteArray());
        QVERIFY(head(u"build-torch"_s, u"new"_s) != torchBefore);
    }

    void derivesAndFixesInSeveralRepositories()
    {
        const QStringList sides{u"--in"_s, m_fleet->path(u"build-torch"_s) + u"@new"_s, u"--in"_s,
                                m_fleet->path(u"serve"_s)};
        const Ran derived = verb(QStringList{u"derive"_s, u"next"_s, u"--apply"_s} + sides);
        QVERIFY2(derived.exitCode == 0, derived.err.constData());
        QCOMPARE(derived.err.count("To undo it: "), 2);
        for (const QString &repository : {u"build-torch"_s, u"serve"_s})
            QVERIFY(!m_fleet->git(repository, {u"branch"_s, u"--list"_s, u"next"_s}).isEmpty());
        QCOMPARE(verb(QStringList{u"derive"_s, u"next"_s, u"--apply"_s} + sides).exitCode, 3); // it exists
        const Ran fixed = verb(QStringList{u"fix"_s, u"--rule"_s, u"gpu-targets-notation"_s, u"--json"_s} + sides);
        QVERIFY2(fixed.exitCode < 2, fixed.err.constData());
        QCOMPARE(fixed.json()[u"changes"_s].toArray().size(), 2);
        QCOMPARE(verb(QStringList{u"fix"_s, u"--rule"_s, u"no-such-rule"_s} + sides).exitCode, 3);
    }

    void compareCountsOnlyTheTorchThatBelongs()
    {
        const QString serve = m_fleet->path(u"serve"_s);
        const auto summary = [&](const QString &branch) {
            const Ran ran = verb({u"compare"_s, u"--repo"_s, serve, u"main"_s,
                                  m_fleet->path(u"build-torch"_s) + u'@' + branch, u"--json"_s});
            return ran.json()[u"summary"_s].toString();
        };
        QVERIFY2(summary(u"new"_s).startsWith(u"1 of 2 vllm"_s), qPrintable(summary(u"new"_s)));
        QVERIFY2(summary(u"old"_s).startsWith(u"0 of 2 vllm"_s), qPrintable(summary(u"old"_s)));
        QVERIFY2(summary(u"old"_s).contains(u"Python 3.11 instead of 3.13"_s), qPrintable(summary(u"old"_s)));
        // The same Python and toolkit, but another version of torch; then the right one at another pin.
        m_fleet->commit(u"build-torch"_s, u"version"_s,
                        FleetFixture::torches(newPin, "12_8", "python313", "2.8.0", {"avx2", "avx"}));
        QVERIFY2(summary(u"version"_s).startsWith(u"0 of 2 vllm"_s), qPrintable(summary(u"version"_s)));
        m_fleet->commit(u"build-torch"_s, u"pin"_s,
                        FleetFixture::torches(oldPin, "12_8", "python313", "2.9.1", {"avx2", "avx"}));
        QVERIFY2(summary(u"pin"_s).startsWith(u"2 of 2 vllm"_s), qPrintable(summary(u"pin"_s)));
        QVERIFY2(summary(u"pin"_s).contains(u"2 of them have another nixpkgs revision"_s),
                 qPrintable(summary(u"pin"_s)));
    }

    /// Packages without torch, with torch of no stated version, and of several versions.
    void compareAndMatchAgree()
    {
        const auto package = [](const QByteArray &family, const QByteArray &what, const QByteArray &isa) {
            return std::pair(FleetFixture::fileOf(family + "-python313-cuda12_8-sm90-" + isa),
                             pinnedRecipe(newPin, "12_8", "pinned.python313Packages." + what));
        };
        const QByteArray plain = ".overrideAttrs (old: { version = \"1.0\"; })";
        const QByteArray fetched = ".overrideAttrs (old: { src = pinned.fetchurl { url = \"x\"; }; })";
        m_fleet->commit(u"runtime"_s, u"main"_s,
                        {package("onnxruntime", "onnxruntime" + plain, "avx2"),
                         package("onnxruntime", "onnxruntime" + plain, "avx")});
        m_fleet->commit(u"vision"_s, u"main"_s,
                        {package("torchvision", "torchvision" + fetched, "avx2"),
                         package("torchvision", "torchvision" + fetched, "avx")});
        m_fleet->commit(u"visions"_s, u"main"_s,
                        {package("torchvision025-pt29", "torchvision" + plain, "avx2"),
                         package("torchvision025-pt29", "torchvision" + plain, "avx"),
                         package("torchvision026-pt211", "torchvision" + plain, "avx2"),
                         package("torchvision026", "torchvision" + fetched, "avx512")});
        // One recipe shows the version that the nixpkgs of the others has.
        QMap<QString, QByteArray> shown = FleetFixture::torches(newPin, "12_8", "python313", "2.9.1", {"avx512"});
        const auto silent = package("pytorch", "torch.overrideAttrs (old: { pname = \"x\"; })", "avx2");
        shown.insert(silent.first, silent.second);
        m_fleet->commit(u"build-torch"_s, u"shown"_s, shown);
        m_fleet->commit(
            u"build-torch"_s, u"overlaid"_s,
            {package("pytorch", "torch.overrideAttrs (old: { src = pinned.fetchurl { url = \"y\"; }; })", "avx2")});
        for (const QString &own : {u"serve"_s, u"runtime"_s, u"vision"_s, u"visions"_s}) {
            const QJsonArray matches =
                verb({u"match"_s, m_fleet->path(own), m_fleet->path(u"build-torch"_s), u"--json"_s})
                    .json()[u"matches"_s]
                    .toArray();
            QCOMPARE(matches.size(), 4);
            for (const QJsonValue &match : matches) {
                const QString other = m_fleet->path(u"build-torch"_s) + u'@' + match[u"branch"_s].toString();
                const QJsonObject compared =
                    verb({u"compare"_s, u"--repo"_s, m_fleet->path(own), u"main"_s, other, u"--json"_s}).json();
                const QString summary = compared[u"summary"_s].toString();
                const int unknown = match[u"not_known"_s].toInt();
                QVERIFY2(
                    summary.startsWith(u"%1 of %2 "_s.arg(match[u"fitting"_s].toInt()).arg(match[u"of"_s].toInt())),
                    qPrintable(own + other + u": "_s + summary));
                QVERIFY2(summary.contains(u"Of %1, it is not known"_s.arg(unknown)) == (unknown > 0),
                         qPrintable(own + other + u": "_s + summary));
            }
        }
    }
};

TM_TEST(VerbFleetTest, QCoreApplication)
#include "tst_verb_fleet.moc"
