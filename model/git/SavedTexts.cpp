// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/SavedTexts.h"

#include "model/git/DiskFile.h"
#include "model/git/GitError.h"
#include "model/git/GitProgram.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QTimeZone>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <tuple>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// Appended to the subject of texts that were saved although no commit replaced them.
const QLatin1StringView withoutCommit{" (without a commit)"};
const QLatin1StringView savedPrefix{"refs/torch-matrix/saved/"};
const QLatin1StringView writtenPrefix{"refs/torch-matrix/written/"};
const QLatin1StringView beforeFolder{"before/"};
const QLatin1StringView afterFolder{"after/"};
const QLatin1StringView operationPrefix{"refs/torch-matrix/operations/"};
const QLatin1StringView timeFormat{"yyyyMMdd-HHmmss.zzz"};
const QLatin1StringView olderTimeFormat{"yyyyMMdd-HHmmss"};

/// Passes the name and commit of each ref below `prefix` to `take`; a ref that points to no object is left out.
/// `failed`: for the error, "list the operations of".
template <class Take>
Result<void> forEachReference(const OpenRepository &repository, QLatin1StringView prefix, const QString &failed,
                              const Take &take)
{
    GitReferenceIterator references;
    if (obtain(references, git_reference_iterator_glob_new, repository.git(),
               (QString(prefix) + u'*').toLatin1().constData()) < 0)
        return gitError(failed, repository.workTree);
    git_reference *raw = nullptr;
    while (git_reference_next(&raw, references.get()) == 0) {
        const GitReference reference(raw);
        const git_oid *id = git_reference_target(reference.get());
        if (!id)
            continue;
        TM_CHECK(take(QString::fromUtf8(git_reference_name(reference.get())), *id));
    }
    return {};
}

Result<git_oid> makeSavedCommit(const OpenRepository &repository, const SavedOccasion &occasion,
                                const QByteArray &message, const Identity &who, const QList<SavedText> &texts)
{
    const auto failed = [&] { return gitError(Tr::tr("save the uncommitted texts of"), repository.workTree); };
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
    if (git_commit_create(&id, repository.git(), nullptr, who.author.get(), who.committer.get(), nullptr,
                          message.constData(), tree.get(), parent ? 1 : 0, parents) < 0)
        return failed();
    return id;
}

/// Paths of the files in a commit's tree.
Result<QStringList> pathsIn(git_commit *commit)
{
    GitTree tree;
    QStringList paths;
    const auto visit = [](const char *folder, const git_tree_entry *entry, void *into) {
        if (git_tree_entry_type(entry) == GIT_OBJECT_BLOB)
            static_cast<QStringList *>(into)->append(QString::fromUtf8(folder) +
                                                     QString::fromUtf8(git_tree_entry_name(entry)));
        return 0;
    };
    if (obtain(tree, git_commit_tree, commit) < 0 || git_tree_walk(tree.get(), GIT_TREEWALK_PRE, visit, &paths) < 0)
        return gitError(Tr::tr("list the saved texts of"), toHex(*git_commit_id(commit)));
    return paths;
}

/// Creates the commit and its ref.
Result<QString> keepTexts(const OpenRepository &repository, const Journal &journal, const SavedOccasion &occasion,
                          const QByteArray &message, const QString &ref, const Identity &identity,
                          const QList<SavedText> &texts)
{
    const QString what = Tr::tr("save the uncommitted texts of");
    TM_TRY(commit, makeSavedCommit(repository, occasion, message, identity, texts));
    // Written completely in the journal and renamed, so that a kill leaves no git lock.
    const QString id = toHex(*commit);
    TM_CHECK(journal.write(u"saved"_s, id.toLatin1() + '\n', 0, what));
    const Result<void> published = publishOwnRef(repository, journal, u"saved"_s, ref, what);
    return published ? Result<QString>(id) : published.error();
}

} // namespace

QString newOperation(const QString &branch)
{
    const QString time = QDateTime::currentDateTimeUtc().toString(timeFormat);
    const QString number = QString::number(QRandomGenerator::system()->generate(), 16).rightJustified(8, u'0');
    return u"%1-%2/%3"_s.arg(time, number, branch.isEmpty() ? u"HEAD"_s : branch);
}

QString savedRef(const QString &operation)
{
    return savedPrefix + operation.section(u'/', 0, 0);
}

QString operationRef(const QString &operation)
{
    return operationPrefix + operation;
}

Result<void> publishOwnRef(const OpenRepository &repository, const Journal &journal, const QString &file,
                           const QString &ref, const QString &what)
{
    if (repository.refTables) {
        const QString id = QString::fromLatin1(journal.read(file).value_or(QByteArray()).trimmed());
        TM_CHECK(
            GitProgram(repository, {}).run(what, noHooks + QStringList{u"update-ref"_s, ref, id}, repository.workTree));
        journal.remove(file);
        return {};
    }
    const QString target = repository.commonFolder + u'/' + ref;
    TM_CHECK(checkNoLinkOnTheWay(repository.commonFolder + u"/refs"_s, ref.mid(5)));
    if (!QDir().mkpath(QFileInfo(target).path()) ||
        ::rename(QFile::encodeName(journal.path(file)).constData(), QFile::encodeName(target).constData()) != 0)
        return Error{what, target, qt_error_string(errno), Tr::tr("Check its permissions.")};
    return {};
}

