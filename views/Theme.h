// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/build/BuildState.h"
#include "model/hardware/Fit.h"
#include "model/snapshot/RecipeState.h"
#include "views/Glyphs.h"

#include <QColor>

class QIcon;
class QPalette;

namespace tmx {

/// How one state of a recipe looks. `text` has at least 4.5 to 1 on `fill`, `accent` at least 3 to 1.
struct RecipeStyle {
    enum class Frame { Solid, Dashed, None };
    Glyph glyph = Glyph::Dash;
    QColor fill; ///< of the cell's tile; the palette's base where it has none of its own
    QColor text;
    QColor accent; ///< glyph and frame
    Frame frame = Frame::Solid;
};

/// How one phase of a build looks: a badge, or the bar of a running one.
struct BuildStyle {
    Glyph glyph = Glyph::Dash;
    QColor fill;
    QColor text;
};

/// How a finding of one severity looks. `color`: glyph and word, 4.5 to 1 on the palette's base, 3 to 1 on a cell's
/// tile. `tint`: behind the text that it is about.
struct SeverityStyle {
    Glyph glyph = Glyph::Note;
    QColor color;
    QColor tint;
};

/// The colours and glyphs of states, one table for light and one for dark, and what is worked out of a palette.
/// Everybody who shows a state takes it from here. Chosen by the palette alone, so that a change of the system's theme
/// shows at once: ask again when painting.
class Theme
{
public:
    /// Cheap: the last few palettes are kept. GUI thread only.
    static const Theme &current(const QPalette &palette);

    [[nodiscard]] bool dark() const { return m_dark; }
    [[nodiscard]] const RecipeStyle &recipe(RecipeState state) const { return m_recipes[size_t(state)]; }
    /// `Unsupported` with a recipe that is there all the same: a warning, where the quiet style says that there is
    /// nothing.
    [[nodiscard]] const RecipeStyle &impossibleRecipe() const { return m_impossible; }
    /// Of a cell that is coloured by a machine.
    [[nodiscard]] const RecipeStyle &fit(Fit fit) const { return m_fits[size_t(fit)]; }
    [[nodiscard]] const SeverityStyle &severity(Severity severity) const { return m_severities[size_t(severity)]; }
    [[nodiscard]] const BuildStyle &build(BuildState::Phase phase) const { return m_builds[size_t(phase)]; }

    QColor base; ///< behind the cells
    QColor text;
    QColor quietText; ///< second lines, what is not there: 4.5 to 1 on `base` and on the window's colour
    QColor line;      ///< hair lines
    QColor hatch;     ///< over cells that cannot exist
    QColor barTrack;  ///< of a progress bar
    QColor selection; ///< ring of selected cells: 3 to 1 on `base`

private:
    explicit Theme(const QPalette &palette);
    bool m_dark = false;
    std::array<RecipeStyle, allRecipeStates.size()> m_recipes;
    std::array<BuildStyle, int(BuildState::Phase::Elsewhere) + 1> m_builds;
    std::array<RecipeStyle, allFits.size()> m_fits;
    RecipeStyle m_impossible;
    std::array<SeverityStyle, 3> m_severities;
};

/// The state's glyph in its accent, for buttons and menus.
QIcon stateIcon(RecipeState state, const QPalette &palette);
/// A glyph in the colour of text.
QIcon glyphIcon(Glyph glyph, const QPalette &palette);
QIcon severityIcon(Severity severity, const QPalette &palette);

} // namespace tmx
