// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"
#include "model/catalog/Variant.h"
#include "model/recipe/RecipeSource.h"

namespace tmx {

/// The files with the entries that the recipe selects from tables and that these lack: one for a GPU row, an
/// instruction set or a toolkit of the catalog, in the notation of its neighbours, with values that follow from the
/// catalog, or from the variants of the branch, as the neighbours' values do. The same files if nothing is missing.
/// `changed`, if set, gets the new texts by path. `variants`: that the branch has then; empty: unknown, so that lists
/// have all that the catalog allows. Pure. Error: a table, with its line, whose key or some of whose values do not
/// follow from them.
Result<std::shared_ptr<const RecipeFiles>> withTableEntries(const Catalog &catalog,
                                                            const std::shared_ptr<const RecipeFiles> &files,
                                                            const QString &path, const QByteArray &text,
                                                            QMap<QString, QByteArray> *changed = nullptr,
                                                            const QList<Variant> &variants = {});

/// The files with an entry for the recipe's toolkit in a table of nixpkgs revisions by toolkit, so that it is pinned to
/// `revision`. The same files if it is pinned to that already, or no table that it imports decides. `changed`, if set,
/// gets the new texts by path; `table`, if set, the place of the table: "lib/pins.nix:12". Pure.
std::shared_ptr<const RecipeFiles> withPinEntry(const Catalog &catalog, const std::shared_ptr<const RecipeFiles> &files,
                                                const QString &path, const QByteArray &text, const QString &toolkit,
                                                const QString &revision, QMap<QString, QByteArray> *changed = nullptr,
                                                QString *table = nullptr);

/// A list in a table's entry for a GPU, a version or a Python: of the toolkits or of the instruction sets that it has
/// recipes for.
struct ListOfRow {
    QString file;
    int line = 0;
    QString row;   ///< or the entry's key: "sm90", "0.27-313"
    QString value; ///< that is missing in it, or is there for no recipe: "12.9", "armv9"
};

/// The files with a new variant in such lists of the tables that its recipe imports, where the other entries list what
/// `former`, the variants without the new ones, have, or these and some of `created`, all new ones. `changed`, if set,
/// gets the new texts; `unclear`, if set, the lists that lack it where the others have something else. Pure.
std::shared_ptr<const RecipeFiles>
withListedVariant(const Catalog &catalog, const std::shared_ptr<const RecipeFiles> &files, const QString &path,
                  const QByteArray &text, const Variant &variant, const QList<Variant> &former,
                  QMap<QString, QByteArray> *changed = nullptr, QList<ListOfRow> *unclear = nullptr,
                  const QList<Variant> &created = {});

/// Whether a list of a row leaves the variant out on purpose: it is there, and the lists have what the branch has
/// recipes for (`former`). `paths`: of the files that have the tables. Pure.
bool isLeftOut(const Catalog &catalog, const RecipeFiles &files, const QStringList &paths, const Variant &variant,
               const QList<Variant> &former);

/// The lists in tables with values for which no variant is left. `paths`: of the files. Pure.
QList<ListOfRow> listsWithout(const Catalog &catalog, const RecipeFiles &files, const QStringList &paths,
                              const QList<Variant> &deleted, const QList<Variant> &left);

} // namespace tmx
