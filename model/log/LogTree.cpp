// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/LogTree.h"

#include "model/log/AnsiText.h"
#include "model/log/LogFile.h"
#include "model/log/LogTimes.h"
#include "model/log/PackedLog.h"

#include <QtConcurrent>

namespace tmx {

namespace {

constexpr qint64 treePieceBytes = 4 * 1024 * 1024;
constexpr qint64 mostTreeBytes = 256 * 1024 * 1024;
constexpr qsizetype mostOfLine = 4096;

} // namespace

LogTree::State readTree(const QString &path, LogTree::State state, qint64 most, bool live)
{
    const std::unique_ptr<QIODevice> file = openLog(path);
    if (!file || !file->seek(state.offset))
        return state;
    const QByteArray bytes = file->read(most);
    const LogTimes times = live ? LogTimes() : LogTimes::of(path);
    const QDateTime now = QDateTime::currentDateTime();
    qsizetype start = 0;
    for (qsizetype end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', start)) {
        const QByteArrayView line = QByteArrayView(bytes).sliced(start, std::min<qsizetype>(end - start, mostOfLine));
        AnsiParser parser;
        QString text = parser.parse(QString::fromUtf8(line)).text;
        // Of a restarted line, the last state.
        text = text.sliced(QStringView(text).trimmed().lastIndexOf(u'\r') + 1).trimmed();
        state.last = live ? now : times.at(state.offset + end + 1);
        const qsizetype number = state.lines.lineCount();
        state.lines.read(QByteArrayView(bytes).sliced(start, end + 1 - start));
        state.tree.read(line.startsWith("  ") ? QStringLiteral("  ") + text : text, state.last, number,
                        state.lines.lineCount());
        start = end + 1;
    }
    if (start == 0 && bytes.size() >= most) { // part of a line
        state.lines.read(bytes);
        start = bytes.size();
    }
    state.offset += start;
    return state;
}

LogTree::LogTree(const LogFile *log, QObject *parent)
    : QObject(parent)
    , m_log(log)
{
    connect(log, &LogFile::restarted, this, [this] {
        ++m_generation;
        m_state = {};
        m_working = m_caughtUp = false;
        m_ended.reset();
        Q_EMIT changed();
    });
    connect(log, &LogFile::grew, this, &LogTree::readOn);
}

void LogTree::readOn()
{
    if (m_working || m_state.offset >= std::min(m_log->index().size(), mostTreeBytes))
        return;
    m_working = true;
    QtConcurrent::run([path = m_log->path(), state = m_state, live = m_caughtUp] {
        return readTree(path, state, treePieceBytes, live);
    }).then(this, [this, generation = m_generation](const State &state) {
        if (generation != m_generation)
            return;
        const bool moved = state.offset > m_state.offset;
        m_working = false;
        m_state = state;
        if (moved)
            readOn();
        m_caughtUp |= !m_working;
        if (m_ended && !m_working)
            m_state.tree.end(*m_ended, m_state.last);
        Q_EMIT changed();
    });
}

void LogTree::end(DerivationNode::State state)
{
    m_ended = state;
    if (!m_working)
        m_state.tree.end(state, m_state.last);
    Q_EMIT changed();
}

} // namespace tmx
