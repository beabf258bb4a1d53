// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/OutputDecoder.h"

#include <algorithm>
#include <utility>

namespace tmx {

namespace {

/// Regular output has no longer lines; an endless line must not fill the memory.
constexpr qsizetype longestLine = 64 * 1024;

/// Number of bytes at the end that are the start of an incomplete character.
qsizetype unfinishedBytes(QByteArrayView bytes)
{
    for (qsizetype back = 1; back <= std::min<qsizetype>(3, bytes.size()); ++back) {
        const auto byte = static_cast<unsigned char>(bytes.at(bytes.size() - back));
        if ((byte & 0xC0U) == 0x80U)
            continue;
        const qsizetype length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        return length > back ? back : 0;
    }
    return 0;
}

} // namespace

QString OutputDecoder::decode(QByteArrayView bytes)
{
    // QStringDecoder keeps such bytes too. But if the next chunk does not continue that character, Qt 6.8 loses the
    // first byte of the next character, for example a newline.
    QByteArray all = std::exchange(m_unfinished, {});
    all.append(bytes);
    const qsizetype kept = unfinishedBytes(all);
    m_unfinished = all.last(kept);
    return QString::fromUtf8(QByteArrayView(all).chopped(kept));
}

QString OutputDecoder::flush()
{
    return QString::fromUtf8(std::exchange(m_unfinished, {}));
}

QStringList LineReader::read(QStringView text)
{
    QStringList lines;
    const QString plain = m_parser.parse(text).text;
    const auto end = [this, &lines] {
        if (!QStringView(m_line).trimmed().isEmpty())
            lines.append(m_line);
        m_line.clear();
    };
    qsizetype start = 0;
    for (qsizetype i = 0; i < plain.size(); ++i) {
        if (plain.at(i) != u'\n' && plain.at(i) != u'\r')
            continue;
        m_line += QStringView(plain).sliced(start, i - start);
        start = i + 1;
        end();
    }
    m_line += QStringView(plain).sliced(start);
    if (m_line.size() > longestLine)
        end();
    return lines;
}

QStringList LineReader::flush()
{
    return read(u"\n");
}

} // namespace tmx
