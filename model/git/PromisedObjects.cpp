// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/PromisedObjects.h"

#include "model/base/Surface.h"
#include "model/git/GitError.h"
#include "model/git/GitProgram.h"
#include "model/git/GitTask.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QHash>
#include <QMutex>
#include <QScopeGuard>
#include <QTemporaryDir>

#include <algorithm>
#include <git2/sys/odb_backend.h>
#include <memory>
#include <utility>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace tmx {
namespace {

constexpr int afterAllOthers = -100; // libgit2's own backends have 1 and 2
constexpr qsizetype mostAtOnce = 1000;
constexpr auto failureLasts = 30s;

thread_local const WorkHooks *hooksOfThread = nullptr;
thread_local bool fetches = false; // the fetch reads the repository itself

/// Why a fetch failed, by folder of the repository: the other workers, and the other objects, need not try again.
struct Failure {
    QString reason;
    QDeadlineTimer until;
};
QMutex failuresLock;
QHash<QString, Failure> &failures()
{
    static QHash<QString, Failure> all;
    return all;
}
QString failureOf(const OpenRepository &repository)
{
    const QMutexLocker lock(&failuresLock);
    const Failure known = failures().value(repository.commonFolder);
    return known.until.hasExpired() ? QString() : known.reason;
}

/// The address of the remote that has promised the missing objects; empty: the repository is no partial clone.
QString promisorOf(git_repository *git)
{
    GitConfig config;
    GitHandle<git_config_iterator, git_config_iterator_free> entries;
    if (obtain(config, git_repository_config_snapshot, git) < 0 ||
        obtain(entries, git_config_iterator_glob_new, config.get(), "^remote\\..*\\.promisor$") < 0)
        return {};
    git_config_entry *entry = nullptr;
    while (git_config_next(&entry, entries.get()) == 0) {
        int on = 0;
        const QString name = QString::fromUtf8(entry->name).section(u'.', 1, -2);
        GitHandle<git_remote, git_remote_free> remote;
        if (git_config_parse_bool(&on, entry->value) == 0 && on &&
            obtain(remote, git_remote_lookup, git, name.toUtf8().constData()) == 0 && git_remote_url(remote.get()))
            return QString::fromUtf8(git_remote_url(remote.get()));
    }
    return {};
}

/// A git folder with the remote alone, so that nothing else of the repository's configuration counts.
bool makeFolder(const QString &folder, const OpenRepository &repository, QString address)
{
    const auto write = [&folder](const QString &name, const QByteArray &text) {
        QFile file(folder + u'/' + name);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    address.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    if (address.contains(u'\n') || !QDir(folder).mkdir(u"objects"_s) || !QDir(folder).mkdir(u"refs"_s) ||
        !write(u"HEAD"_s, "ref: refs/heads/none\n") ||
        !write(u"config"_s, "[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n[remote \"promisor\"]\n\turl = \"" +
                                address.toUtf8() + "\"\n\tpromisor = true\n\tpartialCloneFilter = blob:none\n"))
        return false;
    const QString shallow = repository.shallowPath();
    return !QFile::exists(shallow) || QFile::copy(shallow, folder + u"/shallow"_s);
}

/// Error: why git could not fetch them.
Result<void> fetchAll(const OpenRepository &repository, const QString &address, const QList<git_oid> &ids)
{
    const auto failed = [](const QString &why) { return Error{Tr::tr("fetch"), {}, why, {}}; };
    const QTemporaryDir folder;
    if (!folder.isValid() || !makeFolder(folder.path(), repository, address))
        return failed(Tr::tr("no temporary folder can be written"));
    const WorkHooks hooks = hooksOfThread ? *hooksOfThread : WorkHooks();
    QMap<QString, QString> variables = forRemotes();
    variables.insert(u"GIT_DIR"_s, folder.path());
    variables.insert(u"GIT_OBJECT_DIRECTORY"_s, repository.commonFolder + u"/objects"_s);
    GitProgressReader reader;
    const auto hear = [&](const QByteArray &bytes) {
        if (const auto progress = reader.read(bytes); progress && progress->percent >= 0)
            hooks.tell(progress->percent, 100);
    };
    for (qsizetype from = 0; from < ids.size(); from += mostAtOnce) {
        // As git itself fetches them (promisor-remote.c).
        QStringList arguments = u"-c fetch.negotiationAlgorithm=noop fetch --progress --no-tags --no-write-fetch-head "
                                "--recurse-submodules=no --filter=blob:none promisor"_s.split(u' ');
        for (const git_oid &id : ids.sliced(from, std::min(mostAtOnce, ids.size() - from)))
            arguments.append(toHex(id));
        const ProcessRun run =
            GitProgram(repository, {{}, hooks.stop}).start(arguments, repository.workTree, variables, hear);
        if (run.outcome.succeeded())
            continue;
        if (run.outcome.stopped)
            return stoppedError();
        if (!run.outcome.started)
            return failed(run.outcome.error);
        const QString reason = reasonIn(run.output).section(u'\n', 0, 0);
        return failed(reason.isEmpty() ? Tr::tr("git ended with exit code %1").arg(run.outcome.exitCode) : reason);
    }
    return {};
}

struct PromisedReader {
    git_odb_backend backend{}; ///< must be first: libgit2 passes its address back
    QString workTree;
    std::shared_ptr<int> missing;
};

int readPromised(void **buffer, size_t *size, git_object_t *type, git_odb_backend *backend, const git_oid *id)
{
    // libgit2 asks each reader before it looks for new packs, and holds a lock of the object database meanwhile: this
    // looks through another handle.
    const auto *reader = reinterpret_cast<const PromisedReader *>(backend);
    if (std::exchange(fetches, true))
        return GIT_ENOTFOUND;
    const auto reset = qScopeGuard([] { fetches = false; });
    const Result<OpenRepository> repository = openRepository(reader->workTree);
    GitOdb odb;
    GitOdbObject object;
    if (!repository || obtain(odb, git_repository_odb, repository->git()) < 0)
        return GIT_ENOTFOUND;
    fetchMissing(*repository, {*id});
    if (obtain(object, git_odb_read, odb.get(), id) < 0) {
        ++*reader->missing;
        return GIT_ENOTFOUND;
    }
    *size = git_odb_object_size(object.get());
    *type = git_odb_object_type(object.get());
    if (!buffer)
        return 0;
    *buffer = git_odb_backend_data_alloc(backend, *size + 1);
    if (!*buffer)
        return GIT_ERROR;
    auto *bytes = static_cast<char *>(*buffer);
    std::copy_n(static_cast<const char *>(git_odb_object_data(object.get())), *size, bytes);
    bytes[*size] = '\0';
    return 0;
}

} // namespace

void readMissingObjectsLast(OpenRepository &repository)
{
    repository.partial = !promisorOf(repository.git()).isEmpty();
    GitOdb odb;
    auto reader = std::make_unique<PromisedReader>();
    if (obtain(odb, git_repository_odb, repository.git()) < 0 ||
        git_odb_init_backend(&reader->backend, GIT_ODB_BACKEND_VERSION) < 0)
        return;
    reader->workTree = repository.workTree;
    reader->missing = repository.missing;
    reader->backend.read = readPromised;
    reader->backend.read_header = [](size_t *size, git_object_t *type, git_odb_backend *backend, const git_oid *id) {
        return readPromised(nullptr, size, type, backend, id);
    };
    reader->backend.free = [](git_odb_backend *backend) {
        const std::unique_ptr<PromisedReader> owned(reinterpret_cast<PromisedReader *>(backend));
    };
    if (git_odb_add_backend(odb.get(), &reader->backend, afterAllOthers) == 0) {
        [[maybe_unused]] const PromisedReader *theirs = reader.release(); // the odb takes ownership
    }
}

void fetchMissing(const OpenRepository &repository, const QList<git_oid> &ids)
{
    GitOdb odb;
    if (!repository.partial || ids.isEmpty() || obtain(odb, git_repository_odb, repository.git()) < 0 ||
        !failureOf(repository).isEmpty())
        return;
    QList<git_oid> missing = ids;
    missing.removeIf([&odb](const git_oid &id) {
        return git_oid_is_zero(&id) || git_odb_exists_ext(odb.get(), &id, GIT_ODB_LOOKUP_NO_REFRESH) == 1;
    });
    if (missing.isEmpty())
        return;
    git_odb_refresh(odb.get()); // another process may have fetched them
    missing.removeIf([&odb](const git_oid &id) { return git_odb_exists(odb.get(), &id) == 1; });
    if (missing.isEmpty())
        return;
    const Result<void> done = fetchAll(repository, promisorOf(repository.git()), missing);
    git_odb_refresh(odb.get());
    if (!done && !(hooksOfThread && hooksOfThread->stopped())) {
        const QMutexLocker lock(&failuresLock);
        failures().insert(repository.commonFolder, {done.error().why, QDeadlineTimer(failureLasts)});
    }
}

void fetchTreesOfHistory(const OpenRepository &repository, const QString &commit, int most)
{
    GitRevwalk walk;
    const std::optional<git_oid> from = fromHex(commit);
    if (!repository.partial || !from || obtain(walk, git_revwalk_new, repository.git()) < 0 ||
        git_revwalk_push(walk.get(), &*from) < 0)
        return;
    QList<git_oid> trees;
    git_oid id;
    while (trees.size() < most && git_revwalk_next(&id, walk.get()) == 0) {
        GitCommit found;
        if (obtain(found, git_commit_lookup, repository.git(), &id) == 0)
            trees.append(*git_commit_tree_id(found.get()));
    }
    fetchMissing(repository, trees);
}

FetchHooks::FetchHooks(const WorkHooks &hooks)
    : m_before(std::exchange(hooksOfThread, &hooks))
{
}

FetchHooks::~FetchHooks()
{
    hooksOfThread = m_before;
}

Error notHere(const OpenRepository &repository, const QString &what, const QString &subject)
{
    if (hooksOfThread && hooksOfThread->stopped())
        return stoppedError();
    if (!repository.partial && QFile::exists(repository.shallowPath()))
        return {what, subject, Tr::tr("this is a shallow clone, which does not have that part of the history"),
                forSurface(Tr::tr("\"git fetch --unshallow\" fetches the rest."),
                           Tr::tr("Clone it again, with its whole history."))};
    if (!repository.partial)
        return {what, subject, Tr::tr("objects are missing from the repository"),
                forSurface(Tr::tr("\"git fsck\" names them; \"git fetch --refetch\" fetches them again."),
                           Tr::tr("Clone it again from its remote."))};
    const QString reason = failureOf(repository);
    return {what, subject,
            reason.isEmpty()
                ? Tr::tr("it is not here yet: this is a partial clone, and its remote does not have the objects")
                : Tr::tr("it is not here yet: this is a partial clone, and git could not fetch it (%1)").arg(reason),
            Tr::tr("Try again when the remote can be reached.")};
}

Error readError(const OpenRepository &repository, int missingBefore, const QString &what, const QString &subject)
{
    return *repository.missing > missingBefore
               ? notHere(repository, what, subject)
               : gitError(what, subject,
                          forSurface(Tr::tr("\"git fsck\" checks whether the repository is damaged."),
                                     Tr::tr("Check the repository with Git.")));
}

} // namespace tmx
