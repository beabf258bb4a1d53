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

/// What is to be different about a branch's settings: what derive and migrate take, and what their form edits. What is
/// absent stays as the settings have it, or as the built-in settings of the new versions have it.
struct SettingsChange {
    QMap<QString, QString> versions;     ///< by family
    QMap<QString, QString> hashes;       ///< by family: of the version's source
    std::optional<QStringList> cudas;    ///< toolkits; an empty list takes them all out
    std::optional<QStringList> pythons;  ///< "python313"
    std::optional<QString> pin;          ///< nixpkgs revision; empty takes it out
    QString pinHash;                     ///< of its tarball
    QMap<QString, QString> gpuTemplates; ///< by family; empty: the family's own
    QMap<QString, QString> cpuTemplates;
    QList<std::pair<QString, QString>> keys; ///< further keys of torch-matrix.toml and their values, as withLineKey()
                                             ///< takes them; they override the other fields
    bool operator==(const SettingsChange &) const = default;
};

/// Settings after a change, and the torch-matrix.toml that says so.
struct ChangedSettings {
    Settings settings;
    QByteArray file;
    QStringList warnings = {}; ///< sentences: a hash that is not needed; a version that nobody knows of the new pin
};

/// The settings of `source` with the change, for `branch`. `file` is the source's torch-matrix.toml, whose comments are
/// kept where that can be; nullopt: it has none. Pure.
/// - A toolkit and PyTorch version that belong together in built-in settings bring those settings' way of building
///   them: pin, templates, hashes.
/// - Cells that were possible and cannot exist with the new toolkits are dropped from the coverage; impossible cells
///   that the source lists stay listed.
/// - A hash of a source that the pin holds anyway is left out, unless recipes fetched a source before.
/// - What belongs to the old version or revision alone goes: hash of the source, hash of the tarball. A pname prefix
///   follows the version.
/// Errors: a toolkit that the catalog does not have; a key or value that settings cannot have.
Result<ChangedSettings> changedSettings(const Catalog &catalog, const Settings &source,
                                        const std::optional<QByteArray> &file, const QString &branch,
                                        const SettingsChange &change);

/// The variant under `settings` that takes the place of another branch's: same family, row and ISA; its Python and
/// toolkit where the settings have them, else the only one that they have. Error: there are several to choose from.
Result<Variant> variantOn(const Settings &settings, const Variant &variant);

} // namespace tmx
