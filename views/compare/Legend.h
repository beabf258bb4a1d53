// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"

#include <QWidget>

namespace tmx {

/// What the signs of the comparison mean, with how many cells of each; for more than two branches which square stands
/// for which.
class Legend : public QWidget
{
    Q_OBJECT
public:
    explicit Legend(QWidget *parent = nullptr);
    void setComparison(const Comparison &comparison);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    /// Walks over all entries in lines of `width`; paints them where there is a painter. Gives the height.
    int layOut(int width, QPainter *painter) const;

    struct Entry {
        Likeness likeness;
        QString text;
    };
    QList<Entry> m_entries;
    QStringList m_sides;
};

} // namespace tmx
