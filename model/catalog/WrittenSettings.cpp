// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/WrittenSettings.h"

#include "model/catalog/Catalog.h"

#include <QSet>

#include <set>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

const QString cpu = u"cpu"_s;
const QString metal = u"metal"_s;
const QString pinUnit = u"nixpkgs"_s;

/// The builds of a file with these toolkits for which a setting exists.
QStringList buildsOf(const Setting &setting, const QStringList &toolkits)
{
    QStringList builds = toolkits + QStringList{cpu, metal};
    builds.removeIf([&setting](const QString &build) { return !setting.appliesTo({{}, {}, build}); });
    return builds;
}

/// The build of a row's cells; empty for toolkits.
QString buildOfRow(const QString &row)
{
    return isGpuRow(row) ? QString() : hasIsa(row) ? cpu : metal;
}

Profile startingProfile(const WrittenSettings &written, const Catalog &catalog, const ProfileKey &key)
{
    const WrittenCuda none;
    const WrittenCuda *found = written.cuda(key.build);
    const WrittenCuda &own = found ? *found : none;
    Profile profile;
    for (const SettingsValues &said :
         {written.values, own.values, written.ofFamilies.value(key.family), own.families.value(key.family)})
        apply(said, key, profile);
    const Family *family = catalog.family(key.family);
    if (profile.version.isEmpty() && family) { // A companion's version follows from PyTorch's if the catalog knows it.
        const QString torch = torchFamilyOf(key.family), version = u"version"_s;
        profile.version =
            family->versionFor(own.families.value(torch).value(version, written.ofFamily(torch, version)));
    }
    return profile;
}

void addCoverage(Settings &settings, const WrittenSettings &written, const Catalog &catalog)
{
    const QStringList promised = written.promisedFamilies();
    QMap<ProfileKey, QSet<GridCell>> cells;
    for (const WrittenCoverage &block : written.coverage) {
        for (auto it = settings.profiles.keyBegin(); it != settings.profiles.keyEnd(); ++it) {
            if (!block.where.matches(*it) || (block.where.families.isEmpty() && !promised.contains(it->family)))
                continue;
            for (const QString &row : block.rows) {
                if (const QString build = buildOfRow(row); build.isEmpty() ? !it->isCuda() : it->build != build)
                    continue;
                for (const QString &isa : hasIsa(row) ? block.isas : QStringList{QString()})
                    cells[*it].insert({row, isa == noneWord ? QString() : isa, block.rest});
            }
        }
    }
    for (auto it = settings.profiles.begin(); it != settings.profiles.end(); ++it)
        it->cells = catalog.inGridOrder(cells.value(it.key()));
}

/// A set of profiles as few selectors within the domains, where an empty list means all.
QList<ProfileSelector> selectorsOf(const std::set<ProfileKey> &keys, const ProfileSelector &domain)
{
    // Builds by family and Python, then Pythons with equal builds, then families with both equal.
    QMap<QString, QMap<QString, QStringList>> builds;
    for (const ProfileKey &key : keys)
        builds[key.family][key.python].append(key.build);
    QList<ProfileSelector> selectors;
    for (auto family = builds.cbegin(); family != builds.cend(); ++family) {
        QList<ProfileSelector> ofFamily;
        for (const QString &python : domain.pythons) {
            const QStringList here = family->value(python);
            if (here.isEmpty())
                continue;
            const auto same = std::ranges::find(ofFamily, here, &ProfileSelector::builds);
            if (same == ofFamily.end())
                ofFamily.append({{}, {python}, here});
            else
                same->pythons.append(python);
        }
        for (const ProfileSelector &one : std::as_const(ofFamily)) {
            const auto same = std::ranges::find_if(selectors, [&one](const ProfileSelector &other) {
                return other.pythons == one.pythons && other.builds == one.builds;
            });
            if (same == selectors.end())
                selectors.append({{family.key()}, one.pythons, one.builds});
            else
                same->families.append(family.key());
        }
    }
    for (ProfileSelector &selector : selectors) {
        if (selector.families == domain.families)
            selector.families.clear();
        if (selector.pythons == domain.pythons)
            selector.pythons.clear();
        if (selector.builds == domain.builds)
            selector.builds.clear();
    }
    return selectors;
}

bool listLess(const QStringList &a, const QStringList &b)
{
    return a.size() != b.size() ? a.size() < b.size() : std::ranges::lexicographical_compare(a, b);
}

bool selectorLess(const ProfileSelector &a, const ProfileSelector &b)
{
    for (const auto &list : {&ProfileSelector::families, &ProfileSelector::pythons, &ProfileSelector::builds}) {
        if (a.*list != b.*list)
            return listLess(a.*list, b.*list);
    }
    return false;
}

