// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/CellDetail.h"

#include <QObject>

namespace tmx {

class MatrixModel;
class RecipePane;
class Workspace;

/// Keeps the recipe pane on the current cell: details are put together in a worker, and one that is no longer asked for
/// is dropped.
class RecipeController : public QObject
{
    Q_OBJECT
public:
    RecipeController(Workspace *workspace, MatrixModel *matrix, RecipePane *pane, QObject *parent = nullptr);

    void showCell(const QString &name); ///< empty: nothing is selected
    void refresh();
    /// What can be done with each of the cells that are selected: with more than one the pane's steps are about all.
    void setSelection(const QList<CellActions> &cells);
    [[nodiscard]] QString current() const { return m_name; }
    /// Name of the cell whose recipe is in the pane now.
    [[nodiscard]] QString shown() const { return m_shown; }
    [[nodiscard]] const QByteArray &shownText() const { return m_text; }

Q_SIGNALS:
    void shownChanged();

private:
    void take(const CellDetail &detail);
    void showActions();

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    RecipePane *m_pane;
    QString m_name;
    QString m_shown;
    QByteArray m_text;     ///< that is in the pane
    CellActions m_actions; ///< of the cell that is shown
    QList<CellActions> m_selection;
    quint64 m_generation = 0;
};

} // namespace tmx
