// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/SettingsChange.h"
#include "model/export/CiPipeline.h"
#include "model/git/ChangeSet.h"

#include <QHash>

#include <variant>

namespace tmx {

/// The user's requests for changes, before they are prepared (Change.h). Plain values. An empty `branch` or `from`
/// means the checked-out branch.

/// Creates missing recipes, from the branch's templates or like one of its recipes.
struct GenerateRequest {
    QString branch;
    QStringList names; ///< variants
    bool all = false;  ///< in addition to `names`, all variants that the settings cover and the branch lacks; with
                       ///< Until::Commit also those that are already written or staged with the template's text
    ChangeSet::Until until = ChangeSet::Until::Index; ///< must be Commit for a branch that is not checked out
    QString message;                                  ///< commit message; empty: the default
    QString like = {}; ///< a recipe of the branch: its text is used, with the variant's facts exchanged
    bool operator==(const GenerateRequest &) const = default;
};

/// Commits recipes as they are in the working tree.
struct CommitRequest {
    QStringList names;
    QString message;  ///< empty: the default
    QString seenHead; ///< the checked-out commit that the user saw; empty: the branch had none
    bool operator==(const CommitRequest &) const = default;
};

/// Adds recipes as they are in the working tree to the index, because flox sees only tracked files.
struct StageRequest {
    QStringList names;
    bool operator==(const StageRequest &) const = default;
};

/// Deletes recipes: with a commit, or without one if they were never committed.
struct DeleteRequest {
    QString branch;
    QStringList names; ///< variants
    bool operator==(const DeleteRequest &) const = default;
};

/// Restores recipes of the checked-out branch to their last committed text, in working tree and index; deletes those
/// that were never committed.
struct DiscardRequest {
    QStringList names; ///< variants
    bool operator==(const DiscardRequest &) const = default;
};

/// Makes a branch match its settings.
struct PlanRequest {
    QString branch;
    bool operator==(const PlanRequest &) const = default;
};

enum class FixWay {
    InPlace,    ///< only the bytes that the finding is about
    Regenerate, ///< the whole recipe, from the branch's template
};
/// Resolves a finding of the audit, or all findings of a rule.
struct FixRequest {
    QString branch;
    QString finding; ///< "NAME:RULE" or "NAME:RULE:LINE" (findingName()); for Regenerate "NAME" is enough
    FixWay way = FixWay::InPlace;
    QString rule = {};       ///< fix all findings of this rule, in place and in one commit; then `finding` is empty
    QStringList names = {};  ///< with `rule`: the recipes to look in; empty: all
    bool several = false;    ///< with `rule`: one of several branches, which need not have such a finding
    QString statedHash = {}; ///< for "NAME:hash-mismatch", which a build found: the hash that the recipe states
    QString rightHash = {};  ///< and the hash of its source; both as printed by Nix
    bool operator==(const FixRequest &) const = default;
};

/// Creates a branch with the recipes of another one under changed settings.
struct DeriveRequest {
    QString from;
    QString name; ///< name of the new branch; if git does not allow it, the change has a refusal
    SettingsChange change;
    bool drop = false;   ///< leave out recipes without a place on the new branch
    bool render = false; ///< customised recipes that cannot be changed in place get the template's text
    bool operator==(const DeriveRequest &) const = default;
};

/// Changes the settings of a branch and adapts its recipes.
struct MigrateRequest {
    QString branch;
    SettingsChange change;
    bool inPlace = false; ///< change customised recipes in place
    bool operator==(const MigrateRequest &) const = default;
};

/// Copies the coverage of another branch, "DIR@BRANCH" or a branch of this repository, to the settings of a branch.
struct CoverageRequest {
    QString from;
    QString to;
    bool operator==(const CoverageRequest &) const = default;
};

/// Copies cells of one branch to another, rendered for the other's settings.
struct CopyRequest {
    QString from;
    QString to;
    QStringList names; ///< variants of `from`
    bool operator==(const CopyRequest &) const = default;
};

/// Updates the tables of README.md; one change per branch.
struct ReadmeRequest {
    QStringList branches;                    ///< empty: all local branches
    bool place = false;                      ///< also choose to add missing markers or files
    std::optional<QStringList> columns = {}; ///< columns for the marker (ReadmeColumns); nullopt: keep those it names
    bool operator==(const ReadmeRequest &) const = default;
};

/// Exports a pipeline that builds the branch's committed recipes on a CI host.
struct ExportRequest {
    QString branch;
    CiOptions options;
    QString only;                          ///< word for the selection in `names` (CiMatrix::only); empty: all
    std::optional<QStringList> names = {}; ///< variants to build; nullopt: all
    QString since = {};                    ///< any revision: build only recipes that differ from it; empty: all
    bool place = false;                    ///< also choose to add markers to a file without them
    QHash<QString, qint64> seconds = {};   ///< build times of variants, as far as known
    bool operator==(const ExportRequest &) const = default;
};

/// Writes torch-matrix.toml.
struct SettingsRequest {
    QString branch;
    std::optional<Settings> settings; ///< settings to write; nullopt: the current ones with `key` changed
    QString key;                      ///< in the form of withSettingsKey(); empty: none
    QString value;
    bool rewrite = false;                    ///< an existing file may be rewritten although its comments are lost
    std::optional<IgnoredRule> ignored = {}; ///< to add; `settings` and `key` are not used then
    ChangeSet::Until until = ChangeSet::Until::Commit;
    bool operator==(const SettingsRequest &) const = default;
};

/// Undoes what this program did.
struct UndoRequest {
    QString branch;
    QString commit;    ///< any revision, or the ref of saved texts; empty: the last step
    bool redo = false; ///< the last step that was undone, instead of `commit`
    bool operator==(const UndoRequest &) const = default;
};

using ChangeRequest = std::variant<GenerateRequest, CommitRequest, StageRequest, DeleteRequest, DiscardRequest,
                                   PlanRequest, FixRequest, DeriveRequest, MigrateRequest, CopyRequest, CoverageRequest,
                                   ReadmeRequest, ExportRequest, SettingsRequest, UndoRequest>;

} // namespace tmx
