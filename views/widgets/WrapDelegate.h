// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

class QTreeView;

namespace tmx {

/// The texts of one column of a tree take as many lines as they need, if the tree wraps words.
class WrapDelegate : public QStyledItemDelegate
{
public:
    /// `space`: between the rows.
    WrapDelegate(QTreeView *tree, int column, int space);

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    QTreeView *m_tree;
    int m_column;
    int m_space;
};

} // namespace tmx
