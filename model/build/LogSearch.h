// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/LogIndex.h"

#include <QRegularExpression>
#include <QStringMatcher>

#include <functional>

namespace tmx {

/// What to look for in a text: words, or a regular expression.
class LogPattern
{
public:
    struct Span {
        qsizetype column = 0; ///< in QChars
        qsizetype length = 0;
        bool operator==(const Span &) const = default;
    };

    LogPattern() = default;
    LogPattern(const QString &text, Qt::CaseSensitivity sensitivity, bool regularExpression);

    [[nodiscard]] bool isEmpty() const { return m_text.isEmpty(); }
    [[nodiscard]] QString error() const; ///< why it is no regular expression; empty: it is one, or words
    /// Of one line, at most `most` of them; a match of no characters is none. An expression that would take for ever on
    /// a line finds nothing in it.
    [[nodiscard]] QList<Span> in(const QString &line, qsizetype most = 10'000) const;
    /// False: no line of this block matches. A quick look at its bytes.
    [[nodiscard]] bool mayBeIn(const QByteArray &block) const;

private:
    QString m_text;
    QStringMatcher m_words;
    QRegularExpression m_expression;
    QByteArray m_bytes; ///< ASCII words, in lower case when case does not count
    bool m_anyCase = false;
    bool m_isExpression = false;
};

struct LogMatch {
    qsizetype line = 0;
    LogPattern::Span span;
};

struct LogMatches {
    QList<LogMatch> matches; ///< in order
    qsizetype next = 0;      ///< the line to go on at
};

/// Searches from a line on, up to `mostLines` lines and `most` matches. `stop` is asked for every block. For workers.
[[nodiscard]] LogMatches searchLog(const QString &path, const LogIndex &index, const LogPattern &pattern,
                                   qsizetype from, qsizetype mostLines, qsizetype most,
                                   const std::function<bool()> &stop);

} // namespace tmx
