// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QVariantHash>

namespace tmx {

/// What a recipe template can say of a variant. Names with dots are tables:
///
///     name pname version driver      family.{id,title}        nixpkgs.{rev,sha256}      torch.hash
///     python.{version,attribute,overlay_attribute}            gpu.{id,generation,title,lacks_cudnn,capability}
///     cuda.{version,release,major,attribute,lacks_clock_rate,moved_cccl}
///     isa.{id,title,platform,lacks_avx2,flags}                a flag: {text,padded,note}
///     quoted.{family,gpu,isa}                                 for use between double quotes
///     indented.{family,generation,products,isa,cpu_hardware}  for use in an indented string
///
/// What a variant or a line does not have is absent (a CPU variant has no cuda, gpu.capability, driver), but for nixpkgs.rev and
/// nixpkgs.sha256, which are empty then. No key but name and pname depends on row and ISA together.
/// Errors: a row, an ISA or a family that the catalog has not; a toolkit or version that the line has not; a value that Nix could not read.
Result<QVariantHash> recipeContext(const Catalog &catalog, const Line &line, const Variant &variant);

} // namespace tmx
