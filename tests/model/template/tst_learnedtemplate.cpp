// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/meaning/Meaning.h"
#include "model/template/LearnedTemplate.h"
#include "model/template/RecipeContext.h"
#include "model/template/RecipeRenderer.h"

#include "tests/support/FamilyLines.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace tmx;
using namespace Qt::StringLiterals;

class LearnedTemplateTest : public QObject
{
    Q_OBJECT

    std::shared_ptr<const Catalog> m_catalog;

    /// The built-in template's texts for all possible rows and instruction sets of one profile.
    QList<KnownRecipe> profile(const Settings &settings, const ProfileKey &key)
    {
        RecipeRenderer renderer(m_catalog);
        QList<KnownRecipe> recipes;
        for (const GpuRow &row : m_catalog->rows) {
            for (const Isa &isa : m_catalog->isas) {
                const Variant variant = key.variant({row.id, isa.id});
                if (row.isGpu() != key.isCuda() || row.id == "darwin-mps"_L1 || !m_catalog->validity(variant).valid)
                    continue;
                const auto text = renderer.render(settings, variant);
                const auto context = recipeContext(*m_catalog, settings, variant);
                if (!text || !context) {
                    QTest::qFail(qPrintable((text ? context.error() : text.error()).sentence()), __FILE__, __LINE__);
                    return {};
                }
                recipes.append({variant, *text, *context});
            }
        }
        return recipes;
    }

private slots:
    void initTestCase()
    {
        const auto catalog = Catalog::load();
        QVERIFY_OK(catalog);
        m_catalog = *catalog;
    }

