// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/RefTables.h"

#include "model/base/Process.h"
#include "model/base/Programs.h"
#include "model/base/Surface.h"
#include "model/git/GitError.h"
#include "model/git/GitProgram.h"
#include "model/git/GitTask.h"

#include <QFile>
#include <QHash>
#include <QMap>
#include <QMutex>

#include <fnmatch.h>
#include <git2/sys/errors.h>
#include <git2/sys/refdb_backend.h>
#include <git2/sys/refs.h>
#include <git2/sys/repository.h>
#include <memory>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace tmx {
namespace {

constexpr qsizetype mostBytes = qsizetype(64) << 20;
constexpr qint64 longestList = 64 * 1024;

struct Ref {
    QByteArray target; ///< of a symbolic ref
    git_oid id{};
};
struct Refs {
    QByteArray stamp; ///< the names of the tables, which are new after each change
    QMap<QByteArray, Ref> byName;
};

QByteArray stampOf(const QString &gitFolder, const QString &commonFolder)
{
    QByteArray stamp;
    for (const QString &folder : {gitFolder, commonFolder}) {
        QFile list(refTablesList(folder));
        if (list.open(QIODevice::ReadOnly))
            stamp += list.read(longestList);
        stamp += '\n';
    }
    return stamp;
}

Result<QByteArray> askGit(const QString &gitFolder, const QStringList &arguments)
{
    ProcessRequest request{u"git"_s, QStringList{u"--git-dir=%1"_s.arg(gitFolder)} + arguments, gitFolder};
    request.environment = gitEnvironment();
    request.timeout = 1min;
    const ProcessRun run = runProcess(request, mostBytes);
    if (run.outcome.succeeded())
        return run.output;
    return Error{Tr::tr("read the references of"), gitFolder,
                 run.outcome.started ? reasonIn(run.output) : run.outcome.error,
                 forSurface(Tr::tr("Install git 2.45 or later, or convert them: git refs migrate --ref-format=files"),
                            Tr::tr("Install git 2.45 or later, or convert its refs to files with Git."))};
}

Result<Refs> readRefs(const QString &gitFolder, const QByteArray &stamp)
{
    Refs refs{stamp, {}};
    // A name has neither blanks nor line ends.
    TM_TRY(lines, askGit(gitFolder, {u"for-each-ref"_s, u"--include-root-refs"_s,
                                     u"--format=%(refname) %(objectname) %(symref)"_s}));
    for (const QByteArray &line : lines->split('\n')) {
        const QByteArrayList words = line.split(' ');
        const std::optional<git_oid> id = fromHex(QString::fromLatin1(words.value(1)));
        if (words.size() == 3 && id)
            refs.byName.insert(words.at(0), {words.at(2), *id});
    }
    // A branch without a commit is no ref yet.
    if (!refs.byName.contains("HEAD")) {
        TM_TRY(head, askGit(gitFolder, {u"symbolic-ref"_s, u"HEAD"_s}));
        refs.byName.insert("HEAD", {head->trimmed(), {}});
    }
    return refs;
}

/// The refs as they are now. Every worker opens the repository: they share the answer of git.
Result<std::shared_ptr<const Refs>> refsNow(const QString &gitFolder, const QString &commonFolder)
{
    static QMutex lock;
    static QHash<QString, std::shared_ptr<const Refs>> known;
    const QMutexLocker locker(&lock);
    const QByteArray stamp = stampOf(gitFolder, commonFolder);
    std::shared_ptr<const Refs> &refs = known[gitFolder];
    if (!refs || refs->stamp != stamp) {
        TM_TRY(read, readRefs(gitFolder, stamp));
        refs = std::make_shared<const Refs>(std::move(read).value());
    }
    return refs;
}

struct Tables {
    git_refdb_backend backend{}; ///< must be first: libgit2 passes its address back
    QString gitFolder;
    QString commonFolder;
};

std::shared_ptr<const Refs> refsOf(git_refdb_backend *backend)
{
    const auto *tables = reinterpret_cast<const Tables *>(backend);
    const auto refs = refsNow(tables->gitFolder, tables->commonFolder);
    if (refs)
        return *refs;
    git_error_set_str(GIT_ERROR_REFERENCE, refs.error().why.toUtf8().constData());
    return nullptr;
}

git_reference *referenceOf(const QByteArray &name, const Ref &ref)
{
    return ref.target.isEmpty() ? git_reference__alloc(name.constData(), &ref.id, nullptr)
                                : git_reference__alloc_symbolic(name.constData(), ref.target.constData());
}

int lookUp(git_reference **out, git_refdb_backend *backend, const char *name)
{
    *out = nullptr;
    const auto refs = refsOf(backend);
    const auto found = refs ? refs->byName.constFind(name) : QMap<QByteArray, Ref>::const_iterator();
    if (!refs)
        return GIT_ERROR;
    if (found == refs->byName.constEnd()) {
        git_error_set_str(GIT_ERROR_REFERENCE, (QByteArray("reference '") + name + "' not found").constData());
        return GIT_ENOTFOUND;
    }
    *out = referenceOf(found.key(), *found);
    return *out ? 0 : GIT_ERROR;
}

struct Iterator {
    git_reference_iterator base{}; ///< must be first
    std::shared_ptr<const Refs> refs;
    QMap<QByteArray, Ref>::const_iterator at;
    QByteArray glob; ///< empty: all
};

/// Steps to the next ref below refs/ that the pattern takes.
int step(Iterator *iterator, QMap<QByteArray, Ref>::const_iterator *now)
{
    for (; iterator->at != iterator->refs->byName.constEnd(); ++iterator->at) {
        const QByteArray &name = iterator->at.key();
        if (!name.startsWith("refs/") ||
            (!iterator->glob.isEmpty() && ::fnmatch(iterator->glob.constData(), name.constData(), 0) != 0))
            continue;
        *now = iterator->at++;
        return 0;
    }
    return GIT_ITEROVER;
}

int iterate(git_reference_iterator **out, git_refdb_backend *backend, const char *glob)
{
    auto iterator = std::make_unique<Iterator>();
    iterator->refs = refsOf(backend);
    if (!iterator->refs)
        return GIT_ERROR;
    iterator->at = iterator->refs->byName.constBegin();
    iterator->glob = glob;
    iterator->base.next = [](git_reference **ref, git_reference_iterator *iter) {
        QMap<QByteArray, Ref>::const_iterator now;
        const int rc = step(reinterpret_cast<Iterator *>(iter), &now);
        if (rc == 0)
            *ref = referenceOf(now.key(), *now);
        return rc;
    };
    iterator->base.next_name = [](const char **name, git_reference_iterator *iter) {
        QMap<QByteArray, Ref>::const_iterator now;
        const int rc = step(reinterpret_cast<Iterator *>(iter), &now);
        if (rc == 0)
            *name = now.key().constData();
        return rc;
    };
    iterator->base.free = [](git_reference_iterator *iter) {
        const std::unique_ptr<Iterator> owned(reinterpret_cast<Iterator *>(iter));
    };
    *out = &iterator.release()->base;
    return 0;
}

int readOnly()
{
    git_error_set_str(GIT_ERROR_REFERENCE, "the git program writes references in the reftable format");
    return GIT_ERROR;
}

} // namespace

