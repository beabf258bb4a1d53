// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Every family, every way of finding torch, every toolkit and Python: rendered, evaluated by real Nix over
// fixtures/nixpkgs, and held against the variant and the line.
#include "model/recipe/RecipeFacts.h"
#include "model/template/RecipeRenderer.h"

#include "tests/support/BuiltInCatalog.h"
#include "tests/support/EvaluatedRecipes.h"
#include "tests/support/FamilyLines.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace tmx;
using namespace tmx::testing;
using namespace Qt::StringLiterals;

class FamilyNixTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::shared_ptr<const Catalog> m_catalog;
    std::vector<std::unique_ptr<Settings>> m_lines; ///< the recipes point to them
    QList<Evaluated> m_recipes;

    /// The BLAS library in it, compared with its settings.
    QString linearOf(const Evaluated &recipe) const
    {
        const Blas blas = m_catalog->blasOf(recipe.variant, recipe.settings->profileOf(recipe.variant).blas);
        return blas == Blas::Mkl ? u"mkl"_s : u"openblas"_s;
    }

    void add(Settings settings, const QString &name)
    {
        m_lines.push_back(std::make_unique<Settings>(std::move(settings)));
        const Settings &kept = *m_lines.back();
        RecipeRenderer renderer(m_catalog);
        const QList<Variant> promised = kept.promised();
        QVERIFY2(!promised.isEmpty(), qPrintable(name));
        for (const Variant &variant : promised) {
            const auto text = renderer.render(kept, variant);
            QVERIFY2(text.ok(), text.ok() ? "" : qPrintable(name + ": "_L1 + text.error().sentence()));
            const QString file = m_folder.path() + u'/' + name + u'/' + variant.name() + ".nix"_L1;
            tmx::test::putFile(file, *text);
            m_recipes.append({&kept, variant, file, {}, *text});
            // As in the other repository.
            if (variant.family == "pytorch"_L1 && kept.common(&Profile::torchOrigin) == TorchOrigin::Fetched)
                tmx::test::putFile(m_folder.path() + u'/' + name + "/fetched/"_L1 + variant.file(), *text);
        }
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_catalog = testing::builtInCatalog();
        for (const NamedLine &line : familyLines(*m_catalog) + insistingLines(*m_catalog))
            add(line.settings, line.name);
        QCOMPARE(m_lines.at(m_lines.size() - 2)->promised().size(), 44);
        QCOMPARE(m_lines.back()->promised().size(), 60);

        QElapsedTimer timer;
        timer.start();
        evaluate(m_recipes);
        qInfo("%lld recipes of %zu lines evaluated in %lld ms", qint64(m_recipes.size()), m_lines.size(),
              timer.elapsed());
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
            const Profile base = recipe.settings->profileOf(variant);
            const auto where = qPrintable(recipe.file);
            const GpuRow *row = m_catalog->row(variant.row);
            const Isa *isa = m_catalog->isa(variant.isa);
            QCOMPARE(recipe.text("pname"), recipe.settings->pnameOf(variant));
            QVERIFY2(recipe.text("version") == base.version, where);
            QVERIFY2(recipe.text("rev") == u'v' + base.version, where);
            QCOMPARE(recipe.text("system"), systemOf(variant));
            QVERIFY2(recipe.table("meta")["platforms"_L1].toVariant().toStringList() == QStringList{systemOf(variant)},
                     where);
            const QJsonObject passthru = recipe.table("passthru");
            QCOMPARE(passthru["cpuISA"_L1].toString(), variant.isa);
            QVERIFY2(passthru.contains("gpuArch"_L1), where);
            const QString target =
                recipe.settings->notationOf(variant) == ArchNotation::Sm ? "sm_"_L1 + row->id.mid(2) : row->capability;
            QCOMPARE(passthru["gpuArch"_L1].toString(), row->isGpu() ? target : !isa ? u"mps"_s : QString());
            QCOMPARE(passthru["blasProvider"_L1].toString(), row->isGpu() ? u"cublas"_s
                                                             : isa        ? linearOf(recipe)
                                                                          : u"veclib"_s);
            if (isa) {
                for (const char *flags : {"CXXFLAGS", "CFLAGS"}) {
                    const QLatin1StringView name(flags);
                    QVERIFY2(recipe.text("preConfigure")
                                 .contains(u"export %1=\"%2 $%1\"\n"_s.arg(name, isa->flags.join(u' '))),
                             where);
                }
            }
            const QString description = recipe.table("meta")["longDescription"_L1].toString();
            QCOMPARE(description.contains("- Driver: NVIDIA %1+ required\n"_L1.arg(m_catalog->driverFloor(variant))),
                     row->isGpu());
            QVERIFY2(description.contains("- Python: 3.%1\n"_L1.arg(variant.python.last(2))), where);
            const QString postInstall = recipe.text("postInstall");
            QCOMPARE(postInstall, base.metadataRev > 0 ? u"echo 3 > $out/.metadata-rev\n"_s : QString());
        }
    }

    void aCompanionHasTheTorchOfItsOwnVariant()
    {
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            if (recipe.variant.family == "pytorch"_L1)
                continue;
            const auto where = qPrintable(recipe.file);
            const Profile base = recipe.settings->profileOf(recipe.variant);
            const Variant ofTorch = torchVariantOf(recipe.variant);
            const QString torchPname = recipe.settings->pnameOf(ofTorch);
            const GpuRow *row = m_catalog->row(recipe.variant.row);
            const Isa *isa = m_catalog->isa(recipe.variant.isa);
            const QJsonArray torches = recipe.facts["torch"_L1].toArray();
            QVERIFY2(torches.size() == 1, where); // its out, and no other torch's
            QVERIFY2(recipe.list("propagated").contains(torchPname + ".out"_L1), where);
            const QJsonObject torch = torches.first().toObject();
            QCOMPARE(torch["pname"_L1].toString(), torchPname);
            QVERIFY2(torch["version"_L1].toString() == recipe.settings->profileOf(ofTorch).version, where);
            const QString preConfigure = torch["preConfigure"_L1].toString();
            if (isa)
                QVERIFY2(preConfigure.contains("export CXXFLAGS=\"%1 $CXXFLAGS\"\n"_L1.arg(isa->flags.join(u' '))),
                         where);
            const QJsonObject passthru = torch["passthru"_L1].toObject();
            if (!row->isGpu()) {
                QVERIFY2(!passthru["cudaSupport"_L1].toBool(), where);
                QVERIFY2(!recipe.text("preConfigure").contains("TORCH_CUDA_ARCH_LIST"_L1), where);
                continue;
            }
            // The notation of a recipe found next to it is that recipe's own.
            const bool other = base.torchOrigin != TorchOrigin::InPlace;
            const bool sm = other ? base.notation == ArchNotation::Sm
                                  : recipe.settings->notationOf(recipe.variant) == ArchNotation::Sm;
            QCOMPARE(passthru["gpuTargets"_L1].toVariant().toStringList(),
                     QStringList{sm ? "sm_"_L1 + row->id.mid(2) : row->capability});
            QCOMPARE(passthru["cuda"_L1].toString(), recipe.variant.cuda);
            QVERIFY2(passthru["cudaSupport"_L1].toBool(), where);
            const QStringList magma = torch["magmaPatches"_L1].toVariant().toStringList();
            const bool patched =
                !recipe.settings->profileOf(ofTorch).sourceHash.isEmpty() && recipe.variant.cuda == "13.0"_L1;
            QCOMPARE(magma.join(u' '), patched ? u"cuda-13.0-clockrate-fix.patch"_s : QString());

            // Our setting of the architectures comes last, in the notation that PyTorch's scripts read.
            const QString own = recipe.text("preConfigure");
            const qsizetype last = own.lastIndexOf("export TORCH_CUDA_ARCH_LIST="_L1);
            QVERIFY2(own.sliced(last).startsWith("export TORCH_CUDA_ARCH_LIST=\"%1\"\n"_L1.arg(row->capability)),
                     where);
            if (recipe.variant.family == "torchvision"_L1)
                QVERIFY2(own.sliced(last).contains("\nexport FORCE_CUDA=1"_L1), where);
        }
    }

    // According to the evaluation, nixpkgs' torch is built with the recipe's overlay, in it and in what it links.
    void theChosenBlasReachesTorch()
    {
        QMap<QString, int> seen;
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            const QString linear = linearOf(recipe);
            const QJsonObject torch = recipe.variant.family == "pytorch"_L1
                                          ? recipe.facts
                                          : recipe.facts["torch"_L1].toArray().first().toObject();
            QCOMPARE(torch["linear"_L1].toString(), linear + u' ' + linear);
            const bool chosen =
                recipe.settings->profileOf(recipe.variant).blas != Blas::Default && !recipe.variant.isa.isEmpty();
            const QJsonObject meta = recipe.table("meta");
            const QString title = linear == "mkl"_L1 ? u"Intel MKL"_s : u"OpenBLAS"_s;
            const bool kept =
                chosen && m_catalog->blasOf(recipe.variant, Blas::Mkl) == Blas::Default; // not on this CPU
            if (chosen && !(kept && recipe.settings->profileOf(recipe.variant).blas == Blas::Mkl)) {
                QVERIFY2(meta["description"_L1].toString().endsWith(", "_L1 + title), qPrintable(recipe.file));
                QVERIFY2(meta["longDescription"_L1].toString().contains(title), qPrintable(recipe.file));
                ++seen[linear];
            }
            const StatedText stated = readFacts(recipe.recipe).blas();
            if (linear == "mkl"_L1)
                QCOMPARE(stated.value, u"mkl"_s);
            else
                QVERIFY2(stated.value.isEmpty() || stated.value == "openblas"_L1, qPrintable(recipe.file));
        }
        QVERIFY(seen.value(u"mkl"_s) > 300 && seen.value(u"openblas"_s) > 300);
    }

    void torchInPlaceIsBuiltAsItsOwnRecipeBuildsIt()
    {
        // Inputs of the derivation, so that equal values give the same store path.
        const QStringList same{u"pname"_s,        u"version"_s,   u"rev"_s,      u"patches"_s, u"cmakeFlags"_s,
                               u"preConfigure"_s, u"postPatch"_s, u"features"_s, u"inputs"_s,  u"magmaPatches"_s};
        QHash<QString, const Evaluated *> torches;
        for (const Evaluated &recipe : std::as_const(m_recipes))
            torches.insert(recipe.file, &recipe);
        int compared = 0;
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            const bool companion =
                recipe.variant.family != "pytorch"_L1 && recipe.settings->families().contains(u"pytorch"_s);
            const Profile base = recipe.settings->profileOf(recipe.variant);
            if (!companion || base.torchOrigin != TorchOrigin::InPlace || !recipe.settings->smRows.isEmpty() ||
                base.metadataRev > 0)
                continue;
            const QString file =
                QFileInfo(recipe.file).path() + u'/' + torchVariantOf(recipe.variant).name() + ".nix"_L1;
            const Evaluated *torch = torches.value(file);
            QVERIFY2(torch, qPrintable(file));
            const QJsonObject inPlace = recipe.facts["torch"_L1].toArray().first().toObject();
            for (const QString &key : same)
                QVERIFY2(inPlace[key] == torch->facts[key], qPrintable(recipe.file + u' ' + key));
            ++compared;
        }
        QVERIFY(compared > 500);
    }

    void ourReaderSaysWhatNixSays()
    {
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            const RecipeFacts facts = readFacts(recipe.recipe);
            const auto where = qPrintable(recipe.file);
            QVERIFY2(!facts.error, where);
            const PackageFacts &package = facts.package;
            const bool companion = recipe.variant.family != "pytorch"_L1;
            const QJsonObject meta = recipe.table("meta");
            QCOMPARE(package.pname.value, recipe.text("pname"));
            QCOMPARE(package.platforms.values(), meta["platforms"_L1].toVariant().toStringList());
            QCOMPARE(package.description.value, meta["description"_L1].toString());
            QCOMPARE(package.longDescription.value, meta["longDescription"_L1].toString());
            const QJsonObject passthru = recipe.table("passthru");
            for (const char *name : {"gpuArch", "blasProvider", "cpuISA"}) {
                const QLatin1StringView key(name);
                const NamedText *said = package.passthruOf(QString(key));
                QVERIFY2(said, where);
                QCOMPARE(said->value, passthru[key].isNull() ? u"null"_s : passthru[key].toString());
            }
            const Profile base = recipe.settings->profileOf(recipe.variant);
            const QString pin = base.pin.revision;
            QCOMPARE(facts.pins.size(), pin.isEmpty() ? 0 : 1);
            if (!pin.isEmpty())
                QCOMPARE(facts.pins.first().revision.value, pin);
            QCOMPARE(package.metadataRevision.value, base.metadataRev > 0 ? u"3"_s : QString());
            const Isa *isa = m_catalog->isa(recipe.variant.isa);
            QCOMPARE(package.cxxFlags.values(), isa ? isa->flags : QStringList());
            QCOMPARE(package.cFlags.values(), isa ? isa->flags : QStringList());

            const QString torchName = torchVariantOf(recipe.variant).name();
            QJsonObject said = recipe.facts;
            if (companion) {
                said = recipe.facts["torch"_L1].toArray().first().toObject();
                switch (base.torchOrigin) {
                case TorchOrigin::InPlace: QVERIFY2(facts.torch.kind == TorchSource::Kind::Built, where); break;
                case TorchOrigin::Sibling:
                    QVERIFY2(facts.torch.kind == TorchSource::Kind::Sibling, where);
                    QCOMPARE(facts.torch.file, torchName + ".nix"_L1);
                    continue;
                case TorchOrigin::Published:
                    QVERIFY2(facts.torch.kind == TorchSource::Kind::Published, where);
                    QCOMPARE(facts.torch.file, "acme."_L1 + torchName);
                    continue;
                case TorchOrigin::Fetched:
                    QVERIFY2(facts.torch.kind == TorchSource::Kind::Fetched, where);
                    QCOMPARE(facts.torch.path, torchVariantOf(recipe.variant).file());
                    QCOMPARE(facts.torch.archive.value, base.torchRepository.archive());
                    QCOMPARE(facts.torch.revision.value, base.torchRepository.revision);
                    QCOMPARE(facts.torch.sha256.value, base.torchRepository.sha256);
                    continue;
                }
                QVERIFY2(facts.torch.package, where);
                QCOMPARE(facts.torch.package->pname.value, said["pname"_L1].toString());
                QCOMPARE(facts.torch.package->cxxFlags.values(), isa ? isa->flags : QStringList());
            }
            const PackageFacts &torch = companion ? *facts.torch.package : package;
            QStringList cmakeFlags = said["cmakeFlags"_L1].toVariant().toStringList();
            cmakeFlags.removeAll(u"-DBASE=1"_s); // nixpkgs' own
            QCOMPARE(torch.cmakeFlags.values(), cmakeFlags);
            const QJsonObject torchPassthru = said["passthru"_L1].toObject();
            QCOMPARE(torch.gpuTargets.values(), torchPassthru["gpuTargets"_L1].toVariant().toStringList());
            if (torch.cudaSupport)
                QCOMPARE(torch.cudaSupport.value, torchPassthru["cudaSupport"_L1].toBool());
            QStringList magma;
            for (const OverlayFacts &overlay : facts.overlays) {
                for (const PatchFacts &patch : overlay.patches)
                    magma.append(patch.name);
                if (overlay.kind == OverlayFacts::Kind::Torch)
                    QCOMPARE(overlay.version.value, said["version"_L1].toString());
            }
            QCOMPARE(magma, said["magmaPatches"_L1].toVariant().toStringList());
        }
    }

    void explicitInputsAreTheToolkits()
    {
        int seen = 0;
        for (const Evaluated &recipe : std::as_const(m_recipes)) {
            if (!recipe.file.contains(QRegularExpression(u"/(explicit|blas)-"_s)) || recipe.variant.cuda.isEmpty())
                continue;
            ++seen;
            QStringList inputs{u"cuda_cudart"_s, u"libcublas"_s,   u"libcufft"_s,
                               u"libcurand"_s,   u"libcusolver"_s, u"libcusparse"_s};
            if (recipe.variant.row != "sm61"_L1)
                inputs.append(u"cudnn"_s);
            inputs.append(linearOf(recipe));
            QCOMPARE(recipe.list("inputs").last(inputs.size()), inputs);
            for (const QString &toolkit : recipe.list("toolkits"))
                QCOMPARE(toolkit, recipe.variant.cuda);
            QCOMPARE(recipe.list("nativeInputs").join(u' '), u"cuda_nvcc addDriverRunpath"_s);
            const QString capability = m_catalog->row(recipe.variant.row)->capability;
            for (const QString &line :
                 {u"TORCH_CUDA_ARCH_LIST=\"%1\""_s.arg(capability), u"USE_CUDA=1"_s, u"USE_CUBLAS=1"_s,
                  u"CMAKE_CUDA_ARCHITECTURES=\"%1\""_s.arg(QString(capability).remove(u'.'))})
                QVERIFY2(recipe.text("preConfigure").contains("export "_L1 + line + u'\n'),
                         qPrintable(recipe.file + line));
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
            const QString phase =
                recipe.variant.family == "pytorch"_L1
                    ? recipe.text("preConfigure")
                    : recipe.facts["torch"_L1].toArray().first().toObject()["preConfigure"_L1].toString();
            for (const char *line :
                 {"USE_CUDA=0", "USE_CUDNN=0", "USE_CUBLAS=0", "USE_MPS=1", "USE_METAL=1", "BLAS=vecLib"})
                QVERIFY2(phase.contains("export "_L1 + QLatin1StringView(line) + u'\n'), qPrintable(recipe.file));
            QVERIFY2(!phase.contains("FLAGS"_L1), qPrintable(recipe.file));
        }
        QVERIFY(seen > 20);
    }
};

TM_TEST(FamilyNixTest, QCoreApplication)
#include "tst_familynix.moc"
