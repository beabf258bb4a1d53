// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/LineChange.h"

#include <QHash>

namespace tmx {

/// What somebody wants a line to be, as the fields of a form: each begins as the line has it, and what is left alone is
/// no change.
struct LineWish {
    QHash<QString, QString> versions; ///< by family
    QHash<QString, QString> hashes;   ///< by family: of the wanted version's source; empty: as it comes
    QStringList cudas;
    QStringList pythons;
    QString pin;                          ///< nixpkgs revision
    QString pinHash;                      ///< of its tarball; empty: as it comes
    QHash<QString, QString> gpuTemplates; ///< by family: to be changed; none: as it is
    QHash<QString, QString> cpuTemplates;
    bool operator==(const LineWish &) const = default;
};

/// The line as it is.
LineWish wishOf(const Line &line);

/// Companions get the version that goes with another PyTorch, where the catalog knows one; else they keep theirs.
LineWish withPyTorch(const Catalog &catalog, LineWish wish, const QString &version);

/// What of `wish` differs from the line. Pure.
LineChange changeFor(const Line &line, const LineWish &wish);

} // namespace tmx
