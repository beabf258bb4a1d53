// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace tmx {

/// A text that a SearchBar can search. A widget that has the signal searchChanged(): the count of matches or the
/// current one.
class SearchTarget
{
public:
    virtual ~SearchTarget() = default;
    /// From the place of the caret on; an empty needle ends the search.
    /// `expression`: the needle is a regular expression; only for a target that takes them.
    virtual void setSearch(const QString &needle, Qt::CaseSensitivity sensitivity, bool expression) = 0;
    [[nodiscard]] virtual bool takesExpressions() const { return false; }
    [[nodiscard]] virtual QString searchError() const { return {}; } ///< why the needle is no regular expression
    virtual void findNext() = 0;
    virtual void findPrevious() = 0;
    [[nodiscard]] virtual int matchCount() const = 0;
    [[nodiscard]] virtual int currentMatch() const = 0; ///< 1-based; 0 = none
    virtual void selectCurrentMatch() = 0;
    [[nodiscard]] virtual QString selectedOnOneLine() const = 0; ///< empty when the selection is on several
};

/// Searches a text while one types. Enter and F3: next; Shift with them: previous; Esc: closes, with the match
/// selected.
class SearchBar : public QWidget
{
    Q_OBJECT
public:
    template <class Area>
    explicit SearchBar(Area *area, QWidget *parent = nullptr)
        : SearchBar(area, area, parent)
    {
        connect(area, &Area::searchChanged, this, &SearchBar::showCount);
    }

    void open(); ///< takes the area's selection as what to look for, when it is on one line
    void close();
    void findNext(); ///< opens the bar when it is closed
    void findPrevious();
    /// For event() of the widget around: takes the keys of the search as keys, before they become shortcuts. Several
    /// panes of the window have a Ctrl+F of their own, and shortcuts that are ambiguous do nothing.
    static bool claimsKey(QEvent *event);
    /// For keyPressEvent() of the widget around: true when it was such a key.
    bool takesKey(const QKeyEvent *event);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    SearchBar(SearchTarget *target, QWidget *area, QWidget *parent);
    void search();
    void showCount();

    SearchTarget *m_target;
    QWidget *m_area;
    QLineEdit *m_needle = nullptr;
    QLabel *m_count = nullptr;
    QCheckBox *m_case = nullptr;
    QCheckBox *m_expression = nullptr;
    QToolButton *m_previous = nullptr;
    QToolButton *m_next = nullptr;
};

} // namespace tmx
