// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/SnapshotReader.h"

#include <QObject>

namespace tmx {

/// All branches of a repository, local and remote-tracking, its work tree, and the sides that a user named besides: any
/// revision, branches of other repositories. Reads them in a worker, watches all these repositories, and reads again
/// what moved. What was read stays until the next reading is complete. Never blocks but when it is destroyed, until the
/// worker has stopped.
class Branches : public QObject
{
    Q_OBJECT
public:
    explicit Branches(std::shared_ptr<const SnapshotReader> reader, QObject *parent = nullptr);
    ~Branches() override;

    void open(const QString &path); ///< changed() or failed() follows; another path drops what was read and named
    /// A side as sideNamed() takes it, a folder as seen from the repository. added() or failed() follows. One that
    /// cannot be read later is dropped, and failed() tells of it.
    void add(const QString &words);
    void refresh();
    /// Ends the reading that is under way and takes what it has read by then. refresh() reads the rest.
    void stop();
    /// Follows changes of refs and work trees. Off at first.
    void setWatching(bool watching);

    [[nodiscard]] const BranchesReading &reading() const; ///< what was named comes last, in the order in which it was
    [[nodiscard]] bool isReading() const;

Q_SIGNALS:
    void changed(); ///< reading() is another one
    void added(const QString &label);
    void progressed(int done, int total); ///< of the reading under way
    void readingChanged(bool reading);    ///< began, ended
    void failed(const tmx::Error &error); ///< nothing could be read, or one branch could not

private:
    enum class What { All, NamedSides };
    void start(What what);
    void take(What what, const QStringList &named, const Result<BranchesReading> &result);
    void watch();

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
