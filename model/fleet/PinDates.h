// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDate>
#include <QHash>
#include <QStringList>

namespace tmx {

/// The dates of commits that lock files of the working trees state (.flox/env/manifest.lock, flake.lock), or that are
/// in one of the clones. A revision that neither knows has none. Blocks: for workers.
QHash<QString, QDate> pinDates(const QStringList &repositories, const QStringList &revisions);

} // namespace tmx
