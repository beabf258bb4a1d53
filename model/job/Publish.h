// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace tmx {

/// The facts that flox checks before it publishes. flox reports one failed condition per call; here all are known
/// before the first call.
struct PublishProbes {
    bool flox = false; ///< the program exists
    bool loggedIn = false;
    QString loginAnswer;              ///< output of `flox auth status`
    bool environment = false;         ///< .flox/env.json exists
    bool locked = false;              ///< .flox/env/manifest.lock exists
    QStringList missing;              ///< packages without a recipe
    QStringList untracked;            ///< packages whose recipe is not tracked by git
    QStringList untrackedEnvironment; ///< files of the environment that are not tracked by git
    QStringList dirty;                ///< tracked files with uncommitted changes
    QString branch;                   ///< empty: HEAD is detached
    QString upstream;                 ///< "origin/main"; empty: none
    bool pushed = false;              ///< the commit is on the upstream branch, as of git's last fetch
};

struct PublishCondition {
    QString id; ///< "flox", "login", "environment", "locked", "recipe", "tracked", "environment-tracked", "clean",
                ///< "upstream", "pushed"
    bool holds = false;
    QString sentence; ///< the condition that holds; or what does not hold, and how to solve it
    bool operator==(const PublishCondition &) const = default;
};

/// All conditions in flox's order. A condition that cannot be checked because an earlier one fails counts as failed.
/// Pure.
[[nodiscard]] QList<PublishCondition> publishConditions(const PublishProbes &probes);
[[nodiscard]] bool canPublish(const QList<PublishCondition> &conditions);

/// Queries git and flox. `packages`: names of recipes in .flox/pkgs. `flox`: path of the program; empty if it is
/// missing. For workers.
[[nodiscard]] PublishProbes probePublish(const QString &workTree, const QStringList &packages, const QString &flox);

/// Arguments of `flox publish` for one package. Empty `organisation`: flox publishes as the user.
[[nodiscard]] QStringList publishArguments(const QString &workTree, const QString &package, const QString &organisation,
                                           const QString &stability = {});

/// Result of a call.
enum class PublishEnd { Published, AlreadyPublished, Failed };
/// The exit code decides; flox's words tell whether it was already published. Icons are ignored.
[[nodiscard]] PublishEnd publishEnd(bool succeeded, const QString &output);
/// Why it failed: flox's error line without its icon, else the last line; empty if there is none.
[[nodiscard]] QString publishError(const QString &output);

/// "ORG/NAME", the name to install it by. Without an organisation, the name in flox's output, else NAME.
[[nodiscard]] QString publishedName(const QString &package, const QString &organisation, const QString &output);
[[nodiscard]] QString installCommand(const QString &publishedName);

} // namespace tmx
