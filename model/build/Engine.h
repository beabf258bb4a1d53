// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/Job.h"

#include <QProcessEnvironment>
#include <QStringList>

namespace tmx {

/// What builds a job: a program and its argument vector.
struct EngineCommand {
    QString program; ///< absolute path; empty: it is not on the job's PATH
    QStringList arguments;
};

/// "flox" or "nix-build".
QString programOf(BuildEngine engine);
/// What to do where the engine's program is not installed.
QString engineMissingSentence(BuildEngine engine);

/// Memory that a build needs for each of its cores: nvcc takes 5 GB for PyTorch's largest files, other compilers 2 GB.
constexpr int gigabytesOfACore(bool gpu)
{
    return gpu ? 5 : 2;
}

/// The value of NIX_CONFIG with one more setting, which replaces an earlier one of its name.
QString withNixSetting(const QString &nixConfig, const QString &setting);

/// The variables that a job is built with: this program's own, with those that the job recorded, cores for each
/// derivation, and without what git sets for its hooks.
QProcessEnvironment environmentOf(const Job &job, QProcessEnvironment environment);

/// How the recipe in `tree` (the job's working tree) is built there. flox leaves the result links beside `.flox`, and
/// nix-build is told to. nix-build gets the file as it is where it takes no arguments without a default, else calls it
/// with the packages of <nixpkgs>, as flox does with its own. Looks at PATH and at the recipe: for workers.
EngineCommand engineCommand(const Job &job, const QString &tree, const QProcessEnvironment &environment);

/// The arguments alone, for a recipe of this text. Pure.
QStringList engineArguments(const Job &job, const QString &tree, const QByteArray &recipe);

/// Whether nix-build needs <nixpkgs> for a recipe of this text: to call it, or because it names it.
bool needsNixpkgs(const QByteArray &recipe);

} // namespace tmx
