// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/CommitReader.h"

#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/git/BranchReader.h"
#include "model/git/BranchRefs.h"
#include "model/git/DiskFile.h"
#include "model/git/FileHistory.h"
#include "model/git/GitError.h"
#include "model/git/PromisedObjects.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
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

} // namespace

CommitReader::CommitReader(OpenRepository opened)
    : m_opened(std::make_unique<const OpenRepository>(std::move(opened)))
{
}
CommitReader::~CommitReader() = default;
CommitReader::CommitReader(CommitReader &&) noexcept = default;
CommitReader &CommitReader::operator=(CommitReader &&) noexcept = default;

Result<CommitReader> CommitReader::open(const QString &path)
{
    TM_TRY(opened, openRepository(path));
    return CommitReader(std::move(opened).value());
}

const QString &CommitReader::workTree() const
{
    return m_opened->workTree;
}
const QString &CommitReader::commonFolder() const
{
    return m_opened->commonFolder;
}

QStringList CommitReader::repositoryNames() const
{
    QStringList names{QFileInfo(workTree()).fileName()};
    GitStrings remotes;
    if (git_remote_list(&remotes, m_opened->git()) < 0)
        return names;
    for (size_t i = 0; i < remotes.count; ++i) {
        GitHandle<git_remote, git_remote_free> remote;
        if (obtain(remote, git_remote_lookup, m_opened->git(), remotes.strings[i]) < 0 || !git_remote_url(remote.get()))
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
    TM_TRY(refs, refsBelow(*m_opened, "refs/"));
    for (const RefName &ref : std::as_const(refs->refs)) {
        const bool remote = ref.name.startsWith(remotesPrefix);
        if (!remote && !ref.name.startsWith(headsPrefix))
            continue;
        // A local branch may be an alias of another one. A remote's symbolic ref is its HEAD, which repeats another
        // branch.
        GitReference reference;
        if (remote && !ref.packed &&
            obtain(reference, git_reference_lookup, m_opened->git(), ref.name.constData()) == 0 &&
            git_reference_type(reference.get()) == GIT_REFERENCE_SYMBOLIC)
            continue;
        const std::optional<git_oid> id = commitOfRef(*m_opened, ref);
        if (!id && isOfSystem(GIT_ERROR))
            return gitError(Tr::tr("read the branch"), QString::fromUtf8(ref.name));
        if (!id)
            continue;
        BranchTip tip;
        tip.ref = QString::fromUtf8(ref.name);
        tip.remote = remote;
        tip.commit = toHex(*id);
        tip.name = tip.ref.sliced(remote ? remotesPrefix.size() : headsPrefix.size());
        tip.branch = remote ? withoutRemote(m_opened->git(), tip.ref) : tip.name;
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
    const int rc = obtain(object, git_revparse_single, m_opened->git(), revision.toUtf8().constData());
    if (rc == GIT_EAMBIGUOUS)
        return Error{what, revision, Tr::tr("several commits begin with these digits"), Tr::tr("Give more digits.")};
    if (const Result<Head> head = readHead(*m_opened); rc < 0 && head && !head->detached && head->commit.isEmpty() &&
                                                       (revision == "HEAD"_L1 || revision == head->branch))
        return Error{what, revision, Tr::tr("it has no commit yet"), Tr::tr("Commit something first.")};
    if (rc < 0 || obtain(commit, git_object_peel, object.get(), GIT_OBJECT_COMMIT) < 0)
        return Error{what, revision, Tr::tr("%1 has no branch or commit with that name").arg(workTree()),
                     joinedSentences({meantBranch(*m_opened, revision),
                                      forSurface(Tr::tr("\"git branch --all\" lists the branches."),
                                                 Tr::tr("Choose a branch of the list."))})};
    return toHex(*git_object_id(commit.get()));
}

Result<CommitInfo> CommitReader::infoOf(const QString &commit) const
{
    const std::optional<git_oid> id = fromHex(commit);
    GitCommit found;
    if (!id || obtain(found, git_commit_lookup, m_opened->git(), &*id) < 0)
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
    if (last && id && git_graph_ahead_behind(&missing, &more, m_opened->git(), &*last, &*id) < 0)
        return gitError(Tr::tr("read the commit"), commit);
    return std::pair(int(missing), int(more));
}

Result<BranchFiles> CommitReader::read(const QString &commit, const QString &branch, const FileSelection &selection,
                                       BlobTexts *texts, const WorkHooks &hooks) const
{
    return readCommit(*m_opened, commit, branch, selection, texts, hooks);
}

Result<BlobText> CommitReader::readFile(const BranchFiles &of, const QString &path, const WorkHooks &hooks) const
{
    return tmx::readFile(*m_opened, of, path, hooks);
}

bool CommitReader::holds(const QString &object) const
{
    return holdsObject(*m_opened, object);
}

Result<QList<FolderEntry>> CommitReader::entriesOf(const QString &commit, const QString &path) const
{
    const int missing = *m_opened->missing;
    TM_TRY(tree, treeOf(*m_opened, commit));
    if (!path.isEmpty()) {
        GitTreeEntry entry;
        const int rc = obtain(entry, git_tree_entry_bypath, tree->get(), path.toUtf8().constData());
        if (rc == GIT_ENOTFOUND || (rc == 0 && git_tree_entry_type(entry.get()) != GIT_OBJECT_TREE))
            return QList<FolderEntry>();
        GitTree folder;
        if (rc < 0 || obtain(folder, git_tree_lookup, m_opened->git(), git_tree_entry_id(entry.get())) < 0)
            return readError(*m_opened, missing, Tr::tr("read the recipes of commit"), commit);
        *tree = std::move(folder);
    }
    QList<FolderEntry> entries;
    for (size_t i = 0; i < git_tree_entrycount(tree->get()); ++i) {
        const git_tree_entry *entry = git_tree_entry_byindex(tree->get(), i);
        const git_object_t type = git_tree_entry_type(entry);
        using Kind = FolderEntry::Kind;
        entries.append({QString::fromUtf8(git_tree_entry_name(entry)), toHex(*git_tree_entry_id(entry)),
                        type == GIT_OBJECT_TREE                               ? Kind::Folder
                        : type != GIT_OBJECT_BLOB                             ? Kind::Submodule
                        : git_tree_entry_filemode(entry) == GIT_FILEMODE_LINK ? Kind::Link
                                                                              : Kind::File});
    }
    return entries;
}

Result<std::optional<QByteArray>> CommitReader::fileAt(const QString &commit, const QString &path) const
{
    const int missing = *m_opened->missing;
    TM_TRY(root, treeOf(*m_opened, commit));
    GitTreeEntry entry;
    const int rc = obtain(entry, git_tree_entry_bypath, root->get(), path.toUtf8().constData());
    if (rc == GIT_ENOTFOUND)
        return *m_opened->missing > missing ? notHere(*m_opened, Tr::tr("read"), path)
                                            : Result<std::optional<QByteArray>>(std::optional<QByteArray>());
    if (rc == 0 && (git_tree_entry_type(entry.get()) != GIT_OBJECT_BLOB ||
                    git_tree_entry_filemode(entry.get()) == GIT_FILEMODE_LINK))
        return Error{Tr::tr("read"), path, Tr::tr("it is not a regular file in commit %1").arg(commit.left(10)), {}};
    GitBlob blob;
    if (rc < 0 || obtain(blob, git_blob_lookup, m_opened->git(), git_tree_entry_id(entry.get())) < 0)
        return readError(*m_opened, missing, Tr::tr("read"), path);
    return std::optional(QByteArray(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                                    qsizetype(git_blob_rawsize(blob.get()))));
}

Result<void> CommitReader::forEachText(const QString &commit, const std::function<bool(const QString &)> &wanted,
                                       const std::function<void(const FileText &)> &take) const
{
    TM_TRY(root, treeOf(*m_opened, commit));
    struct Walk {
        git_repository *git;
        const std::function<bool(const QString &)> &wanted;
        const std::function<void(const FileText &)> &take;
        bool lost = false; ///< a file could not be read
    } walk{m_opened->git(), wanted, take};
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
        if (git_blob_rawsize(blob.get()) > maxTextBytes)
            return 0;
        const QByteArray bytes(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                               qsizetype(git_blob_rawsize(blob.get())));
        if (isText(bytes))
            walk.take({path, toHex(*git_tree_entry_id(entry)), bytes});
        return 0;
    };
    const int missing = *m_opened->missing;
    const int rc = git_tree_walk(root->get(), GIT_TREEWALK_PRE, look, &walk);
    return rc < 0 || walk.lost || *m_opened->missing > missing
               ? Result<void>(readError(*m_opened, missing, Tr::tr("read the files of commit"), commit))
               : Result<void>();
}

QStringList CommitReader::historyEnds() const
{
    QFile file(m_opened->shallowPath());
    return file.open(QIODevice::ReadOnly)
               ? QString::fromLatin1(file.read(maxTextBytes)).split(u'\n', Qt::SkipEmptyParts)
               : QStringList();
}

Result<QList<FileRevision>> CommitReader::history(const QString &commit, const QString &path, const SameFile &sameFile,
                                                  const FileSelection &among, int limit,
                                                  const std::function<bool()> &stop) const
{
    return fileHistory(*m_opened, commit, path, sameFile, among, limit, stop);
}

Result<QList<DeletedFile>> CommitReader::deletions(const QString &commit, const FileSelection &among,
                                                   const TakesItsPlace &takesItsPlace, int limit,
                                                   const std::function<bool()> &stop) const
{
    return deletedFiles(*m_opened, commit, among, takesItsPlace, limit, stop);
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
