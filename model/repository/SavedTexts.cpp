// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/SavedTexts.h"

#include "model/repository/GitError.h"
#include "model/repository/GitFilter.h"

#include <QDateTime>
#include <QDir>
#include <QFile>

#include <algorithm>
#include <cerrno>
#include <tuple>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// Follows the subject of texts that were saved although no commit came of what was done.
const QLatin1StringView withoutCommit{" (without a commit)"};

/// What a commit of saved texts says and stands on.
struct Occasion {
    QString what; ///< for errors
    QString tip;  ///< 40 digits; empty: none
    QString branch;
    QString subject;
    const Identity &identity;
};

Result<git_oid> makeSavedCommit(const OpenRepository &repository, const Occasion &occasion,
                                const QList<SavedText> &texts)
{
    const auto failed = [&] { return gitError(occasion.what, repository.workTree); };
    GitIndex index;
    if (obtain(index, git_index_new) < 0)
        return failed();
    for (const SavedText &text : texts) {
        const QByteArray path = text.path.toUtf8();
        git_index_entry entry{};
        entry.path = path.constData();
        entry.id = text.blob;
        entry.mode = text.mode;
        if (git_index_add(index.get(), &entry) < 0)
            return failed();
    }
    git_oid treeId{};
    git_oid id{};
    GitTree tree;
    GitCommit parent;
    const std::optional<git_oid> tip = fromHex(occasion.tip);
    if (git_index_write_tree_to(&treeId, index.get(), repository.git()) < 0 ||
        obtain(tree, git_tree_lookup, repository.git(), &treeId) < 0 ||
        (!occasion.tip.isEmpty() && (!tip || obtain(parent, git_commit_lookup, repository.git(), &*tip) < 0)))
        return failed();
    const git_commit *parents[] = {parent.get()};
    const QByteArray message = "Texts of " + occasion.branch.toUtf8() + " that were not committed, before:\n\n" +
                               occasion.subject.toUtf8() + '\n';
    const Identity &who = occasion.identity;
    if (git_commit_create(&id, repository.git(), nullptr, who.author.get(), who.committer.get(), nullptr,
                          message.constData(), tree.get(), parent ? 1 : 0, parents) < 0)
        return failed();
    return id;
}

Result<QString> save(const OpenRepository &repository, const Journal &journal, const Occasion &occasion,
                     const QList<SavedText> &texts)
{
    const Result<git_oid> commit = makeSavedCommit(repository, occasion, texts);
    if (!commit)
        return commit.error();
    const QString hex = toHex(*commit);
    const QString name = u"refs/torch-matrix/saved/%1-%2"_s.arg(
        QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd-HHmmss"_s), hex.left(8));
    const QString ref = repository.commonFolder + u'/' + name;
    // Written whole in the journal and linked: a kill leaves no lock of git's behind.
    const QString draft = journal.folder() + u"/saved"_s;
    QFile file(draft);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(hex.toLatin1() + '\n') < 0 ||
        !file.flush() || ::fsync(file.handle()) != 0 ||
        !QDir().mkpath(repository.commonFolder + u"/refs/torch-matrix/saved"_s))
        return Error{occasion.what, draft, file.errorString(), {}};
    // The name holds the commit's id, so one that is there already is this one.
    if (::link(QFile::encodeName(draft).constData(), QFile::encodeName(ref).constData()) != 0 && errno != EEXIST)
        return Error{occasion.what, ref, qt_error_string(errno), {}};
    return name;
}

Result<Identity> anyIdentity(const OpenRepository &repository)
{
    if (Result<Identity> own = identityOf(repository))
        return own;
    Identity identity;
    if (obtain(identity.author, git_signature_now, "Torch Matrix", "torch-matrix@localhost") < 0 ||
        obtain(identity.committer, git_signature_dup, identity.author.get()) < 0)
        return gitError(Tr::tr("write"), repository.workTree);
    return identity;
}

} // namespace

Result<QString> saveTexts(const OpenRepository &repository, const Journal &journal, const CommitMaker &maker,
                          const QString &branch, const QList<SavedText> &texts)
{
    if (texts.isEmpty())
        return QString();
    return save(repository, journal, {maker.what(), maker.expectedTip(), branch, maker.subject(), maker.identity()},
                texts);
}

