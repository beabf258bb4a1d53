// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>

namespace tmx {

/// Names of variants in a list, without what they have in common: package, Python and toolkit stand in the head, GPU
/// and instruction set in each row.
class ShortNames
{
public:
    ShortNames() = default;
    explicit ShortNames(const QStringList &names);

    [[nodiscard]] const QString &common() const
    {
        return m_common;
    } ///< "pytorch, Python 3.13, CUDA 12.8"; may be empty
    [[nodiscard]] QString of(const QString &name) const; ///< "sm90 avx512"; what is not a variant's name stays as it is
    /// The head of their column: "Variant (pytorch, Python 3.13, CUDA 12.8)".
    [[nodiscard]] QString head() const;

private:
    QHash<QString, QString> m_short;
    QString m_common;
};

/// The role of the whole name in a model that shows short ones.
constexpr int wholeNameRole = 0x0100 + 90;

} // namespace tmx
