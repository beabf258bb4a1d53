// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/CommitReader.h"

#include "model/base/Surface.h"
#include "model/git/BranchReader.h"
#include "model/git/BranchRefs.h"
#include "model/git/FetchedTorch.h"
#include "model/git/GitError.h"
#include "model/git/PromisedObjects.h"
#include "model/git/RecipeHistory.h"
#include "model/git/RecipePath.h"
#include "model/git/TorchSibling.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr QLatin1StringView headsPrefix{"refs/heads/"};
constexpr QLatin1StringView remotesPrefix{"refs/remotes/"};

/// "origin/main" -> "main", also if the remote's name contains slashes.
QString withoutRemote(git_repository *git, const QString &ref)
{
    GitBuffer remote;
    if (git_branch_remote_name(&remote, git, ref.toUtf8().constData()) == 0) {
        const QString prefix = remotesPrefix + QString::fromUtf8(remote.ptr) + u'/';
        if (ref.startsWith(prefix))
            return ref.sliced(prefix.size());
    }
    const QString name = ref.sliced(remotesPrefix.size());
    return name.sliced(name.indexOf(u'/') + 1);
}

/// Identifies what recipes may import besides what is in their folder: folders and Nix files at the root and in .flox.
/// To read the recipes for what they do import takes longer, and documents are mostly files at the root.
QString importableId(git_tree *root)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    const auto add = [&hash](git_tree *tree, std::initializer_list<QByteArrayView> without) {
        for (size_t i = 0; tree && i < git_tree_entrycount(tree); ++i) {
            const git_tree_entry *entry = git_tree_entry_byindex(tree, i);
            const QByteArrayView name(git_tree_entry_name(entry));
            if ((git_tree_entry_type(entry) == GIT_OBJECT_TREE || name.endsWith(".nix")) &&
                std::ranges::find(without, name) == without.end())
                hash.addData(name.toByteArray() + ' ' + toHex(*git_tree_entry_id(entry)).toLatin1());
        }
    };
    add(root, {".flox", ".github"});
    GitTreeEntry entry;
    GitTree flox;
    if (obtain(entry, git_tree_entry_bypath, root, ".flox") == 0 &&
        git_tree_entry_type(entry.get()) == GIT_OBJECT_TREE &&
        obtain(flox, git_tree_lookup, git_tree_owner(root), git_tree_entry_id(entry.get())) == 0)
        add(flox.get(), {"pkgs", "env"});
    return QString::fromLatin1(hash.result().toHex());
}

} // namespace

struct CommitReader::Private {
    OpenRepository repository;
};

CommitReader::CommitReader(std::unique_ptr<Private> d)
    : d(std::move(d))
{
}
CommitReader::~CommitReader() = default;
CommitReader::CommitReader(CommitReader &&) noexcept = default;
CommitReader &CommitReader::operator=(CommitReader &&) noexcept = default;

Result<CommitReader> CommitReader::open(const QString &path)
{
    TM_TRY(opened, openRepository(path));
    return CommitReader(std::make_unique<Private>(std::move(opened).value()));
}

const QString &CommitReader::workTree() const
{
    return d->repository.workTree;
}
const QString &CommitReader::commonFolder() const
{
    return d->repository.commonFolder;
}

QStringList CommitReader::repositoryNames() const
{
    QStringList names{QFileInfo(workTree()).fileName()};
    GitStrings remotes;
    if (git_remote_list(&remotes, d->repository.git()) < 0)
        return names;
    for (size_t i = 0; i < remotes.count; ++i) {
        GitHandle<git_remote, git_remote_free> remote;
        if (obtain(remote, git_remote_lookup, d->repository.git(), remotes.strings[i]) < 0 ||
            !git_remote_url(remote.get()))
            continue;
        static const QRegularExpression last(u"([^/:]+?)(?:\\.git)?/*$"_s);
        names.append(last.match(QString::fromUtf8(git_remote_url(remote.get()))).captured(1));
    }
    names.removeAll(QString());
    names.removeDuplicates();
    return names;
}

Result<QList<BranchTip>> CommitReader::tips() const
{
    QList<BranchTip> tips;
    TM_TRY(refs, refsBelow(d->repository, "refs/"));
    for (const RefName &ref : std::as_const(refs->refs)) {
        const bool remote = ref.name.startsWith(remotesPrefix);
        if (!remote && !ref.name.startsWith(headsPrefix))
            continue;
        // A local branch may be an alias of another one. A remote's symbolic ref is its HEAD, which repeats another
        // branch.
        GitReference reference;
        if (remote && !ref.packed &&
            obtain(reference, git_reference_lookup, d->repository.git(), ref.name.constData()) == 0 &&
            git_reference_type(reference.get()) == GIT_REFERENCE_SYMBOLIC)
            continue;
        const std::optional<git_oid> id = commitOfRef(d->repository, ref);
        if (!id && isOfSystem(GIT_ERROR))
            return gitError(Tr::tr("read the branch"), QString::fromUtf8(ref.name));
        if (!id)
            continue;
        BranchTip tip;
        tip.ref = QString::fromUtf8(ref.name);
        tip.remote = remote;
        tip.commit = toHex(*id);
        tip.name = tip.ref.sliced(remote ? remotesPrefix.size() : headsPrefix.size());
        tip.branch = remote ? withoutRemote(d->repository.git(), tip.ref) : tip.name;
        tips.append(tip);
    }
    std::ranges::sort(tips, {}, [](const BranchTip &tip) { return std::make_tuple(tip.remote, tip.name); });
    return tips;
}

