// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"
#include "views/compare/ComparePanel.h"

#include <QHash>
#include <QObject>

#include <atomic>
#include <memory>

namespace tmx {

class Branches;
class Workspace;
struct Error;
struct ReadBranch;

/// The window that compares branches. Reads all branches while it is open, compares the checked ones in workers, and
/// exports.
class CompareController : public QObject
{
    Q_OBJECT
public:
    CompareController(Workspace *workspace, QWidget *window);
    ~CompareController() override;

    /// Opens or raises the window with these branches checked; without any, the shown branch.
    void open(const QStringList &labels = {});
    [[nodiscard]] ComparePanel *panel() const { return m_panel.get(); } ///< null until it was opened

    /// Branches are read and the checked ones compared: a screenshot taken now shows everything.
    [[nodiscard]] bool isSettled() const;

Q_SIGNALS:
    void settled(); ///< a comparison that starts later settles again

    void showRequested(const QString &name); ///< a variant, in the main window
    void copyRequested(const QStringList &names);
    void likeRequested(const QStringList &names);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makePanel();
    void showMenu(const QString &name, const QPoint &at);
    void takeBranches();
    void addSide(const QString &words);
    void compare();
    void learnVersions();
    void exportAs(ComparePanel::Format format, bool toClipboard);
    void tellError(const Error &error);
    void checkSettled();
    [[nodiscard]] const ReadBranch *find(const QString &label) const;

    Workspace *m_workspace;
    QWidget *m_window;
    Branches *m_branches;
    std::unique_ptr<ComparePanel> m_panel;
    QStringList m_wanted; ///< to check once they are read
    QStringList m_order;  ///< the order in which they were requested
    QString m_repository;
    quint64 m_generation = 0; ///< identifies the last requested comparison
    bool m_comparing = false;
    bool m_learned = false; ///< the branches of all repositories were read for the versions that they show
    std::shared_ptr<std::atomic_bool> m_stopLearning; ///< null: they are not being read
};

} // namespace tmx
