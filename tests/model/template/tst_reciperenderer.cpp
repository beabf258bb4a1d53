// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/template/RecipeContext.h"
#include "model/template/RecipeRenderer.h"
#include "model/template/VariantMentions.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/EditedSettings.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <thread>

using namespace tmx;
using namespace tmx::testing;
using namespace Qt::StringLiterals;

namespace {

using Rendered = QMap<QString, QByteArray>; // "branch name" -> recipe

void render(RecipeRenderer &renderer, const Catalog &catalog, Rendered &recipes)
{
    for (const Settings &settings : catalog.builtIn) {
        const QList<Variant> promised = settings.promised();
        for (const Variant &variant : promised) {
            const auto text = renderer.render(settings, variant);
            QVERIFY2(text.ok(), text.ok() ? "" : qPrintable(text.error().sentence()));
            recipes.insert(settings.branch + u' ' + variant.name(), *text);
        }
    }
}

int linesWith(const QByteArray &text, const QByteArray &word)
{
    const QList<QByteArray> lines = text.split('\n');
    return int(
        std::count_if(lines.cbegin(), lines.cend(), [&](const QByteArray &line) { return line.contains(word); }));
}

void flatten(const QString &prefix, const QVariantHash &table, QMap<QString, QByteArray> &leaves)
{
    for (auto it = table.cbegin(); it != table.cend(); ++it) {
        if (it->typeId() == QMetaType::QVariantHash)
            flatten(prefix + it.key() + u'.', it->toHash(), leaves);
        else
            leaves.insert(prefix + it.key(),
                          QJsonDocument(QJsonObject{{u"v"_s, QJsonValue::fromVariant(*it)}}).toJson());
    }
}

} // namespace

class RecipeRendererTest : public QObject
{
    Q_OBJECT

    std::shared_ptr<const Catalog> m_catalog;
    Rendered m_recipes;

    QByteArray recipe(const char *branch, const char *name) const
    {
        return m_recipes.value(QString::fromLatin1(branch) + u' ' + QString::fromLatin1(name));
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_catalog = builtInCatalog();
        RecipeRenderer renderer(m_catalog);
        render(renderer, *m_catalog, m_recipes);
        QCOMPARE(m_recipes.size(), 44 + 50 + 59);
    }

    void init() { QTest::failOnWarning(); }

    /// A learned text names the driver of the recipes that it was learned from.
    void driversAreNewEnough()
    {
        const QVariantHash context{{u"driver"_s, u"570.26"_s}, {u"driver_major"_s, u"570"_s}};
        QCOMPARE(
            withNewDrivers("# CUDA 12.9, driver 550+\n- Driver: NVIDIA 525.60.13+ (\xc2\xb5)\ndriver 580, driver 570\n",
                           context),
            "# CUDA 12.9, driver 570+\n- Driver: NVIDIA 570.26+ (\xc2\xb5)\ndriver 580, driver 570\n"_ba);
        QCOMPARE(withNewDrivers("driver 470", {}), "driver 470"_ba);
    }

    void textIsTidy()
    {
        static const QRegularExpression markup(uR"(\{\{|\}\}|\{%|%\}|\{#|#\}|&amp;|&quot;|&#)"_s);
        for (auto it = m_recipes.cbegin(); it != m_recipes.cend(); ++it) {
            const QByteArray &text = *it;
            QVERIFY2(text.endsWith("\n") && !text.endsWith("\n\n"), qPrintable(it.key()));
            QVERIFY2(!text.contains('\t') && !text.contains('\r') && !text.contains(" \n"), qPrintable(it.key()));
            QVERIFY2(!text.contains("\n\n\n"), qPrintable(it.key()));
            QVERIFY2(!QString::fromUtf8(text).contains(markup), qPrintable(it.key()));
            // A name without a value in a template would leave one of these.
            for (const char *hole : {"\"\"", "(, ", "= ;", "NVIDIA  ", "NVIDIA +", "[ \"\" ]", ": \n", "=\n"})
                QVERIFY2(!QByteArray(text)
                              .replace("oldAttrs.preConfigure or \"\"", {})
                              .replace("oldAttrs.postPatch or \"\"", {})
                              .replace("p.pname or \"\"", {})
                              .contains(hole),
                         qPrintable(it.key() + u": "_s + QString::fromLatin1(hole)));
            for (const QByteArray &line : text.split('\n'))
                QVERIFY2(line.size() <= 130, qPrintable(it.key() + u": "_s + QString::fromUtf8(line)));
        }
    }

