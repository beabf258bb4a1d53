// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/NixConfig.h"

#include <QMap>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <optional>

namespace tmx {

/// A remote builder of Nix: a line of /etc/nix/machines (nix.conf(5), builders).
struct NixBuilder {
    QString store;                 ///< "ssh-ng://user@host", or any other store; never empty
    QStringList systems;           ///< "aarch64-linux"; empty: this machine's own
    QString sshKey;                ///< path; empty: ssh's default
    int maxJobs = 1;               ///< builds at a time
    double speedFactor = 1;        ///< faster builders are asked first
    QStringList supportedFeatures; ///< "big-parallel"
    QStringList mandatoryFeatures; ///< it only builds what requires all of these
    QString publicHostKey;         ///< base64; empty: ssh's own known hosts
    bool operator==(const NixBuilder &) const = default;

    [[nodiscard]] bool isFor(const QString &system, const QString &ownSystem) const;
    /// The features that prevent a build that requires `required`: missing ones, and mandatory ones that the build does
    /// not require.
    [[nodiscard]] QStringList featuresAgainst(const QStringList &required) const;
};

/// Parses builders in the format of /etc/nix/machines; semicolons separate them too, # begins a comment. Leaves out
/// lines with invalid numbers or too many fields, and everything after the 1024th builder. An @FILE is replaced by the
/// result of `read` for it (absolute paths, at most four levels deep); without `read` it is left out.
QList<NixBuilder> parseNixBuilders(const QString &machines, const NixFileReader &read = {});

/// The builder as a line for parseNixBuilders().
QString toLine(const NixBuilder &builder);

/// Indices of the builders that take a build for this system with these required features. Pure.
QList<qsizetype> takers(const QList<NixBuilder> &builders, const QString &system, const QString &ownSystem,
                        const QStringList &required);
/// The stores of these builders with their builds at a time. Several lines for one store share its builds. Pure.
QMap<QString, int> atOnceByStore(const QList<NixBuilder> &builders, const QList<qsizetype> &chosen);

/// The address of the builder's store for Nix, with its key and its host's key.
QString storeUri(const NixBuilder &builder);

/// What Nix would build with.
struct NixBuilding {
    QList<NixBuilder> builders;
    std::optional<QStringList> features; ///< of this machine (`system-features`); nullopt: unknown
    QStringList platforms;               ///< platforms that this machine builds in addition to its own system
    bool here = true;                    ///< this machine builds too (`max-jobs` is not 0)
    QString problem;                     ///< a sentence if Nix cannot read its settings; else empty
    bool operator==(const NixBuilding &) const = default;
};

/// readNixConfig() for this machine and a program that is started with these variables, and the files that its builders
/// name. Paths are relative to `root`, which tests set. Reads files: for workers.
NixBuilding nixBuilding(const QProcessEnvironment &environment, const QString &root = QStringLiteral("/"));

} // namespace tmx
