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
    void put(std::string_view text) { out.append(text.data(), qsizetype(text.size())); }
    void literal(std::string_view text);
    void name(Symbol symbol);
    void names(std::span<const AttributeName> path);
    void parts(const Node *node, std::span<const TextPart> parts);
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

void Shower::name(Symbol symbol)
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

void Shower::names(std::span<const AttributeName> path)
{
    bool first = true;
    for (const AttributeName &element : path) {
        if (!std::exchange(first, false))
            put(".");
        if (element.symbol) {
            name(element.symbol);
        } else {
            put("\"${");
            show(element.expression);
            put("}\"");
        }
    }
}

void Shower::parts(const Node *node, std::span<const TextPart> parts)
{
    if (const auto plain = plainText(node)) {
        literal(*plain);
        return;
    }
    put("(");
    for (const TextPart &part : parts) {
        if (&part != &parts.front())
            put(" + ");
        if (part.expression)
            show(part.expression);
        else
            literal(part.text);
    }
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
    out += '(' + absolute;
    for (const TextPart &part : path.parts.subspan(1)) {
        put(" + ");
        if (part.expression)
            show(part.expression);
        else
            literal(part.text);
    }
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
        for (Symbol symbol : symbols) {
            put(" ");
            name(symbol);
        }
        put("; ");
    };
    if (!inherited.empty()) {
        put("inherit");
        list(inherited);
    }
    for (const auto &[source, symbols] : inheritedFrom) {
        put("inherit (");
        show(set.sources[source]);
        put(")");
        list(symbols);
    }
    for (const Attribute *attribute : sorted) {
        if (attribute->kind != Attribute::Plain)
            continue;
        name(attribute->symbol);
        put(" = ");
        show(attribute->value);
        put("; ");
    }
    for (const DynamicAttribute &dynamic : set.dynamic) {
        put("\"${");
        show(dynamic.name->expression);
        put("}\" = ");
        show(dynamic.value);
        put("; ");
    }
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
            if (formal != sorted.front())
                put(", ");
            put(m_tree.name(formal->symbol));
            if (formal->fallback) {
                put(" ? ");
                show(formal->fallback);
            }
        }
        if (lambda.ellipsis)
            put(sorted.empty() ? "..." : ", ...");
        put(lambda.argument ? " } @ " : " }");
    }
    if (lambda.argument)
        put(m_tree.name(lambda.argument));
    put(": ");
    show(lambda.body);
    put(")");
}

/// What Nix holds as a call, without its parentheses: an application of it adds to its arguments. False: it is none.
bool Shower::call(const Node *node)
{
    if (const auto *application = as<Call>(node)) {
        // `x or` is a call of its own, whatever x is.
        const auto *argument = as<Variable>(application->arguments.front());
        const bool old = argument && m_tree.name(argument->symbol) == "or";
        if (old || !call(application->function))
            show(application->function);
        for (const Node *argument : application->arguments) {
            put(" ");
            show(argument);
        }
        return true;
    }
    if (const auto *search = as<SearchPath>(node)) {
        put("__findFile __nixPath ");
        literal(search->name);
        return true;
    }
    if (const auto *unary = as<Unary>(node); unary && unary->op == UnaryOperator::Negate) {
        put("__sub 0 ");
        show(unary->operand);
        return true;
    }
    const auto *binary = as<Binary>(node);
    if (!binary)
        return false;
    const auto function = [&](std::string_view name, const Node *first, const Node *second) {
        put(name);
        put(" ");
        show(first);
        put(" ");
        show(second);
        return true;
    };
    switch (binary->op) {
    case BinaryOperator::Subtract: return function("__sub", binary->left, binary->right);
    case BinaryOperator::Multiply: return function("__mul", binary->left, binary->right);
    case BinaryOperator::Divide: return function("__div", binary->left, binary->right);
    case BinaryOperator::Less: return function("__lessThan", binary->left, binary->right);
    case BinaryOperator::Greater: return function("__lessThan", binary->right, binary->left);
    default: return false;
    }
}

