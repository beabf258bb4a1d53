// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/history/BuildHistory.h"

#include <QFutureWatcher>
#include <QObject>
#include <QTemporaryDir>
#include <QThreadPool>

namespace tmx {

class BuildConsole;
struct BranchSnapshot;
class TeamLogPage;

/// Shows a build of the team in the console: where its log is, and the log once the user fetches it. A log that was
/// fetched is kept as long as the window.
class TeamLogController : public QObject
{
    Q_OBJECT
public:
    explicit TeamLogController(BuildConsole *console, QObject *parent = nullptr);
    ~TeamLogController() override;

    void show(const BuildRecord &build, const BranchSnapshot *shown); ///< `shown`: may have its recipe
    void leave(); ///< the console shows another build: stops fetching

private:
    TeamLogPage *page(); ///< the first build of the team makes it
    void fetch(const QString &host);
    void take();
    void showLog(const BuildOutcome &outcome);
    [[nodiscard]] QString fileOf(const BuildRecord &build) const;

    BuildConsole *m_console;
    TeamLogPage *m_page = nullptr;
    BuildRecord m_build;
    QString m_host; ///< asked last
    QTemporaryDir m_folder;
    QHash<QString, BuildOutcome> m_fetched; ///< by BuildRecord::job
    QThreadPool m_pool;                     ///< ends with the window
    QFutureWatcher<Result<BuildOutcome>> m_fetching;
};

} // namespace tmx
