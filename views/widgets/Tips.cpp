// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/Tips.h"

#include <QAction>
#include <QHeaderView>
#include <QHelpEvent>
#include <QTableView>
#include <QTextDocument>
#include <QToolTip>
#include <QTreeView>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString escaped(const QString &text)
{
    return u"<p style=\"white-space:pre-wrap\">%1</p>"_s.arg(text.toHtmlEscaped());
}

/// Replaces the tooltips of the view and the delegate, which interpret their text as markup.
class CellTips : public QObject
{
public:
    explicit CellTips(QAbstractItemView *view)
        : QObject(view)
        , m_view(view)
    {
        view->viewport()->installEventFilter(this);
    }

    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() != QEvent::ToolTip)
            return false;
        const auto *help = static_cast<QHelpEvent *>(event);
        QString text;
        QRect rect;
        if (const auto *header = qobject_cast<QHeaderView *>(m_view)) {
            if (const int section = header->logicalIndexAt(help->pos()); section >= 0)
                text = m_view->model()->headerData(section, header->orientation(), Qt::ToolTipRole).toString();
        } else if (const QModelIndex index = m_view->indexAt(help->pos()); index.isValid()) {
            text = index.data(Qt::ToolTipRole).toString();
            rect = m_view->visualRect(index);
        }
        // Qt wraps only markup: a long plain sentence would be one line as wide as the screen.
        QToolTip::showText(help->globalPos(), text.isEmpty() ? QString() : escaped(text), m_view->viewport(), rect);
        return true;
    }

private:
    QAbstractItemView *m_view;
};

} // namespace

QString plainToolTip(const QString &text)
{
    return Qt::mightBeRichText(text) ? escaped(text) : text;
}

void setPlainToolTip(QWidget *widget, const QString &text)
{
    widget->setToolTip(plainToolTip(text));
}

void setPlainToolTip(QAction *action, const QString &text)
{
    action->setToolTip(plainToolTip(text));
}

void showPlainToolTips(QAbstractItemView *view)
{
    new CellTips(view);
    if (const auto *table = qobject_cast<QTableView *>(view)) {
        new CellTips(table->horizontalHeader());
        new CellTips(table->verticalHeader());
    } else if (const auto *tree = qobject_cast<QTreeView *>(view)) {
        new CellTips(tree->header());
    }
}

void describe(QWidget *widget, const QString &name, const QString &tip)
{
    widget->setAccessibleName(name);
    setPlainToolTip(widget, tip);
}

void explain(QWidget *button, const QString &reason)
{
    setPlainToolTip(button, reason);
    button->setAccessibleDescription(reason);
}

} // namespace tmx
