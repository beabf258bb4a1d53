// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/BranchSource.h"

namespace tmx {

/// One branch as it was read.
struct ReadBranch {
    BranchSource source; ///< of a work tree: what was checked out when it was read
    std::shared_ptr<const BranchSnapshot> snapshot;
    std::shared_ptr<const BranchContent> content; ///< the files that the snapshot was made from
};

/// Several branches, in the order in which they were asked for.
struct BranchesReading {
    QString repository; ///< root of the work tree
    QList<ReadBranch> branches;
    QList<UnreadBranch> unread; ///< they are not among `branches`
    QStringList watchPaths;     ///< as BranchSources::watchPaths
    bool stopped = false;       ///< `branches` holds what was read until then

    [[nodiscard]] const ReadBranch *find(const QString &label) const;
};

/// Reads branches: content, settings, recipes rendered and audited, the state of each cell, the texts of recipes that
/// were deleted and are wanted (VariantEntry::restoredFrom). Keeps what was read and
/// made within limits, so that a blob that several branches hold is read and parsed once, and a branch that did not
/// move is not made anew.
///
/// Thread-safe: one object serves all workers. Each reading opens its own libgit2 handle; nothing is checked out. All
/// functions block, so they are for workers; each ends soon after `hooks` ask it to stop.
class SnapshotReader
{
public:
    /// Not explicit: a catalog alone serves a call that keeps nothing for the next.
    SnapshotReader(const std::shared_ptr<const Catalog> &catalog); // NOLINT(google-explicit-constructor)
    ~SnapshotReader();

    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const;
    /// What snapshots are made with: rendered recipes and judgements.
    [[nodiscard]] const RecipeCache &recipes() const;

    /// `hooks` are told percents. Errors: as Repository::open; damaged repository; unreadable index; stoppedError().
    [[nodiscard]] Result<ReadBranch> read(const BranchSource &source, const WorkHooks &hooks = {},
                                          Templates templates = Templates::Rendered) const;
    /// The source that branchNamed() gives. Errors: its errors as well.
    [[nodiscard]] Result<ReadBranch> read(const QString &path, const QString &branch = {}, const WorkHooks &hooks = {},
                                          Templates templates = Templates::Rendered) const;
    /// Several at a time. A branch that cannot be read is one of the reading's `unread`. `hooks` are told branches.
    [[nodiscard]] BranchesReading readAll(const BranchSources &sources, const WorkHooks &hooks = {}) const;
    /// The recipes that the last 1000 commits of a branch took away without another recipe of the same row and
    /// instruction set in their place (CommitReader::deletions). Empty where the history cannot be read, or `hooks`
    /// asked to stop. Kept by commit.
    [[nodiscard]] QList<DeletedRecipe> deletions(const QString &repository, const QString &commit,
                                                 const WorkHooks &hooks = {}) const;
    /// The files alone, for what needs no snapshot. Errors: as read().
    [[nodiscard]] Result<std::shared_ptr<const BranchContent>> content(const BranchSource &source,
                                                                       const WorkHooks &hooks = {}) const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// For each source: equal for two whose recipes and settings file are equal, and whose companions find the same PyTorch
/// recipes beside their repository. For caches; reads no recipe of a commit. Errors: as SnapshotReader::read.
QList<Result<QByteArray>> contentIdsOf(const QList<BranchSource> &sources);

} // namespace tmx
