// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/SettingsFileReader.h"

#include "model/git/RecipePath.h"
#include "model/settings/SettingsFile.h"

namespace tmx {

Result<void> readLineFileOf(const OpenRepository &repository, BranchContent &content)
{
    if (content.withWorkTree) {
        const DiskFile disk = readDiskFile(repository.workTree, settingsFileName);
        TM_CHECK(checkRead(disk, settingsFileName));
        content.lineTrouble = disk.present ? disk.trouble : FileTrouble::None;
        if (disk.present && disk.trouble == FileTrouble::None)
            content.lineFile = disk.bytes;
        return {};
    }
    if (content.commit.isEmpty())
        return {};
    TM_TRY(root, treeOf(repository, content.commit));
    const git_tree_entry *item = git_tree_entry_byname(root->get(), settingsFileName.data());
    if (!item)
        return {};
    GitBlob blob;
    if (git_tree_entry_type(item) != GIT_OBJECT_BLOB) {
        content.lineTrouble = FileTrouble::Folder;
    } else if (git_tree_entry_filemode(item) == GIT_FILEMODE_LINK) {
        content.lineTrouble = FileTrouble::Link;
    } else if (obtain(blob, git_blob_lookup, repository.git(), git_tree_entry_id(item)) < 0) {
        content.lineTrouble = FileTrouble::Unreadable;
    } else if (git_blob_rawsize(blob.get()) > git_object_size_t(maxRecipeBytes)) {
        content.lineTrouble = FileTrouble::TooLarge;
    } else {
        QByteArray bytes(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                         qsizetype(git_blob_rawsize(blob.get())));
        if (isText(bytes))
            content.lineFile = std::move(bytes);
        else
            content.lineTrouble = FileTrouble::NotText;
    }
    return {};
}

} // namespace tmx
