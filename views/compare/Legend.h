// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"

#include <QWidget>

namespace tmx {

/// Explains the signs of the comparison, where there are such cells, with their counts; of more than two branches which
/// of them differs from the others in how many cells.
class Legend : public QWidget
{
    Q_OBJECT
public:
    explicit Legend(QWidget *parent = nullptr);
    /// `most`: what the cells without words are; empty: each has its words.
    void setComparison(const Comparison &comparison, const QString &most);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void addDifferent(const Comparison &comparison);
    /// Lays out all entries in lines of `width` and paints them if there is a painter. Returns the height.
    int layOut(int width, QPainter *painter) const;

    struct Entry {
        Likeness likeness;
        QString text;
        int side = -1;     ///< whose square is drawn instead of a sign; -1: none
        bool there = true; ///< the square of a side with a recipe
    };
    QString m_unit; ///< "62 cells:"
    QList<Entry> m_entries;
    QStringList m_sides;
    QStringList m_note;
};

} // namespace tmx
