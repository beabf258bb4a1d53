// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/WrittenSettings.h"

#include <QByteArray>

namespace tmx {

class Catalog;

/// A key of a settings file that can be set by name, as in the manual page. Capitals are placeholders for the user's
/// values.
struct SettingsKey {
    QString name; ///< "nixpkgs", "versions.FAMILY", "cuda.VERSION.nixpkgs", "coverage.ROW"
    QString what; ///< one phrase, translated
};
const QList<SettingsKey> &settingsKeys();

/// The words of a list in the user's notation: "12.8, 12.9".
QStringList wordsOf(const QString &value);

/// Changes one key in a settings file. `value` is in the user's notation: lists with commas or spaces, a Python as
/// "python313" or "3.13", empty to remove the key.
///
/// All other bytes stay, including comments. If that is impossible (`cudas` and `coverage.ROW` change lists of tables),
/// the file is rewritten; if that would lose comments, it is an error with their number, unless `mayLoseComments` is
/// set.
///
/// Errors: an unknown key; a value that is invalid for the settings, with the key; a file that cannot be read.
Result<QByteArray> withSettingsKey(const QByteArray &toml, const Catalog &catalog, const QString &branch,
                                   const QString &key, const QString &value, bool mayLoseComments = false);

/// Changes the file `toml` so that it describes `settings`. Only differing keys change; profiles and the coverage
/// change completely or not at all. If such edits cannot describe the settings (other toolkits, an unreadable file),
/// the result is that of writeSettingsFile(). tomlComments() returns the comments that this loses.
QByteArray withSettings(const QByteArray &toml, const Catalog &catalog, const Settings &settings);

/// Sets the toolkits. Existing ones keep their values. If one toolkit is replaced by another, the new one gets its
/// values and coverage. Cells that cannot exist with the new toolkits are removed from the coverage, unless they were
/// already covered although they could not exist. Error: the catalog has no such toolkit.
Result<Settings> withToolkits(const Settings &source, const Catalog &catalog, const QStringList &versions);

/// What only a Python has that goes, while others stay: toolkits and cells.
enum class OfGonePython {
    Stays, ///< those that stay get it
    Goes,  ///< it goes too; a toolkit that nothing is listed for any more goes as well
};

/// Sets the Pythons. A new one is built like the one that it replaces, else like the newest.
Settings withPythons(const Settings &source, const QStringList &pythons, OfGonePython gone = OfGonePython::Stays);

} // namespace tmx
