// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

#include <atomic>
#include <memory>

namespace tmx {

class HistoryPanel;
class Workspace;

/// The window with the history of one recipe. A worker reads it; the result is discarded if another recipe was
/// requested.
class HistoryController : public QObject
{
    Q_OBJECT
public:
    HistoryController(Workspace *workspace, QWidget *window);
    ~HistoryController() override;

    void open(const QString &name);                                     ///< `name`: a variant of the shown branch
    [[nodiscard]] HistoryPanel *panel() const { return m_panel.get(); } ///< null until it was opened

private:
    Workspace *m_workspace;
    QWidget *m_window;
    std::unique_ptr<HistoryPanel> m_panel;
    std::shared_ptr<std::atomic_bool> m_stop; ///< cancels the current read
    quint64 m_generation = 0;
};

} // namespace tmx
