// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/RefLines.h"

#include "model/base/Surface.h"
#include "model/base/TextForm.h"
#include "model/git/CommitRules.h"
#include "model/git/GitError.h"
#include "model/git/GitProgram.h"
#include "model/git/RefTables.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr size_t mostFiles = 1000;
constexpr qint64 mostOfRef = qint64(64) << 20;
constexpr qint64 mostKept = qint64(48) << 20; ///< less, so that other versions of the program can read it
constexpr int mostTries = 50;                 ///< another process wrote between our reading and writing

QByteArrayList sorted(QByteArrayList lines)
{
    lines.removeAll(QByteArray());
    std::ranges::sort(lines);
    lines.erase(std::ranges::unique(lines).begin(), lines.end());
    return lines;
}

/// The commit of a ref; nullopt if there is no such ref.
Result<std::optional<git_oid>> tipOf(const OpenRepository &repository, const QString &ref)
{
    git_oid id{};
    const int rc = git_reference_name_to_id(&id, repository.git(), ref.toUtf8().constData());
    if (rc == GIT_ENOTFOUND)
        return std::optional<git_oid>();
    if (rc < 0)
        return gitError(
            Tr::tr("read"), ref,
            forSurface(Tr::tr("Delete it: git update-ref -d %1").arg(ref), Tr::tr("Delete that ref with Git.")));
    return std::optional(id);
}

Result<QMap<QString, QByteArrayList>> linesAt(const OpenRepository &repository, const git_oid &id, const QString &ref)
{
    const auto wrong = [&ref](const QString &why) {
        return Error{
            Tr::tr("read"), ref, why,
            forSurface(
                Tr::tr("Delete it, on the remote too: git push REMOTE --delete %1; git update-ref -d %1").arg(ref),
                Tr::tr("Delete that ref with Git, on the remote too."))};
    };
    GitCommit commit;
    GitTree tree;
    if (obtain(commit, git_commit_lookup, repository.git(), &id) < 0 || obtain(tree, git_commit_tree, commit.get()) < 0)
        return wrong(gitWords());
    QMap<QString, QByteArrayList> files;
    qint64 bytes = 0;
    const size_t count = git_tree_entrycount(tree.get());
    if (count > mostFiles)
        return wrong(Tr::tr("it has more than %n files", nullptr, int(mostFiles)));
    QStringList names;
    for (size_t i = 0; i < count; ++i)
        names.append(QString::fromUtf8(git_tree_entry_name(git_tree_entry_byindex(tree.get(), i))));
    for (const QString &name : newestMonthsFirst(names)) {
        const git_tree_entry *entry = git_tree_entry_byname(tree.get(), name.toUtf8().constData());
        if (!entry) // a name that is not text
            continue;
        GitOdb odb;
        size_t size = 0;
        git_object_t type = GIT_OBJECT_INVALID;
        if (git_tree_entry_filemode(entry) != GIT_FILEMODE_BLOB)
            return wrong(Tr::tr("it contains something other than files"));
        // Check the size first: a small pack can contain a blob of gigabytes.
        if (obtain(odb, git_repository_odb, repository.git()) < 0 ||
            git_odb_read_header(&size, &type, odb.get(), git_tree_entry_id(entry)) < 0)
            return wrong(gitWords());
        bytes += qint64(size);
        if (bytes > mostOfRef && !files.isEmpty())
            break;
        if (bytes > mostOfRef)
            return wrong(Tr::tr("it is larger than %1 MiB").arg(mostOfRef >> 20));
        GitBlob blob;
        if (obtain(blob, git_blob_lookup, repository.git(), git_tree_entry_id(entry)) < 0)
            return wrong(gitWords());
        const QByteArray text(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                              qsizetype(git_blob_rawsize(blob.get())));
        files.insert(name, sorted(text.split('\n')));
    }
    return files;
}

void unite(QMap<QString, QByteArrayList> &into, const QMap<QString, QByteArrayList> &from)
{
    for (const auto &[name, lines] : from.asKeyValueRange())
        into[name] = sorted(into.value(name) + lines);
}

void leaveOutOldest(QMap<QString, QByteArrayList> &files)
{
    qint64 bytes = 0;
    for (const QString &name : newestMonthsFirst(files.keys())) {
        for (const QByteArray &line : std::as_const(files[name]))
            bytes += line.size() + 1;
        if (bytes > mostKept && files.size() > 1 && name != newestMonthsFirst(files.keys()).constFirst())
            files.remove(name);
    }
}

