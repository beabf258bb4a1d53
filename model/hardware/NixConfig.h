// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace tmx {

/// The text of a file. nullopt: there is none. One that is there and cannot be read has an empty text, as for Nix.
using NixFileReader = std::function<std::optional<QString>(const QString &path)>;

/// The settings that say who builds, as Nix 2.26 puts them together.
struct NixConfig {
    QString builders;                      ///< as in nix.conf: lines of machines, or @FILE
    QString maxJobs = QStringLiteral("1"); ///< builds at a time on this machine: a number, or "auto"
    QStringList systemFeatures;            ///< of this machine, sorted
    QStringList extraPlatforms;            ///< that it builds beside its own system, sorted
    std::optional<QString> system = {};    ///< its own, where it is set
    QString problem = {};                  ///< a sentence: why Nix refuses to read them; empty: it reads them
    bool operator==(const NixConfig &) const = default;
};

/// Applies, in the order in which one replaces the other: NIX_REMOTE_SYSTEMS, nix.conf of NIX_CONF_DIR (/etc/nix),
/// those of the user (NIX_USER_CONF_FILES, else of NIX_CONFIG_HOME or XDG_CONFIG_HOME and of XDG_CONFIG_DIRS),
/// NIX_CONFIG; with what they include, and "extra-" adding to the two lists. `usual` has what holds where nothing is
/// set, but builders. What Nix refuses ends the reading, and is the problem. Includes that are 32 deep are taken to
/// have no end. Pure but for `read`.
NixConfig readNixConfig(const QProcessEnvironment &environment, const NixFileReader &read, NixConfig usual);

} // namespace tmx
