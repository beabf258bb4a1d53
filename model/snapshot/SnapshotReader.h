// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/BranchSource.h"

#include <functional>

namespace tmx {

class DiskCache;

/// One branch as it was read.
struct ReadBranch {
    BranchSource source; ///< for a working tree: what was checked out when it was read
    std::shared_ptr<const BranchSnapshot> snapshot;
    std::shared_ptr<const BranchContent> content; ///< the files that the snapshot was made from
    QByteArray key; ///< of what was read, see keysOf(); empty: an object is damaged, so no answer may be kept
};

/// Several branches, in the requested order.
struct BranchesReading {
    QString repository; ///< root of the working tree
    QList<ReadBranch> branches;
    QList<UnreadBranch> unread; ///< they are not in `branches`
    QStringList watchPaths;     ///< as BranchSources::watchPaths
    bool stopped = false;       ///< `branches` has what was read before the stop

    [[nodiscard]] const ReadBranch *find(const QString &label) const;
};

/// Reads branches: content, settings, rendered and audited recipes, the state of each cell, and the texts of deleted
/// recipes that are wanted (VariantEntry::restoredFrom). Caches a limited amount of what was read and made, so that a
/// blob on several branches is read and parsed once, and an unchanged branch is not processed again.
///
/// Thread-safe: one object serves all workers. Each read opens its own libgit2 handle; nothing is checked out. All
/// functions block, so they are for workers; each ends soon after `hooks` requests a stop.
class SnapshotReader
{
public:
    static constexpr qsizetype usualRecipes = 50'000;
    /// Caches branches of `keptRecipes` recipes in all, of about 30 KiB each; 0: none. Not explicit, so that a catalog
    /// can be passed to a call that needs no shared cache.
    SnapshotReader(const std::shared_ptr<const Catalog> &catalog, // NOLINT(google-explicit-constructor)
                   qsizetype keptRecipes = usualRecipes);
    ~SnapshotReader();

    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const;
    /// The cache for rendered recipes and judgements.
    [[nodiscard]] const RecipeCache &recipes() const;

    /// `hooks` gets percents. `opened`: the source's repository, if it is open already. Errors: as Repository::open;
    /// damaged repository; unreadable index; stoppedError().
    [[nodiscard]] Result<ReadBranch> read(const BranchSource &source, const WorkHooks &hooks = {},
                                          Templates templates = Templates::Rendered,
                                          const Repository *opened = nullptr) const;
    /// Reads the source that branchNamed() returns. Errors: those of branchNamed() too.
    [[nodiscard]] Result<ReadBranch> read(const QString &path, const QString &branch = {}, const WorkHooks &hooks = {},
                                          Templates templates = Templates::Rendered) const;
    /// Reads several branches at a time. A branch that cannot be read is in the result's `unread`. `hooks` gets numbers
    /// of branches.
    [[nodiscard]] BranchesReading readAll(const BranchSources &sources, const WorkHooks &hooks = {},
                                          Templates templates = Templates::Rendered) const;
    /// As readAll(), but passes each branch that could be read to `take`, in its worker, with its place in `sources`,
    /// and keeps none: memory may not hold the recipes of all branches. The result's `branches` is empty.
    [[nodiscard]] BranchesReading readEach(const BranchSources &sources,
                                           const std::function<void(qsizetype, const ReadBranch &)> &take,
                                           const WorkHooks &hooks = {},
                                           Templates templates = Templates::Rendered) const;
    /// The recipes that the last 1000 commits of a branch deleted without adding another recipe of the same row and
    /// instruction set (CommitReader::deletions). Empty if `hooks` requested a stop. Cached by commit. Error: the
    /// history cannot be read.
    [[nodiscard]] Result<QList<DeletedFile>> deletions(const QString &repository, const QString &commit,
                                                       const WorkHooks &hooks = {}) const;
    /// Only the files, for uses that need no snapshot. Errors: as read().
    [[nodiscard]] Result<std::shared_ptr<const BranchContent>>
    content(const BranchSource &source, const WorkHooks &hooks = {}, const Repository *opened = nullptr) const;

private:
    enum class Keep { No, Yes }; ///< whether the cache gets the branch
    [[nodiscard]] Result<ReadBranch> readOne(const BranchSource &asked, const WorkHooks &hooks, Templates templates,
                                             Keep keep, const Repository *opened = nullptr) const;
    [[nodiscard]] BranchesReading readThem(const BranchSources &sources,
                                           const std::function<void(qsizetype, const ReadBranch &)> &take,
                                           const WorkHooks &hooks, Templates templates, Keep keep) const;

    struct Private;
    std::unique_ptr<Private> d;
};

/// Checks that all of a branch could be read, because decisions on a whole branch need it all: `what` is done with it.
/// The error names the first that could not.
Result<void> checkWhole(const BranchContent &content, const QString &what);

/// For each source, the key that ReadBranch has when it is read now: equal if the source, its recipes and its settings
/// file are equal, and its companions find the same PyTorch recipes beside their repository. Starts with a line break.
/// For caches. `cache` keeps which commits fetch no PyTorch; their recipes are not read again. Errors: as
/// SnapshotReader::read.
QList<Result<QByteArray>> keysOf(const QList<BranchSource> &sources, const DiskCache *cache = nullptr);

} // namespace tmx