    void recipesNameThemselves()
    {
        for (auto it = m_recipes.cbegin(); it != m_recipes.cend(); ++it) {
            const QByteArray name = it.key().section(u' ', 1).toUtf8();
            const QByteArray pname =
                it.key().startsWith("cuda-13_0 "_L1) ? QByteArray(name).replace("pytorch-", "pytorch210-") : name;
            QCOMPARE(linesWith(*it, "# Package name: " + name), 1);
            QCOMPARE(linesWith(*it, "pname = \"" + pname + "\";"), 1);
        }
    }

    void flagsAndCommentsAreAligned()
    {
        for (auto it = m_recipes.cbegin(); it != m_recipes.cend(); ++it) {
            const qsizetype start = it->indexOf("  cpuFlags = [\n");
            const QByteArray list = it->mid(start, it->indexOf("  ];", start) - start);
            QSet<qsizetype> columns;
            for (const QByteArray &line : list.split('\n').sliced(1)) {
                if (!line.isEmpty())
                    columns.insert(line.indexOf("  # "));
            }
            QCOMPARE(columns.size(), 1);
            QVERIFY(!columns.contains(-1));
        }
    }

    void cuda130HoldsItsThreePatterns()
    {
        int gpus = 0;
        int cpus = 0;
        for (auto it = m_recipes.cbegin(); it != m_recipes.cend(); ++it) {
            if (!it.key().startsWith("cuda-13_0 "_L1))
                continue;
            const bool cpu = it.key().contains("-cpu-"_L1);
            (cpu ? cpus : gpus) += 1;
            QCOMPARE(linesWith(*it, "cudaPackages_13"), cpu ? 0 : 1);
            QCOMPARE(linesWith(*it, "cuda-13.0-clockrate-fix.patch"), cpu ? 0 : 1);
            QCOMPARE(linesWith(*it, "version = \"2.10.0\""), 1);
            // grep -c with the three as alternatives, as maintainers check it
            const QList<QByteArray> lines = it->split('\n');
            QCOMPARE(std::count_if(lines.cbegin(), lines.cend(),
                                   [](const QByteArray &line) {
                                       return line.contains("cudaPackages_13") ||
                                              line.contains("cuda-13.0-clockrate-fix.patch") ||
                                              line.contains("version = \"2.10.0\"");
                                   }),
                     cpu ? 1 : 3);
            QVERIFY(it->contains("fetchTarball"));
            QVERIFY(!it->contains("python313Packages.torch"));
        }
        QCOMPARE(gpus, 52);
        QCOMPARE(cpus, 7);
    }

    void eachBranchHasItsPinAlone()
    {
        const QByteArray first = "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3";
        const QByteArray second = "6a030d535719c5190187c4cec156f335e95e3211";
        for (auto it = m_recipes.cbegin(); it != m_recipes.cend(); ++it) {
            const bool main = it.key().startsWith("main "_L1);
            QCOMPARE(linesWith(*it, main ? first : second), 1);
            QVERIFY(!it->contains((main ? second : first).first(7)));
        }
    }

    void capabilityIsDotted()
    {
        for (auto it = m_recipes.cbegin(); it != m_recipes.cend(); ++it) {
            QVERIFY(!it->contains("sm_"));
            const QString row = it.key().section(u'-', -2, -2);
            if (row == "cpu"_L1)
                QVERIFY(it->contains("gpuArch = null;") && !it->contains("gpuArchSM"));
            else
                QVERIFY2(it->contains("gpuArchSM = \"" + m_catalog->row(row)->capability.toUtf8() + "\";"),
                         qPrintable(it.key()));
        }
    }

