// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>

#include <toml++/toml.hpp>

namespace tmx {

/// The only place that parses TOML; throws nothing. `file` is what errors call the document.
/// Errors: larger than maxTomlBytes, deeper than maxTomlDepth, not TOML; with the line and the cause.
Result<toml::table> parseToml(const QByteArray &text, const QString &file);

/// A value as toml++'s formatter writes it.
QByteArray inToml(const toml::node &value);

QString fromToml(std::string_view text);

} // namespace tmx
