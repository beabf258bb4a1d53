// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/OperationQueue.h"
#include "model/workspace/Reading.h"

#include <QObject>

#include <memory>

namespace tmx {

/// The repository that is open in a window: reads branches in workers and watches the work tree. Gives values to the
/// window's thread by signals. Each reading has an id; the result of one that another reading has replaced is dropped.
class Workspace : public QObject
{
    Q_OBJECT
public:
    explicit Workspace(const std::shared_ptr<const Catalog> &catalog, QObject *parent = nullptr);
    ~Workspace() override; ///< stops what is being read, waits for what is being written

    /// opened() and snapshotChanged() follow, or failed(); what was open before stays open then.
    OperationId open(const QString &path, const QString &branch = {}); ///< branch empty: what is checked out
    void showBranch(const QString &branch);
    void refresh(); ///< reads the branch again; what is shown stays until the new one is there

    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const;
    [[nodiscard]] const std::shared_ptr<const SnapshotReader> &reader() const; ///< for all that reads in this window
    [[nodiscard]] Operations *operations() const;     ///< after each of them the branch is read again
    [[nodiscard]] const RepositoryInfo &info() const; ///< default-constructed before opened()
    [[nodiscard]] const std::shared_ptr<const BranchSnapshot> &snapshot() const; ///< null before opened()
    /// What earlier builds left, of the branch that is shown; snapshotChanged() tells of these too.
    [[nodiscard]] const QHash<QString, BuildState> &builds() const;
    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] bool isBusy() const; ///< something is being read or written

Q_SIGNALS:
    void opened();
    void snapshotChanged();                                    ///< another branch, or the same with other content
    void infoChanged();                                        ///< branches, HEAD
    void busyChanged(const QString &what);                     ///< a phrase for the status line; empty = idle
    void failed(tmx::OperationId id, const tmx::Error &error); ///< the branch could not be read

private:
    OperationId startReading(const QString &path, const QString &branch, bool recovers = false);
    void takeReading(const Result<Reading> &reading, const QString &branch);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
