// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Fuzzing.h"
#include "tests/support/NixGenerator.h"
#include "tests/support/NixWalk.h"
#include "tests/support/TestMain.h"

#include "model/nix/Parse.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

/// Parses unusual input. Run it under the asan preset: nothing may crash, hang or leave its bounds. Each run has other
/// inputs: TORCH_MATRIX_SEED repeats a run, TORCH_MATRIX_ROUNDS sets more rounds.
class tst_NixFuzz : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void initTestCase();
    void damagedFiles();

private:
    [[nodiscard]] QByteArray input(test::NixGenerator &generator) const;
    QList<QByteArray> m_corpus;
};

void tst_NixFuzz::initTestCase()
{
    QDirIterator files(QStringLiteral(TM_FIXTURES), {u"*.nix"_s}, QDir::Files, QDirIterator::Subdirectories);
    QStringList paths;
    while (files.hasNext())
        paths.append(files.next());
    paths.sort();
    for (const QString &path : std::as_const(paths)) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_corpus.append(file.readAll());
    }
    QVERIFY(m_corpus.size() > 400);
}

QByteArray tst_NixFuzz::input(test::NixGenerator &generator) const
{
    const auto any = [&] { return m_corpus.at(generator.below(int(m_corpus.size()))); };
    switch (generator.below(7)) {
    case 0: return generator.file(generator.below(300));
    case 1: return generator.damage(generator.file(generator.below(300)));
    case 2: return generator.mutation(generator.mutation(any()));
    case 3: {
        const QByteArray first = any();
        const QByteArray second = any();
        return first.left(generator.below(int(first.size()) + 1)) + second.mid(generator.below(int(second.size()) + 1));
    }
    case 4: {
        QByteArray noise(generator.below(200), '\0');
        for (char &c : noise)
            c = char(generator.below(256));
        return noise;
    }
    default: return generator.damage(any());
    }
}

void tst_NixFuzz::damagedFiles()
{
    const int asked = qEnvironmentVariableIntValue("TORCH_MATRIX_ROUNDS");
    const quint32 seed = test::newSeed();
    const int count = 1000 * (asked > 0 ? asked : 20);
    test::NixGenerator generator(seed);
    int accepted = 0;
    qint64 slowest = 0;
    for (int i = 0; i < count; ++i) {
        const QByteArray text = input(generator);
        QElapsedTimer clock;
        clock.start();
        const nix::ParseResult result = nix::parse(text);
        QString wrong = test::whatIsWrongWith(result);
        if (wrong.isEmpty())
            wrong = test::whatIsWrongWithFolding(result);
        slowest = std::max(slowest, clock.elapsed());
        if (!wrong.isEmpty())
            QFAIL(qPrintable(u"TORCH_MATRIX_SEED=%1, input %2: %3\n"_s.arg(seed).arg(i).arg(wrong) +
                             QString::fromLatin1(text.toHex())));
        accepted += result.ok();
    }
    qInfo("seed %u, total: %d inputs, %d of them accepted, the slowest in %lld ms", seed, count, accepted, slowest);
    QVERIFY(accepted > 0 && accepted < count);
}

TM_TEST(tst_NixFuzz, void)
#include "tst_nixfuzz.moc"
