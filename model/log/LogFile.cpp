// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/LogFile.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QtConcurrent>

#include <chrono>

using namespace std::chrono_literals;

namespace tmx {

namespace {

constexpr qint64 firstPiece = 32 << 20;
constexpr qint64 largestPiece = 1 << 30;
constexpr auto often = 50ms; // Pieces of a fast disk grow until they take as long.
constexpr auto seldom = 400ms;
constexpr int quietLooks = 100; // updates without growth before the file is checked less often

} // namespace

LogFile::LogFile(QObject *parent)
    : QObject(parent)
    , m_blocks(32)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LogFile::look);
}

void LogFile::open(const QString &path)
{
    ++m_generation;
    m_path = path;
    m_index = {};
    m_first = 0;
    m_blocks.clear();
    m_reader.reset();
    m_piece = firstPiece;
    m_quietLooks = 0;
    m_working = false;
    m_timer.stop();
    Q_EMIT restarted();
    if (!m_path.isEmpty())
        readMore();
}

void LogFile::hideBefore(qsizetype line)
{
    m_first = std::clamp<qsizetype>(line, 0, endLine());
}

void LogFile::look()
{
    const QFileInfo file(m_path);
    // A log that was compressed or removed meanwhile keeps its index.
    if (file.exists() ? file.size() != m_index.size() : m_index.size() == 0)
        return readMore();
    m_quietLooks = std::min(m_quietLooks + 1, quietLooks);
    m_timer.start(m_quietLooks < quietLooks ? often : seldom);
}

void LogFile::readMore()
{
    m_working = true;
    QElapsedTimer clock;
    clock.start();
    QtConcurrent::run([path = m_path, index = m_index, piece = m_piece] {
        return indexMore(path, index, piece);
    }).then(this, [this, clock, generation = m_generation](const LogIndex &index) {
        if (generation != m_generation)
            return;
        m_piece =
            clock.durationElapsed() < often ? std::min(2 * m_piece, largestPiece) : std::max(m_piece / 2, firstPiece);
        take(index);
    });
}

void LogFile::take(const LogIndex &index)
{
    const bool another = index.size() < m_index.size();
    const bool larger = index.size() > m_index.size();
    m_blocks.remove(m_index.blockCount() - 1); // The last block has grown.
    m_index = index;
    m_working = false;
    if (another) {
        m_first = 0;
        m_blocks.clear();
        m_reader.reset();
        Q_EMIT restarted();
    }
    if (larger || another) {
        m_quietLooks = 0;
        // Continue at once with existing data; wait for new data.
        if (QFileInfo(m_path).size() != m_index.size() && larger)
            readMore();
        Q_EMIT grew();
    }
    if (!m_working)
        m_timer.start(m_quietLooks < quietLooks ? often : seldom);
}

LogLine LogFile::line(qsizetype number) const
{
    if (number < firstLine() || number >= endLine())
        return {};
    const qsizetype block = m_index.blockOfLine(number);
    const qsizetype inBlock = number - m_index.block(block).line;
    if (const QList<LogLine> *lines = m_blocks.object(block))
        return lines->value(inBlock);
    if (!m_reader)
        m_reader = std::make_unique<LogReader>(m_path);
    const QList<LogLine> read = m_reader->lines(m_index, block);
    m_blocks.insert(block, new QList<LogLine>(read));
    return read.value(inBlock);
}

qsizetype LogFile::lineAt(qint64 offset) const
{
    LogReader reader(m_path);
    return reader.lineAt(m_index, offset);
}

} // namespace tmx
