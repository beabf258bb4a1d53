// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QHBoxLayout;
class QPushButton;

namespace tmx {

class Label;

/// What an empty view shows: its state, what it is for, and buttons for what can be done.
class EmptyPage : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyPage(const QString &title, const QString &purpose, QWidget *parent = nullptr);

    void setTitle(const QString &title);
    QPushButton *addButton(const QString &text); ///< the first one has the focus of the page

private:
    Label *m_title;
    QHBoxLayout *m_buttons;
};

} // namespace tmx
