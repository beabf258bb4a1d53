// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/template/RecipeContext.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/recipe/NixText.h"
#include "model/settings/PinVersion.h"

#include <algorithm>
#include <optional>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// A value that is inserted into Nix code without quotes, and the pattern that keeps it a single value.
struct CodeValue {
    const char *what;
    QString value;
    QStringView form;
};

/// Files of the catalog and the settings are checked on reading, but settings can also be inferred from recipes that
/// others wrote.
std::optional<Error> checkForms(const QString &name, const QList<CodeValue> &values, ContextTables &tables)
{
    for (const CodeValue &value : values) {
        if (!tables.hasForm(value.value, value.form))
            return Error{Tr::tr("render"),
                         name,
                         value.value.isEmpty()
                             ? Tr::tr("the name has no %1").arg(Tr::tr(value.what))
                             : Tr::tr("\"%1\" cannot be its %2").arg(value.value.simplified(), Tr::tr(value.what)),
                         {}};
    }
    return std::nullopt;
}

Isa withFlags(Isa isa, const QStringList &flags)
{
    QStringList notes;
    for (const QString &flag : flags)
        notes.append(isa.flagNotes.value(isa.flags.indexOf(flag)));
    isa.flags = flags;
    isa.flagNotes = notes;
    return isa;
}

QVariantList flagRows(const Isa &isa)
{
    qsizetype width = 0;
    for (const QString &flag : isa.flags)
        width = std::max(width, inNixQuotes(flag).size());
    QVariantList rows;
    for (qsizetype i = 0; i < isa.flags.size(); ++i) {
        const QString text = inNixQuotes(isa.flags[i]);
        rows.append(QVariantHash{
            {u"text"_s, text},
            {u"padded"_s, u"\"%1\""_s.arg(text).leftJustified(width + 2)},
            {u"note"_s, inNixComment(isa.flagNotes.value(i))},
        });
    }
    return rows;
}

void insertIfKnown(QVariantHash &hash, const QString &key, const QString &value)
{
    if (!value.isEmpty())
        hash.insert(key, value);
}

/// Whether the branch's PyTorch has another version than its pin's.
bool isUpgraded(const Profile &base, const Profile &torch)
{
    return !torch.sourceHash.isEmpty() && !base.pin.revision.isEmpty();
}

QVariantHash blasTable(Blas blas)
{
    const bool mkl = blas == Blas::Mkl;
    return {
        {u"chosen"_s, blas != Blas::Default},
        {u"id"_s, mkl ? u"mkl"_s : u"openblas"_s},
        {u"attribute"_s, mkl ? u"mkl"_s : u"openblas"_s},
        {u"title"_s, mkl ? u"Intel MKL"_s : u"OpenBLAS"_s},
        {u"cmake"_s, mkl ? u"MKL"_s : u"OpenBLAS"_s},
    };
}

QVariantHash nixpkgsTable(const Profile &base, bool gpu, Blas blas)
{
    const bool pinned = !base.pin.revision.isEmpty();
    const QString plain = blas == Blas::Default ? u"pkgs"_s : u"nixpkgs_blas"_s;
    return {
        {u"rev"_s, base.pin.revision},
        {u"sha256"_s, base.pin.sha256},
        {u"caller"_s, !pinned && (gpu || blas == Blas::Mkl) ? u"{ config.allowUnfree = true; }"_s : u"{}"_s},
        {u"plain"_s, pinned ? u"nixpkgs_pinned"_s : plain},
        {u"set"_s, pinned ? u"nixpkgs_pinned"_s
                   : gpu  ? u"nixpkgs_cuda"_s
                          : plain},
    };
}

QVariantHash pythonTable(const Profile &base, const Profile &torch, const QString &python)
{
    // The name without a number is only that of the pin's own Python.
    const bool isOther =
        base.pythonSet == "python3Packages"_L1 && !base.pin.python3.isEmpty() && base.pin.python3 != python;
    const QString attribute = base.pythonSet.isEmpty() || isOther ? python + "Packages"_L1 : base.pythonSet;
    // The pin has two names for its default Python, and an overlay on one does not change the other: make sure that
    // templates take torch from the name that they changed.
    const QString overlayAttribute =
        base.pythonSet.isEmpty() && python == base.pin.python3 ? u"python3Packages"_s : attribute;
    return {
        {u"version"_s, pythonVersion(python)},
        {u"number"_s, QString(python).remove("python"_L1)},
        {u"of_pin"_s, base.pin.python3},
        {u"attribute"_s, attribute},
        {u"overlay_attribute"_s, overlayAttribute},
        {u"set"_s, isUpgraded(base, torch) ? overlayAttribute : attribute},
    };
}

