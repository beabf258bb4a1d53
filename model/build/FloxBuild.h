// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildState.h"

#include <QObject>
#include <QStringList>

#include <memory>

namespace tmx {

/// How a build ended, in words (FLOX: builds that succeed, that fail).
struct BuildOutcome {
    enum class Kind { Built, Failed, OutOfMemory, Untracked, Stopped, FloxMissing, Crashed };
    Kind kind = Kind::Failed;
    int exitCode = -1;
    QString sentence;        ///< one sentence for the user, remedy included
    QStringList lastErrors;  ///< the last error lines of the log, at most 20
    QStringList resultLinks; ///< "./result-pytorch-..."
    qint64 milliseconds = 0;
    bool operator==(const BuildOutcome &) const = default;
};

/// One `flox build` of one package, in its own session. Signals only; never blocks.
class FloxBuild : public QObject
{
    Q_OBJECT
public:
    explicit FloxBuild(QObject *parent = nullptr);
    ~FloxBuild() override;

    /// Empty when no flox is on PATH; the action then says how to install it.
    static QString floxProgram();
    static QString floxMissingSentence();

    /// Starts `flox build -d <workTree> <package>`. The caller has staged the recipe. `package` must be a canonical name.
    void start(const QString &workTree, const QString &package);
    void stop(); ///< INT, TERM, KILL to the group
    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] QString package() const;
    [[nodiscard]] BuildState state() const;

Q_SIGNALS:
    /// Whole text, decoded statefully; chunks end anywhere, ANSI sequences included.
    void text(const QString &chunk);
    void stateChanged(const tmx::BuildState &state);
    void finished(const tmx::BuildOutcome &outcome);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
