// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/OpenRepository.h"

namespace tmx {

/// The program's own folder in the repository, `.git/torch-matrix`, held by one process at a time (flock: the kernel
/// lets go of it when its holder dies, in whatever way, and it holds across pid namespaces).
///
/// A change of index or branch is prepared there as a whole file. git's own lock, say `index.lock`, is then taken by
/// hard link to that file, and given up by renaming it over `index`. So a lock that a killed process left behind is
/// known by its inode as ours, and who holds the journal knows that its maker is dead. recover() clears it.
///
/// A commit takes the locks of HEAD and of the branch (both are links to `ref`, which holds the new id), then the
/// index's, and looks once more whether all is as it was. decide() then notes that the commit stands. Killed before,
/// recover() takes everything back; killed after, it renames what is left to rename: with the locks in place nobody
/// else could move anything in between. Files of the work tree that the commit changes are laid down before
/// (WorkTreeEdits), and change after.
class Journal
{
public:
    /// Waits up to ten seconds for another process of ours; clears what a killed one left. Error: busy, read-only.
    static Result<Journal> take(const OpenRepository &repository, const QString &what);
    /// Clears what a killed process left, if there is anything and nobody is at work. Never waits.
    static void recoverIfNeeded(const OpenRepository &repository);

    Journal(Journal &&other) noexcept;
    Journal &operator=(Journal &&) = delete;
    ~Journal(); ///< its files go with it: locks that link to them must have ended before

    /// From here on the commit is to be carried through. Error: disk full.
    Result<void> decide(const QString &what) const;

    [[nodiscard]] QString folder() const { return m_folder; }
    [[nodiscard]] QString indexFile() const { return m_folder + QLatin1String("/index"); }
    [[nodiscard]] QString refFile() const { return m_folder + QLatin1String("/ref"); }

private:
    Journal(const QString &folder, int fd)
        : m_folder(folder)
        , m_fd(fd)
    {
    }
    void sweep() const;
    void recover(const OpenRepository &repository) const;
    bool carryThrough(const QString &gitFolder, const QString &branchLock) const;
    [[nodiscard]] QString decisionFile() const { return m_folder + QLatin1String("/decided"); }

    QString m_folder;
    int m_fd = -1;
};

/// One of git's lock files, taken by hard link to a file of the journal, as long as this lives or until publish().
class HeldLock
{
public:
    HeldLock() = default;
    HeldLock(HeldLock &&other) noexcept;
    HeldLock &operator=(HeldLock &&other) noexcept;
    ~HeldLock();

    /// Locks `target` ("…/index" by "…/index.lock"); waits half a second for another git. Error: locked, read-only.
    static Result<HeldLock> take(const QString &journalFile, const QString &target, const QString &what);
    /// Renames the lock over what it locks.
    Result<void> publish(const QString &what);

private:
    QString m_target; ///< empty: nothing is held
};

} // namespace tmx