/// `name` as one element of an attribute path.
QString attributeStep(const QString &name)
{
    return hasForm(name, u"[A-Za-z_][A-Za-z0-9_'-]*") ? name : u'"' + inNixQuotes(name) + u'"';
}

QVariantHash torchTable(const QString &name, const QString &pname, const Profile &base, const Profile &torch)
{
    return {
        {u"name"_s, name},
        {u"pname"_s, pname},
        {u"version"_s, torch.version},
        {u"upgraded"_s, isUpgraded(base, torch)},
        {u"in_place"_s, base.torchOrigin == TorchOrigin::InPlace},
        {u"sibling"_s, base.torchOrigin == TorchOrigin::Sibling},
        {u"published"_s, base.torchOrigin == TorchOrigin::Published},
        {u"hash"_s, torch.sourceHash},
        {u"fetched"_s, base.torchOrigin == TorchOrigin::Fetched},
        {u"archive"_s, base.torchRepository.archive()},
        {u"archive_rev"_s, base.torchRepository.revision},
        {u"archive_sha256"_s, base.torchRepository.sha256},
        {u"package"_s, u"catalogs.%1.%2"_s.arg(attributeStep(base.torchCatalog), attributeStep(name))},
    };
}

/// The family's own source, if the settings have another version than nixpkgs. PyTorch's is in torch.*.
QVariantHash sourceTable(const Family &family, const Profile &base)
{
    return {
        {u"upgraded"_s, !base.sourceHash.isEmpty()},
        {u"hash"_s, base.sourceHash},
        {u"owner"_s, family.repository.section(u'/', 0, 0)},
        {u"repo"_s, family.repository.section(u'/', 1, 1)},
    };
}

/// "2" -> the first two, or fewer if there are not that many.
QVariantHash firstProducts(const QStringList &products)
{
    constexpr int most = 12;
    QVariantHash first;
    for (int count = 1; count <= most; ++count)
        first.insert(QString::number(count), products.first(std::min<qsizetype>(count, products.size())));
    return first;
}

QVariantHash gpuTable(const GpuRow &row, ArchNotation notation, bool companion)
{
    const bool sm = notation == ArchNotation::Sm;
    QVariantHash table{
        {u"sm_notation"_s, sm},
        {u"binding"_s, sm || !companion ? u"gpuArchSM"_s : u"gpuArchNum"_s},
        {u"platform"_s, row.platforms.value(0)},
        {u"id"_s, row.id},
        {u"generation"_s, inNixComment(row.generation)},
        {u"architecture"_s, inNixComment(row.generation).section(u' ', 0, 0)},
        {u"brief"_s, inNixComment(row.generation).replace("datacenter"_L1, "DC"_L1)},
        {u"title"_s, inNixComment(row.title())},
        {u"products"_s, row.products},
        {u"first"_s, firstProducts(row.products)},
        {u"lacks_cudnn"_s, row.isGpu() && !row.cudnn},
    };
    insertIfKnown(table, u"capability"_s, row.target());
    // Not for all GPUs: a template with a blank for them does not fit.
    insertIfKnown(table, u"number"_s, row.target().remove(u'.'));
    insertIfKnown(table, u"target"_s, sm && row.isGpu() ? "sm_"_L1 + row.target().remove(u'.') : row.target());
    insertIfKnown(table, u"first_torch"_s, row.firstTorch);
    return table;
}

QVariantHash cudaTable(const QString &version, const Profile &base, const Toolkit *toolkit)
{
    QVariantList patches;
    for (const PatchSource &patch : toolkit ? toolkit->magmaPatches : QList<PatchSource>())
        patches.append(QVariantHash{{u"name"_s, patch.name}, {u"url"_s, patch.url}, {u"hash"_s, patch.hash}});
    return {
        {u"version"_s, version},
        {u"release"_s, base.release},
        {u"major"_s, version.section(u'.', 0, 0)},
        {u"underscored"_s, QString(version).replace(u'.', u'_')},
        {u"compact"_s, QString(version).remove(u'.')},
        {u"attribute"_s, base.cudaAttribute},
        {u"lacks_clock_rate"_s, !patches.isEmpty()}, // MAGMA reads it; these patches solve that.
        {u"magma_patches"_s, patches},
        {u"moved_cccl"_s, compareVersions(version, u"13.0"_s) >= 0},
    };
}

