// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QLocale>

namespace tmx {

/// The folder in TORCH_MATRIX_TRANSLATIONS, whose torch-matrix_LANGUAGE.qm come before the built-in ones; for trying a
/// language. Empty if there is none.
QString givenTranslations();

/// Translates the texts of the program from now on, and those of Qt, into the first of the locale's languages that
/// givenTranslations() or resources/translations has. Where they have none, or lack a text, it is English with its
/// plural forms. A QCoreApplication must be there.
void installTranslations(const QLocale &locale = QLocale());

} // namespace tmx
