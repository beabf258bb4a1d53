// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Tr.h"
#include "model/nix/Lexer.h"
#include "model/nix/Scopes.h"
#include "model/nix/TextDecoder.h"
#include "model/nix/TokenStream.h"

namespace tmx::nix {

namespace {

enum class Side : quint8 { Left, Right, None };

struct Operator {
    int power = 0; ///< 0 = not an operator between operands
    Side side = Side::Left;
    BinaryOperator op = BinaryOperator::Add;
};

// From weak to strong, as in Nix's grammar.
constexpr int notPower = 7;
constexpr int hasAttributePower = 11;
constexpr int negatePower = 12;

Operator operatorOf(TokenKind kind)
{
    switch (kind) {
    case TokenKind::Implies: return {1, Side::Right, BinaryOperator::Implies};
    case TokenKind::OrOr: return {2, Side::Left, BinaryOperator::Or};
    case TokenKind::AndAnd: return {3, Side::Left, BinaryOperator::And};
    case TokenKind::Equal: return {4, Side::None, BinaryOperator::Equal};
    case TokenKind::NotEqual: return {4, Side::None, BinaryOperator::NotEqual};
    case TokenKind::Less: return {5, Side::None, BinaryOperator::Less};
    case TokenKind::LessEqual: return {5, Side::None, BinaryOperator::LessEqual};
    case TokenKind::Greater: return {5, Side::None, BinaryOperator::Greater};
    case TokenKind::GreaterEqual: return {5, Side::None, BinaryOperator::GreaterEqual};
    case TokenKind::Update: return {6, Side::Right, BinaryOperator::Update};
    case TokenKind::Plus: return {8, Side::Left, BinaryOperator::Add};
    case TokenKind::Minus: return {8, Side::Left, BinaryOperator::Subtract};
    case TokenKind::Star: return {9, Side::Left, BinaryOperator::Multiply};
    case TokenKind::Slash: return {9, Side::Left, BinaryOperator::Divide};
    case TokenKind::Concat: return {10, Side::Right, BinaryOperator::Concat};
    case TokenKind::Question: return {hasAttributePower, Side::Left, {}};
    default: return {};
    }
}

} // namespace

/// Recursive descent over the tokens of one file. A function that cannot parse its construct records the error and
/// returns nullptr (or false); its callers return at once.
class Parser : private TokenStream
{
public:
    Parser(Tree &tree, const ParseOptions &options)
        : TokenStream(tree, tree.m_symbols)
        , m_tree(tree)
        , m_arena(tree.m_arena)
        , m_maxDepth(options.maxDepth)
        , m_file(options.file)
    {
    }

    /// Parses the file, or returns the error. Variables are not bound yet.
    std::optional<ParseError> run();
    /// Binds the variables (Scopes.h), and returns the error of an undefined one.
    std::optional<ParseError> bind();

private:
    /// Counts a nesting level while it exists; ok() is false if there are too many.
    class Nesting
    {
    public:
        explicit Nesting(Parser &parser, int levels = 1)
            : m_parser(parser)
            , m_levels(levels)
        {
            m_parser.m_depth += levels;
            if (!ok())
                m_parser.fail(ParseError::TooDeep, m_parser.current().span,
                              Tr::tr("nested too deeply: more than %n levels", nullptr, m_parser.m_maxDepth));
        }
        ~Nesting() { m_parser.m_depth -= m_levels; }
        Q_DISABLE_COPY_MOVE(Nesting)
        [[nodiscard]] bool ok() const { return m_parser.m_depth <= m_parser.m_maxDepth; }

    private:
        Parser &m_parser;
        int m_levels;
    };

    /// An operand of a chain that nests to the right, its start, and the position of the operator before it.
    struct Link {
        const Node *operand = nullptr;
        quint32 start = 0;
        quint32 operatorOffset = 0;
    };

    template <class T>
    T *make(T node)
    {
        node.file = m_file;
        return m_arena.make(std::move(node));
    }

    // Expressions with the weakest binding.
    const Node *expression();
    /// Whether an expression was parsed into `into`.
    bool read(const Node *&into);
    const Node *lambdaOfName();
    const Node *lambdaOfFormals();
    bool formals(Lambda &lambda);
    bool checkFormals(const Lambda &lambda);
    const Node *let();
    const Node *with();
    const Node *assertion();
    const Node *condition();

    // Operators, application, selection.
    const Node *operators(int least);
    const Node *operand();
    const Node *chainToTheRight(Link first, TokenKind kind);
    const Node *application();
    const Node *selection();