QVariantHash familyTable(const Family &family, const Variant &variant, const QString &version,
                         const QString &torchVersion)
{
    return {
        {u"id"_s, family.id},
        {u"title"_s, inNixComment(family.title)},
        {u"release"_s, FamilyName::of(variant.family).release(version)},
        {u"paired"_s, FamilyName::of(torchFamilyOf(variant.family)).release(torchVersion)},
        {u"attribute"_s, family.attribute},
    };
}

/// The instruction set with the flags that the branch's recipes of the family have for it.
Isa isaFor(const Settings &settings, const Variant &variant, const Isa &isa)
{
    const auto own = settings.flags.constFind(FamilyName::of(variant.family).word + u' ' + isa.id);
    return own == settings.flags.cend() ? isa : withFlags(isa, *own);
}

QVariantHash isaTable(const Isa &isa)
{
    return {
        {u"id"_s, isa.id},
        {u"title"_s, inNixComment(isa.title)},
        {u"hardware"_s, inNixComment(isa.hardware)},
        {u"platform"_s, isa.platform},
        {u"machine"_s, isa.platform.startsWith("aarch64"_L1) ? u"AArch64"_s : u"x86-64"_s},
        {u"lacks_avx2"_s, isa.lacksAvx2},
        {u"flags"_s, flagRows(isa)},
    };
}

/// What is written into code as it is, and the forms that it must have.
QList<CodeValue> codeValues(const Variant &variant, const Profile &base, const Profile &torch, const QString &version,
                            const QStringList &pnames, bool declared)
{
    QList<CodeValue> values{
        {QT_TRANSLATE_NOOP("tmx::Tr", "Python"), variant.python, declared ? u"python3\\d{1,2}" : u"(python3\\d{1,2})?"},
        {QT_TRANSLATE_NOOP("tmx::Tr", "version"), version, u"([0-9A-Za-z][0-9A-Za-z.+-]*)?"},
        {QT_TRANSLATE_NOOP("tmx::Tr", "nixpkgs revision"), base.pin.revision, u"([0-9a-f]{40})?"},
        {QT_TRANSLATE_NOOP("tmx::Tr", "nixpkgs hash"), base.pin.sha256, u"[A-Za-z0-9+/=:-]*"},
        {QT_TRANSLATE_NOOP("tmx::Tr", "source hash"), base.sourceHash, u"[A-Za-z0-9+/=:-]*"},
        {QT_TRANSLATE_NOOP("tmx::Tr", "source hash"), torch.sourceHash, u"[A-Za-z0-9+/=:-]*"},
        {QT_TRANSLATE_NOOP("tmx::Tr", "version"), torch.version, u"([0-9A-Za-z][0-9A-Za-z.+-]*)?"},
    };
    for (const QString &pname : pnames)
        values.append({QT_TRANSLATE_NOOP("tmx::Tr", "pname"), pname, u"[A-Za-z0-9_.+-]*"});
    if (base.torchOrigin == TorchOrigin::Fetched) {
        values.append({QT_TRANSLATE_NOOP("tmx::Tr", "commit of the PyTorch recipes"), base.torchRepository.revision,
                       u"[0-9a-f]{40}"});
        values.append({QT_TRANSLATE_NOOP("tmx::Tr", "repository of the PyTorch recipes"),
                       base.torchRepository.archive(), u"https://[A-Za-z0-9_.~:/%+=-]+"});
        values.append({QT_TRANSLATE_NOOP("tmx::Tr", "hash of the PyTorch recipes"), base.torchRepository.sha256,
                       u"[A-Za-z0-9+/=:-]*"});
    }
    if (isGpuRow(variant.row)) {
        values.append({QT_TRANSLATE_NOOP("tmx::Tr", "CUDA version"), variant.cuda, u"\\d+\\.\\d+"});
        values.append({QT_TRANSLATE_NOOP("tmx::Tr", "CUDA release"), base.release, u"\\d+(\\.\\d+)*"});
        values.append(
            {QT_TRANSLATE_NOOP("tmx::Tr", "CUDA package set"), base.cudaAttribute, u"[A-Za-z_][A-Za-z0-9_'-]*"});
    }
    return values;
}

