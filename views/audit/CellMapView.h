// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/Lens.h"
#include "model/matrix/RuleProblems.h"

#include <QWidget>

namespace tmx {

/// A small map of the grid: the asked cells are filled with their sign. The arrow keys go from filled cell to filled
/// cell; Enter, Space or a click chooses the first variant there. The accessible description names the cells.
class CellMapView : public QWidget
{
    Q_OBJECT
public:
    explicit CellMapView(QWidget *parent = nullptr);

    void setMap(const CellMap &map, const Sign &sign);
    [[nodiscard]] QRect placeOf(qsizetype row, qsizetype column) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void chosen(const QString &name);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    [[nodiscard]] QStringList namesAt(const QPoint &position) const;
    [[nodiscard]] QSize cell() const;
    [[nodiscard]] int headWidth() const;  ///< of the rows
    [[nodiscard]] int headHeight() const; ///< of the columns, which are written upwards
    void choose(qsizetype place);

    CellMap m_map;
    Sign m_sign = Severity::Warning;
    qsizetype m_current = -1; ///< index in the map's names
};

} // namespace tmx
