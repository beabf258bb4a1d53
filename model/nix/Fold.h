// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Tree.h"
#include "model/nix/Value.h"

#include <memory>

namespace tmx::nix {

struct FoldOptions {
    /// Steps for everything that one Fold is asked; a recipe takes some thousands. Each takes at most a few hundred
    /// bytes.
    int maxSteps = 200'000;
    /// Expressions within the folding of one another. 500 need less than a megabyte of stack.
    int maxDepth = 500;
    /// Nothing is assumed, and nothing is left out: what is unknown keeps all its operands. Otherwise the most likely
    /// is assumed, as facts need it: an unknown assertion holds, the innermost unknown `with` has the name, what is
    /// joined with a text is a text, and an element that may be filtered out is there.
    bool exact = false;
};

/// Folds the constants of a file: the values of its expressions that need no nixpkgs, no disk and no build. Follows
/// names bound by let, rec, inherit and with, defaults of arguments, selection, operators, antiquotation, conditions,
/// calls of the file's own functions, and the functions of `builtins` and of nixpkgs' `lib` that Builtins.cpp lists.
/// Everything else is Unknown with a reason: what comes from outside, what refers to itself, what takes too much work.
///
/// `lib` is an argument of that name or an attribute of that name of something unknown, such as pkgs.lib.
///
/// Lazy: folds a value when it is asked for, and once. Not thread-safe. Any number of Folds may share a tree.
class Fold
{
public:
    /// `tree` has a root, or everything is Unknown.
    explicit Fold(std::shared_ptr<const Tree> tree, const FoldOptions &options = {});
    ~Fold();
    Q_DISABLE_COPY_MOVE(Fold)

    /// What the file's expression is; of most recipes a function.
    [[nodiscard]] Value file();
    /// What a build of the file gets: if the file is a function, what it returns when nothing is given but what it has
    /// no default for.
    [[nodiscard]] Value result();

    /// `function` applied to `argument`; of an Unknown function, an Unknown Call.
    [[nodiscard]] Value call(const Value &function, const Value &argument);
    /// An Unknown Argument of that name, to see what a function makes of it: `final` and `prev` of an overlay.
    [[nodiscard]] Value argument(const QByteArray &name);

    /// Steps that are left of maxSteps.
    [[nodiscard]] int stepsLeft() const;

private:
    std::unique_ptr<Folder> m_folder;
};

} // namespace tmx::nix
