// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <optional>

namespace tmx {

/// Where a job is built.
struct Place {
    enum class Kind {
        ThisMachine,
        Ssh,   ///< another machine
        Slurm, ///< a node of the cluster that sbatch submits to
    };
    Kind kind = Kind::ThisMachine;
    QString host = {}; ///< Ssh: a host as ssh accepts it
    bool operator==(const Place &) const = default;
    [[nodiscard]] bool isHere() const { return kind == Kind::ThisMachine; }
};

/// The words used in job.json and in --on: "" for this machine, "slurm", "ssh:HOST".
QString toString(const Place &place);
/// nullopt: unknown place, or a host that ssh would take for an option.
std::optional<Place> placeNamed(const QString &word);
/// For people: "this machine", "gpu-box", "Slurm".
QString placeText(const Place &place);

/// Options of ssh for unattended work: no terminal, and a lost connection is detected within a minute. It does not
/// prompt, unless the environment names a program for that (SSH_ASKPASS).
QStringList sshOptions(const QProcessEnvironment &environment);

} // namespace tmx
