// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/OpenRepository.h"

#include "model/base/Surface.h"
#include "model/base/WindowThread.h"
#include "model/git/BranchRefs.h"
#include "model/git/GitError.h"
#include "model/git/LooseObjects.h"
#include "model/git/ObjectFolders.h"
#include "model/git/PromisedObjects.h"
#include "model/git/RefTables.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr QLatin1StringView branchPrefix{"refs/heads/"};

QString folderName(const char *path)
{
    return QDir::cleanPath(QFile::decodeName(path));
}

/// Root of the working tree (or bare repository) that git finds from path, whether it is trusted or not.
QString untrustedRoot(const QString &path)
{
    GitBuffer found;
    if (git_repository_discover(&found, QFile::encodeName(path).constData(), 0, nullptr) < 0)
        return path;
    const QString folder = folderName(found.ptr);
    return folder.endsWith("/.git"_L1) ? folder.chopped(5) : folder;
}

Error openError(int rc, const QString &path)
{
    const QString what = Tr::tr("open");
    switch (rc) {
    case GIT_ENOTFOUND:
        return {what, path, Tr::tr("it is not in a git repository"),
                forSurface(Tr::tr("Choose another folder, or create a repository with \"torch-matrix init\"."),
                           Tr::tr("Choose another folder, or create a repository."))};
    case GIT_EOWNER:
        return {what, path, Tr::tr("the repository belongs to another user, and git does not trust it"),
                forSurface(Tr::tr("If you trust it, run: git config --global --add safe.directory '%1'"),
                           Tr::tr("If you trust it, add %1 to safe.directory in Git's configuration."))
                    .arg(untrustedRoot(path))};
    default: break;
    }
    const git_error *error = git_error_last();
    const QByteArray words = error && error->message ? error->message : "";
    if (words.contains("unknown object format"))
        return gitError(
            what, path,
            forSurface(
                Tr::tr("\"git fast-export --all\" and \"git fast-import\" copy it into a repository with SHA-1."),
                Tr::tr("Copy it into a repository with SHA-1.")));
    return gitError(what, path);
}

/// Checks that git's files are regular files: opening a named pipe could block forever.
Result<void> checkNames(const QString &folder, const QStringList &names)
{
    for (const QString &name : names) {
        const QFileInfo file(folder + u'/' + name);
        if (file.exists() && !file.isFile() && !file.isDir())
            return Error{Tr::tr("open"), folder, Tr::tr("%1 is not a regular file").arg(name),
                         forSurface(Tr::tr("Remove it, then run \"git fsck\"."),
                                    Tr::tr("Remove it, then check the repository with Git."))};
    }
    return {};
}

Result<void> checkTrees(const QString &folder, const QStringList &trees)
{
    QStringList names;
    for (const QString &tree : trees) {
        QDirIterator odd(folder + u'/' + tree, QDir::System, QDirIterator::Subdirectories);
        while (odd.hasNext())
            names.append(tree + odd.next().mid(odd.path().size()));
    }
    return checkNames(folder, names);
}

/// Checks that the branches can be listed: QDir and libgit2 show a folder that cannot be read as an empty one.
Result<void> checkReadable(const QString &folder)
{
    QStringList places{folder + u"/refs/heads"_s};
    QDirIterator below(places.constFirst(), QDir::Dirs | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (below.hasNext())
        places.append(below.next());
    for (const QString &place : std::as_const(places)) {
        const QFileInfo info(place);
        if (info.isDir() && !(info.isReadable() && info.isExecutable()))
            return Error{Tr::tr("open"), place, Tr::tr("the folder cannot be read"), Tr::tr("Check its permissions.")};
    }
    return {};
}

Result<void> checkFiles(const QString &folder)
{
    const QStringList names = u"HEAD commondir gitdir config config.worktree packed-refs index shallow info/attributes "
                              "info/grafts objects/info/alternates"_s.split(u' ');
    TM_CHECK(checkNames(folder, names));
    TM_CHECK(checkTrees(folder, {u"refs"_s, u"logs"_s}));
    // Of a linked working tree, the rest is in the main repository's folder.
    QFile common(folder + u"/commondir"_s);
    constexpr qint64 longestName = 4096;
    if (!common.open(QIODevice::ReadOnly))
        return {};
    const QString other = QDir(folder).absoluteFilePath(QFile::decodeName(common.read(longestName).trimmed()));
    return QFileInfo(other).isDir() && !QFileInfo::exists(other + u"/commondir"_s) ? checkFiles(other) : Result<void>();
}

} // namespace

QString OpenRepository::indexPath() const
{
    return gitFolder + u"/index"_s;
}

QString OpenRepository::shallowPath() const
{
    return commonFolder + u"/shallow"_s;
}

