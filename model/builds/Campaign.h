// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/history/BuildHistory.h"
#include "model/outcome/BuildState.h"
#include "model/snapshot/BranchSnapshot.h"

#include <QJsonObject>

#include <functional>

namespace tmx {

/// How far one cell of a branch has come on its way to users.
enum class CampaignState {
    NoRecipe, ///< covered, but the recipe does not exist
    Broken,   ///< never built, and an error keeps it out of builds that do not name it (cannotBuild())
    NotBuilt,
    Stale,   ///< built, but not with this recipe
    Stopped, ///< with this recipe
    Failed,  ///< with this recipe
    Built,
    Verified,
    Published,
};
QString campaignWord(CampaignState state); ///< "no recipe", "built"

struct CampaignCell {
    Variant variant;
    CampaignState state = CampaignState::NotBuilt;
    std::optional<BuildRecord> last; ///< the newest build of this recipe that says so, else the newest of all
    bool operator==(const CampaignCell &) const = default;
};

/// The builds of a branch: the history of each existing or covered recipe.
struct Campaign {
    QString branch;
    QString title; ///< BranchSnapshot::title()
    QString commit;
    QList<CampaignCell> cells;           ///< in the order of their variants
    QStringList rows;                    ///< rows of the grid that have cells
    QStringList isas;                    ///< columns that have cells; "" if a row has no instruction set
    QMap<CampaignState, int> counts;     ///< without states that no cell has
    qint64 seconds = 0;                  ///< total of all builds of the current recipes
    std::optional<qint64> medianSeconds; ///< median of a single build
    QList<BuildRecord> builds;           ///< every known attempt, the newest first
};

/// Pure. `records`: the builds of its repository, the newest first; `states`: buildStates() without what has not ended;
/// `isOf`: whether a record is a build of the entry's recipe.
[[nodiscard]] Campaign campaignOf(const Catalog &catalog, const BranchSnapshot &snapshot,
                                  const QList<BuildRecord> &records, const QHash<QString, BuildState> &states,
                                  const std::function<bool(const VariantEntry &, const BuildRecord &)> &isOf);

/// The campaign with everything known about the branch's builds, including those of other machines. For workers.
/// Errors: the history cannot be read.
Result<Campaign> readCampaign(const Catalog &catalog, const BranchSnapshot &snapshot, const BuildHistory &history);

/// Counts, a grid for each family, Python and toolkit, and the failures, grouped by reason.
[[nodiscard]] QString campaignAsMarkdown(const Campaign &campaign);
/// The same as a single self-contained page.
[[nodiscard]] QString campaignAsHtml(const Campaign &campaign);
[[nodiscard]] QJsonObject campaignAsJson(const Campaign &campaign);

} // namespace tmx