Result<git_oid> commitOf(const OpenRepository &repository, const QMap<QString, QByteArrayList> &files,
                         const QList<git_oid> &parents, const QString &ref, const QString &subject)
{
    const auto failed = [&] { return gitError(Tr::tr("write"), ref); };
    TM_TRY(who, identityOf(repository));
    GitIndex index;
    if (obtain(index, git_index_new) < 0)
        return failed();
    for (const auto &[name, lines] : files.asKeyValueRange()) {
        const QByteArray path = name.toUtf8();
        const QByteArray text = lines.join('\n') + '\n';
        git_index_entry entry{};
        entry.path = path.constData();
        entry.mode = GIT_FILEMODE_BLOB;
        if (git_blob_create_from_buffer(&entry.id, repository.git(), text.constData(), size_t(text.size())) < 0 ||
            git_index_add(index.get(), &entry) < 0)
            return failed();
    }
    git_oid treeId{};
    git_oid id{};
    GitTree tree;
    std::vector<GitCommit> commits(size_t(parents.size()));
    std::vector<const git_commit *> pointers;
    for (qsizetype i = 0; i < parents.size(); ++i) {
        if (obtain(commits[size_t(i)], git_commit_lookup, repository.git(), &parents.at(i)) < 0)
            return failed();
        pointers.push_back(commits[size_t(i)].get());
    }
    if (git_index_write_tree_to(&treeId, index.get(), repository.git()) < 0 ||
        obtain(tree, git_tree_lookup, repository.git(), &treeId) < 0 ||
        git_commit_create(&id, repository.git(), nullptr, who->author.get(), who->committer.get(), nullptr,
                          subject.toUtf8().constData(), tree.get(), pointers.size(), pointers.data()) < 0)
        return failed();
    return id;
}

} // namespace

Result<RefLines> readRefLines(const QString &workTree, const QString &ref)
{
    TM_TRY(repository, openRepository(workTree));
    TM_TRY(tip, tipOf(*repository, ref));
    if (!*tip)
        return RefLines();
    auto files = linesAt(*repository, **tip, ref);
    return files ? Result<RefLines>({toHex(**tip), std::move(*files)}) : files.error();
}

Result<QString> addRefLines(const QString &workTree, const QString &ref, const QMap<QString, QByteArrayList> &lines,
                            const QString &other, const QString &subject)
{
    TM_TRY(repository, openRepository(workTree));
    QByteArray said;
    for (int i = 0; i < mostTries; ++i) {
        const auto tip = tipOf(*repository, ref);
        const auto theirs = other.isEmpty() ? Result<std::optional<git_oid>>(std::nullopt) : tipOf(*repository, other);
        if (!tip || !theirs)
            return !tip ? tip.error() : theirs.error();
        using Files = QMap<QString, QByteArrayList>;
        const Result<Files> here = *tip ? linesAt(*repository, **tip, ref) : Result<Files>(Files());
        const Result<Files> there = *theirs ? linesAt(*repository, **theirs, other) : Result<Files>(Files());
        if (!here || !there)
            return !here ? here.error() : there.error();
        Files all = *here;
        unite(all, *there);
        unite(all, lines);
        leaveOutOldest(all);
        const auto descends = [&](const std::optional<git_oid> &from, const std::optional<git_oid> &what) {
            return !what || (from && (git_oid_equal(&*from, &*what) ||
                                      git_graph_descendant_of(repository->git(), &*from, &*what) == 1));
        };
        if (all == *here && descends(*tip, *theirs))
            return *tip ? toHex(**tip) : QString();
        git_oid next{};
        if (all == *there && descends(*theirs, *tip)) {
            next = **theirs;
        } else {
            QList<git_oid> parents;
            for (const std::optional<git_oid> &parent : {*tip, *theirs}) {
                if (parent && (parents.isEmpty() || !git_oid_equal(&parents.constFirst(), &*parent)))
                    parents.append(*parent);
            }
            TM_TRY(made, commitOf(*repository, all, parents, ref, subject));
            next = *made;
        }
        // git removes its lock even if this process is killed.
        const QString old = *tip ? toHex(**tip) : QString(40, u'0');
        const ProcessRun run =
            GitProgram(*repository, {}).start({u"update-ref"_s, ref, toHex(next), old}, repository->workTree);
        if (run.outcome.succeeded())
            return toHex(next);
        said = run.outcome.started ? run.output.trimmed() : run.outcome.error.toUtf8();
        const auto now = tipOf(*repository, ref);
        const bool moved = now && now->has_value() != tip->has_value();
        const bool changed = now && *now && *tip && !git_oid_equal(&**now, &**tip);
        if (!moved && !changed && !said.contains(".lock"))
            break;
    }
    return Error{Tr::tr("write"), ref, QString::fromUtf8(said.left(300)), {}};
}

QStringList filesOfRef(const QString &workTree, const QString &ref)
{
    const Result<OpenRepository> repository = openRepository(workTree);
    if (!repository)
        return {};
    return {repository->commonFolder + u'/' + ref, repository->commonFolder + u"/packed-refs"_s,
            refTablesList(repository->commonFolder)};
}

} // namespace tmx
