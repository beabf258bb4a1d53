// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildHistory.h"
#include "model/catalog/Catalog.h"
#include "model/snapshot/BranchSnapshot.h"

#include <QJsonObject>

namespace tmx {

/// How far one cell of a branch is on its way to its users.
enum class CampaignState {
    NoRecipe, ///< promised, not written
    NotBuilt,
    Stale,  ///< built or failed, of another text of the recipe
    Failed, ///< this recipe
    Built,
    Verified,
    Published,
};
QString campaignWord(CampaignState state); ///< "no recipe", "built"

struct CampaignCell {
    Variant variant;
    CampaignState state = CampaignState::NotBuilt;
    std::optional<BuildRecord> last; ///< of this recipe, else the newest of another text of it
    bool operator==(const CampaignCell &) const = default;
};

/// The builds of a branch: what the history knows of each recipe that is there or promised.
struct Campaign {
    QString branch;
    QString commit;
    QList<CampaignCell> cells;           ///< in the order of their variants
    QStringList rows;                    ///< of the grid, those with cells
    QStringList isas;                    ///< columns, those with cells; "" where a row has none
    QMap<CampaignState, int> counts;     ///< states without a cell are left out
    qint64 seconds = 0;                  ///< of all builds of the recipes as they are, together
    std::optional<qint64> medianSeconds; ///< of one of them
    QList<BuildRecord> builds;           ///< every attempt that is known, the newest first
};

/// Pure. `records`: of the branch, the newest first.
[[nodiscard]] Campaign campaignOf(const Catalog &catalog, const BranchSnapshot &snapshot,
                                  const QList<BuildRecord> &records, const QList<Publication> &publications);

/// The same of all that is known of the branch's builds, those of others included. For workers. Errors: the history
/// cannot be read.
Result<Campaign> readCampaign(const Catalog &catalog, const BranchSnapshot &snapshot, const BuildHistory &history);

/// Counts, a grid for each family, Python and toolkit, and the failures, those of one reason together.
[[nodiscard]] QString campaignAsMarkdown(const Campaign &campaign);
/// The same as one page that needs no other file.
[[nodiscard]] QString campaignAsHtml(const Campaign &campaign);
[[nodiscard]] QJsonObject campaignAsJson(const Campaign &campaign);

} // namespace tmx
