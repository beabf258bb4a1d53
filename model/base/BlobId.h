// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

namespace tmx {

/// git's blob id of a text, with `digits` (40, or 64 for SHA-256) digits.
QString blobId(const QByteArray &text, qsizetype digits);

} // namespace tmx
