// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>

namespace tmx {

/// Light, dark, the desktop's choice, or white on black with every control outlined.
enum class Appearance { Desktop, Light, Dark, HighContrast };

std::optional<Appearance> appearanceFrom(const QString &word); ///< "desktop", "light", "dark", "contrast"
QString toString(Appearance appearance);

/// Sets style and palette of the application. Every view follows its palette, so this works at any time.
void apply(Appearance appearance);

} // namespace tmx
