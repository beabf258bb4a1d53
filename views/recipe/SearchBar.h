// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace tmx {

/// A text that a SearchBar can search. The implementing widget has the signal searchChanged(), emitted when the count
/// of matches or the current one changes.
class SearchTarget
{
public:
    virtual ~SearchTarget() = default;
    /// Searches from the caret on; an empty needle ends the search. `expression`: the needle is a regular expression,
    /// if the target supports them.
    virtual void setSearch(const QString &needle, Qt::CaseSensitivity sensitivity, bool expression) = 0;
    [[nodiscard]] virtual bool takesExpressions() const { return false; }
    [[nodiscard]] virtual QString searchError() const { return {}; } ///< why the needle is no valid expression
    virtual void findNext() = 0;
    virtual void findPrevious() = 0;
    [[nodiscard]] virtual int matchCount() const = 0;
    [[nodiscard]] virtual int currentMatch() const = 0; ///< 1-based; 0 = none
    virtual void selectCurrentMatch() = 0;
    [[nodiscard]] virtual QString selectedOnOneLine() const = 0; ///< the selected text; empty if the selection spans
                                                                 ///< several lines
};

/// Searches a text as the user types. Enter and F3: next; Shift with them: previous; Esc: closes and leaves the match
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

    void open(); ///< takes the area's selection as the needle if it is on one line
    void close();
    void findNext(); ///< opens the bar if it is closed
    void findPrevious();
    /// Call it from event() of the surrounding widget. Claims the search keys before they become shortcuts: several
    /// panes of the window have a Ctrl+F of their own, and ambiguous shortcuts do nothing.
    static bool claimsKey(QEvent *event);
    /// Call it from keyPressEvent() of the surrounding widget. Returns true if it handled the key.
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
