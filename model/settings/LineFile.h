// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/WrittenSettings.h"

#include <QByteArray>

namespace tmx {

class Catalog;

/// The file at the root of a branch that holds its settings; its keys are documented in the manual page.
inline constexpr auto lineFileName = QLatin1StringView("torch-matrix.toml");

/// The settings that a file describes, for the branch that holds it; source is File. With `base = "BRANCH"` the file
/// says what differs from the built-in settings of that name. Coverage may hold cells that cannot exist. Throws
/// nothing, whatever the text is. Errors name the file's line and the key.
Result<Settings> readLineFile(const QByteArray &toml, const Catalog &catalog, const QString &branch);
/// The same as the file has them.
Result<WrittenSettings> readWritten(const QByteArray &toml, const Catalog &catalog);

enum class WrittenKeys {
    Needed, ///< without those that say what the reader assumes
    All,
};

/// The file that reads back as the same settings, but for branch, source and smRows. The same settings give the same
/// bytes.
QByteArray writeLineFile(const WrittenSettings &settings, WrittenKeys keys = WrittenKeys::Needed);
QByteArray writeLineFile(const Settings &settings, const Catalog &catalog);

/// Whether two settings build the same; branch, source and what was found beside them do not count.
bool sameProfiles(const Settings &a, const Settings &b);

} // namespace tmx
