// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/Journal.h"

#include "model/base/Process.h"
#include "model/git/GitError.h"
#include "model/git/Recovery.h"
#include "model/git/WorkTreeFiles.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QUuid>

#include <algorithm>
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

constexpr auto pollInterval = 20ms;
constexpr int pollsForJournal = 500; // 10 s
constexpr int pollsForLock = 25;     // 0.5 s: the longest that a `git status` in a prompt may take
constexpr qint64 maxJournalFile = qint64(16) * 1024 * 1024;

Error notWritable(const QString &what, const QString &path, int error)
{
    return {what, path,
            error == EACCES || error == EPERM || error == EROFS ? Tr::tr("the folder is read-only")
                                                                : qt_error_string(error),
            Tr::tr("Check its permissions.")};
}

/// Whether a name in the folder is one of the journal's file names.
bool isOurs(const QString &name)
{
    static const QRegularExpression ours(
        u"^(token|locking|(index|index\\.(new|old)|commit-index)(\\.lock)?|ref|saved|operation|plan|plan\\.new|message|"
        "work-tree|git|pack[-_][A-Za-z0-9_.]+|(text|old|then)-[0-9]+|\\.torch-matrix-.{6})\\z"_s);
    return ours.match(name).hasMatch();
}

/// Whether a file of the journal belongs to this user. Others' files are neither read nor trusted.
bool isOwn(const struct stat &info)
{
    return S_ISREG(info.st_mode) && info.st_uid == ::geteuid();
}

/// The bytes, preceded by a line with their checksum.
QByteArray sealed(const QByteArray &bytes)
{
    return hashOf(bytes).toLatin1() + '\n' + bytes;
}
std::optional<QByteArray> unsealed(const QByteArray &bytes)
{
    const qsizetype line = bytes.indexOf('\n');
    const QByteArray rest = bytes.mid(line + 1);
    return line > 0 && bytes.first(line) == hashOf(rest).toLatin1() ? std::optional(rest) : std::nullopt;
}

QByteArray toJson(const JournalPlan &plan)
{
    QJsonArray files;
    for (const JournalPlan::File &file : plan.files)
        files.append(QJsonObject{
            {u"path"_s, file.path}, {u"before"_s, file.before}, {u"after"_s, file.after}, {u"then"_s, file.then}});
    const QJsonObject whole{{u"workTree"_s, plan.workTree}, {u"files"_s, files},     {u"index"_s, plan.index},
                            {u"branch"_s, plan.branch},     {u"head"_s, plan.head},  {u"operation"_s, plan.operation},
                            {u"parent"_s, plan.parent},     {u"byGit"_s, plan.byGit}};
    return QJsonDocument(whole).toJson(QJsonDocument::Compact);
}

JournalPlan fromJson(const QByteArray &bytes)
{
    const QJsonObject whole = QJsonDocument::fromJson(bytes).object();
    JournalPlan plan{whole.value("workTree"_L1).toString(), {},
                     whole.value("index"_L1).toBool(),      whole.value("branch"_L1).toString(),
                     whole.value("head"_L1).toBool(),       whole.value("operation"_L1).toString(),
                     whole.value("parent"_L1).toString(),   whole.value("byGit"_L1).toBool()};
    const QJsonArray files = whole.value("files"_L1).toArray();
    for (const auto &file : files)
        plan.files.append({file["path"_L1].toString(), file["before"_L1].toString(), file["after"_L1].toString(),
                           file["then"_L1].toString()});
    return plan;
}

} // namespace

Journal::Journal(Journal &&other) noexcept
    : m_folder(std::move(other.m_folder))
    , m_folderFd(std::exchange(other.m_folderFd, -1))
    , m_lock(std::move(other.m_lock))
{
}

Journal::~Journal()
{
    if (m_lock.held()) {
        forget();
        sweep();
        m_lock.release();
    }
    if (m_folderFd >= 0)
        ::close(m_folderFd);
}

void Journal::sweep() const
{
    const QStringList left = QDir(m_folder).entryList(QDir::Files | QDir::Hidden | QDir::System);
    for (const QString &name : left) {
        if (isOurs(name))
            remove(name);
    }
}

