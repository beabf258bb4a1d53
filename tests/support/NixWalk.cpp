// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "NixWalk.h"

#include "model/nix/Fold.h"
#include "model/nix/TextDecoder.h"

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx::nix;

namespace tmx::test {

namespace {

/// Visits every node of the source, with an explicit list instead of recursion.
class Walker
{
public:
    explicit Walker(const ParseResult &result)
        : m_tree(*result.tree)
        , m_undefined(result.error.has_value())
    {
    }

    QString walk()
    {
        add({0, quint32(m_tree.source().bytes().size())}, m_tree.root());
        while (!m_open.empty() && m_wrong.isEmpty()) {
            const auto [node, parent] = m_open.back();
            m_open.pop_back();
            if (!parent.contains(node->span))
                wrong(u"a node of kind %1 at %2+%3 is outside of its parent"_s.arg(int(node->kind))
                          .arg(node->span.offset)
                          .arg(node->span.length));
            visit(node);
        }
        return m_wrong;
    }

private:
    void wrong(const QString &what)
    {
        if (m_wrong.isEmpty())
            m_wrong = what;
    }
    template <class... Nodes>
    void add(Span parent, Nodes... nodes)
    {
        ((nodes ? void(m_open.emplace_back(nodes, parent)) : void()), ...);
    }
    void check(bool holds, const char *what)
    {
        if (!holds)
            wrong(QString::fromLatin1(what));
    }

    void names(std::span<const AttributeName> path, Span parent)
    {
        for (const AttributeName &name : path) {
            check(parent.contains(name.span), "an attribute name is outside of its parent");
            check(bool(name.symbol) != bool(name.expression), "an attribute name is neither fixed nor computed");
            add(name.span, name.expression);
        }
    }
    void parts(std::span<const TextPart> parts, TextStyle style, Span parent)
    {
        for (const TextPart &part : parts) {
            check(parent.contains(part.span), "a part is outside of its text");
            add(part.span, part.expression);
            if (part.expression)
                continue;
            std::vector<quint32> offsets;
            sourceOffsets(m_tree.source(), style, part, offsets);
            check(offsets.size() == part.text.size() + 1 && std::ranges::is_sorted(offsets) &&
                      offsets.front() >= part.span.offset && offsets.back() <= part.span.end(),
                  "a text maps outside of its literal");
        }
    }
    void set(const Attributes &set, Span parent)
    {
        for (const Binding *binding : set.bindings) {
            check(parent.contains(binding->span), "a binding is outside of its set");
            names(binding->names, binding->span);
            add(binding->span, binding->value);
        }
        for (const Attribute &attribute : set.attributes) {
            check(set.find(attribute.symbol) == &attribute, "an attribute is not found");
            check(attribute.kind != Attribute::InheritedFrom || attribute.source < set.sources.size(),
                  "an inherit has no source");
            if (attribute.kind == Attribute::Inherited)
                add(attribute.name, attribute.value);
        }
    }

    void visit(const Node *node)
    {
        const Span span = node->span;
        if (const auto *text = as<Text>(node)) {
            parts(text->parts, text->style, span);
        } else if (const auto *path = as<Path>(node)) {
            parts(path->parts, TextStyle::Uri, span);
        } else if (const auto *variable = as<Variable>(node)) {
            check(variable->binds != Binds::Undefined || m_undefined, "a variable is not bound");
        } else if (const auto *select = as<Select>(node)) {
            names(select->path, span);
            add(span, select->base, select->fallback);
        } else if (const auto *has = as<HasAttribute>(node)) {
            names(has->path, span);
            add(span, has->base);
        } else if (const auto *lambda = as<Lambda>(node)) {
            for (const Formal &formal : lambda->formals) {
                check(span.contains(formal.span), "a formal is outside of its function");
                add(span, formal.fallback);
            }
            add(span, lambda->body);
        } else if (const auto *call = as<Call>(node)) {
            add(span, call->function);
            for (const Node *argument : call->arguments)
                add(span, argument);
        } else if (const auto *let = as<Let>(node)) {
            set(*let->bindings, span);
            add(span, let->body);
        } else if (const auto *with = as<With>(node)) {
            add(span, with->scope, with->body);
        } else if (const auto *condition = as<If>(node)) {
            add(span, condition->condition, condition->then, condition->otherwise);
        } else if (const auto *assertion = as<Assert>(node)) {
            add(span, assertion->condition, assertion->body);
        } else if (const auto *list = as<List>(node)) {
            for (const Node *element : list->elements)
                add(span, element);
        } else if (const auto *attributes = as<Attributes>(node)) {
            set(*attributes, span);
        } else if (const auto *unary = as<Unary>(node)) {
            add(span, unary->operand);
        } else if (const auto *binary = as<Binary>(node)) {
            check(span.contains({binary->operatorOffset, 1}), "an operator is outside of its operation");
            add(span, binary->left, binary->right);
        }
    }

    const Tree &m_tree;
    bool m_undefined;
    QString m_wrong;
    std::vector<std::pair<const Node *, Span>> m_open;
};

} // namespace

QString whatIsWrongWith(const ParseResult &result)
{
    if (!result.tree)
        return u"there is no tree"_s;
    if (const auto &error = result.error) {
        if (error->message.isEmpty())
            return u"an error says nothing"_s;
        if (error->span.end() > quint32(result.tree->source().bytes().size()) ||
            result.tree->place(error->span.offset) != error->place)
            return u"an error is at a place that is not there: "_s + error->message;
        if (bool(result.tree->root()) != (error->kind == ParseError::Undefined))
            return u"a tree has a root in spite of an error, or none: "_s + error->message;
    }
    quint32 last = 0;
    for (const Comment &comment : result.tree->comments()) {
        if (comment.span.offset < last || comment.span.length == 0 ||
            comment.span.end() > quint32(result.tree->source().bytes().size()))
            return u"a comment is out of order"_s;
        last = comment.span.end();
    }
    return result.tree->root() ? Walker(result).walk() : QString();
}

QString whatIsWrongWithFolding(const ParseResult &result)
{
    Fold fold(result.tree, {.maxSteps = 20000});
    const quint32 size = quint32(result.tree->source().bytes().size());
    std::vector<Value> open{fold.file(), fold.result()};
    for (size_t i = 0; i < open.size() && open.size() < 400; ++i) {
        const Value value = open[i];
        if (value.node() && value.node()->span.end() > size)
            return u"a value is of a node outside of the file"_s;
        if (value.isKnown() == !value.reason().isEmpty())
            return u"a value is known for a reason, or unknown for none"_s;
        const std::vector<quint32> offsets = value.offsets();
        if (qsizetype(offsets.size()) != value.textAround().size() ||
            std::ranges::any_of(offsets, [&](quint32 at) { return at > size && at != Value::nowhere; }))
            return u"a text is outside of the file"_s;
        for (const Value::Item &item : value.items())
            open.push_back(item.value);
        for (const Value::Entry &entry : value.entries()) {
            open.push_back(entry.value);
            if (value.hasAttribute(std::string_view(entry.name.constData(), size_t(entry.name.size()))) ==
                std::optional(false))
                return u"an entry is not there"_s;
        }
        for (const Value &hole : value.holes())
            open.push_back(hole);
        for (const Value &part : {value.base(), value.argument(), value.alternative()}) {
            if (part.isKnown() || part.unknown() != UnknownKind::Opaque)
                open.push_back(part);
        }
        if (value.kind() == ValueKind::Function)
            open.push_back(fold.call(value, fold.argument("x")));
    }
    return {};
}

} // namespace tmx::test
