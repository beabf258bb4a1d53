// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/build/BuildOutcome.h"

#include "model/base/Tr.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Kind = BuildOutcome::Kind;

struct Word {
    Kind kind;
    QLatin1StringView word;
};
constexpr Word words[] = {
    {Kind::Built, "built"_L1},
    {Kind::Failed, "failed"_L1},
    {Kind::CompileError, "compile-error"_L1},
    {Kind::EvaluationError, "evaluation-error"_L1},
    {Kind::HashMismatch, "hash-mismatch"_L1},
    {Kind::OutOfMemory, "out-of-memory"_L1},
    {Kind::OutOfDisk, "out-of-disk"_L1},
    {Kind::Network, "network"_L1},
    {Kind::NoResult, "no-result"_L1},
    {Kind::Untracked, "untracked"_L1},
    {Kind::UnknownPackage, "unknown-package"_L1},
    {Kind::NotGit, "not-git"_L1},
    {Kind::NoEnvironment, "no-environment"_L1},
    {Kind::Stopped, "stopped"_L1},
    {Kind::Lost, "lost"_L1},
    {Kind::FloxMissing, "engine-missing"_L1},
    {Kind::Crashed, "crashed"_L1},
    {Kind::TimeLimit, "time-limit"_L1},
    {Kind::NodeFailed, "node-failed"_L1},
    {Kind::Preempted, "preempted"_L1},
    {Kind::NoBuilder, "no-builder"_L1},
};
static_assert(std::size(words) == size_t(Kind::NoBuilder) + 1);

} // namespace

QString wordOf(Kind kind)
{
    for (const Word &word : words) {
        if (word.kind == kind)
            return word.word;
    }
    Q_UNREACHABLE_RETURN({});
}

QString plainWordOf(Kind kind)
{
    return wordOf(kind).replace(u'-', u' ');
}

QString remarkOf(const BuildOutcome &outcome)
{
    if (outcome.kind != Kind::Built) // Its sentence only repeats the name, the word and the result.
        return outcome.sentence;
    return outcome.alreadyBuilt ? Tr::tr("built already") : QString();
}

std::optional<Kind> outcomeKindNamed(QStringView name)
{
    for (const Word &word : words) {
        if (word.word == name)
            return word.kind;
    }
    return {};
}

QStringList outcomeWords()
{
    QStringList all;
    for (const Word &word : words)
        all.append(QString(word.word));
    return all;
}

} // namespace tmx
