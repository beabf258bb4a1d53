// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Line.h"

#include <algorithm>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

bool isGpuRow(const QString &row)
{
    return row.startsWith("sm"_L1);
}

} // namespace

QList<Variant> Line::promised() const
{
    // Blocks may overlap; a cell keeps its first place.
    QList<std::pair<QString, QString>> cells;
    for (const CoverageBlock &block : coverage) {
        for (const QString &row : block.rows) {
            const QStringList columns = row == "darwin-mps"_L1 ? QStringList{QString()} : block.isas;
            for (const QString &isa : columns) {
                if (!cells.contains(std::pair(row, isa)))
                    cells.append({row, isa});
            }
        }
    }
    // A line without CUDA promises its other rows all the same; with several toolkits, these rows come once.
    QStringList toolkits;
    for (const CudaProfile &profile : cudas)
        toolkits.append(profile.version);
    const qsizetype passes = std::max<qsizetype>(toolkits.size(), 1);
    QStringList families = versions.keys();
    families.sort(); // a hash has no order of its own

    QList<Variant> variants;
    for (const QString &family : std::as_const(families)) {
        for (const QString &python : pythons) {
            for (qsizetype pass = 0; pass < passes; ++pass) {
                for (const auto &[row, isa] : std::as_const(cells)) {
                    if (isGpuRow(row) && pass < toolkits.size())
                        variants.append({family, python, toolkits[pass], row, isa});
                    else if (!isGpuRow(row) && pass == 0)
                        variants.append({family, python, {}, row, isa});
                }
            }
        }
    }
    return variants;
}

bool Line::covers(const Variant &variant) const
{
    if (!versions.contains(variant.family) || !pythons.contains(variant.python))
        return false;
    if (isGpuRow(variant.row) ? !cuda(variant.cuda) : !variant.cuda.isEmpty())
        return false;
    return std::any_of(coverage.cbegin(), coverage.cend(), [&](const CoverageBlock &block) {
        const bool isa = variant.row == "darwin-mps"_L1 ? variant.isa.isEmpty() : block.isas.contains(variant.isa);
        return isa && block.rows.contains(variant.row);
    });
}

const CudaProfile *Line::cuda(const QString &version) const
{
    const auto found = std::find_if(cudas.cbegin(), cudas.cend(), [&](const CudaProfile &profile) { return profile.version == version; });
    return found == cudas.cend() ? nullptr : &*found;
}

QString toString(Line::Source source)
{
    switch (source) {
    case Line::Source::BuiltIn: return u"built-in"_s;
    case Line::Source::File: return u"file"_s;
    case Line::Source::Inferred: return u"inferred"_s;
    }
    return {};
}

} // namespace tmx
