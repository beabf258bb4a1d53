// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/settings/SettingsFile.h"

#include <QTest>

/// Settings that together cover every family, every source of torch, every toolkit, Python and shape.
namespace tmx::testing {

struct NamedLine {
    QString name;
    Settings settings;
};

inline QByteArray someHash()
{
    return "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
}

inline QByteArray everyFamily()
{
    return "families = ['pytorch', 'torchvision', 'torchaudio']\n";
}

/// Every toolkit with its own nixpkgs and every Python, on one branch. CUDA 13 toolkits have a newer PyTorch than their
/// nixpkgs.
inline QByteArray everyToolkitFile()
{
    const QByteArray old = "nixpkgs = 'fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3'\nnixpkgs_python3 = 'python313'\n";
    const QByteArray newer = "nixpkgs = '6a030d535719c5190187c4cec156f335e95e3211'\nnixpkgs_python3 = 'python313'\n";
    QByteArray text = everyFamily() + "pythons = ['python313', 'python312', 'python311']\n" + old +
                      "versions = { pytorch = '2.8.0' }\n";
    for (const char *version : {"12.4", "12.6", "12.8", "12.9"})
        text += QByteArray("[[cuda]]\nversion = '") + version + "'\n";
    for (const char *version : {"13.0", "13.1"})
        text += QByteArray("[[cuda]]\nversion = '") + version + "'\n" + newer +
                "templates = ['pytorch/pinned-overlays-gpu']\npname_prefixes = { pytorch = 'pytorch210' }\n"
                "versions = { pytorch = '2.10.0', torchvision = '0.25.0', torchaudio = '2.10.0' }\n"
                "hashes = { pytorch = '" +
                someHash() + "', torchvision = '" + someHash() + "', torchaudio = '" + someHash() + "' }\n";
    return text + "[[coverage]]\nrows = ['sm80', 'sm90']\nisas = ['avx2', 'armv9']\n"
                  "[[coverage]]\nrows = ['sm61']\nisas = ['avx', 'avx2']\ncudas = ['12.4', '12.6', '12.8', '12.9']\n"
                  "[[coverage]]\nrows = ['sm110', 'sm121']\nisas = ['armv8_2']\ncudas = ['13.0', '13.1']\n"
                  "[[coverage]]\nrows = ['cpu']\nisas = ['avx', 'avx512vnni', 'armv9']\n"
                  "[[coverage]]\nrows = ['darwin-mps']\n";
}

inline Settings lineOf(const Catalog &catalog, const QByteArray &toml)
{
    const auto line = readSettingsFile(toml, catalog, QStringLiteral("line"));
    if (!line)
        QTest::qFail(qPrintable(line.error().sentence()), __FILE__, __LINE__);
    return line ? *line : Settings{};
}

inline Settings onlyPython312(Settings settings)
{
    settings.profiles.removeIf([](const auto &profile) { return profile.key().python != u"python312"; });
    return settings;
}

/// Adds the settings with each source of torch.
inline void addWithEveryTorch(QList<NamedLine> &lines, Settings settings, const QString &name)
{
    lines.append({name + QStringLiteral("-in-place"), settings});
    settings.set(&Profile::torchOrigin, TorchOrigin::Sibling);
    lines.append({name + QStringLiteral("-sibling"), settings});
    settings.set(&Profile::torchOrigin, TorchOrigin::Published);
    settings.set(&Profile::torchCatalog, QStringLiteral("acme"));
    lines.append({name + QStringLiteral("-published"), settings});
    settings.set(&Profile::torchOrigin, TorchOrigin::Fetched);
    settings.set(&Profile::torchRepository,
                 TorchRepository{QStringLiteral("acme/build-pytorch"), QString(40, QLatin1Char('d')),
                                 QString::fromLatin1(someHash())});
    lines.append({name + QStringLiteral("-fetched"), settings});
}

/// Adds the settings with each BLAS library.
inline void addWithEveryBlas(QList<NamedLine> &lines, Settings settings, const QString &name)
{
    const QStringList builds = settings.toolkits() + QStringList{QStringLiteral("cpu")};
    for (const Blas blas : {Blas::OpenBlas, Blas::Mkl}) {
        settings.set(&Profile::blas, blas, {{}, {}, builds});
        lines.append({name + u'-' + toString(blas), settings});
    }
}

inline QList<NamedLine> familyLines(const Catalog &catalog)
{
    QList<NamedLine> lines;
    for (const Settings &settings : catalog.builtIn) {
        QByteArray text = "base = '" + settings.branch.toUtf8() + "'\n" + everyFamily();
        if (const QString hash = settings.common(&Profile::sourceHash); !hash.isEmpty())
            text += "hashes = { pytorch = '" + hash.toUtf8() + "', torchvision = '" + someHash() + "', torchaudio = '" +
                    someHash() + "' }\n";
        addWithEveryTorch(lines, lineOf(catalog, text), settings.branch);
        addWithEveryBlas(lines, lineOf(catalog, text), settings.branch);
    }
    const Settings every = lineOf(catalog, everyToolkitFile());
    addWithEveryTorch(lines, every, QStringLiteral("every"));

    Settings one = onlyPython312(every);
    one.set(&Profile::metadataRev, 3);
    lines.append({QStringLiteral("metadata"), one});

    Settings own = every; // The caller's nixpkgs, and its torch.
    own.profiles.removeIf([](const auto &profile) { return profile.key().build.startsWith(u"13."); });
    own.set(&Profile::pin, NixpkgsPin{});
    own.set(&Profile::version, QStringLiteral("2.9.1"));
    own.set(&Profile::version, QStringLiteral("0.24.1"), {{QStringLiteral("torchvision")}});
    addWithEveryTorch(lines, own, QStringLiteral("unpinned"));
    addWithEveryBlas(lines, own, QStringLiteral("unpinned"));
    Settings explicitInputs = own;
    explicitInputs.profiles.removeIf([](const auto &profile) { return profile.key().family != u"pytorch"; });
    explicitInputs.set(&Profile::templateName, QStringLiteral("pytorch/explicit-inputs-gpu"),
                       {{}, {}, explicitInputs.toolkits()});
    lines.append({QStringLiteral("explicit-unpinned"), explicitInputs});
    addWithEveryBlas(lines, explicitInputs, QStringLiteral("blas-unpinned"));
    explicitInputs.set(&Profile::version, QStringLiteral("2.8.0"));
    explicitInputs.set(&Profile::pin, every.common(&Profile::pin));
    lines.append({QStringLiteral("explicit-pinned"), explicitInputs});
    addWithEveryBlas(lines, explicitInputs, QStringLiteral("blas-pinned"));
    return lines;
}

/// Settings with a notation that PyTorch does not build with, and with cells that cannot exist. They render, and the
/// audit finds errors.
inline QList<NamedLine> insistingLines(const Catalog &catalog)
{
    Settings settings = onlyPython312(lineOf(catalog, everyToolkitFile()));
    settings.set(&Profile::notation, ArchNotation::Sm);
    QList<NamedLine> lines{{QStringLiteral("sm"), settings}};
    settings.set(&Profile::notation, ArchNotation::Automatic);
    settings.smRows = {QStringLiteral("sm121"), QStringLiteral("sm90")};
    lines.append({QStringLiteral("followed"), settings});
    // The coverage of two plans that people wrote: x86 for boards that are ARM, toolkits that do not support the GPU.
    lines.append(
        {QStringLiteral("plan-44"),
         lineOf(catalog, "base = 'cuda-13_0'\n[[coverage]]\n"
                         "rows = ['sm80', 'sm86', 'sm89', 'sm90', 'sm100', 'sm103', 'sm110', 'sm120', 'sm121', 'cpu']\n"
                         "isas = ['avx2', 'avx512', 'avx512bf16', 'avx512vnni']\n"
                         "[[coverage]]\nrows = ['sm110', 'sm121']\nisas = ['armv8_2', 'armv9']\n")});
    lines.append(
        {QStringLiteral("vision-60"),
         lineOf(catalog, "base = 'main'\nfamilies = ['torchvision']\n[[coverage]]\n"
                         "rows = ['sm121', 'sm120', 'sm110', 'sm103', 'sm100', 'sm90', 'sm89', 'sm86', 'sm80', 'cpu']\n"
                         "isas = ['avx2', 'avx512', 'avx512bf16', 'avx512vnni', 'armv8_2', 'armv9']\n")});
    return lines;
}

} // namespace tmx::testing
