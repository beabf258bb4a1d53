// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// What real Nix and a real shell make of the recipes: every one is parsed and evaluated, over a small stand-in for
// nixpkgs (fixtures/nixpkgs) that has the semantics of overlays and overrides.
#include "model/template/RecipeRenderer.h"

#include "tests/support/BuiltInCatalog.h"
#include "tests/support/EvaluatedRecipes.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace tmx;
using namespace tmx::testing;
using namespace Qt::StringLiterals;

namespace {

/// Runs a phase in `folder` like the builder, and returns the environment afterwards.
QMap<QString, QString> runPhase(const QString &phase, const QTemporaryDir &folder)
{
    QProcess shell;
    shell.setWorkingDirectory(folder.path());
    QProcessEnvironment environment;
    environment.insert(u"PATH"_s, qEnvironmentVariable("PATH"));
    environment.insert(u"CXXFLAGS"_s, u"-DFROM_OUTSIDE"_s);
    environment.insert(u"USE_MKLDNN"_s, u"1"_s); // nixpkgs' torch sets it
    shell.setProcessEnvironment(environment);
    // The sandbox of a build has /build; here it is a folder of the test.
    shell.start(u"bash"_s,
                {u"-e"_s, u"-c"_s, QString(phase).replace("/build/"_L1, folder.path() + "/build/"_L1) + "\nenv -0"_L1});
    if (!shell.waitForFinished(30000) || shell.exitCode() != 0)
        QTest::qFail(shell.readAllStandardError().constData(), __FILE__, __LINE__);
    QMap<QString, QString> result;
    const QStringList pairs = QString::fromUtf8(shell.readAllStandardOutput()).split(QChar(u'\0'));
    for (const QString &pair : pairs)
        result.insert(pair.section(u'=', 0, 0), pair.section(u'=', 1).replace(folder.path(), QString()));
    return result;
}

} // namespace

class RecipeNixTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::shared_ptr<const Catalog> m_catalog;
    QList<Evaluated> m_recipes;

    const Evaluated *find(const QString &branch, const QString &name) const
    {
        const auto found = std::find_if(m_recipes.cbegin(), m_recipes.cend(), [&](const Evaluated &r) {
            return r.settings->branch == branch && r.variant.name() == name;
        });
        return found == m_recipes.cend() ? nullptr : &*found;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_catalog = testing::builtInCatalog();
        RecipeRenderer renderer(m_catalog);
        for (const Settings &settings : m_catalog->builtIn) {
            const QList<Variant> promised = settings.promised();
            for (const Variant &variant : promised) {
                const auto text = renderer.render(settings, variant);
                QVERIFY(text.ok());
                const QString file = m_folder.path() + u'/' + settings.branch + u'/' + variant.file();
                tmx::test::putFile(file, *text);
                m_recipes.append({&settings, variant, file, {}, {}});
            }
        }
        evaluate(m_recipes);
        QCOMPARE(m_recipes.size(), 153);
    }

    void init() { QTest::failOnWarning(); }

    void everyRecipeParses()
    {
        QStringList arguments{u"--parse"_s};
        for (const Evaluated &recipe : std::as_const(m_recipes))
            arguments.append(recipe.file);
        QCOMPARE(runNix(arguments).count('\n'), 153);
    }

    void everyRecipeIsTheVariantThatItsNameSays()
    {
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            const QString name = recipe.variant.name();
            const bool pinned = recipe.settings->branch == "cuda-13_0"_L1;
            QCOMPARE(recipe.text("pname"), pinned ? QString(name).replace("pytorch-"_L1, "pytorch210-"_L1) : name);
            const Isa *isa = m_catalog->isa(recipe.variant.isa);
            const GpuRow *row = m_catalog->row(recipe.variant.row);
            const QJsonObject passthru = recipe.table("passthru");
            QCOMPARE(passthru["cpuISA"_L1].toString(), isa->id);
            QCOMPARE(recipe.text("system"), isa->platform); // the caller's, not the one of the machine that evaluates
            QCOMPARE(recipe.table("meta")["platforms"_L1].toVariant().toStringList(), QStringList{isa->platform});
            QCOMPARE(recipe.table("meta")["license"_L1].toString(), u"bsd3"_s); // what nixpkgs says of torch stays
            const QString preConfigure = recipe.text("preConfigure");
            if (row->isGpu()) {
                QCOMPARE(passthru["gpuTargets"_L1].toVariant().toStringList(), QStringList{row->capability});
                QCOMPARE(passthru["gpuArch"_L1].toString(), row->capability);
                QVERIFY(passthru["cudaSupport"_L1].toBool());
                QCOMPARE(passthru["blasProvider"_L1].toString(), u"cublas"_s);
                QCOMPARE(passthru["cuda"_L1].toString(),
                         recipe.variant.cuda); // not the 12.6 that nixpkgs has by default
                QVERIFY(preConfigure.startsWith("export TORCH_CUDA_ARCH_LIST=\"%1\"\n"_L1.arg(row->capability)));
            } else {
                QVERIFY(passthru["gpuArch"_L1].isNull() && passthru.contains("gpuArch"_L1));
                QVERIFY(!passthru["cudaSupport"_L1].toBool());
                QCOMPARE(passthru["blasProvider"_L1].toString(), u"openblas"_s);
            }
            for (const char *variable : {"CXXFLAGS", "CFLAGS"}) {
                const QLatin1StringView v(variable);
                QVERIFY2(preConfigure.contains(u"export %1=\"%2 $%1\"\n"_s.arg(v, isa->flags.join(u' '))),
                         qPrintable(name));
            }
            const QString description = recipe.table("meta")["longDescription"_L1].toString();
            QVERIFY(description.contains("- CPU: %1\n"_L1.arg(isa->hardware)));
            QCOMPARE(description.count("Driver"_L1), row->isGpu() ? 1 : 0);
        }
    }

    void pinnedRecipesBuildTheUpgradedTorch()
    {
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            const bool pinned = recipe.settings->branch == "cuda-13_0"_L1;
            const bool gpu = !recipe.variant.cuda.isEmpty();
            // The overlay is used if there is one; else the pin's own torch has the version of the settings.
            QCOMPARE(recipe.text("version"), recipe.settings->versionOf(u"pytorch"_s));
            QCOMPARE(recipe.text("rev"), u'v' + recipe.text("version"));
            QCOMPARE(recipe.list("patches").isEmpty(), pinned);
            QCOMPARE(recipe.list("magmaPatches").join(u' '),
                     pinned && gpu ? u"cuda-13.0-clockrate-fix.patch"_s : QString());
            QCOMPARE(recipe.list("features").join(u' '), pinned && gpu ? u"big-parallel"_s : QString());
            QStringList flags = recipe.list("cmakeFlags");
            QCOMPARE(flags.takeFirst(), u"-DBASE=1"_s);
            QStringList expected;
            if (pinned)
                expected = gpu ? QStringList{u"-DTORCH_BUILD_VERSION=2.10.0"_s,
                                             u"-DCMAKE_CUDA_FLAGS=-I/build/cccl-compat"_s, u"-DCUDA_VERSION=13.0"_s}
                               : QStringList{u"-DTORCH_BUILD_VERSION=2.10.0"_s, u"-DUSE_CUDA=OFF"_s};
            if (recipe.variant.isa == "avx"_L1)
                expected += {u"-DUSE_NNPACK=OFF"_s,       u"-DCXX_AVX2_FOUND=FALSE"_s,
                             u"-DC_AVX2_FOUND=FALSE"_s,   u"-DCXX_AVX512_FOUND=FALSE"_s,
                             u"-DC_AVX512_FOUND=FALSE"_s, u"-DCAFFE2_COMPILER_SUPPORTS_AVX512_EXTENSIONS=OFF"_s};
            QCOMPARE(flags, expected);
        }
    }

    void cpuRecipesDropCudaInputsAndAddOpenblas()
    {
        const Evaluated *cpu = find(u"main"_s, u"pytorch-python313-cpu-avx2"_s);
        QVERIFY(cpu);
        QCOMPARE(cpu->list("inputs").join(u' '), u"numpy ? ? magma openblas"_s);
        QCOMPARE(find(u"main"_s, u"pytorch-python313-cuda12_8-sm90-avx2"_s)->list("inputs").join(u' '),
                 u"numpy ? ? magma cuda_cudart"_s);
    }

    void phasesLeaveTheRightEnvironment_data()
    {
        QTest::addColumn<QString>("branch");
        QTest::addColumn<QString>("flags");
        QTest::addColumn<QString>("off"); // USE_x=0 and what else is set
        const QString noAvx2 = u"USE_FBGEMM=0 USE_MKLDNN=0 USE_MKLDNN_CBLAS=0 USE_NNPACK=0"_s;
        const QString cccl = u"-I/build/cccl-compat "_s;
        QTest::newRow("pytorch-python313-cuda12_8-sm90-avx512")
            << "main" << "-mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma" << "USE_MKLDNN=1";
        QTest::newRow("pytorch-python313-cuda12_8-sm61-avx")
            << "main" << "-mavx -mno-fma -mno-bmi -mno-bmi2 -mno-avx2" << u"USE_CUDNN=0 "_s + noAvx2;
        QTest::newRow("pytorch-python313-cuda12_9-sm61-avx2")
            << "cuda-12_9" << "-mavx2 -mfma -mf16c" << "USE_CUDNN=0 USE_MKLDNN=1";
        QTest::newRow("pytorch-python313-cpu-armv8_2")
            << "cuda-12_9" << "-march=armv8.2-a+fp16+dotprod"
            << "USE_CUBLAS=0 USE_CUDA=0 USE_CUDNN=0 USE_MKLDNN=1 USE_MKLDNN_CBLAS=1";
        QTest::newRow("pytorch-python313-cuda13_0-sm90-avx512vnni")
            << "cuda-13_0" << cccl + u"-mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx512vnni -mfma"_s
            << "USE_MKLDNN=1";
        QTest::newRow("pytorch-python313-cuda13_0-sm121-armv9")
            << "cuda-13_0" << cccl + u"-march=armv9-a+sve+sve2"_s << "USE_MKLDNN=1";
        QTest::newRow("pytorch-python313-cpu-avx")
            << "cuda-13_0" << "-mavx -mno-fma -mno-bmi -mno-bmi2 -mno-avx2" << noAvx2;
        QTest::newRow("pytorch-python313-cpu-avx512bf16")
            << "cuda-13_0" << "-mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx512bf16 -mfma" << "USE_MKLDNN=1";
    }

    void phasesLeaveTheRightEnvironment()
    {
        QFETCH(QString, branch);
        QFETCH(QString, flags);
        QFETCH(QString, off);
        const Evaluated *recipe = find(branch, QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY(recipe);
        QTemporaryDir folder;
        const auto environment = runPhase(recipe->text("preConfigure"), folder);
        QCOMPARE(environment[u"CXXFLAGS"_s], flags + " -DFROM_OUTSIDE"_L1);
        QCOMPARE(environment[u"CFLAGS"_s], flags + u' ');
        QStringList use;
        for (auto it = environment.cbegin(); it != environment.cend(); ++it) {
            if (it.key().startsWith("USE_"_L1))
                use.append(it.key() + u'=' + *it);
        }
        QCOMPARE(use.join(u' '), off);

        const bool pinned = branch == "cuda-13_0"_L1;
        const bool gpu = !recipe->variant.cuda.isEmpty();
        QFile version(folder.filePath(u"version.txt"_s));
        QCOMPARE(version.open(QIODevice::ReadOnly), pinned);
        if (pinned) {
            QCOMPARE(version.readAll(), QByteArray("2.10.0\n"));
            QCOMPARE(environment[u"PYTORCH_BUILD_VERSION"_s], u"2.10.0"_s);
        }
        QCOMPARE(environment.value(u"CUDAFLAGS"_s), pinned && gpu ? u"-I/build/cccl-compat "_s : QString());
        const QDir cccl(folder.filePath(u"build/cccl-compat/cccl"_s));
        QCOMPARE(cccl.exists(), pinned && gpu);
        for (const char *dir : {"cuda", "cub", "thrust", "nv"}) {
            if (pinned && gpu)
                QCOMPARE(QFile::symLinkTarget(cccl.filePath(QLatin1StringView(dir))),
                         u"/store/cccl-13.0-include/include/"_s + QLatin1StringView(dir));
        }
        runPhase(recipe->text("postPatch"), folder);
        QFile module(folder.filePath(u"cmake/Modules/FindCUDAToolkit.cmake"_s));
        QCOMPARE(module.open(QIODevice::ReadOnly), pinned && gpu);
        if (pinned && gpu)
            QCOMPARE(module.readAll(), QByteArray("include(${CMAKE_ROOT}/Modules/FindCUDAToolkit.cmake)\n"));
    }

    void aLineWithoutAPinExtendsTheCallersPackages()
    {
        Settings settings = *m_catalog->settings(u"cuda-12_9"_s);
        settings.set(&Profile::pin, NixpkgsPin{});
        RecipeRenderer renderer(m_catalog);
        QList<Evaluated> recipes;
        for (const Variant &variant : settings.promised()) {
            const QString file = m_folder.path() + u"/no-pin/"_s + variant.file();
            const auto text = renderer.render(settings, variant);
            QVERIFY2(text.ok(), text.ok() ? "" : qPrintable(text.error().sentence()));
            QVERIFY(!text->contains("fetchTarball"));
            tmx::test::putFile(file, *text);
            recipes.append({&settings, variant, file, {}, {}});
        }
        evaluate(recipes);
        for (const Evaluated &recipe : std::as_const(recipes)) {
            QCOMPARE(recipe.text("pname"), recipe.variant.name());
            if (!recipe.variant.cuda.isEmpty())
                QCOMPARE(recipe.table("passthru")["cuda"_L1].toString(), u"12.9"_s);
        }
    }

    void anotherPythonStillGetsTheUpgradedTorch()
    {
        const Settings &settings = *m_catalog->settings(u"cuda-13_0"_s);
        RecipeRenderer renderer(m_catalog);
        QList<Evaluated> recipes;
        for (const Variant &variant : {Variant{u"pytorch"_s, u"python312"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s},
                                       Variant{u"pytorch"_s, u"python312"_s, {}, u"cpu"_s, u"avx"_s}}) {
            const QString file = m_folder.path() + u"/python312/"_s + variant.file();
            tmx::test::putFile(file, *renderer.render(settings, variant));
            recipes.append({&settings, variant, file, {}, {}});
        }
        evaluate(recipes);
        for (const Evaluated &recipe : std::as_const(recipes))
            QCOMPARE(recipe.text("version"), u"2.10.0"_s);
    }

    void textsFromTheCatalogStayTexts()
    {
        // A user's catalog may hold anything; none of it may become Nix code.
        const QStringList nasty{uR"(a "quoted" word)"_s,
                                u"${throw \"x\"} and $${y}"_s,
                                u"'' out ''${in} '${z} ''' '"_s,
                                uR"(back\slash \${w} \n \)"_s,
                                u"$"_s,
                                u"# {{ name }} {% if %}"_s};
        for (const QString &text : nasty) {
            Catalog catalog = *m_catalog;
            for (GpuRow &row : catalog.rows) {
                row.generation = text;
                row.products = {text};
            }
            for (Isa &isa : catalog.isas) {
                isa.title = text;
                isa.hardware = text + u"\n}; evil = 1;"_s;
                isa.flagNotes.fill(text + u"\n]; evil = ["_s);
            }
            for (Family &family : catalog.families)
                family.title = text;
            RecipeRenderer renderer(std::make_shared<const Catalog>(catalog));
            QList<Evaluated> recipes;
            for (const char *branch : {"main", "cuda-13_0"}) {
                const Settings *settings = m_catalog->settings(QLatin1StringView(branch));
                for (const Variant &variant : {settings->promised().first(), settings->promised().last()}) {
                    const QString file = m_folder.path() + u"/nasty/"_s + settings->branch + u'/' + variant.file();
                    tmx::test::putFile(file, *renderer.render(*settings, variant));
                    recipes.append({settings, variant, file, {}, {}});
                }
            }
            evaluate(recipes);
            for (const Evaluated &recipe : std::as_const(recipes)) {
                const QJsonObject meta = recipe.table("meta");
                QVERIFY2(meta["description"_L1].toString().startsWith(text + u' '),
                         qPrintable(meta["description"_L1].toString()));
                QVERIFY2(meta["longDescription"_L1].toString().contains("- CPU: %1\n"_L1.arg(text)),
                         qPrintable(meta["longDescription"_L1].toString()));
                QVERIFY(meta["longDescription"_L1].toString().contains("- CPU: %1 }; evil = 1;\n"_L1.arg(text)));
                QVERIFY(!recipe.facts.contains("evil"_L1));
            }
        }
    }
};

TM_TEST(RecipeNixTest, QCoreApplication)
#include "tst_recipenix.moc"
