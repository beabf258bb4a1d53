// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/LogIndex.h"

#include "model/base/Parallel.h"
#include "model/log/PackedLog.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tmx {

namespace {

constexpr qsizetype blockLines = 256;
constexpr qint64 blockBytes = 64 * 1024;
constexpr qint64 mostOfBlock = 512 * 1024; ///< a larger block consists of carriage returns
constexpr qint64 styleBytes = 16 * 1024;   ///< how far back to look for the colour in effect
constexpr qsizetype tabStop = 8;
constexpr qint64 readBytes = 128 * 1024;      ///< fits the cache of a core
constexpr qint64 partBytes = 4 * 1024 * 1024; ///< as many are read at a time by each core

/// Finds the newlines of bytes, one after the other. Compares many bytes at a time, because lines are short: a memchr()
/// for each line takes twice as long.
class Newlines
{
public:
    explicit Newlines(QByteArrayView bytes)
        : m_data(bytes.data())
        , m_size(bytes.size())
    {
    }
    /// The position of the next one; the number of bytes if there is none.
    qsizetype next()
    {
#ifdef __SSE2__ // Every x86-64 processor has it.
        while (m_marks == 0 && m_at + markedBytes <= m_size) {
            m_marks = marks(m_data + m_at);
            m_at += markedBytes;
        }
        if (m_marks != 0) {
            const qsizetype position = m_at - markedBytes + std::countr_zero(m_marks);
            m_marks &= m_marks - 1;
            return position;
        }
#endif
        const void *const found = m_at < m_size ? std::memchr(m_data + m_at, '\n', size_t(m_size - m_at)) : nullptr;
        const qsizetype position = found ? static_cast<const char *>(found) - m_data : m_size;
        m_at = std::min(position + 1, m_size);
        return position;
    }

private:
#ifdef __SSE2__
    static constexpr qsizetype markedBytes = 64;
    /// A bit for each of 64 bytes: whether it is a newline.
    static uint64_t marks(const char *bytes)
    {
        constexpr qsizetype width = 16;
        uint64_t all = 0;
        for (qsizetype i = 0; i < markedBytes; i += width) {
            const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes + i));
            all |= uint64_t(unsigned(_mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_set1_epi8('\n'))))) << i;
        }
        return all;
    }
    uint64_t m_marks = 0; ///< of the bytes before m_at, those that were not returned
#endif
    const char *const m_data;
    const qsizetype m_size;
    qsizetype m_at = 0;
};

/// Splits bytes into lines. `ended(end, next)`: a line's text ends before `end`, the next line begins at `next`;
/// `restarted(at)`: carriage returns restarted the open line. Offsets count from the first byte ever read.
template <class Ended, class Restarted>
void scan(QByteArrayView bytes, qint64 base, qint64 &start, bool &returned, const Ended &ended,
          const Restarted &restarted)
{
    const char *const data = bytes.data();
    const qsizetype size = bytes.size();
    const auto nextReturn = [data, size](qsizetype from) {
        const void *const at = from < size ? std::memchr(data + from, '\r', size_t(size - from)) : nullptr;
        return at ? qsizetype(static_cast<const char *>(at) - data) : size;
    };
    Newlines newlines(bytes);
    qsizetype at = 0;
    qsizetype newline = newlines.next();
    qsizetype carriage = nextReturn(0);
    while (at < size) {
        if (returned && data[at] == '\r') {
            ++at;
            continue;
        }
        if (newline < at)
            newline = newlines.next();
        if (carriage < at)
            carriage = nextReturn(at);
        if (returned && data[at] != '\n') {
            start = base + at;
            restarted(start);
        }
        returned = false;
        const qsizetype end = std::min(newline, carriage);
        const qint64 cut = start + LogIndex::longestLine - base; // Cut a line that is too long.
        if (cut < end) {
            // Not inside a character, which may continue in the next bytes.
            qsizetype place = qsizetype(std::max<qint64>(cut, at));
            while (place < end && place < cut + 3 && (static_cast<unsigned char>(data[place]) & 0xC0U) == 0x80U)
                ++place;
            if (place == size)
                return;
            if (place < end) {
                ended(base + place, base + place);
                start = base + place;
                at = place;
                continue;
            }
        }
        at = end;
        if (at == size)
            return;
        if (data[at] == '\r') {
            returned = true;
            ++at;
            continue;
        }
        const qint64 next = base + at + 1;
        ended(next - 1, next);
        start = next;
        ++at;
    }
}

