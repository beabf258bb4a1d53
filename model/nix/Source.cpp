// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Source.h"

#include <algorithm>

namespace tmx::nix {

Source::Source(QByteArray bytes)
    : m_bytes(std::move(bytes))
{
    const std::string_view text = view();
    m_lineStarts.reserve(text.size() / 32 + 1);
    m_lineStarts.push_back(0);
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')))
            m_lineStarts.push_back(quint32(i + 1));
    }
}

Place Source::place(quint32 offset) const
{
    const auto after = std::upper_bound(m_lineStarts.begin(), m_lineStarts.end(), offset);
    return {int(after - m_lineStarts.begin()), int(offset - *(after - 1)) + 1};
}

std::string_view Source::line(int number) const
{
    if (number < 1 || number > lineCount())
        return {};
    const quint32 start = m_lineStarts[size_t(number) - 1];
    std::string_view text =
        view().substr(start, number < lineCount() ? m_lineStarts[size_t(number)] - start : std::string_view::npos);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

} // namespace tmx::nix
