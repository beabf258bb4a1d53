// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

namespace tmx {

/// The version of a family in a nixpkgs revision: that of the catalog's settings that pin it and have no source of
/// their own. Empty if there are none, or if two differ.
QString versionOfPin(const Catalog &catalog, const QString &family, const QString &revision);

/// A command that prints the version of the package `attribute` in the set `set` ("python313Packages") of a nixpkgs
/// revision.
QString versionCommand(const QString &revision, const QString &set, const QString &attribute);
/// The same for the version of its python3.
QString pythonCommand(const QString &revision);

/// Settings whose recipes would state one version and build another.
struct VersionNotOfPin {
    QString sentence;
    QString advice; ///< which key to set, and a command that prints its value
};

/// Versions in settings that their pin is known not to contain, without a hash for that version's source; empty for
/// correct settings and for unknown pins. A pin is known from the catalog's settings and from `former`, the settings
/// that these were made from (null: none): the same pin contains no other version than theirs, even if theirs is
/// unknown.
QList<VersionNotOfPin> versionsNotOfPins(const Catalog &catalog, const Settings &settings,
                                         const Settings *former = nullptr);

/// A command that prints the hash of a family's source at a version, for [hashes] in torch-matrix.toml; empty if the
/// catalog does not know the source.
QString hashCommand(const Family &family, const QString &version);

} // namespace tmx
