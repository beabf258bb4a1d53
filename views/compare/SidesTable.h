// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"

#include <QWidget>

class QGridLayout;

namespace tmx {

/// In what the compared branches differ: a column for each, a line for each version and for what one lacks or has
/// alone; beside their names what all have in common.
class SidesTable : public QWidget
{
    Q_OBJECT
public:
    explicit SidesTable(QWidget *parent = nullptr);

    /// `held`: the number of recipes of each side.
    void setHead(const ComparisonHead &head, const QList<ComparedSide> &sides, const QList<int> &held);
    /// "CUDA: 12.8 | 12.9", a line each.
    [[nodiscard]] QString text() const;
    [[nodiscard]] QSize minimumSizeHint() const override { return {100, QWidget::minimumSizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void shareWidth();
    QGridLayout *m_grid;
    int m_sides = 0;
};

} // namespace tmx
