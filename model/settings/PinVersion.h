// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

namespace tmx {

/// The version of a family that a revision of nixpkgs holds: that of the catalog's lines which pin it and bring no
/// source of their own. Empty: no line tells, or two lines disagree.
QString versionOfPin(const Catalog &catalog, const QString &family, const QString &revision);

/// A command that prints the version of the package `attribute` in the set `set` ("python313Packages") of a revision of
/// nixpkgs.
QString versionCommand(const QString &revision, const QString &set, const QString &attribute);

/// Settings whose recipes would say one version and build another.
struct VersionNotOfPin {
    QString sentence;
    QString advice; ///< which key to set, and a command that prints its value
};

/// Where settings name a version that their pin is known not to hold, and no hash brings that version's source in; none
/// for settings that are sound or whose pins are unknown. A pin is known by the catalog's settings and by `former`,
/// those that these were made from (null: there are none): the same pin holds no other version than theirs, though
/// theirs be unknown.
QList<VersionNotOfPin> versionsNotOfPins(const Catalog &catalog, const Settings &line,
                                         const Settings *former = nullptr);

/// A command that prints the hash of a family's source at a version, for [hashes] of torch-matrix.toml; empty where the
/// catalog does not say where the source is.
QString hashCommand(const Family &family, const QString &version);

} // namespace tmx
