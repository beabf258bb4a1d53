// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Simultaneous commits of ours and of real git processes on one branch: each is made or refused with a sentence, and
// none is lost. TORCH_MATRIX_ROUNDS sets how many commits each side tries.
#include "tests/support/Changes.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <cstdio>
#include <thread>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::commitEdits;
using tmx::test::commitFiles;
using tmx::test::commitToNewBranch;
using tmx::test::Edit;
using tmx::test::GitFixture;
using tmx::test::opened;
using tmx::test::writeFile;

namespace {

int rounds()
{
    return test::rounds(25);
}

/// A side's report: the subjects of its successful commits, and the sentences of its failed ones.
struct Report {
    QStringList made;
    QStringList refused;
};

/// Each commit changes a file of its own, so that every one is worth a commit.
Report commitOurs(const QString &path, const QString &name, int count)
{
    Report report;
    const QString recipe = u".flox/pkgs/%1.nix"_s.arg(name);
    for (int i = 0; i < count; ++i) {
        const Repository repository = opened(path);
        const Result<RepositoryInfo> info = repository.info();
        const QString subject = u"%1 %2"_s.arg(name).arg(i);
        QFile file(path + u'/' + recipe);
        const std::optional<QByteArray> now =
            file.open(QIODevice::ReadOnly) ? std::optional(file.readAll()) : std::nullopt;
        if (const Result<Applied> written = writeFile(repository, recipe, subject.toUtf8() + '\n', now); !written) {
            report.refused.append(written.error().sentence());
            continue;
        }
        const Result<Applied> made = commitFiles(repository, {recipe}, subject, info->headCommit);
        if (made)
            report.made.append(subject);
        else
            report.refused.append(made.error().sentence());
    }
    return report;
}

/// Many edits in one commit: one file gets its next text, and a second one is created and deleted. A refused commit
/// leaves no trace on disk.
Report editOurs(const QString &path, const QString &name, int count)
{
    Report report;
    const QString recipe = u".flox/pkgs/%1.nix"_s.arg(name);
    const QString second = u".flox/pkgs/%1-second.nix"_s.arg(name);
    const auto now = [&path](const QString &relative) {
        QFile file(path + u'/' + relative);
        return file.open(QIODevice::ReadOnly) ? std::optional(file.readAll()) : std::nullopt;
    };
    for (int i = 0; i < count; ++i) {
        const Repository repository = opened(path);
        const Result<RepositoryInfo> info = repository.info();
        const QString subject = u"%1 %2"_s.arg(name).arg(i);
        const std::optional<QByteArray> seen = now(second);
        const QList<Edit> edits{{recipe, subject.toUtf8() + '\n', now(recipe)},
                                {second, seen ? std::nullopt : std::optional(subject.toUtf8() + '\n'), seen}};
        const Result<Applied> made = commitEdits(repository, u"main"_s, edits, subject, info->headCommit);
        if (made)
            report.made.append(subject);
        else
            report.refused.append(made.error().sentence());
    }
    return report;
}

/// A second process of ours: this test program, told to edit (main()).
Report editInAnotherProcess(const QString &path, const QString &name, int count)
{
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(),
                  {u"tst_race"_s, u"--edit"_s, path, name, QString::number(count)});
    if (!process.waitForFinished(-1) || process.exitCode() != 0)
        qFatal("the other process failed: %s", process.readAllStandardError().constData());
    Report report;
    for (const QString &line : QString::fromUtf8(process.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts))
        (line.startsWith(u'+') ? report.made : report.refused).append(line.mid(1));
    return report;
}

int editAndTell(const QStringList &arguments)
{
    const Report report = editOurs(arguments.at(0), arguments.at(1), arguments.at(2).toInt());
    for (const QString &subject : report.made)
        std::printf("+%s\n", qPrintable(subject));
    for (const QString &sentence : report.refused)
        std::printf("-%s\n", qPrintable(QString(sentence).replace(u'\n', u' ')));
    return 0;
}

/// `git commit` in a terminal: alternately with a path (holds the index's lock all the time) and with the index.
Report commitByGit(const QString &path, const QString &name, int count)
{
    Report report;
    const QString recipe = u".flox/pkgs/%1.nix"_s.arg(name);
    const auto git = [&](const QStringList &arguments, QByteArray *output) {
        QProcess process;
        process.setWorkingDirectory(path);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(u"git"_s, arguments);
        if (!process.waitForFinished(60000))
            qFatal("git did not end");
        *output = process.readAll();
        return process.exitCode() == 0;
    };
    // git does not wait for a lock. It goes on until the others, who do, have let it commit.
    for (int i = 0; i < count || report.made.isEmpty(); ++i) {
        const QString subject = u"%1 %2"_s.arg(name).arg(i);
        QFile file(path + u'/' + recipe);
        if (!file.open(QIODevice::WriteOnly) || file.write(subject.toUtf8() + '\n') < 0)
            qFatal("cannot write");
        file.close();
        QByteArray output;
        const bool staged = git({u"add"_s, recipe}, &output);
        QStringList commit{u"commit"_s, u"--quiet"_s, u"-m"_s, subject};
        if (i % 2)
            commit.append({u"--"_s, recipe});
        if (staged && git(commit, &output))
            report.made.append(subject);
        else
            report.refused.append(QString::fromUtf8(output));
    }
    return report;
}

} // namespace

