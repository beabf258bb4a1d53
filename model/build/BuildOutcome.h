// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace tmx {

/// How a build ended, in words. The messages of flox were taken from the sources of flox 1.14.
struct BuildOutcome {
    enum class Kind {
        Built,
        Failed,          ///< none of the reasons below
        CompileError,    ///< a step of the build failed: compiler, linker, a script
        EvaluationError, ///< Nix cannot evaluate the recipe
        HashMismatch,    ///< a source has a different hash than the recipe states
        OutOfMemory,
        OutOfDisk,
        Network,
        NoResult,       ///< exit code 0, but no result link
        Untracked,      ///< the recipe is not in git's index
        UnknownPackage, ///< flox finds no recipe of that name, or the name is invalid
        NotGit,         ///< the folder is not in a git working tree
        NoEnvironment,  ///< no .flox/env.json
        Stopped,        ///< by the user, here or from another terminal
        Lost,           ///< the process that ran the build ended first: a reboot, a kill
        FloxMissing,
        Crashed,    ///< a signal ended flox itself
        TimeLimit,  ///< of the Slurm job
        NodeFailed, ///< the Slurm node went down
        Preempted,  ///< Slurm gave the node to another job
        NoBuilder,  ///< no machine known to Nix has the system and the features
    };
    Kind kind = Kind::Failed;
    int exitCode = -1;
    bool alreadyBuilt = false; ///< Built without anything left to do
    QString sentence;          ///< for the user: one sentence on what happened, and one on how to solve it
    QStringList lastErrors;    ///< the most important error lines, in the log's order, at most 20
    QStringList resultLinks;   ///< "./result-pytorch-..."
    qint64 milliseconds = 0;
    qint64 firstError = -1; ///< byte offset of the first error's line in the log; -1: unknown
    int recipeLine = 0;     ///< line of the recipe that caused the failure, from 1; 0: unknown
    QString statedHash;     ///< HashMismatch: as printed by Nix, "sha256-..." or "sha256:..."
    QString rightHash;
    bool operator==(const BuildOutcome &) const = default;
};

/// The words used in JSON and in the history: "built", "compile-error".
[[nodiscard]] QString wordOf(BuildOutcome::Kind kind);
/// Whether the build was neither built nor stopped by a person.
[[nodiscard]] inline bool isFailure(BuildOutcome::Kind kind)
{
    return kind != BuildOutcome::Kind::Built && kind != BuildOutcome::Kind::Stopped;
}
/// The same for people: "compile error".
[[nodiscard]] QString plainWordOf(BuildOutcome::Kind kind);
[[nodiscard]] std::optional<BuildOutcome::Kind> outcomeKindNamed(QStringView word);
[[nodiscard]] QStringList outcomeWords(); ///< every value of wordOf()

/// A remark to show besides the build's name and word; empty if there is none.
[[nodiscard]] QString remarkOf(const BuildOutcome &outcome);

} // namespace tmx
