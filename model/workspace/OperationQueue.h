// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Requests.h"
#include "model/repository/ChangeSet.h"
#include "model/snapshot/SnapshotReader.h"

#include <QHash>
#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <memory>
#include <optional>

namespace tmx {

using OperationId = quint64; ///< 0: none
OperationId newOperation();  ///< different from every other of this process

/// Works changes out and makes them, in workers that get values and return values. Each operation has an id, which its
/// signals carry: whoever started it compares ids and ignores the others. Changes are made one after another, and
/// worked out several at a time.
class Operations : public QObject
{
    Q_OBJECT
public:
    explicit Operations(std::shared_ptr<const SnapshotReader> reader, QObject *parent = nullptr);
    ~Operations() override; ///< stops what is being worked out, waits for what is being written

    /// Works a change of the repository out; nothing is written. prepared() or failed() follows.
    OperationId prepare(const QString &repository, const ChangeRequest &request);
    /// Makes the changes that are chosen, each on its own. applied() or failed() follows.
    OperationId apply(const QString &repository, const QList<ChangeSet> &changes);
    /// Both in one turn, for what nobody has to look at first. applied() or failed() follows; or objected(), where the
    /// audit finds errors in what would be written, and nothing is.
    OperationId perform(const QString &repository, const ChangeRequest &request);
    /// What is being worked out is dropped, without a signal. Writing ends with the change that is being made, and its
    /// signal follows.
    void stop(OperationId id);
    [[nodiscard]] bool isWriting() const { return m_writing > 0; }

Q_SIGNALS:
    void prepared(tmx::OperationId id, const QList<tmx::ChangeSet> &changes);
    /// perform() made nothing of these, since they have errors. apply() makes them when they are forced.
    void objected(tmx::OperationId id, const QList<tmx::ChangeSet> &changes);
    /// What was done; of changes without anything chosen nothing. `error`: why the last of them were not made.
    void applied(tmx::OperationId id, const QList<tmx::Applied> &applied, const std::optional<tmx::Error> &error);
    void failed(tmx::OperationId id, const tmx::Error &error); ///< nothing was done
    void progressed(tmx::OperationId id, int done, int total);
    void writingChanged();

private:
    struct Outcome;
    template <typename Work>
    OperationId start(bool writes, Work work);
    void finish(OperationId id, bool writes, const Outcome &outcome);

    std::shared_ptr<const SnapshotReader> m_reader;
    QThreadPool m_writers;
    struct Running {
        std::shared_ptr<std::atomic_bool> stop;
        bool writes = false;
    };
    QHash<OperationId, Running> m_running;
    int m_writing = 0;
};

} // namespace tmx
