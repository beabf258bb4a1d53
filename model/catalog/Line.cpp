// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Line.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

bool isGpuRow(const QString &row)
{
    return row.startsWith("sm"_L1);
}

} // namespace

QStringList Line::familyIds() const
{
    if (!families.isEmpty())
        return families;
    QStringList ids = versions.keys();
    ids.sort(); // a hash has no order of its own
    return ids;
}

QList<Variant> Line::promised() const
{
    // By block, not by asking covers() of every combination: blocks for one of many toolkits name few of them.
    const QStringList ids = familyIds();
    QStringList toolkits;
    for (const CudaProfile &profile : cudas)
        toolkits.append(profile.version);
    QList<std::pair<QString, QString>> cells; // row and ISA; blocks may overlap, and a cell keeps its first place
    QHash<std::pair<QString, QString>, qsizetype> places;
    std::vector<std::array<qsizetype, 4>> found; // indexes of family, Python, toolkit and cell: the order of the result
    for (const CoverageBlock &block : coverage) {
        for (const QString &row : block.rows) {
            const bool gpu = isGpuRow(row);
            const QStringList columns = row == "darwin-mps"_L1 ? QStringList{QString()} : block.isas;
            for (const QString &isa : columns) {
                const std::pair cell(row, isa);
                if (!places.contains(cell)) {
                    places.insert(cell, cells.size());
                    cells.append(cell);
                }
                for (const QString &family : block.families.isEmpty() ? ids : block.families) {
                    for (qsizetype python = 0; python < pythons.size(); ++python) {
                        // Rows without a GPU have no toolkit, and come once.
                        for (const QString &toolkit : !gpu                    ? QStringList{QString()}
                                                      : block.cudas.isEmpty() ? toolkits
                                                                              : block.cudas)
                            found.push_back(
                                {ids.indexOf(family), python, gpu ? toolkits.indexOf(toolkit) : 0, places.value(cell)});
                    }
                }
            }
        }
    }
    std::ranges::sort(found);
    const auto [end, last] = std::ranges::unique(found);
    found.erase(end, last);
    QList<Variant> variants;
    for (const auto &[family, python, toolkit, cell] : found) {
        if (family < 0 || toolkit < 0)
            continue;
        const auto &[row, isa] = cells.at(cell);
        variants.append(
            {ids.at(family), pythons.at(python), isGpuRow(row) ? toolkits.at(toolkit) : QString(), row, isa});
    }
    return variants;
}

qint64 Line::promisedAtMost() const
{
    qint64 count = 0;
    for (const CoverageBlock &block : coverage) {
        qint64 cells = 0;
        for (const QString &row : block.rows) {
            const qsizetype toolkits = block.cudas.isEmpty() ? cudas.size() : block.cudas.size();
            cells += row == "darwin-mps"_L1 ? 1 : block.isas.size() * (isGpuRow(row) ? toolkits : 1);
        }
        count += cells * pythons.size() * (block.families.isEmpty() ? familyIds() : block.families).size();
    }
    return count;
}

bool Line::covers(const Variant &variant) const
{
    if (!(families.isEmpty() ? versions.contains(variant.family) : families.contains(variant.family)) ||
        !pythons.contains(variant.python))
        return false;
    const bool gpu = isGpuRow(variant.row);
    if (gpu ? !cuda(variant.cuda) : !variant.cuda.isEmpty())
        return false;
    return std::any_of(coverage.cbegin(), coverage.cend(), [&](const CoverageBlock &block) {
        const bool isa = variant.row == "darwin-mps"_L1 ? variant.isa.isEmpty() : block.isas.contains(variant.isa);
        const bool family = block.families.isEmpty() || block.families.contains(variant.family);
        const bool toolkit = !gpu || block.cudas.isEmpty() || block.cudas.contains(variant.cuda);
        return isa && family && toolkit && block.rows.contains(variant.row);
    });
}

const CudaProfile *Line::cuda(const QString &version) const
{
    const auto found = std::find_if(cudas.cbegin(), cudas.cend(),
                                    [&](const CudaProfile &profile) { return profile.version == version; });
    return found == cudas.cend() ? nullptr : &*found;
}

VariantBase Line::baseOf(const Variant &variant) const
{
    const CudaProfile none;
    const CudaProfile *found = cuda(variant.cuda);
    const CudaProfile &own = found && isGpuRow(variant.row) ? *found : none;
    const Variant torch = torchVariantOf(variant);
    const auto pick = [](const QHash<QString, QString> &first, const QHash<QString, QString> &second,
                         const QString &family) {
        return first.contains(family) ? first.value(family) : second.value(family);
    };
    const auto pnameOf = [&](const Variant &of) {
        const QString prefix = pick(own.pnamePrefixes, pnamePrefixes, of.family);
        return prefix.isEmpty() ? of.name() : prefix + of.name().sliced(of.family.size());
    };
    VariantBase base;
    base.version = pick(own.versions, versions, variant.family);
    base.torchVersion = pick(own.versions, versions, torch.family);
    base.pin = own.pin.revision.isEmpty() ? pin : own.pin;
    // A hash is of one version: the line's says nothing of another version that the toolkit brings.
    const auto hashOf = [&](const QString &family) {
        return own.versions.contains(family) ? own.hashes.value(family) : pick(own.hashes, hashes, family);
    };
    base.hash = hashOf(variant.family);
    base.torchHash = hashOf(torch.family);
    base.pname = pnameOf(variant);
    base.torchPname = pnameOf(torch);
    if (variant.row == "darwin-mps"_L1)
        base.templateName = metalTemplates.value(variant.family);
    else if (isGpuRow(variant.row))
        base.templateName = pick(own.templates, gpuTemplates, variant.family);
    else
        base.templateName = cpuTemplates.value(variant.family);
    const bool followed =
        archNotation == ArchNotation::Automatic && variant.family != torch.family && smRows.contains(variant.row);
    base.notation = archNotation == ArchNotation::Sm || followed ? ArchNotation::Sm : ArchNotation::Dotted;
    return base;
}

Variant torchVariantOf(const Variant &variant)
{
    Variant torch = variant;
    torch.family = u"pytorch"_s;
    return torch;
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

QString toString(TorchOrigin source)
{
    switch (source) {
    case TorchOrigin::InPlace: return u"in-place"_s;
    case TorchOrigin::Sibling: return u"sibling"_s;
    case TorchOrigin::Published: return u"published"_s;
    }
    return {};
}

QString toString(ArchNotation notation)
{
    switch (notation) {
    case ArchNotation::Automatic: return u"auto"_s;
    case ArchNotation::Dotted: return u"dotted"_s;
    case ArchNotation::Sm: return u"sm"_s;
    }
    return {};
}

} // namespace tmx
