// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SettingsFields.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

const QString SettingsFields::mixed = u"*"_s;

namespace {

/// The values of a family: those for all toolkits, and the template of its GPU recipes.
SettingsValues valuesOf(const WrittenSettings &settings, const QString &family)
{
    const QString gpu = u"gpu_template"_s;
    SettingsValues values = settings.ofFamilies.value(family);
    QStringList templates;
    for (const WrittenCuda &cuda : settings.cudas)
        templates.append(cuda.families.value(family).value(gpu, values.value(gpu)));
    templates.removeDuplicates();
    if (!templates.isEmpty())
        settingOf(gpu)->put(values, templates.size() == 1 ? templates.constFirst() : SettingsFields::mixed);
    return values;
}

bool isOfFamily(const Setting &setting)
{
    return setting.scope == Setting::Family || setting.scope == Setting::Templates;
}

QStringList builtOf(const SettingsFields &fields)
{
    QStringList ids;
    for (const SettingsFields::Family &family : fields.families) {
        if (family.built)
            ids.append(family.id);
    }
    return ids;
}

QStringList versionsOf(const QList<SettingsFields::Toolkit> &toolkits)
{
    QStringList versions;
    for (const SettingsFields::Toolkit &toolkit : toolkits)
        versions.append(toolkit.version);
    return versions;
}

QList<WrittenCuda> cudasOf(const QList<WrittenCuda> &before, const SettingsFields &now)
{
    QList<WrittenCuda> cudas;
    for (const SettingsFields::Toolkit &toolkit : now.toolkits) {
        const auto known = std::ranges::find(before, toolkit.version, &WrittenCuda::version);
        WrittenCuda cuda{toolkit.version, {}};
        if (known != before.end()) {
            cuda = *known;
        } else if (!before.isEmpty()) { // Rendered like the others.
            const QString gpu = u"gpu_template"_s;
            for (auto it = before.constFirst().families.cbegin(); it != before.constFirst().families.cend(); ++it) {
                if (it->contains(gpu))
                    cuda.families[it.key()].insert(gpu, it->value(gpu));
            }
        }
        cuda.values = toolkit.values;
        cudas.append(cuda);
    }
    return cudas;
}

} // namespace

SettingsFields::Family SettingsFields::family(const QString &id) const
{
    const auto found = std::ranges::find(families, id, &Family::id);
    return found == families.end() ? Family{} : *found;
}

SettingsFields::Toolkit SettingsFields::toolkit(const QString &version) const
{
    const auto found = std::ranges::find(toolkits, version, &Toolkit::version);
    return found == toolkits.end() ? Toolkit{} : *found;
}

SettingsFields fieldsOf(const Catalog &catalog, const WrittenSettings &settings)
{
    SettingsFields fields;
    const QStringList built = settings.promisedFamilies();
    QStringList ids = catalog.familyIds();
    ids += built;
    ids.removeDuplicates();
    for (const QString &id : std::as_const(ids))
        fields.families.append({id, built.contains(id), valuesOf(settings, id)});
    for (const WrittenCuda &cuda : settings.cudas)
        fields.toolkits.append({cuda.version, cuda.values});
    fields.pythons = settings.pythons;
    fields.values = settings.values;
    return fields;
}

SettingsFields fieldsOf(const Catalog &catalog, const Settings &settings)
{
    return fieldsOf(catalog, written(settings, catalog));
}

WrittenSettings withFields(WrittenSettings settings, const SettingsFields &before, const SettingsFields &now)
{
    if (now.toolkits != before.toolkits)
        settings.cudas = cudasOf(settings.cudas, now);
    const QStringList versioned = settings.versioned();
    const auto put = [](QMap<QString, SettingsValues> &families, const QString &id, const Setting &setting,
                        const QString &value) {
        setting.put(families[id], value);
        families.removeIf([](const auto &entry) { return entry.value().isEmpty(); });
    };
    for (const SettingsFields::Family &family : now.families) {
        const SettingsValues was = before.family(family.id).values;
        for (const Setting &setting : settingsTable()) {
            const QString value = family.values.value(setting.key);
            if (!isOfFamily(setting) || value == was.value(setting.key))
                continue;
            put(settings.ofFamilies, family.id, setting, value);
            for (WrittenCuda &cuda : settings.cudas) {
                if (setting.scope == Setting::Templates)
                    put(cuda.families, family.id, setting, {}); // The choice applies to every toolkit.
            }
        }
    }
    if (builtOf(now) != builtOf(before) || settings.versioned() != versioned) {
        const QStringList built = builtOf(now);
        const QStringList keys = settings.versioned();
        settings.families = QSet(built.begin(), built.end()) == QSet(keys.begin(), keys.end()) ? QStringList() : built;
    }
    settings.pythons = now.pythons;
    settings.values = now.values;
    return settings;
}

