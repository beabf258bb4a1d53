// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/FileTrouble.h"
#include "model/base/RecentValues.h"

#include <QByteArray>
#include <QString>

namespace tmx {

/// The text of a recipe's blob, or why it cannot be read.
struct BlobText {
    std::optional<QByteArray> text; ///< nullopt: `trouble` says why
    FileTrouble trouble = FileTrouble::None;
};

/// Cached texts by blob id (40 hexadecimal digits), so that a text on nine branches is read and stored once. Costs are
/// bytes.
using BlobTexts = RecentValues<QString, BlobText>;

} // namespace tmx
