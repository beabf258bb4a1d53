// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QTableView>

namespace tmx {

class CoverageModel;

/// The coverage as tiles: a click or Space promises a cell or takes it back, a click on a header or Shift+Space does so
/// for the row. As tall as all its rows: the page around it scrolls.
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
    void wheelEvent(QWheelEvent *event) override;

private:
    void toggle(const QModelIndex &index);
    CoverageModel *m_model;
};

} // namespace tmx