    void avxOnlyIsSwitchedOffEverywhere()
    {
        int avx = 0;
        for (auto it = m_recipes.cbegin(); it != m_recipes.cend(); ++it) {
            const bool only = it.key().endsWith("-avx"_L1);
            avx += only;
            for (const char *line :
                 {"export USE_FBGEMM=0", "export USE_MKLDNN=0", "export USE_MKLDNN_CBLAS=0", "export USE_NNPACK=0",
                  "\"-DUSE_NNPACK=OFF\"", "\"-DCXX_AVX2_FOUND=FALSE\"", "\"-DC_AVX2_FOUND=FALSE\"",
                  "\"-DCXX_AVX512_FOUND=FALSE\"", "\"-DC_AVX512_FOUND=FALSE\"",
                  "\"-DCAFFE2_COMPILER_SUPPORTS_AVX512_EXTENSIONS=OFF\""})
                QCOMPARE(linesWith(*it, line), only ? 1 : 0);
            if (only)
                QVERIFY(!it->contains("USE_MKLDNN=1") && !it->contains("USE_MKLDNN_CBLAS=1"));
        }
        QCOMPARE(avx, 3);

        // The shape of main's CPU recipes has USE_MKLDNN=1; an AVX variant, which these settings do not cover, must not
        // have it.
        RecipeRenderer renderer(m_catalog);
        const auto cpu = renderer.render(*m_catalog->settings(u"main"_s), torchOn("", "cpu", "avx"));
        QVERIFY(cpu.ok());
        QVERIFY(cpu->contains("USE_MKLDNN=0") && !cpu->contains("USE_MKLDNN=1") &&
                !cpu->contains("USE_MKLDNN_CBLAS=1"));
        QVERIFY(recipe("main", "pytorch-python313-cpu-avx2").contains("USE_MKLDNN=1"));
    }

    void cudnnIsOffWhereItIsGone()
    {
        RecipeRenderer renderer(m_catalog);
        for (auto it = m_recipes.cbegin(); it != m_recipes.cend(); ++it)
            QCOMPARE(linesWith(*it, "export USE_CUDNN=0"),
                     it.key().contains("-sm61-"_L1) ||
                             (it.key().contains("-cpu-"_L1) && !it.key().startsWith("cuda-13_0"_L1))
                         ? 1
                         : 0);
        for (const char *isa : {"avx", "avx2", "armv9"}) {
            const auto volta = renderer.render(*m_catalog->settings(u"main"_s), torchOn("12.8", "sm70", isa));
            QVERIFY(volta.ok());
            QCOMPARE(linesWith(*volta, "export USE_CUDNN=0"), 1);
        }
    }

    void driverTextIsTheLargerFloor()
    {
        for (auto it = m_recipes.cbegin(); it != m_recipes.cend(); ++it) {
            const QString row = it.key().section(u'-', -2, -2);
            if (row == "cpu"_L1) {
                QVERIFY(!it->contains("Driver:"));
                continue;
            }
            const bool blackwell = QStringList{u"sm100"_s, u"sm103"_s, u"sm120"_s, u"sm121"_s}.contains(row);
            const QByteArray floor = it.key().startsWith("cuda-13_0"_L1) ? "580" : blackwell ? "570" : "525.60.13";
            QVERIFY2(it->contains("- Driver: NVIDIA " + floor + "+ required\n"), qPrintable(it.key()));
        }
    }

    void nothingButTheNameDependsOnRowAndIsaTogether()
    {
        for (const Settings &settings : m_catalog->builtIn) {
            QMap<QString, QMap<QString, QMap<QString, QByteArray>>> values; // key, row, ISA
            for (const GpuRow &row : m_catalog->rows) {
                for (const Isa &isa : m_catalog->isas) {
                    const QString cuda = settings.toolkits().first();
                    const auto context =
                        recipeContext(*m_catalog, settings,
                                      {u"pytorch"_s, u"python313"_s, row.isGpu() ? cuda : QString(), row.id, isa.id});
                    QVERIFY(context.ok());
                    QMap<QString, QByteArray> leaves;
                    flatten({}, *context, leaves);
                    for (auto it = leaves.cbegin(); it != leaves.cend(); ++it)
                        values[it.key()][row.id][isa.id] = *it;
                }
            }
            for (auto key = values.cbegin(); key != values.cend(); ++key) {
                bool byRow = true;
                bool byIsa = true;
                for (const auto &cells : *key) {
                    for (auto cell = cells.cbegin(); cell != cells.cend(); ++cell) {
                        byRow &= *cell == cells.first();
                        byIsa &= *cell == key->first().value(cell.key());
                    }
                }
                const QString last = key.key().section(u'.', -1);
                const bool name = last == "name"_L1 || last == "pname"_L1 || last == "package"_L1;
                QVERIFY2((byRow || byIsa) != name, qPrintable(key.key()));
            }
        }
    }

