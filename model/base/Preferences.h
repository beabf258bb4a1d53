// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QString>

namespace tmx {

/// The user's preferences for the program in any repository: `torch-matrix.conf` in `$XDG_CONFIG_HOME/torch-matrix`. A
/// default-constructed value has the defaults. The queue's settings are stored with the queue (QueueContents), which
/// other programs read too.
struct Preferences {
    QString appearance = QStringLiteral("desktop"); ///< a word for appearanceFrom()
    QString codeFont;                               ///< family; empty: the desktop's fixed-width font
    int codeSize = 0;                               ///< in points; 0: that font's size
    QString editor;                                 ///< command; the file's path is appended. Empty: the desktop's
                                                    ///< default
    QString engine;                                 ///< a word for engineNamed(); empty: flox if it is installed
    QString place;                                  ///< a word for placeNamed(); empty: this machine
    int cores = 0;                                  ///< for each build; 0: the machine's default
    bool notifications = true;                      ///< notify the desktop when builds end
    QString catalogFolder = {};                     ///< empty: `catalog` next to the file of the preferences
    QString templateFolder = {};                    ///< empty: `templates` next to it
    bool operator==(const Preferences &) const = default;

    /// Reads the file; missing values have their defaults.
    static Preferences load();
    /// Writes the file without values that equal their defaults. Errors: the file cannot be written.
    [[nodiscard]] Result<void> save() const;

    /// The folders of the user's catalog and templates.
    [[nodiscard]] QString usedCatalogFolder() const;
    [[nodiscard]] QString usedTemplateFolder() const;
};

} // namespace tmx
