// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/ShortNames.h"
#include "model/catalog/VariantName.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace tmx;
using namespace Qt::StringLiterals;

class ShortNamesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void leavesOutWhatAllHaveInCommon()
    {
        const QString gpu = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        const QString cpu = u"pytorch-python313-cpu-avx2"_s;
        const ShortNames names({gpu, cpu, u"pytorch-python313-cuda12_8-sm100-armv9-nightly"_s});
        QCOMPARE(names.common(), u"pytorch, Python 3.13, CUDA 12.8"_s);
        const auto columns = [](const ShortNames &of, const QString &name) {
            QStringList texts;
            for (const NamePart part : allNameParts)
                texts.append(of.differ(part) ? of.part(name, part) : u"-"_s);
            return texts.join(u'|');
        };
        QCOMPARE(columns(names, gpu), u"sm90|avx512|-|-|-"_s);
        QCOMPARE(columns(names, u"pytorch-python313-cuda12_8-sm100-armv9-nightly"_s), u"sm100|armv9-nightly|-|-|-"_s);
        QCOMPARE(names.of(gpu), u"sm90 avx512"_s);
        QCOMPARE(names.of(cpu), u"cpu avx2"_s);
        const QString older = u"torchvision025-python312-cuda12_9-sm90-avx512"_s;
        const ShortNames mixed({gpu, older, u"hello"_s, u"<b>"_s, QString(), u"torch-matrix.toml"_s});
        QCOMPARE(mixed.common(), QString());
        QCOMPARE(columns(mixed, gpu), u"sm90|avx512|12.8|3.13|pytorch"_s);
        QCOMPARE(columns(mixed, u"hello"_s), u"hello||||"_s);
        QCOMPARE(mixed.of(gpu), u"pytorch Python 3.13 CUDA 12.8 sm90 avx512"_s);
        QCOMPARE(mixed.of(older), u"torchvision025 Python 3.12 CUDA 12.9 sm90 avx512"_s);
        for (const QString &name : {u"hello"_s, u"<b>"_s, QString(), u"not in the list"_s})
            QCOMPARE(mixed.of(name), name);
        QCOMPARE(ShortNames(QStringList()).common(), QString());
        QCOMPARE(columns(ShortNames(QStringList{u"hello"_s}), u"hello"_s), u"hello|-|-|-|-"_s);
    }

    /// What one has in common with the one before is not repeated.
    void saysWhatIsSharedOnce()
    {
        const QString pytorch = u"pytorch-python313-cuda12_8-"_s, vision = u"torchvision025-python313-cuda12_9-"_s;
        const QStringList listed{pytorch + u"sm90-avx"_s,
                                 pytorch + u"sm90-avx2"_s,
                                 vision + u"sm90-avx"_s,
                                 vision + u"cpu"_s,
                                 u"hello"_s,
                                 u"hello"_s,
                                 vision + u"sm90-avx2"_s};
        QCOMPARE(
            ShortNames(listed).inTurn(listed),
            (QStringList{u"pytorch CUDA 12.8 sm90 avx"_s, u"sm90 avx2"_s, u"torchvision025 CUDA 12.9 sm90 avx"_s,
                         u"torchvision025 cpu"_s, u"hello"_s, u"hello"_s, u"torchvision025 CUDA 12.9 sm90 avx2"_s}));
        const QStringList alike = listed.first(2);
        QCOMPARE(ShortNames(alike).inTurn(alike), (QStringList{u"sm90 avx"_s, u"sm90 avx2"_s}));
    }

    /// Different variants of a list never look alike.
    void tellsAllVariantsApart()
    {
        const auto catalog = testing::builtInCatalog();
        for (const Settings &settings : catalog->builtIn) {
            QStringList all;
            for (const Variant &variant : settings.promised())
                all.append(variant.name());
            for (const QStringList &listed : {all, all.first(1), all.mid(3, 20)}) {
                const ShortNames names(listed);
                QSet<QString> seen, inColumns;
                for (const QString &name : listed) {
                    seen.insert(names.of(name));
                    QStringList texts;
                    for (const NamePart part : allNameParts)
                        texts.append(names.differ(part) ? names.part(name, part) : QString());
                    inColumns.insert(texts.join(u'|'));
                }
                QCOMPARE(inColumns.size(), listed.size());
                QCOMPARE(seen.size(), listed.size());
                QVERIFY(!seen.contains(QString()));
            }
        }
    }
};

TM_TEST(ShortNamesTest, QCoreApplication)
#include "tst_shortnames.moc"