Result<void> saveTexts(const OpenRepository &repository, const Journal &journal, const SavedOccasion &occasion,
                       const Identity &identity, const QList<SavedText> &texts)
{
    const QByteArray message = "Texts of " + occasion.branch.toUtf8() + " that were not committed, before:\n\n" +
                               occasion.subject.toUtf8() + QByteArray(occasion.alone ? withoutCommit.data() : "") +
                               "\n\n" + QByteArray::number(QDateTime::currentMSecsSinceEpoch()) + '\n';
    const Result<QString> kept =
        keepTexts(repository, journal, occasion, message, savedRef(occasion.operation), identity, texts);
    return kept ? Result<void>() : kept.error();
}

Result<QString> noteWritten(const OpenRepository &repository, const Journal &journal, const SavedOccasion &occasion,
                            bool index, const Identity &identity, const QList<SavedText> &texts)
{
    const QByteArray message = "Files of " + occasion.branch.toUtf8() + " before and after:\n\n" +
                               occasion.subject.toUtf8() + "\n\n" +
                               QByteArray::number(QDateTime::currentMSecsSinceEpoch()) + (index ? " index\n" : "\n");
    return keepTexts(repository, journal, occasion, message, writtenPrefix + occasion.operation, identity, texts);
}

Result<QList<WrittenFiles>> writtenFiles(const OpenRepository &repository)
{
    QList<WrittenFiles> all;
    const auto take = [&](const QString &name, const git_oid &id) -> Result<void> {
        GitCommit commit;
        if (obtain(commit, git_commit_lookup, repository.git(), &id) < 0 || git_commit_parentcount(commit.get()) == 0)
            return {}; // It was created by something else.
        const QString message = QString::fromUtf8(git_commit_message(commit.get())).trimmed();
        const QStringList made = message.section(u'\n', -1).split(u' ');
        bool isTime = false;
        const qint64 time = made.value(0).toLongLong(&isTime);
        const Result<QStringList> paths = pathsIn(commit.get());
        if (!isTime || !paths)
            return {};
        WrittenFiles written;
        written.commit = toHex(id);
        written.branch = name.mid(writtenPrefix.size()).section(u'/', 1);
        written.tip = toHex(*git_commit_parent_id(commit.get(), 0));
        written.subject = message.section(u'\n', 2, 2);
        written.index = made.size() > 1;
        written.when = QDateTime::fromMSecsSinceEpoch(time);
        for (const QString &path : *paths) {
            for (const QLatin1StringView folder : {beforeFolder, afterFolder}) {
                if (path.startsWith(folder) && !written.paths.contains(path.sliced(folder.size())))
                    written.paths.append(path.sliced(folder.size()));
            }
        }
        all.append(written);
        return {};
    };
    if (const Result<void> read = forEachReference(repository, writtenPrefix, Tr::tr("list the saved texts of"), take);
        !read)
        return read.error();
    std::ranges::sort(all, {}, &WrittenFiles::when);
    return all;
}

Result<QList<AppliedOperation>> operations(const OpenRepository &repository)
{
    QList<AppliedOperation> all;
    const auto take = [&](const QString &name, const git_oid &id) -> Result<void> {
        AppliedOperation one;
        one.id = name.mid(operationPrefix.size());
        one.branch = one.id.section(u'/', 1);
        one.when = QDateTime::fromString(one.id.left(timeFormat.size()), timeFormat);
        if (!one.when.isValid())
            one.when = QDateTime::fromString(one.id.left(olderTimeFormat.size()), olderTimeFormat);
        one.when.setTimeZone(QTimeZone::UTC);
        if (one.branch.isEmpty() || !one.when.isValid())
            return {}; // It is not one of ours.
        one.commit = toHex(id);
        git_oid saved{};
        if (const QString ref = savedRef(one.id);
            git_reference_name_to_id(&saved, repository.git(), ref.toUtf8().constData()) == 0)
            one.saved = ref;
        all.append(one);
        return {};
    };
    if (const Result<void> read = forEachReference(repository, operationPrefix, Tr::tr("list the operations of"), take);
        !read)
        return read.error();
    std::ranges::sort(all, {}, &AppliedOperation::id);
    return all;
}

Result<QList<SavedCommit>> savedCommits(const OpenRepository &repository)
{
    QList<SavedCommit> all;
    const auto take = [&](const QString &name, const git_oid &id) -> Result<void> {
        GitCommit commit;
        if (obtain(commit, git_commit_lookup, repository.git(), &id) < 0)
            return {}; // It was created by something else.
        SavedCommit saved;
        saved.ref = name;
        saved.commit = toHex(id);
        const QString message = QString::fromUtf8(git_commit_message(commit.get())).trimmed();
        bool isTime = false; // older ones are exact to the second
        const qint64 time = message.section(u'\n', 4).toLongLong(&isTime);
        saved.when = isTime ? QDateTime::fromMSecsSinceEpoch(time)
                            : QDateTime::fromSecsSinceEpoch(git_commit_time(commit.get()));
        if (git_commit_parentcount(commit.get()) > 0)
            saved.tip = toHex(*git_commit_parent_id(commit.get(), 0));
        saved.subject = message.section(u'\n', 2, 2);
        saved.alone = saved.subject.endsWith(withoutCommit);
        if (saved.alone)
            saved.subject.chop(withoutCommit.size());
        TM_TRY(paths, pathsIn(commit.get()));
        saved.paths = *paths;
        all.append(saved);
        return {};
    };
    if (const Result<void> read = forEachReference(repository, savedPrefix, Tr::tr("list the saved texts of"), take);
        !read)
        return read.error();
    std::ranges::sort(all, [](const SavedCommit &a, const SavedCommit &b) {
        return std::tie(a.when, a.ref) < std::tie(b.when, b.ref);
    });
    return all;
}

} // namespace tmx
