// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/outcome/BuildOutcome.h"

namespace tmx {

/// What one line of a builder says about a failure.
struct FailureLine {
    enum class Weight {
        Consequence, ///< "ninja: build stopped": something above failed
        Error,       ///< an error in words that only its program knows
        Exact,       ///< an error whose cause is known
    };
    Weight weight = Weight::Consequence;
    BuildOutcome::Kind kind = BuildOutcome::Kind::CompileError;
    BuildOutcome::Cause cause = BuildOutcome::Cause::Compile;
    BuildOutcome::Certainty certainty = BuildOutcome::Certainty::Certain;
    QString text;
    QStringList about;
};

/// Whether the words of a line make it worth a closer look. Most lines are not.
[[nodiscard]] bool mayFail(const QString &line);
/// The failure that a builder's line states, without its derivation in front: messages of nvcc, ptxas, gcc, clang, ld,
/// lld, mold, CMake, ninja, make, meson, cargo, patch, pip, setuptools, Triton and the shell. nullopt: none. Warnings
/// and notes are none. Pure.
[[nodiscard]] std::optional<FailureLine> failureIn(const QString &line);
/// The same for the exact ones only: for text that was joined from lines between which a program broke a sentence.
[[nodiscard]] std::optional<FailureLine> exactFailureIn(const QString &text);

/// Messages of git, the compiler, Nix, SQLite and the kernel for a full disk or quota.
[[nodiscard]] bool saysOutOfDisk(QStringView text);
/// An error line without the words that the outcome's sentence already has, at most 160 characters.
[[nodiscard]] QString bareError(QString line);

} // namespace tmx
