// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollBar>

namespace tmx {

/// A vertical scroll bar with marks at places of the document.
class MarkedScrollBar : public QScrollBar
{
    Q_OBJECT
public:
    using QScrollBar::QScrollBar;
    void setMarks(const QList<double> &places); ///< from 0 to 1
    [[nodiscard]] const QList<double> &marks() const { return m_marks; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QList<double> m_marks;
};

} // namespace tmx
