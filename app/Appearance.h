// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>

namespace tmx {

/// Light, dark, or what the desktop asks for.
enum class Appearance { Desktop, Light, Dark };

std::optional<Appearance> appearanceFrom(const QString &word); ///< "desktop", "light", "dark"
QString toString(Appearance appearance);

/// Sets style and palette of the application; every view follows its palette, so this works at any time.
void apply(Appearance appearance);

} // namespace tmx
