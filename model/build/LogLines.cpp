// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/build/LogLines.h"

#include <algorithm>

namespace tmx {

namespace {

constexpr qsizetype blockBytes = 1024 * 1024;
constexpr qsizetype blockLines = 64 * 1024;  // blank lines cost no bytes
constexpr qsizetype longestKept = 64 * 1024; // a line that never ends becomes several
constexpr qsizetype tabStop = 8;

} // namespace

LogLines::LogLines(qsizetype byteLimit)
    : m_limit(byteLimit)
{
}

void LogLines::clear()
{
    *this = LogLines(m_limit);
}

void LogLines::append(QStringView chunk)
{
    const AnsiText parsed = m_parser.parse(chunk);
    const QStringView text = parsed.text;
    qsizetype at = 0;
    for (const AnsiRun &run : parsed.runs) {
        appendPlain(text.sliced(at, run.start - at));
        at = run.start;
        m_style = run.style;
        if (!m_returned)
            appendRun(m_style);
    }
    appendPlain(text.sliced(at));
}

void LogLines::appendRun(const AnsiStyle &style)
{
    const AnsiStyle before = m_openRuns.isEmpty() ? AnsiStyle() : m_openRuns.constLast().style;
    if (style == before)
        return;
    if (!m_openRuns.isEmpty() && m_openRuns.constLast().start == m_open.size())
        m_openRuns.last().style = style;
    else
        m_openRuns.append({m_open.size(), style});
}

void LogLines::appendPlain(QStringView text)
{
    qsizetype at = 0;
    while (at < text.size()) {
        const char16_t c = text.at(at).unicode();
        if (c == u'\n') {
            endLineHere();
            ++at;
            continue;
        }
        if (c == u'\r') {
            m_returned = true;
            ++at;
            continue;
        }
        if (std::exchange(m_returned, false)) {
            m_open.clear();
            m_openRuns.clear();
            appendRun(m_style);
        }
        if (c == u'\t') {
            m_open += QString(tabStop - m_open.size() % tabStop, u' ');
            ++at;
            continue;
        }
        const qsizetype start = at;
        while (at < text.size() && text.at(at) != u'\n' && text.at(at) != u'\r' && text.at(at) != u'\t' &&
               m_open.size() + at - start < longestKept)
            ++at;
        m_open += text.sliced(start, at - start);
        if (m_open.size() >= longestKept && at < text.size() && text.at(at) != u'\n' && !text.at(at).isLowSurrogate())
            endLineHere();
        else if (at == start)
            m_open += text.at(at++); // the second half of a character at the very limit
    }
}

void LogLines::endLineHere()
{
    if (m_blocks.empty() || m_blocks.back().text.size() >= blockBytes || m_blocks.back().ends.size() >= blockLines)
        m_blocks.push_back({m_closed, {}, {}, {}});
    Block &block = m_blocks.back();
    const QByteArray line = m_open.toUtf8();
    block.text += line;
    block.ends.append(quint32(block.text.size()));
    if (!m_openRuns.isEmpty())
        block.runs.insert(block.ends.size() - 1, m_openRuns);
    m_longest = std::max(m_longest, m_open.size());
    m_bytes += line.size() + qsizetype(sizeof(quint32)) + m_openRuns.size() * qsizetype(sizeof(AnsiRun));
    ++m_closed;
    m_open.clear();
    m_openRuns.clear();
    m_returned = false;
    appendRun(m_style);
    while (m_bytes > m_limit && m_blocks.size() > 1) {
        const Block &oldest = m_blocks.front();
        qsizetype runs = 0;
        for (const QList<AnsiRun> &ofLine : oldest.runs)
            runs += ofLine.size();
        m_bytes -=
            oldest.text.size() + oldest.ends.size() * qsizetype(sizeof(quint32)) + runs * qsizetype(sizeof(AnsiRun));
        m_first += oldest.ends.size();
        m_blocks.pop_front();
    }
}

const LogLines::Block &LogLines::blockOf(qsizetype number) const
{
    const auto after = std::upper_bound(m_blocks.begin(), m_blocks.end(), number,
                                        [](qsizetype n, const Block &block) { return n < block.first; });
    return *std::prev(after);
}

QByteArrayView LogLines::bytes(const Block &block, qsizetype place) const
{
    const qsizetype start = place == 0 ? 0 : block.ends.at(place - 1);
    return QByteArrayView(block.text).sliced(start, block.ends.at(place) - start);
}

LogLine LogLines::line(qsizetype number) const
{
    if (number < m_first || number >= endLine())
        return {};
    if (number == m_closed)
        return {m_open, m_openRuns};
    const Block &block = blockOf(number);
    return {QString::fromUtf8(bytes(block, number - block.first)), block.runs.value(number - block.first)};
}

QString LogLines::text(qsizetype number) const
{
    if (number < m_first || number >= endLine())
        return {};
    if (number == m_closed)
        return m_open;
    const Block &block = blockOf(number);
    return QString::fromUtf8(bytes(block, number - block.first));
}

} // namespace tmx
