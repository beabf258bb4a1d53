// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/outcome/BuildOutcome.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Kind = BuildOutcome::Kind;
using Cause = BuildOutcome::Cause;
using Certainty = BuildOutcome::Certainty;

struct Word {
    Kind value;
    QLatin1StringView word;
    Retry retry; ///< if the cause says nothing else
};
constexpr Word words[] = {
    {Kind::Built, "built"_L1, Retry::Useless},
    {Kind::Failed, "failed"_L1, Retry::Useful},
    {Kind::CompileError, "compile-error"_L1, Retry::Useless},
    {Kind::EvaluationError, "evaluation-error"_L1, Retry::Useless},
    {Kind::HashMismatch, "hash-mismatch"_L1, Retry::Useless},
    {Kind::OutOfMemory, "out-of-memory"_L1, Retry::FewerCores},
    {Kind::OutOfDisk, "out-of-disk"_L1, Retry::Useful},
    {Kind::Network, "network"_L1, Retry::Useful},
    {Kind::NoResult, "no-result"_L1, Retry::Useful},
    {Kind::Untracked, "untracked"_L1, Retry::Useless},
    {Kind::UnknownPackage, "unknown-package"_L1, Retry::Useless},
    {Kind::NotGit, "not-git"_L1, Retry::Useless},
    {Kind::NoEnvironment, "no-environment"_L1, Retry::Useless},
    {Kind::Stopped, "stopped"_L1, Retry::Useful},
    {Kind::Lost, "lost"_L1, Retry::Useful},
    {Kind::FloxMissing, "engine-missing"_L1, Retry::Useful},
    {Kind::Crashed, "crashed"_L1, Retry::Useful},
    {Kind::TimeLimit, "time-limit"_L1, Retry::Useful},
    {Kind::NodeFailed, "node-failed"_L1, Retry::Useful},
    {Kind::Preempted, "preempted"_L1, Retry::Useful},
    {Kind::NoBuilder, "no-builder"_L1, Retry::Useful},
};
static_assert(std::size(words) == size_t(Kind::NoBuilder) + 1);

