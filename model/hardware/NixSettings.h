// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

namespace tmx {

struct HostReport;

/// Nix's own answer about its settings. Default: it was not asked, or is not installed.
struct NixAnswer {
    QString settings; ///< output of `nix config show`; empty: none
    QString command;  ///< name of the command for people, "nix config show"; older versions have "nix show-config"
    QHash<QString, QString> machineFiles; ///< texts of the files that `builders` refers to with an @
    QString problem;                      ///< a sentence for HostReport::remarks
    bool operator==(const NixAnswer &) const = default;
};

/// `system` and `extra-platforms` in a nix.conf, or in the output of `nix config show`.
QStringList nixSystems(const QString &settings);

/// Builders in the format of /etc/nix/machines (nix.conf(5), builders): "ssh://host (systems)" each. Semicolons
/// separate them too.
QStringList nixBuilders(const QString &machines);

/// The files that `builders = @/etc/nix/machines` names in these settings.
QStringList nixMachineFiles(const QString &settings);

/// Sets systems and builders from Nix's answer; this replaces data from its files, and the sources say so. Pure.
void takeNixAnswer(HostReport &report, const NixAnswer &answer);

/// Command lines for asking Nix, the newest form first; the next one is used if one fails.
QList<QStringList> nixConfigArguments();

} // namespace tmx
