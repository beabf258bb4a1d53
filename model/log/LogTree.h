// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/DerivationTree.h"
#include "model/log/LogIndex.h"

#include <QObject>

namespace tmx {

class LogFile;

/// Reads a build's derivations from its growing log, in a worker. Reads at most the first 256 MB of a log.
class LogTree : public QObject
{
    Q_OBJECT
public:
    explicit LogTree(const LogFile *log, QObject *parent = nullptr);

    [[nodiscard]] const DerivationTree &tree() const { return m_state.tree; }
    void end(DerivationNode::State state); ///< the build ended (DerivationTree::end())

    /// The state of reading a log. A value for the worker.
    struct State {
        DerivationTree tree;
        LogIndex lines; ///< those that were read
        qint64 offset = 0;
        QDateTime last; ///< when the last line read was printed; invalid: unknown
    };

Q_SIGNALS:
    void changed();

private:
    void readOn();

    const LogFile *m_log;
    State m_state;
    int m_generation = 0;
    bool m_working = false;
    bool m_caughtUp = false; ///< lines read from now on are being printed now
    std::optional<DerivationNode::State> m_ended;
};

/// Reads whole lines of the log from the state's position, at most `most` bytes. `live`: the lines' time is now; else
/// their time comes from the runner's notes (LogTimes). For workers.
[[nodiscard]] LogTree::State readTree(const QString &path, LogTree::State state, qint64 most, bool live);

} // namespace tmx
