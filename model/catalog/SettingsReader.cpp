// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"
#include "model/catalog/EntryReaders.h"
#include "model/catalog/WrittenSettings.h"
#include "model/toml/Patterns.h"
#include "model/toml/TomlTable.h"

#include <algorithm>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

constexpr QStringView templateName = u"[A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)+";
constexpr QStringView optionalTemplate = u"([A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)+)?";
constexpr QStringView optionalHash = u"(sha256-[A-Za-z0-9+/]{43}=)?";
constexpr QStringView pnamePrefix = u"[a-z][a-z0-9_]*";
constexpr QStringView optionalPrefix = u"([a-z][a-z0-9_]*)?";
constexpr QStringView pythonSet = uR"((python3\d{0,2}Packages)?)";
constexpr QStringView organisation = u"([A-Za-z0-9][A-Za-z0-9_-]*)?";
constexpr int maxMetadataRev = 1'000'000;

using ByFamily = QHash<QString, QString>;

/// A table of values by family. A family that nobody declared is known if the settings name their families: without
/// that list a slip of the pen in a version would add a family.
template <class Known>
void readByFamily(TomlTable &table, const char *key, ByFamily &value, QStringView pattern, const Known &known,
                  TomlTable::Need need = TomlTable::Optional)
{
    table.read(key, value, need, pattern);
    for (auto it = value.cbegin(); it != value.cend(); ++it) {
        if (!known(it.key()))
            table.complain(key, Tr::tr("names \"%1\", which is not a family of the catalog").arg(it.key()));
    }
}

/// Templates are named "family/shape", so the names in a list say which family they are for.
void readTemplates(TomlTable &table, const char *key, ByFamily &value, const Catalog &catalog)
{
    if (!table.contains(key))
        return;
    QStringList names;
    table.read(key, names, TomlTable::Optional, templateName);
    value.clear();
    for (const QString &name : std::as_const(names)) {
        const QString family = name.section(u'/', 0, 0);
        if (!catalog.hasTemplate(name))
            table.complain(key, Tr::tr("names \"%1\", but there is no such template").arg(name));
        if (value.contains(family))
            table.complain(key, Tr::tr("names two templates of %1").arg(family));
        value.insert(family, name);
    }
}

/// "none" stands for packages without Python.
void readPythons(TomlTable &table, QStringList &pythons, TomlTable::Need need, QStringView pattern = {})
{
    table.read("pythons", pythons, need, pattern);
    for (QString &python : pythons) {
        if (python == noneWord)
            python.clear();
    }
}

void readPin(TomlTable &table, NixpkgsPin &pin)
{
    const QString before = pin.revision;
    table.read("nixpkgs", pin.revision, TomlTable::Optional, pattern::optionalRevision);
    if (pin.revision != before)
        pin.sha256.clear(); // It belonged to another tarball.
    table.read("nixpkgs_sha256", pin.sha256, TomlTable::Optional, pattern::optionalTarballHash);
    table.read("nixpkgs_python3", pin.python3, TomlTable::Optional, uR"((python3\d{1,2})?)");
}

void readTorchRepository(TomlTable &table, TorchRepository &torch)
{
    const TorchRepository before = torch;
    table.read("torch_repository", torch.address, TomlTable::Optional, torchAddressForm);
    table.read("torch_rev", torch.revision, TomlTable::Optional, pattern::optionalRevision);
    if (torch != before)
        torch.sha256.clear(); // It belonged to another tarball.
    table.read("torch_sha256", torch.sha256, TomlTable::Optional, pattern::optionalTarballHash);
}

