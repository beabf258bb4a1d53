// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/EntryReaders.h"

#include "model/catalog/Catalog.h"
#include "model/catalog/TomlTable.h"

#include <QCoreApplication>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::EntryReaders)
};

constexpr QStringView version = uR"((0|[1-9]\d*)\.(0|[1-9]\d*))";
constexpr QStringView optionalVersion = uR"(((0|[1-9]\d*)\.(0|[1-9]\d*))?)";
constexpr QStringView release = uR"((0|[1-9]\d*)(\.\d+)*)";
constexpr QStringView optionalRelease = uR"(((0|[1-9]\d*)(\.\d+)*)?)";
constexpr QStringView system = u"x86_64-linux|aarch64-linux|aarch64-darwin";
constexpr QStringView attribute = u"[A-Za-z_][A-Za-z0-9_'-]*";
constexpr QStringView filled = uR"([^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*)";
constexpr QStringView templateName = u"[A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)*";

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
    table.read("platforms", row.platforms, need, system);
    table.read("host_note", row.hostNote, TomlTable::Optional);
    if (row.platforms.isEmpty() && table.contains("platforms"))
        table.complain("platforms", Text::tr("must name one at least"));
    if (!gpu)
        return;
    table.read("capability", row.capability, need, uR"([1-9]\d?\.\d[a-z]?)");
    if (row.id != "sm"_L1 + QString(row.capability).remove(u'.'))
        table.complain("capability", Text::tr("is not the one of %1").arg(row.id));
    table.read("first_cuda", row.firstCuda, need, version);
    table.read("last_cuda", row.lastCuda, TomlTable::Optional, optionalVersion);
    if (!row.lastCuda.isEmpty() && compareVersions(row.lastCuda, row.firstCuda) < 0)
        table.complain("last_cuda", Text::tr("is older than first_cuda"));
    table.read("driver", row.driverFloor, TomlTable::Optional, optionalRelease);
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
    table.read("lacks_avx2", isa.lacksAvx2);
    QList<TomlTable> flags = table.tables("flags");
    if (flags.isEmpty()) {
        if (!known)
            table.complain("flags", Text::tr("must name one at least"));
        return;
    }
    isa.flags.clear();
    isa.flagNotes.clear();
    for (TomlTable &entry : flags) {
        QString flag;
        QString note;
        entry.read("flag", flag, TomlTable::Required, u"--?[A-Za-z0-9][A-Za-z0-9.,+=_-]*"); // goes into a shell command as it is
        entry.read("note", note, TomlTable::Required, filled);
        entry.rejectUnread();
        isa.flags.append(flag);
        isa.flagNotes.append(note);
    }
}

void readEntry(TomlTable &table, Toolkit &toolkit, bool known)
{
    const auto need = needFor(known);
    table.read("own_driver", toolkit.ownDriver, need, release);
    table.read("compatible_driver", toolkit.compatibleDriver, need, release);
    table.read("attribute", toolkit.attribute, need, attribute);
}

void readEntry(TomlTable &table, Family &family, bool known)
{
    table.read("title", family.title, needFor(known), filled);
}

namespace {

CudaProfile readCuda(TomlTable &table, const Catalog &catalog)
{
    CudaProfile profile;
    table.read("version", profile.version, TomlTable::Required, version);
    profile.release = profile.version;
    table.read("release", profile.release, TomlTable::Optional, release);
    const Toolkit *toolkit = catalog.toolkit(profile.version);
    profile.attribute = toolkit ? toolkit->attribute : QString();
    table.read("attribute", profile.attribute, toolkit ? TomlTable::Optional : TomlTable::Required, attribute);
    table.read("template", profile.templateName, TomlTable::Required, templateName);
    table.rejectUnread();
    return profile;
}

CoverageBlock readCoverage(TomlTable &table, const Catalog &catalog)
{
    CoverageBlock block;
    table.read("rows", block.rows, TomlTable::Required);
    for (const QString &row : std::as_const(block.rows)) {
        if (!catalog.row(row))
            table.complain("rows", Text::tr("names \"%1\", which is no row of the catalog").arg(row));
    }
    table.read("isas", block.isas, block.rows == QStringList{u"darwin-mps"_s} ? TomlTable::Optional : TomlTable::Required);
    for (const QString &isa : std::as_const(block.isas)) {
        if (!catalog.isa(isa))
            table.complain("isas", Text::tr("names \"%1\", which is no instruction set of the catalog").arg(isa));
    }
    table.rejectUnread();
    return block;
}

} // namespace

void readLine(TomlTable &table, Line &line, bool known, const Catalog &catalog)
{
    const auto need = needFor(known);
    table.read("versions", line.versions, need, release);
    for (auto it = line.versions.cbegin(); it != line.versions.cend(); ++it) {
        if (!catalog.family(it.key()))
            table.complain("versions", Text::tr("names \"%1\", which is no family of the catalog").arg(it.key()));
    }
    table.read("pythons", line.pythons, need, uR"(python3\d{1,2})");
    table.read("nixpkgs", line.pin, TomlTable::Optional, u"([0-9a-f]{40})?");
    table.read("nixpkgs_sha256", line.pinSha256, TomlTable::Optional, u"[A-Za-z0-9+/=:-]*");
    table.read("nixpkgs_python3", line.pinPython, TomlTable::Optional, uR"((python3\d{1,2})?)");
    table.read("cpu_template", line.cpuTemplate, TomlTable::Optional, templateName);
    table.read("pname_prefix", line.pnamePrefix, TomlTable::Optional, u"([a-z][a-z0-9_]*)?");
    table.read("torch_hash", line.torchHash, TomlTable::Optional, u"(sha256-[A-Za-z0-9+/]{43}=)?");
    if (QList<TomlTable> cudas = table.tables("cuda"); !cudas.isEmpty()) {
        line.cudas.clear();
        for (TomlTable &entry : cudas) {
            const CudaProfile profile = readCuda(entry, catalog);
            if (line.cuda(profile.version))
                entry.complain("version", Text::tr("is given twice"));
            line.cudas.append(profile);
        }
    }
    if (QList<TomlTable> blocks = table.tables("coverage"); !blocks.isEmpty()) {
        line.coverage.clear();
        for (TomlTable &entry : blocks)
            line.coverage.append(readCoverage(entry, catalog));
    }
}

} // namespace tmx
