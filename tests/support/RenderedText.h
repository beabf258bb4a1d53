// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QInputDialog>
#include <QLabel>
#include <QToolTip>

namespace tmx::test {

/// Whether Qt would interpret the text as markup with the injected content.
inline bool renders(const QString &text)
{
    return Qt::mightBeRichText(text) && text.contains(QStringLiteral("<img"));
}

/// The view's tooltip at this position.
inline QString tipAt(QAbstractItemView *view, const QPoint &place)
{
    QToolTip::hideText();
    QHelpEvent event(QEvent::ToolTip, place, view->viewport()->mapToGlobal(place));
    QApplication::sendEvent(view->viewport(), &event);
    return QToolTip::text();
}

inline QStringList tipsOf(QAbstractItemView *view)
{
    QStringList tips;
    if (auto *header = qobject_cast<QHeaderView *>(view)) {
        for (int i = 0; i < header->count(); ++i) {
            const int middle = header->sectionViewportPosition(i) + header->sectionSize(i) / 2;
            tips.append(tipAt(view, header->orientation() == Qt::Horizontal ? QPoint(middle, 4) : QPoint(4, middle)));
        }
        return tips;
    }
    const QAbstractItemModel *model = view->model();
    for (int row = 0; model && row < model->rowCount(); ++row) {
        for (int column = 0; column < model->columnCount(); ++column)
            tips.append(tipAt(view, view->visualRect(model->index(row, column)).center()));
    }
    return tips;
}

/// Where the widget, or one in it, would render foreign markup; empty if nowhere.
inline QStringList renderedIn(QWidget *root)
{
    QStringList found;
    QWidgetList all = root->findChildren<QWidget *>();
    all.prepend(root);
    all.removeIf([](const QWidget *widget) { return widget->inherits("QTipLabel"); }); // the next tooltip deletes it
    for (QWidget *widget : all) {
        const QString who =
            QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') + widget->accessibleName();
        if (renders(widget->toolTip()))
            found.append(who + QStringLiteral(": tooltip"));
        for (const QAction *action : widget->actions()) {
            if (renders(action->toolTip()))
                found.append(who + QStringLiteral(": tooltip of an action"));
        }
        if (const auto *label = qobject_cast<QLabel *>(widget)) {
            // Qt's input dialog makes its label; what it says is our own.
            const bool input = qobject_cast<QInputDialog *>(label->parentWidget()) != nullptr;
            if (label->textFormat() == Qt::AutoText && !label->text().isEmpty() && !input)
                found.append(who + QStringLiteral(": takes what looks like markup for markup"));
            else if (label->textFormat() != Qt::PlainText && label->text().contains(QStringLiteral("<img")))
                found.append(who + QStringLiteral(": text"));
        }
        if (auto *view = qobject_cast<QAbstractItemView *>(widget); view && view->isVisible()) {
            for (const QString &tip : tipsOf(view)) {
                if (renders(tip))
                    found.append(who + QStringLiteral(": tooltip of a cell"));
            }
        }
    }
    return found;
}

} // namespace tmx::test
