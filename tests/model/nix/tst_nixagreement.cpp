// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/NixGenerator.h"
#include "tests/support/NixInstantiate.h"
#include "tests/support/NixShow.h"

#include "model/nix/Parse.h"

#include <QDirIterator>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// Files that both parsers read, and what the two make of them differently. `home` is a folder for Nix to call home.
struct Comparison {
    explicit Comparison(const QString &home) : m_home(home) {}

    void compare(const QStringList &paths)
    {
        const std::vector<test::NixVerdict> verdicts = test::parseWithNix(paths, m_home);
        for (qsizetype i = 0; i < paths.size(); ++i) {
            const test::NixVerdict &nix = verdicts[size_t(i)];
            crashed += nix.crashed;
            accepted += nix.accepted;
            refused += !nix.crashed && !nix.accepted;
            const QString difference = nix.crashed ? QString() : differenceOf(nix, paths.at(i));
            if (!difference.isEmpty())
                differences.append(paths.at(i) + u": "_s + difference);
        }
    }

    int accepted = 0;
    int refused = 0;
    int crashed = 0;
    QStringList differences;

private:
    [[nodiscard]] QString differenceOf(const test::NixVerdict &nix, const QString &path) const
    {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return u"cannot be read"_s;
        const QString nixSays = nix.accepted ? u"accepted"_s : u"%1:%2: %3"_s.arg(nix.line).arg(nix.column).arg(QString::fromUtf8(nix.error));
        const nix::ParseResult ours = nix::parse(file.readAll());
        const QString weSay = ours.ok() ? u"accepted"_s
                                        : u"%1:%2: %3"_s.arg(ours.error->place.line).arg(ours.error->place.column).arg(ours.error->message);
        const QString both = u"\nNix:  %1\nours: %2"_s.arg(nixSays, weSay);
        if (nix.accepted != ours.ok())
            return u"one accepts it"_s + both;
        if (nix.accepted) {
            const QByteArray shown = test::showAsNix(*ours.tree, QFileInfo(path).path().toUtf8(), m_home.toUtf8());
            return shown == nix.shown ? QString() : u"read differently\n"_s + QString::fromUtf8(nix.shown) + u'\n' + QString::fromUtf8(shown);
        }
        const bool undefined = nix.error.startsWith("undefined variable");
        if (undefined != (ours.error->kind == nix::ParseError::Undefined))
            return u"refused for different reasons"_s + both;
        // Nix tells of the first undefined variable in an order of its own, and of a whole let or function where we tell of the name in it.
        if (undefined || nix.error.startsWith("dynamic attributes not allowed in let") || nix.error.startsWith("duplicate formal"))
            return {};
        return Place{nix.line, nix.column} == Place{ours.error->place.line, ours.error->place.column} ? QString() : u"told at different places"_s + both;
    }

    using Place = nix::Place;
    QString m_home;
};

QStringList nixFilesOf(const QString &folder)
{
    QStringList paths;
    QDirIterator files(folder, {u"*.nix"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        paths.append(files.next());
    paths.sort();
    return paths;
}

} // namespace

class tst_NixAgreement : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void fixtures_data();
    void fixtures();
    void globals();
    void generated();

private:
    QTemporaryDir m_home;
};

void tst_NixAgreement::fixtures_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<bool>("accepted");
    QTest::newRow("valid") << QStringLiteral(TM_FIXTURES "/nix/valid") << true;
    QTest::newRow("invalid") << QStringLiteral(TM_FIXTURES "/nix/invalid") << false;
    QTest::newRow("recipes") << QStringLiteral(TM_FIXTURES "/pane") << true;
}

void tst_NixAgreement::fixtures()
{
    QFETCH(QString, folder);
    QFETCH(bool, accepted);
    const QStringList paths = nixFilesOf(folder);
    QVERIFY(!paths.isEmpty());
    Comparison comparison(m_home.path());
    comparison.compare(paths);
    QVERIFY2(comparison.differences.isEmpty(), qPrintable(comparison.differences.join(u"\n\n"_s)));
    QCOMPARE(accepted ? comparison.accepted : comparison.refused, paths.size());
}

/// Every name that Nix has, and some that it has not, taken for defined by both or by neither.
void tst_NixAgreement::globals()
{
    QFile names(QStringLiteral(TM_FIXTURES "/nix/builtins.txt"));
    QVERIFY(names.open(QIODevice::ReadOnly));
    QTemporaryDir folder;
    QStringList paths;
    for (const QByteArray &name : names.readAll().simplified().split(' ')) {
        for (const QByteArray &text : {name, "__" + name}) {
            paths.append(folder.filePath(QString::fromUtf8(text) + u".nix"_s));
            QFile file(paths.last());
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        }
    }
    Comparison comparison(m_home.path());
    comparison.compare(paths);
    QVERIFY2(comparison.differences.isEmpty(), qPrintable(comparison.differences.join(u"\n\n"_s)));
    QVERIFY(comparison.accepted > 100);
}

/// Expressions made at random, and the same with one token changed. TORCH_MATRIX_ROUNDS asks for more than the few rounds of every day, and then
/// each run makes others; TORCH_MATRIX_SEED makes the same ones again.
void tst_NixAgreement::generated()
{
    const int asked = qEnvironmentVariableIntValue("TORCH_MATRIX_ROUNDS");
    const quint32 seed = qEnvironmentVariableIsSet("TORCH_MATRIX_SEED") ? quint32(qEnvironmentVariableIntValue("TORCH_MATRIX_SEED"))
        : asked > 0                                                     ? QRandomGenerator::global()->generate() & 0x7fffffff
                                                                        : 1;
    const int rounds = asked > 0 ? asked : 8;
    test::NixGenerator generator(seed);
    int accepted = 0;
    int refused = 0;
    for (int round = 0; round < rounds; ++round) {
        QTemporaryDir folder;
        QStringList paths;
        const auto write = [&](const QByteArray &text) {
            paths.append(folder.filePath(QString::number(paths.size()) + u".nix"_s));
            QFile file(paths.last());
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        QList<QByteArray> texts;
        for (int i = 0; i < 50; ++i) {
            texts.append(generator.file(5 + generator.below(150)));
            QVERIFY(write(texts.last()));
        }
        for (int i = 0; i < 30; ++i)
            QVERIFY(write(generator.mutation(texts.at(generator.below(int(texts.size()))))));
        Comparison comparison(m_home.path());
        comparison.compare(paths);
        if (!comparison.differences.isEmpty()) {
            folder.setAutoRemove(false);
            QFAIL(qPrintable(u"TORCH_MATRIX_SEED=%1, round %2:\n"_s.arg(seed).arg(round) + comparison.differences.join(u"\n\n"_s)));
        }
        accepted += comparison.accepted;
        refused += comparison.refused;
    }
    qInfo("seed %u: %d files accepted and %d refused by both", seed, accepted, refused);
    QVERIFY(accepted > 0 && refused > 0);
}

QTEST_GUILESS_MAIN(tst_NixAgreement)
#include "tst_nixagreement.moc"
