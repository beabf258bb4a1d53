// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

namespace tmx {

/// Where a log has lines that say an error (saysError()): the share of its lines before each, from 0 to 1. At most 500,
/// in the first 256 MB. Reads the disk: for workers.
[[nodiscard]] QList<double> errorPlaces(const QString &log);

} // namespace tmx
