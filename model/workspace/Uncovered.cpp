// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Uncovered.h"

#include "model/catalog/VariantName.h"
#include "model/repository/Repository.h"

using namespace Qt::StringLiterals;

namespace tmx {

QList<GpuRow> uncoveredGpus(const Catalog &catalog, const QSet<QString> &rows)
{
    QList<GpuRow> result;
    for (const GpuRow &row : catalog.rows) {
        if (row.isGpu() && !rows.contains(row.id))
            result.append(row);
    }
    return result;
}

Result<QList<GpuRow>> readUncoveredGpus(const Catalog &catalog, const QString &path)
{
    const Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    QSet<QString> rows;
    const QStringList families = catalog.familyIds();
    const QStringList isas = catalog.isaIds();
    for (const BranchRef &branch : opened->info.branches) {
        const Result<BranchContent> content = opened->repository.readBranch(branch.name);
        if (!content)
            continue; // whoever reads it as well tells of it
        for (const RecipeFile &file : content->files) {
            if (const auto name = VariantName::parse(packageOf(file.path), families, isas))
                rows.insert(name->variant.row);
        }
    }
    return uncoveredGpus(catalog, rows);
}

QString shortTitle(const GpuRow &row)
{
    return u"%1 %2"_s.arg(row.generation, row.capability);
}

} // namespace tmx