/// The displayed text: tabs become blanks, and the positions of the styles are adjusted.
LogLine shown(const AnsiText &parsed, const AnsiStyle &before)
{
    LogLine line;
    if (!(before == AnsiStyle()))
        line.runs.append({0, before});
    qsizetype at = 0;
    const auto copyTo = [&](qsizetype end) {
        for (; at < end; ++at) {
            const QChar c = parsed.text.at(at);
            if (c == u'\t')
                line.text += QString(tabStop - line.text.size() % tabStop, u' ');
            else if (c != u'\r' && c != u'\n')
                line.text += c;
        }
    };
    for (const AnsiRun &run : parsed.runs) {
        copyTo(run.start);
        if (!line.runs.isEmpty() && line.runs.constLast().start == line.text.size())
            line.runs.last().style = run.style;
        else
            line.runs.append({line.text.size(), run.style});
    }
    copyTo(parsed.text.size());
    while (!line.runs.isEmpty() && line.runs.constLast().start >= line.text.size())
        line.runs.removeLast();
    return line;
}

} // namespace

void LogIndex::beginBlock(qint64 offset)
{
    if (m_blocks.constLast().line == m_line)
        m_blocks.last().offset = offset;
    else
        m_blocks.append({offset, m_line});
}

void LogIndex::read(QByteArrayView bytes)
{
    // Local variables: the compiler would write and read members again for each line.
    qsizetype line = m_line;
    qsizetype longest = m_longest;
    qint64 start = m_start;
    Block block = m_blocks.constLast();
    const auto ended = [&](qint64 end, qint64 next) {
        longest = std::max<qsizetype>(longest, end - std::min(start, end));
        ++line;
        if (line - block.line >= blockLines || next - block.offset >= blockBytes) {
            m_line = line;
            beginBlock(next);
            block = m_blocks.constLast();
        }
    };
    const auto restarted = [&](qint64 at) {
        if (at - block.offset >= blockBytes) {
            m_line = line;
            beginBlock(at);
            block = m_blocks.constLast();
        }
    };
    scan(bytes, m_size, start, m_returned, ended, restarted);
    m_line = line;
    m_longest = longest;
    m_start = start;
    m_size += bytes.size();
}

void LogIndex::append(const LogIndex &next)
{
    beginBlock(m_size + next.m_blocks.constFirst().offset);
    for (qsizetype i = 1; i < next.m_blocks.size(); ++i)
        m_blocks.append({m_size + next.m_blocks.at(i).offset, m_line + next.m_blocks.at(i).line});
    m_start = m_size + next.m_start;
    m_line += next.m_line;
    m_longest = std::max(m_longest, next.m_longest);
    m_returned = next.m_returned;
    m_size += next.m_size;
}

qsizetype LogIndex::longestSeen() const
{
    return std::max<qsizetype>(m_longest, std::min<qint64>(m_size - m_start, longestLine));
}

qsizetype LogIndex::linesIn(qsizetype block) const
{
    return (block + 1 < m_blocks.size() ? m_blocks.at(block + 1).line : lineCount()) - m_blocks.at(block).line;
}

qint64 LogIndex::endOf(qsizetype block) const
{
    return block + 1 < m_blocks.size() ? m_blocks.at(block + 1).offset : m_size;
}

qsizetype LogIndex::blockOfLine(qsizetype line) const
{
    const auto after = std::upper_bound(m_blocks.begin(), m_blocks.end(), line,
                                        [](qsizetype n, const Block &block) { return n < block.line; });
    return std::max<qsizetype>(0, after - m_blocks.begin() - 1);
}

qint64 LogIndex::aboutEndOf(qsizetype line) const
{
    const qsizetype number = blockOfLine(line);
    const Block &block = m_blocks.at(number);
    const qint64 lines = std::max<qint64>(linesIn(number), 1);
    return block.offset + (endOf(number) - block.offset) * std::min<qint64>(line - block.line + 1, lines) / lines;
}

qsizetype LogIndex::blockOfOffset(qint64 offset) const
{
    const auto after = std::upper_bound(m_blocks.begin(), m_blocks.end(), offset,
                                        [](qint64 n, const Block &block) { return n < block.offset; });
    return std::max<qsizetype>(0, after - m_blocks.begin() - 1);
}

LogReader::LogReader(const QString &path)
    : m_file(openLog(path)) // Without it a view shows no lines and needs no reason.
{
}

QByteArray LogReader::bytes(const LogIndex &index, qsizetype block)
{
    const qint64 from = index.block(block).offset;
    return m_file && m_file->seek(from) ? m_file->read(std::min(index.endOf(block) - from, mostOfBlock)) : QByteArray();
}

