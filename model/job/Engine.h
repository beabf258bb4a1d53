// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/job/Job.h"

#include <QProcessEnvironment>
#include <QStringList>

namespace tmx {

/// How to build a job: a program and its argument vector.
struct EngineCommand {
    QString program; ///< absolute path; empty if it is not on the job's PATH
    QStringList arguments;
};

/// "flox" or "nix-build".
QString programOf(BuildEngine engine);
/// What to do if the engine's program is not installed.
BuildOutcome engineMissing(BuildEngine engine);

/// Memory that a build needs per core: nvcc takes 5 GB for PyTorch's largest files, other compilers take 2 GB.
constexpr int gigabytesOfACore(bool gpu)
{
    return gpu ? 5 : 2;
}

/// The value of NIX_CONFIG with a setting added; it replaces an earlier setting of the same name.
QString withNixSetting(const QString &nixConfig, const QString &setting);

/// The environment of a job's build: this program's own, with the variables that the job recorded and the cores for
/// each derivation, and without the variables that git sets for its hooks.
QProcessEnvironment environmentOf(const Job &job, QProcessEnvironment environment);

/// The command that builds the recipe in `tree` (the job's working tree). flox puts the result links next to `.flox`,
/// and nix-build gets an option for that. If the recipe needs no arguments, nix-build gets the file; else it calls the
/// recipe with the packages of <nixpkgs>, as flox does with its own. Reads PATH and the recipe: for workers.
EngineCommand engineCommand(const Job &job, const QString &tree, const QProcessEnvironment &environment);

/// Only the arguments, for a recipe with this text. Pure.
QStringList engineArguments(const Job &job, const QString &tree, const QByteArray &recipe);

/// Whether nix-build needs <nixpkgs> for a recipe with this text: to call it, or because the text names it, other than
/// as the default of an argument that it does not use.
bool needsNixpkgs(const QByteArray &recipe);

} // namespace tmx
