// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/ValuePlaces.h"

#include "model/nix/Parse.h"
#include "model/nix/Walk.h"

#include <algorithm>

namespace tmx {

namespace {

bool isWordPart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Whether the bytes are no part of a longer revision, hash or version.
bool isWhole(const QByteArray &text, qsizetype at, qsizetype length)
{
    const char first = text.at(at);
    const char before = at > 0 ? text.at(at - 1) : ' ';
    const char after = at + length < text.size() ? text.at(at + length) : ' ';
    const char next = at + length + 1 < text.size() ? text.at(at + length + 1) : ' ';
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (isDigit(text.at(at + length - 1)) && after == '_' && isDigit(next)) // "cudaPackages_13" of "cudaPackages_13_1"
        return false;
    if (isDigit(first) && length < 20) // A version: "v0.24.1" is one too.
        return !isDigit(before) && before != '.' && !isDigit(after) && !(after == '.' && isDigit(next));
    return !isWordPart(before) && !isWordPart(after);
}

/// The name of a function: `elem` of `builtins.elem`.
std::string_view nameOfFunction(const nix::Tree &tree, const nix::Node *function)
{
    const auto *select = nix::as<nix::Select>(function);
    const auto *variable = nix::as<nix::Variable>(function);
    return select && !select->path.empty() && select->path.back().symbol ? tree.name(select->path.back().symbol)
           : variable                                                    ? tree.name(variable->symbol)
                                                                         : std::string_view();
}

/// What a condition is about is a fact of its own: the toolkit that needs a patch in `cuda == "13.0"`, in
/// `builtins.elem cuda [ "12.8" "12.9" ]`, in `lib.versionAtLeast cuda "13.0"`.
void addConditions(const nix::Tree &tree, std::vector<nix::Span> &apart)
{
    const auto addTexts = [&apart](std::span<const nix::Node *const> nodes) {
        for (const nix::Node *node : nodes) {
            if (nix::plainText(node))
                apart.push_back(node->span);
        }
    };
    nix::forEachNode(tree.root(), [&](const nix::Node &node) {
        if (const auto *binary = nix::as<nix::Binary>(&node);
            binary && (binary->op == nix::BinaryOperator::Equal || binary->op == nix::BinaryOperator::NotEqual)) {
            const nix::Node *const operands[] = {binary->left, binary->right};
            addTexts(operands);
        }
        const auto *call = nix::as<nix::Call>(&node);
        const std::string_view name = call ? nameOfFunction(tree, call->function) : std::string_view();
        if (name == "versionAtLeast" || name == "versionOlder" || name == "compareVersions")
            addTexts(call->arguments);
        const auto *list = name == "elem" ? nix::as<nix::List>(call->arguments.back()) : nullptr;
        if (list)
            addTexts(list->elements);
    });
}

} // namespace

QList<quint32> placesOfValue(const QByteArray &text, const QByteArray &value)
{
    QList<quint32> places;
    if (value.isEmpty() || !text.contains(value))
        return places;
    const nix::ParseResult parsed = nix::parse(text);
    std::vector<nix::Span> apart; // comments, names of attributes, conditions
    for (const nix::Comment &comment : parsed.tree->comments())
        apart.push_back(comment.span);
    nix::forEachBinding(parsed.tree->root(), [&apart](const nix::Binding &binding) {
        for (const nix::AttributeName &name : binding.names)
            apart.push_back(name.span);
    });
    addConditions(*parsed.tree, apart);
    for (qsizetype at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
        const bool isApart = std::ranges::any_of(
            apart, [at](const nix::Span &span) { return qsizetype(span.offset) <= at && at < qsizetype(span.end()); });
        if (!isApart && isWhole(text, at, value.size()))
            places.append(quint32(at));
    }
    return places;
}

Edit hashAround(const QByteArray &text, quint32 offset)
{
    const nix::ParseResult parsed = nix::parse(text);
    Edit found;
    quint32 size = ~quint32(0);
    nix::forEachNode(parsed.tree->root(), [&](const nix::Node &node) {
        const auto *set = nix::as<nix::Attributes>(&node);
        if (!set || offset < set->span.offset || offset >= set->span.end() || set->span.length >= size)
            return;
        size = set->span.length; // The innermost one counts.
        found = {};
        for (const char *name : {"hash", "sha256"}) {
            const nix::Attribute *attribute = set->find(parsed.tree->symbol(name));
            const auto *value = attribute ? nix::as<nix::Text>(attribute->value) : nullptr;
            if (value && value->parts.size() == 1 && !value->parts.front().expression)
                found = {value->parts.front().span.offset, value->parts.front().span.length, {}};
        }
    });
    return found;
}

} // namespace tmx
