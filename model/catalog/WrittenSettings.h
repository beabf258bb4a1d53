// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/SettingsTable.h"

namespace tmx {

class Catalog;

/// The entries of a settings file for one toolkit. What they do not state is as with all toolkits.
struct WrittenCuda {
    QString version;                             ///< "12.9": as in names
    SettingsValues values;                       ///< "release", "attribute", "nixpkgs" and what belongs to it
    QMap<QString, SettingsValues> families = {}; ///< by family id: "version", "gpu_template", ...
    bool operator==(const WrittenCuda &) const = default;
};

/// An entry of a settings file for some profiles, which overrides earlier values.
struct WrittenProfile {
    ProfileSelector where;
    SettingsValues values;
    bool operator==(const WrittenProfile &) const = default;
};

/// rows x isas, a rectangle of the grid, for the selected profiles. A row without a GPU has only one build.
struct WrittenCoverage {
    QStringList rows;
    QStringList isas; ///< "none" for variants without one
    ProfileSelector where = {};
    QString rest = {}; ///< of all its variants
    bool operator==(const WrittenCoverage &) const = default;
};

/// Settings in the form of files and forms: common values are stated once. Several notations may have the same meaning.
struct WrittenSettings {
    QStringList families; ///< families of coverage entries that name none; empty: all with a version
    QStringList pythons;  ///< "python313"
    SettingsValues values;
    QMap<QString, SettingsValues> ofFamilies; ///< by family id: "version", "hash", "cpu_template", ...
    QList<WrittenCuda> cudas;
    QList<WrittenProfile> profiles; ///< for each value, the last matching entry wins
    QList<WrittenCoverage> coverage;
    QList<IgnoredRule> ignored;

    [[nodiscard]] QString value(const QString &key) const; ///< the default if it is not stated
    [[nodiscard]] QString ofFamily(const QString &family, const QString &key) const
    {
        return ofFamilies.value(family).value(key);
    }
    [[nodiscard]] QStringList versioned() const; ///< families with a version, even an unknown one; sorted
    /// `families`, or versioned() if it is empty.
    [[nodiscard]] QStringList promisedFamilies() const;
    [[nodiscard]] const WrittenCuda *cuda(const QString &version) const;
    /// An upper bound of the number of covered variants, without listing them: overlapping blocks count several times.
    [[nodiscard]] qint64 promisedAtMost() const;
    bool operator==(const WrittenSettings &) const = default;
};

/// The families with profiles: covered ones, those with a version, and the PyTorch of companions.
QStringList allFamilies(const WrittenSettings &written, const Catalog &catalog);

/// Converts to settings.
Settings expanded(const WrittenSettings &written, const Catalog &catalog, const QString &branch,
                  Settings::Source source);
/// The canonical notation in which the program writes settings; expanded() is the inverse, except for smRows.
WrittenSettings written(const Settings &settings, const Catalog &catalog);

} // namespace tmx