class TestRace : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void oursAgainstGit()
    {
        const GitFixture f;
        f.commitFile(u".flox/pkgs/a.nix"_s, "a\n");
        Report ours;
        Report theirs;
        std::thread git([&] { theirs = commitByGit(f.path(), u"git"_s, rounds()); });
        ours = commitOurs(f.path(), u"ours"_s, rounds());
        git.join();
        check(f, {ours, theirs});
        qInfo("ours: %d made, %d refused; git: %d made, %d refused", int(ours.made.size()), int(ours.refused.size()),
              int(theirs.made.size()), int(theirs.refused.size()));
    }

    void oursAgainstOurs()
    {
        const GitFixture f;
        f.commitFile(u".flox/pkgs/a.nix"_s, "a\n");
        Report one;
        Report two;
        std::thread other([&] { two = commitOurs(f.path(), u"two"_s, rounds()); });
        one = commitOurs(f.path(), u"one"_s, rounds());
        other.join();
        check(f, {one, two});
        QVERIFY(!one.made.isEmpty() && !two.made.isEmpty());
    }

    // A window's plan, another process of ours and a person in a terminal on one branch.
    void manyEditsAgainstGitAndAnotherProcess()
    {
        const GitFixture f;
        f.commitFile(u".flox/pkgs/a.nix"_s, "a\n");
        Report ours;
        Report process;
        Report theirs;
        std::thread git([&] { theirs = commitByGit(f.path(), u"git"_s, rounds()); });
        std::thread other([&] { process = editInAnotherProcess(f.path(), u"process"_s, rounds()); });
        ours = editOurs(f.path(), u"ours"_s, rounds());
        git.join();
        other.join();
        check(f, {ours, process, theirs});
        QVERIFY(!process.made.isEmpty() && !theirs.made.isEmpty());
        // Our files, index and branch are consistent.
        QByteArrayList open = f.status().split('\n');
        open.removeIf([](const QByteArray &line) { return line.isEmpty() || line.endsWith("/git.nix"); });
        QCOMPARE(open, QByteArrayList());
        qInfo("ours: %d made, %d refused; another process: %d, %d; git: %d, %d", int(ours.made.size()),
              int(ours.refused.size()), int(process.made.size()), int(process.refused.size()), int(theirs.made.size()),
              int(theirs.refused.size()));
    }

    // Of several processes that create the same branch one succeeds, and its commit is there.
    void makingTheSameBranch()
    {
        const GitFixture f;
        const QString base = f.commitFile(u".flox/pkgs/a.nix"_s, "a\n");
        for (int i = 0; i < rounds(); ++i) {
            const QString branch = u"line/%1"_s.arg(i);
            std::optional<Result<Applied>> results[2];
            const auto make = [&](int side) {
                const QByteArray text = QByteArray::number(side) + '\n';
                results[side] = commitToNewBranch(opened(f.path()), branch, base,
                                                  {{u".flox/pkgs/b.nix"_s, text, std::nullopt}}, u"Derive"_s);
            };
            int byGit = 1;
            std::thread one(make, 0);
            std::thread git([&] { byGit = f.tryGit({u"branch"_s, branch, base}); });
            make(1);
            one.join();
            git.join();
            const int made = (byGit == 0) + results[0]->ok() + results[1]->ok();
            QCOMPARE(made, 1);
            for (const auto &result : results) {
                if (result->ok())
                    QCOMPARE(f.git({u"rev-parse"_s, branch}), (*result)->commit.toLatin1());
            }
            if (byGit == 0)
                QCOMPARE(f.git({u"rev-parse"_s, branch}), base.toLatin1());
        }
        qInfo("total: %d races", rounds());
        QCOMPARE(f.fsck(), ""_ba);
    }

private:
    /// Every commit reported as successful is in the branch, once; every refusal is one of the expected sentences.
    static void check(const GitFixture &f, const QList<Report> &reports)
    {
        QStringList expected{u"Add a file"_s};
        // "nothing to commit" is not among them: what git add had staged would have been lost.
        static const QRegularExpression reasons(
            u"moved meanwhile|holds its lock|keeps changing|index.lock|cannot lock ref|Unable to create"_s);
        for (const Report &report : reports) {
            expected.append(report.made);
            for (const QString &sentence : report.refused)
                QVERIFY2(reasons.match(sentence).hasMatch(), qPrintable(sentence));
        }
        QStringList history = QString::fromUtf8(f.git({u"log"_s, u"--format=%s"_s})).split(u'\n');
        expected.sort();
        history.sort();
        QCOMPARE(history, expected);
        QCOMPARE(f.fsck(), ""_ba);
        QVERIFY(!QFile::exists(f.path(u".git/index.lock"_s)));
        QVERIFY(!QFile::exists(f.path(u".git/HEAD.lock"_s)));
        QVERIFY(!QFile::exists(f.path(u".git/refs/heads/main.lock"_s)));
        qsizetype races = 0;
        for (const Report &report : reports)
            races += report.made.size() + report.refused.size();
        qInfo("total: %lld races", races);
    }
};

static int testMain(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (const QStringList arguments = QCoreApplication::arguments(); arguments.value(1) == u"--edit"_s)
        return editAndTell(arguments.mid(2));
    TestRace test;
    return QTest::qExec(&test, argc, argv);
}

TM_TEST_MAIN(testMain)
#include "tst_race.moc"
