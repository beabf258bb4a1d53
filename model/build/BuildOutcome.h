// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace tmx {

/// How a build ended, in words. What flox prints was read from the sources of flox 1.14.
struct BuildOutcome {
    enum class Kind {
        Built,
        Failed, ///< the builder, or Nix before it
        OutOfMemory,
        Untracked,      ///< the recipe is not in git's index
        UnknownPackage, ///< flox finds no recipe of that name, or the name is none
        NotGit,         ///< the folder is not in a git work tree
        NoEnvironment,  ///< no .flox/env.json
        Stopped,        ///< by the user, here or from another terminal
        FloxMissing,
        Crashed, ///< flox itself was ended by a signal
    };
    Kind kind = Kind::Failed;
    int exitCode = -1;
    bool alreadyBuilt = false; ///< Built, with nothing left to do
    QString sentence;          ///< one sentence for the user, remedy included
    QStringList lastErrors;    ///< the error lines of the log that matter most, in its order, at most 20
    QStringList resultLinks;   ///< "./result-pytorch-..."
    qint64 milliseconds = 0;
    bool operator==(const BuildOutcome &) const = default;
};

} // namespace tmx