void Shower::binary(const Binary &binary)
{
    const auto operation = [&](std::string_view op) {
        put("(");
        show(binary.left);
        put(" ");
        put(op);
        put(" ");
        show(binary.right);
        put(")");
    };
    const auto negated = [&](const Node *first, const Node *second) {
        put("(! (__lessThan ");
        show(first);
        put(" ");
        show(second);
        put("))");
    };
    switch (binary.op) {
    case BinaryOperator::Implies: return operation("->");
    case BinaryOperator::Or: return operation("||");
    case BinaryOperator::And: return operation("&&");
    case BinaryOperator::Equal: return operation("==");
    case BinaryOperator::NotEqual: return operation("!=");
    case BinaryOperator::LessEqual: return negated(binary.right, binary.left);
    case BinaryOperator::GreaterEqual: return negated(binary.left, binary.right);
    case BinaryOperator::Update: return operation("//");
    case BinaryOperator::Add: return operation("+");
    case BinaryOperator::Concat: return operation("++");
    case BinaryOperator::Less:
    case BinaryOperator::Greater:
    case BinaryOperator::Subtract:
    case BinaryOperator::Multiply:
    case BinaryOperator::Divide:
        put("(");
        call(&binary);
        put(")");
    }
}

void Shower::show(const Node *node)
{
    switch (node->kind) {
    case NodeKind::Integer: out += QByteArray::number(as<Integer>(node)->value); return;
    case NodeKind::Float: out += QByteArray::number(as<Float>(node)->value, 'g', 6); return;
    case NodeKind::Text: return parts(node, as<Text>(node)->parts);
    case NodeKind::Path: return path(*as<Path>(node));
    case NodeKind::Variable: return put(m_tree.name(as<Variable>(node)->symbol));
    case NodeKind::SearchPath:
    case NodeKind::Call:
        put("(");
        call(node);
        return put(")");
    case NodeKind::Select: {
        const auto *select = as<Select>(node);
        put("(");
        show(select->base);
        put(").");
        names(select->path);
        if (select->fallback) {
            put(" or (");
            show(select->fallback);
            put(")");
        }
        return;
    }
    case NodeKind::HasAttribute:
        put("((");
        show(as<HasAttribute>(node)->base);
        put(") ? ");
        names(as<HasAttribute>(node)->path);
        return put(")");
    case NodeKind::Lambda: return lambda(*as<Lambda>(node));
    case NodeKind::Let:
        put("(let ");
        bindings(*as<Let>(node)->bindings);
        put("in ");
        show(as<Let>(node)->body);
        return put(")");
    case NodeKind::With:
        put("(with ");
        show(as<With>(node)->scope);
        put("; ");
        show(as<With>(node)->body);
        return put(")");
    case NodeKind::If:
        put("(if ");
        show(as<If>(node)->condition);
        put(" then ");
        show(as<If>(node)->then);
        put(" else ");
        show(as<If>(node)->otherwise);
        return put(")");
    case NodeKind::Assert:
        put("assert ");
        show(as<Assert>(node)->condition);
        put("; ");
        return show(as<Assert>(node)->body);
    case NodeKind::List:
        put("[ ");
        for (const Node *element : as<List>(node)->elements) {
            put("(");
            show(element);
            put(") ");
        }
        return put("]");
    case NodeKind::Attributes:
        put(as<Attributes>(node)->recursive ? "rec { " : "{ ");
        bindings(*as<Attributes>(node));
        return put("}");
    case NodeKind::Unary:
        if (as<Unary>(node)->op == UnaryOperator::Not) {
            put("(! ");
            show(as<Unary>(node)->operand);
        } else {
            put("(");
            call(node);
        }
        return put(")");
    case NodeKind::Binary: return binary(*as<Binary>(node));
    }
}

} // namespace

QByteArray showAsNix(const Tree &tree, const QByteArray &folder, const QByteArray &home)
{
    // The parser bounds how deep a tree is by its own frames; these are larger, and larger still with a sanitizer in
    // them.
    Shower shower(tree, folder, home);
    const std::unique_ptr<QThread> thread(QThread::create([&] { shower.show(tree.root()); }));
    thread->setStackSize(256 * 1024 * 1024);
    thread->start();
    thread->wait();
    return shower.out;
}

} // namespace tmx::test
