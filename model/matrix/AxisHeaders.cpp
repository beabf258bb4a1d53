// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/AxisHeaders.h"

#include "model/base/Tr.h"
#include "model/matrix/MatrixRoles.h"

using namespace Qt::StringLiterals;

namespace tmx {

QVariant gpuHeader(const Catalog &catalog, const QString &id, int role)
{
    const GpuRow *row = catalog.row(id);
    const QString title = row && row->isGpu() ? Tr::tr("%1 %2", "sm90 Hopper").arg(id, row->generation) : id;
    const QString products = id == everyGpu            ? Tr::tr("every GPU of the toolkit")
                             : !row                    ? Tr::tr("not in the catalog")
                             : row->products.isEmpty() ? row->generation
                                                       : row->products.join(", "_L1);
    switch (role) {
    case Qt::DisplayRole: return title;
    case AxisIdRole: return id;
    case SubtitleRole: return products;
    case Qt::AccessibleTextRole: return Tr::tr("%1: %2", "sm90 Hopper: H100, H200").arg(title, products);
    case Qt::ToolTipRole: {
        QString text = Tr::tr("%1: %2", "sm90 Hopper: H100, H200").arg(title, products);
        if (row && row->isGpu())
            text =
                row->lastCuda.isEmpty()
                    ? Tr::tr("%1. Compute capability %2, CUDA %3 and newer.").arg(text, row->capability, row->firstCuda)
                    : Tr::tr("%1. Compute capability %2, CUDA %3 to %4.")
                          .arg(text, row->capability, row->firstCuda, row->lastCuda);
        return text;
    }
    default: return {};
    }
}

QVariant isaHeader(const Catalog &catalog, const QString &id, int role)
{
    const Isa *isa = catalog.isa(id.section(u'-', 0, 0));
    const bool metal = id.isEmpty();
    const QString title = metal                                ? Tr::tr("Metal")
                          : id == noneWord                     ? Tr::tr("No ISA")
                          : isa && isa->id.size() == id.size() ? isa->title
                                                               : id;
    const QString platform = metal                                    ? Tr::tr("Apple")
                             : !isa                                   ? Tr::tr("any CPU")
                             : isa->platform.startsWith("aarch64"_L1) ? Tr::tr("ARM")
                                                                      : Tr::tr("x86");
    switch (role) {
    case Qt::DisplayRole: return title;
    case AxisIdRole: return id;
    case SubtitleRole: return platform;
    case Qt::AccessibleTextRole: return Tr::tr("%1, %2", "AVX-512, x86").arg(title, platform);
    case Qt::ToolTipRole:
        return metal ? Tr::tr("Apple GPUs through Metal; no instruction set is chosen.")
               : isa ? Tr::tr("%1 (%2): %3. Best for %4.").arg(title, id, isa->hardware, isa->useCase)
                     : Tr::tr("The names of these variants have no instruction set of the catalog.");
    default: return {};
    }
}

} // namespace tmx
