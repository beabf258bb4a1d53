// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

namespace tmx {

struct HostReport;

/// What Nix itself says of its settings. The default: it was not asked, or is not there.
struct NixAnswer {
    QString settings; ///< what `nix config show` printed; empty: nothing
    QString command;  ///< "nix config show", as it is called for people; older versions say "nix show-config"
    QHash<QString, QString> machineFiles; ///< texts of the files that `builders` names with an @
    QString problem;                      ///< a sentence for HostReport::remarks
    bool operator==(const NixAnswer &) const = default;
};

/// `system` and `extra-platforms` of a nix.conf, or of what `nix config show` prints.
QStringList nixSystems(const QString &settings);

/// Builders of a text in the form of /etc/nix/machines (nix.conf(5), builders): "ssh://host (systems)" each. Semicolons
/// part them as well.
QStringList nixBuilders(const QString &machines);

/// The files that `builders = @/etc/nix/machines` names in such settings.
QStringList nixMachineFiles(const QString &settings);

/// Systems and builders as Nix says them; what was read of its files is replaced, and the sources say so. Pure.
void takeNixAnswer(HostReport &report, const NixAnswer &answer);

/// Command lines to ask Nix with, the newest form first: each one where the one before failed.
QList<QStringList> nixConfigArguments();

} // namespace tmx