template <class Known>
WrittenCuda readCuda(TomlTable &table, const Catalog &catalog, const Known &known)
{
    WrittenCuda profile;
    table.read("version", profile.version, TomlTable::Required, pattern::version);
    profile.release = profile.version;
    table.read("release", profile.release, TomlTable::Optional, pattern::release);
    const Toolkit *toolkit = catalog.toolkit(profile.version);
    profile.attribute = toolkit ? toolkit->attribute : QString();
    table.read("attribute", profile.attribute, toolkit ? TomlTable::Optional : TomlTable::Required, pattern::attribute);
    readTemplates(table, "templates", profile.templates, catalog);
    readPin(table, profile.pin);
    if (profile.pin.revision.isEmpty() && !(profile.pin == NixpkgsPin{}))
        table.complain("nixpkgs", Tr::tr("is missing, but other keys describe that revision"));
    readByFamily(table, "versions", profile.versions, pattern::release, known);
    readByFamily(table, "hashes", profile.hashes, pattern::sourceHash, known);
    readByFamily(table, "pname_prefixes", profile.pnamePrefixes, u"[a-z][a-z0-9_]*", known);
    table.rejectUnread();
    return profile;
}

/// Reports and removes unknown ids, so that later counts and look-ups stay small.
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

/// Reads `families`, `pythons` and `builds`, restricted to those that the settings have.
ProfileSelector readSelector(TomlTable &table, const WrittenSettings &settings, const QStringList &families)
{
    ProfileSelector where;
    table.read("families", where.families, TomlTable::Optional);
    readPythons(table, where.pythons, TomlTable::Optional);
    table.read("builds", where.builds, TomlTable::Optional);
    keepKnown(
        table, "families", where.families, [&](const QString &id) { return families.contains(id); },
        Tr::tr("names \"%1\", which the branch does not build"));
    keepKnown(
        table, "pythons", where.pythons, [&](const QString &id) { return settings.pythons.contains(id); },
        Tr::tr("names \"%1\", which is not a Python of the branch"));
    keepKnown(
        table, "builds", where.builds,
        [&](const QString &id) { return settings.cuda(id) || id == "cpu"_L1 || id == "metal"_L1; },
        Tr::tr("names \"%1\", which is not a toolkit of the branch, \"cpu\" or \"metal\""));
    return where;
}

WrittenCoverage readCoverage(TomlTable &table, const Catalog &catalog, const WrittenSettings &settings)
{
    WrittenCoverage block;
    table.read("rows", block.rows, TomlTable::Required);
    table.read("isas", block.isas,
               block.rows == QStringList{u"darwin-mps"_s} ? TomlTable::Optional : TomlTable::Required);
    keepKnown(
        table, "rows", block.rows, [&](const QString &id) { return catalog.row(id) || id == everyGpu; },
        Tr::tr("names \"%1\", which is not a row of the catalog"));
    keepKnown(
        table, "isas", block.isas, [&](const QString &id) { return catalog.isa(id) || id == noneWord; },
        Tr::tr("names \"%1\", which is not an instruction set of the catalog"));
    table.read("rest", block.rest, TomlTable::Optional, u"[A-Za-z0-9_.+]+(-[A-Za-z0-9_.+]+)*");
    block.where = readSelector(table, settings, settings.promisedFamilies());
    // An older key for the toolkits among the builds. It does not affect rows without a GPU.
    QStringList cudas;
    table.read("cudas", cudas, TomlTable::Optional);
    keepKnown(
        table, "cudas", cudas, [&](const QString &id) { return settings.cuda(id); },
        Tr::tr("names \"%1\", which is not a toolkit of the branch"));
    if (!cudas.isEmpty())
        block.where.builds = cudas + QStringList{u"cpu"_s, u"metal"_s};
    table.rejectUnread();
    return block;
}

constexpr std::initializer_list<TorchOrigin> torchOrigins{TorchOrigin::InPlace, TorchOrigin::Sibling,
                                                          TorchOrigin::Published, TorchOrigin::Fetched};
constexpr std::initializer_list<Blas> blases{Blas::Default, Blas::OpenBlas, Blas::Mkl};
constexpr std::initializer_list<ArchNotation> notations{ArchNotation::Automatic, ArchNotation::Dotted,
                                                        ArchNotation::Sm};

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
    table.complain(key, Tr::tr("cannot be \"%1\"; it must be one of %2").arg(word, words.join(u", "_s)));
}

