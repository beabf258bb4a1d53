// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/DiskFile.h"

#include "model/base/WindowThread.h"
#include "model/git/GitError.h"

#include <QFile>
#include <QStringList>

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// `error`: errno if a parent folder cannot be inspected.
Result<void> checkTheWay(const QString &workTree, const QString &path, int &error)
{
    QString folder = workTree;
    QStringList parts = path.split(u'/');
    parts.removeLast();
    for (const QString &part : std::as_const(parts)) {
        folder += u'/' + part;
        struct stat info{};
        int rc = 0;
        while ((rc = ::lstat(QFile::encodeName(folder).constData(), &info)) != 0 && errno == EINTR) {
        }
        if (rc != 0) {
            if (errno == ENOENT || errno == EACCES)
                return {}; // It does not exist yet and will be created; other problems are reported on access.
            error = errno;
            return Error{Tr::tr("use the path"), path, qt_error_string(error), Tr::tr("Check the disk.")};
        }
        if (S_ISLNK(info.st_mode))
            return Error{Tr::tr("use the path"), path,
                         Tr::tr("%1 is a link, and git does not follow links").arg(folder),
                         Tr::tr("Replace the link by a folder.")};
        if (!S_ISDIR(info.st_mode))
            return Error{Tr::tr("use the path"), path, Tr::tr("%1 is not a folder").arg(folder), {}};
        if (::lstat(QFile::encodeName(folder + u"/.git"_s).constData(), &info) == 0)
            return isRepository(folder);
    }
    return {};
}

} // namespace

Error isRepository(const QString &folder)
{
    return {Tr::tr("use the folder"), folder, Tr::tr("it is a separate repository, perhaps a submodule"),
            Tr::tr("Open that repository instead.")};
}

Result<void> checkNoLinkOnTheWay(const QString &workTree, const QString &path, int *unreadable)
{
    int error = 0;
    return checkTheWay(workTree, path, unreadable ? *unreadable : error);
}

bool isText(const QByteArray &bytes)
{
    return !bytes.contains('\0') && bytes.isValidUtf8();
}

DiskFile readDiskFile(const QString &workTree, const QString &path)
{
    belongsToAWorker("reading a file of the working tree");
    DiskFile file;
    int error = 0;
    if (!checkTheWay(workTree, path, error)) {
        file.present = error != 0;
        file.trouble = file.present ? FileTrouble::Unreadable : FileTrouble::None;
        file.error = error;
        return file;
    }
    return readPlainFile(workTree, path);
}

DiskFile readPlainFile(const QString &workTree, const QString &path)
{
    DiskFile file;
    const QByteArray name = QFile::encodeName(workTree + u'/' + path);
    file.present = true;
    int rc = 0;
    while ((rc = ::lstat(name.constData(), &file.info)) != 0 && errno == EINTR) {
    }
    if (rc != 0) {
        file.present = errno != ENOENT && errno != ENOTDIR;
        file.trouble = file.present ? FileTrouble::Unreadable : FileTrouble::None;
        file.error = file.present ? errno : 0;
        return file;
    }
    if (S_ISLNK(file.info.st_mode))
        file.trouble = FileTrouble::Link;
    else if (S_ISDIR(file.info.st_mode))
        file.trouble = FileTrouble::Folder;
    else if (!S_ISREG(file.info.st_mode))
        file.trouble = FileTrouble::Unreadable;
    if (file.trouble != FileTrouble::None)
        return file;

    int fd = -1;
    while ((fd = ::open(name.constData(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) < 0 && errno == EINTR) {
    }
    if (fd < 0) {
        file.present = errno != ENOENT; // It may have been removed meanwhile.
        file.trouble = file.present ? FileTrouble::Unreadable : FileTrouble::None;
        file.error = file.present ? errno : 0;
        return file;
    }
    QFile reader;
    const bool open = reader.open(fd, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle);
    if (open && ::fstat(fd, &file.info) == 0 && S_ISREG(file.info.st_mode))
        file.bytes = reader.read(maxTextBytes + 1);
    else
        file.trouble = FileTrouble::Unreadable;
    if (!open)
        ::close(fd);
    if (reader.error() != QFileDevice::NoError || file.trouble == FileTrouble::Unreadable) {
        file.trouble = FileTrouble::Unreadable;
        file.error = EIO;
    } else if (file.bytes.size() > maxTextBytes) {
        file.trouble = FileTrouble::TooLarge;
    } else if (file.trouble == FileTrouble::None && !isText(file.bytes)) {
        file.trouble = FileTrouble::NotText;
    }
    return file;
}

QList<NameOnDisk> namesOnDisk(const QString &folder, std::error_code &error)
{
    // std::filesystem and QDir make a path of each name, which takes longer than all else.
    QList<NameOnDisk> names;
    const QByteArray path = QFile::encodeName(folder);
    DIR *const open = ::opendir(path.constData());
    errno = open ? 0 : errno;
    for (const dirent *entry = open ? ::readdir(open) : nullptr; entry; entry = ::readdir(open)) {
        const QByteArray name(entry->d_name);
        if (name != "." && name != "..") {
            struct stat info{};
            const bool isFolder = entry->d_type == DT_UNKNOWN // as some file systems say of all
                                      ? ::lstat((path + '/' + name).constData(), &info) == 0 && S_ISDIR(info.st_mode)
                                      : entry->d_type == DT_DIR;
            names.append({QFile::decodeName(name), isFolder});
        }
        errno = 0;
    }
    error = std::error_code(errno, std::generic_category());
    if (open)
        ::closedir(open);
    return names;
}

Result<void> checkRead(const DiskFile &file, const QString &path)
{
    if (file.error == 0 || file.error == EACCES || file.error == EPERM || file.error == ELOOP)
        return {};
    return Error{Tr::tr("read"), path, qt_error_string(file.error), Tr::tr("Check the disk.")};
}

} // namespace tmx
