// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/LogFolds.h"

#include <algorithm>

namespace tmx {

namespace {

constexpr qsizetype leastLines = 2; // a phase without output is one line anyway

qsizetype lineOf(const LogPhase &phase)
{
    return phase.line;
}

} // namespace

void LogFolds::setPhases(const QList<LogPhase> &phases, qsizetype first,
                         const std::function<bool(const LogPhase &)> &stays)
{
    if (phases == m_phases)
        return;
    m_phases = phases;
    QList<Fold> folds;
    for (const LogPhase &phase : phases) {
        if (phase.line < first || phase.end - phase.line < leastLines)
            continue;
        const Fold *const old = foldOf(phase);
        const bool ends = phase.ended && !(old && old->phase.ended);
        const bool fails = phase.failed && !(old && old->phase.failed);
        folds.append({phase, ends ? !fails && !(stays && stays(phase)) : old && old->folded && !fails});
    }
    m_folds = folds;
    update();
}

void LogFolds::update()
{
    m_gaps.clear();
    qsizetype hidden = 0;
    for (const Fold &fold : std::as_const(m_folds)) {
        if (!fold.folded)
            continue;
        m_gaps.append({fold.phase.line, fold.phase.end, fold.phase.line - hidden});
        hidden += fold.phase.end - fold.phase.line - 1;
    }
}

qsizetype LogFolds::hidden() const
{
    return m_gaps.isEmpty() ? 0 : m_gaps.constLast().end - m_gaps.constLast().row - 1;
}

qsizetype LogFolds::row(qsizetype line) const
{
    const auto after = std::ranges::upper_bound(m_gaps, line, {}, &Gap::line);
    if (after == m_gaps.begin())
        return line;
    const Gap &gap = *std::prev(after);
    return line < gap.end ? gap.row : gap.row + 1 + line - gap.end;
}

qsizetype LogFolds::line(qsizetype row) const
{
    const auto after = std::ranges::upper_bound(m_gaps, row, {}, &Gap::row);
    if (after == m_gaps.begin())
        return row;
    const Gap &gap = *std::prev(after);
    return row == gap.row ? gap.line : gap.end + row - gap.row - 1;
}

const LogPhase *LogFolds::around(qsizetype line) const
{
    const auto after = std::ranges::upper_bound(m_folds, line, {}, [](const Fold &fold) { return lineOf(fold.phase); });
    if (after == m_folds.begin())
        return nullptr;
    const LogPhase &phase = std::prev(after)->phase;
    return line < phase.end ? &phase : nullptr;
}

const LogPhase *LogFolds::at(qsizetype line) const
{
    const LogPhase *const phase = around(line);
    return phase && phase->line == line ? phase : nullptr;
}

LogFolds::Fold *LogFolds::foldOf(const LogPhase &phase)
{
    const auto found =
        std::ranges::lower_bound(m_folds, phase.line, {}, [](const Fold &fold) { return lineOf(fold.phase); });
    return found != m_folds.end() && found->phase.line == phase.line ? &*found : nullptr;
}

bool LogFolds::isFolded(const LogPhase &phase) const
{
    return row(phase.line + 1) == row(phase.line);
}

void LogFolds::setFolded(const LogPhase &phase, bool folded)
{
    if (Fold *const fold = foldOf(phase)) {
        fold->folded = folded;
        update();
    }
}

void LogFolds::setAllFolded(bool folded)
{
    for (Fold &fold : m_folds)
        fold.folded = folded;
    update();
}

bool LogFolds::show(qsizetype line)
{
    const LogPhase *const phase = around(line);
    if (!phase || line == phase->line || !isFolded(*phase))
        return false;
    setFolded(*phase, false);
    return true;
}

} // namespace tmx
