// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "model/catalog/VariantName.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTest>

using namespace tmx;
using namespace Qt::StringLiterals;

class VariantNameTest : public QObject
{
    Q_OBJECT

    const std::shared_ptr<const Catalog> m_catalog = testing::builtInCatalog();

    std::optional<VariantName> parse(const QString &name) const
    {
        return VariantName::parse(name, m_catalog->isaIds());
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

    /// Parts of names, made by a fixed seed: what is written is read back, in every mixture of the scheme.
    void readsWhatItWrites()
    {
        QRandomGenerator random(33);
        const auto oneOf = [&random](const QStringList &words) { return words.at(random.bounded(words.size())); };
        const QStringList words{u"onnxruntime"_s, u"onnx-runtime"_s, u"flash-attn"_s,    u"vllm"_s,
                                u"sglang"_s,      u"magma"_s,        u"pytorch"_s,       u"torchaudio"_s,
                                u"llama-cpu"_s,   u"h5x"_s,          u"triton-server"_s, u"k"_s,
                                u"libfoo_bar"_s,  u"smx"_s,          u"rocm-tools"_s,    u"llama-cpp-python"_s};
        const QStringList isas = m_catalog->isaIds() + QStringList{QString()};
        for (int i = 0; i < 8'000; ++i) {
            FamilyName family{oneOf(words), oneOf({{}, {}, u"2"_s, u"026"_s, u"211"_s, u"1_23"_s}),
                              oneOf({{}, {}, {}, u"pt212"_s, u"torch2_9"_s})};
            if (family.word.endsWith("-python"_L1))
                family.version.clear();
            Variant variant{family.text(), oneOf({{}, u"python310"_s, u"python313"_s}), {}, {}, oneOf(isas)};
            variant.row = oneOf({u"sm70"_s, u"sm90"_s, u"sm90a"_s, u"sm120"_s, u"sm999"_s, u"all"_s, u"cpu"_s, u"cpu"_s,
                                 u"darwin-mps"_s, u"rocm"_s, u"rocm6_3"_s, u"rocm6_3-gfx942"_s});
            if (isGpuRow(variant.row))
                variant.cuda = oneOf({u"12.9"_s, u"13.0"_s, u"12.10"_s});
            if (variant.python.isEmpty() && variant.family.endsWith("-python"_L1))
                variant.python = u"python312"_s; // else the word may be a Python without a version
            if (!hasIsa(variant.row))
                variant.isa.clear();
            if (hasIsa(variant.row) && variant.isa.isEmpty())
                variant.rest = oneOf({{}, {}, u"arm64"_s, u"nightly"_s, u"arm64-nightly"_s, u"avx3"_s});
            else if (hasIsa(variant.row))
                variant.rest = oneOf({{}, {}, u"arm64"_s, u"x86_64"_s});
            if (variant.row == "cpu"_L1 && variant.python.isEmpty() && variant.isa.isEmpty())
                variant.rest.clear(); // "llama-cpu-tools" is a package's name
            const auto read = parse(variant.name());
            QVERIFY2(read, qPrintable(variant.name()));
            QVERIFY2(read->variant == variant, qPrintable(variant.name() + u" is read as "_s + read->variant.name()));
            QVERIFY2(read->canonical && read->suffix.isEmpty(), qPrintable(variant.name()));
            QVERIFY2(FamilyName::of(read->variant.family) == family, qPrintable(variant.name()));
            QCOMPARE(m_catalog->inColumn(variant, variant.column()), variant);
            // A suffix is the end of the rest.
            if (variant.isa.isEmpty())
                continue;
            const auto suffixed = parse(variant.name() + u"-magma"_s);
            QVERIFY2(suffixed && suffixed->withoutSuffix() == variant && suffixed->suffix == "-magma"_L1 &&
                         suffixed->variant.name() == variant.name() + u"-magma"_s,
                     qPrintable(variant.name()));
        }
    }

    void tellsThePartsApart_data()
    {
        QTest::addColumn<QStringList>("parts"); // family, version, pairing, Python, toolkit, row, ISA, rest
        const auto row = [](const char *name, const QStringList &parts) { QTest::newRow(name) << parts; };
        row("onnxruntime-python313-cuda12_9-sm90-avx512",
            {u"onnxruntime"_s, {}, {}, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx512"_s, {}});
        row("torchvision026-python313-cuda13_0-sm120-armv9",
            {u"torchvision"_s, u"026"_s, {}, u"python313"_s, u"13.0"_s, u"sm120"_s, u"armv9"_s, {}});
        row("torchaudio211-pt212-python313-cuda13_0-sm90-avx2",
            {u"torchaudio"_s, u"211"_s, u"pt212"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s, {}});
        row("jax-cuda12-plugin-python313-cuda12_9-sm90-avx2",
            {u"jax-cuda12-plugin"_s, {}, {}, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s, {}});
        row("magma-cuda12_9-sm90-avx2", {u"magma"_s, {}, {}, {}, u"12.9"_s, u"sm90"_s, u"avx2"_s, {}});
        row("vllm-python312-cuda12_9-sm90", {u"vllm"_s, {}, {}, u"python312"_s, u"12.9"_s, u"sm90"_s, {}, {}});
        row("sglang-python312-cuda12_9-all-avx2",
            {u"sglang"_s, {}, {}, u"python312"_s, u"12.9"_s, u"all"_s, u"avx2"_s, {}});
        row("sglang-python312-cuda12_9-all", {u"sglang"_s, {}, {}, u"python312"_s, u"12.9"_s, u"all"_s, {}, {}});
        row("sglang-python312-cuda13_0-sm121-arm64",
            {u"sglang"_s, {}, {}, u"python312"_s, u"13.0"_s, u"sm121"_s, {}, u"arm64"_s});
        row("sglang-python312-cuda13_0-sm121-armv9-arm64",
            {u"sglang"_s, {}, {}, u"python312"_s, u"13.0"_s, u"sm121"_s, u"armv9"_s, u"arm64"_s});
        row("pytorch210-python313-cpu-avx2", {u"pytorch"_s, u"210"_s, {}, u"python313"_s, {}, u"cpu"_s, u"avx2"_s, {}});
        row("torchvision025-python311-darwin-mps",
            {u"torchvision"_s, u"025"_s, {}, u"python311"_s, {}, u"darwin-mps"_s, {}, {}});
        row("flash-attn-cuda12_4-sm100", {u"flash-attn"_s, {}, {}, {}, u"12.4"_s, u"sm100"_s, {}, {}});
        row("llama-cpu-cuda12_4-sm100", {u"llama-cpu"_s, {}, {}, {}, u"12.4"_s, u"sm100"_s, {}, {}});
        row("llama-cpp-cpu-avx2", {u"llama-cpp"_s, {}, {}, {}, {}, u"cpu"_s, u"avx2"_s, {}});
        row("pytorch-python313-cpu", {u"pytorch"_s, {}, {}, u"python313"_s, {}, u"cpu"_s, {}, {}});
        row("onnx-runtime123-python313-rocm6_3-gfx942-avx512",
            {u"onnx-runtime"_s, u"123"_s, {}, u"python313"_s, {}, u"rocm6_3-gfx942"_s, u"avx512"_s, {}});
    }

    void tellsThePartsApart()
    {
        QFETCH(QStringList, parts);
        const auto read = parse(QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY(read);
        const Variant &variant = read->variant;
        const FamilyName family = FamilyName::of(variant.family);
        QCOMPARE((QStringList{family.word, family.version, family.pairing, variant.python, variant.cuda, variant.row,
                              variant.isa, variant.rest}),
                 parts);
        QVERIFY(read->canonical);
    }

    // Names as other maintainers would choose them, in every mixture of their parts: each is placed, its parts are told
    // apart, and the canonical ones are written as they were read.
    void placesEveryMixture()
    {
        const QStringList words{u"onnxruntime"_s,
                                u"torchvision"_s,
                                u"torchaudio"_s,
                                u"pytorch"_s,
                                u"magma"_s,
                                u"vllm"_s,
                                u"sglang"_s,
                                u"flashinfer"_s,
                                u"triton"_s,
                                u"xformers"_s,
                                u"jax"_s,
                                u"jaxlib"_s,
                                u"cupy"_s,
                                u"faiss"_s,
                                u"llama-cpp"_s,
                                u"flash-attn"_s,
                                u"flash-attention"_s,
                                u"onnxruntime-gpu"_s,
                                u"sgl-kernel"_s,
                                u"deep_ep"_s,
                                u"causal-conv1d"_s,
                                u"triton-cpu"_s,
                                u"rocm-smi"_s,
                                u"exllamav2"_s};
        const QStringList versions{u""_s, u"026"_s, u"211"_s, u"210"_s, u"0151"_s, u"2_10"_s, u"1_23_2"_s};
        const QStringList pairings{u""_s, u""_s, u"pt212"_s, u"torch29"_s, u"pt2_10"_s};
        const QStringList pythons{u""_s, u"python313"_s, u"python312"_s, u"python39"_s, u"python314"_s};
        const QStringList devices{u"vulkan"_s,         u"metal"_s,          u"darwin-metal"_s,    u"cpu"_s,
                                  u"darwin-mps"_s,     u"rocm"_s,           u"rocm6_3"_s,         u"rocm6_4-gfx1100"_s,
                                  u"rocm6_3-gfx90a"_s, u"cuda12_9-all"_s,   u"cuda12_8-sm90"_s,   u"cuda13_0-sm121"_s,
                                  u"cuda12_4-sm61"_s,  u"cuda13_0-sm90a"_s, u"cuda12_9-sm120f"_s, u"cuda11_8-sm86"_s};
        QStringList isas = m_catalog->isaIds();
        isas += {QString(), QString()};
        const QStringList rests{u""_s, u""_s, u"arm64"_s, u"aarch64"_s};
        const QStringList suffixes{u""_s, u""_s, u""_s, u"-magma"_s, u"-nightly"_s, u"-cu128"_s, u"-rc1-static"_s};
        QRandomGenerator dice(33);
        const auto pick = [&dice](const QStringList &list) { return list.at(dice.bounded(int(list.size()))); };
        for (int i = 0; i < 8'000; ++i) {
            const QString word = pick(words);
            // A word that ends in a digit would take the version's.
            const QString version = word.back().isDigit() ? QString() : pick(versions);
            const QString pairing = pick(pairings);
            const QString device = pick(devices);
            Variant variant;
            variant.family = word + version + (pairing.isEmpty() ? QString() : u'-' + pairing);
            variant.python = pick(pythons);
            const bool cuda = device.startsWith("cuda"_L1);
            variant.cuda = cuda ? device.sliced(4).section(u'-', 0, 0).replace(u'_', u'.') : QString();
            variant.row = cuda ? device.section(u'-', 1) : device;
            variant.isa = hasIsa(device) ? pick(isas) : QString();
            variant.rest = hasIsa(device) ? pick(rests) : QString();
            const bool uncertain = QStringList{u"cpu"_s, u"vulkan"_s, u"metal"_s}.contains(device) &&
                                   variant.python.isEmpty() && variant.isa.isEmpty();
            const QString suffix = variant.isa.isEmpty() ? QString() : pick(suffixes);
            const QString name = variant.name() + suffix;
            const auto read = parse(name);
            QVERIFY2(read, qPrintable(name));
            QVERIFY2(read->withoutSuffix() == variant, qPrintable(name + u" is read as "_s + read->variant.name()));
            QCOMPARE(read->variant.name(), name);
            QCOMPARE(read->suffix, suffix);
            QCOMPARE(read->uncertain, uncertain);
            QVERIFY2(read->canonical, qPrintable(name));
            const FamilyName family = FamilyName::of(read->variant.family);
            QVERIFY2(family.pairing == pairing, qPrintable(name));
            QVERIFY2(word.back().isDigit() || (family.word == word && family.version == version), qPrintable(name));
            // Old forms of the same name.
            QString old = name;
            if (dice.bounded(2) == 0)
                old.replace("-python"_L1, "-py"_L1);
            if (cuda && dice.bounded(2) == 0)
                old.replace(device, QString(device).replace(u'_', u'.').replace("-sm"_L1, "-sm_"_L1));
            if (version.contains(u'_') && dice.bounded(2) == 0)
                old.replace(word + version, word + QString(version).replace(u'_', u'.'));
            const auto former = parse(old);
            QVERIFY2(former, qPrintable(old));
            QVERIFY2(former->variant == read->variant, qPrintable(old + u" is read as "_s + former->variant.name()));
            QCOMPARE(former->canonical, old == name);
        }
    }

    // A version in a family's name, with the dots that its recipes state.
    void tellsReleases()
    {
        const auto release = [](const QString &family, const QString &known) {
            return FamilyName::of(family).release(known);
        };
        QCOMPARE(release(u"torchvision026"_s, u"0.26.1"_s), u"0.26"_s);
        QCOMPARE(release(u"pytorch210"_s, u"2.10.0"_s), u"2.10"_s);
        QCOMPARE(release(u"vllm0151"_s, u"0.15.1"_s), u"0.15.1"_s);
        QCOMPARE(release(u"torchvision028"_s, {}), u"0.28"_s);
        QCOMPARE(release(u"pytorch2_10"_s, {}), u"2.10"_s);
        QCOMPARE(release(u"pytorch"_s, u"2.10.0"_s), QString());
        QVERIFY(!FamilyName::of(u"torchvision028"_s).fits(u"0.24.1"_s));
        QVERIFY(!FamilyName::of(u"pytorch21"_s).fits(u"2.10.0"_s));
        QVERIFY(FamilyName::of(u"pytorch"_s).fits({}));
    }

    void readsOldForms_data()
    {
        QTest::addColumn<QString>("canonical");
        QTest::addColumn<QString>("oddities");
        QTest::addColumn<QString>("suffix");
        QTest::newRow("pytorch-py313-sm90-avx512")
            << "pytorch-python313-sm90-avx512" << "py313 for python313; no CUDA part" << "";
        QTest::newRow("pytorch-py313-cu128-sm90-avx512")
            << "pytorch-python313-cuda12_8-sm90-avx512" << "py313 for python313; cu128 for cuda12_8" << "";
        QTest::newRow("pytorch-py313-cpu-avx2") << "pytorch-python313-cpu-avx2" << "py313 for python313" << "";
        QTest::newRow("python312Packages.pytorch-sm89-avx2")
            << "pytorch-python312-sm89-avx2" << "prefix python312Packages.; no CUDA part" << "";
        QTest::newRow("python311Packages.pytorch-cpu-armv9")
            << "pytorch-python311-cpu-armv9" << "prefix python311Packages." << "";
        QTest::newRow("pytorch-python313-cuda12_8-sm90-armv8.2")
            << "pytorch-python313-cuda12_8-sm90-armv8_2" << "dotted ISA armv8.2" << "";
        QTest::newRow("pytorch-python313-cuda13_0-sm120-avx512-magma")
            << "pytorch-python313-cuda13_0-sm120-avx512-magma" << "" << "-magma";
        QTest::newRow("pytorch-python313-cuda13_0-sm121-armv9-nightly")
            << "pytorch-python313-cuda13_0-sm121-armv9-nightly" << "" << "-nightly";
        QTest::newRow("pytorch-py313-sm120-avx512-cu128")
            << "pytorch-python313-sm120-avx512-cu128" << "py313 for python313; no CUDA part" << "-cu128";
        QTest::newRow("pytorch-python313-cuda12_8-sm120-avx512-nightly-cu128")
            << "pytorch-python313-cuda12_8-sm120-avx512-nightly-cu128" << "" << "-nightly-cu128";
        QTest::newRow("pytorch-python313-cuda12_8-cpu-avx2")
            << "pytorch-python313-cpu-avx2" << "CUDA part on a package without CUDA" << "";
        QTest::newRow("pytorch-python313-cuda12.8-sm90-avx2")
            << "pytorch-python313-cuda12_8-sm90-avx2" << "dotted CUDA version cuda12.8" << "";
        QTest::newRow("pytorch-python313-cuda12_8-sm_90-avx2")
            << "pytorch-python313-cuda12_8-sm90-avx2" << "sm_90 for sm90" << "";
        QTest::newRow("pytorch-python313-darwin-mps-nightly")
            << "pytorch-python313-darwin-mps-nightly" << "" << "-nightly";
    }

    void readsOldForms()
    {
        QFETCH(QString, canonical);
        QFETCH(QString, oddities);
        QFETCH(QString, suffix);
        const auto read = parse(QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY(read);
        QCOMPARE(read->canonical, oddities.isEmpty());
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
                                 "pytorch-python313-cpu-",
                                 "pytorch-python313-cpu-avx2-",
                                 "pytorch-python313-cpu-avx2--magma",
                                 "pytorch-python313-sm-avx2",
                                 "pytorch-python313-cuda12_8-sm9-avx2",
                                 "pytorch-python313-cuda12-sm90-avx2",
                                 "pytorch-python313-cuda_8-sm90-avx2",
                                 "pytorch-python-cpu-avx2",
                                 "pytorch-python27-cpu-avx2",
                                 "Pytorch-python313-cpu-avx2",
                                 "pytorch-python313-cpu-avx2.nix.backup",
                                 "onnx-cuda12_9-sm90-avx2.nix.backup",
                                 "torch-utils",
                                 "cuda-toolkit",
                                 "cuda12_9-toolkit",
                                 "python313-foo",
                                 "python313-cpu-avx2",
                                 "cuda12_9-sm90",
                                 "sm90-avx2",
                                 "cpu-avx2",
                                 "llama-cpu-utils",
                                 "llama-vulkan-utils",
                                 "vulkan",
                                 "onnx-all",
                                 "onnx-all-avx2",
                                 "onnx-python313-all-avx2",
                                 "onnx-cuda12_9",
                                 "onnx-cuda12_9-avx2",
                                 "onnx-python313-avx2",
                                 "onnx-darwin",
                                 "onnx--cuda12_9-sm90",
                                 "2onnx-cuda12_9-sm90",
                                 "onnx-python313-tools-cuda12_9-sm90",
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
