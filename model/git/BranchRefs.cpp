// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/BranchRefs.h"

#include "model/base/AtomicFile.h"
#include "model/base/NearestNames.h"
#include "model/base/Surface.h"
#include "model/git/GitError.h"

#include <QFile>
#include <QFileInfo>
#include <QMap>

#include <filesystem>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using FoundRefs = QMap<QByteArray, std::optional<git_oid>>;

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

/// The valid lines of packed-refs.
Result<void> addPacked(const OpenRepository &repository, const QByteArray &folder, FoundRefs &found)
{
    TM_TRY(text, readFile(repository.commonFolder + u"/packed-refs"_s, Tr::tr("read")));
    for (const QByteArray &line : text->value_or(QByteArray()).split('\n')) {
        // "ID refs/heads/main"; other lines are comments, or tell what a tag points to.
        git_oid id{};
        int valid = 0;
        const QByteArray name = line.mid(GIT_OID_SHA1_HEXSIZE + 1).trimmed();
        if (name.startsWith(folder) && line.at(GIT_OID_SHA1_HEXSIZE) == ' ' &&
            git_oid_fromstrn(&id, line.constData(), GIT_OID_SHA1_HEXSIZE) == 0 &&
            git_reference_name_is_valid(&valid, name.constData()) == 0 && valid && !found.contains(name))
            found.insert(name, id);
    }
    return {};
}

/// The files below a folder of refs.
Result<void> addFiles(const QString &root, const QByteArray &folder, FoundRefs &found)
{
    namespace fs = std::filesystem;
    const QString path = root + u'/' + QFile::decodeName(folder);
    std::error_code error;
    for (fs::directory_iterator entry(QFile::encodeName(path).toStdString(), error);
         !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const QByteArray name = folder + entry->path().filename().c_str();
        std::error_code ignored;
        int valid = 0;
        if (entry->symlink_status(ignored).type() == fs::file_type::directory)
            TM_CHECK(addFiles(root, name + '/', found));
        else if (git_reference_name_is_valid(&valid, name.constData()) == 0 && valid)
            found.insert(name, std::nullopt);
    }
    // git removes folders that are empty.
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
        return Error{Tr::tr("read the folder"), path, QString::fromLocal8Bit(error.message().c_str()),
                     Tr::tr("Check its permissions.")};
    return {};
}

} // namespace

Result<RefNames> refsBelow(const OpenRepository &repository, const QByteArray &folder)
{
    FoundRefs found;
    RefNames refs;
    GitReferenceIterator references;
    int rc = obtain(references, git_reference_iterator_new, repository.git());
    if (repository.refTables) {
        const char *name = nullptr;
        while (rc == 0 && (rc = git_reference_next_name(&name, references.get())) == 0) {
            if (QByteArrayView(name).startsWith(folder))
                found.insert(name, std::nullopt);
        }
        if (rc != GIT_ITEROVER)
            return gitError(Tr::tr("list the branches of"), repository.workTree);
    } else {
        if (rc < 0)
            refs.packed = packedRefsError(repository);
        // libgit2 leaves out what it could not read, without a word.
        TM_CHECK(addFiles(repository.commonFolder, folder, found));
        TM_CHECK(addPacked(repository, folder, found)); // last: git packs a ref before it removes its file
    }
    for (const auto &[name, packed] : found.asKeyValueRange())
        refs.refs.append({name, packed});
    return refs;
}

std::optional<git_oid> commitOfRef(const OpenRepository &repository, const RefName &ref)
{
    git_oid id{};
    if (ref.packed)
        return ref.packed;
    return git_reference_name_to_id(&id, repository.git(), ref.name.constData()) == 0 ? std::optional(id)
                                                                                      : std::nullopt;
}

std::optional<std::pair<QString, Error>> brokenRef(const OpenRepository &repository, const RefName &ref)
{
    const QString branch = QString::fromUtf8(ref.name.sliced(qsizetype(qstrlen("refs/heads/"))));
    const Error error = brokenBranch(repository, branch);
    int valid = 0;
    if (git_branch_name_is_valid(&valid, branch.toUtf8().constData()) < 0 || !valid ||
        !QFileInfo::exists(repository.commonFolder + u'/' + QString::fromUtf8(ref.name)))
        return std::nullopt;
    return std::pair(branch, error);
}

QString meantBranch(const OpenRepository &repository, const QString &name)
{
    const QByteArray folder = "refs/heads/";
    QStringList names;
    if (const Result<RefNames> refs = refsBelow(repository, folder)) {
        for (const RefName &ref : refs->refs)
            names.append(QString::fromUtf8(ref.name.sliced(folder.size())));
    }
    return meantSentence(name, names);
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
