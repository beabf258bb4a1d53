// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Tree.h"
#include "model/nix/Value.h"

#include <memory>

namespace tmx::nix {

class Files;

struct FoldOptions {
    /// Limit of steps for all queries to one Fold; a recipe takes some thousands. Each step takes at most a few hundred
    /// bytes.
    int maxSteps = 200'000;
    /// Limit of nested folds. 500 need less than a megabyte of stack.
    int maxDepth = 500;
    /// True: no assumptions, and unknown values keep all their operands. False: assumes the most likely case, which
    /// suits facts: an unknown assertion holds, the innermost unknown `with` has the name, a value that is concatenated
    /// with a text is a text, and an element that may be filtered out is present.
    bool exact = false;
    /// The files that the file may import, and its own path among them. Both must outlive the Fold. nullptr: what is
    /// imported is Unknown.
    const Files *files = nullptr;
    QByteArray path = {};
};

/// Folds the constants of a file: the values of its expressions that need no nixpkgs, no disk and no build. Resolves
/// names bound by let, rec, inherit and with, default arguments, selection, operators, antiquotation, conditions, calls
/// of the file's own functions, imports of FoldOptions::files, and the functions of `builtins` and of nixpkgs' `lib` in
/// Builtins.cpp. Everything else is Unknown with a reason: values from outside, values that refer to themselves, and
/// values that take too much work.
///
/// `lib` is an argument of that name, or an attribute of that name of something unknown, such as pkgs.lib.
///
/// Lazy: folds a value once, when it is requested. Not thread-safe. Any number of Folds may share a tree.
class Fold
{
public:
    /// If `tree` has no root, everything is Unknown.
    explicit Fold(std::shared_ptr<const Tree> tree, const FoldOptions &options = {});
    ~Fold();
    Q_DISABLE_COPY_MOVE(Fold)

    /// The value of the file's expression; for most recipes a function.
    [[nodiscard]] Value file();
    /// What a build of the file gets: if the file is a function, its result when called with only the arguments that
    /// have no default.
    [[nodiscard]] Value result();

    /// The result of applying `function` to `argument`; for an Unknown function, an Unknown Call.
    [[nodiscard]] Value call(const Value &function, const Value &argument);
    /// An Unknown Argument of that name, to see what a function makes of it: for `final` and `prev` of an overlay.
    [[nodiscard]] Value argument(const QByteArray &name);

    /// The tree of Node::file.
    [[nodiscard]] const Tree &tree(quint16 file) const;
    /// Whether a value that was asked for needs itself.
    [[nodiscard]] bool refersToItself() const;
    /// A place where evaluation certainly fails.
    struct Failure {
        enum What {
            NoEntry,       ///< the set lacks the attribute `name`
            NoArgument,    ///< the set lacks the argument `name`, which has no default
            OtherArgument, ///< the set has `name`, but the function has no such argument
            NotText,       ///< `name`, in Nix's words "null" or "an integer", where a text is needed
            NotList,       ///< the same for a list
            NotSet,        ///< for a set
            NotFunction,   ///< for a function
            Throws,        ///< with the message `name`, which may be unknown
            Asserts,       ///< an assertion fails
            NotData,       ///< a text that is no `name`, "JSON" or "TOML"
            Absolute,      ///< imports the absolute path `name`, or one that begins so: it is there on one machine only
        };
        const Node *node = nullptr; ///< the set, the value or the expression; nullptr if it was computed
        QByteArray name;
        What what = NoEntry;
    };
    /// Those met so far, without those that are in an expression that evaluation may not reach: a branch of an unknown
    /// condition, or what mayNotReach() was told.
    [[nodiscard]] std::vector<Failure> failures() const;
    void mayNotReach(const Node *node);
    /// Number of steps left of maxSteps.
    [[nodiscard]] int stepsLeft() const;

private:
    std::unique_ptr<Folder> m_folder;
};

} // namespace tmx::nix
