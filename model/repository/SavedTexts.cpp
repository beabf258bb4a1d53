// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/SavedTexts.h"

#include "model/repository/GitError.h"

#include <QDateTime>
#include <QDir>
#include <QFile>

#include <cerrno>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

Result<git_oid> makeSavedCommit(const OpenRepository &repository, const CommitMaker &maker, const QString &branch,
                                const QList<SavedText> &texts)
{
    const auto failed = [&] { return gitError(maker.what(), repository.workTree); };
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
    const std::optional<git_oid> tip = fromHex(maker.expectedTip());
    if (git_index_write_tree_to(&treeId, index.get(), repository.git()) < 0 ||
        obtain(tree, git_tree_lookup, repository.git(), &treeId) < 0 ||
        (!maker.expectedTip().isEmpty() && obtain(parent, git_commit_lookup, repository.git(), &*tip) < 0))
        return failed();
    const git_commit *parents[] = {parent.get()};
    const QByteArray message = "Texts of " + branch.toUtf8() + " that were not committed, before:\n\n" + maker.subject().toUtf8() + '\n';
    const Identity &who = maker.identity();
    if (git_commit_create(&id, repository.git(), nullptr, who.author.get(), who.committer.get(), nullptr, message.constData(), tree.get(),
                          parent ? 1 : 0, parents) < 0)
        return failed();
    return id;
}

} // namespace

Result<QString> saveTexts(const OpenRepository &repository, const Journal &journal, const CommitMaker &maker, const QString &branch,
                          const QList<SavedText> &texts)
{
    if (texts.isEmpty())
        return QString();
    const Result<git_oid> commit = makeSavedCommit(repository, maker, branch, texts);
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
        return Error{maker.what(), draft, file.errorString(), {}};
    // The name holds the commit's id, so one that is there already is this one.
    if (::link(QFile::encodeName(draft).constData(), QFile::encodeName(ref).constData()) != 0 && errno != EEXIST)
        return Error{maker.what(), ref, qt_error_string(errno), {}};
    return name;
}

} // namespace tmx
