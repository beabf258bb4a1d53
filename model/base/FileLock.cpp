// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/FileLock.h"

#include "model/base/AtomicFile.h"
#include "model/base/Process.h"

#include <QFile>

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace tmx {
namespace {

constexpr auto pollOfHeld = 20ms;
constexpr qsizetype longestHolder = 256;
constexpr int mostEmpty = 25; // half a second

/// Where process ids mean the same: this run of the machine, and this pid namespace.
QByteArray placeOfProcesses()
{
    QFile boot(u"/proc/sys/kernel/random/boot_id"_s);
    const QByteArray id = boot.open(QIODevice::ReadOnly) ? boot.read(64).trimmed() : QByteArray();
    return id + ' ' + QFile::symLinkTarget(u"/proc/self/ns/pid"_s).section(u'/', -1).toUtf8();
}

/// Whether the process that a .held file names is known to be dead.
bool isLeftOver(const QByteArray &holder)
{
    const QByteArrayList lines = holder.split('\n');
    return lines.size() == 3 && lines.at(1) == placeOfProcesses() && !processRuns(lines.at(0));
}

} // namespace

bool isUnsupported(int error)
{
    return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP || error == ENOLCK || error == EPERM ||
           error == ENOTTY;
}

FileLock::FileLock(const QString &path, int operation)
    : FileLock(::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600), path)
{
    take(operation);
}

bool FileLock::take(int operation)
{
    int got = -1;
    while (m_fd >= 0 && (got = ::flock(m_fd, operation)) != 0 && errno == EINTR) {
    }
    m_held = got == 0 || (m_fd >= 0 && isUnsupported(errno) && takeFile(operation));
    return m_held;
}

bool FileLock::takeFile(int operation)
{
    const QString path = m_path + u".held"_s;
    const QByteArray name = QFile::encodeName(path);
    int empty = 0; // A process that was killed between creating and writing it leaves an empty file.
    for (;; std::this_thread::sleep_for(pollOfHeld)) {
        const std::optional<QByteArray> holder = readSmallFile(path, longestHolder);
        empty = holder && holder->isEmpty() ? empty + 1 : 0;
        if (empty > 0 && empty < mostEmpty)
            continue;
        if (holder && (empty > 0 || isLeftOver(*holder))) {
            if ((operation & LOCK_SH) != 0)
                return true;
            // Another process may have seen the same, and hold the lock by now.
            const QString aside = path + QString::number(::getpid());
            if (::rename(name.constData(), QFile::encodeName(aside).constData()) == 0) {
                if (readSmallFile(aside, longestHolder) == holder)
                    QFile::remove(aside);
                else
                    moveToFreeName(QFile::encodeName(aside), name);
            }
            continue;
        }
        if (!holder && (operation & LOCK_SH) != 0)
            return true;
        const int fd = holder ? -1 : ::open(name.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0) {
            const QByteArray text = processMark(::getpid()) + '\n' + placeOfProcesses() + '\n';
            m_hasFile = ::write(fd, text.constData(), size_t(text.size())) == text.size();
            const int error = errno;
            ::close(fd);
            if (!m_hasFile)
                ::unlink(name.constData());
            errno = error;
            return m_hasFile;
        }
        if (!holder && errno != EEXIST)
            return false;
        if ((operation & LOCK_NB) != 0) {
            errno = EWOULDBLOCK;
            return false;
        }
    }
}

void FileLock::unlock()
{
    if (m_hasFile)
        QFile::remove(m_path + u".held"_s);
    else if (m_held)
        ::flock(m_fd, LOCK_UN);
    m_hasFile = m_held = false;
}

void FileLock::release()
{
    unlock();
    if (m_fd >= 0)
        ::close(std::exchange(m_fd, -1));
}

} // namespace tmx
