// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QLocale>

namespace tmx {

/// Translates the texts of the program from now on, and those of Qt, into the first of the locale's languages that
/// resources/translations has, or the folder in TORCH_MATRIX_TRANSLATIONS (torch-matrix_LANGUAGE.qm, to try one); where
/// they have none, or lack a text, it is English with its plural forms. A QCoreApplication must be there.
void installTranslations(const QLocale &locale = QLocale());

} // namespace tmx