Result<QList<SavedText>> uncommittedTexts(const OpenRepository &repository, const git_tree *tip, git_index *index,
                                          const QString &path, const std::optional<QByteArray> &onDisk)
{
    const QByteArray bytes = path.toUtf8();
    QList<SavedText> texts;
    GitTreeEntry entry;
    git_oid committed{};
    uint32_t mode = GIT_FILEMODE_BLOB;
    if (tip && obtain(entry, git_tree_entry_bypath, tip, bytes.constData()) == 0) {
        committed = *git_tree_entry_id(entry.get());
        mode = git_tree_entry_filemode(entry.get());
    }
    git_oid known = committed;
    if (onDisk) {
        const Result<QByteArray> stored = toStored(repository, path, *onDisk);
        if (!stored)
            return stored.error();
        known = blobId(*stored);
        if (!git_oid_equal(&known, &committed)) {
            if (git_blob_create_from_buffer(&known, repository.git(), stored->constData(), size_t(stored->size())) < 0)
                return gitError(Tr::tr("write"), path);
            texts.append({path, known, mode});
        }
    }
    const git_index_entry *staged = index ? git_index_get_bypath(index, bytes.constData(), 0) : nullptr;
    if (staged && !git_oid_equal(&staged->id, &committed) && !git_oid_equal(&staged->id, &known) &&
        staged->mode != GIT_FILEMODE_COMMIT)
        texts.append({u"staged/"_s + path, staged->id, staged->mode});
    return texts;
}

Result<QString> saveWithoutCommit(const OpenRepository &repository, const Journal &journal, const QString &branch,
                                  const QString &tip, const QString &subject, const QList<SavedText> &texts)
{
    if (texts.isEmpty())
        return QString();
    const Result<Identity> identity = anyIdentity(repository);
    if (!identity)
        return identity.error();
    return save(repository, journal, {Tr::tr("write"), tip, branch, subject + withoutCommit, *identity}, texts);
}

Result<QString> saveUncommitted(const OpenRepository &repository, const Journal &journal, const QString &path,
                                const QByteArray &text, const QString &subject)
{
    const Result<Head> head = readHead(repository);
    if (!head)
        return head.error();
    GitTree tip;
    if (!head->commit.isEmpty()) {
        Result<GitTree> tree = treeOf(repository, head->commit);
        if (!tree)
            return tree.error();
        tip = std::move(tree).value();
    }
    const Result<QList<SavedText>> texts = uncommittedTexts(repository, tip.get(), nullptr, path, text);
    if (!texts)
        return texts.error();
    if (texts->isEmpty())
        return QString();
    const Result<Identity> identity = anyIdentity(repository);
    if (!identity)
        return identity.error();
    return save(repository, journal, {Tr::tr("write"), head->commit, head->branch, subject, *identity}, *texts);
}

Result<QList<SavedCommit>> savedCommits(const OpenRepository &repository)
{
    const auto failed = [&] { return gitError(Tr::tr("list the saved texts of"), repository.workTree); };
    GitReferenceIterator references;
    if (obtain(references, git_reference_iterator_glob_new, repository.git(), "refs/torch-matrix/saved/*") < 0)
        return failed();
    QList<SavedCommit> all;
    git_reference *raw = nullptr;
    while (git_reference_next(&raw, references.get()) == 0) {
        const GitReference reference(raw);
        GitCommit commit;
        GitTree tree;
        const git_oid *id = git_reference_target(reference.get());
        if (!id || obtain(commit, git_commit_lookup, repository.git(), id) < 0 ||
            obtain(tree, git_commit_tree, commit.get()) < 0)
            continue; // somebody else's
        SavedCommit saved;
        saved.ref = QString::fromUtf8(git_reference_name(reference.get()));
        saved.commit = toHex(*id);
        saved.when = QDateTime::fromSecsSinceEpoch(git_commit_time(commit.get()));
        if (git_commit_parentcount(commit.get()) > 0)
            saved.tip = toHex(*git_commit_parent_id(commit.get(), 0));
        saved.subject = QString::fromUtf8(git_commit_message(commit.get())).trimmed().section(u'\n', -1);
        saved.alone = saved.subject.endsWith(withoutCommit);
        if (saved.alone)
            saved.subject.chop(withoutCommit.size());
        const auto visit = [](const char *folder, const git_tree_entry *entry, void *paths) {
            if (git_tree_entry_type(entry) == GIT_OBJECT_BLOB)
                static_cast<QStringList *>(paths)->append(QString::fromUtf8(folder) +
                                                          QString::fromUtf8(git_tree_entry_name(entry)));
            return 0;
        };
        if (git_tree_walk(tree.get(), GIT_TREEWALK_PRE, visit, &saved.paths) < 0)
            return failed();
        all.append(saved);
    }
    std::ranges::sort(all, [](const SavedCommit &a, const SavedCommit &b) {
        return std::tie(a.when, a.ref) < std::tie(b.when, b.ref);
    });
    return all;
}

} // namespace tmx
