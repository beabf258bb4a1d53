// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildOutcome.h"
#include "model/build/BuildState.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

/// One `flox build` of one package, in its own session. Signals only; never blocks.
class FloxBuild : public QObject
{
    Q_OBJECT
public:
    explicit FloxBuild(QObject *parent = nullptr);
    ~FloxBuild() override;

    /// Empty when no flox is on PATH; the action then says how to install it. Searches the disk: for a worker.
    static QString floxProgram();
    static QString floxMissingSentence();

    /// Starts `flox build -d <workTree> <package>`. The caller has staged the recipe. A name that is no canonical one,
    /// a relative `workTree` and a missing flox end the build at once: `finished` says so, and never comes from within
    /// start(). `program`: the path of flox, for whoever has looked for it in a worker.
    void start(const QString &workTree, const QString &package, const QString &program = floxProgram());
    /// SIGINT to flox, make and nix together, after `grace` SIGTERM, after another `grace` SIGKILL. Returns at once;
    /// `finished` follows.
    void stop(std::chrono::milliseconds grace = std::chrono::seconds(10));
    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] QString package() const;
    [[nodiscard]] BuildState
    state() const; ///< after Stopped and FloxMissing: None, since nothing was built and nothing is wrong with it

Q_SIGNALS:
    /// The whole text, decoded statefully, in chunks of at most 64 KiB, which end anywhere: within a line, within an
    /// ANSI sequence.
    void text(const QString &chunk);
    void stateChanged(const tmx::BuildState &state);
    void finished(const tmx::BuildOutcome &outcome);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