    // Literals, brackets, texts.
    [[nodiscard]] bool startsSimple() const;
    const Node *simple();
    const Node *quoted();
    const Node *indented();
    const Node *path();
    bool antiquotation(TextPart &part);
    const Node *list();
    const Node *parenthesised();
    const Node *oldLet();

    // Attribute sets and paths.
    bool failDuplicate(const Duplicate &duplicate);
    Attributes *bindings(bool recursive, Span start);
    const Binding *binding();
    bool inherited(Binding &binding);
    [[nodiscard]] bool startsBinding() const;
    const Node *braces(bool recursive);
    bool attributePath(std::span<const AttributeName> &path);
    bool attributeName(AttributeName &name);

    Tree &m_tree;
    Arena &m_arena;
    int m_depth = 0;
    int m_maxDepth;
    quint16 m_file;

    std::vector<const Node *> m_nodes;
    std::vector<TextPart> m_parts;
    std::vector<IndentedPiece> m_pieces;
    std::vector<AttributeName> m_names;
    std::vector<Formal> m_formals;
    std::vector<const Binding *> m_bindings;
    std::vector<Link> m_links;
    std::vector<TextPart> m_stripped;
    std::vector<quint32> m_seenFormals; ///< by symbol: the last round in which it was a formal
    quint32 m_formalsRound = 0;
};

ParseResult parse(const QByteArray &bytes, const ParseOptions &options)
{
    if (bytes.size() > options.maxBytes) {
        const QString message =
            Tr::tr("the file has %1 bytes; the limit is %2").arg(bytes.size()).arg(options.maxBytes);
        return {std::make_shared<Tree>(QByteArray()), ParseError{ParseError::TooLarge, message, {}, {}}};
    }
    auto tree = std::make_shared<Tree>(bytes);
    Parser parser(*tree, options);
    std::optional<ParseError> error = parser.run();
    if (!error)
        error = parser.bind();
    return {std::move(tree), std::move(error)};
}

std::optional<ParseError> Parser::run()
{
    const Node *root = expression();
    if (root && !at(TokenKind::Eof))
        unexpected(nameOf(TokenKind::Eof));
    if (!error())
        m_tree.m_root = root;
    m_tree.m_comments = takeComments();
    return error();
}

std::optional<ParseError> Parser::bind()
{
    if (const Variable *variable = bindVariables(m_tree.m_root, m_tree.m_symbols))
        fail(ParseError::Undefined, variable->span,
             Tr::tr("undefined variable %1").arg(nameOf({TokenKind::Id, variable->span, {}})));
    return error();
}

const Node *Parser::expression()
{
    const Nesting nesting(*this);
    if (!nesting.ok())
        return nullptr;
    switch (current().kind) {
    case TokenKind::Id:
        if (const TokenKind next = peek(1); next == TokenKind::Colon || next == TokenKind::At)
            return lambdaOfName();
        break;
    case TokenKind::BraceOpen: {
        // `{ a` may begin a function or an attribute set; the third token decides.
        const TokenKind first = peek(1);
        const TokenKind second = first == TokenKind::Id || first == TokenKind::BraceClose ? peek(2) : TokenKind::Eof;
        const bool named = first == TokenKind::Id && (second == TokenKind::Comma || second == TokenKind::Question ||
                                                      second == TokenKind::BraceClose);
        const bool empty = first == TokenKind::BraceClose && (second == TokenKind::Colon || second == TokenKind::At);
        if (named || empty || first == TokenKind::Ellipsis)
            return lambdaOfFormals();
        break;
    }
    case TokenKind::Let:
        if (peek(1) != TokenKind::BraceOpen)
            return let();
        break;
    case TokenKind::With: return with();
    case TokenKind::Assert: return assertion();
    case TokenKind::If: return condition();
    default: break;
    }
    return operators(1);
}

bool Parser::read(const Node *&into)
{
    into = expression();
    return into != nullptr;
}

const Node *Parser::lambdaOfName()
{
    const Token name = advance();
    Lambda lambda{{NodeKind::Lambda, {}}};
    lambda.argument = name.symbol;
    lambda.argumentSpan = name.span;
    if (accept(TokenKind::At) && !formals(lambda))
        return nullptr;
    if (!expect(TokenKind::Colon) || !read(lambda.body) || !checkFormals(lambda))
        return nullptr;
    lambda.span = since(name.span);
    return make(lambda);
}

const Node *Parser::lambdaOfFormals()
{
    const Span start = current().span;
    Lambda lambda{{NodeKind::Lambda, {}}};
    if (!formals(lambda))
        return nullptr;
    if (accept(TokenKind::At)) {
        if (!at(TokenKind::Id))
            return unexpected(nameOf(TokenKind::Id));
        const Token name = advance();
        lambda.argument = name.symbol;
        lambda.argumentSpan = name.span;
    }
    if (!expect(TokenKind::Colon) || !read(lambda.body) || !checkFormals(lambda))
        return nullptr;
    lambda.span = since(start);
    return make(lambda);
}

/// `{ a, b ? 1, ... }`; the last one may be followed by a comma, the ellipsis by nothing.
bool Parser::formals(Lambda &lambda)
{
    const Span opened = current().span;
    if (!expect(TokenKind::BraceOpen))
        return false;
    lambda.hasFormals = true;
    Gathering gathered(m_formals);
    bool mayGoOn = true; // At the beginning and after a comma.
    while (mayGoOn && at(TokenKind::Id)) {
        const Token name = advance();
        Formal formal{name.span, name.symbol, nullptr};
        if (accept(TokenKind::Question) && !read(formal.fallback))
            return false;
        gathered.push(formal);
        mayGoOn = accept(TokenKind::Comma);
    }
    lambda.ellipsis = mayGoOn && accept(TokenKind::Ellipsis);
    lambda.formals = gathered.into(m_arena);
    return expectClosing(TokenKind::BraceClose, opened);
}

/// Called after parsing the body, as in Nix: errors in the body are reported first.
bool Parser::checkFormals(const Lambda &lambda)
{
    if (!lambda.hasFormals)
        return true;
    m_seenFormals.resize(m_tree.m_symbols.size());
    const quint32 round = ++m_formalsRound;
    const auto twice = [&](Symbol symbol, Span span) {
        if (std::exchange(m_seenFormals[symbol.id], round) != round)
            return false;
        fail(ParseError::Duplicate, span,
             Tr::tr("function argument %1 is already defined").arg(nameOf({TokenKind::Id, span, symbol})));
        return true;
    };
    for (const Formal &formal : lambda.formals) {
        if (twice(formal.symbol, formal.span))
            return false;
    }
    return !lambda.argument || !twice(lambda.argument, lambda.argumentSpan);
}

const Node *Parser::let()
{
    const Span start = advance().span;
    Let node{{NodeKind::Let, {}}};
    node.bindings = bindings(true, current().span);
    if (!node.bindings || !expect(TokenKind::In) || !read(node.body))
        return nullptr;
    if (!node.bindings->dynamic.empty())
        return fail(ParseError::Syntax, node.bindings->dynamic[0].name->span,
                    Tr::tr("the names in a let must be fixed"));
    node.span = since(start);
    return make(node);
}

const Node *Parser::with()
{
    const Span start = advance().span;
    With node{{NodeKind::With, {}}};
    if (!read(node.scope) || !expect(TokenKind::Semicolon) || !read(node.body))
        return nullptr;
    node.span = since(start);
    return make(node);
}

const Node *Parser::assertion()
{
    const Span start = advance().span;
    Assert node{{NodeKind::Assert, {}}};
    if (!read(node.condition) || !expect(TokenKind::Semicolon) || !read(node.body))
        return nullptr;
    node.span = since(start);
    return make(node);
}

const Node *Parser::condition()
{
    const Span start = advance().span;
    If node{{NodeKind::If, {}}};
    if (!read(node.condition) || !expect(TokenKind::Then) || !read(node.then) || !expect(TokenKind::Else) ||
        !read(node.otherwise))
        return nullptr;
    node.span = since(start);
    return make(node);
}

/// Parses operands and the operators between them that bind at least as strongly as `least`.
const Node *Parser::operators(int least)
{
    const Nesting nesting(*this);
    if (!nesting.ok())
        return nullptr;
    const Span start = current().span;
    const Node *left = operand();
    while (left) {
        const Operator found = operatorOf(current().kind);
        if (found.power < least)
            break;
        const Token token = advance();
        if (found.power == hasAttributePower) {
            HasAttribute node{{NodeKind::HasAttribute, {}}, left, {}};
            if (!attributePath(node.path))
                return nullptr;
            node.span = since(start);
            left = make(node);
        } else if (found.side == Side::Right) {
            left = chainToTheRight({left, start.offset, token.span.offset}, token.kind);
        } else {
            const Node *right = operators(found.power + 1);
            if (!right)
                return nullptr;
            left = make(Binary{{NodeKind::Binary, since(start)}, found.op, token.span.offset, left, right});
            if (found.side == Side::None && operatorOf(current().kind).power == found.power)
                return unexpected(Tr::tr("parentheses: comparisons do not chain"));
        }
    }
    return left;
}

/// `a ++ b ++ c`, after the first `++`. Iterates, so that a generated list of ten thousand parts needs no ten thousand
/// stack levels.
const Node *Parser::chainToTheRight(Link first, TokenKind kind)
{
    const Operator found = operatorOf(kind);
    Gathering links(m_links);
    links.push(first);
    do {
        Link link{nullptr, current().span.offset, 0};
        link.operand = operators(found.power + 1);
        if (!link.operand)
            return nullptr;
        link.operatorOffset = current().span.offset; // of the operator after it, if there is one
        links.push(link);
    } while (accept(kind));

    const std::span<const Link> operands = links.values();
    const Node *node = operands.back().operand;
    for (size_t i = operands.size() - 1; i-- > 0;) {
        const Link &link = operands[i];
        node =
            make(Binary{{NodeKind::Binary, since({link.start, 0})}, found.op, link.operatorOffset, link.operand, node});
    }
    return node;
}

const Node *Parser::operand()
{
    const bool negate = at(TokenKind::Minus);
    if (!negate && !at(TokenKind::Not))
        return application();
    const Span start = advance().span;
    const Node *inner = operators(negate ? negatePower : notPower);
    if (!inner)
        return nullptr;
    return make(Unary{{NodeKind::Unary, since(start)}, negate ? UnaryOperator::Negate : UnaryOperator::Not, inner});
}

const Node *Parser::application()
{
    const Span start = current().span;
    const Node *function = selection();
    if (!function || !startsSimple())
        return function;
    Gathering arguments(m_nodes);
    do {
        const Node *argument = selection();
        if (!argument)
            return nullptr;
        arguments.push(argument);
    } while (startsSimple());
    return make(Call{{NodeKind::Call, since(start)}, function, arguments.into(m_arena)});
}

const Node *Parser::selection()
{
    const Span start = current().span;
    const Node *base = simple();
    if (!base)
        return nullptr;
    if (at(TokenKind::Or)) {
        // nixpkgs once had a function named `or`, so `x or` is still parsed as a call of it.
        const Token word = advance();
        const Node *const variable = make(Variable{{NodeKind::Variable, word.span}, word.symbol});
        return make(Call{{NodeKind::Call, since(start)}, base, m_arena.copy(std::span(&variable, 1))});
    }
    if (!accept(TokenKind::Dot))
        return base;
    Select node{{NodeKind::Select, {}}, base, {}, nullptr};
    if (!attributePath(node.path))
        return nullptr;
    if (accept(TokenKind::Or)) {
        const Nesting nesting(*this);
        node.fallback = nesting.ok() ? selection() : nullptr;
        if (!node.fallback)
            return nullptr;
    }
    node.span = since(start);
    return make(node);
}

bool Parser::startsSimple() const
{
    switch (current().kind) {
    case TokenKind::Id:
    case TokenKind::Integer:
    case TokenKind::Float:
    case TokenKind::Uri:
    case TokenKind::SearchPath:
    case TokenKind::Path:
    case TokenKind::Quote:
    case TokenKind::IndentOpen:
    case TokenKind::ParenOpen:
    case TokenKind::BraceOpen:
    case TokenKind::BracketOpen:
    case TokenKind::Rec:
    case TokenKind::Let: return true;
    default: return false;
    }
}

const Node *Parser::simple()
{
    switch (current().kind) {
    case TokenKind::Id: {
        const Token name = advance();
        return make(Variable{{NodeKind::Variable, name.span}, name.symbol});
    }
    case TokenKind::Integer: {
        const Span span = advance().span;
        return make(Integer{{NodeKind::Integer, span}, readInteger(m_tree.text(span)).value_or(0)});
    }
    case TokenKind::Float: {
        const Span span = advance().span;
        return make(Float{{NodeKind::Float, span}, readFloat(m_tree.text(span)).value_or(0)});
    }
    case TokenKind::Uri: {
        const Span span = advance().span;
        const TextPart part{span, nullptr, m_tree.text(span)};
        return make(Text{{NodeKind::Text, span}, TextStyle::Uri, m_arena.copy(std::span(&part, 1))});
    }
    case TokenKind::SearchPath: {
        const Span span = advance().span;
        return make(SearchPath{{NodeKind::SearchPath, span}, m_tree.text({span.offset + 1, span.length - 2})});
    }
    case TokenKind::Path: return path();
    case TokenKind::Quote: return quoted();
    case TokenKind::IndentOpen: return indented();
    case TokenKind::ParenOpen: return parenthesised();
    case TokenKind::BracketOpen: return list();
    case TokenKind::BraceOpen: return braces(false);
    case TokenKind::Rec: return braces(true);
    case TokenKind::Let: return oldLet();
    default: return unexpected(Tr::tr("an expression"));
    }
}

const Node *Parser::parenthesised()
{
    const Span opened = advance().span;
    const Node *inner = expression();
    return inner && expectClosing(TokenKind::ParenClose, opened) ? inner : nullptr;
}

const Node *Parser::list()
{
    const Nesting nesting(*this);
    if (!nesting.ok())
        return nullptr;
    const Span opened = advance().span;
    Gathering elements(m_nodes);
    while (startsSimple()) {
        const Node *element = selection();
        if (!element)
            return nullptr;
        elements.push(element);
    }
    if (!expectClosing(TokenKind::BracketClose, opened))
        return nullptr;
    return make(List{{NodeKind::List, since(opened)}, elements.into(m_arena)});
}

/// `let { body = ...; }`, which means `(rec { body = ...; }).body`.
const Node *Parser::oldLet()
{
    const Span start = advance().span;
    const Span opened = current().span;
    if (!expect(TokenKind::BraceOpen))
        return nullptr;
    const Attributes *set = bindings(true, opened);
    if (!set || !expectClosing(TokenKind::BraceClose, opened))
        return nullptr;
    const AttributeName body{since(start), m_tree.m_symbols.intern("body"), nullptr};
    return make(Select{{NodeKind::Select, since(start)}, set, m_arena.copy(std::span(&body, 1)), nullptr});
}

bool Parser::antiquotation(TextPart &part)
{
    const Span opened = advance().span;
    part.expression = expression();
    if (!part.expression || !expectClosing(TokenKind::BraceClose, opened))
        return false;
    part.span = since(opened);
    return true;
}

const Node *Parser::quoted()
{
    const Span opened = advance().span;
    Gathering parts(m_parts);
    while (!at(TokenKind::Quote)) {
        TextPart part;
        if (at(TokenKind::Text)) {
            part.span = advance().span;
            part.text = unescapedQuotes(m_arena, m_tree.text(part.span));
        } else if (!at(TokenKind::DollarBrace)) {
            return unexpected(
                Tr::tr("the end of the text that begins on line %1").arg(m_tree.place(opened.offset).line));
        } else if (!antiquotation(part)) {
            return nullptr;
        }
        parts.push(part);
    }
    advance();
    return make(Text{{NodeKind::Text, since(opened)}, TextStyle::Quoted, parts.into(m_arena)});
}

const Node *Parser::indented()
{
    const Span opened = advance().span;
    Gathering pieces(m_pieces);
    while (!at(TokenKind::IndentClose)) {
        if (at(TokenKind::IndentText) || at(TokenKind::IndentEscape)) {
            pieces.push({advance(), nullptr});
            continue;
        }
        if (!at(TokenKind::DollarBrace))
            return unexpected(
                Tr::tr("the end of the text that begins on line %1").arg(m_tree.place(opened.offset).line));
        TextPart part;
        if (!antiquotation(part))
            return nullptr;
        pieces.push({{TokenKind::DollarBrace, part.span, {}}, part.expression});
    }
    advance();
    stripIndentation(m_arena, m_tree.source(), pieces.values(), m_stripped);
    return make(Text{
        {NodeKind::Text, since(opened)}, TextStyle::Indented, m_arena.copy(std::span<const TextPart>(m_stripped))});
}

const Node *Parser::path()
{
    const Span start = current().span;
    Gathering parts(m_parts);
    bool first = true;
    do {
        const Span literal = advance().span;
        parts.push({literal, nullptr, m_tree.text(literal)});
        // Nix's grammar requires an antiquotation after the second literal, as in `./a//b${c}`.
        if (!std::exchange(first, false) && parts.values().size() == 2 && !at(TokenKind::DollarBrace))
            return unexpected(nameOf(TokenKind::DollarBrace));
        while (at(TokenKind::DollarBrace)) {
            TextPart part;
            if (!antiquotation(part))
                return nullptr;
            parts.push(part);
        }
    } while (at(TokenKind::Text));
    if (!at(TokenKind::PathEnd))
        return unexpected(nameOf(TokenKind::PathEnd));
    endPath();
    return make(Path{{NodeKind::Path, since(start)}, parts.into(m_arena)});
}

bool Parser::failDuplicate(const Duplicate &duplicate)
{
    const std::string_view name = m_tree.name(duplicate.symbol);
    fail(ParseError::Duplicate, {duplicate.offset, 0},
         Tr::tr("attribute '%1' is already defined on line %2")
             .arg(QString::fromUtf8(name.data(), qsizetype(name.size())))
             .arg(m_tree.place(duplicate.existing->pathOffset).line));
    return false;
}

/// `{ ... }` or `rec { ... }`, starting at its first token.
const Node *Parser::braces(bool recursive)
{
    const Span start = current().span;
    if (recursive)
        advance();
    const Span opened = current().span;
    if (!expect(TokenKind::BraceOpen))
        return nullptr;
    Attributes *set = bindings(recursive, opened);
    if (!set || !expectClosing(TokenKind::BraceClose, opened))
        return nullptr;
    set->span = since(start);
    return set;
}

bool Parser::startsBinding() const
{
    return at(TokenKind::Id) || at(TokenKind::Or) || at(TokenKind::Quote) || at(TokenKind::DollarBrace) ||
           at(TokenKind::Inherit);
}

/// Bindings up to the first token that begins none.
Attributes *Parser::bindings(bool recursive, Span start)
{
    Attributes *set = make(Attributes{{NodeKind::Attributes, {start.offset, 0}}});
    set->recursive = recursive;
    Gathering written(m_bindings);
    while (startsBinding()) {
        const Binding *added = binding();
        if (!added)
            return nullptr;
        written.push(added);
        Duplicate duplicate;
        if (!addBinding(m_arena, *set, *added, duplicate)) {
            failDuplicate(duplicate);
            return nullptr;
        }
    }
    set->bindings = written.into(m_arena);
    if (!written.values().empty())
        set->span = since(start);
    return set;
}

const Binding *Parser::binding()
{
    const Span start = current().span;
    Binding result;
    if (accept(TokenKind::Inherit)) {
        if (!inherited(result))
            return nullptr;
    } else {
        if (!attributePath(result.names) || !expect(TokenKind::Assign))
            return nullptr;
        // `a.b.c = ...` creates nested sets, which count like sets that are written out.
        const Nesting nesting(*this, int(result.names.size()) - 1);
        if (!nesting.ok() || !read(result.value))
            return nullptr;
    }
    if (!expect(TokenKind::Semicolon))
        return nullptr;
    result.span = since(start);
    return m_arena.make(result);
}

bool Parser::inherited(Binding &binding)
{
    binding.kind = Binding::Inherit;
    if (const Span opened = current().span; accept(TokenKind::ParenOpen)) {
        binding.kind = Binding::InheritFrom;
        if (!read(binding.value) || !expectClosing(TokenKind::ParenClose, opened))
            return false;
    }
    Gathering names(m_names);
    while (startsBinding() && !at(TokenKind::Inherit)) {
        AttributeName name;
        if (!attributeName(name))
            return false;
        if (!name.symbol) {
            fail(ParseError::Syntax, name.span, Tr::tr("the names in an inherit must be fixed"));
            return false;
        }
        names.push(name);
    }
    binding.names = names.into(m_arena);
    return true;
}

bool Parser::attributePath(std::span<const AttributeName> &path)
{
    Gathering names(m_names);
    do {
        AttributeName name;
        if (!attributeName(name))
            return false;
        names.push(name);
    } while (accept(TokenKind::Dot));
    path = names.into(m_arena);
    return true;
}

bool Parser::attributeName(AttributeName &name)
{
    const Span start = current().span;
    if (at(TokenKind::Id) || at(TokenKind::Or)) {
        name = {start, advance().symbol, nullptr};
        return true;
    }
    if (at(TokenKind::Quote)) {
        name.expression = quoted();
    } else if (at(TokenKind::DollarBrace)) {
        TextPart part;
        if (antiquotation(part))
            name.expression = part.expression;
    } else {
        unexpected(nameOf(TokenKind::Id));
    }
    if (!name.expression)
        return false;
    name.span = since(start);
    if (const std::optional<std::string_view> fixed = plainText(name.expression)) {
        name.symbol = m_tree.m_symbols.intern(*fixed);
        name.expression = nullptr;
    }
    return true;
}

} // namespace tmx::nix
