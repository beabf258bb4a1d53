// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Fold.h"
#include "model/recipe/PackageFacts.h"

namespace tmx {

/// Turns values of the Nix reader into facts with the bytes that state them.
class FactPlaces
{
public:
    explicit FactPlaces(const nix::Tree &tree)
        : m_tree(tree)
    {
    }

    [[nodiscard]] Spot spot(nix::Span span) const;
    /// Of what wrote the value, else of the value in its binding, else of the binding's name.
    [[nodiscard]] Spot spotOf(const nix::Value &value, const nix::Attribute *definition = nullptr) const;
    /// Of `length` bytes of a text from `from` on, where they stand together in the file; else of what wrote the text.
    [[nodiscard]] Spot spotWithin(const nix::Value &text, qsizetype from, qsizetype length,
                                  const nix::Attribute *definition = nullptr) const;
    /// The same with the text's Value::offsets() at hand; nothing where the bytes do not stand together.
    [[nodiscard]] std::optional<Spot> spotWithin(const std::vector<quint32> &offsets, qsizetype from,
                                                 qsizetype length) const;
    /// Of the name by which an unknown value is selected: in what wrote it, else where `user`, a selection from it,
    /// names it, else of the argument of that name; of the whole file where nothing writes it out. Never empty for a
    /// name.
    [[nodiscard]] Spot spotOfName(const nix::Value &value, const nix::Value &user = {}) const;

    /// A text's spot is what stands between its quotes.
    [[nodiscard]] StatedText text(const nix::Value &value, const nix::Attribute *definition = nullptr) const;
    [[nodiscard]] StatedFlag flag(const nix::Value &value, const nix::Attribute *definition = nullptr) const;
    [[nodiscard]] StatedList list(const nix::Value &value, const nix::Attribute *definition = nullptr) const;
    /// A name where the value has one, else as Nix shows it, shortened.
    [[nodiscard]] NamedText named(const nix::Value::Entry &entry) const;

private:
    [[nodiscard]] std::optional<nix::Span> nameIn(const nix::Node *node, std::string_view name) const;
    const nix::Tree &m_tree;
};

/// "cudaPackages.libcublas" for a selection from an argument, whatever is called on it; empty for what has no name.
QString dottedName(nix::Value value);

/// The entry of that name; nothing where it is not, or not certainly, there.
std::optional<nix::Value::Entry> entryOf(const nix::Value &set, std::string_view name);

QString toText(const QByteArray &bytes);

} // namespace tmx
