// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Line.h"

#include <QByteArray>

namespace tmx {

class Catalog;

/// A key of a line's file that can be set by name, as the manual page lists it. Capitals stand for what the user fills
/// in.
struct LineKey {
    QString name; ///< "nixpkgs", "versions.FAMILY", "cuda.VERSION.nixpkgs", "coverage.ROW"
    QString what; ///< one phrase, translated
};
const QList<LineKey> &lineKeys();

/// A line's file with one key changed. `value` is what a person types: lists with commas or spaces, nothing to take the
/// key out.
///
/// Everything else stays byte for byte, comments included. Where that cannot be (`cudas` and `coverage.ROW` change
/// lists of tables), the file is written anew; if comments would be lost by that it is an error that counts them,
/// unless `mayLoseComments`.
///
/// Errors: a key that is not known; a value that the line cannot have, with the key; a file that could not be read
/// before.
Result<QByteArray> withLineKey(const QByteArray &toml, const Catalog &catalog, const QString &branch,
                               const QString &key, const QString &value, bool mayLoseComments = false);

/// The file `toml`, changed so that it describes `line`. Only the keys that differ change, and of the coverage all or
/// nothing. The result is writeLineFile()'s where no such change describes `line`: other toolkits, a file that cannot
/// be read. tomlComments() tells which comments that loses.
QByteArray withLine(const QByteArray &toml, const Catalog &catalog, const Line &line);

/// The line with these toolkits. Those that stay keep what the line says of them. Coverage of one toolkit that is
/// exchanged for another goes over to it. Cells that cannot exist with the new toolkits are no longer promised, unless
/// the line promised them although they could not exist before. Error: the catalog has no such toolkit.
Result<Line> withToolkits(const Line &source, const Catalog &catalog, const QStringList &versions);

} // namespace tmx
