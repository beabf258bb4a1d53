// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/base/WorkHooks.h"
#include "model/repository/ChangeSet.h"
#include "model/workspace/Operations.h"

#include <QHash>
#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace tmx {

using OperationId = quint64; ///< 0: none
OperationId newOperation();  ///< different from every other of this process

/// Writes to repositories in a worker, one operation after another. Each has an id, which its signals carry: whoever
/// started it compares ids and ignores the others. Workers get values and return values.
class Operations : public QObject
{
    Q_OBJECT
public:
    using Work = std::function<Result<Applied>()>;

    using QObject::QObject;
    ~Operations() override; ///< waits for what is being written

    /// `what` is a phrase for the status line. applied() or failed() follows.
    OperationId run(const QString &what, const Work &work);
    [[nodiscard]] bool isBusy() const { return m_writing > 0; }

Q_SIGNALS:
    void applied(tmx::OperationId id, const QList<tmx::Applied> &applied);
    void failed(tmx::OperationId id, const tmx::Error &error);
    void busyChanged(const QString &what); ///< empty = idle

private:
    QThreadPool m_writers;
    int m_writing = 0;
};

Result<Applied> appliedOf(const Result<WriteReport> &report);

} // namespace tmx