SettingsChange changeBetween(const SettingsFields &before, const SettingsFields &now)
{
    SettingsChange change;
    if (builtOf(now) != builtOf(before))
        change.keys.append({u"families"_s, builtOf(now).join(u", "_s)});
    for (const SettingsFields::Family &family : now.families) {
        const SettingsValues was = before.family(family.id).values;
        const auto differs = [&](const QString &key) { return family.values.value(key) != was.value(key); };
        const auto value = [&](const QString &key) { return family.values.value(key); };
        const QString version = u"version"_s, hash = u"hash"_s;
        if (differs(version))
            change.versions.insert(family.id, value(version));
        if (differs(u"gpu_template"_s))
            change.gpuTemplates.insert(family.id, value(u"gpu_template"_s));
        if (differs(u"cpu_template"_s))
            change.cpuTemplates.insert(family.id, value(u"cpu_template"_s));
        if (differs(u"pname_prefix"_s))
            change.keys.append({u"pname_prefixes."_s + family.id, value(u"pname_prefix"_s)});
        // The hash of a version's source changes with the version automatically.
        if (!value(hash).isEmpty() && (differs(hash) || differs(version)))
            change.hashes.insert(family.id, value(hash));
        else if (differs(hash) && !differs(version))
            change.keys.append({u"hashes."_s + family.id, {}});
    }
    const auto value = [&now](const QString &key) { return now.values.value(key); };
    const auto differs = [&](const QString &key) { return value(key) != before.values.value(key); };
    const QString blas = u"blas"_s, pin = u"nixpkgs"_s, pinHash = u"nixpkgs_sha256"_s;
    if (differs(blas))
        change.keys.append({blas, now.values.value(blas, settingOf(blas)->byDefault())});
    if (versionsOf(now.toolkits) != versionsOf(before.toolkits))
        change.cudas = versionsOf(now.toolkits);
    if (now.pythons != before.pythons)
        change.pythons = now.pythons;
    if (differs(pin))
        change.pin = value(pin);
    if (!value(pinHash).isEmpty() && (differs(pinHash) || differs(pin)))
        change.pinHash = value(pinHash);
    else if (differs(pinHash) && !differs(pin))
        change.keys.append({pinHash, {}});
    return change;
}

namespace {

/// Takes what `mine` changed.
void keep(SettingsValues &now, const SettingsValues &before, const SettingsValues &mine)
{
    for (const Setting &setting : settingsTable()) {
        if (mine.value(setting.key) != before.value(setting.key))
            setting.put(now, mine.value(setting.key, setting.byDefault()));
    }
}

/// In the order of `now`; added ones come last.
QStringList keptOf(const QStringList &now, const QStringList &before, const QStringList &mine)
{
    QStringList kept;
    for (const QString &id : now + mine) {
        const bool mineNow = mine.contains(id);
        const bool there = mineNow == before.contains(id) ? now.contains(id) : mineNow;
        if (there && !kept.contains(id))
            kept.append(id);
    }
    return kept;
}

} // namespace

SettingsFields rebased(const SettingsFields &mine, const SettingsFields &before, SettingsFields now)
{
    for (SettingsFields::Family &family : now.families) {
        const SettingsFields::Family was = before.family(family.id);
        const SettingsFields::Family is = mine.family(family.id);
        if (is.built != was.built)
            family.built = is.built;
        keep(family.values, was.values, is.values);
    }
    QList<SettingsFields::Toolkit> toolkits;
    for (const QString &version :
         keptOf(versionsOf(now.toolkits), versionsOf(before.toolkits), versionsOf(mine.toolkits))) {
        const SettingsFields::Toolkit there = now.toolkit(version);
        toolkits.append(there.version.isEmpty() ? mine.toolkit(version) : there);
    }
    now.toolkits = toolkits;
    now.pythons = keptOf(now.pythons, before.pythons, mine.pythons);
    keep(now.values, before.values, mine.values);
    return now;
}

} // namespace tmx
