// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/GitError.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <dlfcn.h>
#include <git2/sys/errors.h>

using namespace Qt::StringLiterals;
using namespace tmx;

/// Errors of libgit2, in words of git's documentation.
class GitErrorTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// Every text of the library itself: none of its own terms is left, whatever part reports it.
    void noTextOfTheLibraryIsRaw()
    {
        Dl_info library{};
        QVERIFY(::dladdr(reinterpret_cast<const void *>(&git_libgit2_init), &library) != 0);
        QFile file(QString::fromLocal8Bit(library.dli_fname));
        QVERIFY2(file.open(QIODevice::ReadOnly), library.dli_fname);
        startGit();
        static const QRegularExpression text(u"[\\x20-\\x7e]{12,300}"_s);
        static const QRegularExpression sentence(u"^[a-zA-Z][^;{}]* [^;{}]*$"_s);
        static const QRegularExpression raw(
            u"git_|git2|\\b(?:oid|odb|refdb|zlib|mmap|packfile|delta|peeled|backend|fanout|object id)\\b"_s,
            QRegularExpression::CaseInsensitiveOption);
        int seen = 0;
        int changed = 0;
        for (auto match = text.globalMatch(QString::fromLatin1(file.readAll())); match.hasNext();) {
            const QString said = match.next().captured();
            if (!sentence.match(said).hasMatch())
                continue;
            ++seen;
            for (const int part : {GIT_ERROR_ODB, GIT_ERROR_INDEX, GIT_ERROR_REFERENCE, GIT_ERROR_CONFIG,
                                   GIT_ERROR_REPOSITORY, GIT_ERROR_ZLIB}) {
                git_error_set_str(part, said.toLatin1().constData());
                const QString words = gitWords();
                QVERIFY2(!words.isEmpty() && !raw.match(words).hasMatch(), qPrintable(said + u" => "_s + words));
                changed += part == GIT_ERROR_ODB && words != said;
            }
        }
        QVERIFY2(seen > 500 && changed > 50, qPrintable(u"%1 texts, %2 of them raw"_s.arg(seen).arg(changed)));
    }

    void sizesThatChangeAreNoNumbers()
    {
        startGit();
        git_error_set_str(GIT_ERROR_OS, "could not read (expected 380 bytes, read 323)");
        QCOMPARE(gitWords(), u"it changed while it was read; try again"_s);
    }

    /// What names a file, a branch or a key stays as it is.
    void whatNamesTheUsersThingsStays_data()
    {
        QTest::addColumn<QString>("said");
        for (const char *said :
             {"failed to open '/home/a/.git/index.lock': Permission denied", "reference 'refs/heads/x' not found",
              "cannot lock ref 'refs/heads/a', there are refs beneath that folder",
              "repository path '/r' is not owned by current user", "config value 'user.name' was not found",
              "failed to parse config file: missing ']' in section header (in /r/.git/config:3)"})
            QTest::newRow(said) << QString::fromLatin1(said);
    }
    void whatNamesTheUsersThingsStays()
    {
        QFETCH(QString, said);
        startGit();
        git_error_set_str(GIT_ERROR_OS, said.toLatin1().constData());
        QCOMPARE(gitWords(), said);
    }
};

TM_TEST(GitErrorTest, QCoreApplication)
#include "tst_giterror.moc"
