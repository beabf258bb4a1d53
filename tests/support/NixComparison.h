// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "NixInstantiate.h"

namespace tmx::test {

/// Compares our parser with real Nix on files: acceptance, meaning, and the place of the error.
class NixComparison
{
public:
    /// `home` is a folder to use as Nix's home.
    explicit NixComparison(QString home)
        : m_home(std::move(home))
    {
    }

    void compare(const QStringList &paths);

    int accepted = 0;
    int refused = 0;
    int crashed = 0; ///< Nix itself crashed; nothing to compare with
    QStringList differences;

private:
    [[nodiscard]] QString differenceOf(const NixVerdict &nix, const QString &path) const;
    QString m_home;
};

} // namespace tmx::test
