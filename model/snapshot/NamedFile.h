// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/catalog/VariantName.h"
#include "model/repository/GitValues.h"

namespace tmx {

/// A file of .flox/pkgs whose name reads as a variant. Points into the BranchContent that it was made from.
struct NamedFile {
    const RecipeFile *file = nullptr;
    VariantName name;
    bool gone = false; ///< in HEAD or the index, deleted from the working tree; sparse checkout deletes nothing

    /// A GPU recipe that does not say its toolkit.
    [[nodiscard]] bool lacksCuda() const { return name.variant.cuda.isEmpty() && name.variant.row.startsWith(u"sm"); }
    /// The work tree's text where that was read, else the commit's; nothing for what cannot be read (a link, a folder,
    /// no text).
    [[nodiscard]] QByteArray text() const
    {
        return gone || file->trouble != FileTrouble::None
                   ? QByteArray()
                   : file->onDisk.value_or(file->committed.value_or(QByteArray()));
    }
};

/// Those whose names read as variants, in the order of the content; the paths of the rest go to `others`.
QList<NamedFile> namedFiles(const Catalog &catalog, const BranchContent &content, QStringList *others = nullptr);

/// The same with the toolkit of each: a GPU recipe whose name does not say it is of the only one of `toolkits`. Where
/// there are several, which one is not guessed, and it is left out.
QList<NamedFile> placedFiles(const Catalog &catalog, const BranchContent &content, const QStringList &toolkits);

} // namespace tmx
