// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace tmx {

/// How a build ended, in words. What flox prints was read from the sources of flox 1.14.
struct BuildOutcome {
    enum class Kind {
        Built,
        Failed,          ///< none of the reasons below
        CompileError,    ///< a step of the build failed: compiler, linker, a script
        EvaluationError, ///< Nix cannot evaluate the recipe
        HashMismatch,    ///< a source has another hash than the recipe states
        OutOfMemory,
        OutOfDisk,
        Network,
        NoResult,       ///< exit code 0, and no result link
        Untracked,      ///< the recipe is not in git's index
        UnknownPackage, ///< flox finds no recipe of that name, or the name is none
        NotGit,         ///< the folder is not in a git work tree
        NoEnvironment,  ///< no .flox/env.json
        Stopped,        ///< by the user, here or from another terminal
        Lost,           ///< whoever ran the build ended before it: a reboot, a kill
        FloxMissing,
        Crashed,    ///< flox itself was ended by a signal
        TimeLimit,  ///< of its Slurm job
        NodeFailed, ///< Slurm's node went down
        Preempted,  ///< Slurm gave the node to another job
        NoBuilder,  ///< no machine that Nix knows has the system and the features
    };
    Kind kind = Kind::Failed;
    int exitCode = -1;
    bool alreadyBuilt = false; ///< Built, with nothing left to do
    QString sentence;          ///< what happened and what to do: one sentence each, for the user
    QStringList lastErrors;    ///< the error lines of the log that matter most, in its order, at most 20
    QStringList resultLinks;   ///< "./result-pytorch-..."
    qint64 milliseconds = 0;
    qint64 firstError = -1; ///< where the line of the first error begins, in bytes from the log's start; -1: not known
    int recipeLine = 0;     ///< line of the recipe that is to blame, from 1; 0: none is known
    QString statedHash;     ///< HashMismatch: as Nix prints them, "sha256-..." or "sha256:..."
    QString rightHash;
    bool operator==(const BuildOutcome &) const = default;
};

/// The words of JSON and of the history: "built", "compile-error".
[[nodiscard]] QString wordOf(BuildOutcome::Kind kind);
/// Neither built nor stopped by a person.
[[nodiscard]] inline bool isFailure(BuildOutcome::Kind kind)
{
    return kind != BuildOutcome::Kind::Built && kind != BuildOutcome::Kind::Stopped;
}
/// The same for people: "compile error".
[[nodiscard]] QString plainWordOf(BuildOutcome::Kind kind);
[[nodiscard]] std::optional<BuildOutcome::Kind> outcomeKindNamed(QStringView word);
[[nodiscard]] QStringList outcomeWords(); ///< all that wordOf() says

/// What is to be said of it beside the build's name and its word; empty: no more.
[[nodiscard]] QString remarkOf(const BuildOutcome &outcome);

} // namespace tmx
