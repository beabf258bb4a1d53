// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/GitFilter.h"

#include "model/base/Surface.h"
#include "model/git/GitError.h"
#include "model/git/GitProgram.h"
#include "model/git/GitTask.h"

#include <QFile>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// The name of a filter that libgit2 would silently ignore; empty if there is none.
QString foreignFilter(const OpenRepository &repository, const QByteArray &path)
{
    // Both in one call: for each call libgit2 searches all files that may contain attributes.
    const char *names[] = {"working-tree-encoding", "filter"};
    const char *values[] = {nullptr, nullptr};
    if (git_attr_get_many(values, repository.git(), GIT_ATTR_CHECK_FILE_THEN_INDEX, path.constData(), 2, names) < 0)
        return {};
    const auto text = [&values](int number) {
        return git_attr_value(values[number]) == GIT_ATTR_VALUE_STRING ? QString::fromUtf8(values[number]) : QString();
    };
    if (const QString encoding = text(0); !encoding.isEmpty())
        return u"working-tree-encoding="_s + encoding;
    const QString filter = text(1);
    GitConfig config;
    GitBuffer command;
    if (filter.isEmpty() || obtain(config, git_repository_config_snapshot, repository.git()) < 0)
        return {};
    const bool runs =
        git_config_get_string_buf(&command, config.get(), u"filter.%1.clean"_s.arg(filter).toUtf8().constData()) == 0 ||
        git_config_get_string_buf(&command, config.get(), u"filter.%1.process"_s.arg(filter).toUtf8().constData()) == 0;
    return runs ? u"filter="_s + filter : QString();
}

Result<QByteArray> storedByGit(const OpenRepository &repository, const QString &path, const QByteArray &bytes,
                               const QString &filter)
{
    const auto failed = [&](const QString &why) {
        return Error{
            Tr::tr("add"), path, Tr::tr("its attribute %1: %2").arg(filter, why),
            forSurface(Tr::tr("\"git add\" would fail too."), Tr::tr("Correct the filter in Git's configuration."))};
    };
    const QTemporaryDir folder;
    QFile text(folder.filePath(u"text"_s));
    if (!text.open(QIODevice::WriteOnly) || text.write(bytes) != bytes.size() || !text.flush())
        return failed(text.errorString());
    const ProcessRun run =
        GitProgram(repository, {})
            .start({u"hash-object"_s, u"-w"_s, u"--path="_s + path, u"--"_s, text.fileName()}, repository.workTree);
    if (!run.outcome.succeeded())
        return failed(run.outcome.started ? reasonIn(run.output).section(u'\n', 0, 0) : run.outcome.error);
    // A filter may print something before.
    const std::optional<git_oid> id = fromHex(QString::fromLatin1(run.output.trimmed().split('\n').constLast()));
    GitBlob blob;
    if (!id || obtain(blob, git_blob_lookup, repository.git(), &*id) < 0)
        return gitError(Tr::tr("add"), path);
    return QByteArray(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                      qsizetype(git_blob_rawsize(blob.get())));
}

} // namespace

Result<QByteArray> toStored(const OpenRepository &repository, const QString &path, const QByteArray &bytes,
                            Filters filters)
{
    const QByteArray name = path.toUtf8();
    if (const QString foreign = foreignFilter(repository, name); !foreign.isEmpty()) {
        if (filters == Filters::ByGit)
            return storedByGit(repository, path, bytes, foreign);
        return Error{Tr::tr("add"), path, Tr::tr("its attribute %1 needs the git program").arg(foreign),
                     forSurface(Tr::tr("Use \"git add\" for it."), Tr::tr("Add the file with Git."))};
    }

    GitFilterList list;
    if (obtain(list, git_filter_list_load, repository.git(), nullptr, name.constData(), GIT_FILTER_TO_ODB,
               GIT_FILTER_DEFAULT) < 0)
        return gitError(Tr::tr("read the attributes of"), path);
    if (!list)
        return bytes;
    GitBuffer out;
    if (git_filter_list_apply_to_buffer(&out, list.get(), bytes.constData(), size_t(bytes.size())) < 0)
        return gitError(Tr::tr("apply the attributes of"), path);
    return QByteArray(out.ptr, qsizetype(out.size));
}

git_oid blobId(const QByteArray &stored)
{
    git_oid id{};
    git_odb_hash(&id, stored.constData(), size_t(stored.size()), GIT_OBJECT_BLOB);
    return id;
}

} // namespace tmx