Result<OpenRepository> openRepository(const QString &path)
{
    belongsToAWorker("opening a git repository");
    startGit();
    const QFileInfo place(path);
    const QString absolute = place.absoluteFilePath();
    if (path.isEmpty() || !place.exists())
        return Error{Tr::tr("open"), absolute, Tr::tr("there is no such folder"), {}};

    // For a file, start in its folder, so that the path of a recipe works too.
    const QString start = place.isDir() ? absolute : place.absolutePath();
    OpenRepository out;
    GitBuffer found;
    if (git_repository_discover(&found, QFile::encodeName(start).constData(), 0, nullptr) == 0)
        TM_CHECK(checkFiles(folderName(found.ptr)));
    const int rc = obtain(out.handle, git_repository_open_ext, QFile::encodeName(start).constData(), 0, nullptr);
    if (rc < 0)
        return openError(rc, absolute);
    if (git_repository_is_bare(out.git()))
        return Error{Tr::tr("open"), absolute, Tr::tr("it is a bare repository, without a working tree"),
                     Tr::tr("Clone it, and open the clone.")};
    out.workTree = folderName(git_repository_workdir(out.git()));
    out.gitFolder = folderName(git_repository_path(out.git()));
    out.commonFolder = folderName(git_repository_commondir(out.git()));
    TM_TRY(refTables, readRefTables(out.git()));
    out.refTables = *refTables;
    TM_TRY(folders, objectFolders(QByteArray(git_repository_commondir(out.git())) + "/objects"));
    TM_CHECK(checkReadable(out.commonFolder));
    for (const QByteArray &objects : *folders) {
        TM_CHECK(checkTrees(QFile::decodeName(objects), {u"info"_s, u"pack"_s}));
    }
    GitOdb objects;
    if (obtain(objects, git_repository_odb, out.git()) == 0)
        readLooseObjectsFirst(objects.get(), out.commonFolder + u"/objects"_s);
    readMissingObjectsLast(out);
    if (!QFileInfo(out.workTree).isDir())
        return Error{Tr::tr("open"), absolute, Tr::tr("its working tree %1 no longer exists").arg(out.workTree), {}};
    return out;
}

Result<Head> headOf(const OpenRepository &repository)
{
    const QString what = Tr::tr("read HEAD of");
    GitReference head;
    if (obtain(head, git_reference_lookup, repository.git(), "HEAD") < 0)
        return gitError(what, repository.workTree);
    if (git_reference_type(head.get()) == GIT_REFERENCE_DIRECT)
        return Head{{}, toHex(*git_reference_target(head.get())), true};

    const QString target = QString::fromUtf8(git_reference_symbolic_target(head.get()));
    if (!target.startsWith(branchPrefix))
        return Error{what, repository.workTree, Tr::tr("it points to %1, which is not a branch").arg(target), {}};
    return Head{target.mid(branchPrefix.size()), {}, false};
}

Result<Head> readHead(const OpenRepository &repository)
{
    Result<Head> head = headOf(repository);
    if (!head || head->detached)
        return head;
    Head out = *std::move(head);
    git_oid id;
    const int rc = git_reference_name_to_id(&id, repository.git(), (branchPrefix + out.branch).toUtf8().constData());
    if (rc < 0 && rc != GIT_ENOTFOUND)
        return brokenBranch(repository, out.branch);
    if (rc == 0)
        out.commit = toHex(id);
    return out;
}

Result<QString> branchTip(const OpenRepository &repository, const QString &branch)
{
    const QString what = Tr::tr("read the branch");
    int valid = 0;
    if (git_branch_name_is_valid(&valid, branch.toUtf8().constData()) < 0 || !valid)
        return Error{what, branch, Tr::tr("that is not the name of a branch"), {}};
    git_oid id;
    const int rc = git_reference_name_to_id(&id, repository.git(), (branchPrefix + branch).toUtf8().constData());
    if (rc == 0)
        return toHex(id);
    if (rc != GIT_ENOTFOUND)
        return brokenBranch(repository, branch);
    const Result<Head> head = readHead(repository);
    if (head && head->branch == branch)
        return QString();
    return Error{what, branch, Tr::tr("%1 has no such branch").arg(repository.workTree),
                 meantBranch(repository, branch)};
}

bool holdsObject(const OpenRepository &repository, const QString &id)
{
    GitOdb odb;
    const std::optional<git_oid> wanted = fromHex(id);
    return wanted && obtain(odb, git_repository_odb, repository.git()) == 0 && git_odb_exists(odb.get(), &*wanted) == 1;
}

Result<GitTree> treeOf(const OpenRepository &repository, const QString &commit)
{
    const std::optional<git_oid> id = fromHex(commit);
    const int before = *repository.missing;
    GitCommit found;
    GitTree tree;
    if (id && obtain(found, git_commit_lookup, repository.git(), &*id) == 0 &&
        obtain(tree, git_commit_tree, found.get()) == 0)
        return tree;
    return readError(repository, before, Tr::tr("read the commit"), commit);
}

} // namespace tmx
