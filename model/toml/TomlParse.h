// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>

#include <toml++/toml.hpp>

namespace tmx {

/// The only function that parses TOML; does not throw. `file` is the document's name in errors. Errors: larger than
/// maxTomlBytes, nested deeper than maxTomlDepth, not TOML; with line and cause.
Result<toml::table> parseToml(const QByteArray &text, const QString &file);

/// A value as toml++'s formatter writes it.
QByteArray inToml(const toml::node &value);

QString fromToml(std::string_view text);

} // namespace tmx