Result<QString> CommitReader::commitOf(const QString &revision) const
{
    const QString what = Tr::tr("find the branch or commit");
    GitObject object;
    GitObject commit;
    if (revision.isEmpty() || revision.startsWith(u'-'))
        return Error{what, revision, Tr::tr("no commit has that name"), {}};
    const int rc = obtain(object, git_revparse_single, d->repository.git(), revision.toUtf8().constData());
    if (rc == GIT_EAMBIGUOUS)
        return Error{what, revision, Tr::tr("several commits begin with these digits"), Tr::tr("Give more digits.")};
    if (const Result<Head> head = readHead(d->repository); rc < 0 && head && !head->detached &&
                                                           head->commit.isEmpty() &&
                                                           (revision == "HEAD"_L1 || revision == head->branch))
        return Error{what, revision, Tr::tr("it has no commit yet"), Tr::tr("Commit something first.")};
    if (rc < 0 || obtain(commit, git_object_peel, object.get(), GIT_OBJECT_COMMIT) < 0)
        return Error{
            what, revision, Tr::tr("%1 has no branch or commit with that name").arg(workTree()),
            forSurface(Tr::tr("\"git branch --all\" lists the branches."), Tr::tr("Choose a branch of the list."))};
    return toHex(*git_object_id(commit.get()));
}

Result<CommitInfo> CommitReader::infoOf(const QString &commit) const
{
    const std::optional<git_oid> id = fromHex(commit);
    GitCommit found;
    if (!id || obtain(found, git_commit_lookup, d->repository.git(), &*id) < 0)
        return gitError(Tr::tr("read the commit"), commit);
    CommitInfo info;
    if (git_commit_parentcount(found.get()) > 0)
        info.parent = toHex(*git_commit_parent_id(found.get(), 0));
    const QString message = QString::fromUtf8(git_commit_message(found.get()));
    static const QRegularExpression reverts(u"\n\nThis reverts commit ([0-9a-f]{40})\\."_s);
    info.subject = message.section(u'\n', 0, 0);
    info.reverts = reverts.match(message).captured(1);
    info.author = QString::fromUtf8(git_commit_author(found.get())->name);
    info.when = QDateTime::fromSecsSinceEpoch(git_commit_time(found.get()));
    return info;
}

Result<bool> CommitReader::contains(const QString &tip, const QString &commit) const
{
    // git_graph_descendant_of() of libgit2 1.9 leaks memory.
    const Result<std::pair<int, int>> apart = distance(tip, commit);
    return apart ? Result<bool>(apart->second == 0) : apart.error();
}

Result<std::pair<int, int>> CommitReader::distance(const QString &tip, const QString &commit) const
{
    const std::optional<git_oid> last = fromHex(tip);
    const std::optional<git_oid> id = fromHex(commit);
    size_t missing = 0;
    size_t more = 1;
    if (last && id && git_graph_ahead_behind(&missing, &more, d->repository.git(), &*last, &*id) < 0)
        return gitError(Tr::tr("read the commit"), commit);
    return std::pair(int(missing), int(more));
}

Result<BranchContent> CommitReader::readCommit(const QString &commit, const QString &branch, BlobTexts *texts,
                                               const WorkHooks &hooks) const
{
    return tmx::readCommit(d->repository, commit, branch, texts, hooks);
}

Result<QString> CommitReader::recipesId(const QString &commit, const QString &branch, bool *fetchesNone) const
{
    const int missing = *d->repository.missing;
    TM_TRY(root, treeOf(d->repository, commit));
    QString id;
    for (const char *path : {recipeFolder.data(), "torch-matrix.toml"}) {
        GitTreeEntry entry;
        const int rc = obtain(entry, git_tree_entry_bypath, root->get(), path);
        if (rc < 0 && rc != GIT_ENOTFOUND)
            return readError(d->repository, missing, Tr::tr("read the recipes of commit"), commit);
        id += rc == 0 ? toHex(*git_tree_entry_id(entry.get())) : u"none"_s;
        id += u' ';
    }
    id += importableId(root->get()) + u' ';
    if (*d->repository.missing > missing)
        return notHere(d->repository, Tr::tr("read the recipes of"), branch);
    bool none = fetchesNone && *fetchesNone;
    const QString fetched = none ? QString() : fetchedTorchId(d->repository, commit, none);
    if (fetchesNone)
        *fetchesNone = none;
    return id + torchSiblingId(d->repository, branch) + fetched;
}

