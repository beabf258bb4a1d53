// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Line.h"

#include <QByteArray>

namespace tmx {

class Catalog;

/// The file at the root of a branch that describes its line; its keys are documented in the manual page.
inline constexpr auto lineFileName = QLatin1StringView("torch-matrix.toml");

/// The line that a file describes, for the branch that holds it; source is File. With `base = "BRANCH"` the file says
/// what differs from the built-in line of that name. Coverage may hold cells that cannot exist. Throws nothing,
/// whatever the text is. Errors name the file's line and the key.
Result<Line> readLineFile(const QByteArray &toml, const Catalog &catalog, const QString &branch);

enum class WrittenKeys {
    Needed, ///< without those that say what the reader assumes
    All,
};

/// The file that reads back as the same line, but for branch, source and smRows. The same line gives the same bytes.
QByteArray writeLineFile(const Line &line, WrittenKeys keys = WrittenKeys::Needed);

} // namespace tmx
