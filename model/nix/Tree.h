// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Ast.h"
#include "model/nix/Token.h"

#include <vector>

namespace tmx::nix {

/// A parsed file: its text, its expression, its names and its comments. Immutable after parsing, so any thread may read
/// it. Nodes and names are views into it and live as long as it does.
class Tree
{
public:
    explicit Tree(QByteArray bytes)
        : m_source(std::move(bytes))
    {
    }
    Q_DISABLE_COPY_MOVE(Tree)

    [[nodiscard]] const Source &source() const { return m_source; }
    /// nullptr if the text is not valid Nix.
    [[nodiscard]] const Node *root() const { return m_root; }
    /// In the order of the text.
    [[nodiscard]] const std::vector<Comment> &comments() const { return m_comments; }

    [[nodiscard]] std::string_view name(Symbol symbol) const { return m_symbols.name(symbol); }
    /// The symbol of a name; the empty symbol if the file does not contain the name.
    [[nodiscard]] Symbol symbol(std::string_view name) const { return m_symbols.find(name); }

    [[nodiscard]] std::string_view text(Span span) const { return m_source.text(span); }
    [[nodiscard]] Place place(quint32 offset) const { return m_source.place(offset); }

private:
    friend class Parser;
    Source m_source;
    Arena m_arena;
    SymbolTable m_symbols;
    std::vector<Comment> m_comments;
    const Node *m_root = nullptr;
};

} // namespace tmx::nix
