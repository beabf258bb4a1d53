// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/RecipeScan.h"

#include "model/nix/Walk.h"

#include <QSet>

#include <algorithm>
#include <array>

namespace tmx {

namespace {

using namespace std::string_view_literals;

constexpr std::array fakes{"fakeHash"sv, "fakeSha256"sv, "fakeSha512"sv};

// What recipes can take from their caller in addition to a pin without mixing two package sets: functions, the system,
// packages published with flox (catalogs).
constexpr std::array neutral{"lib"sv,          "stdenv"sv,        "system"sv,   "config"sv,    "targetPlatform"sv,
                             "hostPlatform"sv, "buildPlatform"sv, "path"sv,     "writeText"sv, "runCommand"sv,
                             "callPackage"sv,  "callPackages"sv,  "newScope"sv, "pkgs"sv,      "catalogs"sv};

template <class List>
bool contains(const List &list, std::string_view name)
{
    return std::ranges::find(list, name) != list.end();
}

bool isNeutral(std::string_view name)
{
    return contains(neutral, name) || name.starts_with("fetch");
}

bool isHashName(std::string_view name)
{
    return name.ends_with("hash") || name.ends_with("Hash") || name == "sha256" || name == "sha512" || name == "sha1" ||
           name == "outputHash";
}

/// Of a text, or of a placeholder, which is empty.
std::optional<std::string> hashIn(const nix::Tree &tree, const nix::Node *value)
{
    if (const auto text = nix::plainText(value))
        return std::string(*text);
    if (const auto *variable = nix::as<nix::Variable>(value))
        return contains(fakes, tree.name(variable->symbol)) ? std::optional<std::string>("") : std::nullopt;
    const auto *select = nix::as<nix::Select>(value);
    return select && !select->path.empty() && contains(fakes, tree.name(select->path.back().symbol))
               ? std::optional<std::string>("")
               : std::nullopt;
}

class Scan
{
public:
    Scan(const nix::Tree &tree, const FactPlaces &places, RecipeFacts &facts)
        : m_tree(tree)
        , m_places(places)
        , m_facts(facts)
    {
        const auto *function = nix::as<nix::Lambda>(tree.root());
        for (size_t i = 0; function && i < function->formals.size(); ++i) {
            if (!isOwnSet(function->formals[i]))
                m_arguments.insert(function->formals[i].symbol.id);
        }
    }

    void run()
    {
        nix::forEachBinding(m_tree.root(), [this](const nix::Binding &binding) { read(binding); });
        nix::forEachNode(m_tree.root(), [this](const nix::Node &node) { read(node); });
        const auto byPlace = [](const StatedText &text) { return text.spot.offset; };
        std::ranges::sort(m_facts.revisions, {}, byPlace);
        std::ranges::sort(m_facts.callersPackages, {}, byPlace);
        std::ranges::sort(m_facts.hashes, {}, byPlace);
    }

private:
    void read(const nix::Binding &binding)
    {
        // A name that is bound again may not be the argument.
        for (const nix::AttributeName &name : binding.names) {
            if (binding.kind == nix::Binding::Value)
                m_arguments.remove(name.symbol.id);
        }
        if (const auto *from = nix::as<nix::Variable>(binding.value);
            binding.kind == nix::Binding::InheritFrom && from && isCallersSet(*from)) {
            for (const nix::AttributeName &name : binding.names) {
                if (name.symbol && !isNeutral(m_tree.name(name.symbol)))
                    addPackage("pkgs." + std::string(m_tree.name(name.symbol)), name.span);
            }
        }
        if (binding.kind != nix::Binding::Value || binding.names.empty() || !binding.names.back().symbol)
            return;
        const std::string_view name = m_tree.name(binding.names.back().symbol);
        if (const auto hash = isHashName(name) ? hashIn(m_tree, binding.value) : std::nullopt)
            m_facts.hashes.append({QString::fromStdString(*hash), m_places.spot(binding.value->span), true});
        if (const auto text = nix::plainText(binding.value); text && name == "rev")
            addRevision(*text, binding.value->span.offset + 1);
    }

    void read(const nix::Node &node)
    {
        if (const auto text = nix::plainText(&node)) {
            if (const size_t at = text->find("/archive/");
                at != text->npos && text->starts_with("https://github.com/")) {
                const size_t from = at + 9;
                const size_t end = std::min({text->find(".tar", from), text->find(".zip", from), text->size()});
                addRevision(text->substr(from, end - from), node.span.offset + 1 + quint32(from));
            }
        } else if (const auto *select = nix::as<nix::Select>(&node)) {
            const auto *base = nix::as<nix::Variable>(select->base);
            if (!base || !isCallersSet(*base) || select->path.empty() || !select->path.front().symbol)
                return;
            const std::string_view name = m_tree.name(select->path.front().symbol);
            if (!isNeutral(name))
                addPackage("pkgs." + std::string(name), select->path.front().span);
        } else if (const auto *with = nix::as<nix::With>(&node)) {
            const auto *scope = nix::as<nix::Variable>(with->scope);
            if (scope && isCallersSet(*scope))
                addPackage("with pkgs", scope->span);
        } else if (const auto *variable = nix::as<nix::Variable>(&node)) {
            const std::string_view name = m_tree.name(variable->symbol);
            if (isCallers(*variable) && !isNeutral(name))
                addPackage(std::string(name), variable->span);
        }
    }

    /// `pinned ? import (fetchTarball { ... }) { }`: nixpkgs has no such package, so nothing else is passed.
    [[nodiscard]] bool isOwnSet(const nix::Formal &formal) const
    {
        const auto *call = formal.fallback ? nix::as<nix::Call>(formal.fallback) : nullptr;
        const auto *function = call ? nix::as<nix::Variable>(call->function) : nullptr;
        return function && m_tree.name(function->symbol) == "import" && !call->arguments.empty() &&
               !nix::as<nix::SearchPath>(call->arguments.front()) && m_tree.name(formal.symbol) != "pkgs";
    }

    [[nodiscard]] bool isCallers(const nix::Variable &variable) const
    {
        return m_arguments.contains(variable.symbol.id) && variable.binds == nix::Binds::Frame;
    }

    [[nodiscard]] bool isCallersSet(const nix::Variable &variable) const
    {
        return isCallers(variable) && m_tree.name(variable.symbol) == "pkgs";
    }

    void addRevision(std::string_view text, quint32 offset)
    {
        const QByteArray bytes(text.data(), qsizetype(text.size()));
        const Spot spot = m_places.spot({offset, quint32(bytes.size())});
        // With escapes, or in an indented string: the bytes differ from the value.
        if (m_tree.text({offset, quint32(bytes.size())}) == text)
            m_facts.revisions.append({toText(bytes), spot, true});
    }

    void addPackage(const std::string &name, nix::Span span)
    {
        m_facts.callersPackages.append({QString::fromStdString(name), m_places.spot(span), true});
    }

    const nix::Tree &m_tree;
    const FactPlaces &m_places;
    RecipeFacts &m_facts;
    QSet<quint32> m_arguments; ///< symbols of the arguments of the file
};

} // namespace

void scanRecipe(const nix::Tree &tree, const FactPlaces &places, RecipeFacts &facts)
{
    Scan(tree, places, facts).run();
}

} // namespace tmx
