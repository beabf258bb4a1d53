// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/WrapDelegate.h"

#include <QHeaderView>
#include <QTreeView>

namespace tmx {

WrapDelegate::WrapDelegate(QTreeView *tree, int column, int space)
    : QStyledItemDelegate(tree)
    , m_tree(tree)
    , m_column(column)
    , m_space(space)
{
    connect(tree->header(), &QHeaderView::sectionResized, this, [this] {
        if (m_tree->wordWrap())
            Q_EMIT sizeHintChanged({});
    });
}

QSize WrapDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (m_tree->wordWrap() && index.column() == m_column) {
        QStyleOptionViewItem shown = option;
        initStyleOption(&shown, index);
        const int margin = m_tree->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, &option, m_tree) + 1;
        const int icon = shown.icon.isNull() ? 0 : shown.decorationSize.width() + 2 * margin;
        const QRect room(0, 0, m_tree->columnWidth(m_column) - icon - 2 * margin, 10'000);
        size.setHeight(QFontMetrics(shown.font).boundingRect(room, Qt::TextWordWrap, shown.text).height());
    }
    return {size.width(), size.height() + m_space};
}

/// With places to wrap in names such as CAFFE2_COMPILER_SUPPORTS_AVX512_EXTENSIONS, which would be cut otherwise.
void WrapDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == m_column)
        option->text.replace(QLatin1Char('_'), QStringLiteral("_\u200B"));
}

} // namespace tmx
