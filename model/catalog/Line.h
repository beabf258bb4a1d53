// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Variant.h"

#include <QHash>
#include <QList>
#include <QStringList>

namespace tmx {

/// One CUDA toolkit of a line, as the line selects it.
struct CudaProfile {
    QString version;   ///< "12.9": what names say
    QString release;   ///< "12.9.1": what people say; equals version when nothing else is known
    QString attribute; ///< "cudaPackages_13" where the pin names it so, else the toolkit's own
    QString templateName; ///< GPU recipes' template, "pytorch/pinned-overlays-gpu"
    bool operator==(const CudaProfile &) const = default;
};

/// rows x isas, a rectangle of the grid.
struct CoverageBlock {
    QStringList rows;
    QStringList isas;
    bool operator==(const CoverageBlock &) const = default;
};

/// What one git branch builds (DOMAIN: lines).
struct Line {
    enum class Source { BuiltIn, File, Inferred };

    QString branch;   ///< "cuda-13_0"
    QHash<QString, QString> versions; ///< family id -> version: {"pytorch", "2.10.0"}
    QList<CudaProfile> cudas;
    QStringList pythons; ///< "python313"
    QString pin;       ///< nixpkgs revision, 40 hexadecimal digits; empty: the callPackage arguments are used
    QString pinSha256; ///< of the tarball, empty when unknown
    QString pinPython; ///< the Python behind the pin's python3Packages, "python313"; empty when unknown
    QString cpuTemplate;
    QString pnamePrefix; ///< "pytorch210"; empty: pname is the canonical name
    QString torchHash;   ///< of the fetched source where the line upgrades torch, SRI; else empty
    QList<CoverageBlock> coverage;
    Source source = Source::BuiltIn;

    /// Every variant that the line promises, in grid order (rows, then ISAs, per family, Python and toolkit), each once.
    [[nodiscard]] QList<Variant> promised() const;
    [[nodiscard]] bool covers(const Variant &variant) const;
    [[nodiscard]] const CudaProfile *cuda(const QString &version) const;
    bool operator==(const Line &) const = default;
};

QString toString(Line::Source source); ///< "built-in", "file", "inferred": the words of list --json

} // namespace tmx
