// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/RecentValues.h"
#include "model/recipe/FileTrouble.h"

#include <QByteArray>
#include <QString>

namespace tmx {

/// The text of a recipe's blob.
struct BlobText {
    std::optional<QByteArray> text; ///< nullopt: `trouble` says why
    FileTrouble trouble = FileTrouble::None;
};

/// By the id of the blob (40 hexadecimal digits), so that a text that nine branches hold is read and kept once. Costs
/// are bytes.
using BlobTexts = RecentValues<QString, BlobText>;

} // namespace tmx
