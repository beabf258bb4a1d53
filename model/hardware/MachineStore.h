// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/hardware/HostReport.h"

#include <QStringList>

namespace tmx {

/// The machines that the user has saved: one report each, as JSON, in a folder. Functions read and write files: for
/// workers.
class MachineStore
{
public:
    /// `$XDG_CONFIG_HOME/torch-matrix/machines`.
    MachineStore();
    explicit MachineStore(const QString &folder);

    [[nodiscard]] QStringList names() const; ///< sorted
    [[nodiscard]] Result<HostReport> load(const QString &name) const;
    /// Overwrites a machine with that name. Errors: an invalid name, a folder that cannot be written.
    Result<void> save(const QString &name, const HostReport &report) const;
    /// Errors: no such machine, an invalid name, or the name of another machine.
    Result<void> rename(const QString &name, const QString &newName) const;
    Result<void> remove(const QString &name) const;

    /// Whether a name is valid: letters, digits, dot, dash, underscore, at, colon; no leading dash or dot; at most 64.
    static bool isName(const QString &name);

private:
    [[nodiscard]] QString fileOf(const QString &name) const;
    QString m_folder;
};

} // namespace tmx
