// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/Journal.h"

#include "model/repository/GitError.h"
#include "model/repository/RecipePath.h"
#include "model/repository/WorkTreeEdits.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace tmx {
namespace {

constexpr QLatin1StringView lockSuffix{".lock"};
constexpr auto pollInterval = 20ms;
constexpr int pollsForJournal = 500; // 10 s
constexpr int pollsForLock = 25;     // 0.5 s: as long as a `git status` in a prompt may take

QString journalFolder(const OpenRepository &repository)
{
    return repository.commonFolder + u"/torch-matrix"_s;
}

bool sameFile(const QString &one, const QString &other)
{
    struct stat a{};
    struct stat b{};
    return ::lstat(QFile::encodeName(one).constData(), &a) == 0 &&
           ::lstat(QFile::encodeName(other).constData(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool removeFile(const QString &path)
{
    return ::unlink(QFile::encodeName(path).constData()) == 0;
}

bool renameFile(const QString &from, const QString &to)
{
    return ::rename(QFile::encodeName(from).constData(), QFile::encodeName(to).constData()) == 0;
}

/// The git folders of all work trees: each has a HEAD and an index.
QStringList gitFolders(const OpenRepository &repository)
{
    QStringList folders{repository.commonFolder};
    const QString linked = repository.commonFolder + u"/worktrees"_s;
    const QStringList names = QDir(linked).entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot);
    for (const QString &name : names)
        folders.append(linked + u'/' + name);
    return folders;
}

/// Whether two index files hold the same paths with the same contents. `git status` writes an index anew for its time
/// stamps alone.
bool sameEntries(const QString &one, const QString &other)
{
    const Result<GitIndex> a = readIndex(one);
    const Result<GitIndex> b = readIndex(other);
    if (!a || !b || git_index_entrycount(a->get()) != git_index_entrycount(b->get()))
        return false;
    for (size_t i = 0; i < git_index_entrycount(a->get()); ++i) {
        const git_index_entry *x = git_index_get_byindex(a->get(), i);
        const git_index_entry *y = git_index_get_byindex(b->get(), i);
        if (qstrcmp(x->path, y->path) != 0 || !git_oid_equal(&x->id, &y->id) || x->mode != y->mode ||
            git_index_entry_stage(x) != git_index_entry_stage(y))
            return false;
    }
    return true;
}

Error notWritable(const QString &what, const QString &path, int error)
{
    return {what, path,
            error == EACCES || error == EPERM || error == EROFS ? Tr::tr("the folder is read-only")
                                                                : qt_error_string(error),
            Tr::tr("Check its permissions.")};
}

} // namespace

Journal::Journal(Journal &&other) noexcept
    : m_folder(std::move(other.m_folder))
    , m_fd(std::exchange(other.m_fd, -1))
{
}

Journal::~Journal()
{
    if (m_fd < 0)
        return;
    removeFile(decisionFile());
    sweep();
    ::close(m_fd); // lets go of the flock
}

void Journal::sweep() const
{
    const QStringList left = QDir(m_folder).entryList(QDir::Files | QDir::Hidden | QDir::System);
    for (const QString &name : left) {
        if (name != "lock"_L1)
            removeFile(m_folder + u'/' + name);
    }
}

Result<Journal> Journal::take(const OpenRepository &repository, const QString &what)
{
    const QString folder = journalFolder(repository);
    if (!QDir().mkpath(folder))
        return notWritable(what, repository.commonFolder, EACCES);
    const QString lock = folder + u"/lock"_s;
    const int fd = ::open(QFile::encodeName(lock).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return notWritable(what, folder, errno);
    for (int poll = 0; ::flock(fd, LOCK_EX | LOCK_NB) != 0; ++poll) {
        const int error = errno;
        if (error == EWOULDBLOCK && poll < pollsForJournal) {
            std::this_thread::sleep_for(pollInterval);
            continue;
        }
        ::close(fd);
        if (error == EWOULDBLOCK)
            return Error{what, repository.workTree, Tr::tr("another Torch Matrix is changing the repository"),
                         Tr::tr("Try again when it is done.")};
        return Error{what, lock, qt_error_string(error), {}};
    }
    Journal journal(folder, fd);
    journal.recover(repository);
    return journal;
}

void Journal::recoverIfNeeded(const OpenRepository &repository)
{
    const QString folder = journalFolder(repository);
    QStringList left = QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    left.removeOne(u"lock"_s);
    if (left.isEmpty())
        return;
    const int fd = ::open(QFile::encodeName(folder + u"/lock"_s).constData(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return; // read-only: reading works without
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        ::close(fd);
        return;
    }
    const Journal journal(folder, fd);
    journal.recover(repository);
}

Result<void> Journal::decide(const QString &what) const
{
    const int fd = ::open(QFile::encodeName(decisionFile()).constData(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return notWritable(what, m_folder, errno);
    ::close(fd);
    return {};
}

/// Ends a commit that was decided, if all of its locks are still ours, HEAD's being in gitFolder: files, index, branch.
/// Whoever changed the index in between wants something else: then the commit is not made.
bool Journal::carryThrough(const QString &gitFolder, const QString &branchLock) const
{
    const QString index = gitFolder + u"/index"_s;
    if (branchLock.isEmpty() || !QFile::exists(decisionFile()) || !sameFile(gitFolder + u"/HEAD.lock"_s, refFile()))
        return false;
    const bool locked = sameFile(index + u".lock"_s, indexFile());
    if (!locked && !sameEntries(index, indexFile()))
        return false;
    // A file that cannot be changed now shows as one that differs from the commit; its old text is in git.
    static_cast<void>(WorkTreeEdits::carryOut(m_folder, {}));
    return (!locked || renameFile(index + u".lock"_s, index)) &&
           renameFile(branchLock, branchLock.chopped(int(lockSuffix.size())));
}

void Journal::recover(const OpenRepository &repository) const
{
    QString branchLock;
    QDirIterator refs(repository.commonFolder + u"/refs/heads"_s, {u"*.lock"_s}, QDir::Files | QDir::Hidden,
                      QDirIterator::Subdirectories);
    while (branchLock.isEmpty() && refs.hasNext()) {
        if (const QString path = refs.next(); sameFile(path, refFile()))
            branchLock = path;
    }
    const QStringList folders = gitFolders(repository);
    // The branch's lock ends before HEAD's, so that a recovery that is killed can be taken up again.
    for (const QString &git : folders) {
        if (carryThrough(git, branchLock))
            branchLock.clear();
    }
    if (!branchLock.isEmpty())
        removeFile(branchLock);
    for (const QString &git : folders) {
        if (const QString lock = git + u"/HEAD.lock"_s; sameFile(lock, refFile()))
            removeFile(lock);
        if (const QString lock = git + u"/index.lock"_s; sameFile(lock, indexFile()))
            removeFile(lock);
    }

    sweep();
    // Drafts that stood beside their target, where the file system allowed nothing better (writeFileAtomically).
    const QDir recipes(repository.workTree + u'/' + recipeFolder);
    const QStringList drafts = recipes.entryList({u".torch-matrix-??????"_s}, QDir::Files | QDir::Hidden);
    for (const QString &name : drafts)
        removeFile(recipes.filePath(name));
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
    if (!m_target.isEmpty())
        removeFile(m_target + lockSuffix);
}

Result<HeldLock> HeldLock::take(const QString &journalFile, const QString &target, const QString &what)
{
    const QString lock = target + lockSuffix;
    for (int poll = 0; ::link(QFile::encodeName(journalFile).constData(), QFile::encodeName(lock).constData()) != 0;
         ++poll) {
        if (errno != EEXIST)
            return notWritable(what, target, errno);
        if (poll == pollsForLock)
            return Error{what, target, Tr::tr("another git holds its lock %1").arg(lock),
                         Tr::tr("Wait until it has ended; if no git is running, remove that file.")};
        std::this_thread::sleep_for(pollInterval);
    }
    HeldLock held;
    held.m_target = target;
    return held;
}

Result<void> HeldLock::publish(const QString &what)
{
    if (!renameFile(m_target + lockSuffix, m_target))
        return notWritable(what, m_target, errno);
    m_target.clear();
    return {};
}

} // namespace tmx
