// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/SourceHash.h"
#include "tests/support/FileText.h"
#include "tests/support/Ran.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

/// Fetches with the real nix, into a store of the test.
class TestSourceHash : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QByteArray m_path = qgetenv("PATH");

    QByteArray run(const QString &program, const QStringList &arguments) const
    {
        return test::outputOf(program, arguments, m_folder.path());
    }
    void write(const QString &name, const QByteArray &text) const { test::putFile(m_folder.filePath(name), text); }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("HOME", m_folder.path().toUtf8());
        for (const char *part : {"STORE", "STATE", "LOG"})
            qputenv(QByteArray("NIX_") + part + "_DIR", m_folder.filePath(QString::fromLatin1(part)).toUtf8());
        QVERIFY(QDir(m_folder.path()).mkdir(u"source"_s));
        write(u"source/a"_s, "text\n");
        run(u"tar"_s, {u"-czf"_s, u"source.tar.gz"_s, u"source"_s});
    }
    void init() { QTest::failOnWarning(); }
    void cleanup() { qputenv("PATH", m_path); }

    void sources()
    {
        const Family torch{.id = u"pytorch"_s, .repository = u"pytorch/pytorch"_s};
        const Family vision{.id = u"torchvision"_s, .companion = true, .repository = u"pytorch/vision"_s};
        QCOMPARE(sourceOf(torch, u"2.10.0"_s),
                 u"git+https://github.com/pytorch/pytorch?ref=refs/tags/v2.10.0&submodules=1&shallow=1"_s);
        QCOMPARE(sourceOf(vision, u"0.25.0"_s),
                 u"https://github.com/pytorch/vision/archive/refs/tags/v0.25.0.tar.gz"_s);
        QVERIFY(sourceOf(Family{.id = u"other"_s}, u"1"_s).isEmpty());
        QVERIFY(sourceOf(torch, {}).isEmpty());
    }

    /// Nix's own tool for folders is the judge.
    void hashOfATarball()
    {
        const Result<QString> hash = fetchHash(u"tarball+file://"_s + m_folder.filePath(u"source.tar.gz"_s));
        QVERIFY2(hash.ok(), qPrintable(hash ? QString() : hash.error().sentence()));
        QCOMPARE(hash->toUtf8(), run(u"nix-hash"_s, {u"--type"_s, u"sha256"_s, u"--sri"_s, u"source"_s}));
    }

    void whatNixSaysIsTold()
    {
        const Result<QString> hash = fetchHash(u"tarball+file://"_s + m_folder.filePath(u"none.tar.gz"_s));
        QVERIFY(!hash);
        QVERIFY2(hash.error().why.contains(u"none.tar.gz"_s), qPrintable(hash.error().why));
        QVERIFY(!hash.error().sentence().contains(u'\x1b'));
    }

    /// A download that takes long tells how far it is, and can be stopped.
    void stops()
    {
        QVERIFY(QDir(m_folder.path()).mkdir(u"bin"_s));
        write(u"bin/nix"_s,
              "#!/bin/sh\n"
              "echo '@nix {\"action\":\"start\",\"id\":7,\"type\":101}'\n"
              "echo '@nix {\"action\":\"result\",\"id\":7,\"type\":105,\"fields\":[5242880,9437184,0,0]}'\n"
              "exec sleep 1000\n");
        QVERIFY(QFile::setPermissions(m_folder.filePath(u"bin/nix"_s),
                                      QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        qputenv("PATH", m_folder.filePath(u"bin"_s).toUtf8() + ':' + m_path);
        std::pair<int, int> told;
        const Result<QString> hash =
            fetchHash(u"https://example.org/x.tar.gz"_s,
                      {[&told](int done, int total) { told = {done, total}; }, [&told] { return told.second > 0; }});
        QVERIFY(!hash);
        QCOMPARE(hash.error().sentence(), stoppedError().sentence());
        QCOMPARE(told, std::pair(5, 9));
    }
};

TM_TEST(TestSourceHash, QCoreApplication)
#include "tst_sourcehash.moc"
