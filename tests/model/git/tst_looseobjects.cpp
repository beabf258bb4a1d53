// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/CommitReader.h"
#include "tests/support/GitFixture.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::GitFixture;

/// Truncated objects, in the repository itself and in one that it borrows from.
class TestLooseObjects : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void everyCutIsAnError_data()
    {
        QTest::addColumn<QByteArray>("borrows"); // objects/info/alternates of the repository that is read
        QTest::newRow("its own objects") << QByteArray();
        QTest::newRow("borrowed ones") << QByteArray("# from a clone on this disk\nOBJECTS\n");
        QTest::newRow("by a relative path") << QByteArray("../lender/objects");
    }
    void everyCutIsAnError()
    {
        QFETCH(QByteArray, borrows);
        const GitFixture fixture;
        QByteArray text("{ }: { }\n");
        for (int i = 0; i < 200; ++i)
            text += QByteArray::number(i * 7919) + '\n';
        const QString commit = fixture.commitFile(u".flox/pkgs/a.nix"_s, text);
        const QString blob = QString::fromLatin1(fixture.git({u"rev-parse"_s, u"HEAD:.flox/pkgs/a.nix"_s}));
        QString objects = fixture.path(u".git/objects"_s);
        if (!borrows.isEmpty()) {
            QVERIFY(QDir().mkpath(fixture.path(u".git/lender"_s)));
            QVERIFY(QDir().rename(objects, fixture.path(u".git/lender/objects"_s)));
            QVERIFY(QDir().mkpath(objects + u"/info"_s));
            const QString lender = fixture.path(u".git/lender/objects"_s);
            fixture.write(u".git/objects/info/alternates"_s, borrows.replace("OBJECTS", lender.toUtf8()));
            objects = lender;
        }
        QFile file(objects + u'/' + blob.first(2) + u'/' + blob.sliced(2));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        file.close();
        QVERIFY(whole.size() > 300);
        const auto read = [&] {
            const Result<CommitReader> reader = CommitReader::open(fixture.path());
            return reader ? reader->fileAt(commit, u".flox/pkgs/a.nix"_s) : reader.error();
        };
        const auto sound = read();
        QVERIFY_OK(sound);
        QCOMPARE(sound->value_or(QByteArray()), text);
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
        for (qsizetype size = 0; size < whole.size(); size += size < 20 || size > whole.size() - 20 ? 1 : 17) {
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(whole.first(size));
            file.close();
            const auto cut = read();
            QVERIFY2(!cut, QByteArray::number(size).constData());
        }
    }

    void alternatesThatNameEachOtherEnd()
    {
        const GitFixture fixture;
        const QString commit = fixture.commitFile(u".flox/pkgs/a.nix"_s, "{ }: { }\n");
        QVERIFY(QDir().mkpath(fixture.path(u".git/other/info"_s)));
        fixture.write(u".git/objects/info/alternates"_s, "../other\n");
        fixture.write(u".git/other/info/alternates"_s, "../objects\n../other/../other\n");
        const Result<CommitReader> reader = CommitReader::open(fixture.path());
        QVERIFY_OK(reader);
        const auto text = reader->fileAt(commit, u".flox/pkgs/a.nix"_s);
        QVERIFY_OK(text);
        QCOMPARE(text->value_or(QByteArray()), "{ }: { }\n"_ba);
    }
};

TM_TEST(TestLooseObjects, QCoreApplication)
#include "tst_looseobjects.moc"
