// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>

#include <array>

namespace tmx {

/// How a variant stands to a machine.
enum class Fit {
    Exact,       ///< built for this GPU and CPU
    RunsUntuned, ///< same major, lower minor; or another ISA that runs
    DoesNotRun,
};

inline constexpr std::array allFits{Fit::Exact, Fit::RunsUntuned, Fit::DoesNotRun};

/// How one variant stands to one machine, and why.
struct FitVerdict {
    Fit fit = Fit::DoesNotRun;
    QString reason; ///< sentences, the deciding one first
    bool operator==(const FitVerdict &) const = default;
};

/// What a machine makes of variants, by name.
struct FitVerdicts {
    QString machine; ///< what the machine is called; empty: no machine
    QHash<QString, FitVerdict> of;
    bool operator==(const FitVerdicts &) const = default;
};

} // namespace tmx
