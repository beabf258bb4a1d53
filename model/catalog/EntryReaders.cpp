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

constexpr QStringView templateName = u"[A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)+";
constexpr QStringView sourceHash = u"sha256-[A-Za-z0-9+/]{43}=";

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
        entry.read("flag", flag, TomlTable::Required,
                   u"--?[A-Za-z0-9][A-Za-z0-9.,+=_-]*"); // goes into a shell command as it is
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
    if (!known) {
        family.attribute = family.id;
        // A new family needs no more than its two templates under these names.
        family.gpuTemplate = family.id + "/gpu"_L1;
        family.cpuTemplate = family.id + "/cpu"_L1;
        family.metalTemplate = family.id + "/darwin-mps"_L1;
    }
    table.read("attribute", family.attribute, TomlTable::Optional, attribute);
    table.read("companion", family.companion);
    table.read("repository", family.repository, TomlTable::Optional,
               u"([A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9][A-Za-z0-9_.-]*)?");
    table.read("versions", family.versions, TomlTable::Optional, release);
    const QString templates = family.id + "/[A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)*"_L1;
    table.read("gpu_template", family.gpuTemplate, TomlTable::Optional, templates);
    table.read("cpu_template", family.cpuTemplate, TomlTable::Optional, templates);
    table.read("metal_template", family.metalTemplate, TomlTable::Optional, templates);
}

namespace {

using ByFamily = QHash<QString, QString>;

/// A table of values by family.
void readByFamily(TomlTable &table, const char *key, ByFamily &value, QStringView pattern, const Catalog &catalog,
                  TomlTable::Need need = TomlTable::Optional)
{
    table.read(key, value, need, pattern);
    for (auto it = value.cbegin(); it != value.cend(); ++it) {
        if (!catalog.family(it.key()))
            table.complain(key, Text::tr("names \"%1\", which is no family of the catalog").arg(it.key()));
    }
}

/// Templates are named "family/shape", so that a list of them says which family each is for.
void readTemplates(TomlTable &table, const char *key, ByFamily &value, const Catalog &catalog)
{
    if (!table.contains(key))
        return;
    QStringList names;
    table.read(key, names, TomlTable::Optional, templateName);
    value.clear();
    for (const QString &name : std::as_const(names)) {
        const QString family = name.section(u'/', 0, 0);
        if (!catalog.family(family))
            table.complain(key, Text::tr("names \"%1\", and \"%2\" is no family of the catalog").arg(name, family));
        else if (!catalog.hasTemplate(name))
            table.complain(key, Text::tr("names \"%1\", and there is no such template").arg(name));
        if (value.contains(family))
            table.complain(key, Text::tr("names two templates of %1").arg(family));
        value.insert(family, name);
    }
}

void readPin(TomlTable &table, NixpkgsPin &pin)
{
    const QString before = pin.revision;
    table.read("nixpkgs", pin.revision, TomlTable::Optional, u"([0-9a-f]{40})?");
    if (pin.revision != before)
        pin.sha256.clear(); // it was another tarball's
    table.read("nixpkgs_sha256", pin.sha256, TomlTable::Optional, u"[A-Za-z0-9+/=:-]*");
    table.read("nixpkgs_python3", pin.python3, TomlTable::Optional, uR"((python3\d{1,2})?)");
}

CudaProfile readCuda(TomlTable &table, const Catalog &catalog)
{
    CudaProfile profile;
    table.read("version", profile.version, TomlTable::Required, version);
    profile.release = profile.version;
    table.read("release", profile.release, TomlTable::Optional, release);
    const Toolkit *toolkit = catalog.toolkit(profile.version);
    profile.attribute = toolkit ? toolkit->attribute : QString();
    table.read("attribute", profile.attribute, toolkit ? TomlTable::Optional : TomlTable::Required, attribute);
    readTemplates(table, "templates", profile.templates, catalog);
    readPin(table, profile.pin);
    if (profile.pin.revision.isEmpty() && !(profile.pin == NixpkgsPin{}))
        table.complain("nixpkgs", Text::tr("is missing, and what is said of it would go to no revision"));
    readByFamily(table, "versions", profile.versions, release, catalog);
    readByFamily(table, "hashes", profile.hashes, sourceHash, catalog);
    readByFamily(table, "pname_prefixes", profile.pnamePrefixes, u"[a-z][a-z0-9_]*", catalog);
    table.rejectUnread();
    return profile;
}

/// Complains of ids that are not known, and takes them out: what is counted or looked up later stays small.
template <class Known>
void keepKnown(TomlTable &table, const char *key, QStringList &ids, Known known, const QString &why)
{
    ids.removeIf([&](const QString &id) {
        const bool unknown = !known(id);
        if (unknown)
            table.complain(key, why.arg(id));
        return unknown;
    });
}

CoverageBlock readCoverage(TomlTable &table, const Catalog &catalog, const Line &line)
{
    CoverageBlock block;
    table.read("rows", block.rows, TomlTable::Required);
    table.read("isas", block.isas,
               block.rows == QStringList{u"darwin-mps"_s} ? TomlTable::Optional : TomlTable::Required);
    table.read("families", block.families, TomlTable::Optional);
    table.read("cudas", block.cudas, TomlTable::Optional);
    const QStringList families = line.familyIds();
    keepKnown(
        table, "rows", block.rows, [&](const QString &id) { return catalog.row(id); },
        Text::tr("names \"%1\", which is no row of the catalog"));
    keepKnown(
        table, "isas", block.isas, [&](const QString &id) { return catalog.isa(id); },
        Text::tr("names \"%1\", which is no instruction set of the catalog"));
    keepKnown(
        table, "families", block.families, [&](const QString &id) { return families.contains(id); },
        Text::tr("names \"%1\", which the line does not build"));
    keepKnown(
        table, "cudas", block.cudas, [&](const QString &id) { return line.cuda(id); },
        Text::tr("names \"%1\", which is no toolkit of the line"));
    table.rejectUnread();
    return block;
}

template <class Enum>
void readWord(TomlTable &table, const char *key, Enum &value, std::initializer_list<Enum> all)
{
    QStringList words;
    for (const Enum each : all)
        words.append(toString(each));
    QString word = toString(value);
    table.read(key, word, TomlTable::Optional);
    for (const Enum each : all) {
        if (toString(each) == word) {
            value = each;
            return;
        }
    }
    table.complain(key, Text::tr("cannot be \"%1\", but %2").arg(word, words.join(u", "_s)));
}

void readFamilies(TomlTable &table, Line &line, const Catalog &catalog)
{
    table.read("families", line.families, TomlTable::Optional);
    for (const QString &id : std::as_const(line.families)) {
        const Family *family = catalog.family(id);
        if (!family) {
            table.complain("families", Text::tr("names \"%1\", which is no family of the catalog").arg(id));
            return;
        }
        // A companion's version follows from PyTorch's, where the catalog knows it.
        if (!line.versions.contains(id) && !family->versionFor(line.versions.value(u"pytorch"_s)).isEmpty())
            line.versions.insert(id, family->versionFor(line.versions.value(u"pytorch"_s)));
        if (!line.versions.contains(id))
            table.complain("families", Text::tr("names \"%1\", of which the line says no version").arg(id));
    }
    for (auto it = line.versions.cbegin(); it != line.versions.cend(); ++it) {
        const Family *family = catalog.family(it.key());
        if (family && family->companion && !line.versions.contains(u"pytorch"_s))
            table.complain("versions",
                           Text::tr("names %1 without the version of pytorch that it goes with").arg(it.key()));
    }
}

} // namespace