/// The values that the general part and the toolkits' parts do not express.
QList<WrittenProfile> profilesOf(const Settings &settings, const WrittenSettings &hoisted, const Catalog &catalog,
                                 const ProfileSelector &domain)
{
    QList<std::pair<WrittenProfile, std::set<ProfileKey>>> groups;
    for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
        const WrittenProfile said{{}, difference(it.key(), startingProfile(hoisted, catalog, it.key()), *it)};
        if (said.values.isEmpty())
            continue;
        const auto same = std::ranges::find(groups, said, &std::pair<WrittenProfile, std::set<ProfileKey>>::first);
        if (same == groups.end())
            groups.append({said, {it.key()}});
        else
            same->second.insert(it.key());
    }
    QList<WrittenProfile> profiles;
    for (const auto &[said, keys] : std::as_const(groups)) {
        for (const ProfileSelector &selector : selectorsOf(keys, domain)) {
            profiles.append(said);
            profiles.last().where = selector;
        }
    }
    std::ranges::stable_sort(profiles, selectorLess, &WrittenProfile::where);
    return profiles;
}

QList<WrittenCoverage> coverageOf(const Settings &settings, const Catalog &catalog, const ProfileSelector &domain)
{
    QHash<GridCell, std::set<ProfileKey>> keys;
    for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
        for (const GridCell &cell : it->cells)
            keys[cell].insert(it.key());
    }
    // For each selector and rest the ISAs of each row, then rows with equal ISAs combined.
    struct Scope {
        ProfileSelector where;
        QString rest;
        QList<std::pair<QString, QStringList>> rows;
    };
    QList<Scope> scopes;
    for (const GridCell &cell : catalog.inGridOrder(QSet<GridCell>(keys.keyBegin(), keys.keyEnd()))) {
        ProfileSelector here = domain;
        if (const QString build = buildOfRow(cell.row); !build.isEmpty())
            here.builds = {build};
        for (const ProfileSelector &selector : selectorsOf(keys.value(cell), here)) {
            auto scope = std::ranges::find_if(
                scopes, [&](const Scope &other) { return other.where == selector && other.rest == cell.rest; });
            if (scope == scopes.end())
                scope = scopes.insert(scopes.end(), {selector, cell.rest, {}});
            if (scope->rows.isEmpty() || scope->rows.constLast().first != cell.row)
                scope->rows.append({cell.row, {}});
            if (hasIsa(cell.row))
                scope->rows.last().second.append(cell.isa.isEmpty() ? noneWord.toString() : cell.isa);
        }
    }
    std::ranges::stable_sort(scopes, selectorLess, &Scope::where);
    QList<WrittenCoverage> coverage;
    for (const auto &[selector, rest, rows] : std::as_const(scopes)) {
        const qsizetype first = coverage.size();
        for (const auto &[row, isas] : rows) {
            const auto same = std::find_if(coverage.begin() + first, coverage.end(), [&](const WrittenCoverage &block) {
                return block.isas == isas && !isas.isEmpty();
            });
            if (same == coverage.end())
                coverage.append({{row}, isas, selector, rest});
            else
                same->rows.append(row);
        }
    }
    return coverage;
}

/// States what most profiles of the family have, with any toolkit and with each.
void hoistFamily(const Settings &settings, WrittenSettings &written, const QString &family, const QStringList &toolkits)
{
    // Of a toolkit, what differs from the general values; nullptr: the general values.
    const auto hoist = [&](const WrittenCuda *cuda) {
        SettingsValues said;
        Profile like;
        for (const Setting &setting : settingsTable()) {
            const bool isTemplate = setting.scope == Setting::Templates;
            if ((setting.scope != Setting::Family && !isTemplate) ||
                (cuda && isTemplate && !setting.appliesTo({{}, {}, cuda->version})))
                continue;
            const QStringList builds = cuda ? QStringList{cuda->version} : buildsOf(setting, toolkits);
            if (builds.isEmpty() && isTemplate)
                continue;
            const QString value =
                commonValue(settings, setting, {{family}, {}, isTemplate || cuda ? builds : QStringList()}, like);
            setting.set(like, value);
            // A file's list of templates tells their families by their names, which a family with a version shares.
            if (value.isEmpty() || (isTemplate && value.section(u'/', 0, 0) != family))
                continue;
            if (!cuda || setting.isOutdatedBy(said) || value != written.ofFamily(family, setting.key))
                said.insert(setting.key, value);
        }
        return said;
    };
    if (const SettingsValues said = hoist(nullptr); !said.isEmpty())
        written.ofFamilies.insert(family, said);
    for (WrittenCuda &cuda : written.cudas) {
        if (const SettingsValues said = hoist(&cuda); !said.isEmpty())
            cuda.families.insert(family, said);
    }
}

} // namespace

QStringList WrittenSettings::promisedFamilies() const
{
    if (!families.isEmpty())
        return families;
    return versioned();
}

QString WrittenSettings::value(const QString &key) const
{
    const Setting *setting = settingOf(key);
    return values.value(key, setting ? setting->byDefault() : QString());
}

