// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Arena.h"
#include "model/nix/Fold.h"

namespace tmx::nix {

enum class TermKind : quint8 {
    Constant,   ///< null, true, false, an integer or a float: `name`, in Nix syntax
    Text,       ///< `name`, or Literal and unknown parts as `terms`
    Literal,    ///< a known part of a Text or Path: `name`
    Path,       ///< as written, in Literal and unknown parts; if it names one of Files, the path from their root, and
                ///< NUL with what identifies its content
    SearchPath, ///< `<name>`
    List,       ///< elements, and Splice for an unknown number of them
    Splice,
    Set,       ///< Attribute, sorted by name
    Attribute, ///< `name`, its value
    Update,    ///< two or more sets, of which later ones win
    Dynamic,   ///< `{ ${first} = second; }`
    Lambda,    ///< Formal of each argument, sorted by name, then the body. `name`: "{" with formals, "{..." if there is
               ///< an ellipsis too
    Formal,    ///< `name`, and its default if it has one
    Bound,     ///< argument of lambda number `level`, counted from 1 inwards; `name`: its formal, or "" for the whole
               ///< argument
    Builtin,   ///< a function of Nix or of nixpkgs' library, with its arguments so far
    Global,    ///< a built-in of Nix that is not evaluated: "import", "fetchTarball"
    Select,    ///< `first.name`, or `first.name or second`; the elements of a longer path are separated by NUL
    SelectBy,  ///< `first.${second}`
    Has,       ///< `first ? name`
    Call,      ///< function, argument
    If,        ///< condition, then, else
    Assert,    ///< condition, body
    Operator,  ///< `first name second`, or `name first`
};

/// A part of a normal form. Terms of the same Terms are equal if and only if they are the same object.
struct Term {
    TermKind kind = TermKind::Constant;
    quint32 level = 0;
    quint32 number = 0; ///< index among its Terms, in order of creation: parts come before the terms that contain them
    std::string_view name;
    std::span<const Term *const> terms;

    /// For a Set: the value of an attribute; nullptr if it is missing.
    [[nodiscard]] const Term *find(std::string_view attribute) const;
    [[nodiscard]] const Term *first() const { return terms.empty() ? nullptr : terms.front(); }
    [[nodiscard]] const Term *second() const { return terms.size() < 2 ? nullptr : terms[1]; }
};

/// Unique terms: creating an equal term again returns the existing one. They live as long as this object.
class Terms
{
public:
    Terms();
    Q_DISABLE_COPY_MOVE(Terms)

    const Term *make(TermKind kind, std::string_view name, std::span<const Term *const> terms = {}, quint32 level = 0);
    const Term *make(TermKind kind, std::string_view name, std::initializer_list<const Term *> terms)
    {
        return make(kind, name, std::span(terms.begin(), terms.size()));
    }
    /// A Text with these parts; joins adjacent Literals.
    const Term *makeText(std::span<const Term *const> stretches);
    /// `term` with other parts.
    const Term *with(const Term *term, std::span<const Term *const> terms)
    {
        return make(term->kind, term->name, terms, term->level);
    }

private:
    void grow();

    Arena m_arena;
    std::vector<const Term *> m_slots; ///< open addressing; a power of two
    std::vector<size_t> m_hashes;
    size_t m_count = 0;
};

/// The meaning of a file's expression in one form for all notations: evaluated as far as possible without anything from
/// outside, with unknown values as terms. Names bound by let, rec, with or inherit are resolved, constants are
/// computed, attributes are sorted, sets, lists and texts are joined, and arguments are identified by their position.
/// Two files with the same form evaluate to the same value wherever both evaluate. The reverse does not hold: equal
/// values may have two forms.
///
/// nullptr if there is no form: the evaluation certainly fails, depends on the position in the text, recurses
/// infinitely, or exceeds `options`. `problem` says why: lower case, without a full stop.
///
/// One assumption: `lib`, an argument of that name or an attribute of something unknown, is nixpkgs' library, whose
/// functions (those in Builtins.cpp) behave as documented.
const Term *normalForm(const std::shared_ptr<const Tree> &tree, Terms &terms, QString *problem = nullptr,
                       FoldOptions options = {});

/// 20 bytes that identify the term: equal for equal terms of different Terms, and different for all others.
QByteArray hashOf(const Term *term);

} // namespace tmx::nix
