// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/JobSettings.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

QList<JobSetting> jobSettings(const PackageFacts &package)
{
    QList<JobSetting> settings;
    for (const VariableFact &variable : package.environment) {
        const bool inBuild = variable.phase == "preBuild"_L1 || variable.phase == "buildPhase"_L1;
        const bool isNumber = !variable.value.isEmpty() &&
                              std::ranges::all_of(variable.value, [](QChar c) { return c >= u'0' && c <= u'9'; });
        if (isNumber && (variable.name == "NIX_BUILD_CORES"_L1 || (variable.name == "MAX_JOBS"_L1 && inBuild)))
            settings.append({&variable, variable.value.toInt()});
        else if ((variable.name == "MAX_JOBS"_L1 && !inBuild) || variable.name == "ninjaFlags"_L1)
            settings.append({&variable, 0});
    }
    return settings;
}

} // namespace tmx
