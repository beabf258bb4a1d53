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

using ByFamily = QMap<QString, SettingsValues>;

/// Replaces the values of a setting, by family.
void replace(ByFamily &families, const Setting &setting, const QHash<QString, QString> &values)
{
    for (SettingsValues &said : families)
        said.remove(setting.key);
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        if (!it->isEmpty() || setting.key == "version"_L1)
            families[it.key()].insert(setting.key, *it);
    }
    families.removeIf([](const auto &entry) { return entry.value().isEmpty(); });
}

/// A table of values by family. A family that nobody declared is known if the settings name their families: without
/// that list a slip of the pen in a version would add a family.
template <class Known>
void readByFamily(TomlTable &table, const Setting &setting, ByFamily &families, const Known &known,
                  TomlTable::Need need = TomlTable::Optional)
{
    const QByteArray key = setting.table.toLatin1();
    QHash<QString, QString> values;
    table.read(key.constData(), values, need, setting.form);
    if (!table.contains(key.constData()))
        return;
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        if (!known(it.key()))
            table.complain(key.constData(), Tr::tr("names \"%1\", which is not a family of the catalog").arg(it.key()));
    }
    replace(families, setting, values);
}

/// Templates are named "family/shape", so the names in a list say which family they are for.
void readTemplates(TomlTable &table, const QByteArray &key, const Setting &setting, ByFamily &families,
                   const Catalog &catalog)
{
    if (!table.contains(key.constData()))
        return;
    QStringList names;
    table.read(key.constData(), names, TomlTable::Optional, templateName);
    QHash<QString, QString> values;
    for (const QString &name : std::as_const(names)) {
        const QString family = name.section(u'/', 0, 0);
        if (!catalog.hasTemplate(name))
            table.complain(key.constData(), Tr::tr("names \"%1\", but there is no such template").arg(name));
        if (values.contains(family))
            table.complain(key.constData(), Tr::tr("names two templates of %1").arg(family));
        values.insert(family, name);
    }
    replace(families, setting, values);
}

/// Reads the value of a key that the table has.
QString readValue(TomlTable &table, const Setting &setting, QString value)
{
    const QByteArray key = setting.key.toLatin1();
    if (setting.most > 0) {
        int number = value.toInt();
        table.read(key.constData(), number, setting.most);
        return QString::number(number);
    }
    table.read(key.constData(), value, TomlTable::Optional, setting.form);
    if (!setting.words.isEmpty() && !setting.words.contains(value)) {
        table.complain(key.constData(),
                       Tr::tr("cannot be \"%1\"; it must be one of %2").arg(value, setting.words.join(u", "_s)));
        return setting.byDefault();
    }
    return value;
}

