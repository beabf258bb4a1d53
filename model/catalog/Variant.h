// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHashFunctions>
#include <QString>

#include <compare>

class QJsonObject;

namespace tmx {

/// The row of packages that are built for every GPU of their toolkit.
inline constexpr QStringView everyGpu = u"all";
/// What settings files and the grid write where a name has no Python or no instruction set.
inline constexpr QStringView noneWord = u"none";

/// The parts of a family as names write it: "torchaudio211-pt212" is torchaudio, version 211, paired with pt212. Each
/// version and pairing is built side by side with the others, so it has settings, templates and grids of its own.
struct FamilyName {
    QString word;    ///< "torchaudio", "flash-attn"
    QString version; ///< digits: "211", "026"; may be empty
    QString pairing; ///< "pt212": the PyTorch that it is built against; may be empty

    static FamilyName of(const QString &family);
    [[nodiscard]] QString text() const;
    /// Whether names write that version so: "026" for 0.26.1, "210" for 2.10.0. Names without a version fit all.
    [[nodiscard]] bool fits(const QString &dotted) const;
    /// The version with dots: "0.26", the beginning of `known` that has its digits; else as most write it, "210" for
    /// 2.10. Empty without a version.
    [[nodiscard]] QString release(const QString &known) const;
    /// The release in the name of a package or of its file: "2.11" of pytorch211-python313-....nix. Empty without one.
    static QString releaseOf(const QString &name);
    bool operator==(const FamilyName &) const = default;
};

/// One package of the matrix. Its canonical name is its identity.
struct Variant {
    QString family;    ///< "pytorch"; with version and pairing where the name has them: FamilyName::of() tells them
    QString python;    ///< "python313"; empty for packages without Python
    QString cuda;      ///< "12.8"; empty if it has no CUDA
    QString row;       ///< "sm90", "all", "cpu", "darwin-mps", "rocm6_3"
    QString isa;       ///< "avx2"; empty for darwin-mps, and for names without one
    QString rest = {}; ///< "arm64": further words of the name that make it another variant; see VariantName

    /// `{family}[-{python}]-(cuda{M}_{m}-{row}|cpu|darwin-mps|rocm{M}_{m})[-{isa}][-{rest}]`.
    [[nodiscard]] QString name() const;
    /// Its column in the grid: ISA and rest; "none" if it has neither, and empty for darwin-mps.
    [[nodiscard]] QString column() const;
    /// What the name has in the place of an instruction set, if it is neither one of the catalog nor a host: "amx".
    [[nodiscard]] QString unknownIsa() const;
    /// ".flox/pkgs/<name>.nix", relative to the root of the working tree.
    [[nodiscard]] QString file() const;

    bool operator==(const Variant &) const = default;
    /// By family, Python, toolkit (none last), row, ISA and rest; numbers compare numerically: sm90 before sm103.
    std::strong_ordering operator<=>(const Variant &other) const;
};

/// Whether packages of the row are for NVIDIA's GPUs, and so have a toolkit: "sm90", "all".
bool isGpuRow(const QString &row);
/// Whether a word of a name says which hosts the package is for: "arm64".
bool isHost(const QString &word);
/// The Nix system that the variant's further words name: "aarch64-linux" for arm64; empty: none.
QString systemInName(const Variant &variant);
/// Whether packages of the row can have an instruction set; darwin-mps is the only row without.
bool hasIsa(const QString &row);

/// "python313" -> "3.13"; anything else is unchanged.
QString pythonVersion(const QString &python);

/// Its parts, in the keys that all verbs print: family, version, pairing, python, cuda, gpu, isa, rest.
QJsonObject partsJson(const Variant &variant);

size_t qHash(const Variant &variant, size_t seed = 0) noexcept;

} // namespace tmx
