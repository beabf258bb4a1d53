// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

#include <string_view>
#include <vector>

namespace tmx::nix {

/// A range of the text: `offset` and `length` in bytes. A fix replaces exactly these bytes.
struct Span {
    quint32 offset = 0;
    quint32 length = 0;

    [[nodiscard]] quint32 end() const { return offset + length; }
    [[nodiscard]] bool contains(Span other) const { return other.offset >= offset && other.end() <= end(); }
    bool operator==(const Span &) const = default;

    /// From the first byte of `first` to the last one of `last`.
    static Span between(Span first, Span last) { return {first.offset, last.end() - first.offset}; }
};

/// An offset as line and column, from 1. The column counts bytes, as in Nix's own messages.
struct Place {
    int line = 1;
    int column = 1;
    bool operator==(const Place &) const = default;
};

/// The bytes of one file, treated as UTF-8 and immutable, and the starts of its lines. A line ends with LF, CR LF or a
/// single CR, as in Nix.
class Source
{
public:
    explicit Source(QByteArray bytes);

    [[nodiscard]] const QByteArray &bytes() const { return m_bytes; }
    [[nodiscard]] std::string_view view() const { return {m_bytes.constData(), size_t(m_bytes.size())}; }
    [[nodiscard]] std::string_view text(Span span) const { return view().substr(span.offset, span.length); }

    /// The place of an offset from 0 to size(), which is the end of the file.
    [[nodiscard]] Place place(quint32 offset) const;
    /// The bytes of a line without its newline; empty if there is no such line.
    [[nodiscard]] std::string_view line(int number) const;
    [[nodiscard]] int lineCount() const { return int(m_lineStarts.size()); }

private:
    QByteArray m_bytes;
    std::vector<quint32> m_lineStarts;
};

} // namespace tmx::nix
