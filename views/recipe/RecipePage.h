// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace tmx {

class Banner;
class CodeView;
class CopyButton;
class ElidedLabel;
class SearchBar;
struct Finding;
struct RecipePaneContent;

/// The recipe: its path, Copy, a banner if it does not exist yet, the text and its search.
class RecipePage : public QWidget
{
    Q_OBJECT
public:
    explicit RecipePage(QWidget *parent = nullptr);
    void setContent(const RecipePaneContent &content);
    void showFinding(const Finding &finding); ///< and gives it the focus
    [[nodiscard]] SearchBar *searchBar() const { return m_search; }

private:
    ElidedLabel *m_file = nullptr;
    QPushButton *m_find = nullptr;
    CopyButton *m_copy = nullptr;
    Banner *m_banner = nullptr;
    QStackedWidget *m_stack = nullptr;
    QLabel *m_nothing = nullptr;
    CodeView *m_code = nullptr;
    SearchBar *m_search = nullptr;
};

} // namespace tmx
