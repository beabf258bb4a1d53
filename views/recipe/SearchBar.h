// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace tmx {

class CodeArea;

/// Searches a code area while one types. Enter and F3: next; Shift with them: previous; Esc: closes, with the match selected.
class SearchBar : public QWidget
{
    Q_OBJECT
public:
    explicit SearchBar(CodeArea *area, QWidget *parent = nullptr);

    void open(); ///< takes the area's selection as what to look for, when it is on one line
    void close();
    void findNext(); ///< opens the bar when it is closed
    void findPrevious();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void search();
    void showCount();

    CodeArea *m_area;
    QLineEdit *m_needle = nullptr;
    QLabel *m_count = nullptr;
    QCheckBox *m_case = nullptr;
    QToolButton *m_previous = nullptr;
    QToolButton *m_next = nullptr;
};

} // namespace tmx
