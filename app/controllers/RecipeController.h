// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/CellDetail.h"

#include <QObject>

#include <array>

class QAction;

namespace tmx {

class MatrixModel;
class RecipePane;
class Workspace;

/// Keeps the recipe pane on the current cell. A worker collects the details; outdated results are discarded.
class RecipeController : public QObject
{
    Q_OBJECT
public:
    RecipeController(Workspace *workspace, MatrixModel *matrix, RecipePane *pane, QObject *parent = nullptr);

    void showCell(const QString &name); ///< empty: nothing is selected
    void refresh();
    /// The commands for what the branch lacks: generate, build what failed, build what was never built.
    void setNext(QAction *generate, QAction *retry, QAction *build) { m_next = {generate, retry, build}; }
    /// The possible actions of each selected cell. With more than one cell the pane's steps apply to all.
    void setSelection(const QList<CellActions> &cells);
    [[nodiscard]] QString current() const { return m_name; }
    /// Name of the cell whose recipe the pane shows.
    [[nodiscard]] QString shown() const { return m_shown; }
    [[nodiscard]] const QByteArray &shownText() const { return m_text; }

Q_SIGNALS:
    void shownChanged();

private:
    void take(const CellDetail &detail);
    void showState();
    void showActions();
    void showBranch();

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    RecipePane *m_pane;
    QString m_name;
    QString m_shown;
    VariantEntry m_entry;  ///< of the shown cell
    QByteArray m_text;     ///< recipe text in the pane
    CellActions m_actions; ///< actions of the shown cell
    QList<CellActions> m_selection;
    std::array<QAction *, 3> m_next{};
    quint64 m_generation = 0;
};

} // namespace tmx
