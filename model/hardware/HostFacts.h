// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/hardware/HostReport.h"

namespace tmx {

/// One fact that a text about a machine has or lacks.
struct HostFact {
    enum class Kind {
        Read,    ///< the text says it
        ByName,  ///< it follows from a product's name: to be confirmed
        Missing, ///< `command` prints it
    };
    Kind kind = Kind::Read;
    QString title; ///< "Processor"
    QString value; ///< what was read, or what is missing
    QString command;
    bool operator==(const HostFact &) const = default;
};

/// The commands whose output tells everything about a machine, in the order in which to run them.
[[nodiscard]] QStringList machineCommands();

/// What was read from a text, a fact each, and what is missing with the command that prints it. `report`: before
/// recognisedByName(). Pure.
[[nodiscard]] QList<HostFact> factsOf(const Catalog &catalog, const HostReport &report);

} // namespace tmx
