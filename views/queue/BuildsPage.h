// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QWidget>

class QAbstractItemView;
class QHeaderView;
class QStackedWidget;

namespace tmx {

class Label;
class ShortNames;

/// A page with a list of builds, tools above it and a summary below it. An empty list is replaced by a hint on how to
/// get a build. The page gets the list's keys first.
class BuildsPage : public QWidget
{
    Q_OBJECT
public:
    [[nodiscard]] QSize sizeHint() const override;        ///< high enough to show some builds
    [[nodiscard]] QSize minimumSizeHint() const override; ///< one line high: the console beside it may be as low

protected:
    BuildsPage(const QString &name, QWidget *parent);

    /// Call it once. `body`: the list, or a container of the list and other views. `ifEmpty`: shown instead of a list
    /// without rows.
    void arrange(std::initializer_list<QWidget *> tools, QWidget *body, QAbstractItemView *list,
                 const QString &ifEmpty);
    void showBuilds(bool any, const QString &summary); ///< an empty summary takes no line
    /// Fits the columns to the visible rows and some after them only: a queue may have thousands. The last of `texts`
    /// gets the rest of the width; where it is short, these columns are elided, but no more than to their heads, and
    /// the last no more than to `least`.
    void fitColumns(QHeaderView *header, const QList<int> &texts, int least = 0);
    /// Shows the columns of what the names do not have in common, from `first` on, and the rest above the list.
    void showNames(QHeaderView *header, int first, const ShortNames &names);
    bool eventFilter(QObject *watched, QEvent *event) override; ///< copies the whole names of selected rows

private:
    void shareWidth();
    QHeaderView *m_header = nullptr;
    QList<int> m_texts; ///< columns
    int m_least = 0;    ///< width of the last of them
    QStackedWidget *m_body;
    Label *m_summary;
    Label *m_common;
    int m_toolWidth = 0; ///< width of the widest one
    bool m_sharing = false;
};

} // namespace tmx
