// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/GpuVerdict.h"

#include "model/base/Tr.h"

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

int part(const QString &capability, int index)
{
    return capability.section(u'.', index, index).toInt();
}

} // namespace

QString described(const GpuInfo &gpu)
{
    return gpu.capability.isEmpty() ? gpu.name : Tr::tr("%1 (compute capability %2)").arg(gpu.name, gpu.capability);
}

GpuVerdict judgeGpu(const Catalog &catalog, const GpuInfo &gpu, const GpuRow &row)
{
    GpuVerdict verdict;
    if (gpu.capability.isEmpty()) {
        verdict.sentence = Tr::tr("The architecture of the %1 is unknown.").arg(gpu.name);
        return verdict;
    }
    if (gpu.capability == row.capability) {
        verdict.kind = GpuVerdict::Kind::Exact;
        return verdict;
    }
    if (row.suffix == "a"_L1) {
        verdict.sentence = Tr::tr("Code for %1 runs on compute capability %2 only, and the %3 is another one.")
                               .arg(row.id, row.capability, described(gpu));
        return verdict;
    }
    if (part(gpu.capability, 0) != part(row.capability, 0)) {
        verdict.sentence = Tr::tr("Code for compute capability %1 does not run on the %2, which has another "
                                  "major version.")
                               .arg(row.capability, described(gpu));
        return verdict;
    }
    const GpuRow *own = catalog.rowOfCapability(gpu.capability);
    if (row.jetson || (own && own->jetson)) {
        verdict.sentence =
            Tr::tr(
                "Code for compute capability %1 does not run on the %2: desktop GPUs and Jetson boards share no code.")
                .arg(row.capability, described(gpu));
        return verdict;
    }
    verdict.distance = part(gpu.capability, 1) - part(row.capability, 1);
    if (verdict.distance < 0) {
        verdict.sentence = Tr::tr("Code for compute capability %1 does not run on the %2, which is older.")
                               .arg(row.capability, described(gpu));
        return verdict;
    }
    verdict.kind = GpuVerdict::Kind::SameMajor;
    verdict.sentence = Tr::tr("Runs on the %1 but is not tuned for it: the code is for %2, of the same major version.")
                           .arg(described(gpu), row.capability);
    return verdict;
}

} // namespace tmx
