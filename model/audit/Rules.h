// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Subject.h"
#include "model/base/Tr.h"

#include <span>

namespace tmx {

/// A row of the table. `check` reports nothing for a correct recipe.
struct RuleEntry {
    const char *id;
    Severity severity;
    const char *title; ///< QT_TRANSLATE_NOOP("tmx::Tr", ...)
    bool fixable;
    void (*check)(const Subject &subject, Report &report);
    const char *consequence; ///< QT_TRANSLATE_NOOP("tmx::Tr", ...)
    const char *seen;        ///< QT_TRANSLATE_NOOP("tmx::Tr", ...)
};

// Grouped by topic, one file each.
std::span<const RuleEntry> nameRules();
std::span<const RuleEntry> sourceRules();
std::span<const RuleEntry> torchRules();
std::span<const RuleEntry> targetRules();
std::span<const RuleEntry> flagRules();
std::span<const RuleEntry> buildRules();
std::span<const RuleEntry> metaRules();
std::span<const RuleEntry> blasRules();
std::span<const RuleEntry> companionRules();
std::span<const RuleEntry> importRules();
std::span<const RuleEntry> readingRules(); ///< after all others

} // namespace tmx
