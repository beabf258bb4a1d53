// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/AnsiText.h"

namespace tmx {

namespace {

constexpr char16_t escapeCharacter = 0x1B;
constexpr qsizetype longestSequence = 256;

bool isPlain(char16_t c)
{
    return (c >= 0x20 && c < 0x7F) || c > 0x9F || c == u'\n' || c == u'\t' || c == u'\r';
}

/// Reads the colour after 38 or 48. Moves `i` to its last parameter.
AnsiColour extendedColour(const QList<int> &parameters, qsizetype &i, const AnsiColour &otherwise)
{
    const auto byteAt = [&parameters](qsizetype at) { return quint32(std::clamp(parameters.value(at, 0), 0, 255)); };
    const int kind = parameters.value(i + 1, -1);
    if (kind == 5) {
        i += 2;
        return {AnsiColour::Kind::Indexed, byteAt(i)};
    }
    if (kind == 2) {
        i += 4;
        return {AnsiColour::Kind::Rgb, byteAt(i - 2) << 16U | byteAt(i - 1) << 8U | byteAt(i)};
    }
    return otherwise;
}

/// Parameters as numbers. The form with colons may name a colour space (38:2::r:g:b); it is skipped, because the form
/// with semicolons has none.
QList<int> numbers(QStringView text)
{
    QList<int> result;
    for (QStringView parameter : text.split(u';')) {
        const QList<QStringView> parts = parameter.split(u':');
        for (qsizetype i = 0; i < parts.size(); ++i) {
            const bool colourSpace = parts.size() > 5 && i == 2 && parts.at(1) == u"2";
            if (!colourSpace)
                result.append(parts.at(i).isEmpty() ? 0 : parts.at(i).toInt());
        }
    }
    return result;
}

void applyOne(AnsiStyle &style, const QList<int> &parameters, qsizetype &i)
{
    using Kind = AnsiColour::Kind;
    const int p = parameters.at(i);
    switch (p) {
    case 0: style = {}; return;
    case 1: style.bold = true; return;
    case 2: style.dim = true; return;
    case 3: style.italic = true; return;
    case 4:
    case 21: style.underline = true; return;
    case 7: style.inverse = true; return;
    case 22: style.bold = style.dim = false; return;
    case 23: style.italic = false; return;
    case 24: style.underline = false; return;
    case 27: style.inverse = false; return;
    case 38: style.foreground = extendedColour(parameters, i, style.foreground); return;
    case 39: style.foreground = {}; return;
    case 48: style.background = extendedColour(parameters, i, style.background); return;
    case 49: style.background = {}; return;
    default: break;
    }
    if (p >= 30 && p <= 37)
        style.foreground = {Kind::Indexed, quint32(p - 30)};
    else if (p >= 40 && p <= 47)
        style.background = {Kind::Indexed, quint32(p - 40)};
    else if (p >= 90 && p <= 97)
        style.foreground = {Kind::Indexed, quint32(p - 90 + 8)};
    else if (p >= 100 && p <= 107)
        style.background = {Kind::Indexed, quint32(p - 100 + 8)};
}

} // namespace

void AnsiParser::applySgr()
{
    // A private sequence such as CSI > 4 m also ends in m, but sets no colour.
    if (!m_parameters.isEmpty() && m_parameters.at(0) >= u'<' && m_parameters.at(0) <= u'?')
        return;
    const QList<int> parameters = numbers(m_parameters);
    for (qsizetype i = 0; i < parameters.size(); ++i)
        applyOne(m_style, parameters, i);
}

/// Handles one character of an escape sequence. Returns the index of the next character to read.
qsizetype AnsiParser::escape(QStringView chunk, qsizetype at)
{
    const char16_t c = chunk.at(at).unicode();
    switch (m_state) {
    case State::Text: break;
    case State::Escape:
        if (c == u'[')
            m_state = State::Csi;
        else if (c == u']' || c == u'P' || c == u'X' || c == u'^' || c == u'_')
            m_state = State::String;
        else if (c >= 0x20 && c <= 0x2F)
            m_state = State::Intermediate;
        else
            m_state = State::Text;
        m_parameters.clear();
        // A control character inside a sequence is not part of it: a newline still ends the line.
        return c < 0x20 && c != escapeCharacter ? at : at + 1;
    case State::Intermediate:
        if (c < 0x20 || c > 0x2F)
            m_state = State::Text;
        return c < 0x20 ? at : at + 1;
    case State::Csi:
        if (c >= 0x20 && c <= 0x3F && m_parameters.size() < longestSequence) {
            m_parameters += QChar(c);
            return at + 1;
        }
        m_state = State::Text;
        if (c == u'm')
            applySgr();
        return c < 0x20 ? at : at + 1;
    case State::String:
        // Ends with BEL or ESC \. A newline ends it too, otherwise a lost terminator would hide the rest of the log.
        if (c == escapeCharacter)
            m_state = State::StringEscape;
        else if (c == 0x07 || c == u'\n')
            m_state = State::Text;
        return c == u'\n' ? at : at + 1;
    case State::StringEscape: m_state = c == u'\\' ? State::Text : State::Escape; return c == u'\\' ? at + 1 : at;
    }
    return at + 1;
}

AnsiText AnsiParser::parse(QStringView chunk)
{
    AnsiText result;
    result.text.reserve(chunk.size());
    AnsiStyle last = m_style;
    qsizetype i = 0;
    while (i < chunk.size()) {
        if (m_state != State::Text) {
            i = escape(chunk, i);
            continue;
        }
        const qsizetype start = i;
        while (i < chunk.size() && isPlain(chunk.at(i).unicode()))
            ++i;
        if (i > start) {
            if (!(m_style == last)) {
                result.runs.append({result.text.size(), m_style});
                last = m_style;
            }
            result.text += chunk.sliced(start, i - start);
        }
        if (i < chunk.size() && chunk.at(i++).unicode() == escapeCharacter)
            m_state = State::Escape;
    }
    // Adds the style that applies at the start of the next chunk.
    if (!(m_style == last))
        result.runs.append({result.text.size(), m_style});
    return result;
}

} // namespace tmx
