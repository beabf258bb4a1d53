// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace tmx {

/// What flox will ask before it publishes, as it was found. flox names one condition a call; all of them are known
/// here before the first.
struct PublishProbes {
    bool flox = false; ///< the program is there
    bool loggedIn = false;
    QString loginAnswer;              ///< what `flox auth status` printed
    bool environment = false;         ///< .flox/env.json
    bool locked = false;              ///< .flox/env/manifest.lock
    QStringList missing;              ///< packages without a recipe
    QStringList untracked;            ///< packages whose recipe git does not track
    QStringList untrackedEnvironment; ///< files of the environment that git does not track
    QStringList dirty;                ///< tracked files with changes that are not committed
    QString branch;                   ///< empty: HEAD is detached
    QString upstream;                 ///< "origin/main"; empty: none
    bool pushed = false;              ///< the commit is on the upstream branch, by what git last fetched
};

struct PublishCondition {
    QString id; ///< "flox", "login", "environment", "locked", "recipe", "tracked", "environment-tracked", "clean",
                ///< "upstream", "pushed"
    bool holds = false;
    QString sentence; ///< what holds; or what does not, and what to do
    bool operator==(const PublishCondition &) const = default;
};

/// All conditions in flox's order. One that cannot be asked, because one before it does not hold, does not hold either.
/// Pure.
[[nodiscard]] QList<PublishCondition> publishConditions(const PublishProbes &probes);
[[nodiscard]] bool canPublish(const QList<PublishCondition> &conditions);

/// Asks git and flox. `packages`: names of recipes in .flox/pkgs. `flox`: path of the program; empty: it is not there.
/// For workers.
[[nodiscard]] PublishProbes probePublish(const QString &workTree, const QStringList &packages, const QString &flox);

/// `flox publish` of one package. `organisation` empty: flox publishes as the user.
[[nodiscard]] QStringList publishArguments(const QString &workTree, const QString &package, const QString &organisation,
                                           const QString &stability = {});

/// How a call ended.
enum class PublishEnd { Published, AlreadyPublished, Failed };
/// The exit code counts; flox's words tell whether it was published before. Icons are ignored.
[[nodiscard]] PublishEnd publishEnd(bool succeeded, const QString &output);
/// Why it failed: flox's error line without its icon, else the last line; empty without any.
[[nodiscard]] QString publishError(const QString &output);

/// "ORG/NAME", and how to install it. Without an organisation the name that flox says in its output, else NAME.
[[nodiscard]] QString publishedName(const QString &package, const QString &organisation, const QString &output);
[[nodiscard]] QString installCommand(const QString &publishedName);

} // namespace tmx
