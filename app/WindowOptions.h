// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/Appearance.h"
#include "model/base/Result.h"

#include <QSize>
#include <QStringList>

class QAction;

namespace tmx {

class MainWindow;

/// What the window is started with. Beside the folder these serve `packaging/screenshots.sh`, and whoever wants a
/// picture of a cell.
struct WindowOptions {
    QString answer; ///< to --help or --version: printed instead of opening the window
    QString folder;
    QString branch;
    QString select;      ///< variant whose cell is selected
    QString toolkit;     ///< that the grid shows, or "all"
    QString panel;       ///< one of Panels::names(), in front
    QString dialog;      ///< action of the menu that is triggered; what it opens is in the picture
    QStringList compare; ///< branches: the window that compares them is opened, and is the one in the picture
    QString screenshot;  ///< PNG to write once everything is shown; the program ends then
    QSize size;
    std::optional<Appearance> appearance;

    /// Errors name the option. A folder that is not there is one too: it is more likely a misspelt verb.
    static Result<WindowOptions> parse(const QStringList &arguments);
    /// An error: the menus have no such action as `dialog`. Where a picture is wanted and cannot be made, the program
    /// says why and exits with 3.
    Result<void> applyTo(MainWindow &window) const;

private:
    [[nodiscard]] QAction *actionOf(const MainWindow &window) const;
    void openDialog(MainWindow &window) const;
    void openComparison(MainWindow &window) const;
};

} // namespace tmx
