// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/BranchPlace.h"
#include "model/change/ChangeSet.h"
#include "model/snapshot/SnapshotReader.h"

#include <QHash>
#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <memory>
#include <optional>

namespace tmx {

using OperationId = quint64; ///< 0: none
OperationId newOperation();  ///< unique within this process

/// Prepares and applies changes in workers that take values and return values. Each operation has an id, which its
/// signals carry: callers compare ids and ignore other operations. Changes are applied one after another; several can
/// be prepared at a time.
class Operations : public QObject
{
    Q_OBJECT
public:
    explicit Operations(std::shared_ptr<const SnapshotReader> reader, QObject *parent = nullptr);
    ~Operations() override; ///< cancels preparations, and waits for a running write

    /// Prepares a change of the repository; writes nothing. prepared() or failed() follows.
    OperationId prepare(const QString &repository, const ChangeRequest &request);
    /// The same with prepareMany(). apply() makes all of these changes or, if one cannot be applied, none.
    OperationId prepare(const QList<BranchPlace> &places, const ChangeRequest &request);
    /// Applies the chosen changes, one commit each. applied() or failed() follows.
    OperationId apply(const QString &repository, const QList<ChangeSet> &changes);
    /// Prepares and applies in one step, for changes without a preview. applied() or failed() follows; or objected(),
    /// with nothing written, if the audit finds errors in the new texts.
    OperationId perform(const QString &repository, const ChangeRequest &request);
    /// A preparation is cancelled without a signal. A write stops after the current change, and its signal follows.
    void stop(OperationId id);
    [[nodiscard]] bool isWriting() const { return m_writing > 0; }

Q_SIGNALS:
    void prepared(tmx::OperationId id, const QList<tmx::ChangeSet> &changes);
    /// perform() applied none of these, because they have errors. apply() applies them if they are forced.
    void objected(tmx::OperationId id, const QList<tmx::ChangeSet> &changes);
    /// The result; empty for changes without a chosen file. `error`: why the remaining changes were not applied.
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
