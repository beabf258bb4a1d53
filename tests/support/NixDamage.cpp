// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "NixGenerator.h"

#include "model/nix/Lexer.h"

// How a text that is Nix is made into one that perhaps is none.

namespace tmx::test {

namespace {

constexpr const char *tokens[] = {
    "if",       "then", "else", "assert", "with",    "let",    "in",   "rec", "inherit",
    "or",       "...",  "==",   "!=",     "<=",      ">=",     "<",    ">",   "&&",
    "||",       "->",   "//",   "++",     "+",       "-",      "*",    "/",   "!",
    "=",        ";",    ":",    ",",      ".",       "@",      "?",    "(",   ")",
    "{",        "}",    "[",    "]",      "${",      "\"",     "''",   "a",   "x",
    "1",        "0.5",  ".5",   "1.",     "./a",     "/a",     "~/a",  "<a>", "a/b",
    "a:b",      "true", "#",    "/*",     "*/",      "'",      "$",    "\\",  "~",
    "|",        "&",    "|>",   "<|",     "\n",      "\r\n",   "\r",   "\t",  "''$",
    "'''",      "''\\", "$$",   "\\${",   "/",       "./a/${", "..",   "1e5", "9223372036854775808",
    "__curPos", "{}:",  "a:",   "a: ",    "{ a }: ", "a@{}: ", "\"${", "}\"", "''${",
    "}''"};

} // namespace

QByteArray NixGenerator::mutation(const QByteArray &text)
{
    const nix::Source source(text);
    nix::SymbolTable symbols;
    nix::Lexer lexer(source, symbols);
    QList<nix::Span> spans;
    for (nix::Token token = lexer.next(); token.kind != nix::TokenKind::Eof; token = lexer.next()) {
        if (token.span.length > 0)
            spans.append(token.span);
    }
    if (spans.isEmpty())
        return text + any(tokens);

    const int index = below(int(spans.size()));
    const nix::Span span = spans.at(index);
    const auto bytes = [&text](nix::Span of) { return text.mid(of.offset, of.length); };
    QByteArray result = text;
    switch (below(6)) {
    case 0: return result.remove(span.offset, span.length);
    case 1: return result.insert(span.offset, bytes(span) + (chance(50) ? " " : ""));
    case 2: {
        const nix::Span other = spans.at(below(int(spans.size())));
        return result.replace(span.offset, span.length, bytes(other));
    }
    case 3: return result.insert(span.offset, any(tokens) + QByteArray(chance(50) ? " " : ""));
    case 4: return result.replace(span.offset, span.length, any(tokens));
    default: {
        if (index + 1 == spans.size())
            return result.left(span.offset);
        const nix::Span next = spans.at(index + 1);
        const QByteArray between = text.mid(span.end(), next.offset - span.end());
        return result.replace(span.offset, next.end() - span.offset, bytes(next) + between + bytes(span));
    }
    }
}

QByteArray NixGenerator::damage(QByteArray text)
{
    for (int changes = 1 + below(8); changes > 0 && !text.isEmpty(); --changes) {
        const int position = below(int(text.size()));
        switch (below(5)) {
        case 0: text[position] = char(below(256)); break;
        case 1: text.insert(position, any(tokens)); break;
        case 2: text.remove(position, 1 + below(16)); break;
        case 3: text.insert(position, text.mid(below(int(text.size())), below(64))); break;
        default: text.truncate(chance(10) ? position : text.size());
        }
    }
    return text;
}

} // namespace tmx::test
