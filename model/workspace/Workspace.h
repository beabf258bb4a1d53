// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Plan.h"
#include "model/workspace/LineSave.h"
#include "model/workspace/Operations.h"
#include "model/workspace/Rewrite.h"

#include <QObject>

#include <functional>
#include <memory>

namespace tmx {

/// The repository that is open in a window: reads branches in workers, watches the work tree, generates and commits.
/// Gives values to the window's thread by signals; a result that is no longer asked for is dropped (generation number).
/// Writes run one after another.
class Workspace : public QObject
{
    Q_OBJECT
public:
    explicit Workspace(std::shared_ptr<const Catalog> catalog, QObject *parent = nullptr);
    ~Workspace() override; ///< drops what is being read, waits for what is being written

    /// opened() and snapshotChanged() follow, or failed(); what was open before stays open then.
    void open(const QString &path, const QString &branch = {}); ///< branch empty: what is checked out
    void showBranch(const QString &branch);
    void refresh(); ///< reads the branch again; what is shown stays until the new one is there

    [[nodiscard]] const std::shared_ptr<const Catalog> &catalog() const;
    [[nodiscard]] const RepositoryInfo &info() const; ///< default-constructed before opened()
    [[nodiscard]] const std::shared_ptr<const BranchSnapshot> &snapshot() const; ///< null before opened()
    /// What earlier builds left, of the branch that is shown; snapshotChanged() tells of these too.
    [[nodiscard]] const QHash<QString, BuildState> &builds() const;
    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] bool isBusy() const;

    void generate(const QStringList &names);                            ///< generated() or failed() follows
    void commit(const QStringList &names, const QString &message = {}); ///< committed() or failed() follows
    /// The chosen steps as one commit; `snapshot` is the one that the plan was made from. planApplied() or failed()
    /// follows.
    void applyPlan(const Plan &plan, const std::shared_ptr<const BranchSnapshot> &snapshot);
    void saveLine(const LineOffer &offer); ///< lineSaved() or failed() follows
    /// A commit on the branch's tip that takes one of ours back. undone() or failed() follows.
    void undoCommit(const QString &branch, const QString &commit);
    void rewrite(const RewriteOffer &offer); ///< rewritten() or failed() follows
    void stage(const QStringList &names);    ///< staged() or failed() follows

Q_SIGNALS:
    void opened();
    void snapshotChanged();                ///< another branch, or the same with other content
    void infoChanged();                    ///< branches, HEAD
    void busyChanged(const QString &what); ///< a phrase for the status line; empty = idle
    void generated(const tmx::WriteReport &report);
    void committed(const tmx::WriteReport &report);
    void staged(const QStringList &names);
    void planApplied(const tmx::WriteReport &report);
    void lineSaved(const tmx::WriteReport &report);
    void undone(const tmx::WriteReport &report);
    void rewritten(const tmx::RewriteOffer &offer, const tmx::WriteReport &report);
    void failed(const tmx::Error &error);

private:
    void startReading(const QString &path, const QString &branch);
    void takeReading(const Result<Reading> &reading, const QString &branch);
    template <typename T, typename Done>
    void write(const QString &what, std::function<Result<T>()> action, Done done);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
