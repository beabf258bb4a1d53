// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"
#include "views/compare/ComparePanel.h"

#include <QHash>
#include <QObject>

#include <memory>

namespace tmx {

class Branches;
class Workspace;
struct Error;
struct ReadBranch;

/// The window that compares branches: reads them all while it is open, compares what is checked in workers, exports.
class CompareController : public QObject
{
    Q_OBJECT
public:
    CompareController(Workspace *workspace, QWidget *window);
    ~CompareController() override;

    /// Opens the window, or raises it, with these branches checked; without any the one that is shown.
    void open(const QStringList &labels = {});
    [[nodiscard]] ComparePanel *panel() const { return m_panel.get(); } ///< null until it was opened

Q_SIGNALS:
    void settled(); ///< branches read and those checked compared: a picture taken now shows everything

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makePanel();
    void takeBranches();
    void addSide(const QString &words);
    void compare();
    void exportAs(ComparePanel::Format format, bool toClipboard);
    void tellError(const Error &error);
    void checkSettled();
    [[nodiscard]] const ReadBranch *find(const QString &label) const;

    Workspace *m_workspace;
    QWidget *m_window;
    Branches *m_branches;
    std::unique_ptr<ComparePanel> m_panel;
    QStringList m_wanted; ///< to be checked once they are read
    QStringList m_order;  ///< in which they were asked for
    QString m_repository;
    quint64 m_generation = 0; ///< of the last comparison that was asked for
    bool m_comparing = false;
};

} // namespace tmx
