// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Requests.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// What the builds of this account say of a branch, as far as an export asks.
struct KnownBuilds {
    QStringList missing;            ///< variants that were never built
    QStringList stale;              ///< built with an older recipe
    QHash<QString, qint64> seconds; ///< a build of each variant: the variant's newest, else the longest of one like it
};
/// Reads jobs and history: for workers and verbs. A history that cannot be read says nothing.
KnownBuilds knownBuilds(const BranchSnapshot &snapshot);

/// The request with its variants and times from what is known. `only`: "missing", "stale", or "all".
ExportRequest withBuilds(ExportRequest request, const QString &only, const KnownBuilds &builds);

} // namespace tmx
