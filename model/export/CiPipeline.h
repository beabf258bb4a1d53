// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QList>
#include <QStringList>

namespace tmx {

class Catalog;

/// Who runs a pipeline.
enum class CiHost { GitHub, GitLab };

/// How a pipeline is to run, as a user says it.
struct CiOptions {
    CiHost host = CiHost::GitHub;
    /// Runners of one's own. "LABEL": they need the label of their system as well, GitHub's own (Linux, ARM64) or on
    /// GitLab Nix's ("aarch64-linux"). "SYSTEM=LABEL": that label alone, of one system. Empty: the host's machines.
    QStringList runners;
    QString organisation; ///< on FloxHub that results are published to; empty: none is published
    bool operator==(const CiOptions &) const = default;
};

/// One job: the build of one recipe.
struct CiJob {
    QString package; ///< what flox builds: [a-z0-9_-] alone
    QString torch;   ///< path of the PyTorch recipe that it imports; empty: none
    QString system;  ///< Nix's: "x86_64-linux"
    bool operator==(const CiJob &) const = default;
};

/// What a pipeline builds.
struct CiMatrix {
    QString branch;
    QString since;     ///< commit that it was made against: only what differs from it is in `jobs`; empty: all is
    QString only;      ///< "missing", "stale": what of the branch is in `jobs`; empty: all
    QList<CiJob> jobs; ///< in the order of their variants
};

/// The most jobs that one matrix of the host may have (GitHub: usage limits of Actions; GitLab: parallel:matrix).
int matrixLimit(CiHost host);
/// Hours after which the host ends a job on a machine of its own.
int hostedHours(CiHost host);
/// Hours that a job may take with these options.
int timeLimit(const CiOptions &options, const QString &system);
/// Whether a job of that system runs on a machine of the host's.
bool isHosted(const CiOptions &options, const QString &system);

/// The Nix system that a variant is built on; empty: the catalog does not know its row or instruction set.
QString systemOf(const Catalog &catalog, const QString &row, const QString &isa);

/// The file that the host reads, relative to the root.
QString ciFile(CiHost host);
/// Lines of their own in that file, between which the program writes.
inline constexpr QByteArrayView ciBegin = "# torch-matrix: begin";
inline constexpr QByteArrayView ciEnd = "# torch-matrix: end";

/// Error of usage: a runner or organisation that has no such form.
Result<void> checkOptions(const CiOptions &options);

/// The text between the markers, ASCII, lines end in '\n'. The same matrix and options give the same bytes. What comes
/// from the repository stands in it as quoted values alone, never in a script. Pure. Errors: those of checkOptions();
/// no job; a branch whose name the host cannot be told.
Result<QByteArray> ciPipeline(const CiMatrix &matrix, const CiOptions &options);

} // namespace tmx