    /// The template learned from a built-in one's recipes gives the same builds.
    void learnsWhatBuiltInTemplatesGive()
    {
        int profiles = 0;
        for (const auto &[name, settings] : tmx::testing::familyLines(*m_catalog)) {
            for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
                // One of each kind is enough of so many.
                if (it.key().build == "metal"_L1 || ++profiles % (test::isCompleteRun() ? 5 : 20) != 0)
                    continue;
                const QList<KnownRecipe> recipes = profile(settings, it.key());
                const auto learned = learnTemplate(*m_catalog, recipes);
                QVERIFY_OK(learned);
                for (const Dissenter &dissenter : learned->others)
                    qWarning().noquote() << name << dissenter.variant.name() << dissenter.why << learned->text;
                QCOMPARE(learned->others.size(), 0);
                QCOMPARE(learned->recipes, recipes.size());
                QCOMPARE(learned->same, recipes.size());
                QVERIFY2(learned->identical * 2 > learned->recipes, qPrintable(learned->text));
            }
        }
        QVERIFY(profiles > 10);
    }

    /// A person's change in one recipe makes a dissenter; what all recipes of an instruction set have makes a
    /// condition.
    void tellsDissentersFromConditions()
    {
        const Settings settings = *m_catalog->settings(u"main"_s);
        QList<KnownRecipe> recipes =
            profile(settings, {.family = u"pytorch"_s, .python = u"python313"_s, .build = u"12.8"_s});
        const QByteArray phase = "preConfigure = (oldAttrs.preConfigure or \"\") + ''\n";
        int changed = 0;
        for (KnownRecipe &recipe : recipes) {
            QVERIFY(recipe.text.contains(phase));
            if (recipe.variant.isa == "armv9"_L1)
                recipe.text.replace(phase, phase + "    export USE_KLEIDIAI=1\n");
            if (recipe.variant.isa == "avx2"_L1 && recipe.variant.row == "sm90"_L1) {
                recipe.text.replace(phase, phase + "    export USE_OWN=1\n");
                ++changed;
            }
        }
        QCOMPARE(changed, 1);
        const auto learned = learnTemplate(*m_catalog, recipes);
        QVERIFY_OK(learned);
        QCOMPARE(learned->others.size(), 1);
        QCOMPARE(learned->others.constFirst().variant.name(), u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        QVERIFY2(learned->others.constFirst().why.contains("environment"_L1),
                 qPrintable(learned->others.constFirst().why));
        QVERIFY(learned->conditions.contains(u"isa.lacks_avx2"_s));
        QVERIFY(learned->conditions.contains(u"isa.id == \"armv9\""_s));
        QVERIFY(learned->text.contains("USE_KLEIDIAI"_L1));
        QVERIFY(!learned->text.contains("USE_OWN"_L1));
    }

    /// Words about a GPU for which the catalog has no fact would be wrong for all others.
    void isMadeOfARecipeWithoutWordsOfItsOwn()
    {
        QList<KnownRecipe> recipes = profile(*m_catalog->settings(u"main"_s),
                                             {.family = u"pytorch"_s, .python = u"python313"_s, .build = u"12.8"_s});
        for (KnownRecipe &recipe : recipes) {
            if (recipe.variant.row != "sm90"_L1)
                recipe.text.prepend("# Runs on the RTX 40-series.\n");
        }
        const auto learned = learnTemplate(*m_catalog, recipes);
        QVERIFY_OK(learned);
        QCOMPARE(learned->reference.row, u"sm90"_s);
        QCOMPARE(learned->same, recipes.size());
    }

    /// AVX needs special handling that no other recipe shows: the template does not support it.
    void isMadeOfARecipeOfTheUsualPlatform()
    {
        const Settings &settings = *m_catalog->settings(u"main"_s);
        const QList<KnownRecipe> all = profile(settings, {u"pytorch"_s, u"python313"_s, u"cpu"_s});
        const auto of = [&all](const QString &platform, qsizetype most) {
            QList<KnownRecipe> recipes;
            for (const KnownRecipe &recipe : all) {
                const QVariantHash isa = recipe.context.value(u"isa"_s).toHash();
                if (isa.value(u"platform"_s) == platform && !isa.value(u"lacks_avx2"_s).toBool() &&
                    recipes.size() < most)
                    recipes.append(recipe);
            }
            return recipes;
        };
        const QString arm = u"aarch64-linux"_s;
        const QString intel = u"x86_64-linux"_s;
        for (const auto &[few, many] : {std::pair(arm, intel), std::pair(intel, arm)}) {
            const QList<KnownRecipe> one = of(few, 1);
            const QList<KnownRecipe> two = of(many, 2);
            QCOMPARE(one.size() + two.size(), 3);
            for (const QList<KnownRecipe> &recipes : {one + two, two + one}) {
                const auto learned = learnTemplate(*m_catalog, recipes);
                QVERIFY_OK(learned);
                QCOMPARE(m_catalog->isa(learned->reference.isa)->platform, many);
            }
        }
    }

    void isNotForWhatItDidNotSee()
    {
        const Settings settings = *m_catalog->settings(u"main"_s);
        const ProfileKey key{.family = u"pytorch"_s, .python = u"python313"_s, .build = u"cpu"_s};
        QList<KnownRecipe> recipes = profile(settings, key);
        const auto isAvx = [](const KnownRecipe &recipe) { return recipe.variant.isa == "avx"_L1; };
        const auto avx = std::ranges::find_if(std::as_const(recipes), isAvx);
        QVERIFY(avx != recipes.cend());
        const KnownRecipe known = *avx;
        const auto all = learnTemplate(*m_catalog, recipes);
        recipes.removeIf(isAvx);
        const auto some = learnTemplate(*m_catalog, recipes);
        QVERIFY_OK(all);
        QVERIFY_OK(some);
        Settings learned = settings;
        learned.set(&Profile::templateName, learnedTemplate(u"pytorch"_s), {{}, {}, {u"cpu"_s}});
        learned.learned.insert(key, all->text);
        RecipeRenderer renderer(m_catalog);
        const auto given = renderer.render(learned, known.variant);
        QVERIFY_OK(given);
        QVERIFY(samenessOf(*given, readMeaning(*given), known.text, readMeaning(known.text)) != Sameness::Different);
        learned.learned.insert(key, QString(some->text).replace("PyTorch"_L1, "Ours"_L1));
        const auto own = renderer.render(learned, known.variant); // the family's own gives it
        QVERIFY_OK(own);
        QCOMPARE(*own, known.text);
        const auto ours = renderer.render(learned, recipes.constFirst().variant);
        QVERIFY_OK(ours);
        QVERIFY(ours->contains("Ours"));
    }

    void refusesWhatIsNoTemplate()
    {
        QVERIFY_ERROR(learnTemplate(*m_catalog, {}), u"no recipe"_s);
        QList<KnownRecipe> recipes = profile(*m_catalog->settings(u"main"_s),
                                             {.family = u"pytorch"_s, .python = u"python313"_s, .build = u"12.8"_s});
        recipes = recipes.first(1);
        recipes.first().text += "# {{ mine }}\n";
        QVERIFY_ERROR(learnTemplate(*m_catalog, recipes), u"no recipe can become a template"_s);
    }
};

TM_TEST(LearnedTemplateTest, QCoreApplication)
#include "tst_learnedtemplate.moc"