void readLine(TomlTable &table, Line &line, bool known, const Catalog &catalog)
{
    const auto need = known ? TomlTable::Optional : TomlTable::Required;
    readByFamily(table, "versions", line.versions, release, catalog, need);
    readFamilies(table, line, catalog);
    table.read("pythons", line.pythons, need, uR"(python3\d{1,2})");
    readPin(table, line.pin);
    readTemplates(table, "gpu_templates", line.gpuTemplates, catalog);
    readTemplates(table, "cpu_templates", line.cpuTemplates, catalog);
    readTemplates(table, "metal_templates", line.metalTemplates, catalog);
    readByFamily(table, "pname_prefixes", line.pnamePrefixes, u"[a-z][a-z0-9_]*", catalog);
    readByFamily(table, "hashes", line.hashes, sourceHash, catalog);
    readWord(table, "torch_source", line.torchOrigin,
             {TorchOrigin::InPlace, TorchOrigin::Sibling, TorchOrigin::Published});
    table.read("torch_catalog", line.torchCatalog, TomlTable::Optional, u"([A-Za-z0-9][A-Za-z0-9_-]*)?");
    if (line.torchOrigin == TorchOrigin::Published && line.torchCatalog.isEmpty())
        table.complain("torch_catalog", Text::tr("is missing: it names the organisation that publishes torch"));
    readWord(table, "arch_notation", line.archNotation,
             {ArchNotation::Automatic, ArchNotation::Dotted, ArchNotation::Sm});
    table.read("metadata_rev", line.metadataRev, 1'000'000);
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
            line.coverage.append(readCoverage(entry, catalog, line));
    }
    if (const qint64 promised = line.promisedAtMost(); promised > maxPromised) {
        table.complain("coverage", Text::tr("promises %1 variants: pythons, toolkits, families and cells multiply, and "
                                            "at most %2 are read")
                                       .arg(promised)
                                       .arg(maxPromised));
    }
}

} // namespace tmx
