// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/OperationQueue.h"

#include <QFuture>
#include <QtConcurrent>

namespace tmx {

OperationId newOperation()
{
    static std::atomic<OperationId> last = 0;
    return ++last;
}

Operations::~Operations()
{
    m_writers.waitForDone();
}

OperationId Operations::run(const QString &what, const Work &work)
{
    m_writers.setMaxThreadCount(1);
    const OperationId id = newOperation();
    ++m_writing;
    Q_EMIT busyChanged(what);
    QtConcurrent::run(&m_writers, work).then(this, [this, id](const Result<Applied> &done) {
        if (--m_writing == 0)
            Q_EMIT busyChanged({});
        if (done)
            Q_EMIT applied(id, {*done});
        else
            Q_EMIT failed(id, done.error());
    });
    return id;
}

Result<Applied> appliedOf(const Result<WriteReport> &report)
{
    if (!report)
        return report.error();
    return Applied{{}, report->branch, report->commit, report->subject, report->written, report->saved, report->kept,
                   {}};
}

} // namespace tmx
