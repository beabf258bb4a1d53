// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "model/catalog/VariantFilter.h"
#include "model/catalog/VariantName.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace tmx;
using namespace Qt::StringLiterals;

class VariantFilterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void takesPartsOfNames_data()
    {
        QTest::addColumn<VariantFilter>("filter");
        QTest::addColumn<QString>("taken");
        QTest::newRow("all") << VariantFilter{} << "0 1 2 3 4 5";
        QTest::newRow("family of several versions") << VariantFilter{.family = u"torchvision"_s} << "0 1";
        QTest::newRow("one version of a family") << VariantFilter{.family = u"torchvision025"_s} << "0";
        QTest::newRow("family with a pairing") << VariantFilter{.family = u"torchaudio211-pt212"_s} << "2";
        QTest::newRow("the same without it") << VariantFilter{.family = u"torchaudio211"_s} << "2";
        QTest::newRow("no such family") << VariantFilter{.family = u"torch"_s} << "";
        QTest::newRow("digits") << VariantFilter{.version = u"026"_s} << "1";
        QTest::newRow("version in a name") << VariantFilter{.version = u"0.26"_s} << "1";
        QTest::newRow("version in the settings") << VariantFilter{.version = u"2.8"_s} << "5";
        QTest::newRow("its patch") << VariantFilter{.version = u"2.8.0"_s} << "5";
        QTest::newRow("Python") << VariantFilter{.python = u"3.12"_s} << "3";
        QTest::newRow("Python as in names") << VariantFilter{.python = u"python312"_s} << "3";
        QTest::newRow("without Python") << VariantFilter{.python = u"none"_s} << "4";
        QTest::newRow("toolkit") << VariantFilter{.cuda = u"12.9"_s} << "3 4";
        QTest::newRow("toolkit as in names") << VariantFilter{.cuda = u"12_9"_s} << "3 4";
        QTest::newRow("without CUDA") << VariantFilter{.cuda = u"none"_s} << "5";
        QTest::newRow("both") << VariantFilter{.family = u"torchvision"_s, .version = u"0.25"_s} << "0";
    }

    void takesPartsOfNames()
    {
        QFETCH(VariantFilter, filter);
        QFETCH(QString, taken);
        const auto catalog = testing::builtInCatalog();
        const QStringList names{u"torchvision025-python313-cuda13_0-sm90-avx2"_s,
                                u"torchvision026-python313-cuda13_0-sm90-avx2"_s,
                                u"torchaudio211-pt212-python313-cuda13_0-sm90-avx2"_s,
                                u"vllm-python312-cuda12_9-sm90"_s,
                                u"magma-cuda12_9-all-avx2"_s,
                                u"pytorch-python313-cpu-avx2"_s};
        QStringList places;
        for (qsizetype i = 0; i < names.size(); ++i) {
            if (filter.accepts(VariantName::parse(names.at(i), catalog->isaIds())->variant,
                               *catalog->settings(u"main"_s)))
                places.append(QString::number(i));
        }
        QCOMPARE(places.join(u' '), taken);
    }
};

TM_TEST(VariantFilterTest, QCoreApplication)
#include "tst_variantfilter.moc"
