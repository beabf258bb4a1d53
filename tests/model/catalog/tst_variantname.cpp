// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "model/catalog/VariantName.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace tmx;
using namespace Qt::StringLiterals;

class VariantNameTest : public QObject
{
    Q_OBJECT

    const std::shared_ptr<const Catalog> m_catalog = testing::builtInCatalog();

    std::optional<VariantName> parse(const QString &name) const
    {
        return VariantName::parse(name, m_catalog->familyIds(), m_catalog->isaIds());
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void printsTheThreeForms()
    {
        QCOMPARE((Variant{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512"_s}.name()),
                 u"pytorch-python313-cuda12_8-sm90-avx512"_s);
        QCOMPARE((Variant{u"torchvision"_s, u"python312"_s, {}, u"cpu"_s, u"armv8_2"_s}.name()),
                 u"torchvision-python312-cpu-armv8_2"_s);
        QCOMPARE((Variant{u"pytorch"_s, u"python313"_s, {}, u"darwin-mps"_s, {}}.file()),
                 u".flox/pkgs/pytorch-python313-darwin-mps.nix"_s);
    }

    void roundTripsEveryCombination()
    {
        int count = 0;
        for (const Family &family : m_catalog->families) {
            for (const QString &python : {u"python311"_s, u"python312"_s, u"python313"_s}) {
                for (const GpuRow &row : m_catalog->rows) {
                    const QStringList toolkits =
                        row.isGpu() ? QStringList{u"12.8"_s, u"12.9"_s, u"13.0"_s, u"13.1"_s} : QStringList{QString()};
                    const QStringList isas = row.id == "darwin-mps"_L1 ? QStringList{QString()} : m_catalog->isaIds();
                    for (const QString &cuda : toolkits) {
                        for (const QString &isa : isas) {
                            const Variant variant{family.id, python, cuda, row.id, isa};
                            const auto read = parse(variant.name());
                            QVERIFY2(read, qPrintable(variant.name()));
                            QCOMPARE(read->variant, variant);
                            QVERIFY(read->canonical);
                            QVERIFY(read->oddities.isEmpty());
                            QVERIFY(read->suffix.isEmpty());
                            ++count;
                        }
                    }
                }
            }
        }
        QCOMPARE(count, 3 * 3 * (13 * 4 * 7 + 7 + 1));
    }

    void readsOldForms_data()
    {
        QTest::addColumn<QString>("canonical");
        QTest::addColumn<QString>("oddities");
        QTest::addColumn<QString>("suffix");
        QTest::newRow("pytorch-py313-sm90-avx512")
            << "pytorch-python313-sm90-avx512" << "py313 for python313; no CUDA part" << "";
        QTest::newRow("pytorch-py313-cpu-avx2") << "pytorch-python313-cpu-avx2" << "py313 for python313" << "";
        QTest::newRow("python312Packages.pytorch-sm89-avx2")
            << "pytorch-python312-sm89-avx2" << "prefix python312Packages.; no CUDA part" << "";
        QTest::newRow("python311Packages.pytorch-cpu-armv9")
            << "pytorch-python311-cpu-armv9" << "prefix python311Packages." << "";
        QTest::newRow("pytorch-python313-cuda12_8-sm90-armv8.2")
            << "pytorch-python313-cuda12_8-sm90-armv8_2" << "dotted ISA armv8.2" << "";
        QTest::newRow("pytorch-python313-cuda13_0-sm120-avx512-magma")
            << "pytorch-python313-cuda13_0-sm120-avx512" << "suffix -magma" << "-magma";
        QTest::newRow("pytorch-python313-cuda13_0-sm121-armv9-nightly")
            << "pytorch-python313-cuda13_0-sm121-armv9" << "suffix -nightly" << "-nightly";
        QTest::newRow("pytorch-py313-sm120-avx512-cu128")
            << "pytorch-python313-sm120-avx512" << "py313 for python313; no CUDA part; suffix -cu128" << "-cu128";
        QTest::newRow("pytorch-python313-cuda12_8-sm120-avx512-nightly-cu128")
            << "pytorch-python313-cuda12_8-sm120-avx512" << "suffix -nightly-cu128" << "-nightly-cu128";
        QTest::newRow("pytorch-python313-cuda12_8-cpu-avx2")
            << "pytorch-python313-cpu-avx2" << "CUDA part on a package without CUDA" << "";
        QTest::newRow("pytorch-python313-cuda12.8-sm90-avx2")
            << "pytorch-python313-cuda12_8-sm90-avx2" << "dotted CUDA version cuda12.8" << "";
        QTest::newRow("pytorch-python313-cuda12_8-sm_90-avx2")
            << "pytorch-python313-cuda12_8-sm90-avx2" << "sm_90 for sm90" << "";
        QTest::newRow("pytorch-python313-darwin-mps-nightly")
            << "pytorch-python313-darwin-mps" << "suffix -nightly" << "-nightly";
    }

    void readsOldForms()
    {
        QFETCH(QString, canonical);
        QFETCH(QString, oddities);
        QFETCH(QString, suffix);
        const auto read = parse(QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY(read);
        QVERIFY(!read->canonical);
        QCOMPARE(read->variant.name(), canonical);
        QCOMPARE(read->oddities.join("; "_L1), oddities);
        QCOMPARE(read->suffix, suffix);
    }

    void tellsIsasWithACommonBeginningApart()
    {
        QCOMPARE(parse(u"pytorch-python313-cpu-avx512bf16"_s)->variant.isa, u"avx512bf16"_s);
        QCOMPARE(parse(u"pytorch-python313-cpu-avx512"_s)->variant.isa, u"avx512"_s);
        QCOMPARE(parse(u"pytorch-python313-cpu-avx2"_s)->variant.isa, u"avx2"_s);
        QCOMPARE(parse(u"pytorch-python313-cpu-avx-avx2"_s)->suffix, u"-avx2"_s);
    }

    void refusesNonsense_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"",
                                 "-",
                                 "pytorch",
                                 "pytorch-",
                                 "pytorch--",
                                 "hello",
                                 "pytorch-python313",
                                 "pytorch-python313-",
                                 "pytorch-python313-cpu",
                                 "pytorch-python313-cpu-",
                                 "pytorch-python313-cpu-avx3",
                                 "pytorch-python313-cpu-avx2-",
                                 "pytorch-python313-cpu-avx2--magma",
                                 "pytorch-python313-cpu-avx2magma",
                                 "pytorch-python313-sm-avx2",
                                 "pytorch-python313-cuda12_8-sm9-avx2",
                                 "pytorch-python313-cuda12-sm90-avx2",
                                 "pytorch-python313-cuda_8-sm90-avx2",
                                 "pytorch-python-cpu-avx2",
                                 "pytorch-python27-cpu-avx2",
                                 "pytorch-sm90-avx2",
                                 "pytorch-cpu-avx2",
                                 "Pytorch-python313-cpu-avx2",
                                 "tensorflow-python313-cpu-avx2",
                                 "pytorchx-python313-cpu-avx2",
                                 "pytorch-python313-CPU-avx2",
                                 "python312Packages.pytorch-python313-cpu-avx2",
                                 "python312Packages.",
                                 "python312.pytorch-cpu-avx2",
                                 "pytorch-python313-cpu-avx2-a b",
                                 "pytorch-python313-cpu-avx2-x\n",
                                 "pytorch-python313-cpu-avx2\n",
                                 "../pytorch-python313-cpu-avx2",
                                 "pytorch-python313-cpu-avx2-../x",
                                 "pytorch-python313-darwin",
                                 "pytorch-python313-cuda12_08-sm90-avx2"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void refusesNonsense()
    {
        QFETCH(QString, name);
        const auto read = parse(name);
        QVERIFY2(!read, read ? qPrintable(read->variant.name() + read->suffix) : "");
    }

    void ordersAsTheGridDoes()
    {
        QList<Variant> variants;
        for (const char *name : {"pytorch-python313-cpu-avx", "pytorch-python313-cuda12_8-sm103-avx",
                                 "pytorch-python313-cuda12_8-sm90-avx2", "pytorch-python313-cuda12_8-sm90-avx",
                                 "pytorch-python313-darwin-mps", "pytorch-python312-cuda13_0-sm90-avx"})
            variants.append(parse(QString::fromLatin1(name))->variant);
        std::sort(variants.begin(), variants.end());
        QStringList names;
        for (const Variant &variant : std::as_const(variants))
            names.append(variant.name().sliced(8));
        QCOMPARE(names.join(u' '),
                 u"python312-cuda13_0-sm90-avx python313-cuda12_8-sm90-avx python313-cuda12_8-sm90-avx2 "
                 "python313-cuda12_8-sm103-avx python313-cpu-avx python313-darwin-mps"_s);
    }
};

TM_TEST(VariantNameTest, QCoreApplication)
#include "tst_variantname.moc"
