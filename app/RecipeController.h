// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

namespace tmx {

class MatrixModel;
class RecipePane;
class Workspace;
struct CellDetail;

/// Keeps the recipe pane on the current cell: details are put together in a worker, and one that is no longer asked for
/// is dropped.
class RecipeController : public QObject
{
    Q_OBJECT
public:
    RecipeController(Workspace *workspace, MatrixModel *matrix, RecipePane *pane, QObject *parent = nullptr);

    void showCell(const QString &name); ///< empty: nothing is selected
    void refresh();
    [[nodiscard]] QString current() const { return m_name; }
    /// Name of the cell whose recipe is in the pane now.
    [[nodiscard]] QString shown() const { return m_shown; }
    [[nodiscard]] const QByteArray &shownText() const { return m_text; }

Q_SIGNALS:
    void shownChanged();

private:
    void take(const CellDetail &detail);

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    RecipePane *m_pane;
    QString m_name;
    QString m_shown;
    QByteArray m_text; ///< that is in the pane
    quint64 m_generation = 0;
};

} // namespace tmx
