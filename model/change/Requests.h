// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/SettingsChange.h"
#include "model/export/CiPipeline.h"
#include "model/repository/ChangeSet.h"

#include <QHash>

#include <variant>

namespace tmx {

/// What somebody asks to be changed, before it is worked out (Change.h). Values. An empty `branch` or `from` means the
/// branch that is checked out.

/// Recipes that are missing, from the branch's templates or like one of its recipes.
struct GenerateRequest {
    QString branch;
    QStringList names; ///< variants
    bool all = false;  ///< as well as `names`: all that the settings promise and the branch lacks; of Until::Commit
                       ///< those that are written or staged already as well, where they hold the template's text
    ChangeSet::Until until = ChangeSet::Until::Index; ///< Commit, for a branch that is not checked out
    QString message;                                  ///< of the commit; empty: the usual one
    QString like = {}; ///< a recipe of the branch: its text is taken, with the facts of the variant exchanged
    bool operator==(const GenerateRequest &) const = default;
};

/// Recipes as they are in the work tree, into one commit.
struct CommitRequest {
    QStringList names;
    QString message;  ///< empty: the usual one
    QString seenHead; ///< commit that the user saw checked out; empty: the branch had none
    bool operator==(const CommitRequest &) const = default;
};

/// Recipes as they are in the work tree, into the index: flox sees tracked files alone.
struct StageRequest {
    QStringList names;
    bool operator==(const StageRequest &) const = default;
};

/// Recipes that are to go: by a commit, and those that were never committed without one.
struct DeleteRequest {
    QString branch;
    QStringList names; ///< variants
    bool operator==(const DeleteRequest &) const = default;
};

/// Recipes of the branch that is checked out as they were committed last, in work tree and index; those that were never
/// committed are to go.
struct DiscardRequest {
    QStringList names; ///< variants
    bool operator==(const DiscardRequest &) const = default;
};

/// All that makes a branch what its settings promise.
struct PlanRequest {
    QString branch;
    bool operator==(const PlanRequest &) const = default;
};

enum class FixWay {
    InPlace,    ///< the bytes that the finding is about, and no other
    Regenerate, ///< the whole recipe, from the branch's template
};
/// What resolves a finding of the audit, or all findings of a rule.
struct FixRequest {
    QString branch;
    QString finding; ///< "NAME:RULE" or "NAME:RULE:LINE" (findingName()); of Anew "NAME" is enough
    FixWay way = FixWay::InPlace;
    QString rule = {};       ///< all its findings, in place and in one commit; then `finding` is empty
    QStringList names = {};  ///< of `rule`: the recipes to look in; empty: all
    QString statedHash = {}; ///< of "NAME:hash-mismatch", which a build found: the hash that the recipe states,
    QString rightHash = {};  ///< and the one that its source has, both as Nix prints them
    bool operator==(const FixRequest &) const = default;
};

/// A new branch with the recipes of another under changed settings.
struct DeriveRequest {
    QString from;
    QString name; ///< of the new branch; one that git refuses is the change's refusal
    SettingsChange change;
    bool drop = false; ///< recipes without a place on the new branch may be left out
    bool operator==(const DeriveRequest &) const = default;
};

/// The recipes of a branch under changed settings.
struct MigrateRequest {
    QString branch;
    SettingsChange change;
    bool inPlace = false; ///< customised recipes are changed in place
    bool operator==(const MigrateRequest &) const = default;
};

/// The coverage of another branch, "DIR@BRANCH" or a branch of this repository, in the settings of a branch.
struct CoverageRequest {
    QString from;
    QString to;
    bool operator==(const CoverageRequest &) const = default;
};

/// Cells of one branch on another, rendered for the other's settings.
struct CopyRequest {
    QString from;
    QString to;
    QStringList names; ///< variants of `from`
    bool operator==(const CopyRequest &) const = default;
};

/// The tables of README.md; a change for each branch.
struct ReadmeRequest {
    QStringList branches; ///< empty: every local one
    bool place = false;   ///< markers, or the whole file, are chosen to be written where they are missing
    std::optional<QStringList> columns = {}; ///< that the marker is to name (ReadmeColumns); nullopt: as it does
    bool operator==(const ReadmeRequest &) const = default;
};

/// A pipeline that builds the branch's committed recipes on a CI host.
struct ExportRequest {
    QString branch;
    CiOptions options;
    QString only;                          ///< word for what `names` are (CiMatrix::only); empty: all
    std::optional<QStringList> names = {}; ///< variants that are built; nullopt: all
    QString since = {};                    ///< any revision: only recipes that differ from it; empty: all
    bool place = false;                    ///< markers are chosen to be written into a file that has none
    QHash<QString, qint64> seconds = {};   ///< how long variants take to build, where that is known
    bool operator==(const ExportRequest &) const = default;
};

/// torch-matrix.toml.
struct SettingsRequest {
    QString branch;
    std::optional<Settings> settings; ///< to be written; nullopt: as they are, with `key` changed
    QString key;                      ///< as withLineKey() takes it; empty: none
    QString value;
    bool rewrite = false; ///< an existing file may be rewritten although its comments are lost
    ChangeSet::Until until = ChangeSet::Until::Commit;
    bool operator==(const SettingsRequest &) const = default;
};

/// Takes back what this program did.
struct UndoRequest {
    QString branch;
    QString commit; ///< any revision, or the ref of saved texts; empty: what was done last
    bool operator==(const UndoRequest &) const = default;
};

using ChangeRequest = std::variant<GenerateRequest, CommitRequest, StageRequest, DeleteRequest, DiscardRequest,
                                   PlanRequest, FixRequest, DeriveRequest, MigrateRequest, CopyRequest, CoverageRequest,
                                   ReadmeRequest, ExportRequest, SettingsRequest, UndoRequest>;

} // namespace tmx
