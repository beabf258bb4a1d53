// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/WorkTreeEdits.h"

#include "model/base/AtomicFile.h"
#include "model/repository/GitError.h"
#include "model/repository/RecipePath.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QString listFile(const QString &journalFolder)
{
    return journalFolder + u"/edits"_s;
}

QString hashOf(const std::optional<QByteArray> &bytes)
{
    return bytes ? QString::fromLatin1(QCryptographicHash::hash(*bytes, QCryptographicHash::Sha256).toHex())
                 : QString();
}

Result<void> writeOut(const QString &path, const QByteArray &bytes, mode_t mode, const QString &what)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(bytes) != bytes.size() || !file.flush() ||
        (mode != 0 && ::fchmod(file.handle(), mode) != 0) || ::fsync(file.handle()) != 0)
        return Error{what, path, file.errorString(), Tr::tr("Is the disk full?")};
    return {};
}

/// One entry of the list, and where its parts are.
struct Laid {
    QString path;   ///< relative
    QString target; ///< absolute
    QString draft;  ///< absolute; empty: the file is to go
    QString before; ///< hash; empty: there was no file
};

bool isAsBefore(const DiskFile &now, const Laid &laid)
{
    if (!now.present)
        return laid.before.isEmpty();
    return now.trouble == FileTrouble::None && hashOf(now.bytes) == laid.before;
}

Result<void> putInPlace(const Laid &laid, const QString &what)
{
    const QByteArray draft = QFile::encodeName(laid.draft);
    const QByteArray target = QFile::encodeName(laid.target);
    if (!QDir().mkpath(QFileInfo(laid.target).path()))
        return Error{what, laid.target, Tr::tr("its folder cannot be made"), Tr::tr("Check its permissions.")};
    // What came in between is not replaced: a link fails where a rename would not.
    const int rc = laid.before.isEmpty() ? ::link(draft.constData(), target.constData())
                                         : ::rename(draft.constData(), target.constData());
    if (rc == 0 || (laid.before.isEmpty() && errno == EEXIST)) {
        ::unlink(draft.constData());
        return {};
    }
    // The work tree may be on another file system than its repository, or on one without hard links.
    QFile text(laid.draft);
    if (!text.open(QIODevice::ReadOnly))
        return Error{what, laid.target, text.errorString(), {}};
    const Existing existing = laid.before.isEmpty() ? Existing::Refuse : Existing::Replace;
    const Result<void> written = writeFileAtomically(laid.target, text.readAll(), {}, existing);
    if (written)
        ::unlink(draft.constData());
    return written;
}

Result<void> remove(const Laid &laid, const QString &what)
{
    if (::unlink(QFile::encodeName(laid.target).constData()) != 0 && errno != ENOENT)
        return Error{what, laid.target, qt_error_string(errno), Tr::tr("Check the permissions of its folder.")};
    // A recipe's own folder goes with it, as git does it; rmdir leaves one that holds anything else.
    const QString folder = QFileInfo(laid.path).path();
    if (folder.startsWith(recipeFolder + "/"_L1))
        ::rmdir(QFile::encodeName(QFileInfo(laid.target).path()).constData());
    return {};
}

Result<void> carryOutOne(const QString &workTree, const Laid &laid, const QString &what)
{
    if (!laid.draft.isEmpty() && !QFile::exists(laid.draft))
        return {}; // it was put in place before
    if (!checkEditPath(laid.path) || !checkNoLinkOnTheWay(workTree, laid.path) ||
        !isAsBefore(readDiskFile(workTree, laid.path), laid))
        return {};
    return laid.draft.isEmpty() ? remove(laid, what) : putInPlace(laid, what);
}

} // namespace

Result<void> WorkTreeEdits::layDown(const QString &journalFolder, const QString &workTree,
                                    const QList<WorkTreeEdit> &edits, const QString &what)
{
    QJsonArray list;
    for (const WorkTreeEdit &edit : edits) {
        QJsonObject entry{{u"path"_s, edit.path}, {u"before"_s, hashOf(edit.before)}};
        if (edit.text) {
            const QString draft = u"text-%1"_s.arg(list.size());
            if (const Result<void> done = writeOut(journalFolder + u'/' + draft, *edit.text, edit.mode, what); !done)
                return done;
            entry.insert(u"draft"_s, draft);
        }
        list.append(entry);
    }
    const QJsonObject whole{{u"workTree"_s, workTree}, {u"edits"_s, list}};
    return writeOut(listFile(journalFolder), QJsonDocument(whole).toJson(QJsonDocument::Compact), 0, what);
}

Result<void> WorkTreeEdits::carryOut(const QString &journalFolder, const QString &what)
{
    QFile file(listFile(journalFolder));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QJsonObject whole = QJsonDocument::fromJson(file.readAll()).object();
    const QString workTree = whole.value("workTree"_L1).toString();
    std::optional<Error> first;
    for (const QJsonValue &value : whole.value("edits"_L1).toArray()) {
        const QString draft = value["draft"_L1].toString();
        const Laid laid{value["path"_L1].toString(), workTree + u'/' + value["path"_L1].toString(),
                        draft.isEmpty() ? QString() : journalFolder + u'/' + draft, value["before"_L1].toString()};
        if (const Result<void> done = carryOutOne(workTree, laid, what); !done && !first)
            first = done.error();
    }
    return first ? Result<void>(*first) : Result<void>();
}

} // namespace tmx
