// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Tree.h"

#include <QString>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tmx::nix {

struct ParseError {
    enum Kind {
        Syntax,    ///< an unexpected token
        Duplicate, ///< an attribute or argument defined twice
        Undefined, ///< an undefined variable; the tree still has a root
        TooDeep,   ///< nested deeper than maxDepth
        TooLarge,  ///< more than maxBytes
    };
    Kind kind = Syntax;
    QString message; ///< lower case, without a full stop: "unexpected 'in', expected ';'"
    Span span;
    Place place; ///< place of the span's first byte
};

struct ParseOptions {
    /// Recipes are smaller than 100 kB. A tree takes about ten times the size of its file, at most eighty times.
    qsizetype maxBytes = 4'194'304;
    /// Limit of nested brackets, operators and functions: a parenthesis counts as two or three, so about 300 are
    /// possible, and real files have far fewer than 100. 1000 levels need at most 0.8 MB of stack (4 MB with
    /// AddressSanitizer); a thread has 8 MB.
    int maxDepth = 1000;
    quint16 file = 0; ///< Node::file of all nodes
};

struct ParseResult {
    std::shared_ptr<const Tree> tree; ///< never null
    std::optional<ParseError> error;  ///< the first one
    [[nodiscard]] bool ok() const { return !error; }
};

/// Parses a file of the Nix expression language like Nix 2.26 with default settings, and accepts the same files as
/// `nix-instantiate --parse`. Pure and thread-safe. Time and memory are proportional to the size of the text.
///
/// The limits are stricter than Nix's, which allows about 10,000 open brackets and any file size.
ParseResult parse(const QByteArray &bytes, const ParseOptions &options = {});

/// The tokens of a text without its blanks and comments: to Nix, texts with the same code differ only in the places of
/// their expressions.
QByteArray codeOf(const QByteArray &text);
/// The paths in a text, up to an antiquotation, as written. Takes a third of the time of parse().
std::vector<std::string_view> pathsIn(const QByteArray &text);

} // namespace tmx::nix
