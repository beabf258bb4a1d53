// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Operations.h"
#include "model/workspace/RepositoryReading.h"

#include <QObject>

#include <memory>

namespace tmx {

/// The repository that is open in a window. Reads branches in workers and watches the working tree; delivers values to
/// the GUI thread by signals. Each read has an id; if another read replaces it, its result is discarded.
class Workspace : public QObject
{
    Q_OBJECT
public:
    explicit Workspace(const std::shared_ptr<const Catalog> &catalog, QObject *parent = nullptr);
    ~Workspace() override; ///< cancels reads, and waits for a running write

    /// opened() and snapshotChanged() follow, or failed(). On failure the old repository stays open.
    OperationId open(const QString &path, const QString &branch = {}); ///< empty `branch`: the checked-out branch
    void showBranch(const QString &branch);
    void refresh(); ///< reads the branch again; the old snapshot stays until the new one is ready

    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const;
    [[nodiscard]] const std::shared_ptr<const SnapshotReader> &reader() const; ///< for all reads in this window
    [[nodiscard]] Operations *operations() const;     ///< the branch is read again after each operation
    [[nodiscard]] const RepositoryInfo &info() const; ///< default-constructed before opened()
    [[nodiscard]] const std::shared_ptr<const BranchSnapshot> &snapshot() const; ///< null before opened()
    /// States left by earlier builds of the shown branch. snapshotChanged() is emitted for changes of these too.
    [[nodiscard]] const QHash<QString, BuildState> &builds() const;
    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] bool isBusy() const; ///< a read or write is running

Q_SIGNALS:
    void opened();
    void snapshotChanged();                                    ///< another branch is shown, or its content changed
    void infoChanged();                                        ///< branches, HEAD
    void busyChanged(const QString &what);                     ///< a phrase for the status line; empty = idle
    void failed(tmx::OperationId id, const tmx::Error &error); ///< the branch could not be read

private:
    OperationId startReading(const QString &path, const QString &branch, bool recovers = false);
    void takeReading(const Result<RepositoryReading> &reading, const QString &branch);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
