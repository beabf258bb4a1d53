// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

namespace tmx {

class BuildConsole;
class FloxBuild;
class MatrixModel;
class Workspace;
struct BuildOutcome;
struct Error;

/// One build at a time: adds the recipe to the index, starts flox, and carries what it says to the console and to the cell.
class BuildController : public QObject
{
    Q_OBJECT
public:
    BuildController(Workspace *workspace, MatrixModel *matrix, BuildConsole *console, QObject *parent = nullptr);
    ~BuildController() override;

    void build(const QString &name);
    void stop();
    [[nodiscard]] bool isRunning() const; ///< from build() to its end, the index included
    [[nodiscard]] QString package() const; ///< of the running or last build

Q_SIGNALS:
    void runningChanged();
    void refused(const QString &sentence); ///< the build did not start
    void ended(const tmx::BuildOutcome &outcome);

private:
    void stagedFor(const QStringList &names);
    void finish(const BuildOutcome &outcome);

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    BuildConsole *m_console;
    FloxBuild *m_flox;
    QString m_waiting; ///< staged() is awaited for it
};

} // namespace tmx
