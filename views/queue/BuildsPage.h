// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QAbstractItemView;
class QHeaderView;
class QStackedWidget;

namespace tmx {

class Label;

/// Builds as a list, tools above it, a summary below it; or, instead of a list without rows, what to do to have
/// one. Takes the keys of the list first.
class BuildsPage : public QWidget
{
    Q_OBJECT
public:
    [[nodiscard]] QSize sizeHint() const override;        ///< some builds are seen
    [[nodiscard]] QSize minimumSizeHint() const override; ///< a line: the console beside it may be as low

protected:
    BuildsPage(const QString &name, QWidget *parent);

    /// Once. `body`: the list, or what holds it beside other forms. `ifEmpty`: what stands there instead of a list
    /// without rows.
    void arrange(std::initializer_list<QWidget *> tools, QWidget *body, QAbstractItemView *list,
                 const QString &ifEmpty);
    void showBuilds(bool any, const QString &summary); ///< no summary: no line
    /// Columns as wide as the rows that are seen and some after them need: a queue may have thousands.
    static void fitColumns(QHeaderView *header);

private:
    QStackedWidget *m_body;
    Label *m_summary;
    int m_toolWidth = 0; ///< of the widest one
};

} // namespace tmx
