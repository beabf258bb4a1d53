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

/// The file `toml`, so that it describes `line`: the keys that differ are changed, and everything else stays byte for
/// byte; of the coverage, all of it is written anew when any of it changed. Where no such text describes `line` (other
/// toolkits, a file that cannot be read), it is writeLineFile()'s. tomlComments() tells what went.
QByteArray withLine(const QByteArray &toml, const Catalog &catalog, const Line &line);

} // namespace tmx