void readFamilies(TomlTable &table, WrittenSettings &settings)
{
    table.read("families", settings.families, TomlTable::Optional);
    for (const QString &id : std::as_const(settings.families)) {
        if (!hasForm(id, pattern::family))
            table.complain("families", Tr::tr("names \"%1\", which cannot be a family").arg(id));
    }
}

/// Reads an optional value.
template <class Value, class Read>
void readOptional(TomlTable &table, const char *key, std::optional<Value> &value, Read read)
{
    if (table.contains(key))
        read(value.emplace());
}
void readOptional(TomlTable &table, const char *key, std::optional<QString> &value, QStringView pattern)
{
    readOptional(table, key, value, [&](QString &text) { table.read(key, text, TomlTable::Optional, pattern); });
}

WrittenProfile readProfile(TomlTable &table, const Catalog &catalog, const WrittenSettings &settings,
                           const QStringList &families)
{
    WrittenProfile profile;
    profile.where = readSelector(table, settings, families);
    readOptional(table, "version", profile.version, pattern::optionalRelease);
    readOptional(table, "hash", profile.sourceHash, optionalHash);
    readOptional(table, "nixpkgs", profile.pin, [&](NixpkgsPin &pin) { readPin(table, pin); });
    readOptional(table, "attribute", profile.cudaAttribute, pattern::attribute);
    readOptional(table, "release", profile.release, pattern::release);
    readOptional(table, "python_set", profile.pythonSet, pythonSet);
    readOptional(table, "pname_prefix", profile.pnamePrefix, optionalPrefix);
    readOptional(table, "template", profile.templateName, optionalTemplate);
    if (const QString name = profile.templateName.value_or(QString()); !name.isEmpty() && !catalog.hasTemplate(name))
        table.complain("template", Tr::tr("names \"%1\", but there is no such template").arg(name));
    readOptional(table, "torch_source", profile.torchOrigin,
                 [&](TorchOrigin &value) { readWord(table, "torch_source", value, torchOrigins); });
    readOptional(table, "torch_catalog", profile.torchCatalog, organisation);
    readOptional(table, "torch_repository", profile.torchAddress, torchAddressForm);
    readOptional(table, "torch_rev", profile.torchRevision, pattern::optionalRevision);
    readOptional(table, "torch_sha256", profile.torchSha256, pattern::optionalTarballHash);
    readOptional(table, "blas", profile.blas, [&](Blas &value) { readWord(table, "blas", value, blases); });
    readOptional(table, "arch_notation", profile.notation,
                 [&](ArchNotation &value) { readWord(table, "arch_notation", value, notations); });
    readOptional(table, "metadata_rev", profile.metadataRev,
                 [&](int &value) { table.read("metadata_rev", value, maxMetadataRev); });
    table.rejectUnread();
    return profile;
}

} // namespace

