// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Folder.h"

namespace tmx::nix {

Cell *Folder::application(const Call &node, const Frame *frame)
{
    Cell *result = force(delay(node.function, frame));
    for (const Node *argument : node.arguments)
        result = writtenBy(&node, call(result, delay(argument, frame)));
    return result;
}

Cell *Folder::call(Cell *function, Cell *argument)
{
    function = force(function);
    if (function->kind == ValueKind::Function)
        return function->builtin ? callBuiltin(function, argument) : callLambda(*function, argument);
    if (function->kind != ValueKind::Unknown)
        return opaque(Why::WrongType);
    Cell *cell = term(UnknownKind::Call, {}, function, argument);
    cell->why = function->why;
    // What these do is known; what they say with it is for others to tell.
    if (function->unknown == UnknownKind::Global && (function->name == "throw" || function->name == "abort"))
        cell->why = Why::Throws;
    return cell;
}

Cell *Folder::callLambda(const Cell &function, Cell *argument)
{
    const Deeper deeper(*this);
    if (!deeper.ok())
        return opaque(Why::TooDeep);
    const auto *lambda = as<Lambda>(function.node);
    const size_t count = lambda->formals.size() + (lambda->argument ? 1 : 0);
    if (!step(count))
        return m_exhausted;
    Frame *frame = m_arena.make(Frame{});
    frame->outer = function.frame;
    frame->entries = {m_arena.allocate<Cell *>(count), count};
    size_t next = 0;
    if (lambda->argument)
        frame->entries[next++] = argument;
    if (lambda->hasFormals)
        argument = force(argument);
    if (lambda->hasFormals && argument->kind != ValueKind::Attributes && argument->kind != ValueKind::Unknown)
        return opaque(Why::WrongType);

    const size_t firstFormal = next;
    for (const Formal &formal : lambda->formals) {
        const std::string_view name = m_tree->name(formal.symbol);
        bool certain = argument->kind == ValueKind::Attributes;
        Cell *given = certain ? find(*argument, name, certain) : nullptr;
        if (!given && !certain)
            given = select(argument, name);
        if (!given && !formal.fallback)
            given = opaque(Why::MissingArgument, name);
        // A default may name any other argument, so it waits until all of them have their places.
        frame->entries[next++] = given ? given : make(ValueKind::Unknown);
        if (!given) {
            Cell &delayed = *frame->entries[next - 1];
            delayed.state = Cell::State::Delayed;
            delayed.node = formal.fallback;
            delayed.frame = frame;
        }
    }
    Q_ASSERT(next == firstFormal + lambda->formals.size());
    return fold(lambda->body, frame);
}

Cell *Folder::callBuiltin(Cell *function, Cell *argument)
{
    const Deeper deeper(*this);
    if (!deeper.ok())
        return opaque(Why::TooDeep);
    if (!step())
        return m_exhausted;
    std::vector<Cell *> arguments(function->arguments.begin(), function->arguments.end());
    arguments.push_back(argument);
    if (int(arguments.size()) < function->builtin->arity) {
        Cell *cell = make(ValueKind::Function);
        cell->builtin = function->builtin;
        cell->arguments = m_arena.copy(std::span<Cell *const>(arguments));
        return cell;
    }
    if (Cell *folded = function->builtin->fold(*this, arguments))
        return force(folded);
    return term(UnknownKind::Call, {}, function, argument);
}

} // namespace tmx::nix
