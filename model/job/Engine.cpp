// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Engine.h"

#include "model/base/Programs.h"
#include "model/base/Tr.h"
#include "model/nix/Ast.h"
#include "model/nix/Parse.h"
#include "model/nix/Tree.h"
#include "model/nix/Walk.h"

#include <QFile>

#include <algorithm>
#include <set>
#include <span>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qint64 mostRecipe = qint64(4) << 20;

/// Whether the recipe is a function that needs arguments without a default.
bool mustBeCalled(const nix::Tree &recipe)
{
    const auto *lambda = nix::as<nix::Lambda>(recipe.root());
    return lambda && lambda->hasFormals &&
           std::any_of(lambda->formals.begin(), lambda->formals.end(),
                       [](const nix::Formal &formal) { return !formal.fallback; });
}

} // namespace

QString programOf(BuildEngine engine)
{
    switch (engine) {
    case BuildEngine::Flox: return u"flox"_s;
    case BuildEngine::Nix: return u"nix-build"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

BuildOutcome engineMissing(BuildEngine engine)
{
    return {.kind = BuildOutcome::Kind::FloxMissing,
            .cause = BuildOutcome::Cause::ProgramMissing,
            .about = {programOf(engine)}};
}

QString withNixSetting(const QString &nixConfig, const QString &setting)
{
    return nixConfig.isEmpty() ? setting : nixConfig + u'\n' + setting;
}

QProcessEnvironment environmentOf(const Job &job, QProcessEnvironment environment)
{
    environment = gitEnvironment(environment); // flox runs git
    environment.insert(u"GIT_TERMINAL_PROMPT"_s, u"0"_s);
    // Variables that were not set when the job was queued are unset for the build.
    const QStringList recorded = job.environment.isEmpty() ? QStringList() : recordedVariables();
    for (const QString &name : recorded) {
        const auto value = job.environment.constFind(name);
        if (value == job.environment.cend())
            environment.remove(name);
        // A job keeps no credential; this process may have it.
        else if (!environment.contains(name) || withoutCredentials(name, environment.value(name)) != *value)
            environment.insert(name, *value);
    }
    if (job.cores > 0)
        environment.insert(u"NIX_CONFIG"_s,
                           withNixSetting(environment.value(u"NIX_CONFIG"_s), u"cores = %1"_s.arg(job.cores)));
    return environment;
}

QStringList engineArguments(const Job &job, const QString &tree, const QByteArray &recipe)
{
    if (job.engine == BuildEngine::Flox) {
        QStringList arguments{u"build"_s, u"-d"_s, tree};
        if (!job.stability.isEmpty())
            arguments << u"--stability"_s << job.stability;
        return arguments << job.package;
    }
    const QString file = tree + u'/' + job.recipe;
    const QStringList arguments{u"--out-link"_s, tree + u"/result-"_s + job.package};
    if (!mustBeCalled(*nix::parse(recipe).tree))
        return arguments + QStringList{file};
    return arguments + QStringList{u"--expr"_s,
                                   u"{ recipe }: (import <nixpkgs> { config.allowUnfree = true; }).callPackage "
                                   u"(/. + recipe) { }"_s,
                                   u"--argstr"_s, u"recipe"_s, file};
}

EngineCommand engineCommand(const Job &job, const QString &tree, const QProcessEnvironment &environment)
{
    QFile file(tree + u'/' + job.recipe);
    const QByteArray recipe =
        job.engine == BuildEngine::Nix && file.open(QIODevice::ReadOnly) ? file.read(mostRecipe) : QByteArray();
    return {findProgram(programOf(job.engine), environment), engineArguments(job, tree, recipe)};
}

bool needsNixpkgs(const QByteArray &recipe)
{
    const nix::ParseResult parsed = nix::parse(recipe);
    if (mustBeCalled(*parsed.tree))
        return true;
    if (!parsed.tree->root())
        return recipe.contains("<nixpkgs");
    // The recipes of a matrix often have `pkgs ? import <nixpkgs> { }` and use nothing of it.
    const auto *lambda = nix::as<nix::Lambda>(parsed.tree->root());
    std::set<const nix::Node *> unused; // what arguments that are not used have by default
    for (const nix::Formal &formal : lambda ? lambda->formals : std::span<const nix::Formal>()) {
        bool isUsed = lambda->argument != nix::Symbol();
        nix::forEachNode(lambda, [&](const nix::Node &node) {
            const auto *variable = nix::as<nix::Variable>(&node);
            isUsed = isUsed || (variable && variable->symbol == formal.symbol);
        });
        if (!isUsed)
            nix::forEachNode(formal.fallback, [&unused](const nix::Node &node) { unused.insert(&node); });
    }
    bool isNamed = false;
    nix::forEachNode(parsed.tree->root(), [&](const nix::Node &node) {
        const auto *path = nix::as<nix::SearchPath>(&node);
        isNamed = isNamed || (path && path->name.starts_with("nixpkgs") && !unused.contains(path));
    });
    return isNamed;
}

} // namespace tmx
