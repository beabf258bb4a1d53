// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/repository/BranchSnapshot.h"

#include <QObject>
#include <QStringList>

#include <memory>

namespace tmx {

/// What generate or commit did.
struct WriteReport {
    QStringList written;   ///< names
    QStringList unchanged; ///< names whose file already held that text
    QString commit;        ///< empty when nothing was committed
};

/// The repository that is open in a window: reads branches in workers, watches the work tree, generates and commits. Gives values to the
/// window's thread by signals; a result that is no longer asked for is dropped (generation number).
class Workspace : public QObject
{
    Q_OBJECT
public:
    explicit Workspace(std::shared_ptr<const Catalog> catalog, QObject *parent = nullptr);
    ~Workspace() override; ///< cancels, and waits for the worker that is writing

    void open(const QString &path);
    void showBranch(const QString &branch);
    void refresh(); ///< reads the branch again; what is shown stays until the new one is there

    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const;
    [[nodiscard]] const RepositoryInfo &info() const;
    [[nodiscard]] std::shared_ptr<const BranchSnapshot> snapshot() const;
    [[nodiscard]] bool isBusy() const;

    /// Writes the line's recipe for each name into the work tree and adds it to the index. Only Missing ones unless `replace`.
    void generate(const QStringList &names, bool replace = false);
    void commit(const QStringList &names, const QString &message);
    void stage(const QStringList &names); ///< before a build; stagedForBuild or failed follows

    [[nodiscard]] static QString commitMessageFor(const QStringList &names);

Q_SIGNALS:
    void opened();
    void snapshotChanged();
    void busyChanged(const QString &what); ///< empty = idle
    void generated(const tmx::WriteReport &report);
    void committed(const tmx::WriteReport &report);
    void staged(const QStringList &names);
    void failed(const tmx::Error &error);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
