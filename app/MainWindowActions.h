// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/MainWindow.h"

class QAction;
class QMenu;

namespace tmx {

/// The window's menus and their shortcuts. In the grid the single keys G, C and B do the same.
struct MainWindow::Actions {
    explicit Actions(MainWindow *window);

    QAction *open = nullptr;
    QMenu *recent = nullptr; ///< filled when it is about to be shown
    QAction *refresh = nullptr;
    QAction *generate = nullptr;
    QAction *generateAll = nullptr;
    QAction *commit = nullptr;
    QAction *commitWithMessage = nullptr;
    QAction *build = nullptr;
    QAction *stop = nullptr;
    QAction *detect = nullptr;
    QAction *filter = nullptr;
    QAction *compare = nullptr;
    QAction *history = nullptr;
    QAction *derive = nullptr;
    QAction *migrate = nullptr;
    QAction *copy = nullptr;
    QAction *readme = nullptr;
    QMenu *view = nullptr;

private:
    void addAppearance(MainWindow *window);
};

} // namespace tmx
