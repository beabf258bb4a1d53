// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/BuildRequest.h"
#include "model/job/Queue.h"
#include "model/snapshot/BranchSnapshot.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace tmx {

/// The jobs and the queue of a state folder, as a worker read them.
struct JobsSeen {
    QList<JobRecord> jobs; ///< the oldest first
    QueueContents queue;
    QString queueFile;                   ///< file that `queue` was read from
    QHash<QString, BuildState> progress; ///< state of running jobs, and what waiting ones wait for (`text`), by id
    QHash<QString, BuildState> states;   ///< of the variants of `snapshot`
    std::shared_ptr<const BranchSnapshot> snapshot;

    [[nodiscard]] const JobRecord *find(const QString &id) const;
};

/// Polls the jobs and the queue, which this window, another one or a terminal may change: twice a second while a job
/// runs or waits, else every other second. Always reads in a worker.
class JobWatch : public QObject
{
    Q_OBJECT
public:
    explicit JobWatch(QString state, QObject *parent = nullptr);
    ~JobWatch() override;

    /// The branch whose variants' states are computed; null: none.
    void setSnapshot(const std::shared_ptr<const BranchSnapshot> &snapshot);
    void lookSoon();

    [[nodiscard]] QString state() const { return m_state; }
    [[nodiscard]] const std::shared_ptr<const JobsSeen> &seen() const { return m_seen; } ///< never null

Q_SIGNALS:
    void changed();

private:
    struct Kept;
    void look();

    const QString m_state;
    QTimer m_timer;
    bool m_looking = false;
    bool m_again = false;
    std::shared_ptr<const BranchSnapshot> m_snapshot;
    std::shared_ptr<const JobsSeen> m_seen = std::make_shared<const JobsSeen>();
    std::shared_ptr<Kept> m_kept; ///< only used by the worker while it runs
};

} // namespace tmx
