// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <sys/file.h>
#include <utility>

namespace tmx {

/// Whether an error says that the file system has no such call, or not with these flags: locks, hard links or
/// renameat2() on sshfs, 9p, vfat, and NFS without its lock service.
bool isUnsupported(int error);

/// A lock file that is held as long as this object exists; the kernel releases it when the process dies. If the file
/// system has no locks, an exclusive lock is a second file of the name with ".held", which names its process: the next
/// process removes it if that process is dead. On such a file system, a lock that a process on another machine left
/// stays until somebody removes that file. A shared lock makes no file and removes none.
class FileLock
{
public:
    /// Creates the file if it does not exist. `operation`: as for flock().
    FileLock(const QString &path, int operation);
    /// A file that is open already, not locked yet.
    FileLock(int fd, QString path)
        : m_path(std::move(path))
        , m_fd(fd)
    {
    }
    FileLock(FileLock &&other) noexcept
        : m_path(std::move(other.m_path))
        , m_fd(std::exchange(other.m_fd, -1))
        , m_held(std::exchange(other.m_held, false))
        , m_hasFile(std::exchange(other.m_hasFile, false))
    {
    }
    FileLock &operator=(FileLock &&) = delete;
    Q_DISABLE_COPY(FileLock)
    ~FileLock() { release(); }

    /// Sets errno if it returns false; EWOULDBLOCK: another process holds it.
    bool take(int operation);
    [[nodiscard]] bool held() const { return m_held; }
    void unlock(); ///< keeps the file open
    void release();

private:
    bool takeFile(int operation);

    QString m_path;
    int m_fd = -1;
    bool m_held = false;
    bool m_hasFile = false; ///< the second file is this object's
};

} // namespace tmx
