// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <array>
#include <tuple>

namespace tmx {

/// What a recipe may state without reaching compiler or output.
enum class UnbuiltKind {
    NinjaFlags,     ///< `ninjaFlags` of -j and -l alone: Python packages of nixpkgs do not call ninja with them
    MaxJobs,        ///< MAX_JOBS, exported or an attribute: nixpkgs sets it from the cores of the build afterwards
    SystemFeatures, ///< `requiredSystemFeatures`: says which machine builds
    System,         ///< `system` of a pinned nixpkgs where it is the caller's, which it has anyway
    Echo,           ///< `echo` of a phase, without a redirection or a command in it
    ShellComment,   ///< comments of a phase; so do blanks and empty lines between its words
    FlagOrder,      ///< order of `-DNAME=` in cmakeFlags that define different variables
    MetaText,       ///< description, longDescription, homepage, changelog and downloadPage of `meta`
};
inline constexpr std::array allUnbuiltKinds{UnbuiltKind::NinjaFlags, UnbuiltKind::MaxJobs, UnbuiltKind::SystemFeatures,
                                            UnbuiltKind::System,     UnbuiltKind::Echo,    UnbuiltKind::ShellComment,
                                            UnbuiltKind::FlagOrder,  UnbuiltKind::MetaText};
QString toString(UnbuiltKind kind); ///< "ninja_flags", "max_jobs", ...: the words of compare --json
QString labelOf(UnbuiltKind kind);  ///< for people, translated: "ninjaFlags", "echo lines"

/// One thing that a recipe states without effect, for settings that want to keep it.
struct Unbuilt {
    UnbuiltKind kind = UnbuiltKind::Echo;
    QString where; ///< path of the attribute: "ninjaFlags", "preConfigure", "meta.description"
    QString value; ///< "-j32", "32", "big-parallel", "pkgs.system"; of all others a checksum
    bool operator==(const Unbuilt &) const = default;
    bool operator<(const Unbuilt &other) const
    {
        return std::tie(kind, where, value) < std::tie(other.kind, other.where, other.value);
    }
};

/// What a recipe means, in one form for all ways to write it (model/nix/NormalForm).
struct Meaning {
    QByteArray exact;       ///< hash of all that the expression says; empty: it has no normal form
    QByteArray build;       ///< hash of what may reach compiler or output; empty as `exact` is
    QString problem;        ///< why there is no normal form: lower case, without a full stop
    QList<Unbuilt> unbuilt; ///< what `build` leaves out, sorted; each once

    [[nodiscard]] bool isKnown() const { return !exact.isEmpty(); }
    bool operator==(const Meaning &) const = default;
};

/// Reads any recipe. Pure and thread-safe.
Meaning readMeaning(const QByteArray &text);

/// How alike two recipes are.
enum class Sameness {
    Identical, ///< the same bytes
    Equal,     ///< other text, the same derivation
    SameBuild, ///< they differ in what reaches neither compiler nor output
    Different, ///< they may build something else; so may every recipe without a normal form
};
QString toString(Sameness sameness); ///< "identical", "equal", "same-build", "different": the words of compare --json

/// Compares what was read of two texts. A text without a normal form is the same only byte by byte; an empty text,
/// which stands for a file that cannot be read, is like no other.
Sameness samenessOf(const QByteArray &text, const Meaning &meaning, const QByteArray &otherText,
                    const Meaning &otherMeaning);

/// The kinds of `unbuilt` in which two recipes differ.
QList<UnbuiltKind> unbuiltDifferences(const Meaning &meaning, const Meaning &other);

} // namespace tmx
