// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <string_view>

namespace tmx {

/// The bytes of `bytes`, which must live as long as the view.
inline std::string_view viewOf(const QByteArray &bytes)
{
    return {bytes.constData(), size_t(bytes.size())};
}

/// `bytes`, which are UTF-8, as text; what is not becomes U+FFFD.
inline QString toText(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), qsizetype(bytes.size()));
}

} // namespace tmx
