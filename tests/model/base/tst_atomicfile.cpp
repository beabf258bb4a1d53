// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/AtomicFile.h"
#include "tests/support/GitFixture.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

struct Folder : QTemporaryDir {
    [[nodiscard]] QByteArray read(const QString &name) const
    {
        QFile file(filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : "(no file)"_ba;
    }
    /// Everything in it, folders with what they hold.
    [[nodiscard]] QString list(const QString &name = {}) const
    {
        QStringList names =
            QDir(filePath(name))
                .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
        return names.join(u' ');
    }
    [[nodiscard]] int mode(const QString &name) const
    {
        struct stat info{};
        return ::stat(QFile::encodeName(filePath(name)).constData(), &info) == 0 ? int(info.st_mode & 07777) : -1;
    }
};

} // namespace

class TestAtomicFile : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void writesANewFileAndItsFolders()
    {
        const Folder f;
        ::umask(022);
        QVERIFY_OK(writeFileAtomically(f.filePath(u"a/b/new"_s), "text", f.filePath(u"scratch"_s)));
        QCOMPARE(f.read(u"a/b/new"_s), "text"_ba);
        QCOMPARE(f.list(u"a/b"_s), u"new"_s);
        QCOMPARE(f.mode(u"a/b/new"_s), 0644);
    }

    void honoursTheUmask()
    {
        const Folder f;
        const mode_t before = ::umask(027);
        QVERIFY_OK(writeFileAtomically(f.filePath(u"new"_s), "text", {}));
        ::umask(before);
        QCOMPARE(f.mode(u"new"_s), 0640);
    }

    void replacesAndKeepsTheMode_data()
    {
        QTest::addColumn<QString>("scratch");
        QTest::newRow("scratch folder") << u"scratch"_s;
        QTest::newRow("scratch folder that is not there") << u"nowhere"_s;
        QTest::newRow("no scratch folder") << QString();
    }
    void replacesAndKeepsTheMode()
    {
        QFETCH(const QString, scratch);
        const Folder f;
        QDir(f.path()).mkpath(u"scratch"_s);
        QVERIFY_OK(writeFileAtomically(f.filePath(u"file"_s), "old, and longer", {}));
        QVERIFY(::chmod(QFile::encodeName(f.filePath(u"file"_s)).constData(), 0750) == 0);
        QVERIFY_OK(
            writeFileAtomically(f.filePath(u"file"_s), "new", scratch.isEmpty() ? QString() : f.filePath(scratch)));
        QCOMPARE(f.read(u"file"_s), "new"_ba);
        QCOMPARE(f.mode(u"file"_s), 0750);
        QCOMPARE(f.list(), u"file scratch"_s);
        QCOMPARE(f.list(u"scratch"_s), QString());
    }

    void refusesToReplaceWhenToldSo()
    {
        const Folder f;
        QVERIFY_OK(writeFileAtomically(f.filePath(u"file"_s), "old", {}, Existing::Refuse));
        QVERIFY_ERROR(writeFileAtomically(f.filePath(u"file"_s), "new", {}, Existing::Refuse), u"already exists");
        QCOMPARE(f.read(u"file"_s), "old"_ba);
    }

    // The last check runs when the draft is complete: a file created then must not be replaced by the draft.
    void doesNotReplaceWhatAppearsMeanwhile()
    {
        const Folder f;
        const auto appear = [&]() -> Result<void> {
            QFile file(f.filePath(u"file"_s));
            if (!file.open(QIODevice::WriteOnly) || file.write("theirs") != 6)
                qFatal("cannot write");
            return {};
        };
        QVERIFY_ERROR(writeFileAtomically(f.filePath(u"file"_s), "ours", {}, Existing::Refuse, appear),
                      u"already exists");
        QCOMPARE(f.read(u"file"_s), "theirs"_ba);
        QCOMPARE(f.list(), u"file"_s);
    }

    void lastCheckHasTheLastWord()
    {
        const Folder f;
        const auto refuse = [] { return Result<void>(Error{u"write"_s, u"x"_s, u"it changed"_s, {}}); };
        QVERIFY_ERROR(writeFileAtomically(f.filePath(u"new"_s), "text", {}, Existing::Replace, refuse), u"it changed");
        QVERIFY_OK(writeFileAtomically(f.filePath(u"old"_s), "old", {}));
        QVERIFY_ERROR(writeFileAtomically(f.filePath(u"old"_s), "new", {}, Existing::Replace, refuse), u"it changed");
        QCOMPARE(f.read(u"old"_s), "old"_ba);
        QCOMPARE(f.list(), u"old"_s);
    }

    void followsNoLink()
    {
        const Folder f;
        QVERIFY_OK(writeFileAtomically(f.filePath(u"target"_s), "old", {}));
        QVERIFY(QFile::link(f.filePath(u"target"_s), f.filePath(u"link"_s)));
        QVERIFY(QFile::link(f.filePath(u"nowhere"_s), f.filePath(u"dangling"_s)));
        QVERIFY_ERROR(writeFileAtomically(f.filePath(u"link"_s), "new", {}), u"it is a symbolic link");
        QVERIFY_ERROR(writeFileAtomically(f.filePath(u"dangling"_s), "new", {}), u"it is a symbolic link");
        QCOMPARE(f.read(u"target"_s), "old"_ba);
        QVERIFY(!QFile::exists(f.filePath(u"nowhere"_s)));
    }

    void refusesFoldersAndPipes()
    {
        const Folder f;
        QDir(f.path()).mkpath(u"folder"_s);
        QVERIFY(::mkfifo(QFile::encodeName(f.filePath(u"pipe"_s)).constData(), 0600) == 0);
        QVERIFY_ERROR(writeFileAtomically(f.filePath(u"folder"_s), "new", {}), u"not a regular file");
        QVERIFY_ERROR(writeFileAtomically(f.filePath(u"pipe"_s), "new", {}), u"not a regular file");
    }

    void saysThatAFolderIsReadOnly()
    {
        const Folder f;
        QVERIFY_OK(writeFileAtomically(f.filePath(u"folder/file"_s), "old", {}));
        const QByteArray folder = QFile::encodeName(f.filePath(u"folder"_s));
        QVERIFY(::chmod(folder.constData(), 0555) == 0);
        {
            const test::ObeyPermissions obey;
            QVERIFY_ERROR(writeFileAtomically(f.filePath(u"folder/new"_s), "new", {}), u"not writable");
            QVERIFY_ERROR(writeFileAtomically(f.filePath(u"folder/file"_s), "new", f.path()), u"not writable");
            QVERIFY_ERROR(writeFileAtomically(f.filePath(u"folder/sub/new"_s), "new", {}),
                          u"its folder cannot be created");
        }
        QVERIFY(::chmod(folder.constData(), 0755) == 0);
        QCOMPARE(f.read(u"folder/file"_s), "old"_ba);
        QCOMPARE(f.list(u"folder"_s), u"file"_s);
        QCOMPARE(f.list(), u"folder"_s);
    }
};

TM_TEST(TestAtomicFile, QCoreApplication)
#include "tst_atomicfile.moc"
