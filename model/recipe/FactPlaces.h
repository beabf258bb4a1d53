// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Files.h"
#include "model/nix/Fold.h"
#include "model/recipe/PackageFacts.h"

#include <span>

namespace tmx {

/// Converts values of the Nix parser to facts with their places in the file.
class FactPlaces
{
public:
    /// `files`: what the file may import.
    explicit FactPlaces(const nix::Tree &tree, const nix::Files *files = nullptr)
        : m_tree(tree)
        , m_files(files)
    {
    }

    /// `file`: Node::file.
    [[nodiscard]] Spot spot(nix::Span span, quint16 file = 0) const;
    /// Place of the expression that wrote the value, else of the value in its binding, else of the binding's name.
    [[nodiscard]] Spot spotOf(const nix::Value &value, const nix::Attribute *definition = nullptr) const;
    /// Place of `length` bytes of a text from `from` on, if they are contiguous in the file; else of the expression
    /// that wrote the text.
    [[nodiscard]] Spot spotWithin(const nix::Value &text, qsizetype from, qsizetype length,
                                  const nix::Attribute *definition = nullptr) const;
    /// The same, if the text's Value::origins() are available; nullopt if the bytes are not contiguous.
    [[nodiscard]] std::optional<Spot> spotWithin(const std::vector<nix::Value::Origin> &origins, qsizetype from,
                                                 qsizetype length) const;
    /// Place of the name with which an unknown value is selected: in the expression that wrote it, else in `user`, a
    /// selection from it, else of the argument with that name; of the whole file if the name is not written anywhere.
    /// Never empty for a name.
    [[nodiscard]] Spot spotOfName(const nix::Value &value, const nix::Value &user = {}) const;

    /// A text's spot is the part between its quotes.
    [[nodiscard]] StatedText text(const nix::Value &value, const nix::Attribute *definition = nullptr) const;
    [[nodiscard]] WrittenText written(const nix::Value &value, const nix::Attribute *definition) const;
    /// The runs of bytes that are written one after the other, on one line. `origins`: of the text's bytes.
    [[nodiscard]] QList<WrittenText::Run> runs(QByteArrayView text, std::span<const nix::Value::Origin> origins) const;
    [[nodiscard]] StatedFlag flag(const nix::Value &value, const nix::Attribute *definition = nullptr) const;
    [[nodiscard]] StatedList list(const nix::Value &value, const nix::Attribute *definition = nullptr) const;
    /// Where reading stopped at the value, and why: "./flags.nix is another file".
    [[nodiscard]] StatedText stop(const nix::Value &value, const nix::Attribute *definition = nullptr) const;
    /// The value's name if it has one, else the value in Nix syntax, shortened.
    [[nodiscard]] NamedText named(const nix::Value::Entry &entry) const;

    /// The text of the file that a Path leads to; empty if it is none of the files that may be imported.
    [[nodiscard]] QByteArray fileAt(const nix::Value &path) const;

    /// Paths of the imported files that spots were asked for, by Spot::file.
    [[nodiscard]] const QStringList &files() const { return m_asked; }

private:
    [[nodiscard]] const nix::Tree &tree(quint16 file) const { return file ? m_files->tree(file) : m_tree; }
    [[nodiscard]] std::optional<nix::Span> nameIn(const nix::Node *node, std::string_view name) const;
    const nix::Tree &m_tree;
    const nix::Files *m_files;
    mutable QStringList m_asked;
};

/// Whether it is what the package had before: `old.preConfigure`, `old.cmakeFlags or [ ]`.
bool isOldValue(const nix::Value &value);
/// The same, or some of it: `builtins.filter (flag: ...) old.cmakeFlags`.
bool isOfOldValue(const nix::Value &value);

/// "cudaPackages.libcublas" for a selection from an argument, ignoring calls on it; empty if it has no name.
QString dottedName(nix::Value value);

/// The entry with that name; nullopt if it is missing or uncertain.
std::optional<nix::Value::Entry> entryOf(const nix::Value &set, std::string_view name);

QString toText(const QByteArray &bytes);

} // namespace tmx
