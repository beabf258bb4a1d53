// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Uncovered.h"

#include "model/catalog/VariantName.h"

#include <QSet>

using namespace Qt::StringLiterals;

namespace tmx {

Result<QList<GpuRow>> readUncoveredGpus(const SnapshotReader &reader, const QString &path, const WorkHooks &hooks)
{
    const Result<BranchSources> branches = branchesOf(path, WorkTreeAs::Branch, false);
    if (!branches)
        return branches.error();
    const Catalog &catalog = *reader.catalog();
    const QStringList families = catalog.familyIds();
    const QStringList isas = catalog.isaIds();
    QSet<QString> rows;
    for (const BranchSource &source : branches->sources) {
        const auto content = reader.content(source, hooks);
        if (hooks.stopped())
            return stoppedError();
        for (const RecipeFile &file : content ? (*content)->files : QList<RecipeFile>()) {
            if (const auto name = VariantName::parse(packageOf(file.path), families, isas))
                rows.insert(name->variant.row);
        }
    }
    QList<GpuRow> uncovered;
    for (const GpuRow &row : catalog.rows) {
        if (row.isGpu() && !rows.contains(row.id))
            uncovered.append(row);
    }
    return uncovered;
}

QString shortTitle(const GpuRow &row)
{
    return u"%1 %2"_s.arg(row.generation, row.capability);
}

} // namespace tmx
