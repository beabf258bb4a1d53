// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/AuditedText.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/NixGenerator.h"
#include "tests/support/TestMain.h"

#include "model/audit/Fix.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

/// Facts, audit and fixes of randomly changed recipes. Run it under the asan preset: nothing may crash, hang or point
/// outside its text. Each run has other inputs: TORCH_MATRIX_SEED repeats a run, TORCH_MATRIX_ROUNDS sets more rounds.
class tst_AuditFuzz : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void initTestCase();
    void damagedRecipes();

private:
    [[nodiscard]] static QByteArray changed(const QByteArray &text, test::NixGenerator &generator);
    QList<AuditInput> m_corpus;
};

/// Most changes leave Nix as it was: a line gone, or one word of recipes for another. The others are anything.
QByteArray tst_AuditFuzz::changed(const QByteArray &text, test::NixGenerator &generator)
{
    static const QByteArrayList words{"\"9.0\"",
                                      "\"sm_90\"",
                                      "[ ]",
                                      "true",
                                      "false",
                                      "null",
                                      "torch",
                                      "pytorch",
                                      "\"-mavx2\"",
                                      "\"-mfma\"",
                                      "\"-mavx512f\"",
                                      "cudaPackages_12_8",
                                      "cudaPackages_13",
                                      "final",
                                      "\"\"",
                                      "0",
                                      "1",
                                      "oldAttrs",
                                      "export",
                                      "meta",
                                      "preConfigure"};
    switch (generator.below(6)) {
    case 0: return generator.damage(text);
    case 1: return generator.mutation(text);
    case 2: {
        QByteArrayList lines = text.split('\n');
        lines.removeAt(generator.below(int(lines.size())));
        return lines.join('\n');
    }
    default: {
        QByteArray result = text;
        const QByteArray &word = words.at(generator.below(int(words.size())));
        const qsizetype from = generator.below(int(text.size()));
        if (const qsizetype at = text.indexOf(word, from); at >= 0)
            result.replace(at, word.size(), words.at(generator.below(int(words.size()))));
        return result;
    }
    }
}

void tst_AuditFuzz::initTestCase()
{
    for (const auto &[branch, name] : {std::pair(u"main"_s, u"pytorch-python313-cuda12_8-sm90-avx2"_s),
                                       {u"main"_s, u"pytorch-python313-cuda12_8-sm61-avx"_s},
                                       {u"main"_s, u"pytorch-python313-cpu-avx512"_s},
                                       {u"cuda-12_9"_s, u"pytorch-python313-cuda12_9-sm103-armv9"_s},
                                       {u"cuda-13_0"_s, u"pytorch-python313-cuda13_0-sm90-avx512"_s},
                                       {u"cuda-13_0"_s, u"pytorch-python313-cpu-avx"_s}})
        m_corpus.append(inputOf(branch, name, renderedText(branch, name)));
    for (const auto &file :
         {u"torchvision-in-place.nix"_s, u"torchvision-sibling.nix"_s, u"torchvision-published.nix"_s})
        m_corpus.append(inputOf(u"main"_s, u"torchvision-python313-cuda12_8-sm90-avx2"_s, fixtureText(file)));
    QDirIterator files(QStringLiteral(TM_FIXTURES "/nix/valid"), {u"recipe-*.nix"_s}, QDir::Files);
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_corpus.append(inputOf(u"main"_s, u"torchvision-python313-cuda12_8-sm90-avx512"_s, file.readAll()));
    }
    QVERIFY(m_corpus.size() > 12);
}

void tst_AuditFuzz::damagedRecipes()
{
    const int asked = qEnvironmentVariableIntValue("TORCH_MATRIX_ROUNDS");
    const quint32 seed = test::newSeed();
    const int count = 500 * (asked > 0 ? asked : 4);
    test::NixGenerator generator(seed);
    int readable = 0;
    int mended = 0;
    qint64 slowest = 0;
    for (int i = 0; i < count; ++i) {
        AuditInput input = m_corpus.at(generator.below(int(m_corpus.size())));
        for (int changes = 1 + generator.below(3); changes > 0; --changes)
            input.text = changed(input.text, generator);
        const auto where = [&] {
            return u"TORCH_MATRIX_SEED=%1, input %2\n"_s.arg(seed).arg(i) + QString::fromUtf8(input.text);
        };
        QElapsedTimer clock;
        clock.start();
        const Judgement judgement = audit(input);
        slowest = std::max(slowest, clock.elapsed());
        readable += !judgement.facts->error;
        for (const Finding &finding : judgement.findings) {
            QVERIFY2(finding.line >= 0 && finding.line <= input.text.count('\n') + input.text.count('\r') + 2,
                     qPrintable(where()));
            QVERIFY2(!finding.sentence.isEmpty() && finding.length <= input.text.size(), qPrintable(where()));
            if (!finding.fixable)
                continue;
            const auto text = fixedText(input, finding);
            if (!text)
                continue;
            ++mended;
            QVERIFY2(!readFacts(*text).error, qPrintable(where()));
        }
        for (const Fact &fact : judgement.facts->rows())
            QVERIFY2(fact.line > 0 && !fact.value.isEmpty(), qPrintable(fact.id + u' ' + where()));
    }
    qInfo("seed %u, total: %d inputs, %d readable, %d fixes, the slowest in %lld ms", seed, count, readable, mended,
          slowest);
    QVERIFY(readable > count / 10 && readable < count);
    QVERIFY(mended > 0);
}

TM_TEST(tst_AuditFuzz, QCoreApplication)
#include "tst_auditfuzz.moc"
