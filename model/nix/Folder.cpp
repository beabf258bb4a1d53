// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Folder.h"

namespace tmx::nix {

Folder::Folder(std::shared_ptr<const Tree> tree, const FoldOptions &options)
    : m_tree(std::move(tree))
    , m_steps(options.maxSteps)
    , m_maxDepth(options.maxDepth)
    , m_exhausted(m_arena.make(Cell{}))
{
    m_exhausted->why = Why::TooMuchWork;
}

bool Folder::step(size_t count)
{
    if (size_t(m_steps) < count) {
        m_steps = 0;
        return false;
    }
    m_steps -= int(count);
    return true;
}

Cell *Folder::force(Cell *cell)
{
    if (cell->state == Cell::State::Done)
        return cell;
    if (cell->state == Cell::State::Busy)
        return opaque(Why::RefersToItself);
    const Deeper deeper(*this);
    if (!deeper.ok())
        return opaque(Why::TooDeep);
    if (!step())
        return m_exhausted;
    cell->state = Cell::State::Busy;
    Cell *value = cell->node     ? fold(cell->node, cell->frame)
                  : cell->second ? call(cell->first, cell->second)
                                 : select(cell->first, cell->name);
    if (value->kind == ValueKind::Unknown && value->why == Why::TooDeep) {
        // No property of the cell: asked again from elsewhere it may well have a value.
        cell->state = Cell::State::Delayed;
        return value;
    }
    *cell = *value;
    return cell;
}

Cell *Folder::delay(const Node *node, const Frame *frame)
{
    switch (node->kind) {
    case NodeKind::Integer:
    case NodeKind::Float:
    case NodeKind::SearchPath: return fold(node, frame);
    case NodeKind::Variable:
        if (const auto *name = as<Variable>(node); name->binds == Binds::Frame) {
            for (quint32 level = name->level; level > 0; --level)
                frame = frame->outer;
            Q_ASSERT(frame); // as many as were counted when the variable was bound
            return frame->entries[name->index];
        }
        break;
    default: break;
    }
    Cell *cell = make(ValueKind::Unknown, node);
    cell->state = Cell::State::Delayed;
    cell->frame = frame;
    return cell;
}

Cell *Folder::delayCall(Cell *function, Cell *argument)
{
    Cell *cell = make(ValueKind::Unknown);
    cell->state = Cell::State::Delayed;
    cell->first = function;
    cell->second = argument;
    return cell;
}

/// In a loop along bodies and branches, so that a file of a thousand lets within each other needs no deep stack.
Cell *Folder::fold(const Node *node, const Frame *frame)
{
    const Deeper deeper(*this);
    if (!deeper.ok())
        return opaque(Why::TooDeep, {}, node);
    for (;;) {
        if (!step())
            return m_exhausted;
        switch (node->kind) {
        case NodeKind::Integer: return makeInteger(as<Integer>(node)->value, node);
        case NodeKind::Float: return makeFloat(as<Float>(node)->value, node);
        case NodeKind::Text: return text(*as<Text>(node), frame);
        case NodeKind::Path: return path(*as<Path>(node), frame);
        case NodeKind::SearchPath: return writtenBy(node, term(UnknownKind::SearchPath, as<SearchPath>(node)->name));
        case NodeKind::Variable: return variable(*as<Variable>(node), frame);
        case NodeKind::Select: return selection(*as<Select>(node), frame);
        case NodeKind::HasAttribute: return hasAttribute(*as<HasAttribute>(node), frame);
        case NodeKind::Lambda: {
            Cell *cell = make(ValueKind::Function, node);
            cell->frame = frame;
            return cell;
        }
        case NodeKind::Call: return application(*as<Call>(node), frame);
        case NodeKind::Let:
            frame = frameOf(*as<Let>(node)->bindings, frame);
            node = as<Let>(node)->body;
            break;
        case NodeKind::With:
            frame = frameOf(*as<With>(node), frame);
            node = as<With>(node)->body;
            break;
        case NodeKind::If: {
            const If &choice = *as<If>(node);
            Cell *condition = force(delay(choice.condition, frame));
            if (condition->kind != ValueKind::Boolean)
                return writtenBy(node, term(UnknownKind::Conditional, {}, condition, delay(choice.then, frame),
                                            delay(choice.otherwise, frame)));
            node = condition->boolean ? choice.then : choice.otherwise;
            break;
        }
        case NodeKind::Assert: {
            // One that cannot be judged is taken to hold: what is behind it is what gets built, if anything does.
            const Cell *condition = force(delay(as<Assert>(node)->condition, frame));
            if (condition->kind == ValueKind::Boolean && !condition->boolean)
                return opaque(Why::AssertionFails, {}, node);
            node = as<Assert>(node)->body;
            break;
        }
        case NodeKind::List: return list(*as<List>(node), frame);
        case NodeKind::Attributes: return attributes(*as<Attributes>(node), frame);
        case NodeKind::Unary: return unary(*as<Unary>(node), frame);
        case NodeKind::Binary: return binary(*as<Binary>(node), frame);
        }
    }
}

Cell *Folder::list(const List &list, const Frame *frame)
{
    if (!step(list.elements.size()))
        return m_exhausted;
    std::vector<Item> items;
    items.reserve(list.elements.size());
    for (const Node *element : list.elements)
        items.push_back({delay(element, frame), false});
    return makeList(items, &list);
}

Cell *Folder::variable(const Variable &variable, const Frame *frame)
{
    switch (variable.binds) {
    case Binds::Frame: return force(delay(&variable, frame));
    case Binds::Global: {
        Cell *cell = global(m_tree->name(variable.symbol));
        cell->node = &variable; // true, false and null are written here
        return cell;
    }
    case Binds::With: return fromWith(variable, frame);
    case Binds::Undefined: return opaque(Why::NoSuchVariable, m_tree->name(variable.symbol), &variable);
    case Binds::Position: break;
    }
    return opaque(Why::NotFolded, {}, &variable);
}

Cell *Folder::fromWith(const Variable &variable, const Frame *frame)
{
    const std::string_view name = m_tree->name(variable.symbol);
    for (quint32 level = variable.level;;) {
        for (; level > 0; --level)
            frame = frame->outer;
        Q_ASSERT(frame);
        Cell *scope = force(frame->scope);
        if (scope->kind == ValueKind::Unknown)
            return select(scope, name);
        bool certain = true;
        if (Cell *found = scope->kind == ValueKind::Attributes ? find(*scope, name, certain) : nullptr)
            return force(found);
        if (!certain)
            return select(scope, name);
        level = frame->with->outer;
        if (level == 0)
            return opaque(Why::NoSuchVariable, name, &variable);
    }
}

const Frame *Folder::frameOf(const With &with, const Frame *frame)
{
    Frame inner;
    inner.outer = frame;
    inner.with = &with;
    inner.scope = delay(with.scope, frame);
    return m_arena.make(inner);
}

/// One of Nix's own names; `__map` is `builtins.map`.
Cell *Folder::global(std::string_view name)
{
    if (name == "true" || name == "false")
        return makeBoolean(name == "true");
    if (name == "null")
        return make(ValueKind::Null);
    if (name.starts_with("__"))
        name.remove_prefix(2);
    if (const Builtin *found = builtin(name, Builtin::InBuiltins)) {
        Cell *cell = make(ValueKind::Function);
        cell->builtin = found;
        return cell;
    }
    return term(UnknownKind::Global, name);
}

Cell *Folder::result()
{
    if (!m_tree->root())
        return opaque(Why::NoRoot);
    Cell *file = force(delay(m_tree->root(), nullptr));
    const auto *lambda = file->kind == ValueKind::Function ? as<Lambda>(file->node) : nullptr;
    if (!lambda)
        return file;
    std::vector<NamedCell> given;
    for (const Formal &formal : lambda->formals) {
        const std::string_view name = m_tree->name(formal.symbol);
        if (!formal.fallback)
            given.push_back({name, term(UnknownKind::Argument, name), nullptr});
    }
    return call(file,
                lambda->hasFormals ? makeSet(given) : term(UnknownKind::Argument, m_tree->name(lambda->argument)));
}

} // namespace tmx::nix
