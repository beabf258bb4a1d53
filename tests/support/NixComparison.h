// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "NixInstantiate.h"

namespace tmx::test {

/// Files that our parser and real Nix read, and where the two differ: in accepting or refusing, in what they
/// understood, in the place of the error.
class NixComparison
{
public:
    /// `home` is a folder for Nix to call home.
    explicit NixComparison(QString home)
        : m_home(std::move(home))
    {
    }

    void compare(const QStringList &paths);

    int accepted = 0;
    int refused = 0;
    int crashed = 0; ///< Nix itself did; nothing to agree with
    QStringList differences;

private:
    [[nodiscard]] QString differenceOf(const NixVerdict &nix, const QString &path) const;
    QString m_home;
};

} // namespace tmx::test
