// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/Lens.h"
#include "views/theme/Glyphs.h"

#include <QColor>

class QIcon;
class QPalette;

namespace tmx {

/// How a cell with a sign looks. `text` has at least 4.5 to 1 on `fill`, `accent` at least 3 to 1.
struct RecipeStyle {
    enum class Frame { Solid, Dashed, None };
    Glyph glyph = Glyph::Dash;
    QColor fill; ///< fill of the cell's tile; the palette's base if the state has no fill
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
/// tile. `tint`: behind the marked text.
struct SeverityStyle {
    Glyph glyph = Glyph::Note;
    QColor color;
    QColor tint;
};

/// The colours and glyphs of states: one table for light and one for dark palettes, and colours computed from the
/// palette. All code that shows a state uses it. It depends on the palette only, so call current() on each paint to
/// follow a change of the system's theme.
class Theme
{
public:
    /// Cheap: the last few palettes are cached. GUI thread only.
    static const Theme &current(const QPalette &palette);

    [[nodiscard]] bool dark() const { return m_dark; }
    [[nodiscard]] const RecipeStyle &recipe(RecipeState state) const { return m_recipes[size_t(state)]; }
    /// Style of an `Unsupported` cell that has a recipe: a warning. The quiet style means that there is no recipe.
    [[nodiscard]] const RecipeStyle &impossibleRecipe() const { return m_impossible; }
    /// Style of a cell that a sign fills. RecipeState::Unsupported: of an impossible recipe that is there.
    [[nodiscard]] const RecipeStyle &sign(const Sign &sign) const;
    [[nodiscard]] const SeverityStyle &severity(Severity severity) const { return m_severities[size_t(severity)]; }
    [[nodiscard]] const BuildStyle &build(BuildState::Phase phase) const { return m_builds[size_t(phase)]; }

    QColor base; ///< behind the cells
    QColor text;
    QColor quietText; ///< second lines and empty cells: 4.5 to 1 on `base` and on the window's colour
    QColor line;      ///< hair lines
    QColor hatch;     ///< over cells that cannot exist
    QColor barTrack;  ///< of a progress bar
    QColor selection; ///< ring of selected cells: 3 to 1 on `base`

private:
    explicit Theme(const QPalette &palette);
    bool m_dark = false;
    std::array<RecipeStyle, allRecipeStates.size()> m_recipes;
    std::array<BuildStyle, int(BuildState::Phase::FailedElsewhere) + 1> m_builds;
    std::array<RecipeStyle, allFits.size()> m_fits;
    RecipeStyle m_impossible;
    std::array<SeverityStyle, 3> m_severities;
    std::array<RecipeStyle, int(BuildState::Phase::FailedElsewhere) + 1> m_phases;
    std::array<RecipeStyle, 3> m_problems; ///< by severity
    std::array<RecipeStyle, allAges.size()> m_ages;
};

/// The sign's glyph in its accent, for buttons and menus.
QIcon signIcon(const Sign &sign, const QPalette &palette);

} // namespace tmx
