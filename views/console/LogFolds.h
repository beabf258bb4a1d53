// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/DerivationTree.h"

#include <functional>

namespace tmx {

/// Which lines of a log are shown. A folded phase has one row: that of the line that begins it.
class LogFolds
{
public:
    /// The phases read so far. One that has ended since the last call is folded, unless it failed or `stays` returns
    /// true. Leaves out phases that begin before the line `first`.
    void setPhases(const QList<LogPhase> &phases, qsizetype first,
                   const std::function<bool(const LogPhase &)> &stays = {});
    [[nodiscard]] bool isEmpty() const { return m_folds.empty(); }

    [[nodiscard]] qsizetype row(qsizetype line) const; ///< of a hidden line: of its phase
    [[nodiscard]] qsizetype line(qsizetype row) const;
    [[nodiscard]] qsizetype hidden() const; ///< lines that have no row

    [[nodiscard]] const LogPhase *at(qsizetype line) const;     ///< the phase that begins in this line, if it can fold
    [[nodiscard]] const LogPhase *around(qsizetype line) const; ///< the phase that this line is part of
    [[nodiscard]] bool isFolded(const LogPhase &phase) const;
    void setFolded(const LogPhase &phase, bool folded);
    void setAllFolded(bool folded);
    bool show(qsizetype line); ///< opens the phase that hides this line; false: it was visible

private:
    struct Fold {
        LogPhase phase;
        bool folded = false;
    };
    struct Gap {
        qsizetype line = 0; ///< of the phase
        qsizetype end = 0;
        qsizetype row = 0; ///< of the phase
    };

    [[nodiscard]] Fold *foldOf(const LogPhase &phase);
    void update();

    QList<LogPhase> m_phases; ///< as they were given
    QList<Fold> m_folds;      ///< by their lines
    QList<Gap> m_gaps;        ///< the folded ones
};

} // namespace tmx
