// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHashFunctions>
#include <QString>

#include <compare>

namespace tmx {

/// One package of the matrix. Its canonical name is its identity.
struct Variant {
    QString family; ///< "pytorch"
    QString python; ///< "python313"
    QString cuda;   ///< "12.8"; empty if it has no CUDA
    QString row;    ///< "sm90", "cpu", "darwin-mps"
    QString isa;    ///< "avx2"; empty for darwin-mps

    /// `{family}-{python}-cuda{M}_{m}-{row}-{isa}`, `{family}-{python}-cpu-{isa}` or `{family}-{python}-darwin-mps`.
    [[nodiscard]] QString name() const;
    /// ".flox/pkgs/<name>.nix", relative to the root of the working tree.
    [[nodiscard]] QString file() const;

    bool operator==(const Variant &) const = default;
    /// By family, Python, toolkit (none last), row and ISA; numbers compare numerically: sm90 before sm103.
    std::strong_ordering operator<=>(const Variant &other) const;
};

/// "python313" -> "3.13"; anything else is unchanged.
QString pythonVersion(const QString &python);

size_t qHash(const Variant &variant, size_t seed = 0) noexcept;

} // namespace tmx
