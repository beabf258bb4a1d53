// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

#include <array>

namespace tmx {

/// How well a variant fits a machine.
enum class Fit {
    Exact,       ///< built for this GPU and CPU
    RunsUntuned, ///< same major version, lower minor version; or another ISA that runs
    DoesNotRun,
};

inline constexpr std::array allFits{Fit::Exact, Fit::RunsUntuned, Fit::DoesNotRun};

/// How well one variant fits one machine, and why.
struct FitVerdict {
    Fit fit = Fit::DoesNotRun;
    QString reason; ///< sentences, the deciding one first
    bool operator==(const FitVerdict &) const = default;
};

/// Verdicts of one machine, by name of the variant.
struct FitVerdicts {
    QString machine; ///< name of the machine; empty: none
    QHash<QString, FitVerdict> of;
    QStringList best = {}; ///< names of recipes that run there, best first; empty: unknown
    bool operator==(const FitVerdicts &) const = default;
};

} // namespace tmx
