// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Walk.h"

#include <vector>

namespace tmx::nix {

namespace {

/// Lists the direct sub-expressions of a node.
class Parts
{
public:
    explicit Parts(std::vector<const Node *> &open)
        : m_open(open)
    {
    }

    void of(const Node &node)
    {
        switch (node.kind) {
        case NodeKind::Integer:
        case NodeKind::Float:
        case NodeKind::SearchPath:
        case NodeKind::Variable: break;
        case NodeKind::Text: texts(as<Text>(&node)->parts); break;
        case NodeKind::Path: texts(as<Path>(&node)->parts); break;
        case NodeKind::Select:
            add(as<Select>(&node)->base, as<Select>(&node)->fallback);
            names(as<Select>(&node)->path);
            break;
        case NodeKind::HasAttribute:
            add(as<HasAttribute>(&node)->base);
            names(as<HasAttribute>(&node)->path);
            break;
        case NodeKind::Lambda:
            for (const Formal &formal : as<Lambda>(&node)->formals)
                add(formal.fallback);
            add(as<Lambda>(&node)->body);
            break;
        case NodeKind::Call:
            add(as<Call>(&node)->function);
            for (const Node *argument : as<Call>(&node)->arguments)
                add(argument);
            break;
        case NodeKind::Let:
            set(*as<Let>(&node)->bindings);
            add(as<Let>(&node)->body);
            break;
        case NodeKind::With: add(as<With>(&node)->scope, as<With>(&node)->body); break;
        case NodeKind::If: add(as<If>(&node)->condition, as<If>(&node)->then, as<If>(&node)->otherwise); break;
        case NodeKind::Assert: add(as<Assert>(&node)->condition, as<Assert>(&node)->body); break;
        case NodeKind::List:
            for (const Node *element : as<List>(&node)->elements)
                add(element);
            break;
        case NodeKind::Attributes: set(*as<Attributes>(&node)); break;
        case NodeKind::Unary: add(as<Unary>(&node)->operand); break;
        case NodeKind::Binary: add(as<Binary>(&node)->left, as<Binary>(&node)->right); break;
        }
    }

private:
    template <class... Nodes>
    void add(Nodes... nodes)
    {
        ((nodes ? m_open.push_back(nodes) : void()), ...);
    }
    void texts(std::span<const TextPart> parts)
    {
        for (const TextPart &part : parts)
            add(part.expression);
    }
    void names(std::span<const AttributeName> path)
    {
        for (const AttributeName &name : path)
            add(name.expression);
    }
    void set(const Attributes &set)
    {
        for (const Binding *binding : set.bindings) {
            names(binding->names);
            add(binding->value);
        }
        for (const Attribute &attribute : set.attributes) {
            if (attribute.kind == Attribute::Inherited)
                add(attribute.value);
        }
    }

    std::vector<const Node *> &m_open;
};

} // namespace

void forEachNode(const Node *root, const std::function<void(const Node &)> &visit)
{
    std::vector<const Node *> open;
    if (root)
        open.push_back(root);
    Parts parts(open);
    while (!open.empty()) {
        const Node *node = open.back();
        open.pop_back();
        visit(*node);
        parts.of(*node);
    }
}

void forEachBinding(const Node *root, const std::function<void(const Binding &)> &visit)
{
    forEachNode(root, [&visit](const Node &node) {
        const auto *set = as<Attributes>(&node);
        if (const auto *let = as<Let>(&node))
            set = let->bindings;
        if (!set)
            return;
        for (const Binding *binding : set->bindings)
            visit(*binding);
    });
}

} // namespace tmx::nix
