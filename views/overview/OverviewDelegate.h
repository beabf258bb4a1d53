// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QCache>
#include <QStyledItemDelegate>

namespace tmx {

/// Draws the shares of OverviewModel::SharesRole as one bar below the item's text, and texts by their weight: what a
/// user looks for stands out, and what says that there is nothing recedes.
class OverviewDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// Whether the text is shown whole in the option's rectangle, in as many lines as that is high for.
    [[nodiscard]] bool isWhole(const QStyleOptionViewItem &option, const QModelIndex &index) const;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    [[nodiscard]] QStringList linesOf(const QString &text, const QFont &font, int width, int most) const;
    [[nodiscard]] bool isWhole(const QString &text, const QFont &font, QSize room) const;
    void drawText(QPainter *painter, const QStyleOptionViewItem &item, const QString &text) const;
    /// `font`: the view's, or bold.
    [[nodiscard]] int widthOf(const QString &text, const QFont &font) const;
    /// Most cells say what others do, and to measure a text takes as long as to draw it.
    mutable QCache<std::pair<QString, bool>, int> m_widths{4096}; ///< by text and whether it is bold
    mutable QFont m_font;                                         ///< the view's, of m_widths
};

} // namespace tmx
