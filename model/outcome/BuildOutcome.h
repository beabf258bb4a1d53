// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace tmx {

/// How far a build came, as its log tells.
struct BuildStep {
    QString phase; ///< "buildPhase"; may be empty
    int step = 0;  ///< ninja's
    int total = 0; ///< 0: unknown
    bool operator==(const BuildStep &) const = default;
};

/// How a build ended, as data: sentenceOf() says it. The messages of flox were taken from the sources of flox 1.14.
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
        Untracked,      ///< the recipe, or the environment that is published, is not in git's index
        UnknownPackage, ///< flox finds no recipe of that name, or the name is invalid
        NotGit,         ///< the folder is not in a git working tree
        NoEnvironment,  ///< no .flox/env.json
        Stopped,        ///< by the user, here or from another terminal
        Lost,           ///< the process that ran the build ended first: a reboot, a kill
        FloxMissing,
        Crashed,    ///< a signal ended flox itself
        TimeLimit,  ///< of the Slurm job, or of Nix
        NodeFailed, ///< the Slurm node went down
        Preempted,  ///< Slurm gave the node to another job
        NoBuilder,  ///< no machine known to Nix has the system and the features
    };
    /// Why, more exactly than `kind`. In brackets: what `about` holds.
    enum class Cause {
        None,    ///< the kind says it all
        Unknown, ///< the log does not say it
        Message, ///< `text` says it
        // evaluation
        Unfree,            ///< [package, licence]
        Broken,            ///< [package, reasons...]
        Insecure,          ///< [package, reasons...]
        UnsupportedSystem, ///< [package]
        Problems,          ///< [package, reasons...], of nixpkgs from 2026 on
        UntrackedFile,     ///< [path]
        AbsolutePath,      ///< [path]
        // compiler and linker
        Compile,
        Dependency,         ///< [header, package, GPU architectures]: the error is in a header of another package
        GpuFeature,         ///< [GPU architectures]: the code needs what the GPU lacks
        GpuArchitecture,    ///< [architecture, toolkit]: nvcc does not know it
        PtxasArchitecture,  ///< [architecture]: ptxas does not know it
        TritonPtxas,        ///< [architecture]: Triton's own ptxas does not know it
        PtxVersion,         ///< [version of the PTX, ptxas's version]
        NoArchitecture,     ///< nothing says which GPU to build for
        BadArchitecture,    ///< [value]: not a capability
        HostCompiler,       ///< [compiler, newest version]: too new for the toolkit
        HostLibrary,        ///< glibc is too new for the toolkit
        MissingHeader,      ///< [header]
        MissingLibrary,     ///< [library]
        DriverLibrary,      ///< [library]: it belongs to the driver
        DriverAtRun,        ///< [library]: a test needs the driver
        Relocation,         ///< the library is too large
        UndefinedReference, ///< [symbol]
        Abi,                ///< [symbol]: built against another version
        CompilerCrash,
        CompilerOption, ///< [value, option] or [option]: the compiler does not know it
        NotLoaded,      ///< [library]: a shared library was not found
        // configuration and scripts
        CMakePackage,  ///< [package]
        CMakePolicy,   ///< [version]: CMake dropped compatibility
        CudaMismatch,  ///< [CUDA found, CUDA of torch]
        NoCudaHome,    ///< nvcc was not found
        Patch,         ///< [patch, file]
        Substitute,    ///< [file]
        PythonModule,  ///< [module]
        PythonPackage, ///< [requirement]
        NoCommand,     ///< [command]
        NoRule,        ///< [file]
        Tests,
        Sandbox,   ///< a build may not use the network
        Collision, ///< [package, package, file]
        Reference, ///< [output, path]: the output may not refer to it
        // resources
        Memory,
        Processes,
        BuildDisk, ///< the build directory is full
        StoreDisk, ///< /nix/store is full
        Disk,
        Silence,            ///< [seconds]: Nix's max-silent-time
        Timeout,            ///< [seconds]: Nix's timeout
        IllegalInstruction, ///< [flags of the instruction set that the builder lacks, or all of them]
        // sources
        Hash,          ///< [derivation, stated hash, right hash]
        HashElsewhere, ///< the same: the recipe does not state it
        HashMissing,   ///< the same: the recipe states none
        NotFound,      ///< the address does not exist
        RateLimit,     ///< the host refuses more requests for a while
        // machines
        BuilderUnreachable, ///< [store, message]; also of a build that succeeded without it
        BuilderLost,        ///< [store, message]
        BuilderUnfit,       ///< [store or nothing, system, features, its system, its features]
        NoMachine,
        Restricted, ///< Nix's daemon ignores the user's builders
        NixDaemon,  ///< it does not answer, or ended
        Restarted,  ///< the machine did
        LeftOver,   ///< [processes] of a lost build still run
        // what runs the builds
        NotStarted,      ///< [program]; `text`: why
        BeforeStart,     ///< stopped while it waited
        ProgramMissing,  ///< [program, machine or nothing]
        Unwritable,      ///< [file]; `text`: why
        Checkout,        ///< [commit, repository or machine]; `text`: git's message
        Copy,            ///< [folder] that git could not copy the commit to; `text`: git's message
        RecipeGone,      ///< [repository]: it no longer has the queued recipe
        Refused,         ///< [machine]; `text`: why it does not accept the build
        Greeting,        ///< [machine, the text that its shell prints before each answer]
        HostUnreachable, ///< [machine]; `text`: ssh's message. Not of the kind network: the build may still run there
        HostLost,        ///< [machine]: it was restarted, or its runner was killed
        JobGone,         ///< [machine]: it no longer has the build
        SlurmLimit,      ///< of the Slurm job: time, or memory
        SlurmCancelled,
        SlurmSilent, ///< Slurm no longer runs the build, and its node did not say how it ended
        Damaged,     ///< the file with the outcome
        // publishing
        EnvironmentUntracked, ///< [files]
    };
    enum class Certainty {
        Certain, ///< the log says it
        Likely,  ///< it is what usually causes such a log
        None,    ///< the log does not say why
    };
    Kind kind = Kind::Failed;
    Cause cause = Cause::None;
    Certainty certainty = Certainty::Certain;
    QString text;      ///< the words of the log that state the cause
    QStringList about; ///< names and numbers of the cause
    BuildStep at;
    QString package;     ///< what was built
    QString derivation;  ///< whose builder failed: "python3.13-torch-2.9.1"; may be empty
    QString machine;     ///< another machine that built it
    QString result;      ///< where its result is
    QString fullDisk;    ///< this disk was full, so that the end of the log may be missing
    int fewerCores = -1; ///< out of memory: to try next; 0: it had one core; -1: unknown
    int exitCode = -1;
    bool alreadyBuilt = false; ///< Built without anything left to do
    QString sentence;          ///< of an older version's outcome; empty: sentenceOf() makes it of the rest
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

/// The words used in JSON: "gpu-architecture", "likely".
[[nodiscard]] QString wordOf(BuildOutcome::Cause cause);
[[nodiscard]] std::optional<BuildOutcome::Cause> causeNamed(QStringView word);
[[nodiscard]] QString wordOf(BuildOutcome::Certainty certainty);
[[nodiscard]] std::optional<BuildOutcome::Certainty> certaintyNamed(QStringView word);

/// Whether another attempt of the same recipe can end otherwise.
enum class Retry {
    Useless,    ///< it fails again
    Useful,     ///< it may succeed, perhaps after something outside of the recipe was changed
    FewerCores, ///< with BuildOutcome::fewerCores
};
[[nodiscard]] Retry retryOf(const BuildOutcome &outcome);

} // namespace tmx
