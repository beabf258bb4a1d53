// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Commits of ours and of real git processes on one branch at the same time: each is made or refused with a sentence, and none is lost.
// TORCH_MATRIX_ROUNDS sets how many commits each side tries.
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <thread>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::GitFixture;
using tmx::test::opened;

namespace {

int rounds()
{
    bool given = false;
    const int number = qEnvironmentVariableIntValue("TORCH_MATRIX_ROUNDS", &given);
    return given ? number : 25;
}

/// What one side reports: the subjects of the commits that it was told were made, and the sentences of those that were not.
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
        const std::optional<QByteArray> now = file.open(QIODevice::ReadOnly) ? std::optional(file.readAll()) : std::nullopt;
        if (const Result<void> written = repository.writeRecipe(recipe, subject.toUtf8() + '\n', now); !written)
            qFatal("%s", qPrintable(written.error().sentence()));
        const Result<CommitResult> made = repository.commit({recipe}, subject, info->headCommit);
        if (made)
            report.made.append(subject);
        else
            report.refused.append(made.error().sentence());
    }
    return report;
}

/// `git commit` in the terminal: with a path (holds the index's lock all the time) and by way of the index, in turn.
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
    for (int i = 0; i < count; ++i) {
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

private:
    /// Every commit that was reported as made is in the branch, once; every refusal is a sentence of those that are meant for it.
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
    }
};

QTEST_GUILESS_MAIN(TestRace)
#include "tst_race.moc"
