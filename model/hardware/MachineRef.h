// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// Identifies a machine.
struct MachineRef {
    enum class Kind {
        This,
        Saved, ///< the machine with that name in MachineStore
        Ssh,   ///< probed over ssh, not saved
        Text,  ///< read from a file or pasted text, not saved
    };
    Kind kind = Kind::This;
    QString name; ///< empty for this machine
    bool operator==(const MachineRef &) const = default;
};

} // namespace tmx
