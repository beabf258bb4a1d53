// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Requests.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// What an export needs to know about this account's builds of a branch.
struct KnownBuilds {
    QStringList missing;            ///< variants that were never built
    QStringList stale;              ///< built from an older recipe
    QHash<QString, qint64> seconds; ///< duration by variant: of its newest build, else of the longest similar one
};
/// Reads jobs and history: for workers and verbs. A history that cannot be read counts as empty.
KnownBuilds knownBuilds(const BranchSnapshot &snapshot);

/// Adds variants and times to the request. `only`: "missing", "stale", or "all".
ExportRequest withBuilds(ExportRequest request, const QString &only, const KnownBuilds &builds);

} // namespace tmx
