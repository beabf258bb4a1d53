// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/AxisHeaders.h"

#include "model/matrix/MatrixRoles.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::MatrixModel)
};

} // namespace

QVariant gpuHeader(const Catalog &catalog, const QString &id, int role)
{
    const GpuRow *row = catalog.row(id);
    const QString title = row && row->isGpu() ? Words::tr("%1 %2", "sm90 Hopper").arg(id, row->generation) : id;
    const QString products = !row                      ? Words::tr("not in the catalog")
                             : row->products.isEmpty() ? row->generation
                                                       : row->products.join(", "_L1);
    switch (role) {
    case Qt::DisplayRole: return title;
    case AxisIdRole: return id;
    case SubtitleRole: return products;
    case Qt::AccessibleTextRole: return Words::tr("%1: %2", "sm90 Hopper: H100, H200").arg(title, products);
    case Qt::ToolTipRole: {
        QString text = Words::tr("%1: %2", "sm90 Hopper: H100, H200").arg(title, products);
        if (row && row->isGpu())
            text = row->lastCuda.isEmpty() ? Words::tr("%1. Compute capability %2, CUDA %3 and newer.")
                                                 .arg(text, row->capability, row->firstCuda)
                                           : Words::tr("%1. Compute capability %2, CUDA %3 to %4.")
                                                 .arg(text, row->capability, row->firstCuda, row->lastCuda);
        return text;
    }
    default: return {};
    }
}

QVariant isaHeader(const Catalog &catalog, const QString &id, int role)
{
    const Isa *isa = catalog.isa(id);
    const QString title = isa ? isa->title : Words::tr("Metal");
    const QString platform = isa && isa->platform.startsWith("aarch64"_L1) ? Words::tr("ARM")
                             : isa                                         ? Words::tr("x86")
                                                                           : Words::tr("Apple");
    switch (role) {
    case Qt::DisplayRole: return title;
    case AxisIdRole: return id;
    case SubtitleRole: return platform;
    case Qt::AccessibleTextRole: return Words::tr("%1, %2", "AVX-512, x86").arg(title, platform);
    case Qt::ToolTipRole:
        return isa ? Words::tr("%1 (%2): %3. Best for %4.").arg(title, id, isa->hardware, isa->useCase)
                   : Words::tr("Apple GPUs through Metal; no instruction set is chosen.");
    default: return {};
    }
}

} // namespace tmx
