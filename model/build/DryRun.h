// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/Job.h"

namespace tmx {

/// What nix-build says that it would do.
struct DryRun {
    int built = 0;    ///< derivations; what a substituter has is not among them
    int fetched = 0;  ///< paths that a substituter has
    QString download; ///< "346.24 MiB", as Nix prints it; empty: nothing, or it did not say
    QString unpacked;
    QByteArray text; ///< all that it printed
    /// "2 derivations to build, 104 paths to fetch (346.24 MiB, 1977.98 MiB unpacked)"
    [[nodiscard]] QString summary() const;
};

/// From the output of `nix-build --dry-run`. Pure.
[[nodiscard]] DryRun readDryRun(const QByteArray &text);

/// Asks nix-build what it would do for jobs of one commit, each in turn, in a copy of that commit's files in a
/// temporary folder. Nothing is built or fetched, and the repository stays as it is. Blocks. Errors: git or Nix is
/// missing or fails; then with what it printed.
[[nodiscard]] Result<QList<DryRun>> dryRun(const QList<Job> &jobs);

} // namespace tmx
