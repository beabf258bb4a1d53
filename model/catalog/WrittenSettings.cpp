// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/WrittenSettings.h"

#include "model/catalog/Catalog.h"

#include <QSet>

#include <set>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

using ByFamily = QHash<QString, QString>;

const QString cpu = u"cpu"_s;
const QString metal = u"metal"_s;

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
    const auto pick = [&key](const ByFamily &first, const ByFamily &second) {
        return first.contains(key.family) ? first.value(key.family) : second.value(key.family);
    };
    const auto pickTorch = [torch = torchFamilyOf(key.family)](const ByFamily &first, const ByFamily &second) {
        return first.value(torch, second.value(torch));
    };
    Profile profile;
    profile.version = pick(own.versions, written.versions);
    const Family *family = catalog.family(key.family);
    if (profile.version.isEmpty() && family) // A companion's version follows from PyTorch's if the catalog knows it.
        profile.version = family->versionFor(pickTorch(own.versions, written.versions));
    // A hash belongs to one version: the general one does not apply to another version of a toolkit.
    profile.sourceHash =
        own.versions.contains(key.family) ? own.hashes.value(key.family) : pick(own.hashes, written.hashes);
    profile.pin = own.pin.revision.isEmpty() ? written.pin : own.pin;
    profile.cudaAttribute = own.attribute;
    profile.release = own.release;
    profile.pythonSet = written.pythonSet;
    profile.pnamePrefix = pick(own.pnamePrefixes, written.pnamePrefixes);
    profile.templateName = key.isCuda()       ? pick(own.templates, written.gpuTemplates)
                           : key.build == cpu ? written.cpuTemplates.value(key.family)
                                              : written.metalTemplates.value(key.family);
    profile.torchOrigin = written.torchOrigin;
    profile.torchCatalog = written.torchCatalog;
    profile.torchRepository = written.torchRepository;
    profile.blas = key.build == metal ? Blas::Default : written.blas;
    profile.notation = written.archNotation;
    profile.metadataRev = written.metadataRev;
    return profile;
}

void apply(const WrittenProfile &said, Profile &profile)
{
    const auto take = [](auto &value, const auto &other) {
        if (other)
            value = *other;
    };
    if (said.version)
        profile.sourceHash.clear();
    take(profile.version, said.version);
    take(profile.sourceHash, said.sourceHash);
    take(profile.pin, said.pin);
    take(profile.cudaAttribute, said.cudaAttribute);
    take(profile.release, said.release);
    take(profile.pythonSet, said.pythonSet);
    take(profile.pnamePrefix, said.pnamePrefix);
    take(profile.templateName, said.templateName);
    take(profile.torchOrigin, said.torchOrigin);
    take(profile.torchCatalog, said.torchCatalog);
    if (said.torchAddress || said.torchRevision)
        profile.torchRepository.sha256.clear(); // A hash belongs to one tarball.
    take(profile.torchRepository.address, said.torchAddress);
    take(profile.torchRepository.revision, said.torchRevision);
    take(profile.torchRepository.sha256, said.torchSha256);
    take(profile.blas, said.blas);
    take(profile.notation, said.notation);
    take(profile.metadataRev, said.metadataRev);
}

