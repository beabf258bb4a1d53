// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/BranchFile.h"

#include <QFile>
#include <QFileInfo>

namespace tmx {

bool BranchFile::isClean() const
{
    return readable && disk.has_value() == committed.has_value() &&
           sameText(disk.value_or(QByteArray()), committed.value_or(QByteArray()));
}

Result<BranchFile> branchFile(const CommitReader &reader, const BranchSource &branch, const RepositoryInfo &info,
                              const QString &path)
{
    TM_TRY(committed, reader.fileAt(branch.commit, path));
    BranchFile found{*committed, *committed};
    if (info.detached || info.headBranch != branch.label)
        return found;
    QFile file(info.workTree + u'/' + path);
    const QFileInfo there(file);
    found.disk.reset();
    if (!there.exists() && !there.isSymLink())
        return found;
    found.readable = !there.isSymLink() && there.isFile() && file.open(QIODevice::ReadOnly);
    if (found.readable)
        found.disk = file.readAll();
    return found;
}

bool sameText(QByteArray a, QByteArray b)
{
    return a.replace("\r\n", "\n") == b.replace("\r\n", "\n");
}

} // namespace tmx
