// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

namespace tmx {

/// A colour as the program that printed it named it. What it looks like is the view's affair: it depends on the
/// palette.
struct AnsiColour {
    enum class Kind : quint8 { Default, Indexed, Rgb };
    Kind kind = Kind::Default;
    quint32 value = 0; ///< Indexed: 0 to 255 (xterm's table; 0 to 7 plain, 8 to 15 bright); Rgb: 0xrrggbb
    bool operator==(const AnsiColour &) const = default;
};

struct AnsiStyle {
    AnsiColour foreground;
    AnsiColour background;
    bool bold = false;
    bool dim = false;
    bool italic = false;
    bool underline = false;
    bool inverse = false;
    bool operator==(const AnsiStyle &) const = default;
};

/// From `start` (QChars) to the next run's start, or to the end.
struct AnsiRun {
    qsizetype start = 0;
    AnsiStyle style;
    bool operator==(const AnsiRun &) const = default;
};

struct AnsiText {
    QString text; ///< newline, carriage return and tab are kept; other control characters are not
    QList<AnsiRun>
        runs; ///< text before the first run has the style that held before; a run is there only where the style changes
};

/// Reads SGR sequences (ECMA-48 8.3.117; 38;5;n and 38;2;r;g;b of xterm, with ; or :), drops every other escape
/// sequence. The text may be cut anywhere, within a sequence too.
class AnsiParser
{
public:
    [[nodiscard]] AnsiText parse(QStringView chunk);
    [[nodiscard]] const AnsiStyle &style() const { return m_style; }

private:
    enum class State : quint8 { Text, Escape, Intermediate, Csi, String, StringEscape };

    qsizetype escape(QStringView chunk, qsizetype at);
    void applySgr();

    AnsiStyle m_style;
    QString m_parameters;
    State m_state = State::Text;
};

} // namespace tmx
