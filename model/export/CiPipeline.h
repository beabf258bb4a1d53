// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QList>
#include <QStringList>

#include <utility>

namespace tmx {

class Catalog;

/// The CI host that runs a pipeline.
enum class CiHost { GitHub, GitLab };

/// The user's options for a pipeline.
struct CiOptions {
    CiHost host = CiHost::GitHub;
    /// The user's own runners. "LABEL": jobs also require the label of their system, GitHub's own (Linux, ARM64) or, on
    /// GitLab, Nix's ("aarch64-linux"). "SYSTEM=LABEL": only that label, for one system. Empty: the host's machines.
    QStringList runners;
    QString organisation; ///< FloxHub organisation to publish results to; empty: do not publish
    bool operator==(const CiOptions &) const = default;
};

/// One job: the build of one recipe.
struct CiJob {
    QString package; ///< flox's name for it: only [a-z0-9_-]
    QString imports; ///< path of the file, or of the folder of all files, that it imports; empty if there are none
    QString system;  ///< Nix's system: "x86_64-linux"
    bool operator==(const CiJob &) const = default;
};

/// What a pipeline builds.
struct CiMatrix {
    QString branch;
    QString since;         ///< commit to compare with: `jobs` only has recipes that differ from it; empty: all
    QString only;          ///< "missing", "stale": selection of the branch's recipes in `jobs`; empty: all
    QList<CiJob> jobs;     ///< in the order of their variants
    QStringList left = {}; ///< packages that cannot be built, until they change
    QString stage = {};    ///< of the jobs in the host's file; empty: the host's default
    QList<std::pair<QString, QString>> isas = {}; ///< instruction sets and their systems, for recipes that are new

    /// Whether it builds the whole branch, and so recipes that are new as well.
    [[nodiscard]] bool isWhole() const { return since.isEmpty() && only.isEmpty(); }
};

/// The maximum number of jobs in one matrix of the host (GitHub: usage limits of Actions; GitLab: parallel:matrix).
int matrixLimit(CiHost host);
/// Hours after which the host ends a job on its own machines.
int hostedHours(CiHost host);
/// Hours that a job may take with these options.
int timeLimit(const CiOptions &options, const QString &system);
/// Whether a job for that system runs on one of the host's machines.
bool isHosted(const CiOptions &options, const QString &system);

/// The Nix system that builds a variant; empty if the catalog does not have its row or instruction set.
QString systemOf(const Catalog &catalog, const QString &row, const QString &isa);

/// The file that the host reads, relative to the root.
QString ciFile(CiHost host);
/// Marker lines in that file; the program writes between them only.
inline constexpr QByteArrayView ciBegin = "# torch-matrix: begin";
inline constexpr QByteArrayView ciEnd = "# torch-matrix: end";

/// Usage error: an invalid runner or organisation.
Result<void> checkOptions(const CiOptions &options);

/// The text between the markers. When it runs, it builds what is in the tree then: a recipe that is gone starts
/// nothing, and one that is new is found by its name. ASCII, lines end in '
/// '. Equal input gives equal bytes. Text from the repository only appears as quoted values, never in a script. Pure.
/// Errors: those of checkOptions(); no jobs; a branch name that cannot be expressed for the host.
Result<QByteArray> ciPipeline(const CiMatrix &matrix, const CiOptions &options);

} // namespace tmx
