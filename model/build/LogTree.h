// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/DerivationTree.h"

#include <QObject>

namespace tmx {

class LogFile;

/// Reads the derivations of a build from its log while that grows, in a worker. Of a very long log the first 256 MB.
class LogTree : public QObject
{
    Q_OBJECT
public:
    explicit LogTree(const LogFile *log, QObject *parent = nullptr);

    [[nodiscard]] const DerivationTree &tree() const { return m_state.tree; }
    void end(bool success); ///< of the build: what was being built is done, or failed

    /// How far a log was read. A value for the worker.
    struct State {
        DerivationTree tree;
        qint64 offset = 0;
        QDateTime last; ///< when the last line that was read was printed; invalid: not known
    };

Q_SIGNALS:
    void changed();

private:
    void readOn();

    const LogFile *m_log;
    State m_state;
    int m_generation = 0;
    bool m_working = false;
    bool m_caughtUp = false; ///< what is read from now on is printed now
    std::optional<bool> m_ended;
};

/// Reads whole lines of the log from where the state stands, at most `most` bytes. `live`: their time is now; else it
/// is what the runner noted (LogTimes).
/// For workers.
[[nodiscard]] LogTree::State readTree(const QString &path, LogTree::State state, qint64 most, bool live);

} // namespace tmx
