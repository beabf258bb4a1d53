// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QRegularExpression>
#include <QString>

namespace tmx {

/// Whether both state a version, and one begins with the other: "2.10" and "2.10.0"; "210" means 2.10.
bool sameVersion(const QString &a, const QString &b);

/// Finds the versions of a package in a text, each in the first capture: "2.9.1" in "vLLM 0.15.1 with PyTorch 2.9.1"
/// for "PyTorch". Spaces, dashes and case in the name do not matter. Thread-safe; finds nothing for a name without
/// letters.
QRegularExpression versionsOf(const QString &name);

/// The version of a package that a text names, the longest if all agree (sameVersion()); empty: none, or several.
QString versionNamedIn(const QString &text, const QString &name);

} // namespace tmx
