// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/export/CiPipeline.h"

#include <QHash>

namespace tmx {

class Preparation;

/// Exports a pipeline that builds the branch's committed recipes on a CI host.
struct ExportRequest {
    QString branch;
    CiOptions options;
    QString only;                          ///< word for the selection in `names` (CiMatrix::only); empty: all
    std::optional<QStringList> names = {}; ///< variants to build; nullopt: all
    QString since = {};                    ///< any revision: build only recipes that differ from it; empty: all
    bool place = false;                    ///< also choose to add markers to a file without them
    QHash<QString, qint64> seconds = {};   ///< build times of variants, as far as known
    bool operator==(const ExportRequest &) const = default;
};

/// The pipeline of a CI host for the recipes in the branch's commit, whatever is in the working tree. Recipes that flox
/// cannot build or that have audit errors are left out and named in `warnings`. A file without markers that may have
/// other content (GitLab's) has a Rewrite that is chosen with `place`. Errors: those of ciPipeline(); no such branch or
/// revision; nothing to build; a file whose markers cannot be used, or that this program did not write.
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const ExportRequest &request);

} // namespace tmx
