// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/hardware/HostReport.h"

namespace tmx {

/// The compute capability of a GPU with this name, as nvidia-smi, lspci or a shop write it, by the products in the
/// catalog's rows. A name that nvidia-smi cut ("NVIDIA GeForce RTX 208...") counts if all products that begin so have
/// one capability. Empty if the name says nothing: a virtual GPU ("GRID P40-24Q"), "NVIDIA Graphics Device".
QString capabilityOfName(const Catalog &catalog, const QString &name);

/// Fills in capabilities that only a name tells, marks their source, and asks to confirm them in a remark.
HostReport recognisedByName(const Catalog &catalog, HostReport report);

} // namespace tmx
