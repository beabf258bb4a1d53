// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/job/Job.h"

namespace tmx {

/// What nix-build reports that it would do.
struct DryRun {
    int built = 0;    ///< number of derivations; without those that a substituter has
    int fetched = 0;  ///< number of paths that a substituter has
    QString download; ///< "346.24 MiB", as printed by Nix; empty: nothing, or not printed
    QString unpacked;
    QByteArray text; ///< the whole output
    /// "2 derivations to build, 104 paths to fetch (346.24 MiB, 1977.98 MiB unpacked)"
    [[nodiscard]] QString summary() const;
};

/// Parses the output of `nix-build --dry-run`. Pure.
[[nodiscard]] DryRun readDryRun(const QByteArray &text);

/// Runs nix-build's dry run for jobs of one commit, one by one, in a copy of that commit's files in a temporary folder.
/// Builds and fetches nothing and does not change the repository. Blocks. Errors: git or Nix is missing or fails; the
/// error contains the output.
[[nodiscard]] Result<QList<DryRun>> dryRun(const QList<Job> &jobs);

} // namespace tmx
