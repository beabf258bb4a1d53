// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/window/Appearance.h"
#include "model/base/Result.h"

#include <QSize>
#include <QStringList>

class QAction;

namespace tmx {

class MainWindow;

/// Command line options of the window. Those besides the folder are for `packaging/screenshots.sh` and for screenshots
/// of a cell.
struct WindowOptions {
    QString answer; ///< answer to --help or --version, printed instead of opening the window
    QString folder;
    QString branch;
    QString select;      ///< variant whose cell to select
    QString toolkit;     ///< toolkit to show in the grid, or "all"
    QString panel;       ///< one of Panels::names(), to raise
    QString dialog;      ///< menu action to trigger; the screenshot shows the dialog it opens
    QStringList compare; ///< branches to compare: opens the window that compares them, for the screenshot too
    QString screenshot;  ///< PNG to write once everything is shown; then the program ends
    QSize size;
    std::optional<Appearance> appearance;

    /// Errors name the option. A folder that does not exist is an error too: it is more likely a misspelt verb.
    static Result<WindowOptions> parse(const QStringList &arguments);
    /// Returns an error if the menus have no such action as `dialog`. If a screenshot is requested but not possible,
    /// the program prints why and exits with 3.
    Result<void> applyTo(MainWindow &window) const;

private:
    [[nodiscard]] QAction *actionOf(const MainWindow &window) const;
    void openDialog(MainWindow &window) const;
    [[nodiscard]] QString whyNotNow(const MainWindow &window) const;
    void openComparison(MainWindow &window) const;
};

} // namespace tmx
