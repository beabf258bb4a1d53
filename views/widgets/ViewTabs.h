// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QTabWidget>

namespace tmx {

/// Tabs of views. The first one is laid out at once, the others when they are first shown.
class ViewTabs : public QTabWidget
{
    Q_OBJECT
public:
    using QTabWidget::QTabWidget;

    void addView(QWidget *view, const QString &title);
    [[nodiscard]] QWidget *viewAt(int tab) const; ///< null: no such tab
    [[nodiscard]] QWidget *currentView() const { return viewAt(currentIndex()); }
    [[nodiscard]] int tabOf(const QWidget *view) const; ///< -1: not among them
    void setCurrentView(const QWidget *view) { setCurrentIndex(tabOf(view)); }
};

} // namespace tmx
