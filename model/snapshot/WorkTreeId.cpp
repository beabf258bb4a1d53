// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/WorkTreeId.h"

#include "model/base/BlobId.h"
#include "model/git/Repository.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/DiskCache.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QIODevice>

#include <algorithm>
#include <utility>

namespace tmx {

namespace {

/// Whether the bytes in the working tree are those of the commit: then its id says all.
bool isAsCommitted(const VersionedFile &file)
{
    return file.status == FileStatus::Clean && file.onDisk &&
           (file.committed ? *file.committed == *file.onDisk : blobId(*file.onDisk, file.blob.size()) == file.blob);
}

QByteArray bytesOf(const KnownFiles &known)
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << known.size();
    for (const auto &[path, file] : known.asKeyValueRange())
        out << path << file.blob << file.bytes << file.named;
    return bytes;
}

KnownFiles knownIn(const QByteArray &bytes)
{
    KnownFiles known;
    QDataStream in(bytes);
    qsizetype count = 0;
    in >> count;
    while (known.size() < count && in.status() == QDataStream::Ok) {
        QString path;
        KnownFile file;
        in >> path >> file.blob >> file.bytes >> file.named;
        known.insert(path, file);
    }
    return in.status() == QDataStream::Ok ? known : KnownFiles();
}

} // namespace

QByteArray workTreeId(const BranchContent &content)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const QList<VersionedFile> *files : {&content.files, &content.imported}) {
        for (const VersionedFile &file : *files) {
            const char state[] = {char('0' + int(file.status)), char('0' + int(file.trouble)),
                                  char('0' + int(file.conflict)), '\n'};
            hash.addData(file.path.toUtf8());
            hash.addData(file.blob.toLatin1());
            hash.addData(QByteArrayView(state, sizeof state));
            if (file.onDisk && !isAsCommitted(file))
                hash.addData(QByteArray::number(file.onDisk->size()) + ' ' + *file.onDisk);
        }
    }
    hash.addData(QByteArray::number(int(content.settingsTrouble)) + (content.settingsFile ? "line " : "none ") +
                 content.settingsFile.value_or(QByteArray()));
    for (const VersionedFile &file : content.torchFiles)
        hash.addData(file.path.toUtf8() + ' ' + file.blob.toLatin1());
    QStringList fetched = content.fetchedTorch.keys();
    fetched.sort();
    for (const QString &key : std::as_const(fetched))
        hash.addData(key.toUtf8() + '\n' + content.fetchedTorch.value(key));
    return "work tree " + hash.result().toHex();
}

Result<QByteArray> workTreeId(const Repository &repository, const DiskCache *cache)
{
    const QByteArray key = "known files\n" + programFingerprint() + '\n' + repository.workTree().toUtf8();
    const KnownFiles before = cache ? knownIn(cache->find(key).value_or(QByteArray())) : KnownFiles();
    TM_TRY(content, readWorkTreeForId(repository, before));
    const auto isRead = [](const VersionedFile &file) { return file.committed.has_value(); };
    if (cache && (std::ranges::any_of(content->files, isRead) || std::ranges::any_of(content->imported, isRead))) {
        if (const KnownFiles known = knownFilesOf(*content, before); known != before)
            cache->insert(key, bytesOf(known));
    }
    return workTreeId(*content);
}

} // namespace tmx