void readSettings(TomlTable &table, WrittenSettings &settings, bool known, const Catalog &catalog)
{
    const auto need = known ? TomlTable::Optional : TomlTable::Required;
    // Recipes need not state a version: if the families are named, it may be unknown.
    readFamilies(table, settings);
    const auto knownFamily = [&](const QString &id) {
        return catalog.family(id) || (!settings.families.isEmpty() && hasForm(id, pattern::family));
    };
    readByFamily(table, "versions", settings.versions, pattern::optionalRelease, knownFamily,
                 table.contains("families") ? TomlTable::Optional : need);
    readPythons(table, settings.pythons, need, pattern::python);
    if (table.contains("pythons") && settings.pythons.isEmpty())
        table.complain("pythons", Tr::tr("is empty: a branch builds for at least one Python"));
    readPin(table, settings.pin);
    table.read("python_set", settings.pythonSet, TomlTable::Optional, pythonSet);
    readTemplates(table, "gpu_templates", settings.gpuTemplates, catalog);
    readTemplates(table, "cpu_templates", settings.cpuTemplates, catalog);
    readTemplates(table, "metal_templates", settings.metalTemplates, catalog);
    readByFamily(table, "pname_prefixes", settings.pnamePrefixes, pnamePrefix, knownFamily);
    readByFamily(table, "hashes", settings.hashes, pattern::sourceHash, knownFamily);
    readWord(table, "torch_source", settings.torchOrigin, torchOrigins);
    table.read("torch_catalog", settings.torchCatalog, TomlTable::Optional, organisation);
    readTorchRepository(table, settings.torchRepository);
    readWord(table, "blas", settings.blas, blases);
    readWord(table, "arch_notation", settings.archNotation, notations);
    table.read("metadata_rev", settings.metadataRev, maxMetadataRev);
    if (QList<TomlTable> cudas = table.tables("cuda"); !cudas.isEmpty()) {
        settings.cudas.clear();
        for (TomlTable &entry : cudas) {
            const WrittenCuda profile = readCuda(entry, catalog, knownFamily);
            if (settings.cuda(profile.version))
                entry.complain("version", Tr::tr("is given twice"));
            settings.cudas.append(profile);
        }
        const auto gone = [&settings](const QString &build) {
            return ProfileKey::isToolkit(build) && !settings.cuda(build);
        };
        // Removes earlier values for toolkits that this file does not have.
        settings.profiles.removeIf(
            [&gone](const WrittenProfile &said) { return std::ranges::any_of(said.where.builds, gone); });
        settings.coverage.removeIf(
            [&gone](const WrittenCoverage &said) { return std::ranges::any_of(said.where.builds, gone); });
    }
    const QStringList families = allFamilies(settings, catalog);
    if (families.isEmpty() && (table.contains("versions") || table.contains("families")))
        table.complain(table.contains("versions") ? "versions" : "families", Tr::tr("names no family to build"));
    if (QList<TomlTable> profiles = table.tables("profile"); !profiles.isEmpty()) {
        settings.profiles.clear();
        for (TomlTable &entry : profiles)
            settings.profiles.append(readProfile(entry, catalog, settings, families));
    }
    if (QList<TomlTable> blocks = table.tables("coverage"); !blocks.isEmpty()) {
        settings.coverage.clear();
        for (TomlTable &entry : blocks)
            settings.coverage.append(readCoverage(entry, catalog, settings));
    }
    const auto saidBySome = [&settings](std::optional<QString> WrittenProfile::*field) {
        return std::ranges::any_of(settings.profiles,
                                   [field](const WrittenProfile &said) { return (said.*field).has_value(); });
    };
    const bool published = settings.torchOrigin == TorchOrigin::Published;
    if (published && settings.torchCatalog.isEmpty() && !saidBySome(&WrittenProfile::torchCatalog))
        table.complain("torch_catalog", Tr::tr("is missing: it names the organisation that publishes torch"));
    const bool fetched = settings.torchOrigin == TorchOrigin::Fetched;
    if (fetched && settings.torchRepository.address.isEmpty() && !saidBySome(&WrittenProfile::torchAddress))
        table.complain("torch_repository",
                       Tr::tr("is missing: it names the repository of the PyTorch recipes, \"OWNER/NAME\" or its URL"));
    if (fetched && settings.torchRepository.revision.isEmpty() && !saidBySome(&WrittenProfile::torchRevision))
        table.complain("torch_rev", Tr::tr("is missing: it is the commit of torch_repository that is fetched"));
    if (const qint64 promised = settings.promisedAtMost(); promised > maxPromised) {
        table.complain("coverage", Tr::tr("lists %1 variants (pythons x toolkits x families x cells); the limit "
                                          "is %2")
                                       .arg(promised)
                                       .arg(maxPromised));
    }
    if (const qint64 profiles = families.size() * settings.pythons.size() * (settings.cudas.size() + 2);
        profiles > maxPromised) {
        table.complain(
            "pythons",
            Tr::tr("make %1 profiles with the families and toolkits; the limit is %2").arg(profiles).arg(maxPromised));
    }
}

} // namespace tmx
