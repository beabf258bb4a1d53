// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Variant.h"

#include <QHash>
#include <QList>
#include <QStringList>

namespace tmx {

/// One revision of nixpkgs that recipes fetch.
struct NixpkgsPin {
    QString revision; ///< 40 hexadecimal digits; empty: the caller's nixpkgs is used
    QString sha256;   ///< of the tarball, empty when unknown
    QString python3;  ///< the Python behind its python3Packages, "python313"; empty when unknown
    bool operator==(const NixpkgsPin &) const = default;
};

/// One CUDA toolkit of a line, as the line selects it. What it leaves empty is the line's own.
struct CudaProfile {
    QString version;                        ///< "12.9": what names say
    QString release;                        ///< "12.9.1": what people say; equals version when nothing else is known
    QString attribute;                      ///< "cudaPackages_13" where the pin names it so, else the toolkit's own
    QHash<QString, QString> templates = {}; ///< family id -> template of its GPU recipes, "pytorch/pinned-overlays-gpu"
    NixpkgsPin pin = {};                    ///< taken as a whole where it has a revision
    QHash<QString, QString> versions = {};  ///< family id -> version with this toolkit
    QHash<QString, QString> hashes = {};    ///< family id -> hash of that version's source
    QHash<QString, QString> pnamePrefixes = {}; ///< family id -> prefix of pname
    bool operator==(const CudaProfile &) const = default;
};

/// rows x isas, a rectangle of the grid, for all families and toolkits of the line or for some.
struct CoverageBlock {
    QStringList rows;
    QStringList isas;
    QStringList families = {}; ///< empty: all
    QStringList cudas = {};    ///< versions; empty: all. Rows without a GPU have none and are not touched by it
    bool operator==(const CoverageBlock &) const = default;
};

/// Where a companion (torchvision, torchaudio) finds its torch.
enum class TorchOrigin {
    InPlace,   ///< built inside the companion's recipe, the same way as the line's PyTorch recipe
    Sibling,   ///< the PyTorch recipe of the same variant, the file beside it
    Published, ///< the published package of the same variant, catalogs.<org>.<package>
};

/// How gpuTargets is written. PyTorch builds with Dotted alone.
enum class ArchNotation {
    Automatic, ///< dotted; a companion follows the PyTorch recipe of its variant where that is found
    Dotted,    ///< "12.1"
    Sm,        ///< "sm_121": only because a line insists on it; the audit says what comes of it
};

/// What the line says of one variant, its toolkit's own values over the line's.
struct VariantBase {
    QString version;      ///< of the variant's family
    QString torchVersion; ///< of PyTorch; equals version for PyTorch itself
    NixpkgsPin pin;
    QString hash;      ///< SRI, of the family's fetched source where the line upgrades it; else empty
    QString torchHash; ///< the same of PyTorch
    QString pname;
    QString torchPname;   ///< of the PyTorch variant that it goes with
    QString templateName; ///< empty: the line and its toolkit name none, the family's own is taken
    ArchNotation notation = ArchNotation::Dotted; ///< never Automatic
};

/// Settings that promise more variants are refused when they are read.
inline constexpr qint64 maxPromised = 20'000;

/// What one git branch builds.
struct Line {
    enum class Source { BuiltIn, File, Inferred };

    QString branch;                   ///< "cuda-13_0"
    QHash<QString, QString> versions; ///< family id -> version: {"pytorch", "2.10.0"}
    QList<CudaProfile> cudas;
    QStringList pythons;                   ///< "python313"
    NixpkgsPin pin;                        ///< without a revision the callPackage arguments are used
    QStringList families;                  ///< that the line promises; empty: all that have a version
    QHash<QString, QString> hashes;        ///< family id -> hash of the fetched source where the line upgrades it, SRI
    QHash<QString, QString> pnamePrefixes; ///< family id -> "pytorch210"; none: pname is the canonical name
    QHash<QString, QString> gpuTemplates;  ///< family id -> template; a toolkit's own goes before
    QHash<QString, QString> cpuTemplates;
    QHash<QString, QString> metalTemplates; ///< darwin-mps
    TorchOrigin torchOrigin = TorchOrigin::InPlace;
    QString torchCatalog; ///< organisation, for TorchOrigin::Published
    ArchNotation archNotation = ArchNotation::Automatic;
    QStringList smRows;  ///< rows whose PyTorch recipes say sm_NN, as found when the branch was read; never in a file
    int metadataRev = 0; ///< 0: none. Written into the output, so that a change of meta alone gives another store path
    QList<CoverageBlock> coverage;
    Source source = Source::BuiltIn;

    /// `families`, or the sorted keys of `versions` where it is empty.
    [[nodiscard]] QStringList familyIds() const;
    /// Every variant that the line promises, each once: by family, Python and toolkit, then in the order of `coverage`.
    [[nodiscard]] QList<Variant> promised() const;
    /// An upper bound of promised().size(), without listing them: what several blocks name is counted for each.
    [[nodiscard]] qint64 promisedAtMost() const;
    [[nodiscard]] bool covers(const Variant &variant) const;
    [[nodiscard]] const CudaProfile *cuda(const QString &version) const;
    /// Of a variant with an unknown toolkit: the line's own values. Where rows without CUDA are concerned: the line's,
    /// too.
    [[nodiscard]] VariantBase baseOf(const Variant &variant) const;
    bool operator==(const Line &) const = default;
};

QString toString(Line::Source source);   ///< "built-in", "file", "inferred": the words of list --json
QString toString(TorchOrigin source);    ///< "in-place", "sibling", "published": the words of line files
QString toString(ArchNotation notation); ///< "auto", "dotted", "sm"

/// The PyTorch variant that a companion needs; PyTorch's is itself.
Variant torchVariantOf(const Variant &variant);

} // namespace tmx
