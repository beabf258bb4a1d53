// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

namespace tmx {

/// A colour as the printing program named it. The view chooses its appearance, which depends on the palette.
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

/// Extends from `start` (in QChars) to the start of the next run, or to the end.
struct AnsiRun {
    qsizetype start = 0;
    AnsiStyle style;
    bool operator==(const AnsiRun &) const = default;
};

struct AnsiText {
    QString text;        ///< without control characters except newline, carriage return and tab
    QList<AnsiRun> runs; ///< changes of style; text before the first run has the style of the previous chunk
};

/// Interprets SGR sequences (ECMA-48 8.3.117; 38;5;n and 38;2;r;g;b of xterm, with ; or :) and removes all other escape
/// sequences. The text may be split anywhere, even inside a sequence.
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