Result<Journal> Journal::open(const OpenRepository &repository, bool create, const QString &what)
{
    const QString folder = repository.commonFolder + u"/torch-matrix"_s;
    if (create && ::mkdir(QFile::encodeName(folder).constData(), 0777) != 0 && errno != EEXIST)
        return notWritable(what, repository.commonFolder, errno);
    const int folderFd = ::open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (folderFd < 0)
        return notWritable(what, folder, errno);
    const int lock = ::openat(folderFd, "lock", O_RDWR | (create ? O_CREAT : 0) | O_CLOEXEC | O_NOFOLLOW, 0666);
    const int error = errno;
    // Through the folder that is open: another one may get its name.
    Journal journal(folder, folderFd, FileLock(lock, u"/proc/self/fd/%1/lock"_s.arg(folderFd)));
    if (lock < 0)
        return notWritable(what, folder, error);
    return journal;
}

/// Returns false and sets errno if another process holds it, or if the git program started by a killed process still
/// runs.
bool Journal::lock(int operation)
{
    if (!m_lock.take(operation | LOCK_NB))
        return false;
    if (!processRuns(read(u"git"_s).value_or(QByteArray())))
        return true;
    m_lock.unlock();
    errno = EWOULDBLOCK;
    return false;
}

Result<Journal> Journal::take(const OpenRepository &repository, const QString &what)
{
    TM_TRY(journal, open(repository, true, what));
    for (int poll = 0; !journal->lock(LOCK_EX); ++poll) {
        const int error = errno;
        if (error == EWOULDBLOCK && poll < pollsForJournal) {
            std::this_thread::sleep_for(pollInterval);
            continue;
        }
        if (error == EWOULDBLOCK)
            return Error{what, repository.workTree, Tr::tr("another Torch Matrix is changing the repository"),
                         Tr::tr("Try again when it is done.")};
        return Error{what, journal->folder(), qt_error_string(error), {}};
    }
    recover(repository, *journal);
    journal->sweep();
    const QByteArray own = "Torch Matrix " + QUuid::createUuid().toByteArray(QUuid::WithoutBraces) + '\n';
    TM_CHECK(journal->write(u"token"_s, own, 0, what));
    return journal;
}

bool Journal::recoverIfNeeded(const OpenRepository &repository)
{
    const QFileInfoList files =
        QDir(repository.commonFolder + u"/torch-matrix"_s).entryInfoList(QDir::Files | QDir::Hidden | QDir::System);
    // Only the user whose process left it can remove its locks: they are known by the token.
    if (std::ranges::none_of(files, [](const QFileInfo &file) { return isOurs(file.fileName()); }) ||
        std::ranges::any_of(files, [](const QFileInfo &file) {
            return file.fileName() == "token"_L1 && file.ownerId() != ::geteuid();
        }))
        return false;
    Result<Journal> journal = open(repository, false, {});
    if (!journal || !journal->lock(LOCK_EX))
        return false; // A read-only repository can be read without it.
    recover(repository, *journal);
    return true;
}

