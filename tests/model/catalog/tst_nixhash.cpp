// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/NixHash.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

class NixHashTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    /// The notations are the ones that Nix itself prints, and all notations of one hash are equal.
    void asNixWritesIt()
    {
        QRandomGenerator random(7);
        for (int round = 0; round < 20; ++round) {
            QByteArray bytes(32, '\0');
            for (char &byte : bytes)
                byte = char(random.bounded(256));
            const QString sri = "sha256-"_L1 + QString::fromLatin1(bytes.toBase64());
            const QByteArrayList notations = notationsOf(sri);
            QCOMPARE(notations.size(), 3);
            QCOMPARE(notations.at(0), sri.toLatin1());
            for (const auto &[option, at] : {std::pair(u"--to-base16"_s, 1), std::pair(u"--to-base32"_s, 2)}) {
                QProcess nix;
                nix.start(u"nix-hash"_s, {u"--type"_s, u"sha256"_s, option, sri});
                QVERIFY(nix.waitForFinished());
                QCOMPARE(notations.at(at), nix.readAllStandardOutput().trimmed());
            }
            bytes[random.bounded(32)] ^= char(1 + random.bounded(255));
            const QString other = "sha256-"_L1 + QString::fromLatin1(bytes.toBase64());
            for (const QByteArray &a : notations) {
                for (const QByteArray &b : notations)
                    QVERIFY(sameHash(QString::fromLatin1(a), QString::fromLatin1(b)));
                QCOMPARE(notationsOf(QString::fromLatin1(a)), notations);
                if (!a.startsWith("sha256-")) // as fetchTarball prints them
                    QCOMPARE(notationsOf("sha256:"_L1 + QString::fromLatin1(a)), notations);
                for (const QByteArray &b : notationsOf(other))
                    QVERIFY(!sameHash(QString::fromLatin1(a), QString::fromLatin1(b)));
            }
        }
    }

    /// Hashes of all kinds in all notations, whole, cut, and with another character: valid if Nix reads them.
    void whatNixReads()
    {
        QRandomGenerator random(11);
        const QStringList kinds{u"md5"_s, u"sha1"_s, u"sha256"_s, u"sha512"_s};
        const QList<int> sizes{16, 20, 32, 64};
        for (int round = 0; round < 48; ++round) {
            const qsizetype kind = round % 4;
            QByteArray bytes(sizes.at(kind), '\0');
            for (char &byte : bytes)
                byte = char(random.bounded(256));
            QString text = kinds.at(kind) + u'-' + QString::fromLatin1(bytes.toBase64());
            const auto nix = [&](const QStringList &arguments) {
                QProcess process;
                process.start(u"nix-hash"_s, QStringList{u"--type"_s, kinds.at(kind)} + arguments);
                process.waitForFinished();
                return process.exitCode() == 0 ? QString::fromLatin1(process.readAllStandardOutput().trimmed())
                                               : QString();
            };
            if (round / 4 % 3 > 0)
                text = nix({round / 4 % 3 == 1 ? u"--to-base16"_s : u"--to-base32"_s, text});
            QVERIFY2(isHash(text), qPrintable(text));
            if (round / 12 == 1)
                text.chop(1 + random.bounded(3));
            else if (round / 12 > 1)
                text[text.size() - 2 - random.bounded(8)] = QChar(random.bounded(0x21, 0x7F));
            QVERIFY2(isHash(text) == !nix({u"--to-base16"_s, text}).isEmpty(), qPrintable(text));
        }
    }

    void whatIsNone()
    {
        for (const QString &text : {u""_s, u"sha256-"_s, u"sha256-AAAA"_s, u"md5-47DEQpj8HBSa+/TImW+5JA=="_s, u"x"_s,
                                    u"sha256:1bbb"_s, QString(52, u'e'), QString(52, u'z'), QString(64, u'g')})
            QVERIFY(notationsOf(text).isEmpty());
        QVERIFY(sameHash(u"x"_s, u"x"_s) && !sameHash(u"x"_s, u"y"_s) && !sameHash({}, u"x"_s));
    }
};

TM_TEST(NixHashTest, QCoreApplication)
#include "tst_nixhash.moc"
