// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// A nixpkgs revision that recipes of a branch fetch.
struct PinUse {
    QString revision;
    int recipes = 0;
    QStringList files; ///< the imported files that state it, sorted; empty: the recipes do
    bool operator==(const PinUse &) const = default;
};

/// Those that the recipes of the branch fetch, the most used first.
QList<PinUse> pinsOf(const BranchSnapshot &snapshot);

QStringList revisionsOf(const QList<PinUse> &pins);

/// "0182a36, 6a030d5, fe5e41d (oldest)"; of more than `most` the first ones with the number of the others, and always
/// `oldest`.
QString shortPins(const QStringList &revisions, const QString &oldest = {}, qsizetype most = 3,
                  const QString &age = {});

/// "12.8, 12.9"; of more the first and the last: "12.8–13.1".
QString shortVersions(const QStringList &versions);

} // namespace tmx
