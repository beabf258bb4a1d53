// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/AtomicFile.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(tmx::AtomicFile)
};

/// A file that is being written. One with a name is removed again unless it got its final one.
struct Draft {
    int fd = -1;
    QByteArray name; ///< empty: the file has none (O_TMPFILE)

    Draft() = default;
    Q_DISABLE_COPY_MOVE(Draft)
    ~Draft()
    {
        if (fd >= 0)
            ::close(fd);
        if (!name.isEmpty())
            ::unlink(name.constData());
    }

    bool openUnnamed(const QString &folder)
    {
#ifdef O_TMPFILE
        fd = ::open(QFile::encodeName(folder).constData(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#else
        Q_UNUSED(folder)
#endif
        return fd >= 0;
    }

    bool openNamed(const QString &folder)
    {
        QByteArray pattern = QFile::encodeName(folder + u"/.torch-matrix-XXXXXX"_s);
        fd = ::mkostemp(pattern.data(), O_CLOEXEC);
        if (fd >= 0)
            name = pattern;
        return fd >= 0;
    }

    bool write(const QByteArray &content) const
    {
        for (qsizetype done = 0; done < content.size();) {
            const ssize_t n = ::write(fd, content.constData() + done, size_t(content.size() - done));
            if (n < 0 && errno != EINTR)
                return false;
            done += qMax<ssize_t>(n, 0);
        }
        return ::fsync(fd) == 0;
    }
};

QString reason(int error)
{
    return error == EACCES || error == EPERM || error == EROFS ? Tr::tr("the folder or file is not writable") : qt_error_string(error);
}

/// So that the new name itself survives a loss of power. A file system that cannot do this for a folder has no better to offer.
void flushFolder(const QString &folder)
{
    const int fd = ::open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        ::fsync(fd);
        ::close(fd);
    }
}

mode_t modeOfNewFile()
{
    // There is no way to ask for the umask without setting it, which would race with other threads; /proc tells it.
    QFile status(u"/proc/self/status"_s);
    if (status.open(QIODevice::ReadOnly)) {
        for (const QByteArray &line : status.readAll().split('\n')) {
            if (line.startsWith("Umask:"))
                return 0666 & ~mode_t(line.mid(6).trimmed().toUInt(nullptr, 8));
        }
    }
    return 0644;
}

/// Gives the draft its final name without replacing anything; errno tells why not.
bool linkDraft(Draft &draft, const QByteArray &target)
{
    if (!draft.name.isEmpty())
        return ::link(draft.name.constData(), target.constData()) == 0; // the other name goes with the draft
    const QByteArray self = "/proc/self/fd/" + QByteArray::number(draft.fd);
    return ::linkat(AT_FDCWD, self.constData(), AT_FDCWD, target.constData(), AT_SYMLINK_FOLLOW) == 0;
}

/// 0, or the errno of what failed.
int writeNew(const QString &folder, const QByteArray &target, const QByteArray &content, const QString &scratchDir)
{
    Draft unnamed;
    if (unnamed.openUnnamed(folder)) {
        if (!unnamed.write(content))
            return errno;
        if (linkDraft(unnamed, target))
            return 0;
        if (errno != ENOENT) // ENOENT: no /proc here
            return errno;
    } else if (errno == EACCES || errno == EROFS || errno == ENOSPC || errno == EDQUOT) {
        return errno;
    }
    for (const QString &place : {scratchDir, folder}) {
        Draft draft;
        if (place.isEmpty() || !draft.openNamed(place)) {
            if (place == folder)
                return errno;
            continue;
        }
        if (!draft.write(content) || ::fchmod(draft.fd, modeOfNewFile()) != 0)
            return errno;
        if (linkDraft(draft, target))
            return 0;
        if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS) { // a file system without hard links
            if (::renameat2(AT_FDCWD, draft.name.constData(), AT_FDCWD, target.constData(), RENAME_NOREPLACE) != 0)
                return errno;
            draft.name.clear();
            return 0;
        }
        if (errno != EXDEV || place == folder)
            return errno;
    }
    return EXDEV;
}

int replace(const QString &folder, const QByteArray &target, mode_t mode, const QByteArray &content, const QString &scratchDir)
{
    for (const QString &place : {scratchDir, folder}) {
        Draft draft;
        if (place.isEmpty() || !draft.openNamed(place)) {
            if (place == folder)
                return errno;
            continue;
        }
        if (!draft.write(content) || ::fchmod(draft.fd, mode) != 0)
            return errno;
        if (::rename(draft.name.constData(), target.constData()) == 0) {
            draft.name.clear();
            return 0;
        }
        if (errno != EXDEV || place == folder)
            return errno;
    }
    return EXDEV;
}

} // namespace

Result<void> writeFileAtomically(const QString &path, const QByteArray &content, const QString &scratchDir, Existing existing)
{
    const auto failed = [&](const QString &why, const QString &remedy = {}) { return Error{Tr::tr("write"), path, why, remedy}; };

    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder))
        return failed(Tr::tr("its folder cannot be made"), Tr::tr("Check the permissions of %1.").arg(folder));

    const QByteArray target = QFile::encodeName(path);
    struct stat info {};
    const bool present = ::lstat(target.constData(), &info) == 0;
    if (present && S_ISLNK(info.st_mode))
        return failed(Tr::tr("it is a link, and links are not written through"));
    if (present && !S_ISREG(info.st_mode))
        return failed(Tr::tr("it is not a regular file"));
    if (present && existing == Existing::Refuse)
        return failed(Tr::tr("a file of that name is there already"));

    int error = present ? replace(folder, target, info.st_mode & 07777, content, scratchDir) : writeNew(folder, target, content, scratchDir);
    if (error == EEXIST && existing == Existing::Replace) // it came between lstat and link
        error = replace(folder, target, modeOfNewFile(), content, scratchDir);
    if (error == EEXIST)
        return failed(Tr::tr("a file of that name is there already"));
    if (error == EACCES || error == EPERM || error == EROFS)
        return failed(reason(error), Tr::tr("Check the permissions of %1.").arg(folder));
    if (error != 0)
        return failed(reason(error));
    flushFolder(folder);
    return {};
}

} // namespace tmx
