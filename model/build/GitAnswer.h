// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace tmx {

/// Output of the git program in a working tree; nullopt if it is missing, fails, or takes more than 60 s. flox asks the
/// same program, so its answers are the relevant ones. For workers.
[[nodiscard]] std::optional<QByteArray> gitAnswer(const QString &folder, const QStringList &arguments);
/// Whether a path, relative to the folder, is in git's index.
[[nodiscard]] bool isTracked(const QString &folder, const QString &path);

/// Tracked files with uncommitted changes. If git fails, the list has one entry that says so.
[[nodiscard]] QStringList uncommittedFiles(const QString &folder);

} // namespace tmx
