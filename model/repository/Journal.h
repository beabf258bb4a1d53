// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/OpenRepository.h"

#include <QByteArray>
#include <QList>

#include <optional>
#include <sys/stat.h>

namespace tmx {

/// What one change does to the files that git and people share. It is written into the journal before anything of it is
/// done, and carried out by this process or, after a kill, by the next one.
struct JournalPlan {
    /// One file of the work tree. The journal holds the new text in `text-N` and the old one in `old-N`.
    struct File {
        QString path;   ///< relative to the root
        QString before; ///< SHA-256 of the bytes; empty: no file
        QString after;  ///< the same; equal to `before`: the file stays
        QString then; ///< the same, of the text in `then-N`, which replaces `after` once git has committed it; or empty
    };
    QString workTree; ///< git's name for it: "." for the main one; empty: none takes part
    QList<File> files;
    bool index = false; ///< `index` in the journal replaces that of the work tree
    QString branch;     ///< name of the branch that moves to the commit in `ref`; empty: none
    bool head = false;  ///< HEAD is locked, so that the branch stays the one that is checked out
    QString operation;  ///< id, see AppliedOperation; empty: no commit is made
    QString parent;     ///< of the commit; empty: it is the first
    bool byGit = false; ///< the git program commits: the plan stands once the branch has its commit
};

/// The program's own folder in the repository, `.git/torch-matrix`, held by one process at a time (flock: the kernel
/// releases it when its holder dies, in whatever way, and it holds across pid namespaces).
///
/// What is to replace the index and the branch lies there as whole files. git's own locks (HEAD.lock, index.lock, the
/// branch's) are taken as hard links to `token`, so a lock that a killed process left is known as ours by its inode,
/// and whoever holds the journal knows that its maker is dead. decide() writes the plan. Killed before, recovery
/// removes the locks; killed after, it carries the plan out, since with the locks in place nobody else could move
/// anything in between.
///
/// Where the git program commits (hooks), git needs the locks of HEAD and the branch for itself. The plan is then
/// carried out in two steps: the files before git runs, the index after. Recovery looks whether git made the commit:
/// if so it goes forward, else it restores the files. As long as that git runs, nobody recovers.
///
/// No file there holds an absolute path, so a repository that was moved or copied recovers itself. Files are opened
/// without following links, count only where they belong to the user, and only files with the names above are removed.
/// The plan carries a checksum, and a text is put in place only where it has the hash that the plan says.
class Journal
{
public:
    /// Waits up to ten seconds for another process of ours; recovers what a killed one left. Error: busy, read-only.
    static Result<Journal> take(const OpenRepository &repository, const QString &what);
    /// Whether a killed process left something that is to be recovered. Changes nothing.
    static bool isLeftOver(const OpenRepository &repository);
    /// Recovers what a killed process left, if there is anything and no other process is at work. Never waits.
    static void recoverIfNeeded(const OpenRepository &repository);

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

    /// From here on the plan is to be carried out. Error: disk full.
    Result<void> decide(const JournalPlan &plan, const QString &what) const;
    [[nodiscard]] std::optional<JournalPlan> decided() const;
    /// The plan is done, or taken back.
    void forget() const;

private:
    Journal(const QString &folder, int folderFd, int lockFd)
        : m_folder(folder)
        , m_folderFd(folderFd)
        , m_lockFd(lockFd)
    {
    }
    static Result<Journal> open(const OpenRepository &repository, bool create, const QString &what);
    bool lock() const;
    void sweep() const;

    QString m_folder;
    int m_folderFd = -1;
    int m_lockFd = -1;
};

/// One of git's lock files, taken as a hard link to the journal's token. Released with this.
class HeldLock
{
public:
    HeldLock() = default;
    HeldLock(HeldLock &&other) noexcept;
    HeldLock &operator=(HeldLock &&other) noexcept;
    ~HeldLock();

    /// Locks `target` ("…/index" by "…/index.lock"); waits half a second for another git. Error: locked, read-only.
    static Result<HeldLock> take(const Journal &journal, const QString &target, const QString &what);

private:
    QString m_target; ///< empty: nothing is held
};

/// Git's name for the work tree that is open: "." for the main one.
QString workTreeName(const OpenRepository &repository);

} // namespace tmx
