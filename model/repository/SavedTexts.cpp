// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/SavedTexts.h"

#include "model/repository/GitError.h"
#include "model/repository/GitFilter.h"

#include <QDateTime>
#include <QDir>
#include <QFile>

#include <cerrno>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// What a commit of saved texts says and stands on.
struct Occasion {
    QString what; ///< for errors
    QString tip;  ///< 40 digits; empty: none
    QString branch;
    QString subject;
    const Identity &identity;
};

Result<git_oid> makeSavedCommit(const OpenRepository &repository, const Occasion &occasion, const QList<SavedText> &texts)
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
    const QByteArray message = "Texts of " + occasion.branch.toUtf8() + " that were not committed, before:\n\n" + occasion.subject.toUtf8() + '\n';
    const Identity &who = occasion.identity;
    if (git_commit_create(&id, repository.git(), nullptr, who.author.get(), who.committer.get(), nullptr, message.constData(), tree.get(),
                          parent ? 1 : 0, parents) < 0)
        return failed();
    return id;
}

Result<QString> save(const OpenRepository &repository, const Journal &journal, const Occasion &occasion, const QList<SavedText> &texts)
{
    const Result<git_oid> commit = makeSavedCommit(repository, occasion, texts);
    if (!commit)
        return commit.error();
    const QString hex = toHex(*commit);
    const QString name =
        u"refs/torch-matrix/saved/%1-%2"_s.arg(QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd-HHmmss"_s), hex.left(8));
    const QString ref = repository.commonFolder + u'/' + name;
    // Written whole in the journal and linked: a kill leaves no lock of git's behind.
    const QString draft = journal.folder() + u"/saved"_s;
    QFile file(draft);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(hex.toLatin1() + '\n') < 0 || !file.flush() ||
        ::fsync(file.handle()) != 0 || !QDir().mkpath(repository.commonFolder + u"/refs/torch-matrix/saved"_s))
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

Result<QString> saveTexts(const OpenRepository &repository, const Journal &journal, const CommitMaker &maker, const QString &branch,
                          const QList<SavedText> &texts)
{
    if (texts.isEmpty())
        return QString();
    return save(repository, journal, {maker.what(), maker.expectedTip(), branch, maker.subject(), maker.identity()}, texts);
}

Result<QString> saveUncommitted(const OpenRepository &repository, const Journal &journal, const QString &path, const QByteArray &text,
                                const QString &subject)
{
    const QString what = Tr::tr("write");
    const Result<Head> head = readHead(repository);
    if (!head)
        return head.error();
    const Result<QByteArray> stored = toStored(repository, path, text);
    if (!stored)
        return stored.error();
    SavedText saved{path, blobId(*stored), GIT_FILEMODE_BLOB};
    if (!head->commit.isEmpty()) {
        const Result<GitTree> tip = treeOf(repository, head->commit);
        if (!tip)
            return tip.error();
        GitTreeEntry entry;
        if (obtain(entry, git_tree_entry_bypath, tip->get(), path.toUtf8().constData()) == 0 &&
            git_oid_equal(git_tree_entry_id(entry.get()), &saved.blob))
            return QString();
    }
    if (git_blob_create_from_buffer(&saved.blob, repository.git(), stored->constData(), size_t(stored->size())) < 0)
        return gitError(what, path);
    const Result<Identity> identity = anyIdentity(repository);
    if (!identity)
        return identity.error();
    return save(repository, journal, {what, head->commit, head->branch, subject, *identity}, {saved});
}

} // namespace tmx
