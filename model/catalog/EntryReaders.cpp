// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/EntryReaders.h"

#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"
#include "model/toml/Patterns.h"
#include "model/toml/TomlTable.h"

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

constexpr QStringView optionalVersion = uR"(((0|[1-9]\d*)\.(0|[1-9]\d*))?)";
constexpr QStringView system = u"x86_64-linux|aarch64-linux|aarch64-darwin";
constexpr QStringView filled = uR"([^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*)";

TomlTable::Need needFor(bool known)
{
    return known ? TomlTable::Optional : TomlTable::Required;
}

} // namespace

void readEntry(TomlTable &table, GpuRow &row, bool known)
{
    const auto need = needFor(known);
    const bool gpu = row.id.startsWith("sm"_L1);
    table.read("generation", row.generation, need, filled);
    table.read("products", row.products, TomlTable::Optional, filled);
    table.read("names", row.names, TomlTable::Optional, filled);
    table.read("mistaken", row.mistaken, TomlTable::Optional, filled);
    table.read("superchips", row.superchips, TomlTable::Optional, filled);
    table.read("platforms", row.platforms, need, system);
    table.read("host_note", row.hostNote, TomlTable::Optional);
    table.read("host_isa", row.hostIsa, TomlTable::Optional);
    if (row.platforms.isEmpty() && table.contains("platforms"))
        table.complain("platforms", Tr::tr("must have at least one entry"));
    if (!gpu)
        return;
    table.read("capability", row.capability, need, uR"([1-9]\d?\.\d[a-z]?)");
    if (row.id != "sm"_L1 + QString(row.capability).remove(u'.'))
        table.complain("capability", Tr::tr("is not the one of %1").arg(row.id));
    table.read("first_cuda", row.firstCuda, need, pattern::version);
    table.read("last_cuda", row.lastCuda, TomlTable::Optional, optionalVersion);
    if (!row.lastCuda.isEmpty() && compareVersions(row.lastCuda, row.firstCuda) < 0)
        table.complain("last_cuda", Tr::tr("is older than first_cuda"));
    table.read("first_pytorch", row.firstTorch, TomlTable::Optional, optionalVersion);
    table.read("driver", row.driverFloor, TomlTable::Optional, pattern::optionalRelease);
    table.read("cudnn", row.cudnn);
    table.read("jetson", row.jetson);
}

void readEntry(TomlTable &table, Isa &isa, bool known)
{
    const auto need = needFor(known);
    table.read("title", isa.title, need, filled);
    table.read("platform", isa.platform, need, system);
    table.read("cpuinfo", isa.cpuinfo, need, u"[a-z0-9_]+");
    table.read("hardware", isa.hardware, need, filled);
    table.read("use_case", isa.useCase, need, filled);
    table.read("lacking", isa.lacking, TomlTable::Optional, filled);
    table.read("lacks_avx2", isa.lacksAvx2);
    QList<TomlTable> flags = table.tables("flags");
    if (flags.isEmpty()) {
        if (!known)
            table.complain("flags", Tr::tr("must have at least one entry"));
        return;
    }
    isa.flags.clear();
    isa.flagNotes.clear();
    for (TomlTable &entry : flags) {
        QString flag;
        QString note;
        entry.read("flag", flag, TomlTable::Required,
                   u"--?[A-Za-z0-9][A-Za-z0-9.,+=_-]*"); // It goes into a shell command without quotes.
        entry.read("note", note, TomlTable::Required, filled);
        entry.rejectUnread();
        isa.flags.append(flag);
        isa.flagNotes.append(note);
    }
}

void readEntry(TomlTable &table, Toolkit &toolkit, bool known)
{
    const auto need = needFor(known);
    table.read("own_driver", toolkit.ownDriver, need, pattern::release);
    table.read("compatible_driver", toolkit.compatibleDriver, need, pattern::release);
    table.read("attribute", toolkit.attribute, need, pattern::attribute);
    table.read("first_torch", toolkit.firstTorch, TomlTable::Optional, pattern::release);
    if (!table.contains("magma_patches"))
        return;
    toolkit.magmaPatches.clear();
    for (TomlTable &entry : table.tables("magma_patches")) {
        PatchSource patch;
        entry.read("name", patch.name, TomlTable::Required, u"[A-Za-z0-9][A-Za-z0-9._+-]*");
        entry.read("url", patch.url, TomlTable::Required, u"https://[A-Za-z0-9._~/%+-]+");
        entry.read("hash", patch.hash, TomlTable::Required, pattern::sourceHash);
        entry.rejectUnread();
        toolkit.magmaPatches.append(patch);
    }
}

void readEntry(TomlTable &table, Family &family, bool known)
{
    table.read("title", family.title, needFor(known), filled);
    if (!known) {
        family.attribute = family.id;
        // A new family only needs its two templates with these names.
        family.gpuTemplate = family.id + "/gpu"_L1;
        family.cpuTemplate = family.id + "/cpu"_L1;
        family.metalTemplate = family.id + "/darwin-mps"_L1;
    }
    table.read("attribute", family.attribute, TomlTable::Optional, pattern::attribute);
    table.read("companion", family.companion);
    table.read("repository", family.repository, TomlTable::Optional,
               u"([A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9][A-Za-z0-9_.-]*)?");
    table.read("versions", family.versions, TomlTable::Optional, pattern::release);
    const QString templates = family.id + "/[A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)*"_L1;
    table.read("gpu_template", family.gpuTemplate, TomlTable::Optional, templates);
    table.read("cpu_template", family.cpuTemplate, TomlTable::Optional, templates);
    table.read("metal_template", family.metalTemplate, TomlTable::Optional, templates);
}

void readEntry(TomlTable &table, CompileJob &job, bool)
{
    table.read("memory", job.memory, 1024);
    if (job.memory == 0)
        table.complain("memory", Tr::tr("must be a number of GB"));
}

} // namespace tmx
