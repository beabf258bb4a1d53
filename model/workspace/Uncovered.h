// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QSet>

namespace tmx {

/// The GPU architectures of the catalog that are not among `rows`, in grid order.
QList<GpuRow> uncoveredGpus(const Catalog &catalog, const QSet<QString> &rows);

/// The GPU architectures of the catalog for which no local branch of the repository has a recipe. Goes by the files'
/// names, in a commit or in the work tree; a branch that cannot be read has none. Reads git: for workers. Errors: those
/// of Repository::open.
Result<QList<GpuRow>> readUncoveredGpus(const Catalog &catalog, const QString &path);

/// "Jetson Orin 8.7": what people call it and its compute capability.
QString shortTitle(const GpuRow &row);

} // namespace tmx