/// A parser with the style in effect at `offset`.
AnsiParser LogReader::parserAt(qint64 offset)
{
    AnsiParser parser;
    const qint64 from = std::max<qint64>(0, offset - styleBytes);
    if (from == offset || !m_file || !m_file->seek(from))
        return parser;
    const QByteArray before = m_file->read(offset - from);
    if (before.contains('\x1b'))
        static_cast<void>(parser.parse(QString::fromUtf8(before) + u'\n'));
    return parser;
}

QList<LogLine> LogReader::lines(const LogIndex &index, qsizetype block)
{
    QList<LogLine> lines;
    const qsizetype count = index.linesIn(block);
    const qint64 base = index.block(block).offset;
    const QByteArray all = bytes(index, block);
    AnsiParser parser = parserAt(base);
    lines.reserve(count);
    qint64 lineStart = base; // including its earlier states
    qint64 start = base;     // start of the displayed part
    bool returned = false;
    const auto text = [&](qint64 from, qint64 to) {
        return QString::fromUtf8(QByteArrayView(all).sliced(from - base, to - from));
    };
    const auto add = [&](qint64 from, qint64 end, bool ends) {
        if (from > lineStart)
            static_cast<void>(parser.parse(text(lineStart, from)));
        const AnsiStyle before = parser.style();
        lines.append(shown(parser.parse(text(from, end)), before));
        if (ends)
            static_cast<void>(parser.parse(u"\n"));
    };
    qint64 shownFrom = base;
    const auto ended = [&](qint64 end, qint64 next) {
        if (lines.size() < count)
            add(shownFrom, end, next > end);
        lineStart = shownFrom = next;
    };
    scan(all, base, start, returned, ended, [&](qint64 at) { shownFrom = at; });
    if (lines.size() < count && base + all.size() > shownFrom)
        add(shownFrom, base + all.size(), false);
    lines.resize(count);
    return lines;
}

qsizetype LogReader::lineAt(const LogIndex &index, qint64 offset)
{
    const qsizetype block = index.blockOfOffset(std::clamp<qint64>(offset, 0, index.size()));
    const qint64 base = index.block(block).offset;
    qint64 start = base;
    bool returned = false;
    qsizetype line = index.block(block).line;
    scan(
        QByteArrayView(bytes(index, block)), base, start, returned,
        [&](qint64, qint64 next) {
            if (next <= offset)
                ++line;
        },
        [](qint64) {});
    return std::min(line, std::max<qsizetype>(0, index.lineCount() - 1));
}

namespace {

/// The bytes of a log from `from` up to `to`, added to an index that ends there.
void readInto(LogIndex &index, QIODevice &file, qint64 from, qint64 to)
{
    QByteArray buffer(std::min(readBytes, to - from), Qt::Uninitialized);
    for (qint64 got = file.seek(from) ? 0 : -1; got >= 0 && from < to; from += got) {
        got = file.read(buffer.data(), std::min<qint64>(buffer.size(), to - from));
        if (got <= 0)
            return;
        index.read(QByteArrayView(buffer).first(got));
    }
}

/// Places of a log where lines begin, with about `partBytes` between them, `from` and `to` the first and the last.
QList<qint64> cutAtLines(QIODevice &file, qint64 from, qint64 to)
{
    QList<qint64> cuts{from};
    for (qint64 at = from + partBytes; at + partBytes <= to; at += partBytes) {
        const QByteArray bytes = file.seek(at) ? file.read(LogIndex::longestLine) : QByteArray();
        if (const qsizetype newline = bytes.indexOf('\n'); newline >= 0)
            cuts.append(at + newline + 1);
    }
    cuts.append(to);
    return cuts;
}

} // namespace

LogIndex indexMore(const QString &path, LogIndex index, qint64 most)
{
    const std::unique_ptr<QIODevice> file = openLog(path);
    if (!file)
        return index;
    if (file->size() < index.size())
        index = {};
    const QList<qint64> cuts = cutAtLines(*file, index.size(), std::min(file->size(), index.size() + most));
    std::vector<LogIndex> parts(size_t(cuts.size() - 1));
    parts.front() = std::move(index);
    inParallel(qsizetype(parts.size()), [&](qsizetype i) {
        const std::unique_ptr<QIODevice> own = parts.size() > 1 ? openLog(path) : nullptr;
        if (parts.size() == 1 || own)
            readInto(parts[size_t(i)], own ? *own : *file, cuts.at(i), cuts.at(i + 1));
    });
    LogIndex whole = std::move(parts.front());
    for (size_t i = 1; i < parts.size() && whole.size() == cuts.at(qsizetype(i)); ++i) // else it was cut off meanwhile
        whole.append(parts[i]);
    return whole;
}

} // namespace tmx
