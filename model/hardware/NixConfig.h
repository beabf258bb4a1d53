// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace tmx {

/// Returns the text of a file. nullopt: it does not exist. An existing file that cannot be read has an empty text, as
/// for Nix.
using NixFileReader = std::function<std::optional<QString>(const QString &path)>;

/// The settings that determine who builds, combined like in Nix 2.26.
struct NixConfig {
    QString builders;                      ///< as in nix.conf: lines of machines, or @FILE
    QString maxJobs = QStringLiteral("1"); ///< builds at a time on this machine: a number, or "auto"
    QStringList systemFeatures;            ///< of this machine, sorted
    QStringList extraPlatforms;            ///< systems that it builds in addition to its own, sorted
    std::optional<QString> system = {};    ///< its own system, if it is set
    QString problem = {};                  ///< a sentence if Nix would reject the settings; else empty
    bool operator==(const NixConfig &) const = default;
};

/// Applies, with later ones overriding earlier ones: NIX_REMOTE_SYSTEMS; nix.conf in NIX_CONF_DIR (/etc/nix); the
/// user's files (NIX_USER_CONF_FILES, else those in NIX_CONFIG_HOME or XDG_CONFIG_HOME and in XDG_CONFIG_DIRS);
/// NIX_CONFIG. Follows includes, and "extra-" appends to the two lists. `usual` has the defaults, except builders.
/// Reading stops with a problem at settings that Nix would reject. Includes 32 levels deep are considered endless. Pure
/// except for `read`.
NixConfig readNixConfig(const QProcessEnvironment &environment, const NixFileReader &read, NixConfig usual);

} // namespace tmx
