// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/RepositoryPaths.h"
#include "model/base/Result.h"
#include "model/catalog/WrittenSettings.h"

#include <QByteArray>

#include <optional>

namespace tmx {

class Catalog;

/// The settings that a file describes, for its branch; source is File. With `base = "BRANCH"` the file states the
/// differences from the built-in settings of that name. The coverage may contain cells that cannot exist. Does not
/// throw for any text. Errors name the file's line and the key.
Result<Settings> readSettingsFile(const QByteArray &toml, const Catalog &catalog, const QString &branch);
/// The same in the notation of the file.
Result<WrittenSettings> readWritten(const QByteArray &toml, const Catalog &catalog);

enum class WrittenKeys {
    Needed, ///< without keys that equal the reader's defaults
    All,
};

/// The rules of a file that states nothing but [[ignore]]: the settings of its branch are then what its recipes say.
/// nullopt for other files. Errors: those of an entry.
Result<std::optional<QList<IgnoredRule>>> onlyIgnored(const QByteArray &toml);
/// The file with all settings: the text of a file that states only [[ignore]] stays, behind them.
QByteArray completed(const QByteArray &toml, const Catalog &catalog, Settings settings);

/// A file that reads back as the same settings, except for branch, source and smRows. Equal settings give equal bytes.
QByteArray writeSettingsFile(const WrittenSettings &settings, WrittenKeys keys = WrittenKeys::Needed);
QByteArray writeSettingsFile(const Settings &settings, const Catalog &catalog);

/// A table [[ignore]], as writeSettingsFile() writes it; may be appended to a file.
QByteArray ignoreTable(const IgnoredRule &ignored);

/// Whether two settings build the same; ignores branch, source, and what was found when the branch was read.
bool sameProfiles(const Settings &a, const Settings &b);

} // namespace tmx
