// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// Which machine is meant.
struct MachineRef {
    enum class Kind {
        This,
        Saved, ///< of that name in MachineStore
        Ssh,   ///< asked over ssh, not saved
        Text,  ///< from a file or pasted, not saved
    };
    Kind kind = Kind::This;
    QString name; ///< empty for this machine
    bool operator==(const MachineRef &) const = default;
};

} // namespace tmx
