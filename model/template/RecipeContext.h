// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QHash>
#include <QSet>
#include <QVariantHash>

namespace tmx {

/// The values of a variant for recipe templates. Names with dots are tables:
///
///     name pname version driver driver_major metadata_rev     family.{id,title,attribute}
///     nixpkgs.{rev,sha256,caller,plain,set}
///     torch.{name,pname,version,hash,upgraded,in_place,sibling,published,package,fetched}
///     torch.{archive,archive_rev,archive_sha256}
///     blas.{chosen,id,attribute,title,cmake}                  the CPU's BLAS library; chosen: by an overlay
///     python.{version,number,attribute,overlay_attribute,set} source.{upgraded,hash,owner,repo}
///     gpu.{id,generation,brief,architecture,title,products,platform,lacks_cudnn,capability,number,target,
///     binding,sm_notation,first_torch}
///     cuda.{version,release,major,underscored,compact,attribute,lacks_clock_rate,moved_cccl,
///     magma_patches}                                          a patch: {name,url,hash}
///     isa.{id,title,hardware,platform,machine,lacks_avx2,flags}  a flag: {text,padded,note}
///     quoted.{family,gpu,isa}                                 for use between double quotes
///     indented.{family,generation,products,isa,cpu_hardware}  for use in an indented string
///
/// gpu.brief: gpu.generation with "DC" for "datacenter". gpu.first.N: the first N (1 to 12) of gpu.products. Values
/// that a variant or the settings do not have are absent (a CPU variant has no cuda, gpu.capability, driver), except
/// for nixpkgs.rev, nixpkgs.sha256, metadata_rev and everything in torch and source, which are then empty. Only name,
/// pname and the corresponding keys of torch depend on row and ISA together. torch.* is the PyTorch variant that a
/// companion is built with; for PyTorch the variant itself. Errors: a row, an ISA or a family that the catalog does not
/// have; a toolkit or version that the settings do not have; a value that Nix could not parse.
Result<QVariantHash> recipeContext(const Catalog &catalog, const Settings &settings, const Variant &variant);

/// The parts of a context that only depend on the catalog, computed once for many recipes, and the values that were
/// checked. For one thread and one catalog.
class ContextTables
{
public:
    struct OfRow {
        QVariantHash gpu;
        QString quoted;
        QString generation;
        QString products;
    };
    struct OfIsa {
        QVariantHash isa;
        QString quoted;
        QString indented;
        QString hardware;
    };
    const OfRow &of(const GpuRow &row, ArchNotation notation, const Family &family);
    const OfIsa &of(const Isa &isa);
    /// Like tmx::hasForm(), but matches a text that has the form only once: most recipes of a branch share their
    /// versions and hashes.
    bool hasForm(const QString &text, QStringView form);

private:
    QHash<QString, OfRow> m_rows;
    QHash<QString, OfIsa> m_isas;
    QHash<QString, QSet<QString>> m_formed; ///< texts by their form
};
/// What recipeContext() gives for a row or an instruction set that the catalog does not have.
enum class UnknownCells {
    Refused,
    Allowed, ///< the context, without their values: for changes that leave the cell as it is
};
Result<QVariantHash> recipeContext(const Catalog &catalog, const Settings &settings, const Variant &variant,
                                   ContextTables &tables, UnknownCells unknown = UnknownCells::Refused);

} // namespace tmx
