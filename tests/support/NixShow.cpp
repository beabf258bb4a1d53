// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "NixShow.h"

#include "model/nix/Characters.h"

#include <QDir>
#include <QThread>

#include <algorithm>
#include <map>
#include <memory>

using namespace tmx::nix;

namespace tmx::test {

namespace {

class Shower
{
public:
    Shower(const Tree &tree, QByteArray folder, QByteArray home)
        : m_tree(tree)
        , m_folder(std::move(folder))
        , m_home(std::move(home))
    {
    }

    void show(const Node *node);
    QByteArray out;

private:
    /// Appends words, and nodes and names in Nix's output format.
    template <class... Parts>
    void put(const Parts &...parts)
    {
        (add(parts), ...);
    }
    void add(std::string_view text) { out.append(text.data(), qsizetype(text.size())); }
    void add(const Node *node) { show(node); }
    void add(Symbol symbol);
    void add(std::span<const AttributeName> path);

    void literal(std::string_view text);
    void joined(std::span<const TextPart> parts);
    void text(const Text &text);
    void path(const Path &path);
    void bindings(const Attributes &set);
    void lambda(const Lambda &lambda);
    bool call(const Node *node);
    void binary(const Binary &binary);

    const Tree &m_tree;
    QByteArray m_folder;
    QByteArray m_home;
};

void Shower::literal(std::string_view text)
{
    put("\"");
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' || c == '\\' || (c == '$' && i + 1 < text.size() && text[i + 1] == '{'))
            put("\\");
        if (c == '\n')
            put("\\n");
        else if (c == '\r')
            put("\\r");
        else if (c == '\t')
            put("\\t");
        else
            out += c;
    }
    put("\"");
}

void Shower::add(Symbol symbol)
{
    static constexpr std::string_view reserved[] = {"if",  "then", "else", "assert", "with",
                                                    "let", "in",   "rec",  "inherit"};
    const std::string_view text = m_tree.name(symbol);
    const bool plain = !text.empty() && isIn(text.front(), NameStart) && runEnd(text, 0, NamePart) == text.size();
    if (plain && std::ranges::find(reserved, text) == std::end(reserved))
        put(text);
    else
        literal(text);
}

void Shower::add(std::span<const AttributeName> path)
{
    for (const AttributeName &element : path) {
        if (&element != &path.front())
            put(".");
        if (element.symbol)
            put(element.symbol);
        else
            put("\"${", element.expression, "}\"");
    }
}

void Shower::joined(std::span<const TextPart> parts)
{
    for (const TextPart &part : parts) {
        if (&part != &parts.front())
            put(" + ");
        if (part.expression)
            put(part.expression);
        else
            literal(part.text);
    }
}

void Shower::text(const Text &text)
{
    if (const auto plain = plainText(&text))
        return literal(*plain);
    put("(");
    joined(text.parts);
    put(")");
}

void Shower::path(const Path &path)
{
    const QByteArray first(path.parts.front().text.data(), qsizetype(path.parts.front().text.size()));
    QByteArray absolute;
    if (first.startsWith('~')) {
        absolute = m_home + first.mid(1);
    } else {
        absolute = QDir::cleanPath(QString::fromUtf8(first.startsWith('/') ? first : m_folder + '/' + first)).toUtf8();
        while (absolute.startsWith("/.."))
            absolute = absolute.size() > 3 ? absolute.mid(3) : QByteArray("/");
        if (first.endsWith('/') && first.size() > 1)
            absolute += '/';
    }
    if (path.parts.size() == 1) {
        out += absolute;
        return;
    }
    out += '(' + absolute + " + ";
    joined(path.parts.subspan(1));
    put(")");
}

void Shower::bindings(const Attributes &set)
{
    std::vector<const Attribute *> sorted;
    for (const Attribute &attribute : set.attributes)
        sorted.push_back(&attribute);
    std::ranges::sort(sorted, {}, [this](const Attribute *attribute) { return m_tree.name(attribute->symbol); });

    std::vector<Symbol> inherited;
    std::map<quint32, std::vector<Symbol>> inheritedFrom;
    for (const Attribute *attribute : sorted) {
        if (attribute->kind == Attribute::Inherited)
            inherited.push_back(attribute->symbol);
        else if (attribute->kind == Attribute::InheritedFrom)
            inheritedFrom[attribute->source].push_back(attribute->symbol);
    }
    const auto list = [this](const std::vector<Symbol> &symbols) {
        for (Symbol symbol : symbols)
            put(" ", symbol);
        put("; ");
    };
    if (!inherited.empty()) {
        put("inherit");
        list(inherited);
    }
    for (const auto &[source, symbols] : inheritedFrom) {
        put("inherit (", set.sources[source], ")");
        list(symbols);
    }
    for (const Attribute *attribute : sorted) {
        if (attribute->kind == Attribute::Plain)
            put(attribute->symbol, " = ", attribute->value, "; ");
    }
    for (const DynamicAttribute &dynamic : set.dynamic)
        put("\"${", dynamic.name->expression, "}\" = ", dynamic.value, "; ");
}

void Shower::lambda(const Lambda &lambda)
{
    put("(");
    if (lambda.hasFormals) {
        std::vector<const Formal *> sorted;
        for (const Formal &formal : lambda.formals)
            sorted.push_back(&formal);
        std::ranges::sort(sorted, {}, [this](const Formal *formal) { return m_tree.name(formal->symbol); });
        put("{ ");
        for (const Formal *formal : sorted) {
            put(formal == sorted.front() ? "" : ", ", m_tree.name(formal->symbol));
            if (formal->fallback)
                put(" ? ", formal->fallback);
        }
        if (lambda.ellipsis)
            put(sorted.empty() ? "..." : ", ...");
        put(lambda.argument ? " } @ " : " }");
    }
    if (lambda.argument)
        put(m_tree.name(lambda.argument));
    put(": ", lambda.body, ")");
}

/// Shows what Nix stores as a call, without its parentheses, because an application of it adds to its arguments.
/// Returns false if it is no call.
bool Shower::call(const Node *node)
{
    if (const auto *application = as<Call>(node)) {
        // `x or` is a separate call, whatever x is.
        const auto *first = as<Variable>(application->arguments.front());
        const bool old = first && m_tree.name(first->symbol) == "or";
        if (old || !call(application->function))
            show(application->function);
        for (const Node *argument : application->arguments)
            put(" ", argument);
        return true;
    }
    if (const auto *search = as<SearchPath>(node)) {
        put("__findFile __nixPath ");
        literal(search->name);
        return true;
    }
    if (const auto *unary = as<Unary>(node); unary && unary->op == UnaryOperator::Negate) {
        put("__sub 0 ", unary->operand);
        return true;
    }
    const auto *binary = as<Binary>(node);
    if (!binary)
        return false;
    switch (binary->op) {
    case BinaryOperator::Subtract: put("__sub ", binary->left, " ", binary->right); return true;
    case BinaryOperator::Multiply: put("__mul ", binary->left, " ", binary->right); return true;
    case BinaryOperator::Divide: put("__div ", binary->left, " ", binary->right); return true;
    case BinaryOperator::Less: put("__lessThan ", binary->left, " ", binary->right); return true;
    case BinaryOperator::Greater: put("__lessThan ", binary->right, " ", binary->left); return true;
    default: return false;
    }
}

void Shower::binary(const Binary &binary)
{
    const auto operation = [&](std::string_view op) { put("(", binary.left, " ", op, " ", binary.right, ")"); };
    switch (binary.op) {
    case BinaryOperator::Implies: return operation("->");
    case BinaryOperator::Or: return operation("||");
    case BinaryOperator::And: return operation("&&");
    case BinaryOperator::Equal: return operation("==");
    case BinaryOperator::NotEqual: return operation("!=");
    case BinaryOperator::Update: return operation("//");
    case BinaryOperator::Add: return operation("+");
    case BinaryOperator::Concat: return operation("++");
    case BinaryOperator::LessEqual: return put("(! (__lessThan ", binary.right, " ", binary.left, "))");
    case BinaryOperator::GreaterEqual: return put("(! (__lessThan ", binary.left, " ", binary.right, "))");
    default: break;
    }
    put("(");
    call(&binary);
    put(")");
}

void Shower::show(const Node *node)
{
    switch (node->kind) {
    case NodeKind::Integer: out += QByteArray::number(as<Integer>(node)->value); return;
    case NodeKind::Float: out += QByteArray::number(as<Float>(node)->value, 'g', 6); return;
    case NodeKind::Text: return text(*as<Text>(node));
    case NodeKind::Path: return path(*as<Path>(node));
    case NodeKind::Variable: return put(m_tree.name(as<Variable>(node)->symbol));
    case NodeKind::Lambda: return lambda(*as<Lambda>(node));
    case NodeKind::Binary: return binary(*as<Binary>(node));
    case NodeKind::Select: {
        const auto &select = *as<Select>(node);
        put("(", select.base, ").", select.path);
        if (select.fallback)
            put(" or (", select.fallback, ")");
        return;
    }
    case NodeKind::HasAttribute:
        return put("((", as<HasAttribute>(node)->base, ") ? ", as<HasAttribute>(node)->path, ")");
    case NodeKind::Let:
        put("(let ");
        bindings(*as<Let>(node)->bindings);
        return put("in ", as<Let>(node)->body, ")");
    case NodeKind::With: return put("(with ", as<With>(node)->scope, "; ", as<With>(node)->body, ")");
    case NodeKind::If: {
        const auto &choice = *as<If>(node);
        return put("(if ", choice.condition, " then ", choice.then, " else ", choice.otherwise, ")");
    }
    case NodeKind::Assert: return put("assert ", as<Assert>(node)->condition, "; ", as<Assert>(node)->body);
    case NodeKind::List:
        put("[ ");
        for (const Node *element : as<List>(node)->elements)
            put("(", element, ") ");
        return put("]");
    case NodeKind::Attributes:
        put(as<Attributes>(node)->recursive ? "rec { " : "{ ");
        bindings(*as<Attributes>(node));
        return put("}");
    case NodeKind::Unary:
        if (as<Unary>(node)->op == UnaryOperator::Not)
            return put("(! ", as<Unary>(node)->operand, ")");
        break;
    case NodeKind::SearchPath:
    case NodeKind::Call: break;
    }
    put("(");
    call(node);
    put(")");
}

} // namespace

QByteArray showAsNix(const Tree &tree, const QByteArray &folder, const QByteArray &home)
{
    // The parser limits the depth of a tree by its own stack frames. These are larger, and larger still with a
    // sanitizer.
    Shower shower(tree, folder, home);
    const std::unique_ptr<QThread> thread(QThread::create([&] { shower.show(tree.root()); }));
    thread->setStackSize(256 * 1024 * 1024);
    thread->start();
    thread->wait();
    return shower.out;
}

} // namespace tmx::test
