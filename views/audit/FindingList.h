// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QListView>

namespace tmx {

/// A list of findings. Moving to a finding requests its line; Enter or a double click opens it in the recipe; F
/// requests its fix.
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
