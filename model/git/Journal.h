// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/FileLock.h"
#include "model/git/OpenRepository.h"

#include <QByteArray>
#include <QList>

#include <optional>
#include <sys/stat.h>

namespace tmx {

/// What one change does to the files shared with git and the user. It is written to the journal before anything is
/// done, and carried out by this process or, after a kill, by the next one.
struct JournalPlan {
    /// One file of the working tree. The journal has the new text in `text-N` and the old one in `old-N`.
    struct File {
        QString path;   ///< relative to the root
        QString before; ///< SHA-256 of the old bytes; empty: no file
        QString after;  ///< SHA-256 of the new bytes; equal to `before`: the file does not change
        QString then;   ///< SHA-256 of the text in `then-N`, which replaces `after` once git has committed it; or empty
    };
    QString workTree; ///< git's name for the working tree: "." for the main one; empty: none takes part
    QList<File> files;
    bool index = false; ///< `index` in the journal replaces the working tree's index
    QString branch;     ///< name of the branch to move to the commit in `ref`; empty: none
    bool head = false;  ///< HEAD is locked, so that the branch stays checked out
    QString operation;  ///< id, see AppliedOperation; empty: no commit is created
    QString parent;     ///< the commit's parent; empty: it is the first commit
    bool byGit = false; ///< the git program commits: the plan is decided once the branch has the commit
};

/// The program's own folder in the repository, `.git/torch-matrix`, held by one process at a time (FileLock).
///
/// The new index and branch are prepared there as complete files. git's own locks (HEAD.lock, index.lock, the branch's)
/// are taken as hard links to `token`, or as copies of it where the file system has no links, so a lock that a killed
/// process left is recognised as ours by its text, which only this token has; a process that holds the journal knows
/// that the lock's creator is dead. decide() writes the plan. If the process is
/// killed before that, recovery removes the locks; if it is killed afterwards, recovery carries out the plan, because
/// the locks prevented everyone else from changing anything in between.
///
/// If the git program commits (hooks), git needs the locks of HEAD and the branch itself. The plan is then carried out
/// in two steps: the files before git runs, the index afterwards. Recovery checks whether git made the commit: if so,
/// it completes the plan, else it restores the files. No process recovers while that git still runs.
///
/// No file there contains an absolute path, so a repository that was moved or copied recovers itself. Files are opened
/// without following links and must belong to the user; only files with the names above are removed. The plan has a
/// checksum, and a text is put in place only if it has the hash in the plan.
class Journal
{
public:
    /// Waits up to ten seconds for another process of this program; recovers what a killed one left. Error: busy,
    /// read-only.
    static Result<Journal> take(const OpenRepository &repository, const QString &what);
    /// Recovers what a killed process of this user left, if no other process is working. Never waits. False: nothing.
    static bool recoverIfNeeded(const OpenRepository &repository);

    Journal(Journal &&other) noexcept;
    Journal &operator=(Journal &&) = delete;
    ~Journal(); ///< removes its files

    [[nodiscard]] QString folder() const { return m_folder; }
    [[nodiscard]] QString path(const QString &name) const { return m_folder + QLatin1Char('/') + name; }
    enum class Sync { Now, LeftToKernel };
    /// Writes a file of the journal, in place of one of that name. `mode` 0: as a new file has it. What git has too
    /// need not outlive a loss of power: git leaves the files of a checkout to the kernel as well. Error: disk full.
    Result<void> write(const QString &name, const QByteArray &bytes, mode_t mode, const QString &what,
                       Sync sync = Sync::Now) const;
    [[nodiscard]] std::optional<QByteArray> read(const QString &name) const; ///< nullopt: no such regular file
    [[nodiscard]] bool has(const QString &name) const;
    void remove(const QString &name) const;

    /// Makes the plan binding: from now on it is carried out, also after a kill. Error: disk full.
    Result<void> decide(const JournalPlan &plan, const QString &what) const;
    [[nodiscard]] std::optional<JournalPlan> decided() const;
    /// Removes the plan, which was carried out or rolled back.
    void forget() const;

private:
    Journal(const QString &folder, int folderFd, FileLock lock)
        : m_folder(folder)
        , m_folderFd(folderFd)
        , m_lock(std::move(lock))
    {
    }
    static Result<Journal> open(const OpenRepository &repository, bool create, const QString &what);
    bool lock(int operation);
    void sweep() const;

    QString m_folder;
    int m_folderFd = -1;
    FileLock m_lock;
};

/// One of git's lock files, taken as a link to the journal's token or a copy of it. Released by the destructor.
class HeldLock
{
public:
    HeldLock() = default;
    HeldLock(HeldLock &&other) noexcept;
    HeldLock &operator=(HeldLock &&other) noexcept;
    ~HeldLock();

    /// Locks `target` ("…/index" with "…/index.lock"). Waits up to half a second for another git. Error: locked,
    /// read-only.
    static Result<HeldLock> take(const Journal &journal, const QString &target, const QString &what);

private:
    QString m_target; ///< empty: holds nothing
};

/// Git's name for the opened working tree: "." for the main one.
QString workTreeName(const OpenRepository &repository);

} // namespace tmx