Result<void> Journal::write(const QString &name, const QByteArray &bytes, mode_t mode, const QString &what,
                            Sync sync) const
{
    remove(name);
    const int fd = ::openat(m_folderFd, QFile::encodeName(name).constData(),
                            O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return notWritable(what, path(name), errno);
    qsizetype done = 0;
    bool good = true;
    while (good && done < bytes.size()) {
        const ssize_t n = ::write(fd, bytes.constData() + done, size_t(bytes.size() - done));
        good = n >= 0 || errno == EINTR;
        done += qMax<ssize_t>(n, 0);
    }
    good = good && (mode == 0 || ::fchmod(fd, mode) == 0) && (sync == Sync::LeftToKernel || ::fsync(fd) == 0);
    int error = errno;
    if (::close(fd) != 0 && std::exchange(good, false)) // where a network's file system says that a disk is full
        error = errno;
    if (!good)
        return Error{what, path(name), qt_error_string(error), Tr::tr("Check whether the disk is full.")};
    return {};
}

std::optional<QByteArray> Journal::read(const QString &name) const
{
    const int fd =
        ::openat(m_folderFd, QFile::encodeName(name).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return std::nullopt;
    QFile file;
    struct stat info{};
    if (::fstat(fd, &info) != 0 || !isOwn(info) || info.st_size > maxJournalFile ||
        !file.open(fd, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
        ::close(fd);
        return std::nullopt;
    }
    const QByteArray bytes = file.readAll();
    return file.error() == QFileDevice::NoError ? std::optional(bytes) : std::nullopt;
}

bool Journal::has(const QString &name) const
{
    struct stat info{};
    if (::fstatat(m_folderFd, QFile::encodeName(name).constData(), &info, AT_SYMLINK_NOFOLLOW) != 0)
        return errno != ENOENT; // A file that cannot be inspected still exists; moving it will report the problem.
    return isOwn(info);
}

void Journal::remove(const QString &name) const
{
    ::unlinkat(m_folderFd, QFile::encodeName(name).constData(), 0);
}

Result<void> Journal::decide(const JournalPlan &plan, const QString &what) const
{
    TM_CHECK(write(u"plan.new"_s, sealed(toJson(plan)), 0, what));
    if (::renameat(m_folderFd, "plan.new", m_folderFd, "plan") != 0)
        return notWritable(what, m_folder, errno);
    ::fsync(m_folderFd);
    return {};
}

std::optional<JournalPlan> Journal::decided() const
{
    const std::optional<QByteArray> bytes = read(u"plan"_s);
    const std::optional<QByteArray> plan = bytes ? unsealed(*bytes) : std::nullopt;
    return plan ? std::optional(fromJson(*plan)) : std::nullopt;
}

void Journal::forget() const
{
    remove(u"plan"_s);
}

HeldLock::HeldLock(HeldLock &&other) noexcept
    : m_target(std::exchange(other.m_target, {}))
{
}

HeldLock &HeldLock::operator=(HeldLock &&other) noexcept
{
    std::swap(m_target, other.m_target);
    return *this;
}

HeldLock::~HeldLock()
{
    if (m_target.isEmpty())
        return;
    const QByteArray lock = QFile::encodeName(m_target + u".lock"_s);
    // A lock that stays would block every git: try again if the disk fails once.
    if (::unlink(lock.constData()) != 0 && errno != ENOENT)
        ::unlink(lock.constData());
}

namespace {

/// Sets errno if it returns false.
bool makeLock(const Journal &journal, const QByteArray &lock)
{
    if (::link(QFile::encodeName(journal.path(u"token"_s)).constData(), lock.constData()) == 0)
        return true;
    if (!isUnsupported(errno))
        return false;
    // Recovery removes a lock of that name that is empty: this process was killed before it wrote the text.
    const qsizetype common = QFile::encodeName(QFileInfo(journal.folder()).path()).size() + 1;
    if (!journal.write(u"locking"_s, lock.sliced(common), 0, {}, Journal::Sync::LeftToKernel)) {
        errno = ENOSPC;
        return false;
    }
    const int fd = ::open(lock.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        const int error = errno;
        journal.remove(u"locking"_s);
        errno = error;
        return false;
    }
    const QByteArray token = journal.read(u"token"_s).value_or(QByteArray());
    const bool written = ::write(fd, token.constData(), size_t(token.size())) == token.size();
    const int error = errno;
    ::close(fd);
    if (!written)
        ::unlink(lock.constData());
    journal.remove(u"locking"_s);
    errno = error;
    return written;
}

} // namespace

Result<HeldLock> HeldLock::take(const Journal &journal, const QString &target, const QString &what)
{
    const QString lock = target + u".lock"_s;
    for (int poll = 0; !makeLock(journal, QFile::encodeName(lock)); ++poll) {
        if (errno != EEXIST)
            return notWritable(what, target, errno);
        if (poll == pollsForLock)
            return Error{what, target, Tr::tr("another git process holds its lock %1").arg(lock),
                         Tr::tr("Wait until that process ends; if no git is running, remove the file.")};
        std::this_thread::sleep_for(pollInterval);
    }
    HeldLock held;
    held.m_target = target;
    return held;
}

QString workTreeName(const OpenRepository &repository)
{
    return repository.gitFolder == repository.commonFolder ? u"."_s : QFileInfo(repository.gitFolder).fileName();
}

} // namespace tmx
