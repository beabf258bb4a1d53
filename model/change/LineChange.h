// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QByteArray>
#include <QStringList>

#include <utility>

namespace tmx {

/// What is to be different about a line. What is empty stays.
struct LineChange {
    QString pytorch;     ///< version
    QStringList cudas;   ///< toolkits
    QStringList pythons; ///< "python313"
    QString pin;         ///< nixpkgs revision
    QList<std::pair<QString, QString>>
        keys; ///< further keys of the line's file and their values, as withLineKey() takes them
    bool operator==(const LineChange &) const = default;
};

/// A line after a change, and the torch-matrix.toml that says so.
struct ChangedLine {
    Line line;
    QByteArray file;
    QStringList dropped; ///< names of variants that were promised, mapped to the new line, and can no longer exist
};

/// The line with the change. `file` is the source's torch-matrix.toml, whose comments are kept where that can be;
/// nullopt: it has none.
/// - A toolkit and PyTorch version that belong together in a built-in line bring that line's way of building them: pin,
/// templates, hashes.
/// - Cells that were possible and cannot exist with the new toolkits are no longer promised; what the line insisted on
/// stays.
/// - What belongs to the old version or revision alone goes: hash of the source, hash of the tarball; a pname prefix
/// follows the version. `keys` come last and override all this. Pure. Errors: a toolkit that the catalog has not, a key
/// or value that a line cannot have.
Result<ChangedLine> changedLine(const Catalog &catalog, const Line &source, const std::optional<QByteArray> &file,
                                const QString &branch, const LineChange &change);

/// The variant of `line` that takes the place of another line's: same family, row and ISA; its Python and toolkit where
/// `line` has them, else the only one that it has. Error: there are several to choose from.
Result<Variant> variantOn(const Line &line, const Variant &variant);

} // namespace tmx