/// Why the catalog or the settings have no such row, instruction set or toolkit; empty if they have them. `declared`:
/// null for a family that the catalog does not know.
QString unknownCell(const Catalog &catalog, const Settings &settings, const Variant &variant, const Family *declared,
                    UnknownCells unknown)
{
    const bool isAllowed = unknown == UnknownCells::Allowed;
    if (!catalog.row(variant.row) && variant.row != everyGpu && !isAllowed)
        return Tr::tr("the catalog has no row \"%1\"").arg(variant.row);
    const Isa *isa = catalog.isa(variant.isa);
    if (!isa && !variant.isa.isEmpty() && !isAllowed)
        return Tr::tr("the catalog has no instruction set \"%1\"").arg(variant.isa);
    if (!isa && hasIsa(variant.row) && declared && !isAllowed)
        return variant.rest.isEmpty() ? Tr::tr("the templates of %1 need an instruction set").arg(declared->title)
                                      : Tr::tr("the catalog has no instruction set \"%1\"").arg(variant.rest);
    if (isGpuRow(variant.row) && variant.cuda.isEmpty())
        return Tr::tr("its name has no CUDA part");
    if (isGpuRow(variant.row) && !settings.toolkits().contains(variant.cuda))
        return Tr::tr("the settings of %1 have no CUDA %2").arg(settings.branch, variant.cuda);
    return {};
}

/// Error: the settings lack what the family's own source or a newer torch needs.
Result<void> checkSource(const Catalog &catalog, const Settings &settings, const Variant &variant, const Family &family,
                         const Profile &base, const Profile &torch, const QString &version)
{
    const auto failed = [&](const QString &why, const QString &remedy = {}) {
        return Error{Tr::tr("render"), variant.name(), why, remedy};
    };
    const bool isNewer = family.companion && isUpgraded(base, torch);
    if (isNewer && torch.version.isEmpty())
        return failed(Tr::tr("the settings of %1 have no version of PyTorch, which it needs").arg(settings.branch));
    if (!base.sourceHash.isEmpty() && catalog.family(variant.family) && family.repository.isEmpty())
        return failed(Tr::tr("the catalog does not say where the source of %1 is").arg(family.title));
    // The pin's own is made for the older torch, and its version differs from the settings'.
    if (isNewer && base.sourceHash.isEmpty() &&
        versionOfPin(catalog, torchVariantOf(variant).family, base.pin.revision) != torch.version)
        return failed(Tr::tr("the settings of %1 have a newer PyTorch than their nixpkgs, but no source hash of %2 %3")
                          .arg(settings.branch, family.title, version),
                      Tr::tr("Set hashes.%1.").arg(variant.family));
    return {};
}

} // namespace

const ContextTables::OfRow &ContextTables::of(const GpuRow &row, ArchNotation notation, const Family &family)
{
    OfRow &tables = m_rows[row.id + (notation == ArchNotation::Sm ? u'+' : u'-') + (family.companion ? u'+' : u'-')];
    if (tables.gpu.isEmpty()) {
        tables.gpu = gpuTable(row, notation, family.companion);
        tables.quoted = inNixQuotes(row.title());
        tables.generation = inNixIndented(row.generation);
        tables.products = inNixIndented(row.products.isEmpty() ? row.generation : row.products.join(", "_L1));
    }
    return tables;
}

const ContextTables::OfIsa &ContextTables::of(const Isa &isa)
{
    OfIsa &tables = m_isas[isa.id + isa.flags.join(u' ')];
    if (tables.isa.isEmpty())
        tables = {isaTable(isa), inNixQuotes(isa.title), inNixIndented(isa.title), inNixIndented(isa.hardware)};
    return tables;
}

bool ContextTables::hasForm(const QString &text, QStringView form)
{
    QSet<QString> &known = m_formed[form.toString()];
    if (known.contains(text))
        return true;
    const bool formed = tmx::hasForm(text, form);
    if (formed)
        known.insert(text);
    return formed;
}

