// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/hardware/HostReport.h"

#include <QJsonObject>

namespace tmx {

struct Pick;
enum class Fit;

/// {"name", "system", "cpu": {"model", "cores", "flags": []}, "memoryBytes", "driver",
///  "gpus": [{"name", "capability", "memory", "busId", "source"}], "os", "freeDiskBytes", "nixSystems": [], "builders":
///  [], "sources": {fact: where}, "remarks": []}
/// Unknown texts are "", unknown numbers 0. The names are part of the program's interface (detect --json): they do not
/// change.
QJsonObject toJson(const HostReport &report);

/// The inverse. Ignores unknown keys. Errors: not an object, or no "system".
Result<HostReport> hostReportFromJson(const QJsonObject &object);

/// {"name", "family", "python", "cuda", "gpu", "isa", "file", "fit", "covered", "reasons": []}; the variant's fields as
/// in list --json.
QJsonObject toJson(const Pick &pick);

/// "exact", "runs-untuned", "does-not-run"
QString toString(Fit fit);

} // namespace tmx
