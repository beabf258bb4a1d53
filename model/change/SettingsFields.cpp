// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SettingsFields.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

const QString SettingsFields::mixed = u"*"_s;

namespace {

/// The template of a family's GPU recipes: that of the settings, of all toolkits, or `mixed` if they differ.
QString gpuTemplateOf(const WrittenSettings &settings, const QString &family)
{
    QStringList templates;
    for (const WrittenCuda &cuda : settings.cudas)
        templates.append(cuda.templates.value(family, settings.gpuTemplates.value(family)));
    templates.removeDuplicates();
    return templates.isEmpty()     ? settings.gpuTemplates.value(family)
           : templates.size() == 1 ? templates.constFirst()
                                   : SettingsFields::mixed;
}

void setOrRemove(QHash<QString, QString> &values, const QString &key, const QString &value)
{
    if (value.isEmpty())
        values.remove(key);
    else
        values.insert(key, value);
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

const SettingsFields::Family &familyOf(const SettingsFields &fields, const QString &id)
{
    static const SettingsFields::Family none;
    const SettingsFields::Family *family = fields.family(id);
    return family ? *family : none;
}

SettingsFields::Toolkit toolkitOf(const QList<SettingsFields::Toolkit> &toolkits, const QString &version)
{
    const auto found = std::ranges::find(toolkits, version, &SettingsFields::Toolkit::version);
    return found == toolkits.end() ? SettingsFields::Toolkit{} : *found;
}

QList<WrittenCuda> profilesOf(const QList<WrittenCuda> &profiles, const SettingsFields &before,
                              const SettingsFields &now)
{
    QList<WrittenCuda> changed;
    for (const SettingsFields::Toolkit &toolkit : now.toolkits) {
        const auto known = std::ranges::find(profiles, toolkit.version, &WrittenCuda::version);
        WrittenCuda profile;
        if (known != profiles.end())
            profile = *known;
        else if (!profiles.isEmpty())
            profile.templates = profiles.constFirst().templates; // Rendered like the others.
        profile.version = toolkit.version;
        profile.release = toolkit.release;
        profile.attribute = toolkit.attribute;
        if (toolkit.pin != toolkitOf(before.toolkits, toolkit.version).pin)
            profile.pin = {toolkit.pin, {}, {}}; // Hash and Python belong to the old revision.
        changed.append(profile);
    }
    return changed;
}

} // namespace

const SettingsFields::Family *SettingsFields::family(const QString &id) const
{
    const auto found = std::ranges::find(families, id, &Family::id);
    return found == families.end() ? nullptr : &*found;
}

SettingsFields fieldsOf(const Catalog &catalog, const WrittenSettings &settings)
{
    SettingsFields fields;
    const QStringList built = settings.promisedFamilies();
    QStringList ids = catalog.familyIds();
    ids += built;
    ids.removeDuplicates();
    for (const QString &id : std::as_const(ids))
        fields.families.append({id, built.contains(id), settings.versions.value(id), settings.hashes.value(id),
                                gpuTemplateOf(settings, id), settings.cpuTemplates.value(id),
                                settings.pnamePrefixes.value(id)});
    for (const WrittenCuda &cuda : settings.cudas)
        fields.toolkits.append({cuda.version, cuda.release, cuda.attribute, cuda.pin.revision});
    fields.pythons = settings.pythons;
    fields.pin = settings.pin.revision;
    fields.pinHash = settings.pin.sha256;
    fields.torchOrigin = settings.torchOrigin;
    fields.torchCatalog = settings.torchCatalog;
    fields.torchRepository = settings.torchRepository;
    fields.blas = settings.blas;
    fields.notation = settings.archNotation;
    fields.metadataRev = settings.metadataRev;
    return fields;
}

SettingsFields fieldsOf(const Catalog &catalog, const Settings &settings)
{
    return fieldsOf(catalog, written(settings, catalog));
}

WrittenSettings withFields(WrittenSettings settings, const SettingsFields &before, const SettingsFields &now)
{
    if (now.toolkits != before.toolkits)
        settings.cudas = profilesOf(settings.cudas, before, now);
    const QStringList versioned = settings.versions.keys();
    for (const SettingsFields::Family &family : now.families) {
        const SettingsFields::Family &was = familyOf(before, family.id);
        for (const auto &[values, field] : {std::pair(&settings.versions, &SettingsFields::Family::version),
                                            std::pair(&settings.hashes, &SettingsFields::Family::hash),
                                            std::pair(&settings.gpuTemplates, &SettingsFields::Family::gpuTemplate),
                                            std::pair(&settings.cpuTemplates, &SettingsFields::Family::cpuTemplate),
                                            std::pair(&settings.pnamePrefixes, &SettingsFields::Family::pnamePrefix)}) {
            if (family.*field != was.*field)
                setOrRemove(*values, family.id, family.*field);
        }
        if (family.gpuTemplate != was.gpuTemplate) {
            for (WrittenCuda &cuda : settings.cudas)
                cuda.templates.remove(family.id); // The choice applies to every toolkit.
        }
    }
    if (builtOf(now) != builtOf(before) || settings.versions.keys() != versioned) {
        const QStringList built = builtOf(now);
        const QStringList keys = settings.versions.keys();
        settings.families = QSet(built.begin(), built.end()) == QSet(keys.begin(), keys.end()) ? QStringList() : built;
    }
    settings.pythons = now.pythons;
    if (now.pin != before.pin)
        settings.pin.python3.clear(); // It is unknown for another nixpkgs.
    settings.pin.revision = now.pin;
    settings.pin.sha256 = now.pinHash;
    settings.torchOrigin = now.torchOrigin;
    settings.torchCatalog = now.torchCatalog;
    settings.torchRepository = now.torchRepository;
    settings.blas = now.blas;
    settings.archNotation = now.notation;
    settings.metadataRev = now.metadataRev;
    return settings;
}

SettingsChange changeBetween(const SettingsFields &before, const SettingsFields &now)
{
    SettingsChange change;
    if (builtOf(now) != builtOf(before))
        change.keys.append({u"families"_s, builtOf(now).join(u", "_s)});
    for (const SettingsFields::Family &family : now.families) {
        const SettingsFields::Family &was = familyOf(before, family.id);
        if (family.version != was.version)
            change.versions.insert(family.id, family.version);
        if (family.gpuTemplate != was.gpuTemplate)
            change.gpuTemplates.insert(family.id, family.gpuTemplate);
        if (family.cpuTemplate != was.cpuTemplate)
            change.cpuTemplates.insert(family.id, family.cpuTemplate);
        if (family.pnamePrefix != was.pnamePrefix)
            change.keys.append({u"pname_prefixes."_s + family.id, family.pnamePrefix});
        // The hash of a version's source changes with the version automatically.
        if (!family.hash.isEmpty() && (family.hash != was.hash || family.version != was.version))
            change.hashes.insert(family.id, family.hash);
        else if (family.hash != was.hash && family.version == was.version)
            change.keys.append({u"hashes."_s + family.id, {}});
    }
    if (now.blas != before.blas)
        change.keys.append({u"blas"_s, toString(now.blas)});
    if (versionsOf(now.toolkits) != versionsOf(before.toolkits))
        change.cudas = versionsOf(now.toolkits);
    if (now.pythons != before.pythons)
        change.pythons = now.pythons;
    if (now.pin != before.pin)
        change.pin = now.pin;
    if (!now.pinHash.isEmpty() && (now.pinHash != before.pinHash || now.pin != before.pin))
        change.pinHash = now.pinHash;
    else if (now.pinHash != before.pinHash && now.pin == before.pin)
        change.keys.append({u"nixpkgs_sha256"_s, {}});
    return change;
}

namespace {

template <class T>
void keep(T &now, const T &before, const T &mine)
{
    if (mine != before)
        now = mine;
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
        const SettingsFields::Family &was = familyOf(before, family.id);
        const SettingsFields::Family &is = familyOf(mine, family.id);
        keep(family.built, was.built, is.built);
        for (const auto field :
             {&SettingsFields::Family::version, &SettingsFields::Family::hash, &SettingsFields::Family::gpuTemplate,
              &SettingsFields::Family::cpuTemplate, &SettingsFields::Family::pnamePrefix})
            keep(family.*field, was.*field, is.*field);
    }
    QList<SettingsFields::Toolkit> toolkits;
    for (const QString &version :
         keptOf(versionsOf(now.toolkits), versionsOf(before.toolkits), versionsOf(mine.toolkits))) {
        const auto there = std::ranges::find(now.toolkits, version, &SettingsFields::Toolkit::version);
        toolkits.append(there != now.toolkits.end() ? *there : toolkitOf(mine.toolkits, version));
    }
    now.toolkits = toolkits;
    now.pythons = keptOf(now.pythons, before.pythons, mine.pythons);
    keep(now.pin, before.pin, mine.pin);
    keep(now.pinHash, before.pinHash, mine.pinHash);
    keep(now.torchOrigin, before.torchOrigin, mine.torchOrigin);
    keep(now.torchCatalog, before.torchCatalog, mine.torchCatalog);
    keep(now.torchRepository, before.torchRepository, mine.torchRepository);
    keep(now.blas, before.blas, mine.blas);
    keep(now.notation, before.notation, mine.notation);
    keep(now.metadataRev, before.metadataRev, mine.metadataRev);
    return now;
}

} // namespace tmx
