// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"

#include "model/hardware/HostReportJson.h"
#include "model/hardware/HostText.h"
#include "model/hardware/NvidiaSmi.h"

#include <QCoreApplication>
#include <QJsonDocument>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

/// Randomly changed descriptions of machines: the result is a report that survives its own JSON, or one sentence.
class HardwareFuzzTest : public QObject
{
    Q_OBJECT
    quint32 m_seed = 0;

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void initTestCase() { m_seed = newSeed(); }

    void reports()
    {
        Fuzzing fuzzing(m_seed);
        const QByteArrayList corpus = corpusOf(u"hardware"_s);
        const int count = fuzzInputs(8'000);
        int read = 0;
        for (int i = 0; i < count; ++i) {
            const QByteArray text = fuzzing.input(corpus);
            const auto where = [&] { return "input " + QByteArray::number(i) + '\n' + text.toHex(); };
            const Result<HostReport> report = readHostText(text, u"machine"_s);
            if (!report) {
                QVERIFY2(!report.error().sentence().isEmpty(), where());
            } else {
                ++read;
                const Result<HostReport> back =
                    hostReportFromJson(QJsonDocument::fromJson(QJsonDocument(toJson(*report)).toJson()).object());
                QVERIFY2(back, where());
                QVERIFY2(*back == *report, where());
            }
            for (const int exitCode : {0, 9}) {
                const NvidiaSmiAnswer answer = readNvidiaSmi(text, exitCode, i % 2 == 0);
                QVERIFY2(!answer.gpus.isEmpty() || !answer.problem.isEmpty() || answer.capabilityRefused, where());
            }
        }
        qInfo("total: %d inputs, %d of them read", count, read);
        QVERIFY(read > 0 && read < count);
    }
};

TM_TEST(HardwareFuzzTest, QCoreApplication)
#include "tst_hardwarefuzz.moc"
