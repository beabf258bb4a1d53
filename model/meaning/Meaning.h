// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/RecipeSource.h"

#include <array>
#include <tuple>

namespace tmx {

namespace nix {
struct ParseResult;
}

/// Statements of a recipe that do not affect the compiler or the output.
enum class UnbuiltKind {
    NinjaFlags,     ///< `ninjaFlags` with only -j and -l: Python packages of nixpkgs do not call ninja with them
    MaxJobs,        ///< MAX_JOBS, exported or as an attribute: nixpkgs overwrites it with the cores of the build
    SystemFeatures, ///< `requiredSystemFeatures`: only selects the machine that builds
    System,         ///< `system` of a pinned nixpkgs if it equals the caller's, which is the default
    Echo,           ///< `echo` in a phase, without a redirection or a command in it
    ShellComment,   ///< comments in a phase; also blanks and empty lines between its words
    FlagOrder,      ///< order of `-DNAME=` in cmakeFlags for different variables
    MetaText,       ///< description, longDescription, homepage, changelog and downloadPage in `meta`
};
inline constexpr std::array allUnbuiltKinds{UnbuiltKind::NinjaFlags, UnbuiltKind::MaxJobs, UnbuiltKind::SystemFeatures,
                                            UnbuiltKind::System,     UnbuiltKind::Echo,    UnbuiltKind::ShellComment,
                                            UnbuiltKind::FlagOrder,  UnbuiltKind::MetaText};
QString toString(UnbuiltKind kind); ///< "ninja_flags", "max_jobs", ...: the words used in compare --json
QString labelOf(UnbuiltKind kind);  ///< for people, translated: "ninjaFlags", "echo lines"

/// One statement of a recipe without effect, for settings that want to keep it.
struct Unbuilt {
    UnbuiltKind kind = UnbuiltKind::Echo;
    QString where; ///< path of the attribute: "ninjaFlags", "preConfigure", "meta.description"
    QString value; ///< "-j32", "32", "big-parallel", "pkgs.system"; for all others a checksum
    bool operator==(const Unbuilt &) const = default;
    bool operator<(const Unbuilt &other) const
    {
        return std::tie(kind, where, value) < std::tie(other.kind, other.where, other.value);
    }
};

/// The meaning of a recipe, independent of how it is written (model/nix/NormalForm).
struct Meaning {
    QByteArray exact;       ///< hash of the whole expression; empty if it has no normal form
    QByteArray build;       ///< hash of what may affect the compiler or the output; empty like `exact`
    QString problem;        ///< why there is no normal form: lower case, without a full stop
    QList<Unbuilt> unbuilt; ///< what `build` leaves out, sorted and without duplicates
    QByteArray imports;     ///< RecipeSource::digest()

    [[nodiscard]] bool isKnown() const { return !exact.isEmpty(); }
    bool operator==(const Meaning &) const = default;
};

/// Parses any recipe. Pure and thread-safe.
Meaning readMeaning(const RecipeSource &source);
/// The same of a text that is parsed already.
Meaning readMeaning(const nix::ParseResult &parsed, const RecipeImports *imports = nullptr);

/// How similar two recipes are.
enum class Sameness {
    Identical, ///< the same bytes, also of what they import
    Equal,     ///< different text, same derivation
    SameBuild, ///< they differ only in what affects neither compiler nor output
    Different, ///< they may build different things, like any two recipes without normal forms
};
QString toString(Sameness sameness); ///< "identical", "equal", "same-build", "different": the words used in compare
                                     ///< --json

/// Compares the meanings of two recipes. One without a normal form only equals the same bytes. An empty text stands
/// for a file that cannot be read, and differs from every text.
Sameness samenessOf(const QByteArray &text, const Meaning &meaning, const QByteArray &otherText,
                    const Meaning &otherMeaning);

/// The kinds of `unbuilt` in which two recipes differ.
QList<UnbuiltKind> unbuiltDifferences(const Meaning &meaning, const Meaning &other);

} // namespace tmx
