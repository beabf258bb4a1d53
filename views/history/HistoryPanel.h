// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/History.h"

#include <QWidget>

class QLabel;
class QListWidget;

namespace tmx {

class DiffView;
class FactTable;

/// The commits that touched a recipe: the list of them, and of the one that is chosen the facts that it changed and the
/// difference.
class HistoryPanel : public QWidget
{
    Q_OBJECT
public:
    explicit HistoryPanel(QWidget *parent = nullptr);

    void setHistory(const CellHistory &history); ///< the newest is chosen
    void setMessage(const QString &sentence);    ///< in place of a history: it is being read, or cannot be

protected:
    void keyPressEvent(QKeyEvent *event) override; ///< Esc closes the window

private:
    void showStep();

    CellHistory m_history;
    quint64 m_asked = 0; ///< of the step that is shown; the difference of an older one is dropped
    QLabel *m_title;
    QLabel *m_message;
    QListWidget *m_list;
    QWidget *m_step;
    QLabel *m_about;
    FactTable *m_facts;
    DiffView *m_diff;
};

} // namespace tmx
