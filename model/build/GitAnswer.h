// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace tmx {

/// What the git program prints in a working tree; nullopt: it is not there, failed, or took more than 60 s. flox asks
/// the same program, so its answers are the ones that count. For workers.
[[nodiscard]] std::optional<QByteArray> gitAnswer(const QString &folder, const QStringList &arguments);
/// Whether a path, relative to the folder, is in git's index.
[[nodiscard]] bool isTracked(const QString &folder, const QString &path);

/// Tracked files with changes that are not committed. What git cannot tell is one of them.
[[nodiscard]] QStringList uncommittedFiles(const QString &folder);

} // namespace tmx