/// Reads keys of the top or of [[cuda]] over values that are there. Those that belonged to changed ones go.
template <class Select>
void readValues(TomlTable &table, SettingsValues &values, Select select)
{
    SettingsValues changed;
    for (const Setting &setting : settingsTable()) {
        if (!select(setting))
            continue;
        const QString before = values.value(setting.key, setting.byDefault());
        if (setting.isOutdatedBy(changed))
            values.remove(setting.key);
        if (table.contains(setting.key.toLatin1().constData()))
            setting.put(values, readValue(table, setting, before));
        if (values.value(setting.key, setting.byDefault()) != before)
            changed.insert(setting.key, {});
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

template <class Known>
WrittenCuda readCuda(TomlTable &table, const Catalog &catalog, const Known &known)
{
    WrittenCuda cuda;
    table.read("version", cuda.version, TomlTable::Required, pattern::version);
    cuda.values.insert(u"release"_s, cuda.version);
    const Toolkit *toolkit = catalog.toolkit(cuda.version);
    if (toolkit)
        cuda.values.insert(u"attribute"_s, toolkit->attribute);
    else if (QString attribute; !table.contains("attribute"))
        table.read("attribute", attribute, TomlTable::Required);
    readValues(table, cuda.values, [](const Setting &setting) {
        return setting.scope == Setting::Toolkit || setting.unit == "nixpkgs"_L1;
    });
    if (!cuda.values.contains(u"nixpkgs"_s) &&
        (cuda.values.contains(u"nixpkgs_sha256"_s) || cuda.values.contains(u"nixpkgs_python3"_s)))
        table.complain("nixpkgs", Tr::tr("is missing, but other keys describe that revision"));
    readTemplates(table, "templates", *settingOf(u"gpu_template"_s), cuda.families, catalog);
    for (const Setting &setting : settingsTable()) {
        if (setting.scope == Setting::Family)
            readByFamily(table, setting, cuda.families, known);
    }
    table.rejectUnread();
    return cuda;
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

void readFamilies(TomlTable &table, WrittenSettings &settings)
{
    table.read("families", settings.families, TomlTable::Optional);
    for (const QString &id : std::as_const(settings.families)) {
        if (!hasForm(id, pattern::family))
            table.complain("families", Tr::tr("names \"%1\", which cannot be a family").arg(id));
    }
}

WrittenProfile readProfile(TomlTable &table, const Catalog &catalog, const WrittenSettings &settings,
                           const QStringList &families)
{
    WrittenProfile profile;
    profile.where = readSelector(table, settings, families);
    for (const Setting &setting : settingsTable()) {
        if (setting.scope != Setting::Templates && table.contains(setting.key.toLatin1().constData()))
            profile.values.insert(setting.key, readValue(table, setting, setting.byDefault()));
    }
    if (const QString name = profile.values.value(u"template"_s); !name.isEmpty() && !catalog.hasTemplate(name))
        table.complain("template", Tr::tr("names \"%1\", but there is no such template").arg(name));
    table.rejectUnread();
    return profile;
}

/// Reads the toolkits; removes earlier values for toolkits that this file does not have.
void readCudas(QList<TomlTable> &cudas, WrittenSettings &settings, const Catalog &catalog,
               const std::function<bool(const QString &)> &knownFamily)
{
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
    settings.profiles.removeIf(
        [&gone](const WrittenProfile &said) { return std::ranges::any_of(said.where.builds, gone); });
    settings.coverage.removeIf(
        [&gone](const WrittenCoverage &said) { return std::ranges::any_of(said.where.builds, gone); });
}

/// Complains if what the source of torch needs is missing.
void checkTorchSource(TomlTable &table, const WrittenSettings &settings)
{
    const auto isStated = [&settings](const QString &key) {
        return !settings.value(key).isEmpty() ||
               std::ranges::any_of(settings.profiles,
                                   [&key](const WrittenProfile &said) { return said.values.contains(key); });
    };
    const QString source = settings.value(u"torch_source"_s);
    if (source == toString(TorchOrigin::Published) && !isStated(u"torch_catalog"_s))
        table.complain("torch_catalog", Tr::tr("is missing: it names the organisation that publishes torch"));
    const bool fetched = source == toString(TorchOrigin::Fetched);
    if (fetched && !isStated(u"torch_repository"_s))
        table.complain("torch_repository",
                       Tr::tr("is missing: it names the repository of the PyTorch recipes, \"OWNER/NAME\" or its URL"));
    if (fetched && !isStated(u"torch_rev"_s))
        table.complain("torch_rev", Tr::tr("is missing: it is the commit of torch_repository that is fetched"));
}

} // namespace

QList<IgnoredRule> readIgnored(TomlTable &table)
{
    QList<IgnoredRule> rules;
    for (TomlTable &entry : table.tables("ignore")) {
        IgnoredRule &ignored = rules.emplace_back();
        entry.read("rule", ignored.rule, TomlTable::Required);
        entry.read("recipes", ignored.recipes, TomlTable::Optional);
        entry.read("reason", ignored.reason, TomlTable::Required);
        entry.rejectUnread();
    }
    return rules;
}

void readSettings(TomlTable &table, WrittenSettings &settings, bool known, const Catalog &catalog)
{
    const auto need = known ? TomlTable::Optional : TomlTable::Required;
    // Recipes need not state a version: if the families are named, it may be unknown.
    readFamilies(table, settings);
    const auto knownFamily = [&](const QString &id) {
        return catalog.family(id) || (!settings.families.isEmpty() && hasForm(id, pattern::family));
    };
    readValues(table, settings.values, [](const Setting &setting) { return setting.scope == Setting::Branch; });
    for (const Setting &setting : settingsTable()) {
        if (setting.scope == Setting::Templates)
            readTemplates(table, setting.table.toLatin1(), setting, settings.ofFamilies, catalog);
        else if (setting.scope == Setting::Family)
            readByFamily(table, setting, settings.ofFamilies, knownFamily,
                         setting.key == "version"_L1 && !table.contains("families") ? need : TomlTable::Optional);
    }
    readPythons(table, settings.pythons, need, pattern::python);
    if (table.contains("pythons") && settings.pythons.isEmpty())
        table.complain("pythons", Tr::tr("is empty: a branch builds for at least one Python"));
    if (QList<TomlTable> cudas = table.tables("cuda"); !cudas.isEmpty())
        readCudas(cudas, settings, catalog, knownFamily);
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
    settings.ignored += readIgnored(table);
    checkTorchSource(table, settings);
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
