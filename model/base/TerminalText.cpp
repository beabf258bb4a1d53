// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/TerminalText.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr qsizetype longestColour = 32; // maximum bytes of a valid SGR sequence

/// A UTF-8 character at the beginning of `text`. Length 0: there is none; -1: it is incomplete.
struct Character {
    int length = 0;
    char32_t code = 0;
};

Character characterAt(std::string_view text)
{
    const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return {1, lead};
    const int length = lead >= 0xf0 && lead < 0xf5   ? 4
                       : lead >= 0xe0 && lead < 0xf0 ? 3
                       : lead >= 0xc2 && lead < 0xe0 ? 2
                                                     : 0;
    char32_t code = length == 0 ? 0 : lead & (0x7fU >> length);
    for (int i = 1; i < length; ++i) {
        if (size_t(i) == text.size())
            return {-1, 0};
        if ((byte(size_t(i)) & 0xc0) != 0x80)
            return {};
        code = code << 6 | (byte(size_t(i)) & 0x3f);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return length > 0 && code >= least[size_t(length)] && !surrogate && code <= 0x10ffff ? Character{length, code}
                                                                                         : Character{};
}

bool isObeyed(char32_t code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code <= 0x9f) || code == 0x061c ||
           code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/// Length of the colour sequence at the beginning; 0 if there is none, -1: it may become one.
int colourAt(std::string_view text)
{
    if (text[0] != '\x1b')
        return 0;
    size_t at = 1;
    if (at < text.size() && text[at++] != '[')
        return 0;
    while (at < text.size() && at < size_t(longestColour) &&
           ((text[at] >= '0' && text[at] <= '9') || text[at] == ';' || text[at] == ':'))
        ++at;
    if (at == text.size())
        return -1;
    return text[at] == 'm' ? int(at) + 1 : 0;
}

/// How many bytes from the begin of `text` are ASCII that is shown as it is, or line ends.
size_t plainBytes(std::string_view text)
{
    constexpr uint64_t each = 0x0101010101010101U;
    size_t at = 0;
    for (;;) {
        // Eight at a time: none below a blank, no DEL, none with the high bit.
        for (uint64_t bytes = 0; at + sizeof bytes <= text.size(); at += sizeof bytes) {
            std::memcpy(&bytes, text.data() + at, sizeof bytes);
            if (((bytes - each * 0x20) | bytes | (bytes + each)) & (each * 0x80))
                break;
        }
        const size_t end = std::min(at + sizeof(uint64_t), text.size());
        for (; at < end && ((text[at] >= 0x20 && text[at] < 0x7f) || text[at] == '\n'); ++at) {
        }
        if (at < end || at == text.size())
            return at;
    }
}

enum class Kind { Text, Json, Stream, PlainStream };

/// Appends the printable form of `text`; returns the number of bytes consumed.
size_t append(QByteArray &to, std::string_view text, Kind kind)
{
    const bool streams = kind == Kind::Stream || kind == Kind::PlainStream;
    size_t at = 0;
    while (at < text.size()) {
        if (const size_t plain = plainBytes(text.substr(at)); plain > 0) {
            to.append(text.data() + at, qsizetype(plain));
            at += plain;
            continue;
        }
        const std::string_view rest = text.substr(at);
        if (streams) {
            const int colour = colourAt(rest);
            if (colour < 0)
                return at;
            if (colour > 0) {
                if (kind == Kind::Stream)
                    to.append(QByteArrayView(rest).first(colour));
                at += size_t(colour);
                continue;
            }
        }
        const Character character = characterAt(rest);
        if (character.length < 0 && streams)
            return at;
        const bool whole = character.length > 0;
        const bool returns =
            character.code == '\r' && whole && (streams || (kind == Kind::Text && rest.size() > 1 && rest[1] == '\n'));
        std::array<char, 16> escape{};
        if (!whole)
            std::snprintf(escape.data(), escape.size(), kind == Kind::Json ? "\\ufffd" : "\\x%02x",
                          unsigned(static_cast<unsigned char>(rest[0])));
        else if (!returns && isObeyed(character.code) && (kind != Kind::Json || character.code >= 0x20))
            std::snprintf(escape.data(), escape.size(),
                          character.code < 0x80 && kind != Kind::Json ? "\\x%02x" : "\\u%04x",
                          unsigned(character.code));
        if (escape[0] != '\0')
            to.append(escape.data());
        else
            to.append(QByteArrayView(rest).first(character.length));
        at += whole ? size_t(character.length) : 1;
    }
    return at;
}

QByteArray made(const QByteArray &text, Kind kind)
{
    QByteArray safe;
    safe.reserve(text.size());
    append(safe, {text.constData(), size_t(text.size())}, kind);
    return safe;
}

} // namespace

QByteArray terminalText(const QByteArray &text)
{
    return made(text, Kind::Text);
}

QString inOneLine(QString name)
{
    return name.replace(u'\n', u"\\x0a"_s);
}

QByteArray terminalJson(const QByteArray &document)
{
    return made(document, Kind::Json);
}

QByteArray TerminalStream::add(const QByteArray &piece)
{
    m_rest += piece;
    QByteArray safe;
    const size_t done = append(safe, {m_rest.constData(), size_t(m_rest.size())},
                               m_colours == Colours::Stay ? Kind::Stream : Kind::PlainStream);
    m_rest.remove(0, qsizetype(done));
    return safe;
}

QByteArray TerminalStream::end()
{
    const QByteArray safe = terminalText(m_rest);
    m_rest.clear();
    return safe;
}

QString shellWord(const QString &word)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_./:@+-]+\\z"_s);
    return plain.match(word).hasMatch() ? word : u'\'' + QString(word).replace(u'\'', "'\\''"_L1) + u'\'';
}

} // namespace tmx