Result<std::optional<QByteArray>> CommitReader::fileAt(const QString &commit, const QString &path) const
{
    const int missing = *d->repository.missing;
    TM_TRY(root, treeOf(d->repository, commit));
    GitTreeEntry entry;
    const int rc = obtain(entry, git_tree_entry_bypath, root->get(), path.toUtf8().constData());
    if (rc == GIT_ENOTFOUND)
        return *d->repository.missing > missing ? notHere(d->repository, Tr::tr("read"), path)
                                                : Result<std::optional<QByteArray>>(std::optional<QByteArray>());
    if (rc == 0 && (git_tree_entry_type(entry.get()) != GIT_OBJECT_BLOB ||
                    git_tree_entry_filemode(entry.get()) == GIT_FILEMODE_LINK))
        return Error{Tr::tr("read"), path, Tr::tr("it is not a regular file in commit %1").arg(commit.left(10)), {}};
    GitBlob blob;
    if (rc < 0 || obtain(blob, git_blob_lookup, d->repository.git(), git_tree_entry_id(entry.get())) < 0)
        return readError(d->repository, missing, Tr::tr("read"), path);
    return std::optional(QByteArray(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                                    qsizetype(git_blob_rawsize(blob.get()))));
}

Result<void> CommitReader::forEachText(const QString &commit, const std::function<bool(const QString &)> &wanted,
                                       const std::function<void(const FileText &)> &take) const
{
    TM_TRY(root, treeOf(d->repository, commit));
    struct Walk {
        git_repository *git;
        const std::function<bool(const QString &)> &wanted;
        const std::function<void(const FileText &)> &take;
        bool lost = false; ///< a file could not be read
    } walk{d->repository.git(), wanted, take};
    const auto look = [](const char *folder, const git_tree_entry *entry, void *payload) -> int {
        auto &walk = *static_cast<Walk *>(payload);
        const QString path = QString::fromUtf8(folder) + QString::fromUtf8(git_tree_entry_name(entry));
        GitBlob blob;
        if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB || git_tree_entry_filemode(entry) == GIT_FILEMODE_LINK ||
            !walk.wanted(path))
            return 0;
        if (obtain(blob, git_blob_lookup, walk.git, git_tree_entry_id(entry)) < 0) {
            walk.lost = true;
            return 0;
        }
        if (git_blob_rawsize(blob.get()) > maxRecipeBytes)
            return 0;
        const QByteArray bytes(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                               qsizetype(git_blob_rawsize(blob.get())));
        if (isText(bytes))
            walk.take({path, toHex(*git_tree_entry_id(entry)), bytes});
        return 0;
    };
    const int missing = *d->repository.missing;
    const int rc = git_tree_walk(root->get(), GIT_TREEWALK_PRE, look, &walk);
    return rc < 0 || walk.lost || *d->repository.missing > missing
               ? Result<void>(readError(d->repository, missing, Tr::tr("read the files of commit"), commit))
               : Result<void>();
}

Result<QMap<QString, QStringList>> CommitReader::filesNaming(const QString &commit, const QStringList &words) const
{
    QList<std::pair<QString, QRegularExpression>> forms;
    for (const QString &word : words)
        forms.append(
            {word, QRegularExpression(u"(?<![\\w.])%1(?![\\w]|\\.\\d)"_s.arg(QRegularExpression::escape(word)))});
    QMap<QString, QStringList> found;
    // Lock files are written by programs, not by people.
    const auto wanted = [](const QString &path) {
        return !path.startsWith(".flox/pkgs/"_L1) && !path.endsWith(".lock"_L1);
    };
    const Result<void> read = forEachText(commit, wanted, [&](const FileText &file) {
        const QString text = QString::fromUtf8(file.text);
        for (const auto &[word, form] : std::as_const(forms)) {
            if (form.match(text).hasMatch())
                found[file.path].append(word);
        }
    });
    return read ? Result<QMap<QString, QStringList>>(found) : read.error();
}

Result<QList<RecipeRevision>> CommitReader::history(const QString &commit, const QString &path,
                                                    const std::function<bool(const QString &)> &sameRecipe, int limit,
                                                    const std::function<bool()> &stop) const
{
    return recipeHistory(d->repository, commit, path, sameRecipe, limit, stop);
}

Result<QList<DeletedRecipe>>
CommitReader::deletions(const QString &commit,
                        const std::function<bool(const QString &gone, const QString &come)> &takesItsPlace, int limit,
                        const std::function<bool()> &stop) const
{
    return deletedRecipes(d->repository, commit, takesItsPlace, limit, stop);
}

QStringList branchWatchPaths(const QString &gitFolder, const QString &commonFolder)
{
    // Refs and packed-refs are always renamed into place, so watching their folders is enough.
    QStringList paths{gitFolder, commonFolder};
    for (const QString &name : {u"/refs"_s, u"/reftable"_s, u"/refs/heads"_s, u"/refs/remotes"_s}) {
        const QString folder = commonFolder + name;
        const QFileInfo info(folder);
        if (!info.isDir() || info.isSymLink())
            continue;
        paths.append(folder);
        QDirIterator folders(folder, QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks,
                             QDirIterator::Subdirectories);
        while (name != "/refs"_L1 && folders.hasNext())
            paths.append(folders.next());
    }
    paths.removeDuplicates();
    return paths;
}

} // namespace tmx
