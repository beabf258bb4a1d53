// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/SnapshotReader.h"

#include <QObject>

namespace tmx {

/// All branches of a repository, local and remote-tracking, its working tree, and further sides that the user named:
/// any revision, or branches of other repositories. Reads them in a worker, watches all these repositories, and reads
/// again what changed. The last result stays until the next read is complete. Never blocks, except in its destructor,
/// which waits for the worker.
class Branches : public QObject
{
    Q_OBJECT
public:
    explicit Branches(std::shared_ptr<const SnapshotReader> reader, QObject *parent = nullptr);
    ~Branches() override;

    void open(const QString &path); ///< changed() or failed() follows; a different path discards the branches and the
                                    ///< named sides
    /// Adds a side in the notation of sideNamed(), with folders relative to the repository. added() or failed()
    /// follows. A side that cannot be read later is removed, and failed() reports it.
    void add(const QString &words);
    void refresh();
    /// Stops the current read and uses what it has read so far. refresh() reads the rest.
    void stop();
    /// Watches refs and working trees for changes. Off by default.
    void setWatching(bool watching);

    [[nodiscard]] const BranchesReading &reading() const; ///< named sides come last, in the order in which they were
                                                          ///< named
    [[nodiscard]] bool isReading() const;

Q_SIGNALS:
    void changed(); ///< reading() has changed
    void added(const QString &label);
    void progressed(int done, int total); ///< progress of the current read
    void readingChanged(bool reading);    ///< a read started or ended
    void failed(const tmx::Error &error); ///< nothing could be read, or one branch could not be read

private:
    enum class What { All, NamedSides };
    void start(What what);
    void take(What what, const QStringList &named, const Result<BranchesReading> &result);
    void watch();

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
