// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/JobSettings.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

bool isTorchExtension(QStringView package)
{
    constexpr std::array extensions{u"torchvision", u"torchaudio", u"vllm", u"flash-attn", u"xformers", u"torchao"};
    return std::ranges::find(extensions, package) != extensions.end();
}

QList<JobSetting> jobSettings(const PackageFacts &package)
{
    // torch's preBuild sets MAX_JOBS after preConfigure, and vLLM's preConfigure replaces an attribute. Other packages
    // with extensions that torch compiles take it from anywhere.
    const QString &name = package.attribute.value;
    const bool isTorch = name == "torch"_L1 || name == "pytorch"_L1;
    const bool takesJobs = isTorchExtension(name);
    QList<JobSetting> settings;
    for (const VariableFact &variable : package.environment) {
        const bool inBuild = variable.phase == "preBuild"_L1 || variable.phase == "buildPhase"_L1;
        const bool isNumber = !variable.value.isEmpty() &&
                              std::ranges::all_of(variable.value, [](QChar c) { return c >= u'0' && c <= u'9'; });
        const bool isMaxJobs = variable.name == "MAX_JOBS"_L1;
        const bool isReplaced = isTorch ? !inBuild : name == "vllm"_L1 && variable.phase == "env"_L1;
        if (isNumber && (variable.name == "NIX_BUILD_CORES"_L1 || (isMaxJobs && !isReplaced && (inBuild || takesJobs))))
            settings.append({&variable, variable.value.toInt()});
        else if ((isMaxJobs && isReplaced) || (isTorch && variable.name == "ninjaFlags"_L1))
            settings.append({&variable, 0});
    }
    return settings;
}

} // namespace tmx
