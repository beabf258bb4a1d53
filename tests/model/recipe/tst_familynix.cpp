// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Every family, every way of finding torch, every toolkit and Python: rendered, evaluated by real Nix over fixtures/nixpkgs, and held
// against the variant and the line.
#include "model/catalog/LineFile.h"
#include "model/recipe/RecipeRenderer.h"

#include "tests/support/EvaluatedRecipes.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace tmx;
using namespace tmx::testing;
using namespace Qt::StringLiterals;

namespace {

const QStringList allFamilies{u"pytorch"_s, u"torchvision"_s, u"torchaudio"_s};
const QString someHash = u"sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="_s;
const QString oldPin = u"fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3"_s;
const QString newPin = u"6a030d535719c5190187c4cec156f335e95e3211"_s;

/// Every toolkit with a nixpkgs of its own and every Python, on one branch. The 13s bring a newer PyTorch than their nixpkgs has.
QByteArray everyToolkitFile()
{
    QByteArray text = "families = ['pytorch', 'torchvision', 'torchaudio']\n"
                      "pythons = ['python313', 'python312', 'python311']\n"
                      "nixpkgs = '" + oldPin.toLatin1() + "'\nnixpkgs_python3 = 'python313'\n"
                      "versions = { pytorch = '2.8.0' }\n";
    for (const char *version : {"12.4", "12.6", "12.8", "12.9"})
        text += QByteArray("[[cuda]]\nversion = '") + version + "'\n";
    for (const char *version : {"13.0", "13.1"})
        text += QByteArray("[[cuda]]\nversion = '") + version + "'\nnixpkgs = '" + newPin.toLatin1() + "'\nnixpkgs_python3 = 'python313'\n"
                "templates = ['pytorch/pinned-overlays-gpu']\npname_prefixes = { pytorch = 'pytorch210' }\n"
                "versions = { pytorch = '2.10.0', torchvision = '0.25.0', torchaudio = '2.10.0' }\n"
                "hashes = { pytorch = '" + someHash.toLatin1() + "', torchvision = '" + someHash.toLatin1() + "', torchaudio = '" +
                someHash.toLatin1() + "' }\n";
    return text + "[[coverage]]\nrows = ['sm80', 'sm90']\nisas = ['avx2', 'armv9']\n"
                  "[[coverage]]\nrows = ['sm61']\nisas = ['avx', 'avx2']\ncudas = ['12.4', '12.6', '12.8', '12.9']\n"
                  "[[coverage]]\nrows = ['sm110', 'sm121']\nisas = ['armv8_2']\ncudas = ['13.0', '13.1']\n"
                  "[[coverage]]\nrows = ['cpu']\nisas = ['avx', 'avx512vnni', 'armv9']\n"
                  "[[coverage]]\nrows = ['darwin-mps']\n";
}

} // namespace

class FamilyNixTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::shared_ptr<const Catalog> m_catalog;
    std::vector<std::unique_ptr<Line>> m_lines; ///< the recipes point to them
    QList<Evaluated> m_recipes;

    void add(Line line, const QString &name)
    {
        m_lines.push_back(std::make_unique<Line>(std::move(line)));
        const Line &kept = *m_lines.back();
        RecipeRenderer renderer(m_catalog);
        const QList<Variant> promised = kept.promised();
        QVERIFY2(!promised.isEmpty(), qPrintable(name));
        for (const Variant &variant : promised) {
            const auto text = renderer.render(kept, variant);
            QVERIFY2(text.ok(), text.ok() ? "" : qPrintable(name + ": "_L1 + text.error().sentence()));
            const QString file = m_folder.path() + u'/' + name + u'/' + variant.name() + ".nix"_L1;
            writeFile(file, *text);
            m_recipes.append({&kept, variant, file, {}, *text});
        }
    }

    void addWithEveryTorch(const Line &line, const QString &name)
    {
        Line each = line;
        add(each, name + "-in-place"_L1);
        each.torchOrigin = TorchOrigin::Sibling;
        add(each, name + "-sibling"_L1);
        each.torchOrigin = TorchOrigin::Published;
        each.torchCatalog = u"acme"_s;
        add(each, name + "-published"_L1);
    }

    Line fromFile(const QByteArray &toml) const
    {
        const auto line = readLineFile(toml, *m_catalog, u"line"_s);
        if (!line)
            QTest::qFail(qPrintable(line.error().sentence()), __FILE__, __LINE__);
        return line ? *line : Line{};
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        auto catalog = Catalog::load();
        QVERIFY2(catalog.ok(), catalog.ok() ? "" : qPrintable(catalog.error().sentence()));
        m_catalog = *catalog;
        for (Line line : m_catalog->lines) {
            line.families = allFamilies;
            for (const QString &family : {u"torchvision"_s, u"torchaudio"_s}) {
                line.versions.insert(family, m_catalog->family(family)->versionFor(line.versions.value(u"pytorch"_s)));
                if (!line.hashes.isEmpty())
                    line.hashes.insert(family, someHash);
            }
            addWithEveryTorch(line, line.branch);
        }
        const Line every = fromFile(everyToolkitFile());
        addWithEveryTorch(every, u"every"_s);

        Line one = every;
        one.pythons = {u"python312"_s};
        one.metadataRev = 3;
        add(one, u"metadata"_s);
        one.metadataRev = 0;
        one.archNotation = ArchNotation::Sm;
        add(one, u"sm"_s);
        one.archNotation = ArchNotation::Automatic;
        one.smRows = {u"sm121"_s, u"sm90"_s};
        add(one, u"followed"_s);

        Line own = every; // the caller's nixpkgs, and its torch
        own.pin = {};
        own.versions = {{u"pytorch"_s, u"2.9.1"_s}, {u"torchvision"_s, u"0.24.1"_s}, {u"torchaudio"_s, u"2.9.1"_s}};
        own.cudas.removeLast();
        own.cudas.removeLast();
        own.coverage.remove(2); // the 13s' own
        addWithEveryTorch(own, u"unpinned"_s);
        Line explicitInputs = own;
        explicitInputs.gpuTemplates.insert(u"pytorch"_s, u"pytorch/explicit-inputs-gpu"_s);
        explicitInputs.families = {u"pytorch"_s};
        add(explicitInputs, u"explicit-unpinned"_s);
        explicitInputs.versions = {{u"pytorch"_s, u"2.8.0"_s}};
        explicitInputs.pin = every.pin;
        add(explicitInputs, u"explicit-pinned"_s);

        QElapsedTimer timer;
        timer.start();
        evaluate(m_recipes);
        qInfo("%lld recipes of %zu lines evaluated in %lld ms", qint64(m_recipes.size()), m_lines.size(), timer.elapsed());
        QVERIFY(m_recipes.size() > 2000);
    }

    void init() { QTest::failOnWarning(); }

    void everyRecipeParses()
    {
        for (qsizetype first = 0; first < m_recipes.size(); first += 500) {
            QStringList arguments{u"--parse"_s};
            for (const Evaluated &recipe : m_recipes.sliced(first, std::min<qsizetype>(500, m_recipes.size() - first)))
                arguments.append(recipe.file);
            QCOMPARE(runNix(arguments).count('\n'), arguments.size() - 1);
        }
    }

    void everyRecipeIsTheVariantThatItsNameSays()
    {
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            const Variant &variant = recipe.variant;
            const VariantBase base = recipe.line->baseOf(variant);
            const auto where = qPrintable(recipe.file);
            const GpuRow *row = m_catalog->row(variant.row);
            const Isa *isa = m_catalog->isa(variant.isa);
            QCOMPARE(recipe.text("pname"), base.pname);
            QVERIFY2(recipe.text("version") == base.version, where);
            QVERIFY2(recipe.text("rev") == u'v' + base.version, where);
            QCOMPARE(recipe.text("system"), systemOf(variant));
            QVERIFY2(recipe.table("meta")["platforms"_L1].toVariant().toStringList() == QStringList{systemOf(variant)}, where);
            const QJsonObject passthru = recipe.table("passthru");
            QCOMPARE(passthru["cpuISA"_L1].toString(), variant.isa);
            QVERIFY2(passthru.contains("gpuArch"_L1), where);
            const QString target = base.notation == ArchNotation::Sm ? "sm_"_L1 + row->id.mid(2) : row->capability;
            QCOMPARE(passthru["gpuArch"_L1].toString(), row->isGpu() ? target : !isa ? u"mps"_s : QString());
            QCOMPARE(passthru["blasProvider"_L1].toString(), row->isGpu() ? u"cublas"_s : isa ? u"openblas"_s : u"veclib"_s);
            if (isa) {
                for (const char *flags : {"CXXFLAGS", "CFLAGS"}) {
                    const QLatin1StringView name(flags);
                    QVERIFY2(recipe.text("preConfigure").contains(u"export %1=\"%2 $%1\"\n"_s.arg(name, isa->flags.join(u' '))), where);
                }
            }
            const QString description = recipe.table("meta")["longDescription"_L1].toString();
            QCOMPARE(description.contains("- Driver: NVIDIA %1+ required\n"_L1.arg(m_catalog->driverFloor(variant))), row->isGpu());
            QVERIFY2(description.contains("- Python: 3.%1\n"_L1.arg(variant.python.last(2))), where);
            const QString postInstall = recipe.text("postInstall");
            QCOMPARE(postInstall, recipe.line->metadataRev > 0 ? u"echo 3 > $out/.metadata-rev\n"_s : QString());
        }
    }

    void aCompanionHasTheTorchOfItsOwnVariant()
    {
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            if (recipe.variant.family == "pytorch"_L1)
                continue;
            const auto where = qPrintable(recipe.file);
            const VariantBase base = recipe.line->baseOf(recipe.variant);
            const GpuRow *row = m_catalog->row(recipe.variant.row);
            const Isa *isa = m_catalog->isa(recipe.variant.isa);
            const QJsonArray torches = recipe.facts["torch"_L1].toArray();
            QVERIFY2(torches.size() == 1, where); // its out, and no other torch's
            QVERIFY2(recipe.list("propagated").contains(base.torchPname + ".out"_L1), where);
            const QJsonObject torch = torches.first().toObject();
            QCOMPARE(torch["pname"_L1].toString(), base.torchPname);
            QVERIFY2(torch["version"_L1].toString() == base.torchVersion, where);
            const QString preConfigure = torch["preConfigure"_L1].toString();
            if (isa)
                QVERIFY2(preConfigure.contains("export CXXFLAGS=\"%1 $CXXFLAGS\"\n"_L1.arg(isa->flags.join(u' '))), where);
            const QJsonObject passthru = torch["passthru"_L1].toObject();
            if (!row->isGpu()) {
                QVERIFY2(!passthru["cudaSupport"_L1].toBool(), where);
                QVERIFY2(!recipe.text("preConfigure").contains("TORCH_CUDA_ARCH_LIST"_L1), where);
                continue;
            }
            // The notation of a recipe that is found beside it is that recipe's own.
            const bool other = recipe.line->torchOrigin != TorchOrigin::InPlace;
            const bool sm = other ? recipe.line->archNotation == ArchNotation::Sm : base.notation == ArchNotation::Sm;
            QCOMPARE(passthru["gpuTargets"_L1].toVariant().toStringList(), QStringList{sm ? "sm_"_L1 + row->id.mid(2) : row->capability});
            QCOMPARE(passthru["cuda"_L1].toString(), recipe.variant.cuda);
            QVERIFY2(passthru["cudaSupport"_L1].toBool(), where);
            const QStringList magma = torch["magmaPatches"_L1].toVariant().toStringList();
            const bool patched = !base.torchHash.isEmpty() && recipe.variant.cuda == "13.0"_L1;
            QCOMPARE(magma.join(u' '), patched ? u"cuda-13.0-clockrate-fix.patch"_s : QString());

            // The last word on the architectures is ours, in the notation that PyTorch's scripts read.
            const QString own = recipe.text("preConfigure");
            const qsizetype last = own.lastIndexOf("export TORCH_CUDA_ARCH_LIST="_L1);
            QVERIFY2(own.sliced(last).startsWith("export TORCH_CUDA_ARCH_LIST=\"%1\"\n"_L1.arg(row->capability)), where);
            if (recipe.variant.family == "torchvision"_L1)
                QVERIFY2(own.sliced(last).contains("\nexport FORCE_CUDA=1"_L1), where);
        }
    }

    void torchInPlaceIsBuiltAsItsOwnRecipeBuildsIt()
    {
        // What goes into the derivation, so that both have one store path.
        const QStringList same{u"pname"_s,        u"version"_s,   u"rev"_s,      u"patches"_s, u"cmakeFlags"_s,
                               u"preConfigure"_s, u"postPatch"_s, u"features"_s, u"inputs"_s,  u"magmaPatches"_s};
        QHash<QString, const Evaluated *> torches;
        for (const Evaluated &recipe : std::as_const(m_recipes))
            torches.insert(recipe.file, &recipe);
        int compared = 0;
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            const bool companion = recipe.variant.family != "pytorch"_L1;
            if (!companion || recipe.line->torchOrigin != TorchOrigin::InPlace || !recipe.line->smRows.isEmpty() || recipe.line->metadataRev > 0)
                continue;
            const QString file = QFileInfo(recipe.file).path() + u'/' + torchVariantOf(recipe.variant).name() + ".nix"_L1;
            const Evaluated *torch = torches.value(file);
            QVERIFY2(torch, qPrintable(file));
            const QJsonObject inPlace = recipe.facts["torch"_L1].toArray().first().toObject();
            for (const QString &key : same)
                QVERIFY2(inPlace[key] == torch->facts[key], qPrintable(recipe.file + u' ' + key));
            ++compared;
        }
        QVERIFY(compared > 500);
    }

    void explicitInputsAreTheToolkits()
    {
        int seen = 0;
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            if (!recipe.file.contains("/explicit-"_L1) || recipe.variant.cuda.isEmpty())
                continue;
            ++seen;
            QStringList inputs{u"cuda_cudart"_s, u"libcublas"_s, u"libcufft"_s, u"libcurand"_s, u"libcusolver"_s, u"libcusparse"_s};
            if (recipe.variant.row != "sm61"_L1)
                inputs.append(u"cudnn"_s);
            inputs.append(u"openblas"_s);
            QCOMPARE(recipe.list("inputs").last(inputs.size()), inputs);
            for (const QString &toolkit : recipe.list("toolkits"))
                QCOMPARE(toolkit, recipe.variant.cuda);
            QCOMPARE(recipe.list("nativeInputs").join(u' '), u"cuda_nvcc addDriverRunpath"_s);
            const QString capability = m_catalog->row(recipe.variant.row)->capability;
            for (const QString &line : {u"TORCH_CUDA_ARCH_LIST=\"%1\""_s.arg(capability), u"USE_CUDA=1"_s, u"USE_CUBLAS=1"_s,
                                        u"CMAKE_CUDA_ARCHITECTURES=\"%1\""_s.arg(QString(capability).remove(u'.'))})
                QVERIFY2(recipe.text("preConfigure").contains("export "_L1 + line + u'\n'), qPrintable(recipe.file + line));
        }
        QVERIFY(seen > 50);
    }

    void appleRecipesUseMetal()
    {
        int seen = 0;
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            if (recipe.variant.row != "darwin-mps"_L1)
                continue;
            ++seen;
            const QString phase = recipe.variant.family == "pytorch"_L1
                ? recipe.text("preConfigure")
                : recipe.facts["torch"_L1].toArray().first().toObject()["preConfigure"_L1].toString();
            for (const char *line : {"USE_CUDA=0", "USE_CUDNN=0", "USE_CUBLAS=0", "USE_MPS=1", "USE_METAL=1", "BLAS=vecLib"})
                QVERIFY2(phase.contains("export "_L1 + QLatin1StringView(line) + u'\n'), qPrintable(recipe.file));
            QVERIFY2(!phase.contains("FLAGS"_L1), qPrintable(recipe.file));
        }
        QVERIFY(seen > 20);
    }
};

QTEST_GUILESS_MAIN(FamilyNixTest)
#include "tst_familynix.moc"
