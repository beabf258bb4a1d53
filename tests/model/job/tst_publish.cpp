// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Publish.h"

#include "model/base/Process.h"
#include "model/base/Programs.h"
#include "tests/support/BuildRepository.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>

#include <functional>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// A repository that flox publishes from: committed, with a remote that has the commit.
class PublishRepository : public BuildRepository
{
public:
    PublishRepository()
    {
        const QString remote = m_remote.filePath(u"remote.git"_s);
        git({u"init"_s, u"-q"_s, u"--bare"_s, remote});
        git({u"branch"_s, u"-M"_s, u"main"_s});
        git({u"remote"_s, u"add"_s, u"origin"_s, remote});
        git({u"push"_s, u"-q"_s, u"-u"_s, u"origin"_s, u"main"_s});
    }

private:
    QTemporaryDir m_remote;
};

QStringList failing(const QList<PublishCondition> &conditions)
{
    QStringList ids;
    for (const PublishCondition &condition : conditions) {
        if (!condition.holds)
            ids.append(condition.id);
    }
    return ids;
}

} // namespace

using Change = std::function<void(const PublishRepository &)>;

class tst_Publish : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void namesEachConditionAlone_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QByteArray>("behaviour");
        QTest::addColumn<QStringList>("ids");
        QTest::addColumn<QString>("flox"); // what flox itself says of it
        const auto row = [](const char *name, const Change &change, const QByteArray &behaviour, const QStringList &ids,
                            const QString &says) { QTest::newRow(name) << change << behaviour << ids << says; };
        row("all hold", [](const PublishRepository &) {}, "already", {}, {});
        row("login", [](const PublishRepository &) {}, "logged-out", {u"login"_s}, u"You are not logged in"_s);
        row(
            "environment",
            [](const PublishRepository &r) {
                r.git({u"rm"_s, u"-q"_s, u"--cached"_s, u".flox/env.json"_s});
                QFile::remove(r.path() + u"/.flox/env.json"_s);
                r.git({u"commit"_s, u"-qm"_s, u"x"_s});
                r.git({u"push"_s, u"-q"_s});
            },
            "", {u"environment"_s, u"environment-tracked"_s}, u"Did not find an environment"_s);
        row(
            "locked",
            [](const PublishRepository &r) {
                r.git({u"rm"_s, u"-q"_s, u".flox/env/manifest.lock"_s});
                r.git({u"commit"_s, u"-qm"_s, u"x"_s});
                r.git({u"push"_s, u"-q"_s});
            },
            "", {u"locked"_s, u"environment-tracked"_s}, u"must be locked"_s);
        row(
            "recipe not tracked",
            [](const PublishRepository &r) {
                r.git({u"rm"_s, u"-q"_s, u"--cached"_s, PublishRepository::recipe()});
                r.git({u"commit"_s, u"-qm"_s, u"x"_s});
                r.git({u"push"_s, u"-q"_s});
            },
            "", {u"tracked"_s}, u"does not appear to be tracked"_s);
        row(
            "no recipe",
            [](const PublishRepository &r) {
                r.git({u"rm"_s, u"-q"_s, PublishRepository::recipe()});
                r.git({u"commit"_s, u"-qm"_s, u"x"_s});
                r.git({u"push"_s, u"-q"_s});
            },
            "", {u"recipe"_s}, u"not found"_s);
        row(
            "environment not tracked",
            [](const PublishRepository &r) {
                r.git({u"rm"_s, u"-q"_s, u"--cached"_s, u".flox/env/manifest.toml"_s});
                r.git({u"commit"_s, u"-qm"_s, u"x"_s});
                r.git({u"push"_s, u"-q"_s});
            },
            "", {u"environment-tracked"_s}, u"Not all environment files"_s);
        row(
            "dirty", [](const PublishRepository &r) { r.write(r.recipe(), "{ }: 1\n"); }, "", {u"clean"_s},
            u"dirty tracked files"_s);
        row("a new file is not dirty", [](const PublishRepository &r) { r.write(u"new"_s, "x"); }, "already", {}, {});
        row(
            "no upstream", [](const PublishRepository &r) { r.git({u"checkout"_s, u"-qb"_s, u"other"_s}); }, "",
            {u"upstream"_s, u"pushed"_s}, u"no upstream"_s);
        row(
            "not pushed",
            [](const PublishRepository &r) {
                r.write(u"x"_s, "x");
                r.git({u"add"_s, u"x"_s});
                r.git({u"commit"_s, u"-qm"_s, u"x"_s});
            },
            "", {u"pushed"_s}, u"not present on remote"_s);
    }

    /// Each condition that we report fails, and flox, called anyway, refuses for the same reason.
    void namesEachConditionAlone()
    {
        QFETCH(Change, change);
        QFETCH(QByteArray, behaviour);
        QFETCH(QStringList, ids);
        QFETCH(QString, flox);
        const PublishRepository repository;
        change(repository);
        standInActs(behaviour);
        const QString program = findProgram(u"flox"_s);
        const PublishProbes probes = probePublish(repository.path(), {repository.package()}, program);
        const QList<PublishCondition> conditions = publishConditions(probes);
        QCOMPARE(conditions.size(), 10);
        QCOMPARE(failing(conditions), ids);
        QCOMPARE(canPublish(conditions), ids.isEmpty());
        for (const PublishCondition &condition : conditions)
            QVERIFY2(condition.sentence.endsWith(u'.'), qPrintable(condition.sentence));
        const ProcessRun run = runProcess(
            {.program = program, .arguments = publishArguments(repository.path(), repository.package(), u"org"_s)},
            64 * 1024);
        const QString output = QString::fromUtf8(run.output);
        QCOMPARE(run.outcome.succeeded(), flox.isEmpty());
        if (!flox.isEmpty())
            QVERIFY2(publishError(output).contains(flox), qPrintable(publishError(output)));
        else
            QCOMPARE(publishEnd(true, output), PublishEnd::Published);
    }

    void namesAMissingFlox()
    {
        const PublishRepository repository;
        QCOMPARE(failing(publishConditions(probePublish(repository.path(), {repository.package()}, {}))),
                 (QStringList{u"flox"_s, u"login"_s}));
    }

    void readsHowItEnded()
    {
        QCOMPARE(publishEnd(true, u"✔ Package published successfully.\n"_s), PublishEnd::Published);
        QCOMPARE(publishEnd(true, u"?? Package already published.\n"_s), PublishEnd::AlreadyPublished);
        QCOMPARE(publishEnd(false, u"✔ Package published successfully.\n"_s), PublishEnd::Failed);
        QCOMPARE(
            publishError(u"x\n❌ ERROR: The environment is in an unsupported state for publishing: It is bad.\n"_s),
            u"It is bad."_s);
        QCOMPARE(publishError(u"a\nlast\n"_s), u"last"_s);
        QCOMPARE(publishError({}), QString());
        QCOMPARE(publishedName(u"x"_s, u"org"_s, {}), u"org/x"_s);
        QCOMPARE(publishedName(u"x"_s, {}, u"Use 'flox install user/x' to install it."_s), u"user/x"_s);
        QCOMPARE(publishedName(u"x"_s, {}, u"Use 'flox install user/y' to install it."_s), u"x"_s);
        QCOMPARE(installCommand(u"org/x"_s), u"flox install org/x"_s);
        QCOMPARE(publishArguments(u"/r"_s, u"x"_s, u"o"_s, u"stable"_s),
                 (QStringList{u"publish"_s, u"-d"_s, u"/r"_s, u"-o"_s, u"o"_s, u"--stability"_s, u"stable"_s, u"x"_s}));
    }
};

TM_TEST(tst_Publish, QCoreApplication)
#include "tst_publish.moc"
