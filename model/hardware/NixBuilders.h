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

/// A machine that Nix hands builds to: a line of /etc/nix/machines (nix.conf(5), builders).
struct NixBuilder {
    QString store;                 ///< "ssh-ng://user@host", or any other store; never empty
    QStringList systems;           ///< "aarch64-linux"; empty: this machine's own
    QString sshKey;                ///< path; empty: ssh's own choice
    int maxJobs = 1;               ///< builds at a time
    double speedFactor = 1;        ///< the faster one is asked first
    QStringList supportedFeatures; ///< "big-parallel"
    QStringList mandatoryFeatures; ///< it builds only what needs all of these
    QString publicHostKey;         ///< base64; empty: ssh's own known hosts
    bool operator==(const NixBuilder &) const = default;

    [[nodiscard]] bool isFor(const QString &system, const QString &ownSystem) const;
    /// The features that keep it from a build that needs `required`: those it lacks, and those it insists on.
    [[nodiscard]] QStringList featuresAgainst(const QStringList &required) const;
};

/// Builders of a text in the form of /etc/nix/machines; semicolons part them as well, # begins a comment. Lines with
/// numbers that are none or too many fields are left out, as are all after the 1024th builder. An @FILE is replaced by
/// what `read` gives for it (absolute paths, four deep at most); without `read` it is left out.
QList<NixBuilder> parseNixBuilders(const QString &machines, const NixFileReader &read = {});

/// The builder as a line that parseNixBuilders() reads.
QString toLine(const NixBuilder &builder);

/// The builders, by index, that take a build for this system that requires these features. Pure.
QList<qsizetype> takers(const QList<NixBuilder> &builders, const QString &system, const QString &ownSystem,
                        const QStringList &required);
/// The stores of these builders with their builds at a time. Several lines of one store share its builds. Pure.
QMap<QString, int> atOnceByStore(const QList<NixBuilder> &builders, const QList<qsizetype> &chosen);

/// The address that Nix opens the builder's store at, with its key and its host's key.
QString storeUri(const NixBuilder &builder);

/// What Nix would use for a build.
struct NixBuilding {
    QList<NixBuilder> builders;
    std::optional<QStringList> features; ///< of this machine (`system-features`); nullopt: not known
    QStringList platforms;               ///< that this machine builds beside its own system
    bool here = true;                    ///< this machine builds as well (`max-jobs` is not 0)
    QString problem;                     ///< a sentence: why Nix cannot read its settings; else empty
    bool operator==(const NixBuilding &) const = default;
};

/// readNixConfig() of this machine, for a program that is started with these variables, and the files that its builders
/// name. Paths are looked up below `root`, which tests set. Reads files: for workers.
NixBuilding nixBuilding(const QProcessEnvironment &environment, const QString &root = QStringLiteral("/"));

} // namespace tmx