struct CauseWord {
    Cause value;
    QLatin1StringView word;
    std::optional<Retry> retry = {};
};
constexpr CauseWord causeWords[] = {
    {Cause::None, ""_L1},
    {Cause::Unknown, "unknown"_L1},
    {Cause::Message, "message"_L1},
    {Cause::Unfree, "unfree"_L1},
    {Cause::Broken, "broken"_L1},
    {Cause::Insecure, "insecure"_L1},
    {Cause::UnsupportedSystem, "unsupported-system"_L1},
    {Cause::Problems, "problems"_L1},
    {Cause::UntrackedFile, "untracked-file"_L1},
    {Cause::AbsolutePath, "absolute-path"_L1},
    {Cause::Compile, "compile"_L1},
    {Cause::Dependency, "dependency"_L1},
    {Cause::GpuFeature, "gpu-feature"_L1},
    {Cause::GpuArchitecture, "gpu-architecture"_L1},
    {Cause::PtxasArchitecture, "ptxas-architecture"_L1},
    {Cause::TritonPtxas, "triton-ptxas"_L1},
    {Cause::PtxVersion, "ptx-version"_L1},
    {Cause::NoArchitecture, "no-architecture"_L1},
    {Cause::BadArchitecture, "bad-architecture"_L1},
    {Cause::HostCompiler, "host-compiler"_L1},
    {Cause::HostLibrary, "host-library"_L1},
    {Cause::MissingHeader, "missing-header"_L1},
    {Cause::MissingLibrary, "missing-library"_L1},
    {Cause::DriverLibrary, "driver-library"_L1},
    {Cause::DriverAtRun, "driver-at-run"_L1},
    {Cause::Relocation, "relocation"_L1},
    {Cause::UndefinedReference, "undefined-reference"_L1},
    {Cause::Abi, "abi"_L1},
    {Cause::CompilerCrash, "compiler-crash"_L1, Retry::Useful},
    {Cause::CompilerOption, "compiler-option"_L1, Retry::Useless},
    {Cause::NotLoaded, "not-loaded"_L1},
    {Cause::CMakePackage, "cmake-package"_L1},
    {Cause::CMakePolicy, "cmake-policy"_L1},
    {Cause::CudaMismatch, "cuda-mismatch"_L1},
    {Cause::NoCudaHome, "no-cuda-home"_L1},
    {Cause::Patch, "patch"_L1, Retry::Useless},
    {Cause::Substitute, "substitute"_L1, Retry::Useless},
    {Cause::PythonModule, "python-module"_L1, Retry::Useless},
    {Cause::PythonPackage, "python-package"_L1, Retry::Useless},
    {Cause::NoCommand, "no-command"_L1, Retry::Useless},
    {Cause::NoRule, "no-rule"_L1, Retry::Useless},
    {Cause::Tests, "tests"_L1, Retry::Useful},
    {Cause::Sandbox, "sandbox"_L1, Retry::Useless},
    {Cause::Collision, "collision"_L1, Retry::Useless},
    {Cause::Reference, "reference"_L1, Retry::Useless},
    {Cause::Memory, "memory"_L1},
    {Cause::Processes, "processes"_L1},
    {Cause::BuildDisk, "build-disk"_L1},
    {Cause::StoreDisk, "store-disk"_L1},
    {Cause::Disk, "disk"_L1},
    {Cause::Silence, "silence"_L1},
    {Cause::Timeout, "timeout"_L1},
    {Cause::IllegalInstruction, "illegal-instruction"_L1, Retry::Useless},
    {Cause::Hash, "hash"_L1},
    {Cause::HashElsewhere, "hash-elsewhere"_L1},
    {Cause::HashMissing, "hash-missing"_L1},
    {Cause::NotFound, "not-found"_L1, Retry::Useless},
    {Cause::RateLimit, "rate-limit"_L1, Retry::Useful},
    {Cause::BuilderUnreachable, "builder-unreachable"_L1},
    {Cause::BuilderLost, "builder-lost"_L1},
    {Cause::BuilderUnfit, "builder-unfit"_L1},
    {Cause::NoMachine, "no-machine"_L1},
    {Cause::Restricted, "restricted"_L1},
    {Cause::NixDaemon, "nix-daemon"_L1, Retry::Useful},
    {Cause::Restarted, "restarted"_L1},
    {Cause::LeftOver, "left-over"_L1},
    {Cause::NotStarted, "not-started"_L1},
    {Cause::BeforeStart, "before-start"_L1},
    {Cause::ProgramMissing, "program-missing"_L1},
    {Cause::Unwritable, "unwritable"_L1},
    {Cause::Checkout, "checkout"_L1},
    {Cause::Copy, "copy"_L1},
    {Cause::RecipeGone, "recipe-gone"_L1, Retry::Useless},
    {Cause::Refused, "refused"_L1},
    {Cause::Greeting, "greeting"_L1},
    {Cause::HostUnreachable, "host-unreachable"_L1},
    {Cause::HostLost, "host-lost"_L1},
    {Cause::JobGone, "job-gone"_L1},
    {Cause::SlurmLimit, "slurm-limit"_L1},
    {Cause::SlurmCancelled, "slurm-cancelled"_L1},
    {Cause::SlurmSilent, "slurm-silent"_L1},
    {Cause::Damaged, "damaged"_L1},
    {Cause::EnvironmentUntracked, "environment-untracked"_L1},
};
static_assert(std::size(causeWords) == size_t(Cause::EnvironmentUntracked) + 1);

/// The value that a table has for the word.
template <class Entry, size_t Size>
auto valueIn(const Entry (&table)[Size], QStringView word)
{
    const auto found = std::ranges::find_if(table, [word](const Entry &entry) { return entry.word == word; });
    return found == std::end(table) ? std::nullopt : std::optional(found->value);
}

} // namespace

QString wordOf(Kind kind)
{
    return words[size_t(kind)].word;
}

QString plainWordOf(Kind kind)
{
    return wordOf(kind).replace(u'-', u' ');
}

std::optional<Kind> outcomeKindNamed(QStringView name)
{
    return valueIn(words, name);
}

QStringList outcomeWords()
{
    QStringList all;
    for (const Word &word : words)
        all.append(QString(word.word));
    return all;
}

QString wordOf(Cause cause)
{
    return causeWords[size_t(cause)].word;
}

std::optional<Cause> causeNamed(QStringView name)
{
    return valueIn(causeWords, name);
}

QString wordOf(Certainty certainty)
{
    switch (certainty) {
    case Certainty::Certain: return u"certain"_s;
    case Certainty::Likely: return u"likely"_s;
    case Certainty::None: return u"unknown"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

std::optional<Certainty> certaintyNamed(QStringView name)
{
    for (const Certainty certainty : {Certainty::Certain, Certainty::Likely, Certainty::None}) {
        if (wordOf(certainty) == name)
            return certainty;
    }
    return {};
}

Retry retryOf(const BuildOutcome &outcome)
{
    const Retry retry = causeWords[size_t(outcome.cause)].retry.value_or(words[size_t(outcome.kind)].retry);
    return retry == Retry::FewerCores && outcome.fewerCores <= 0 ? Retry::Useful : retry;
}

} // namespace tmx
