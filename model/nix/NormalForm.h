// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Arena.h"
#include "model/nix/Fold.h"

namespace tmx::nix {

enum class TermKind : quint8 {
    Constant,   ///< null, true, false, an integer or a float: `name`, as Nix writes it
    Text,       ///< `name`, or Literal and unknown stretches as `terms`
    Literal,    ///< a known stretch of a Text or Path: `name`
    Path,       ///< as it is written, in Literal and unknown stretches
    SearchPath, ///< `<name>`
    List,       ///< elements, and Splice of an unknown number of them
    Splice,
    Set,       ///< Attribute, sorted by name
    Attribute, ///< `name`, its value
    Update,    ///< two sets or more, of which the later ones win
    Dynamic,   ///< `{ ${first} = second; }`
    Lambda,  ///< its body; Formal of each argument, sorted by name, before it. `name`: "{" with formals, "{..." with an
             ///< ellipsis too
    Formal,  ///< `name`, and its default if it has one
    Bound,   ///< what Lambda number `level` is given, counted from 1 inwards; `name` of its formals, or all: ""
    Builtin, ///< a function of Nix or of nixpkgs' library, with the arguments that it has so far
    Global,  ///< one of Nix's own that is not known further: "import", "fetchTarball"
    Select,  ///< `first.name`, or `first.name or second`; the elements of a longer path are separated by NUL
    SelectBy, ///< `first.${second}`
    Has,      ///< `first ? name`
    Call,     ///< function, argument
    If,       ///< condition, then, else
    Assert,   ///< condition, body
    Operator, ///< `first name second`, or `name first`
};

/// A part of a normal form. Terms of one Terms are equal when they are the same object.
struct Term {
    TermKind kind = TermKind::Constant;
    quint32 level = 0;
    quint32 number = 0; ///< among its Terms, in the order in which they were made: parts come before what has them
    std::string_view name;
    std::span<const Term *const> terms;

    /// Of a Set: the value of an attribute; nullptr when it is not there.
    [[nodiscard]] const Term *find(std::string_view attribute) const;
    [[nodiscard]] const Term *first() const { return terms.empty() ? nullptr : terms.front(); }
    [[nodiscard]] const Term *second() const { return terms.size() < 2 ? nullptr : terms[1]; }
};

/// Terms, each once however often it is made. They live as long as this does.
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
    /// A Text of these stretches: adjacent Literals become one.
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

/// What the expression of a file comes to, in one form for all ways to write it: evaluated as far as nothing from
/// outside is needed, with what is not known as terms. Names that let, rec, with or inherit bind are gone, constants
/// are computed, attributes are sorted, sets and lists and texts are joined, and arguments are known by their place.
/// Two files with the same form evaluate to the same value wherever both evaluate. The opposite does not hold: what
/// equals may have two forms.
///
/// nullptr when it has no form: it fails for certain, depends on its place in the text, recurses without end or takes
/// more than `options` allows. `problem` says why: lower case, without a full stop.
///
/// One assumption: `lib`, an argument of that name or an attribute of what is not known, is nixpkgs' library, whose
/// functions (those that Builtins.cpp lists) do what its documentation says.
const Term *normalForm(const std::shared_ptr<const Tree> &tree, Terms &terms, QString *problem = nullptr,
                       FoldOptions options = {});

/// 20 bytes that stand for the term: equal for equal terms of different Terms, and different for all others.
QByteArray hashOf(const Term *term);

} // namespace tmx::nix
