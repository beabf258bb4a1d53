// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHeaderView>

namespace tmx {

/// Header of the grid, in two lines: "sm90 Hopper" above "H100, H200, GH200", "AVX-512" above "x86". The sections of
/// the current cell are marked, so that its row and column are easy to find. Columns of several slices have the titles
/// of their slices above them, which stay in view while the columns are scrolled.
class MatrixHeader : public QHeaderView
{
    Q_OBJECT
public:
    explicit MatrixHeader(Qt::Orientation orientation, QWidget *parent = nullptr);

    static constexpr int widestRow = 210; ///< longer lists of products are cut; the tooltip has all

    void setCurrentSection(int section);
    /// The smallest column width that shows every short name ("avx512") whole.
    [[nodiscard]] int narrowestSection() const;
    /// Shows shorter row names: "sm90" above "Hopper".
    void setCompact(bool compact);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;

private:
    void paintGroups(QPainter &painter) const;
    [[nodiscard]] int groupHeight() const; ///< of the line above columns that belong to slices
    struct Texts;
    [[nodiscard]] Texts textsOf(int section) const;
    [[nodiscard]] bool titlesFit(double width) const; ///< of all sections
    int m_current = -1;
    bool m_compact = false;
    mutable double m_widest = 0; ///< the widest so far: a filter that hides the widest row must not move the columns
};

} // namespace tmx
