// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/catalog/Catalog.h"
#include "model/recipe/Edits.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace tmx {

/// What README.md and other Markdown files of a branch say about its recipes: their number, their nixpkgs, branches.
/// Pure and thread-safe.

inline constexpr QLatin1StringView readmeFileName{"README.md"};
/// Lines in a README between which the program writes; in a code block they are ignored. The first may name columns:
/// "<!-- torch-matrix: begin links totals -->".
inline constexpr QByteArrayView readmeBegin = "<!-- torch-matrix: begin -->";
inline constexpr QByteArrayView readmeEnd = "<!-- torch-matrix: end -->";

/// The columns that the first marker names; nullopt if the line is not such a marker.
std::optional<QStringList> readmeColumns(const QByteArray &line);
/// The first marker, with these columns.
QByteArray readmeBeginWith(const QStringList &columns);

bool isDocument(const QString &path); ///< a Markdown file

/// Digits of an abbreviated id, as git writes them.
inline constexpr qsizetype shortestId = 7;
/// The nixpkgs revisions that a line states: hexadecimal words in a line about nixpkgs or a pin.
QStringList pinsIn(const QString &line);
/// Whether a line is about the past: "old -> new".
bool tellsChange(const QString &line);
/// Those of the branches that a line names as whole words; "main" only in backquotes.
QStringList branchesNamedIn(const QString &line, const QStringList &branches);
/// Whether a line names, in backquotes, what may be a branch that is none of these.
bool namesUnknownBranch(const QString &line, const QStringList &branches);
/// The branches that a line tells to check out, or links to in the repository of any of these names.
QStringList branchesToCheckOut(const QString &line, const QStringList &repositoryNames);

/// A version that recipes build since a change, in place of another.
struct ReplacedVersion {
    QStringList names; ///< words and titles of the family
    QString former;
    QString now;
    bool isPartly = false; ///< some recipes still build the former one: no line is changed
};

/// What a document is compared with.
struct Documented {
    QString branch; ///< that has the document
    QList<Variant> recipes;
    QStringList pins;                      ///< that the recipes fetch
    bool isPart = false;                   ///< folders have further recipes, so that nothing is counted
    QStringList branches = {};             ///< all of the repository, remote-tracking ones too
    QStringList repositoryNames = {};      ///< the folder's and the remotes'
    QStringList packages = {};             ///< words and titles of what the recipes build
    QStringList otherPackages = {};        ///< of what others build
    QStringList formerPins = {};           ///< that they fetched before a change
    QStringList newPins = {};              ///< that they fetch since
    QStringList keptPins = {};             ///< that some fetch instead of those, and some do not
    QList<Variant> formerRecipes = {};     ///< before a change; empty: nothing changes
    QString formerBranch = {};             ///< that it is derived from
    QMap<QString, QStringList> built = {}; ///< versions that the recipes state, by word of the family
    QList<ReplacedVersion> versions = {};
};

/// The rules of lines with a former pin or version that are not changed, because they may be about something else.
inline constexpr QLatin1StringView pinUnclearRule{"document-pin-unclear"};
inline constexpr QLatin1StringView versionUnclearRule{"document-version-unclear"};
/// The rule of lines that count or list GPUs, instruction sets, toolkits, Pythons or versions as they were before a
/// change, and of tables that have a row for each of them.
inline constexpr QLatin1StringView listStaleRule{"document-list-stale"};
/// The rule of lines that say on a derived branch that the one that it was derived from is this one.
inline constexpr QLatin1StringView branchStaleRule{"document-branch-stale"};

/// A statement that is not true, and the edit that makes it true if that is certain.
struct OutdatedLine {
    Finding finding;
    Edits edits;
};

/// Checks:
/// - The number of recipes: in a sentence that names the branch or says "this branch", in a total and its parts, of a
///   toolkit or a package, in the row of a table of branches, versions or toolkits, and between the program's own
///   markers.
/// - The nixpkgs: in a line that begins with it, or that names the branch and no other. A line with a former one that
///   may be about something else has no edit.
/// - The version that a change replaces: in a line or a row that begins with the package, in an example, or in what
/// names
///   the branch. A line that states nixpkgs too gets both or neither.
/// - What a change adds: in numbers of GPUs, instruction sets, toolkits and Pythons, in lists of all of them, in tables
/// with a row for each. They are named, not changed.
/// - Branches to check out that do not exist.
QList<OutdatedLine> auditDocument(const QByteArray &text, const Documented &facts);

} // namespace tmx
