// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

#include <optional>

namespace tmx {

/// `base` with the changes of two other texts of it, word by word, by libgit2; nullopt if they change the same words in
/// different ways.
std::optional<QByteArray> mergedWords(const QByteArray &base, const QByteArray &ours, const QByteArray &theirs);

} // namespace tmx
