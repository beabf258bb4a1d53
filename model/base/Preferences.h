// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QString>

namespace tmx {

/// What the user chose for the program, whatever repository is open: `torch-matrix.conf` in
/// `$XDG_CONFIG_HOME/torch-matrix`. A default-constructed value holds the defaults. What the queue does is kept with
/// the queue (QueueContents), which other programs read too.
struct Preferences {
    QString appearance = QStringLiteral("desktop"); ///< a word of appearanceFrom()
    QString codeFont;                               ///< family; empty: the desktop's font of fixed width
    int codeSize = 0;                               ///< points; 0: that font's
    QString editor;                                 ///< command; the file's path is added. Empty: the desktop decides
    QString engine;                                 ///< a word of engineNamed(); empty: flox where it is installed
    QString place;                                  ///< a word of placeNamed(); empty: this machine
    int cores = 0;                                  ///< for each build; 0: as the machine is set up
    bool notifications = true;                      ///< the desktop is told when builds end
    QString catalogFolder = {};                     ///< empty: `catalog` beside the file of the preferences
    QString templateFolder = {};                    ///< empty: `templates` beside it
    bool operator==(const Preferences &) const = default;

    /// Reads the file; a value that is missing has its default.
    static Preferences load();
    /// Writes the file; a value that has its default is left out. Errors: the file cannot be written.
    [[nodiscard]] Result<void> save() const;

    /// Where the user's catalog and templates are read.
    [[nodiscard]] QString usedCatalogFolder() const;
    [[nodiscard]] QString usedTemplateFolder() const;
};

} // namespace tmx
