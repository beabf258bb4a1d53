// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QByteArray>
#include <QMap>
#include <QStringList>

#include <optional>
#include <utility>

namespace tmx {

/// SettingsChange::pinFrom: every revision.
inline constexpr QLatin1StringView allPins{"all"};

/// A change of a branch's settings: input of derive and migrate, and what their form edits. Absent values stay as in
/// the settings, or as in the built-in settings of the new versions.
struct SettingsChange {
    QMap<QString, QString> versions;    ///< by family
    QMap<QString, QString> hashes;      ///< hash of the version's source, by family
    std::optional<QStringList> cudas;   ///< toolkits; an empty list removes them all
    std::optional<QStringList> pythons; ///< "python313"
    std::optional<QString> pin;         ///< nixpkgs revision; empty removes it
    QString pinFrom; ///< the revision, or its beginning, that `pin` replaces; allPins; empty: the only one
    QString pinHash; ///< hash of its tarball
    QMap<QString, QString> gpuTemplates; ///< by family; empty: the family's default
    QMap<QString, QString> cpuTemplates;
    QList<std::pair<QString, QString>> keys; ///< further keys of torch-matrix.toml and their values, in the form of
                                             ///< withSettingsKey(); they override the other fields
    bool operator==(const SettingsChange &) const = default;

    /// The only revision that `pin` replaces; empty: any.
    [[nodiscard]] QString onlyPin() const { return pinFrom == allPins ? QString() : pinFrom; }
};

/// Settings after a change, and their torch-matrix.toml.
struct ChangedSettings {
    Settings settings;
    QByteArray file;
    QStringList warnings = {}; ///< sentences: a hash that is not needed; a version that is unknown for the new pin
};

/// Applies the change to the settings of `source`, for `branch`. `file` is the source's torch-matrix.toml, whose
/// comments are kept if possible; nullopt: it has none. Pure.
/// - If a toolkit and PyTorch version belong to built-in settings, these settings' pin, templates and hashes are used.
/// - Cells that were possible and cannot exist with the new toolkits are removed from the coverage; impossible cells
/// that the source lists stay listed.
/// - A source hash is left out if the pin contains the version, unless recipes fetched a source before.
/// - Values that only belong to the old version or revision are removed: hash of the source, hash of the tarball. A
/// pname prefix follows the version.
/// Errors: a toolkit that the catalog does not have; a key or value that is invalid for settings.
Result<ChangedSettings> changedSettings(const Catalog &catalog, const Settings &source,
                                        const std::optional<QByteArray> &file, const QString &branch,
                                        const SettingsChange &change);

/// The variant under `settings` for a variant of another branch: same family, row and ISA; its Python and toolkit if
/// the settings have them, else their only ones. Error: there are several to choose from.
Result<Variant> variantOn(const Settings &settings, const Variant &variant);

} // namespace tmx