QStringList WrittenSettings::versioned() const
{
    QStringList ids;
    for (auto it = ofFamilies.cbegin(); it != ofFamilies.cend(); ++it) {
        if (it->contains(u"version"_s))
            ids.append(it.key());
    }
    return ids;
}

const WrittenCuda *WrittenSettings::cuda(const QString &version) const
{
    const auto found = std::ranges::find(cudas, version, &WrittenCuda::version);
    return found == cudas.cend() ? nullptr : &*found;
}

qint64 WrittenSettings::promisedAtMost() const
{
    const auto count = [](const QStringList &some, qsizetype all) { return some.isEmpty() ? all : some.size(); };
    qint64 sum = 0;
    for (const WrittenCoverage &block : coverage) {
        qint64 cells = 0;
        const auto toolkits = block.where.builds.isEmpty()
                                  ? cudas.size()
                                  : std::ranges::count_if(block.where.builds, &ProfileKey::isToolkit);
        for (const QString &row : block.rows)
            cells += hasIsa(row) ? block.isas.size() * (buildOfRow(row).isEmpty() ? toolkits : 1) : 1;
        sum +=
            cells * count(block.where.pythons, pythons.size()) * count(block.where.families, promisedFamilies().size());
    }
    return sum;
}

QStringList allFamilies(const WrittenSettings &written, const Catalog &catalog)
{
    const QStringList stated = written.families + written.versioned();
    QStringList families = stated;
    for (const QString &id : stated) {
        const Family *family = catalog.family(id);
        if (family && family->companion)
            families.append(torchFamilyOf(id));
    }
    families.removeDuplicates();
    return families;
}

Settings expanded(const WrittenSettings &written, const Catalog &catalog, const QString &branch,
                  Settings::Source source)
{
    Settings settings;
    settings.branch = branch;
    settings.source = source;
    QStringList builds{cpu, metal};
    for (const WrittenCuda &cuda : written.cudas)
        builds.append(cuda.version);
    for (const QString &family : allFamilies(written, catalog)) {
        for (const QString &python : written.pythons) {
            for (const QString &build : std::as_const(builds)) {
                const ProfileKey key{family, python, build};
                Profile profile = startingProfile(written, catalog, key);
                for (const WrittenProfile &said : written.profiles) {
                    if (said.where.matches(key))
                        apply(said.values, key, profile);
                }
                settings.profiles.insert(key, profile);
            }
        }
    }
    addCoverage(settings, written, catalog);
    settings.ignored = written.ignored;
    return settings;
}

WrittenSettings written(const Settings &settings, const Catalog &catalog)
{
    WrittenSettings written;
    QStringList families;
    for (auto it = settings.profiles.keyBegin(); it != settings.profiles.keyEnd(); ++it) {
        if (!families.contains(it->family))
            families.append(it->family);
    }
    written.pythons = settings.pythons();
    const QStringList toolkits = settings.toolkits();
    Profile like;
    for (const Setting &setting : settingsTable()) {
        if (setting.scope != Setting::Branch)
            continue;
        const QString value = commonValue(settings, setting, {{}, {}, buildsOf(setting, toolkits)}, like);
        setting.set(like, value);
        setting.put(written.values, value);
    }
    for (const QString &toolkit : toolkits) {
        Profile own;
        const auto each = [](const auto &take) {
            for (const Setting &setting : settingsTable()) {
                if (setting.scope == Setting::Toolkit || setting.unit == pinUnit)
                    take(setting);
            }
        };
        each([&](const Setting &setting) {
            setting.set(own, commonValue(settings, setting, {{}, {}, {toolkit}}, own));
        });
        WrittenCuda cuda{toolkit, {}};
        const bool ownPin = !own.pin.revision.isEmpty() && own.pin != like.pin;
        each([&](const Setting &setting) {
            if (ownPin || setting.scope == Setting::Toolkit)
                setting.put(cuda.values, setting.value(own));
        });
        written.cudas.append(cuda);
    }
    const QStringList promised = settings.families();
    for (const QString &family : std::as_const(families))
        hoistFamily(settings, written, family, toolkits);
    for (const QString &family : std::as_const(families)) {
        if (!promised.contains(family) && !written.versioned().contains(family))
            written.ofFamilies[family].insert(u"version"_s, {}); // Its entry defines the family.
    }
    const bool declared = std::ranges::all_of(families, [&catalog](const QString &id) { return catalog.family(id); });
    if (promised != written.versioned() || !declared)
        written.families = promised;

    QStringList builds = toolkits + QStringList{cpu, metal};
    written.profiles = profilesOf(settings, written, catalog, {families, written.pythons, builds});
    written.coverage = coverageOf(settings, catalog, {promised, written.pythons, toolkits});
    written.ignored = settings.ignored;
    return written;
}

} // namespace tmx