Result<QVariantHash> recipeContext(const Catalog &catalog, const Settings &settings, const Variant &variant)
{
    ContextTables tables;
    return recipeContext(catalog, settings, variant, tables);
}

Result<QVariantHash> recipeContext(const Catalog &catalog, const Settings &settings, const Variant &variant,
                                   ContextTables &tables, UnknownCells unknown)
{
    const QString name = variant.name();
    const auto failed = [&](const QString &why) { return Error{Tr::tr("render"), name, why, {}}; };

    // All that is known of a family that nobody declared is its name.
    const FamilyName word = FamilyName::of(variant.family);
    const Family undeclared{.id = word.word, .title = word.word, .attribute = word.word};
    const Family *declared = catalog.family(variant.family);
    const Family *family = declared ? declared : &undeclared;
    const Profile base = settings.profileOf(variant);
    const Profile torch = settings.profileOf(torchVariantOf(variant));
    const QString paired = family->versionFor(torch.version);
    const QString known = base.version.isEmpty() && word.fits(paired) ? paired : base.version;
    // Only a source of its own needs a version; nixpkgs knows its own versions.
    if (known.isEmpty() && declared && (!base.sourceHash.isEmpty() || !settings.families().contains(variant.family)))
        return failed(Tr::tr("the settings of %1 have no version of %2").arg(settings.branch, family->title));
    const QString version = known.isEmpty() ? u"of this nixpkgs"_s : known;
    if (const QString why = unknownCell(catalog, settings, variant, declared, unknown); !why.isEmpty())
        return failed(why);
    const GpuRow unnamed{.id = variant.row};
    const GpuRow *row = catalog.row(variant.row);
    const Isa *isa = catalog.isa(variant.isa);
    const bool cuda = isGpuRow(variant.row);

    const QString pname = settings.pnameOf(variant);
    const QString torchPname = settings.pnameOf(torchVariantOf(variant));
    if (const auto error =
            checkForms(name, codeValues(variant, base, torch, known, {torchPname, pname}, declared), tables))
        return *error;
    TM_CHECK(checkSource(catalog, settings, variant, *family, base, torch, version));

    const Blas blas = catalog.blasOf(variant, base.blas);
    const ContextTables::OfRow &ofRow = tables.of(row ? *row : unnamed, settings.notationOf(variant), *family);
    QVariantHash context{
        {u"name"_s, name},
        {u"pname"_s, pname},
        {u"version"_s, version},
        {u"metadata_rev"_s, base.metadataRev > 0 ? QString::number(base.metadataRev) : QString()},
        {u"family"_s, familyTable(*family, variant, known, torch.version)},
        {u"python"_s, pythonTable(base, torch, variant.python)},
        {u"nixpkgs"_s, nixpkgsTable(base, cuda, blas)},
        {u"blas"_s, blasTable(blas)},
        {u"torch"_s, torchTable(torchVariantOf(variant).name(), torchPname, base, torch)},
        {u"source"_s, sourceTable(*family, base)},
        {u"gpu"_s, ofRow.gpu},
    };
    QVariantHash quoted{{u"family"_s, inNixQuotes(family->title)}, {u"gpu"_s, ofRow.quoted}};
    QVariantHash indented{
        {u"family"_s, inNixIndented(family->title)},
        {u"generation"_s, ofRow.generation},
        {u"products"_s, ofRow.products},
    };
    const QString driver = catalog.driverFloor(variant);
    insertIfKnown(context, u"driver"_s, driver);
    insertIfKnown(context, u"driver_major"_s, driver.section(u'.', 0, 0));
    if (isa) {
        const ContextTables::OfIsa &ofIsa = tables.of(isaFor(settings, variant, *isa));
        context.insert(u"isa"_s, ofIsa.isa);
        quoted.insert(u"isa"_s, ofIsa.quoted);
        indented.insert(u"isa"_s, ofIsa.indented);
        indented.insert(u"cpu_hardware"_s, ofIsa.hardware);
    }
    if (cuda)
        context.insert(u"cuda"_s, cudaTable(variant.cuda, base, catalog.toolkit(variant.cuda)));
    context.insert(u"quoted"_s, quoted);
    context.insert(u"indented"_s, indented);
    return context;
}

} // namespace tmx
