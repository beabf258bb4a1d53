// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace tmx {

/// A build's state as glyph and word on its colour. `phaseRole`: a BuildState::Phase as int.
class QueueStateDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    QueueStateDelegate(int phaseRole, QObject *parent);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    const int m_phaseRole;
};

} // namespace tmx