QString refTablesList(const QString &commonFolder)
{
    return commonFolder + u"/reftable/tables.list"_s;
}

Result<bool> readRefTables(git_repository *git)
{
    GitConfig config;
    const char *format = nullptr;
    if (obtain(config, git_repository_config_snapshot, git) < 0 ||
        git_config_get_string(&format, config.get(), "extensions.refstorage") < 0 || qstrcmp(format, "files") == 0)
        return false;
    auto tables = std::make_unique<Tables>();
    tables->gitFolder = QFile::decodeName(git_repository_path(git));
    tables->commonFolder = QFile::decodeName(git_repository_commondir(git));
    if (qstrcmp(format, "reftable") != 0)
        return Error{Tr::tr("open"), tables->commonFolder,
                     Tr::tr("its references are stored in the format \"%1\", which this program does not read")
                         .arg(QString::fromUtf8(format)),
                     forSurface(Tr::tr("\"git refs migrate --ref-format=files\" converts it."),
                                Tr::tr("Convert its refs to files with Git."))};
    if (const auto refs = refsNow(tables->gitFolder, tables->commonFolder); !refs)
        return refs.error();
    GitHandle<git_refdb, git_refdb_free> refdb;
    git_refdb_backend *backend = &tables->backend;
    if (git_refdb_init_backend(backend, GIT_REFDB_BACKEND_VERSION) < 0 || obtain(refdb, git_refdb_new, git) < 0)
        return gitError(Tr::tr("open"), tables->commonFolder);
    backend->exists = [](int *exists, git_refdb_backend *me, const char *name) {
        const auto refs = refsOf(me);
        *exists = refs && refs->byName.contains(name);
        return refs ? 0 : int(GIT_ERROR);
    };
    backend->lookup = lookUp;
    backend->iterator = iterate;
    backend->write = [](auto...) { return readOnly(); };
    backend->rename = [](auto...) { return readOnly(); };
    backend->del = [](auto...) { return readOnly(); };
    backend->has_log = [](auto...) { return 0; };
    backend->ensure_log = [](auto...) { return readOnly(); };
    backend->reflog_read = [](auto...) { return readOnly(); };
    backend->reflog_write = [](auto...) { return readOnly(); };
    backend->reflog_rename = [](auto...) { return readOnly(); };
    backend->reflog_delete = [](auto...) { return readOnly(); };
    backend->free = [](git_refdb_backend *me) { const std::unique_ptr<Tables> owned(reinterpret_cast<Tables *>(me)); };
    if (git_refdb_set_backend(refdb.get(), backend) < 0)
        return gitError(Tr::tr("open"), tables->commonFolder);
    [[maybe_unused]] const Tables *theirs = tables.release(); // the refdb takes ownership
    git_repository_set_refdb(git, refdb.get());
    return true;
}

} // namespace tmx
