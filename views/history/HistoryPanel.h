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

/// The commits that touched a recipe: a list, and for the chosen commit the changed facts and the difference.
class HistoryPanel : public QWidget
{
    Q_OBJECT
public:
    explicit HistoryPanel(QWidget *parent = nullptr);

    void setHistory(const CellHistory &history); ///< selects the newest
    void setMessage(const QString &sentence);    ///< shown instead of a history that is being read or cannot be read

protected:
    void keyPressEvent(QKeyEvent *event) override; ///< Esc closes the window

private:
    void showStep();

    CellHistory m_history;
    quint64 m_asked = 0; ///< identifies the shown step; the difference of an older one is discarded
    QLabel *m_title;
    QLabel *m_message;
    QListWidget *m_list;
    QWidget *m_step;
    QLabel *m_about;
    FactTable *m_facts;
    DiffView *m_diff;
};

} // namespace tmx
