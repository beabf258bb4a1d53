// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Commit.h"
#include "model/change/Copy.h"
#include "model/change/CopyCoverage.h"
#include "model/change/Derive.h"
#include "model/change/Export.h"
#include "model/change/Findings.h"
#include "model/change/Generate.h"
#include "model/change/Migrate.h"
#include "model/change/Readme.h"
#include "model/change/Remove.h"
#include "model/change/Repair.h"
#include "model/change/SaveSettings.h"
#include "model/change/Undo.h"

#include <variant>

namespace tmx {

/// What prepare() takes; each is beside its maker. Plain values. An empty `branch` or `from` means the checked-out
/// branch.
using ChangeRequest = std::variant<GenerateRequest, CommitRequest, StageRequest, DeleteRequest, DiscardRequest,
                                   PlanRequest, FixRequest, DeriveRequest, MigrateRequest, CopyRequest, CoverageRequest,
                                   ReadmeRequest, ExportRequest, SettingsRequest, UndoRequest>;

} // namespace tmx
