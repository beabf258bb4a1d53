// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QTableView>

namespace tmx {

class CoverageModel;

/// The coverage as tiles. A click or Space toggles a cell; a click on a header or Shift+Space toggles the row. As tall
/// as all its rows: the surrounding page scrolls.
class CoverageGrid : public QTableView
{
    Q_OBJECT
public:
    explicit CoverageGrid(CoverageModel *model, QWidget *parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void toggle(const QModelIndex &index);
    CoverageModel *m_model;
};

} // namespace tmx
