// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/IndexReader.h"

#include "model/base/AtomicFile.h"
#include "model/base/Surface.h"
#include "model/git/GitError.h"
#include "model/git/GitProgram.h"
#include "model/git/GitTask.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <git2/sys/repository.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

int openIndex(GitIndex &index, const QString &path)
{
    // libgit2 asks for the size by the file's name: git may replace the file before it is read.
    constexpr int tries = 3;
    constexpr qint64 emptySize = 32; // its header and checksum
    int rc = -1;
    for (int i = 0; i < tries && rc < 0; ++i) {
        rc = obtain(index, git_index_open, QFile::encodeName(path).constData()); // reads it
        // libgit2 takes an index that it cannot look at for one that is not there.
        if (rc == 0 && git_index_entrycount(index.get()) == 0 && i + 1 < tries && QFileInfo(path).size() > emptySize)
            rc = -1;
    }
    return rc;
}

/// Whether libgit2 failed because the index is split ("link") or sparse ("sdir"): gitformat-index(5).
bool isOtherForm()
{
    const QString words = gitWords();
    return words.contains("'link'"_L1) || words.contains("'sdir'"_L1);
}

Error indexError(const QString &path)
{
    return {Tr::tr("read the index"), path, gitWords(),
            forSurface(Tr::tr("\"git status\" shows more."), Tr::tr("Check the repository with Git."))};
}

} // namespace

Result<GitIndex> readIndex(const QString &path)
{
    GitIndex index;
    if (openIndex(index, path) < 0)
        return indexError(path);
    return index;
}

Result<GitIndex> readIndex(const OpenRepository &repository)
{
    const QString path = repository.indexPath();
    GitIndex index;
    if (openIndex(index, path) == 0)
        return index;
    if (!isOtherForm())
        return indexError(path);
    TM_TRY(bytes, readFile(path, Tr::tr("read the index")));
    const QTemporaryDir folder;
    TM_TRY(plain, plainIndex(repository, bytes->value_or(QByteArray())));
    QFile copy(folder.filePath(u"index"_s));
    if (!copy.open(QIODevice::WriteOnly) || copy.write(*plain) != plain->size() || !copy.flush())
        return Error{Tr::tr("read the index"), path, copy.errorString(), Tr::tr("Check the temporary folder.")};
    Result<GitIndex> read = readIndex(copy.fileName());
    // libgit2 looks for attributes in the repository's index.
    if (read)
        git_repository_set_index(repository.git(), read->get());
    return read;
}

Result<QByteArray> plainIndex(const OpenRepository &repository, const QByteArray &bytes)
{
    if (!bytes.contains("link") && !bytes.contains("sdir")) // the names of the extensions
        return bytes;
    const QString what = Tr::tr("read the index");
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"index"_s);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush())
        return Error{what, repository.indexPath(), file.errorString(), Tr::tr("Check the temporary folder.")};
    file.close();
    GitIndex index;
    if (openIndex(index, path) == 0)
        return bytes;
    if (!isOtherForm())
        return indexError(repository.indexPath());
    const ProcessRun run = GitProgram(repository, {})
                               .start({u"-c"_s, u"core.splitIndex=false"_s, u"-c"_s, u"index.sparse=false"_s,
                                       u"update-index"_s, u"--no-split-index"_s, u"--force-write-index"_s},
                                      repository.workTree, {{u"GIT_INDEX_FILE"_s, path}});
    if (!run.outcome.succeeded())
        return Error{what, repository.indexPath(),
                     run.outcome.started ? reasonIn(run.output).section(u'\n', 0, 0) : run.outcome.error,
                     forSurface(Tr::tr("\"git status\" shows more."), Tr::tr("Check the repository with Git."))};
    if (!file.open(QIODevice::ReadOnly))
        return Error{what, repository.indexPath(), file.errorString(), {}};
    return file.readAll();
}

} // namespace tmx
