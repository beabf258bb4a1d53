// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/hardware/HostReport.h"

#include <QStringList>

namespace tmx {

/// The machines that the user has given names: a report each, as JSON text, in a folder. Functions read and write
/// files: for workers.
class MachineStore
{
public:
    /// `$XDG_CONFIG_HOME/torch-matrix/machines`.
    MachineStore();
    explicit MachineStore(const QString &folder);

    [[nodiscard]] QStringList names() const; ///< sorted
    [[nodiscard]] Result<HostReport> load(const QString &name) const;
    /// Overwrites the machine of that name. Errors: a name that cannot be a file's, a folder that cannot be written.
    Result<void> save(const QString &name, const HostReport &report) const;
    /// Errors: no such machine, a name that cannot be a file's or that another machine has.
    Result<void> rename(const QString &name, const QString &newName) const;
    Result<void> remove(const QString &name) const;

    /// Letters, digits, dot, dash, underscore, at, colon; no leading dash or dot; at most 64.
    static bool isName(const QString &name);

private:
    [[nodiscard]] QString fileOf(const QString &name) const;
    QString m_folder;
};

} // namespace tmx
