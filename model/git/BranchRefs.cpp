// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/BranchRefs.h"

#include "model/base/Surface.h"
#include "model/git/GitError.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int maxPackedLines = 100'000;
constexpr qint64 maxLineBytes = 4096;

Error packedRefsError(const OpenRepository &repository)
{
    return gitError(
        Tr::tr("read"), repository.commonFolder + u"/packed-refs"_s,
        forSurface(Tr::tr("\"git branch\" names the damaged line: remove it from the file, then restore its branch."),
                   Tr::tr("Remove the damaged line from the file, then restore its branch.")));
}

/// The last commit in the branch's reflog; empty if there is none.
QString lastLogged(const OpenRepository &repository, const QString &branch)
{
    QFile log(repository.commonFolder + u"/logs/refs/heads/"_s + branch);
    constexpr qint64 lastLines = 64 * 1024;
    if (!log.open(QIODevice::ReadOnly) || (log.size() > lastLines && !log.seek(log.size() - lastLines)))
        return {};
    const QByteArrayList lines = log.read(lastLines).trimmed().split('\n');
    const QString id = QString::fromLatin1(lines.constLast().split(' ').value(1));
    const std::optional<git_oid> known = id.size() == GIT_OID_SHA1_HEXSIZE ? fromHex(id) : std::nullopt;
    return known && !git_oid_is_zero(&*known) ? id : QString();
}

} // namespace

RefNames refsBelow(const OpenRepository &repository, const QByteArray &folder)
{
    RefNames refs;
    GitReferenceIterator references;
    int rc = obtain(references, git_reference_iterator_new, repository.git());
    const char *name = nullptr;
    while (rc == 0 && (rc = git_reference_next_name(&name, references.get())) == 0) {
        if (QByteArrayView(name).startsWith(folder))
            refs.names.append(name);
    }
    if (rc != GIT_ITEROVER) {
        refs.packed = packedRefsError(repository);
        refs.names = refFilesBelow(repository, folder);
        // Looking up one ref does not need the file's other lines to be valid.
        QFile packed(repository.commonFolder + u"/packed-refs"_s);
        static const QRegularExpression line(u"^[0-9a-f]{40} (refs/\\S+)\\z"_s);
        for (qint64 left = maxPackedLines;
             left > 0 && (packed.isOpen() || packed.open(QIODevice::ReadOnly)) && !packed.atEnd(); --left) {
            const auto match = line.match(QString::fromUtf8(packed.readLine(maxLineBytes)).trimmed());
            const QByteArray ref = match.captured(1).toUtf8();
            if (match.hasMatch() && ref.startsWith(folder) && !refs.names.contains(ref))
                refs.names.append(ref);
        }
    }
    return refs;
}

QList<QByteArray> refFilesBelow(const OpenRepository &repository, const QByteArray &folder)
{
    QList<QByteArray> names;
    const QString root = repository.commonFolder + u'/';
    QDirIterator files(root + QString::fromUtf8(folder), QDir::Files | QDir::Hidden | QDir::System,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QByteArray name = files.next().sliced(root.size()).toUtf8();
        int valid = 0;
        if (git_reference_name_is_valid(&valid, name.constData()) == 0 && valid)
            names.append(name);
    }
    std::ranges::sort(names);
    return names;
}

Error brokenBranch(const OpenRepository &repository, const QString &branch)
{
    Error error = gitError(Tr::tr("read the branch"), branch);
    const QString file = u"refs/heads/"_s + branch;
    // A ref without its own file is in packed-refs, or does not exist.
    if (!QFileInfo::exists(repository.commonFolder + u'/' + file))
        return packedRefsError(repository);
    const QString commit = lastLogged(repository, branch);
    const QString place = repository.commonFolder + u'/' + file;
    error.remedy =
        commit.isEmpty()
            ? forSurface(Tr::tr("Delete %1, then run \"git update-ref %2 COMMIT\"; \"git fsck --lost-found\" lists the "
                                "commits that no branch has.")
                             .arg(place, file),
                         Tr::tr("Delete %1, then create the branch again.").arg(place))
            : forSurface(Tr::tr("Delete %1, then run: git update-ref %2 %3").arg(place, file, commit),
                         Tr::tr("Delete %1, then create the branch again at the commit %2.").arg(place, commit));
    return error;
}

} // namespace tmx
