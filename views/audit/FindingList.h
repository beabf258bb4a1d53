// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QListView>

namespace tmx {

/// Findings under one another. Moving to one asks for its line to be shown; Enter or a double click asks for it in the
/// recipe itself, F for its fix.
class FindingList : public QListView
{
    Q_OBJECT
public:
    explicit FindingList(QWidget *parent = nullptr);

Q_SIGNALS:
    void currentMoved(const QModelIndex &index);
    void opened(const QModelIndex &index);
    void fixPressed();

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
};

} // namespace tmx
