// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/fleet/BranchMatch.h"
#include "model/fleet/Pins.h"

#include <QJsonObject>

namespace tmx {

/// "PyTorch 2.9.1", "TorchVision 0.25.0, 0.26.0": by family without version, in the order of names.
QStringList versionTexts(const BranchSummary &summary);
/// "3.13"
QStringList pythonTexts(const BranchSummary &summary);
/// "2", or with variants that similar ones have: "2 and probably 8", "probably 8".
QString missingText(const BranchSummary &summary);

/// A row for each branch, with a head.
QString overviewText(const Fleet &fleet);
QJsonObject overviewJson(const Fleet &fleet);

/// The pins, each with its versions and branches; then which branches have the same pins.
QString pinsText(const QList<FleetPin> &pins, const QList<OutdatedStatement> &outdated);
QJsonObject pinsJson(const QList<FleetPin> &pins, const QList<OutdatedStatement> &outdated);
QString placesText(const QList<PinPlace> &places);
QJsonObject placesJson(const QString &revision, const QList<PinPlace> &places);

/// A line for each branch, the best first.
QString matchesText(const FleetBranch &branch, const QList<BranchMatch> &matches,
                    const QList<FetchedTorchSource> &fetched);
QJsonObject matchesJson(const FleetBranch &branch, const QList<BranchMatch> &matches,
                        const QList<FetchedTorchSource> &fetched);

/// In all of these documents: {"repository", "branch", "error"}.
QJsonArray toJson(const QList<FleetTrouble> &troubles);

} // namespace tmx
