// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/recipe/RecipePaneContent.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace tmx {

class Banner;
class CodeView;
class CopyButton;
class ElidedLabel;
class SearchBar;

/// The recipe and the files that it imports: the path of one, Copy, a banner if the recipe does not exist yet, the text
/// and its search.
class RecipePage : public QWidget
{
    Q_OBJECT
public:
    explicit RecipePage(QWidget *parent = nullptr);
    void setContent(const RecipePaneContent &content);
    void reveal(const Finding &finding);      ///< its line, in its file
    void showFinding(const Finding &finding); ///< the same, and gives it the focus
    [[nodiscard]] SearchBar *searchBar() const { return m_search; }

Q_SIGNALS:
    void usersRequested(const QString &path); ///< the recipes that import a file

private:
    void showFile();
    [[nodiscard]] const ImportedFile *chosenFile() const; ///< nullptr: the recipe itself

    RecipePaneContent m_content;
    QComboBox *m_files = nullptr; ///< shown if the recipe imports any
    QToolButton *m_users = nullptr;
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
