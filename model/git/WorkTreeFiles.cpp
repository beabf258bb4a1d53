// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/WorkTreeFiles.h"

#include "model/base/AtomicFile.h"
#include "model/base/RepositoryPaths.h"
#include "model/git/DiskFile.h"
#include "model/git/EditPath.h"
#include "model/git/GitError.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

Result<void> putInPlace(const QString &draftPath, const QString &targetPath, bool replaces, const QString &what)
{
    const QByteArray draft = QFile::encodeName(draftPath);
    const QByteArray target = QFile::encodeName(targetPath);
    if (!QDir().mkpath(QFileInfo(targetPath).path()))
        return Error{what, targetPath, Tr::tr("its folder cannot be created"), Tr::tr("Check its permissions.")};
    // Exchanges the old text with the new one, so that it can be restored.
    if (replaces && ::renameat2(AT_FDCWD, draft.constData(), AT_FDCWD, target.constData(), RENAME_EXCHANGE) == 0)
        return {};
    // Does not replace a file created meanwhile: a link fails where a rename would not.
    int error = 0;
    if (!replaces)
        error = moveToFreeName(draft, target);
    else if (::rename(draft.constData(), target.constData()) != 0)
        error = errno;
    if (error == 0 || (!replaces && error == EEXIST)) {
        ::unlink(draft.constData());
        return {};
    }
    // The working tree may be on another file system than its repository.
    TM_TRY(text, readFile(draftPath, what));
    if (!*text)
        return Error{what, targetPath, Tr::tr("its new text cannot be read"), {}};
    const Result<void> written =
        writeFileAtomically(targetPath, **text, {}, replaces ? Existing::Replace : Existing::Refuse);
    if (written)
        ::unlink(draft.constData());
    return written;
}

/// `keptAs`: the name for the text in the journal, if it can be kept.
Result<void> remove(const QString &workTree, const QString &path, const QString &keptAs, const QString &what)
{
    const QString target = workTree + u'/' + path;
    const bool kept = !keptAs.isEmpty() &&
                      ::rename(QFile::encodeName(target).constData(), QFile::encodeName(keptAs).constData()) == 0;
    if (!kept && ::unlink(QFile::encodeName(target).constData()) != 0 && errno != ENOENT)
        return Error{what, target, qt_error_string(errno), Tr::tr("Check the permissions of its folder.")};
    // Also removes a file's own folder, as git does; rmdir keeps a folder with other files.
    if (QFileInfo(path).path().startsWith(recipeFolder + "/"_L1))
        ::rmdir(QFile::encodeName(QFileInfo(target).path()).constData());
    if (path == githubFile) {
        const QString folder = QFileInfo(target).path();
        if (::rmdir(QFile::encodeName(folder).constData()) == 0)
            ::rmdir(QFile::encodeName(QFileInfo(folder).path()).constData());
    }
    return {};
}

} // namespace

QString hashOf(const std::optional<QByteArray> &bytes)
{
    return bytes ? QString::fromLatin1(QCryptographicHash::hash(*bytes, QCryptographicHash::Blake2b_256).toHex())
                 : QString();
}

Result<void> checkWritable(const QString &workTree, const QString &path, const QString &what)
{
    QString folder = QFileInfo(workTree + u'/' + path).path();
    while (folder.size() > workTree.size() && !QFileInfo::exists(folder))
        folder = QFileInfo(folder).path();
    if (::faccessat(AT_FDCWD, QFile::encodeName(folder).constData(), W_OK | X_OK, AT_EACCESS) == 0)
        return {};
    return Error{what, path, Tr::tr("its folder is not writable"), Tr::tr("Check the permissions of %1.").arg(folder)};
}

QString draftName(QLatin1StringView kind, qsizetype number)
{
    return u"%1-%2"_s.arg(kind).arg(number);
}

Result<void> replaceFile(const OpenRepository &repository, const Journal &journal, const QString &path,
                         const QString &from, const QString &to, const QString &draft, const QString &what,
                         const QString &keptAs)
{
    if (!checkEditPath(path))
        return {};
    TM_CHECK(checkNoLinkOnTheWay(repository.workTree, path));
    const DiskFile now = readDiskFile(repository.workTree, path);
    if (!draft.isEmpty() && hashOf(journal.read(draft)) != to) {
        // It is already in place, or it can no longer be read.
        const bool there = now.present && hashOf(now.bytes) == to;
        return there ? Result<void>() : Error{what, path, Tr::tr("its new text cannot be read"), {}};
    }
    if (now.present && now.trouble == FileTrouble::Unreadable)
        return Error{what, path, Tr::tr("it cannot be read"), Tr::tr("Check its permissions and the disk.")};
    if (now.present && now.trouble != FileTrouble::None)
        return {};
    if (hashOf(now.present ? std::optional(now.bytes) : std::nullopt) != from)
        return {};
    return draft.isEmpty()
               ? remove(repository.workTree, path, keptAs.isEmpty() ? QString() : journal.path(keptAs), what)
               : putInPlace(journal.path(draft), repository.workTree + u'/' + path, now.present, what);
}

Result<void> writeFiles(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan,
                        const QString &what)
{
    std::optional<Error> first;
    for (qsizetype i = 0; i < plan.files.size(); ++i) {
        const JournalPlan::File &file = plan.files.at(i);
        if (file.before == file.after)
            continue;
        const QString draft = file.after.isEmpty() ? QString() : draftName("text"_L1, i);
        if (const Result<void> done = replaceFile(repository, journal, file.path, file.before, file.after, draft, what,
                                                  draftName("text"_L1, i));
            !done && !first)
            first = done.error();
    }
    return first ? Result<void>(*first) : Result<void>();
}

bool restoreFiles(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan)
{
    bool all = true;
    for (qsizetype i = 0; i < plan.files.size(); ++i) {
        const JournalPlan::File &file = plan.files.at(i);
        if (file.before == file.after)
            continue;
        const auto now = [&] {
            const DiskFile disk = readDiskFile(repository.workTree, file.path);
            return hashOf(disk.present ? std::optional(disk.bytes) : std::nullopt);
        };
        const QString draft = file.before.isEmpty() ? QString() : draftName("text"_L1, i);
        if (now() == file.after)
            static_cast<void>(replaceFile(repository, journal, file.path, file.after, file.before, draft, {}));
        all &= now() == file.before;
    }
    return all;
}

} // namespace tmx
