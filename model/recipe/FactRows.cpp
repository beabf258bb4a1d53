// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Tr.h"
#include "model/recipe/RecipeFacts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

class Rows
{
public:
    explicit Rows(const QStringList &files)
        : m_files(files)
    {
    }

    void add(const QString &id, const QString &label, const QString &value, const Spot &spot, bool known = true)
    {
        if (!value.isEmpty())
            m_rows.append(
                {id, label, QString(value).replace(QChar(0x1a), u'?'), spot.line, m_files.value(spot.file - 1), known});
    }
    void add(const QString &id, const QString &label, const StatedText &text)
    {
        add(id, label, text.value, text.spot, text.known);
    }
    void add(const QString &id, const QString &label, const StatedList &list)
    {
        if (!list)
            return;
        // A computed item has no place in the file.
        const auto written =
            std::ranges::find_if(list.items, [](const StatedText &item) { return item.spot.line > 0; });
        add(id, label, list.values().join(u' '), written == list.items.end() ? list.spot : written->spot,
            list.known || list.notList);
    }
    void add(const QString &id, const QString &label, const StatedFlag &flag)
    {
        if (flag)
            add(id, label, !flag.known ? u"?"_s : flag.value ? u"true"_s : u"false"_s, flag.spot, flag.known);
    }

    [[nodiscard]] QList<Fact> take() { return std::move(m_rows); }

private:
    const QStringList &m_files;
    QList<Fact> m_rows;
};

/// A value in a row of several, which is read as a whole: what is not understood is a "?", not the text it has in Nix.
QString withName(const QString &name, const QString &value, bool known)
{
    return name + u'=' + (known || value.contains(QChar(0x1a)) ? value : u"?"_s);
}

QString joined(const QList<NamedText> &list)
{
    QStringList texts;
    for (const NamedText &item : list)
        texts.append(withName(item.name, item.value, item.known));
    return texts.join(u' ');
}

QString names(const QList<PatchFacts> &patches)
{
    QStringList names;
    for (const PatchFacts &patch : patches)
        names.append(patch.name);
    return names.join(u' ');
}

void addPins(Rows &rows, const RecipeFacts &facts)
{
    for (const PinFacts &pin : facts.pins) {
        rows.add(u"pin"_s, Tr::tr("nixpkgs"), pin.revision ? pin.revision : pin.url);
        rows.add(u"pin_sha256"_s, Tr::tr("nixpkgs sha256"), pin.sha256);
        QStringList config;
        for (const auto &[name, flag] : {std::pair("allowUnfree"_L1, pin.allowUnfree),
                                         {"allowBroken"_L1, pin.allowBroken},
                                         {"cudaSupport"_L1, pin.cudaSupport}}) {
            if (flag)
                config.append(name + (flag.known && flag.value ? "=true"_L1 : flag.known ? "=false"_L1 : "=?"_L1));
        }
        rows.add(u"config"_s, Tr::tr("nixpkgs config"), config.join(u' '), pin.settings);
    }
}

void addOverlays(Rows &rows, const RecipeFacts &facts, FactDetail detail)
{
    if (detail == FactDetail::Apart)
        rows.add(u"blas"_s, Tr::tr("BLAS"), facts.blas());
    for (const OverlayFacts &overlay : facts.overlays) {
        switch (overlay.kind) {
        case OverlayFacts::Kind::CudaSelection:
            rows.add(u"toolkit"_s, Tr::tr("CUDA package set"), overlay.value);
            break;
        case OverlayFacts::Kind::Magma:
            rows.add(u"magma_patch"_s, Tr::tr("MAGMA"),
                     overlay.patches.isEmpty() ? overlay.value.value : names(overlay.patches), overlay.spot);
            break;
        case OverlayFacts::Kind::Blas:
            if (detail == FactDetail::Joined)
                rows.add(u"blas"_s, Tr::tr("BLAS"), overlay.value);
            break;
        case OverlayFacts::Kind::Lapack: rows.add(u"lapack"_s, Tr::tr("LAPACK"), overlay.value); break;
        case OverlayFacts::Kind::Torch:
            rows.add(u"torch_overlay"_s, Tr::tr("torch overlay"), overlay.name, overlay.spot);
            rows.add(u"torch_version"_s, Tr::tr("torch version"), overlay.version);
            rows.add(u"torch_hash"_s, Tr::tr("torch hash"), overlay.src.hash);
            break;
        case OverlayFacts::Kind::Other: rows.add(u"overlay"_s, Tr::tr("overlay"), overlay.name, overlay.spot); break;
        }
    }
}

