// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>

#include <array>
#include <optional>

namespace tmx {

/// A column of the names in a list.
enum class NamePart { Gpu, Cpu, Cuda, Python, Package };
constexpr std::array allNameParts{NamePart::Gpu, NamePart::Cpu, NamePart::Cuda, NamePart::Python, NamePart::Package};
[[nodiscard]] QString titleOf(NamePart part);
/// Of the columns of a model, which has one for each part, from Column::Gpu on.
template <typename Column>
[[nodiscard]] std::optional<NamePart> namePartOf(Column column)
{
    const int part = int(column) - int(Column::Gpu);
    return part >= 0 && part < int(allNameParts.size()) ? std::optional(allNameParts.at(size_t(part))) : std::nullopt;
}

/// Names of variants in a list, without what they have in common: package, Python and toolkit stand in the head, GPU
/// and instruction set in each row.
class ShortNames
{
public:
    ShortNames() = default;
    explicit ShortNames(const QStringList &names);

    /// "pytorch, Python 3.13, CUDA 12.8"; may be empty
    [[nodiscard]] const QString &common() const { return m_common; }
    [[nodiscard]] QString of(const QString &name) const; ///< "sm90 avx512"; what is not a variant's name stays as it is
    /// of() each, without the package, Python and toolkit that the one before has: "CUDA 12.9 sm90 avx", "sm90 avx2"
    [[nodiscard]] QStringList inTurn(const QStringList &names) const;
    /// "sm90", "avx512", "12.8"; what is not a variant's name is in the first one.
    [[nodiscard]] QString part(const QString &name, NamePart part) const;
    /// Whether the part needs a column: not all have the same.
    [[nodiscard]] bool differ(NamePart part) const { return part == NamePart::Gpu || m_differ.at(size_t(part)); }

private:
    using Parts = std::array<QString, allNameParts.size()>;
    [[nodiscard]] QString differing(const Parts &parts) const; ///< package, Python and toolkit, where they differ
    QHash<QString, Parts> m_parts;
    std::array<bool, allNameParts.size()> m_differ{};
    QString m_common;
};

/// The role of the whole name in a model that shows short ones.
constexpr int wholeNameRole = 0x0100 + 90;

} // namespace tmx
