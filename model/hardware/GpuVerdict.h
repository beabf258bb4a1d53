// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/hardware/HostReport.h"

namespace tmx {

/// Code for one architecture on one GPU (CUDA C Programming Guide, binary compatibility): code for X.y runs on X.z with
/// z >= y, never on another major version, and not between desktop GPUs and Jetson boards. Recipes include no PTX, so
/// nothing is compiled at run time.
struct GpuVerdict {
    enum class Kind { Exact, SameMajor, No };
    Kind kind = Kind::No;
    int distance = 0; ///< difference of minor versions between code and GPU; 0 if exact
    QString sentence; ///< why it runs untuned or not at all; empty if exact
    bool operator==(const GpuVerdict &) const = default;
};

GpuVerdict judgeGpu(const Catalog &catalog, const GpuInfo &gpu, const GpuRow &row);

/// "NVIDIA H100 80GB HBM3 (compute capability 9.0)"
QString described(const GpuInfo &gpu);

} // namespace tmx
