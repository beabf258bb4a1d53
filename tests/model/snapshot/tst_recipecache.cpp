// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/RecipeCache.h"

#include "model/template/RecipeRenderer.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>
#include <atomic>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

/// More than one renderer's share. The catalog does not have one of the instruction sets.
QList<Variant> manyVariants(const Catalog &catalog, const Settings &settings)
{
    QList<Variant> variants;
    for (const QString &family : catalog.familyIds()) {
        for (const GpuRow &row : catalog.rows) {
            for (const QString &isa : catalog.isaIds() + QStringList{u"z80"_s})
                variants.append({family, settings.pythons().constFirst(),
                                 row.isGpu() ? settings.toolkits().constFirst() : QString(), row.id, isa});
        }
    }
    return variants;
}

} // namespace

/// The results on several cores equal those of one call after another.
class RecipeCacheTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void rendersManyAsOneByOne()
    {
        const auto catalog = builtInCatalog();
        const Settings settings = *catalog->settings(u"main"_s);
        const QList<Variant> variants = manyVariants(*catalog, settings);
        QVERIFY2(variants.size() > 256, qPrintable(QString::number(variants.size())));
        const RecipeCache recipes(catalog);
        std::atomic_int told = 0;
        const QList<Result<QByteArray>> texts = recipes.rendered(settings, variants,
                                                                 {[&told](int done, int total) {
                                                                      if (done == total)
                                                                          told = total;
                                                                  },
                                                                  {}});
        QCOMPARE(told.load(), int(variants.size()));
        QCOMPARE(texts.size(), variants.size());
        RecipeRenderer renderer(catalog);
        qsizetype rendered = 0;
        for (qsizetype i = 0; i < variants.size(); ++i) {
            const Result<QByteArray> alone = renderer.render(settings, variants.at(i));
            QCOMPARE(texts.at(i).ok(), alone.ok());
            if (alone)
                QCOMPARE(*texts.at(i), *alone);
            else
                QCOMPARE(texts.at(i).error().sentence(), alone.error().sentence());
            rendered += alone.ok();
        }
        QVERIFY(rendered > 100 && rendered < variants.size());
    }

    void auditsManyAsOneByOne()
    {
        const auto catalog = builtInCatalog();
        const Settings settings = *catalog->settings(u"main"_s);
        const QList<Variant> variants = settings.promised();
        const QList<Result<QByteArray>> texts = RecipeCache(catalog).rendered(settings, variants);
        QList<AuditInput> inputs;
        for (qsizetype i = 0; i < variants.size(); ++i) // Each has its neighbour's text: the audit finds much.
            inputs.append({.variant = variants.at(i),
                           .file = variants.at(i).file(),
                           .text = *texts.at((i + i % 3) % texts.size())});
        const RecipeCache recipes(catalog);
        const QList<Judgement> together = recipes.audited(settings, inputs);
        QCOMPARE(together.size(), inputs.size());
        const RecipeCache others(catalog);
        for (qsizetype i = 0; i < inputs.size(); ++i) {
            QVERIFY(together.at(i).facts != nullptr);
            QCOMPARE(together.at(i).findings, others.audited(settings, {inputs.at(i)}).constFirst().findings);
        }
        QVERIFY(std::ranges::any_of(together, [](const Judgement &one) { return one.firstError() != nullptr; }));
        QCOMPARE(recipes.audited(settings, inputs).constLast().findings, together.constLast().findings);
    }

    void stopsEarly()
    {
        const auto catalog = builtInCatalog();
        const Settings settings = *catalog->settings(u"main"_s);
        const QList<Variant> variants = manyVariants(*catalog, settings);
        const RecipeCache recipes(catalog);
        std::atomic_int asked = 0;
        const WorkHooks hooks{{}, [&asked] { return ++asked > 10; }};
        const QList<Result<QByteArray>> texts = recipes.rendered(settings, variants, hooks);
        QCOMPARE(texts.size(), variants.size());
        const auto stopped = std::ranges::count_if(texts, [](const Result<QByteArray> &text) {
            return !text && text.error().sentence() == stoppedError().sentence();
        });
        QCOMPARE(stopped, variants.size() - 10);
    }
};

TM_TEST(RecipeCacheTest, QCoreApplication)
#include "tst_recipecache.moc"
