// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Tree.h"

#include <QString>

#include <memory>
#include <optional>

namespace tmx::nix {

struct ParseError {
    enum Kind {
        Syntax,    ///< a token that cannot stand where it stands
        Duplicate, ///< an attribute or argument that is defined twice
        Undefined, ///< a variable that nothing defines; the tree has a root all the same
        TooDeep,   ///< nested more than maxDepth deep
        TooLarge,  ///< more than maxBytes
    };
    Kind kind = Syntax;
    QString message; ///< lower case, without a full stop: "unexpected 'in', expected ';'"
    Span span;
    Place place; ///< of the span's first byte
};

struct ParseOptions {
    /// Recipes stay below 100 kB. A tree takes about ten times the bytes of its file, at worst eighty times.
    qsizetype maxBytes = 4'194'304;
    /// Levels of brackets, operators and functions within each other: a parenthesis takes two or three, so about 300
    /// fit, and people stay far below 100. 1000 levels need at most 0.8 MB of stack (4 MB with AddressSanitizer), and a
    /// thread has 8 MB.
    int maxDepth = 1000;
};

struct ParseResult {
    std::shared_ptr<const Tree> tree; ///< never null
    std::optional<ParseError> error;  ///< the first one
    [[nodiscard]] bool ok() const { return !error; }
};

/// Reads a file of the Nix expression language as Nix 2.26 reads it with its default settings, and says yes or no to
/// the same files as `nix-instantiate --parse`. Pure and thread-safe. Takes time and memory in proportion to the text.
///
/// Nix goes on where this stops: at most about 10,000 open brackets, and no limit to the size of the file.
ParseResult parse(const QByteArray &bytes, const ParseOptions &options = {});

} // namespace tmx::nix