/// The entries that turn a profile into `wanted`.
WrittenProfile difference(const Profile &now, const Profile &wanted)
{
    WrittenProfile said;
    const auto put = [](auto &value, const auto &before, const auto &after) {
        if (before != after)
            value = after;
    };
    put(said.version, now.version, wanted.version);
    put(said.sourceHash, said.version ? QString() : now.sourceHash, wanted.sourceHash);
    put(said.pin, now.pin, wanted.pin);
    put(said.cudaAttribute, now.cudaAttribute, wanted.cudaAttribute);
    put(said.release, now.release, wanted.release);
    put(said.pythonSet, now.pythonSet, wanted.pythonSet);
    put(said.pnamePrefix, now.pnamePrefix, wanted.pnamePrefix);
    put(said.templateName, now.templateName, wanted.templateName);
    put(said.torchOrigin, now.torchOrigin, wanted.torchOrigin);
    put(said.torchCatalog, now.torchCatalog, wanted.torchCatalog);
    const TorchRepository &torch = now.torchRepository;
    put(said.torchAddress, torch.address, wanted.torchRepository.address);
    put(said.torchRevision, torch.revision, wanted.torchRepository.revision);
    put(said.torchSha256, said.torchAddress || said.torchRevision ? QString() : torch.sha256,
        wanted.torchRepository.sha256);
    put(said.blas, now.blas, wanted.blas);
    put(said.notation, now.notation, wanted.notation);
    put(said.metadataRev, now.metadataRev, wanted.metadataRev);
    return said;
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
        const WrittenProfile said = difference(startingProfile(hoisted, catalog, it.key()), *it);
        if (said == WrittenProfile{})
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

/// Sets `value` for the family, unless the others have the same.
void putOwn(ByFamily &own, const ByFamily &others, const QString &family, const QString &value)
{
    if (!value.isEmpty() && value != others.value(family))
        own.insert(family, value);
}

void hoistFamily(const Settings &settings, WrittenSettings &written, const QString &family, const QStringList &toolkits)
{
    const auto put = [&family](ByFamily &table, const QString &value) {
        if (!value.isEmpty())
            table.insert(family, value);
    };
    // A file's list of templates tells their families by their names, which a family with a version shares with others.
    const auto putTemplate = [&](ByFamily &table, const QString &name) {
        if (name.section(u'/', 0, 0) == family)
            put(table, name);
    };
    const auto hashWith = [&](const QString &version, const ProfileSelector &where) {
        Settings some;
        for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
            if (it->version == version && where.matches(it.key()))
                some.profiles.insert(it.key(), *it);
        }
        return some.common(&Profile::sourceHash);
    };
    const QString version = settings.common(&Profile::version, {{family}});
    put(written.versions, version);
    put(written.hashes, hashWith(version, {{family}}));
    put(written.pnamePrefixes, settings.common(&Profile::pnamePrefix, {{family}}));
    if (!toolkits.isEmpty())
        putTemplate(written.gpuTemplates, settings.common(&Profile::templateName, {{family}, {}, toolkits}));
    putTemplate(written.cpuTemplates, settings.common(&Profile::templateName, {{family}, {}, {cpu}}));
    putTemplate(written.metalTemplates, settings.common(&Profile::templateName, {{family}, {}, {metal}}));
    for (WrittenCuda &cuda : written.cudas) {
        const ProfileSelector where{{family}, {}, {cuda.version}};
        const QString own = settings.common(&Profile::version, where);
        putOwn(cuda.versions, written.versions, family, own);
        if (const QString hash = hashWith(own, where); cuda.versions.contains(family))
            put(cuda.hashes, hash);
        else
            putOwn(cuda.hashes, written.hashes, family, hash);
        putOwn(cuda.pnamePrefixes, written.pnamePrefixes, family, settings.common(&Profile::pnamePrefix, where));
        if (const QString name = settings.common(&Profile::templateName, where); name.section(u'/', 0, 0) == family)
            putOwn(cuda.templates, written.gpuTemplates, family, name);
    }
}

} // namespace

QStringList WrittenSettings::promisedFamilies() const
{
    if (!families.isEmpty())
        return families;
    QStringList ids = versions.keys();
    ids.sort(); // A hash table has no order.
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
    QStringList families = written.families + written.versions.keys();
    for (const QString &id : written.families + written.versions.keys()) {
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
                        apply(said, profile);
                }
                if (!key.isCuda()) {
                    profile.cudaAttribute.clear();
                    profile.release.clear();
                }
                if (build == metal)
                    profile.blas = Blas::Default;
                settings.profiles.insert(key, profile);
            }
        }
    }
    addCoverage(settings, written, catalog);
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
    written.pin = settings.common(&Profile::pin);
    written.pythonSet = settings.common(&Profile::pythonSet);
    written.torchOrigin = settings.common(&Profile::torchOrigin);
    written.torchCatalog = settings.common(&Profile::torchCatalog);
    written.torchRepository = settings.common(&Profile::torchRepository);
    written.blas = settings.common(&Profile::blas, {{}, {}, toolkits + QStringList{cpu}});
    written.archNotation = settings.common(&Profile::notation);
    written.metadataRev = settings.common(&Profile::metadataRev);
    for (const QString &toolkit : toolkits) {
        const ProfileSelector where{{}, {}, {toolkit}};
        WrittenCuda cuda{toolkit, settings.common(&Profile::release, where),
                         settings.common(&Profile::cudaAttribute, where)};
        if (const NixpkgsPin pin = settings.common(&Profile::pin, where); pin != written.pin && !pin.revision.isEmpty())
            cuda.pin = pin;
        written.cudas.append(cuda);
    }
    const QStringList promised = settings.families();
    for (const QString &family : std::as_const(families))
        hoistFamily(settings, written, family, toolkits);
    for (const QString &family : std::as_const(families)) {
        if (!promised.contains(family) && !written.versions.contains(family))
            written.versions.insert(family, {}); // Its entry defines the family.
    }
    QStringList versioned = written.versions.keys();
    versioned.sort();
    const bool declared = std::ranges::all_of(families, [&catalog](const QString &id) { return catalog.family(id); });
    if (promised != versioned || !declared)
        written.families = promised;

    QStringList builds = toolkits + QStringList{cpu, metal};
    written.profiles = profilesOf(settings, written, catalog, {families, written.pythons, builds});
    written.coverage = coverageOf(settings, catalog, {promised, written.pythons, toolkits});
    return written;
}

} // namespace tmx
