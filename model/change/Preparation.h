// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/change/ChangeSet.h"
#include "model/snapshot/SnapshotReader.h"

namespace tmx {

class Library;

/// What prepare() gives to the maker of a change: where it reads, and what is common to the changes that it makes.
class Preparation
{
public:
    const SnapshotReader &reader;
    const OpenedRepository &opened;
    const QString &path; ///< of the repository, as it was opened
    const WorkHooks &hooks;

    [[nodiscard]] const RecipeCache &recipes() const { return reader.recipes(); }

    /// Reads a branch; an empty name: the checked-out one.
    [[nodiscard]] Result<ReadBranch> read(const QString &branch, const WorkHooks &part) const;
    /// A further error: that of checkWhole(). `what`: "plan".
    [[nodiscard]] Result<ReadBranch> readWhole(const QString &branch, const QString &what, const WorkHooks &part) const;
    /// A further error: torch-matrix.toml cannot be read, so the settings are not the branch's own.
    [[nodiscard]] Result<ReadBranch> readKnown(const QString &branch, const QString &what, const WorkHooks &part) const;
    /// Whether the working tree's settings differ from the commit's.
    [[nodiscard]] bool settingsDiffer(const ReadBranch &read) const;
    /// Warns of changed settings that the commit does not contain.
    void nameSettings(ChangeSet &changes, const ReadBranch &read) const;

    /// Adds the entries that new recipes need to the tables that they import. A recipe for which that is impossible, or
    /// that is not what its name promises, is not chosen; returns why the first one is not.
    std::optional<Error> completeTables(const ReadBranch &read, Library &library, ChangeSet &changes) const;
    void tellPins(ChangeSet &changes, const std::shared_ptr<const RecipeFiles> &files) const;
    /// Warns of packages that are no variants and become others, because they import what changes.
    void nameFollowing(ChangeSet &changes, const BranchContent &content,
                       const std::shared_ptr<const RecipeFiles> &files) const;
    /// Adds what documents of the snapshot's branch, as `source` has them, say about it and will not be true after the
    /// change. A plan takes what is not true already, too. `derivedFrom`: the branch that it is derived from, if it is.
    void addDocuments(ChangeSet &changes, const BranchSource &source, const BranchSnapshot &snapshot,
                      bool isPlan = false, const QString &derivedFrom = {}) const;
    /// Warns of lists in imported tables that have a toolkit or an instruction set of which the change leaves no
    /// recipe.
    void nameEmptyLists(ChangeSet &changes, const BranchSnapshot &snapshot) const;
    /// Adds warnings for companions that take torch from a recipe next to them which the change removes.
    void nameBereaved(ChangeSet &changes, const BranchSnapshot &snapshot) const;
    [[nodiscard]] Result<QList<ChangeSet>> withBereaved(Result<ChangeSet> changes,
                                                        const BranchSnapshot &snapshot) const;
    /// The change with check(), and with what documents say about the branch and will not be true after it. A plan
    /// takes what is not true already, too.
    [[nodiscard]] Result<QList<ChangeSet>> checked(Result<ChangeSet> changes, const ReadBranch &read,
                                                   bool isPlan = false) const;
};

Result<QList<ChangeSet>> alone(Result<ChangeSet> changes);

/// A change for this branch in its current state, without files.
ChangeSet changeOf(const BranchSnapshot &snapshot, ChangeSet::Until until);

} // namespace tmx
