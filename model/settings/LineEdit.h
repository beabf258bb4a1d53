// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/WrittenSettings.h"

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
/// lists of tables), the whole file is rewritten; if comments would be lost by that it is an error that counts them,
/// unless `mayLoseComments`.
///
/// Errors: a key that is not known; a value that the line cannot have, with the key; a file that could not be read
/// before.
Result<QByteArray> withLineKey(const QByteArray &toml, const Catalog &catalog, const QString &branch,
                               const QString &key, const QString &value, bool mayLoseComments = false);

/// The file `toml`, changed so that it describes `settings`. Only the keys that differ change, and of the profiles and
/// the coverage all or nothing. The result is writeLineFile()'s where no such change describes them: other toolkits, a
/// file that cannot be read. tomlComments() tells which comments that loses.
QByteArray withLine(const QByteArray &toml, const Catalog &catalog, const Settings &settings);

/// The settings with these toolkits. Those that stay keep what is said of them. What is said of one toolkit that is
/// exchanged for another goes over to it, its coverage too. Cells that cannot exist with the new toolkits are no longer
/// promised, unless they were although they could not exist before. Error: the catalog has no such toolkit.
Result<Settings> withToolkits(const Settings &source, const Catalog &catalog, const QStringList &versions);

/// The settings with these Pythons. A new one is built as the one that it takes the place of, else as the newest.
Settings withPythons(const Settings &source, const QStringList &pythons);

} // namespace tmx
