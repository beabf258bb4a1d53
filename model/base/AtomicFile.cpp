// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/AtomicFile.h"

#include "model/base/FileLock.h"
#include "model/base/Tr.h"
#include "model/base/WindowThread.h"

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

/// A file that is being written. A named draft is removed unless it was renamed to its final name.
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
    return error == EACCES || error == EPERM || error == EROFS ? Tr::tr("the folder or file is not writable")
                                                               : qt_error_string(error);
}

/// Makes the new name itself survive a loss of power. If a file system cannot sync a folder, there is no alternative.
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
    // The umask can only be read by setting it, which would race with other threads; /proc shows it.
    QFile status(u"/proc/self/status"_s);
    if (status.open(QIODevice::ReadOnly)) {
        for (const QByteArray &line : status.readAll().split('\n')) {
            if (line.startsWith("Umask:"))
                return 0666 & ~mode_t(line.mid(6).trimmed().toUInt(nullptr, 8));
        }
    }
    return 0644;
}

/// One write: first the draft's text, last its name.
class Writer
{
public:
    Writer(const QString &path, const QByteArray &content, const QString &scratchDir,
           const std::function<Result<void>()> &lastCheck)
        : m_folder(QFileInfo(path).absolutePath())
        , m_target(QFile::encodeName(path))
        , m_content(content)
        , m_scratch(scratchDir)
        , m_lastCheck(lastCheck)
    {
    }

    /// Returns 0, or the errno of the failure; ECANCELED: refused() has the reason.
    int writeNew();
    int replace(mode_t mode);
    [[nodiscard]] const std::optional<Error> &refused() const { return m_refused; }

private:
    enum class Take { OnlyIfFree, Over };

    bool mayTakeName();
    int writeNamed(mode_t mode, Take take);
    int takeName(Draft &draft, Take take) const;

    const QString m_folder;
    const QByteArray m_target;
    const QByteArray &m_content;
    const QString m_scratch;
    const std::function<Result<void>()> &m_lastCheck;
    std::optional<Error> m_refused;
};

bool Writer::mayTakeName()
{
    if (const Result<void> may = m_lastCheck ? m_lastCheck() : Result<void>(); !may)
        m_refused = may.error();
    return !m_refused;
}

int Writer::takeName(Draft &draft, Take take) const
{
    if (take == Take::Over) {
        if (::rename(draft.name.constData(), m_target.constData()) != 0)
            return errno;
        draft.name.clear();
        return 0;
    }
    const int error = moveToFreeName(draft.name, m_target);
    if (error == 0)
        draft.name.clear();
    return error;
}

int Writer::writeNamed(mode_t mode, Take take)
{
    int error = ENOENT;
    for (const QString &place : {m_scratch, m_folder}) {
        Draft draft;
        if (place.isEmpty() || !draft.openNamed(place)) {
            error = place.isEmpty() ? error : errno;
            continue;
        }
        if (!draft.write(m_content) || ::fchmod(draft.fd, mode) != 0)
            return errno;
        if (!mayTakeName())
            return ECANCELED;
        error = takeName(draft, take);
        if (error != EXDEV)
            return error;
    }
    return error;
}

int Writer::writeNew()
{
    Draft unnamed;
    if (unnamed.openUnnamed(m_folder)) {
        if (!unnamed.write(m_content))
            return errno;
        if (!mayTakeName())
            return ECANCELED;
        const QByteArray self = "/proc/self/fd/" + QByteArray::number(unnamed.fd);
        if (::linkat(AT_FDCWD, self.constData(), AT_FDCWD, m_target.constData(), AT_SYMLINK_FOLLOW) == 0)
            return 0;
        if (errno != ENOENT && !isUnsupported(errno)) // ENOENT: there is no /proc.
            return errno;
    } else if (errno == EACCES || errno == EROFS || errno == ENOSPC || errno == EDQUOT) {
        return errno;
    }
    return writeNamed(modeOfNewFile(), Take::OnlyIfFree);
}

int Writer::replace(mode_t mode)
{
    return writeNamed(mode, Take::Over);
}

} // namespace

Result<void> writeFileAtomically(const QString &path, const QByteArray &content, const QString &scratchDir,
                                 Existing existing, const std::function<Result<void>()> &lastCheck)
{
    belongsToAWorker("writing a file");
    const auto failed = [&](const QString &why, const QString &remedy = {}) {
        return Error{Tr::tr("write"), path, why, remedy};
    };

    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder))
        return failed(Tr::tr("its folder cannot be created"), Tr::tr("Check the permissions of %1.").arg(folder));

    struct stat info{};
    const bool present = ::lstat(QFile::encodeName(path).constData(), &info) == 0;
    if (present && S_ISLNK(info.st_mode))
        return failed(Tr::tr("it is a symbolic link, and this program does not write through links"));
    if (present && !S_ISREG(info.st_mode))
        return failed(Tr::tr("it is not a regular file"));
    if (present && existing == Existing::Refuse)
        return failed(Tr::tr("a file with that name already exists"));

    Writer writer(path, content, scratchDir, lastCheck);
    int error = present ? writer.replace(info.st_mode & 07777) : writer.writeNew();
    if (error == EEXIST && existing == Existing::Replace) // Created between lstat and link.
        error = writer.replace(modeOfNewFile());
    if (writer.refused())
        return *writer.refused();
    if (error == EEXIST)
        return failed(Tr::tr("a file with that name already exists"));
    if (error == EACCES || error == EPERM || error == EROFS)
        return failed(reason(error), Tr::tr("Check the permissions of %1.").arg(folder));
    if (error != 0)
        return failed(reason(error));
    flushFolder(folder);
    return {};
}

int moveToFreeName(const QByteArray &draft, const QByteArray &target)
{
    if (::link(draft.constData(), target.constData()) == 0) {
        ::unlink(draft.constData());
        return 0;
    }
    if (isUnsupported(errno) &&
        ::renameat2(AT_FDCWD, draft.constData(), AT_FDCWD, target.constData(), RENAME_NOREPLACE) == 0)
        return 0;
    if (!isUnsupported(errno))
        return errno;
    const int reserved = ::open(target.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (reserved < 0)
        return errno;
    ::close(reserved);
    if (::rename(draft.constData(), target.constData()) == 0)
        return 0;
    const int error = errno;
    ::unlink(target.constData());
    return error;
}

std::optional<QByteArray> readSmallFile(const QString &path, qsizetype most)
{
    belongsToAWorker("reading a file");
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return {};
    QFile file;
    struct stat status = {};
    if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        !file.open(fd, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
        ::close(fd);
        return {};
    }
    return file.read(most + 1);
}

Result<std::optional<QByteArray>> readFile(const QString &path, const QString &what)
{
    belongsToAWorker("reading a file");
    constexpr qsizetype part = qsizetype(256) << 10;
    int fd = -1;
    while ((fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC)) < 0 && errno == EINTR) {
    }
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return std::optional<QByteArray>();
    QByteArray bytes;
    ssize_t n = fd < 0 ? -1 : 1;
    while (n > 0 || (n < 0 && fd >= 0 && errno == EINTR)) {
        const qsizetype size = bytes.size();
        bytes.resize(size + part);
        n = ::read(fd, bytes.data() + size, size_t(part));
        bytes.resize(size + qMax<ssize_t>(n, 0));
    }
    const int error = errno;
    if (fd >= 0)
        ::close(fd);
    if (n < 0)
        return Error{what, path, qt_error_string(error), Tr::tr("Check its permissions and the disk.")};
    return std::optional(bytes);
}

} // namespace tmx
