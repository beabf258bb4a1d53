// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

namespace tmx {

/// The version of a family that a revision of nixpkgs holds: that of the catalog's lines which pin it and bring no
/// source of their own. Empty: no line tells, or two lines disagree.
QString versionOfPin(const Catalog &catalog, const QString &family, const QString &revision);

/// Where recipes of the line would say one version and build another: it names a version that its pin is known not to
/// hold, and no hash brings that version's source in. One sentence each, with what to set; none for a line that is
/// sound or whose pins are unknown.
QStringList versionsNotOfPins(const Catalog &catalog, const Settings &line);

} // namespace tmx