    void sameInputGivesTheSameBytes()
    {
        RecipeRenderer again(m_catalog);
        Rendered second;
        render(again, *m_catalog, second);
        QCOMPARE(second, m_recipes);

        // From a separate catalog, backwards, with one renderer for all: no state remains from one recipe to the next.
        auto catalog = Catalog::load();
        RecipeRenderer other(*catalog);
        for (auto it = m_recipes.end(); it != m_recipes.begin();) {
            --it;
            const Settings *settings = (*catalog)->settings(it.key().section(u' ', 0, 0));
            for (const Variant &variant : settings->promised()) {
                if (variant.name() == it.key().section(u' ', 1))
                    QCOMPARE(*other.render(*settings, variant), *it);
            }
        }
    }

    void oneRendererAThreadIsEnough()
    {
        QList<Rendered> results(4);
        std::vector<std::thread> threads;
        for (Rendered &result : results) {
            threads.emplace_back([this, &result] {
                RecipeRenderer renderer(m_catalog);
                render(renderer, *m_catalog, result);
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        for (const Rendered &result : results)
            QCOMPARE(result, m_recipes);
    }

    void refusesWhatItCannotRender_data()
    {
        QTest::addColumn<Variant>("variant");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("row")
            << torchOn("12.8", "sm99", "avx2")
            << "Could not render pytorch-python313-cuda12_8-sm99-avx2: the catalog has no row \"sm99\".";
        QTest::newRow("ISA")
            << torchOn("12.8", "sm90", "sse2")
            << "Could not render pytorch-python313-cuda12_8-sm90-sse2: the catalog has no instruction set \"sse2\".";
        QTest::newRow("toolkit")
            << torchOn("13.0", "sm90", "avx2")
            << "Could not render pytorch-python313-cuda13_0-sm90-avx2: the settings of main have no CUDA 13.0.";
        QTest::newRow("no toolkit") << torchOn("", "sm90", "avx2")
                                    << "Could not render pytorch-python313-sm90-avx2: its name has no CUDA part.";
        Variant other = torchOn("12.8", "sm90", "avx2");
        other.family = u"jax"_s;
        QTest::newRow("family") << other
                                << "Could not render jax-python313-cuda12_8-sm90-avx2: no template was learned from "
                                   "the recipes of jax. Recipes of its kind without errors give one: \"audit\" lists "
                                   "the errors, and \"fix\" corrects some.";
        other = torchOn("12.8", "sm90", "avx2");
        other.python = u"python313\"; rm"_s;
        QTest::newRow("Python")
            << other
            << "Could not render pytorch-python313\"; rm-cuda12_8-sm90-avx2: \"python313\"; rm\" cannot be its Python.";
    }

    void refusesWhatItCannotRender()
    {
        QFETCH(Variant, variant);
        QFETCH(QString, sentence);
        RecipeRenderer renderer(m_catalog);
        const Settings &settings = *m_catalog->settings(u"main"_s);
        // What it has rendered changes nothing, and neither does what it has refused.
        const auto good = renderer.render(settings, torchOn("12.8", "sm90", "avx2"));
        for (int round = 0; round < 2; ++round) {
            const auto text = renderer.render(settings, variant);
            QVERIFY(!text.ok());
            QCOMPARE(text.error().sentence(), sentence);
            QCOMPARE(*renderer.render(settings, torchOn("12.8", "sm90", "avx2")), *good);
        }
    }

    void refusesALineThatLacksWhatTheShapeNeeds()
    {
        RecipeRenderer renderer(m_catalog);
        Settings settings = *m_catalog->settings(u"cuda-13_0"_s);
        settings.set(&Profile::sourceHash, QString());
        auto text = renderer.render(settings, torchOn("13.0", "sm90", "avx2"));
        QVERIFY(!text.ok());
        QCOMPARE(text.error().sentence(),
                 u"Could not use the template pytorch/pinned-overlays-gpu: it needs torch.hash, which the branch "_s
                 u"settings do not set."_s);
        settings = *m_catalog->settings(u"cuda-13_0"_s);
        settings.set(&Profile::pin, NixpkgsPin{});
        text = renderer.render(settings, torchOn("", "cpu", "avx2"));
        QVERIFY(!text.ok());
        QVERIFY(text.error().sentence().contains("nixpkgs.rev"_L1));
        settings = *m_catalog->settings(u"main"_s);
        settings.set(&Profile::pin, NixpkgsPin{u"main; rm"_s, {}, {}});
        QVERIFY(!renderer.render(settings, torchOn("", "cpu", "avx2")).ok());
        settings = *m_catalog->settings(u"main"_s);
        settings = test::edited(settings, *m_catalog, [](WrittenSettings &form) {
            form.ofFamilies[u"torchvision"_s].insert(u"version"_s, u"0.23.0"_s);
            form.cudas.first().families[u"torchvision"_s].insert(u"gpu_template"_s, u"pytorch/two-stage-gpu"_s);
        });
        Variant vision = torchOn("12.8", "sm90", "avx2");
        vision.family = u"torchvision"_s;
        text = renderer.render(settings, vision);
        QVERIFY(!text.ok()); // never PyTorch's recipe under torchvision's name
        QVERIFY2(text.error().sentence().contains("have no template for it"_L1), qPrintable(text.error().sentence()));
    }

    void writesThePinsHashWhereItIsKnown()
    {
        RecipeRenderer renderer(m_catalog);
        Settings settings = *m_catalog->settings(u"cuda-13_0"_s);
        for (Profile &profile : settings.profiles)
            profile.pin.sha256 = u"sha256-Xy8qyhYzA1gVVvRkzaBYJ5yqzCqmZ3WvP6xMmpsp9fE="_s;
        for (const Variant &variant : {torchOn("13.0", "sm90", "avx2"), torchOn("", "cpu", "avx2")})
            QVERIFY(
                renderer.render(settings, variant)
                    ->contains(
                        ".tar.gz\";\n    sha256 = \"sha256-Xy8qyhYzA1gVVvRkzaBYJ5yqzCqmZ3WvP6xMmpsp9fE=\";\n  }) {\n"));
    }

    void anotherPythonHasItsOwnOverlay()
    {
        RecipeRenderer renderer(m_catalog);
        Variant variant = torchOn("13.0", "sm90", "avx2");
        variant.python = u"python312"_s;
        const auto text = renderer.render(*m_catalog->settings(u"cuda-13_0"_s), variant);
        QVERIFY(text->contains("python312Packages = prev.python312Packages.override {") &&
                text->contains("nixpkgs_pinned.python312Packages.torch.override {"));
        QVERIFY(!text->contains("python3Packages"));
        QVERIFY(text->contains("- Python: 3.12\n"));
    }

    void theMagmaPatchGoesFrom131On()
    {
        RecipeRenderer renderer(m_catalog);
        const Settings settings =
            test::edited(*m_catalog->settings(u"cuda-13_0"_s), *m_catalog, [](WrittenSettings &form) {
                form.cudas.append({u"13.1"_s,
                                   {{u"release"_s, u"13.1"_s}, {u"attribute"_s, u"cudaPackages_13_1"_s}},
                                   {{u"pytorch"_s, {{u"gpu_template"_s, u"pytorch/pinned-overlays-gpu"_s}}}}});
            });
        const auto text = renderer.render(settings, torchOn("13.1", "sm90", "avx2"));
        QVERIFY(text->contains("final.cudaPackages_13_1;") && text->contains("cccl-compat") &&
                !text->contains("magma"));
    }
};

TM_TEST(RecipeRendererTest, QCoreApplication)
#include "tst_reciperenderer.moc"
