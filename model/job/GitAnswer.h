// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QHash>
#include <QSet>
#include <QStringList>

#include <optional>

namespace tmx {

/// Output of the git program in a working tree; nullopt if it is missing, fails, or takes more than 60 s. flox asks the
/// same program, so its answers are the relevant ones. For workers.
[[nodiscard]] std::optional<QByteArray> gitAnswer(const QString &folder, const QStringList &arguments);
/// Whether a path, relative to the folder, is in git's index.
[[nodiscard]] bool isTracked(const QString &folder, const QString &path);

/// The files and folders of commits below .flox. Lists each commit once: a process for each file of sixty builds takes
/// seconds. For one thread.
class CommittedPaths
{
public:
    /// `path` is relative to the root of the working tree. False if git fails.
    [[nodiscard]] bool has(const QString &folder, const QString &commit, const QString &path) const;

private:
    mutable QHash<QString, QSet<QByteArray>> m_paths; ///< by commit
};

/// Tracked files with uncommitted changes. If git fails, the list has one entry that says so.
[[nodiscard]] QStringList uncommittedFiles(const QString &folder);

} // namespace tmx
