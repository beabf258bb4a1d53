// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/TextDecoder.h"

#include <algorithm>

namespace tmx::nix {

namespace {

/// Calls put(byte, index in raw) for each byte of the value of `raw`, a part of a quoted string.
template <class Put>
void decodeQuotes(std::string_view raw, Put put)
{
    for (size_t i = 0; i < raw.size(); ++i) {
        const size_t begin = i;
        char c = raw[i];
        if (c == '\\' && i + 1 < raw.size()) {
            c = raw[++i];
            c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
        } else if (c == '\r') {
            if (i + 1 < raw.size() && raw[i + 1] == '\n')
                ++i;
            c = '\n';
        }
        put(c, begin);
    }
}

/// The value of an IndentEscape token, as a view into it; except for ''
/// , ''\r and ''\t, whose value is not in the text.
std::string_view decodeEscape(std::string_view raw)
{
    if (raw.size() == 4) {
        static constexpr std::string_view newline = "\n", carriageReturn = "\r", tab = "\t";
        return raw[3] == 'n' ? newline : raw[3] == 'r' ? carriageReturn : raw[3] == 't' ? tab : raw.substr(3);
    }
    return raw.size() == 3 && raw[2] == '\'' ? raw.substr(0, 2) : raw.substr(raw.size() - 1);
}

/// Removes indentation across the pieces of one text.
struct Stripper {
    size_t indentation;
    bool atLineStart = true;
    size_t dropped = 0;

    /// Calls put(byte, index in text) for each byte that is kept.
    template <class Put>
    void strip(std::string_view text, Put put)
    {
        for (size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (!atLineStart) {
                atLineStart = c == '\n';
            } else if (c == ' ') {
                if (dropped++ < indentation)
                    continue;
            } else {
                dropped = 0;
                atLineStart = c == '\n';
            }
            put(c, i);
        }
    }
};

size_t leastIndentation(const Source &source, std::span<const IndentedPiece> pieces)
{
    bool atLineStart = true;
    size_t least = 1000000; // Nix's value for a text without lines to measure.
    size_t current = 0;
    const auto lineBegins = [&] {
        atLineStart = false;
        least = std::min(least, current);
    };
    for (const IndentedPiece &piece : pieces) {
        if (piece.token.kind != TokenKind::IndentText) {
            if (atLineStart)
                lineBegins();
            continue;
        }
        for (char c : source.text(piece.token.span)) {
            if (c == '\n') {
                atLineStart = true;
                current = 0;
            } else if (atLineStart && c == ' ') {
                ++current;
            } else if (atLineStart) {
                lineBegins();
            }
        }
    }
    return least;
}

/// The text without its last line, if that has nothing but spaces.
std::string_view withoutBlankEnd(std::string_view text)
{
    const size_t newline = text.rfind('\n');
    return newline != std::string_view::npos && text.find_first_not_of(' ', newline + 1) == std::string_view::npos
               ? text.substr(0, newline + 1)
               : text;
}

} // namespace

std::string_view unescapedQuotes(Arena &arena, std::string_view raw)
{
    if (raw.find_first_of("\\\r") == std::string_view::npos)
        return raw;
    char *target = arena.allocate<char>(raw.size());
    size_t length = 0;
    decodeQuotes(raw, [&](char c, size_t) { target[length++] = c; });
    return {target, length};
}

void stripIndentation(Arena &arena, const Source &source, std::span<const IndentedPiece> pieces,
                      std::vector<TextPart> &parts)
{
    parts.clear();
    const size_t indentation = leastIndentation(source, pieces);
    Stripper stripper{indentation};
    for (const IndentedPiece &piece : pieces) {
        TextPart part{piece.token.span, piece.expression};
        if (piece.expression) {
            stripper.atLineStart = false;
            stripper.dropped = 0;
            parts.push_back(part);
            continue;
        }
        const std::string_view raw = source.text(part.span);
        const std::string_view text = piece.token.kind == TokenKind::IndentText ? raw : decodeEscape(raw);
        part.indentation = quint32(indentation);
        part.dropped = quint32(stripper.dropped);
        part.atLineStart = stripper.atLineStart;
        part.escape = piece.token.kind == TokenKind::IndentEscape;
        char *target = arena.allocate<char>(text.size());
        size_t length = 0;
        stripper.strip(text, [&](char c, size_t) { target[length++] = c; });
        part.text = {target, length};
        if (&piece == &pieces.back())
            part.text = withoutBlankEnd(part.text);
        if (!part.text.empty())
            parts.push_back(part);
    }
}

namespace {

/// Calls put(byte, index in the part's span) for each byte of the part's text, and for those that withoutBlankEnd()
/// removed.
template <class Put>
void eachByte(const Source &source, TextStyle style, const TextPart &part, Put put)
{
    const std::string_view raw = source.text(part.span);
    if (style == TextStyle::Quoted) {
        decodeQuotes(raw, put);
    } else if (style == TextStyle::Indented && !part.escape) {
        Stripper stripper{part.indentation, part.atLineStart, part.dropped};
        stripper.strip(raw, put);
    } else {
        for (size_t i = 0; i < part.text.size(); ++i)
            put(part.text[i], i);
    }
}

} // namespace

void sourceOffsets(const Source &source, TextStyle style, const TextPart &part, std::vector<quint32> &offsets)
{
    offsets.clear();
    offsets.reserve(part.text.size() + 1);
    eachByte(source, style, part, [&](char, size_t at) {
        if (offsets.size() <= part.text.size())
            offsets.push_back(part.span.offset + quint32(at));
    });
    if (offsets.size() <= part.text.size())
        offsets.push_back(part.span.end());
}

} // namespace tmx::nix
