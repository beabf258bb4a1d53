// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <QStringView>

namespace tmx {

/// Whether all of `text` matches the regular expression `form`, without options. Forms are compiled once for the whole
/// program, so this is for the few that its code names, not for patterns that a user writes. Thread-safe.
bool hasForm(const QString &text, QStringView form);

/// "12.8, 12.9 and 13.0", for commit messages and files: never translated.
QString enumerated(const QStringList &words);

} // namespace tmx
