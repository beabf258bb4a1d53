// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Lexer.h"
#include "model/nix/Parse.h"
#include "model/nix/TextDecoder.h"

#include <QCoreApplication>

#include <array>

namespace tmx::nix {

/// Recursive descent over the tokens of one file; what parse() is made of. A function that could not read what it is
/// for has noted the error and returns nullptr (or false); whoever called it returns at once.
class Parser
{
    Q_DECLARE_TR_FUNCTIONS(tmx::nix::Parser)
public:
    Parser(Tree &tree, const ParseOptions &options);

    /// Reads the file, or says what is wrong with it. Variables are not bound yet.
    std::optional<ParseError> run();
    /// Finds what each variable stands for (Scopes.h), and says which one stands for nothing.
    std::optional<ParseError> bind();

private:
    class Nesting;
    /// An operand of a chain that nests to the right, where it begins, and where the operator before it stands.
    struct Link {
        const Node *operand = nullptr;
        quint32 start = 0;
        quint32 operatorOffset = 0;
    };

    // Parser.cpp: tokens, errors.
    [[nodiscard]] const Token &current() const { return m_tokens[m_first]; }
    [[nodiscard]] bool at(TokenKind kind) const { return current().kind == kind; }
    TokenKind peek(int ahead);
    Token advance();
    bool accept(TokenKind kind);
    bool expect(TokenKind kind);
    bool expectClosing(TokenKind kind, Span opened);
    [[nodiscard]] QString nameOf(TokenKind kind) const;
    [[nodiscard]] QString nameOf(const Token &token) const;
    std::nullptr_t unexpected(const QString &expected);
    std::nullptr_t fail(ParseError::Kind kind, Span span, const QString &message);
    bool failDuplicate(const Duplicate &duplicate);
    [[nodiscard]] Span since(Span start) const { return {start.offset, m_end - start.offset}; }

    // ParserFunctions.cpp: what an expression may be where nothing binds tighter.
    const Node *expression();
    /// Whether there was one to put into `into`.
    bool read(const Node *&into);
    const Node *lambdaOfName();
    const Node *lambdaOfFormals();
    bool formals(Lambda &lambda);
    bool checkFormals(const Lambda &lambda);
    const Node *let();
    const Node *with();
    const Node *assertion();
    const Node *condition();

    // ParserOperators.cpp: operators, application, selection.
    const Node *operators(int least);
    const Node *operand();
    const Node *chainToTheRight(Link first, TokenKind kind);
    const Node *application();
    const Node *selection();

    // ParserSimple.cpp: literals, brackets, texts.
    [[nodiscard]] bool startsSimple() const;
    const Node *simple();
    const Node *variable(const Token &token);
    const Node *quoted();
    const Node *indented();
    const Node *path();
    bool antiquotation(TextPart &part);
    const Node *list();
    const Node *parenthesised();
    const Node *oldLet();

    // ParserBindings.cpp: attribute sets and paths.
    Attributes *bindings(bool recursive, Span start);
    const Binding *binding();
    bool inherited(Binding &binding);
    [[nodiscard]] bool startsBinding() const;
    const Node *braces(bool recursive);
    bool attributePath(std::span<const AttributeName> &path);
    bool attributeName(AttributeName &name);

    Tree &m_tree;
    Arena &m_arena;
    Lexer m_lexer;
    std::array<Token, 4> m_tokens; ///< a ring: the current token and those that were peeked at
    int m_first = 0;
    int m_count = 0;
    quint32 m_end = 0; ///< where the last token that was taken ends
    int m_depth = 0;
    int m_maxDepth;
    std::optional<ParseError> m_error;

    std::vector<const Node *> m_nodes;
    std::vector<TextPart> m_parts;
    std::vector<IndentedPiece> m_pieces;
    std::vector<AttributeName> m_names;
    std::vector<Formal> m_formals;
    std::vector<const Binding *> m_bindings;
    std::vector<Link> m_links;
    std::vector<TextPart> m_stripped;
    std::vector<quint32> m_seenFormals; ///< by symbol: the round in which it was last seen as a formal
    quint32 m_formalsRound = 0;
};

/// Counts one level of nesting for as long as it lives; ok() is false when that is one too many.
class Parser::Nesting
{
public:
    explicit Nesting(Parser &parser, int levels = 1);
    ~Nesting() { m_parser.m_depth -= m_levels; }
    Q_DISABLE_COPY_MOVE(Nesting)
    [[nodiscard]] bool ok() const { return m_parser.m_depth <= m_parser.m_maxDepth; }

private:
    Parser &m_parser;
    int m_levels;
};

} // namespace tmx::nix
