// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/BranchFile.h"

#include <QFile>
#include <QFileInfo>

namespace tmx {

bool BranchFile::isClean() const
{
    return readable && sameText(disk, committed);
}

Result<BranchFile> branchFile(const OpenedRepository &opened, const BranchSource &branch, const QString &path)
{
    const RepositoryInfo &info = opened.info;
    TM_TRY(committed, opened.repository.fileAt(branch.commit, path));
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

bool sameText(std::optional<QByteArray> a, std::optional<QByteArray> b)
{
    return a.has_value() == b.has_value() && (!a || a->replace("\r\n", "\n") == b->replace("\r\n", "\n"));
}

} // namespace tmx
