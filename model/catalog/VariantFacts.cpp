// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/VariantFacts.h"

#include "model/base/Tr.h"

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

QString useCaseOf(const GpuRow &row, const Isa *isa)
{
    if (row.id == "darwin-mps"_L1)
        return Tr::tr("Macs with Apple silicon.");
    if (!isa)
        return row.isGpu() ? row.title() + u'.' : QString();
    if (!row.isGpu())
        return Tr::tr("No GPU, %1: %2.").arg(isa->title, isa->useCase);
    if (!row.hostIsa.isEmpty()) // What is said of the instruction set is said of servers.
        return Tr::tr("%1 with %2.").arg(row.title(), isa->title);
    return Tr::tr("%1 with %2: %3.").arg(row.title(), isa->title, isa->useCase);
}

} // namespace

VariantFacts factsOf(const Catalog &catalog, const Settings &settings, const Variant &variant)
{
    VariantFacts facts;
    facts.name = variant.name();
    facts.cuda = variant.cuda;
    facts.pythonVersion = pythonVersion(variant.python);
    facts.frameworkVersion = settings.profileOf(variant).version;
    if (const Family *family = catalog.family(variant.family); family && facts.frameworkVersion.isEmpty()) {
        const QString paired = family->versionFor(settings.profileOf(torchVariantOf(variant)).version);
        facts.frameworkVersion = FamilyName::of(variant.family).fits(paired) ? paired : QString();
    }
    facts.buildCommand = "flox build "_L1 + facts.name;
    if (const QString floor = catalog.driverFloor(variant); !floor.isEmpty())
        facts.driver = Tr::tr("NVIDIA %1 or newer").arg(floor);

    const GpuRow *row = catalog.row(variant.row);
    const Isa *isa = catalog.isa(variant.isa);
    if (isa) {
        facts.cpu = isa->title;
        facts.cpuHardware = isa->hardware;
        facts.flags = isa->flags;
        facts.platform = isa->platform;
    } else if (row && variant.unknownIsa().isEmpty()) {
        facts.platform = row->platforms.value(0);
    }
    if (row) {
        facts.products = row->products;
        if (!row->hostIsa.isEmpty())
            facts.cpuHardware.clear(); // these boards have their own processor
        facts.useCase = useCaseOf(*row, isa);
        if (row->isGpu())
            facts.gpu = Tr::tr("%1 (%2, compute capability %3)").arg(row->generation, row->id, row->capability);
        else
            facts.gpu = row->id == "cpu"_L1 ? Tr::tr("None (CPU only)") : row->generation;
    }
    return facts;
}

} // namespace tmx
