// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/LogIndex.h"

#include <QRegularExpression>
#include <QStringMatcher>

#include <functional>

namespace tmx {

/// A search pattern: words, or a regular expression.
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
    [[nodiscard]] QString error() const; ///< why the regular expression is invalid; empty: it is valid, or the pattern
                                         ///< is words
    /// Matches in one line, at most `most`; empty matches are left out. An expression that would take too long on a
    /// line finds nothing in it.
    [[nodiscard]] QList<Span> in(const QString &line, qsizetype most = 10'000) const;
    /// A quick check of a block's bytes. False: no line of the block matches.
    [[nodiscard]] bool mayBeIn(const QByteArray &block) const;

private:
    QString m_text;
    QStringMatcher m_words;
    QRegularExpression m_expression;
    QByteArray m_bytes; ///< the pattern if it is ASCII words, in lower case if case is ignored
    bool m_anyCase = false;
    bool m_isExpression = false;
};

struct LogMatch {
    qsizetype line = 0;
    LogPattern::Span span;
};

struct LogMatches {
    QList<LogMatch> matches; ///< in order
    qsizetype next = 0;      ///< the next line to search
};

/// Searches from a line on, up to `mostLines` lines and `most` matches. Checks `stop` for every block. For workers.
[[nodiscard]] LogMatches searchLog(const QString &path, const LogIndex &index, const LogPattern &pattern,
                                   qsizetype from, qsizetype mostLines, qsizetype most,
                                   const std::function<bool()> &stop);

} // namespace tmx
