// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/BranchFile.h"

#include "model/base/Tr.h"
#include "model/git/DiskFile.h"

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
    const DiskFile file = readDiskFile(info.workTree, path);
    if (file.present && file.trouble == FileTrouble::Unreadable)
        return Error{Tr::tr("read"), path, troubleWords(file.trouble), Tr::tr("Check its permissions and the disk.")};
    found.disk.reset();
    found.readable = !file.present || file.trouble == FileTrouble::None || file.trouble == FileTrouble::NotText;
    if (file.present && found.readable)
        found.disk = file.bytes;
    return found;
}

bool sameText(std::optional<QByteArray> a, std::optional<QByteArray> b)
{
    return a.has_value() == b.has_value() && (!a || a->replace("\r\n", "\n") == b->replace("\r\n", "\n"));
}

} // namespace tmx
