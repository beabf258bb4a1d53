// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <string_view>

namespace tmx {

/// A view of `bytes`, which must outlive it.
inline std::string_view viewOf(const QByteArray &bytes)
{
    return {bytes.constData(), size_t(bytes.size())};
}

/// Converts UTF-8 `bytes` to text; invalid bytes become U+FFFD.
inline QString toText(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), qsizetype(bytes.size()));
}

} // namespace tmx
