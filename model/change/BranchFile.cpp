// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/BranchFile.h"

#include "model/base/Tr.h"
#include "model/git/RecipePath.h"

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
    const DiskFile file = readDiskFile(info.workTree, path);
    if (file.present && file.trouble == FileTrouble::Unreadable)
        return Error{Tr::tr("read"), path, troubleWords(file.trouble), Tr::tr("Check its permissions and the disk.")};
    found.disk.reset();
    found.readable = !file.present || file.trouble == FileTrouble::None || file.trouble == FileTrouble::NotText;
    if (file.present && found.readable)
        found.disk = file.bytes;
    return found;
}

bool sameText(QByteArray a, QByteArray b)
{
    return a.replace("\r\n", "\n") == b.replace("\r\n", "\n");
}

} // namespace tmx