void addEnvironment(Rows &rows, const PackageFacts &package, FactDetail detail)
{
    QStringList texts;
    Spot first;
    for (const VariableFact &variable : package.environment) {
        // Their flags are separate facts; their other content does not concern the variant.
        if (variable.name == "CXXFLAGS"_L1 || variable.name == "CFLAGS"_L1 || variable.isArray)
            continue;
        if (texts.isEmpty())
            first = variable.spot;
        if (detail == FactDetail::Joined)
            texts.append(withName(variable.name, variable.value, variable.known));
        else if (&variable == package.variable(variable.name)) // The last of several settings applies.
            rows.add(u"environment."_s + variable.name, variable.name,
                     variable.value.isEmpty() ? u"\"\""_s : variable.value, variable.spot);
    }
    if (!texts.isEmpty())
        rows.add(u"environment"_s, Tr::tr("environment"), texts.join(u' '), first);
}

void addTorch(Rows &rows, const TorchSource &torch)
{
    QString source;
    switch (torch.kind) {
    case TorchSource::Kind::NotStated: return;
    case TorchSource::Kind::Built: source = Tr::tr("built in this file"); break;
    case TorchSource::Kind::Sibling: source = u"./"_s + torch.file; break;
    case TorchSource::Kind::Published: source = u"catalogs."_s + torch.file; break;
    case TorchSource::Kind::Fetched: source = u"%1 of %2"_s.arg(torch.path, torch.archive.value); break;
    case TorchSource::Kind::Other: source = Tr::tr("something else"); break;
    }
    rows.add(u"torch_source"_s, Tr::tr("its torch"), source, torch.spot);
    if (torch.package) {
        rows.add(u"torch_targets"_s, Tr::tr("its torch's GPU targets"), torch.package->gpuTargets);
        rows.add(u"torch_flags"_s, Tr::tr("its torch's CPU flags"), torch.package->cxxFlags);
    }
}

} // namespace

QList<Fact> RecipeFacts::rows(FactDetail detail) const
{
    Rows rows(files);
    if (error)
        rows.add(u"error"_s, Tr::tr("error"), error->message, error->spot);
    addPins(rows, *this);
    addOverlays(rows, *this, detail);
    const QString set = package.packageSet ? package.packageSet.value + u'.' : QString();
    rows.add(u"attribute"_s, Tr::tr("base"),
             package.builder     ? package.builder.value
             : package.attribute ? set + package.attribute.value
                                 : QString(),
             package.builder ? package.builder.spot : package.attribute.spot);
    // Of the library that the package wraps, if the file builds that: those facts are the recipe's.
    const PackageFacts &built = compiled();
    rows.add(u"cuda_support"_s, Tr::tr("CUDA support"), built.cudaSupport);
    if (const StatedText flag = definitionOf(built.cmakeFlags, u"CMAKE_CUDA_ARCHITECTURES"); flag && !built.gpuTargets)
        rows.add(u"gpu_targets"_s, Tr::tr("GPU targets"), flag);
    else
        rows.add(u"gpu_targets"_s, Tr::tr("GPU targets"),
                 built.gpuTargets || pins.isEmpty() ? built.gpuTargets : pins.constFirst().cudaCapabilities);
    rows.add(u"cpu_flags"_s, Tr::tr("CPU flags"), built.cxxFlags);
    rows.add(u"cmake_flags"_s, Tr::tr("CMake flags"), built.cmakeFlags);
    addEnvironment(rows, built, detail);
    rows.add(u"version"_s, Tr::tr("version"), package.version ? package.version : built.version);
    rows.add(u"pname"_s, Tr::tr("pname"), package.pname);
    if (detail == FactDetail::Apart) {
        for (const NamedText &attribute : package.passthru)
            rows.add(u"passthru."_s + attribute.name, u"passthru."_s + attribute.name, attribute.value, attribute.spot);
    } else if (!package.passthru.isEmpty())
        rows.add(u"passthru"_s, Tr::tr("passthru"), joined(package.passthru), package.passthru.constFirst().spot);
    rows.add(u"platforms"_s, Tr::tr("platforms"), package.platforms);
    rows.add(u"description"_s, Tr::tr("description"), package.description);
    rows.add(u"driver"_s, Tr::tr("driver"), package.driver);
    addTorch(rows, torch);
    rows.add(u"metadata_rev"_s, Tr::tr("metadata revision"), package.metadataRevision);
    return rows.take();
}

} // namespace tmx
