// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildState.h"
#include "model/workspace/OperationQueue.h"

#include <QHash>
#include <QObject>

namespace tmx {

class BuildConsole;
class FloxBuild;
class MatrixModel;
class Workspace;
struct BuildOutcome;
struct Error;

/// One build at a time: adds the recipe to the index, starts flox, and carries what it says to the console and to the
/// cell. A build is of the branch that was checked out when it started: its state shows while that branch is, and again
/// when it is shown again. Beside it the cells show what earlier builds left.
class BuildController : public QObject
{
    Q_OBJECT
public:
    BuildController(Workspace *workspace, MatrixModel *matrix, BuildConsole *console, QObject *parent = nullptr);
    ~BuildController() override;

    void build(const QString &name);
    void stop();
    [[nodiscard]] bool isRunning() const;  ///< from build() to its end, the index included
    [[nodiscard]] QString package() const; ///< of the running or last build; what flox calls it

Q_SIGNALS:
    void runningChanged();
    void refused(const QString &sentence); ///< the build did not start
    void ended(const tmx::BuildOutcome &outcome);

private:
    /// What is being built, and of which branch: variants bear the same name on every branch that has them.
    struct Job {
        QString repository; ///< root of the work tree
        QString branch;
        QString name;    ///< of the variant
        QString package; ///< what flox calls it: the file's name, which may be in an old form
        [[nodiscard]] QString key() const { return repository + u'\n' + branch + u'\n' + name; }
    };
    void stage();
    void start();
    void setState(const BuildState &state);
    void showStates();
    void finish(const BuildOutcome &outcome);

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    BuildConsole *m_console;
    FloxBuild *m_flox;
    Job m_job;                           ///< the running or last build
    QString m_program;                   ///< of flox
    bool m_looking = false;              ///< for that program
    OperationId m_staging = 0;           ///< adds its recipe to the index before it starts
    QHash<QString, BuildState> m_states; ///< of this session's builds, by Job::key()
};

} // namespace tmx
