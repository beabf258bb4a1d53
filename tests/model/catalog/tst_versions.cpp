// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Versions.h"

#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

class tst_Versions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void versionsInTexts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("version");
        QTest::newRow("title") << u"ONNX Runtime 1.23.2 for GPUs"_s << u"onnxruntime"_s << u"1.23.2"_s;
        QTest::newRow("word") << u"vllm 0.15.1"_s << u"vLLM"_s << u"0.15.1"_s;
        QTest::newRow("in brackets") << u"TorchVision 0.25.0 (with PyTorch 2.10.0)"_s << u"pytorch"_s << u"2.10.0"_s;
        QTest::newRow("v") << u"PyTorch v2.9.1."_s << u"PyTorch"_s << u"2.9.1"_s;
        QTest::newRow("dash") << u"flash-attn 2.8.3"_s << u"flash_attn"_s << u"2.8.3"_s;
        QTest::newRow("twice the same") << u"PyTorch 2.9.1\nPyTorch 2.9.1"_s << u"pytorch"_s << u"2.9.1"_s;
        QTest::newRow("two") << u"PyTorch 2.9.1 or PyTorch 2.8.0"_s << u"pytorch"_s << QString();
        QTest::newRow("abbreviated too") << u"PyTorch 2.10\nPyTorch 2.10.0"_s << u"pytorch"_s << u"2.10.0"_s;
        QTest::newRow("none") << u"PyTorch for CUDA 12.8"_s << u"pytorch"_s << QString();
        QTest::newRow("part of a word") << u"mypytorch 2.9.1"_s << u"pytorch"_s << QString();
        QTest::newRow("no dot") << u"PyTorch 2"_s << u"pytorch"_s << QString();
        QTest::newRow("pattern") << u"a.b 1.2"_s << u".*"_s << QString();
    }
    void versionsInTexts()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, name);
        QTEST(versionNamedIn(text, name), "version");
    }

    void versionsThatAgree()
    {
        for (const auto &[a, b] : {std::pair(u"2.9.1"_s, u"2.9.1"_s), std::pair(u"2.10"_s, u"2.10.0"_s),
                                   std::pair(u"210"_s, u"2.10.0"_s), std::pair(u"29"_s, u"2.9"_s)}) {
            QVERIFY2(sameVersion(a, b) && sameVersion(b, a), qPrintable(a + u' ' + b));
        }
        for (const auto &[a, b] : {std::pair(u"2.9.1"_s, u"2.9.0"_s), std::pair(u"2.1"_s, u"2.10"_s),
                                   std::pair(u"21"_s, u"2.10"_s), std::pair(u"2.9"_s, QString()),
                                   std::pair(QString(), QString()), std::pair(u"210"_s, u"21.0.1.2"_s.left(2))}) {
            QVERIFY2(!sameVersion(a, b) && !sameVersion(b, a), qPrintable(a + u' ' + b));
        }
    }
};

TM_TEST(tst_Versions, QCoreApplication)
#include "tst_versions.moc"
