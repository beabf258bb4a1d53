// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/hardware/Fit.h"
#include "model/outcome/BuildState.h"
#include "model/snapshot/BranchSnapshot.h"

#include <map>
#include <optional>
#include <set>
#include <variant>

namespace tmx {

/// What the cells of the grid are filled with.
enum class Lens { Recipe, Build, Problems, Machine, Time, Team };
inline constexpr std::array allLenses{Lens::Recipe, Lens::Build, Lens::Problems, Lens::Machine, Lens::Time, Lens::Team};
QString lensTitle(Lens lens);
QString lensMeaning(Lens lens);

/// Not covered, but other toolkits, Pythons or rows have it.
enum class Gap { Likely };
/// Time since a build ended.
enum class Age { Day, Week, Month, Older };
inline constexpr std::array allAges{Age::Day, Age::Week, Age::Month, Age::Older};

/// Has a colour and a glyph in each theme. Severity::Note means that there are no problems.
using Sign = std::variant<RecipeState, Gap, BuildState::Phase, Severity, Fit, Age>;
Sign recipeSign(const VariantEntry &entry);
/// Those that a variant can be filtered by, in the order of their buttons.
const std::vector<Sign> &filterSigns();
QString signWord(const Sign &sign);
QString signMeaning(const Sign &sign);
/// "40 current · 12 missing · 7 new": the states of recipes that occur, in the order of filterSigns().
QString countsText(const std::map<Sign, int> &counts);

/// A variant, as everything that a lens can show.
struct LensSubject {
    const VariantEntry &entry;
    BuildState build;
    const FitVerdict *verdict = nullptr;
    QDateTime now = QDateTime::currentDateTime();
};

/// What it can be filtered by: the state of its recipe, its build, the severities of its problems, how it fits.
std::set<Sign> signsOf(const LensSubject &subject);
/// How it fits the machine; nullopt if that is unknown, without a recipe, or if the recipe has errors: what is wrong
/// does not run.
std::optional<Fit> fitOf(const LensSubject &subject);
/// Whether it has one of the chosen signs of each axis (recipe, build, problems, machine) that any is chosen of.
bool hasSigns(const std::set<Sign> &signs, const std::set<Sign> &chosen);

/// What a lens shows of a variant. Texts are empty if there is nothing to say.
struct LensFace {
    Sign sign = RecipeState::Unsupported; ///< fills the cell
    QString word;
    QString shortWord;   ///< where there is no room for `word`; may be empty
    QStringList details; ///< the second line, the longest form first
    QList<Sign> marks;   ///< what the other lenses have that needs attention
    QStringList warned;  ///< rules that warn
    int percent = -1;    ///< of a running build
    bool operator==(const LensFace &) const = default;
};

/// A build that failed or runs is shown in every lens.
LensFace faceOf(Lens lens, const LensSubject &subject);

/// What most of the variants show in a lens, which their cells need not repeat. Never work to do.
struct UsualFace {
    QString word;
    QStringList details;
    QStringList warned;                  ///< rules that warn of every variant
    void leaveOut(LensFace &face) const; ///< its texts, where they are these, and the mark of no other warnings
    bool operator==(const UsualFace &) const = default;
};
UsualFace usualFace(const QList<LensFace> &faces);

} // namespace tmx
