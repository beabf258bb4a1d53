// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/SaveSettings.h"
#include "model/workspace/WorkOffer.h"

#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <functional>
#include <memory>

namespace tmx {

/// Works out, in workers, what a dialog asks for, and does it. Gives values to the window's thread by signals; an
/// answer that is no longer asked for is dropped (generation number).
class BranchWork : public QObject
{
    Q_OBJECT
public:
    enum class Busy { Idle, Reading, Writing };

    BranchWork(std::shared_ptr<const SnapshotReader> reader, QString repository, QObject *parent = nullptr);
    ~BranchWork() override; ///< stops what is being read, waits for what is being written

    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const { return m_reader->catalog(); }
    [[nodiscard]] Busy busy() const { return m_busy; }

    void readLine(const QString &branch);     ///< lineRead() or refused() follows; what is being worked out is dropped
    void preview(const WorkRequest &request); ///< offered() or refused() follows
    void stop(); ///< what is being read is dropped, and stopped() follows; what is being written ends after the commit
                 ///< that it is at
    /// applied() follows. Nothing while something is being written.
    void apply(const WorkOffer &offer, const Plan &chosen);

Q_SIGNALS:
    void busyChanged();
    void progressed(int done, int total); ///< of what is known to have so many parts
    void lineRead(const tmx::LineReading &reading);
    void offered(const tmx::WorkOffer &offer);
    void refused(const tmx::Error &error);
    void stopped();
    void applied(const tmx::WorkOutcome &outcome);

private:
    template <typename T, typename Done>
    void read(std::function<Result<T>(const WorkHooks &)> action, Done done);
    [[nodiscard]] WorkHooks hooks();
    void setBusy(Busy busy);

    std::shared_ptr<const SnapshotReader> m_reader;
    QString m_repository;
    std::shared_ptr<std::atomic_bool> m_stop; ///< of what is under way
    QThreadPool m_writers;
    quint64 m_generation = 0; ///< of the last answer that was asked for
    Busy m_busy = Busy::Idle;
};

} // namespace tmx
