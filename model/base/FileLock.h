// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tmx {

/// A lock file that is held as long as this object exists; the kernel releases it when the process dies.
class FileLock
{
public:
    FileLock(const QString &path, int operation)
        : m_fd(::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600))
    {
        int got = -1;
        while (m_fd >= 0 && (got = ::flock(m_fd, operation)) != 0 && errno == EINTR) {
        }
        m_held = got == 0;
    }
    ~FileLock() { release(); }
    Q_DISABLE_COPY_MOVE(FileLock)

    [[nodiscard]] bool held() const { return m_held; }
    void release()
    {
        if (m_fd >= 0)
            ::close(m_fd);
        m_fd = -1;
        m_held = false;
    }

private:
    int m_fd;
    bool m_held = false;
};

} // namespace tmx
