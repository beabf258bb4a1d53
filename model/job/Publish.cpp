// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Publish.h"

#include "model/base/Process.h"
#include "model/base/ShortList.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/job/GitAnswer.h"

#include <QDir>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString firstLine(const std::optional<QByteArray> &answer)
{
    return answer ? QString::fromUtf8(*answer).section(u'\n', 0, 0).trimmed() : QString();
}

} // namespace

QList<PublishCondition> publishConditions(const PublishProbes &probes)
{
    QList<PublishCondition> conditions;
    const auto add = [&conditions](const QString &id, bool holds, const QString &yes, const QString &no) {
        conditions.append({id, holds, holds ? yes : no});
    };
    add(u"flox"_s, probes.flox, Tr::tr("flox is installed."),
        Tr::tr("No program named flox is on PATH. Install it as https://flox.dev/docs/install-flox describes."));
    add(u"login"_s, probes.loggedIn, Tr::tr("You are logged in to FloxHub."),
        forSurface(Tr::tr("You are not logged in to FloxHub. Run flox auth login."),
                   Tr::tr("You are not logged in to FloxHub. Log in with flox.")));
    add(u"environment"_s, probes.environment, Tr::tr("The Flox environment is there."),
        forSurface(Tr::tr("There is no Flox environment. Run flox init and commit .flox."),
                   Tr::tr("There is no Flox environment. Create one with flox and commit .flox.")));
    add(u"locked"_s, probes.locked, Tr::tr("The environment is locked."),
        forSurface(Tr::tr("The environment is not locked. Run flox lock-manifest or flox edit, then commit "
                          ".flox/env/manifest.lock."),
                   Tr::tr("The environment is not locked. Lock it with flox, then commit .flox/env/manifest.lock.")));
    add(u"recipe"_s, probes.missing.isEmpty(), Tr::tr("Each package has a recipe."),
        Tr::tr("There is no recipe for %1. Generate it.").arg(shortList(probes.missing)));
    add(u"tracked"_s, probes.untracked.isEmpty(), Tr::tr("git tracks the recipes."),
        Tr::tr("git does not track the recipe of %1. Commit it.").arg(shortList(probes.untracked)));
    add(u"environment-tracked"_s, probes.untrackedEnvironment.isEmpty(), Tr::tr("git tracks the environment."),
        Tr::tr("git does not track %1. Commit it.").arg(shortList(probes.untrackedEnvironment)));
    add(u"clean"_s, probes.dirty.isEmpty(), Tr::tr("There are no uncommitted changes."),
        Tr::tr("There are uncommitted changes: %1. Commit or stash them.").arg(shortList(probes.dirty)));
    add(u"upstream"_s, !probes.upstream.isEmpty(),
        Tr::tr("The branch %1 follows %2.").arg(probes.branch, probes.upstream),
        probes.branch.isEmpty() ? Tr::tr("No branch is checked out. Check one out.")
                                : forSurface(Tr::tr("The branch %1 has no upstream branch. Run git push -u origin %1."),
                                             Tr::tr("The branch %1 has no upstream branch. Push it."))
                                      .arg(probes.branch));
    add(u"pushed"_s, probes.pushed, Tr::tr("The commit is pushed."),
        probes.upstream.isEmpty()
            ? Tr::tr("The commit is not pushed.")
            : forSurface(Tr::tr("The commit is not on %1. Run git push."), Tr::tr("The commit is not on %1. Push it."))
                  .arg(probes.upstream));
    return conditions;
}

bool canPublish(const QList<PublishCondition> &conditions)
{
    return std::all_of(conditions.begin(), conditions.end(),
                       [](const PublishCondition &condition) { return condition.holds; });
}

PublishProbes probePublish(const QString &workTree, const QStringList &packages, const QString &flox)
{
    PublishProbes probes;
    probes.flox = !flox.isEmpty();
    if (probes.flox) {
        const ProcessRun run = runProcess(
            {.program = flox, .arguments = {u"auth"_s, u"status"_s}, .timeout = std::chrono::seconds(60)}, 16 * 1024);
        probes.loginAnswer = QString::fromUtf8(run.output).trimmed();
        // Some versions print this and exit with 0.
        probes.loggedIn = run.outcome.succeeded() && !probes.loginAnswer.contains("not logged in"_L1);
    }
    const QDir tree(workTree);
    probes.environment = tree.exists(u".flox/env.json"_s);
    probes.locked = tree.exists(u".flox/env/manifest.lock"_s);
    for (const QString &package : packages) {
        const QStringList paths{u".flox/pkgs/%1.nix"_s.arg(package), u".flox/pkgs/%1/default.nix"_s.arg(package)};
        const auto path = std::find_if(paths.begin(), paths.end(), [&](const QString &p) { return tree.exists(p); });
        if (path == paths.end())
            probes.missing.append(package);
        else if (!isTracked(workTree, *path))
            probes.untracked.append(package);
    }
    for (const QString &file : {u".flox/env.json"_s, u".flox/env/manifest.toml"_s, u".flox/env/manifest.lock"_s}) {
        if (!isTracked(workTree, file))
            probes.untrackedEnvironment.append(file);
    }
    probes.dirty = uncommittedFiles(workTree);
    probes.branch = firstLine(gitAnswer(workTree, {u"symbolic-ref"_s, u"--quiet"_s, u"--short"_s, u"HEAD"_s}));
    probes.upstream = firstLine(
        gitAnswer(workTree, {u"rev-parse"_s, u"--abbrev-ref"_s, u"--symbolic-full-name"_s, u"@{upstream}"_s}));
    probes.pushed = !probes.upstream.isEmpty() &&
                    gitAnswer(workTree, {u"merge-base"_s, u"--is-ancestor"_s, u"HEAD"_s, u"@{upstream}"_s}).has_value();
    return probes;
}

QStringList publishArguments(const QString &workTree, const QString &package, const QString &organisation,
                             const QString &stability)
{
    QStringList arguments{u"publish"_s, u"-d"_s, workTree};
    if (!organisation.isEmpty())
        arguments += {u"-o"_s, organisation};
    if (!stability.isEmpty())
        arguments += {u"--stability"_s, stability};
    return arguments << package;
}

PublishEnd publishEnd(bool succeeded, const QString &output)
{
    if (!succeeded)
        return PublishEnd::Failed;
    return output.contains("Package already published"_L1) ? PublishEnd::AlreadyPublished : PublishEnd::Published;
}

QString publishError(const QString &output)
{
    static const QRegularExpression error(uR"(ERROR: ([^\n]+))"_s);
    static const QString unsupported = u"The environment is in an unsupported state for publishing: "_s;
    const QRegularExpressionMatch match = error.match(output);
    QString why = match.hasMatch() ? match.captured(1) : output.trimmed().section(u'\n', -1);
    if (why.startsWith(unsupported))
        why.remove(0, unsupported.size());
    return why.trimmed();
}

QString publishedName(const QString &package, const QString &organisation, const QString &output)
{
    if (!organisation.isEmpty())
        return organisation + u'/' + package;
    static const QRegularExpression said(uR"(flox install ([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+))"_s);
    const QRegularExpressionMatch match = said.match(output);
    return match.hasMatch() && match.captured(1).endsWith(u'/' + package) ? match.captured(1) : package;
}

QString installCommand(const QString &publishedName)
{
    return u"flox install "_s + publishedName;
}

} // namespace tmx
