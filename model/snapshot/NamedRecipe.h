// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/catalog/VariantName.h"
#include "model/snapshot/BranchContent.h"

namespace tmx {

/// A file of .flox/pkgs whose name parses as a variant. Points into its BranchContent.
struct NamedRecipe {
    const VersionedFile *file = nullptr;
    VariantName name;
    bool gone = false;   ///< in HEAD or the index, but deleted from the working tree; sparse checkout does not count
    QString suffix = {}; ///< "-magma": a further package for the cell name.variant, never its recipe

    /// Takes the suffix out of the variant.
    void setApart();
    /// Whether it is a GPU recipe without a toolkit in its name.
    [[nodiscard]] bool lacksCuda() const { return name.variant.cuda.isEmpty() && isGpuRow(name.variant.row); }
    /// The working tree's text if that was read, else the commit's; empty if the file cannot be read (a link, a folder,
    /// not text).
    [[nodiscard]] QByteArray text() const
    {
        return gone || file->trouble != FileTrouble::None
                   ? QByteArray()
                   : file->onDisk.value_or(file->committed.value_or(QByteArray()));
    }
};

/// The files whose names parse as variants, in the order of the content; the paths of the others go to `others`. An
/// uncertain name counts beside a certain one of its family. A suffix marks a further package for a cell if the family
/// has that cell without it too, or if it is the only one with that suffix beside others of the family without any.
QList<NamedRecipe> namedRecipes(const Catalog &catalog, const BranchContent &content, QStringList *others = nullptr);

/// The same with the toolkit of each. A GPU recipe without a toolkit in its name gets the only one in `toolkits`; if
/// there are several, it is left out.
QList<NamedRecipe> placedRecipes(const Catalog &catalog, const BranchContent &content, const QStringList &toolkits);

} // namespace tmx
