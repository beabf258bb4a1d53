// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/LogSearch.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool isAscii(QStringView text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x80; });
}

} // namespace

LogPattern::LogPattern(const QString &text, Qt::CaseSensitivity sensitivity, bool regularExpression)
    : m_text(text)
    , m_words(text, sensitivity)
    , m_anyCase(sensitivity == Qt::CaseInsensitive)
    , m_isExpression(regularExpression)
{
    if (regularExpression && !text.isEmpty()) {
        // Limits the steps of one match: a pattern such as (a+)+$ would take years on some lines.
        m_expression = QRegularExpression(u"(*LIMIT_MATCH=1000000)(?:"_s + text + u')',
                                          m_anyCase ? QRegularExpression::CaseInsensitiveOption
                                                    : QRegularExpression::NoPatternOption);
        m_expression.optimize();
    } else if (isAscii(text)) {
        m_bytes = m_anyCase ? text.toLower().toLatin1() : text.toLatin1();
    }
}

QString LogPattern::error() const
{
    return m_isExpression && !m_expression.isValid() ? m_expression.errorString() : QString();
}

QList<LogPattern::Span> LogPattern::in(const QString &line, qsizetype most) const
{
    QList<Span> found;
    if (isEmpty())
        return found;
    if (!m_isExpression) {
        const qsizetype length = m_words.pattern().size();
        for (qsizetype at = m_words.indexIn(line); at >= 0 && found.size() < most;
             at = m_words.indexIn(line, at + length))
            found.append({at, length});
        return found;
    }
    if (!m_expression.isValid())
        return found;
    QRegularExpressionMatchIterator matches = m_expression.globalMatch(line);
    while (found.size() < most && matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() > 0)
            found.append({match.capturedStart(), match.capturedLength()});
    }
    return found;
}

bool LogPattern::mayBeIn(const QByteArray &block) const
{
    // Escape sequences may be inside a word, and tabs become blanks.
    if (m_bytes.isEmpty() || block.contains('\x1b') || (m_bytes.contains(' ') && block.contains('\t')))
        return true;
    if (!m_anyCase)
        return block.contains(m_bytes);
    // The Kelvin sign matches k, the long s matches s.
    return block.contains("\xE2\x84\xAA") || block.contains("\xC5\xBF") || block.toLower().contains(m_bytes);
}

LogMatches searchLog(const QString &path, const LogIndex &index, const LogPattern &pattern, qsizetype from,
                     qsizetype mostLines, qsizetype most, const std::function<bool()> &stop)
{
    LogMatches found;
    found.next = from;
    LogReader reader(path);
    const qsizetype end = std::min(index.lineCount(), from + mostLines);
    while (found.next < end && found.matches.size() < most && !(stop && stop())) {
        const qsizetype block = index.blockOfLine(found.next);
        const qsizetype first = index.block(block).line;
        const qsizetype after = std::min(first + index.linesIn(block), end);
        if (pattern.mayBeIn(reader.bytes(index, block))) {
            const QList<LogLine> lines = reader.lines(index, block);
            for (qsizetype line = found.next; line < after && found.matches.size() < most; ++line) {
                for (const LogPattern::Span &span :
                     pattern.in(lines.at(line - first).text, most - found.matches.size()))
                    found.matches.append({line, span});
            }
        }
        if (after <= found.next) // The block has only the open line.
            break;
        found.next = after;
    }
    return found;
}

} // namespace tmx
