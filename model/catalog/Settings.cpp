// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Settings.h"

#include "model/catalog/Facts.h"
#include "model/catalog/SettingsTable.h"

#include <algorithm>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

int rankOf(const QString &build)
{
    return ProfileKey::isToolkit(build) ? 0 : build == "cpu"_L1 ? 1 : 2;
}

int compareBuilds(const QString &a, const QString &b)
{
    if (a == b)
        return 0;
    if (const int ranks = rankOf(a) - rankOf(b); ranks != 0)
        return ranks;
    const int versions = compareVersions(a, b);
    return versions != 0 ? versions : a.compare(b);
}

/// Compares pythonVersion() of both. Names like "python313" of equal length are in the order of their versions.
int comparePythons(const QString &a, const QString &b)
{
    const auto isUsual = [](const QString &python) {
        constexpr QLatin1StringView major{"python3"};
        return python.startsWith(major) && std::all_of(python.begin() + major.size(), python.end(),
                                                       [](QChar digit) { return digit >= u'0' && digit <= u'9'; });
    };
    return a.size() == b.size() && isUsual(a) && isUsual(b) ? a.compare(b)
                                                            : compareVersions(pythonVersion(a), pythonVersion(b));
}

/// The values of a profile that are common to the family, independent of a toolkit.
Profile commonProfile(const Settings &settings, const ProfileKey &key)
{
    ProfileSelector where{{key.family}};
    for (const QString &build : settings.toolkits() + QStringList{u"cpu"_s, u"metal"_s}) {
        if (ProfileKey::isToolkit(build) == (key.isCuda() || key.build.isEmpty()))
            where.builds.append(build);
    }
    if (where.builds.isEmpty())
        where.builds = {u"cpu"_s, u"metal"_s};
    Profile profile;
    // Values of the branch apply even to a family that the settings do not have.
    ProfileSelector everywhere = where;
    if (std::none_of(settings.profiles.keyBegin(), settings.profiles.keyEnd(),
                     [&key](const ProfileKey &other) { return other.family == key.family; }))
        everywhere.families.clear();
    for (const Setting &setting : settingsTable()) {
        if (setting.scope == Setting::Templates || (setting.scope == Setting::Toolkit && !key.isCuda()))
            continue;
        const ProfileSelector &from = setting.scope == Setting::Branch    ? everywhere
                                      : setting.scope == Setting::Toolkit ? ProfileSelector{{}, {}, {key.build}}
                                                                          : where;
        setting.set(profile, commonValue(settings, setting, from, profile));
    }
    return profile;
}

} // namespace

size_t qHash(const GridCell &cell, size_t seed) noexcept
{
    return qHashMulti(seed, cell.row, cell.isa, cell.rest);
}

size_t qHash(const ProfileKey &key, size_t seed) noexcept
{
    return qHashMulti(seed, key.family, key.python, key.build);
}

bool buildLess(const QString &a, const QString &b)
{
    return compareBuilds(a, b) < 0;
}

ProfileKey ProfileKey::of(const Variant &variant)
{
    return {variant.family, variant.python,
            isGpuRow(variant.row) ? variant.cuda
            : hasIsa(variant.row) ? u"cpu"_s
                                  : u"metal"_s};
}

Variant ProfileKey::variant(const GridCell &cell) const
{
    return {family, python, isCuda() ? build : QString(), cell.row, cell.isa, cell.rest};
}

std::strong_ordering ProfileKey::operator<=>(const ProfileKey &other) const
{
    const auto order = [](int step) {
        return step < 0   ? std::strong_ordering::less
               : step > 0 ? std::strong_ordering::greater
                          : std::strong_ordering::equal;
    };
    // Most keys of a branch only differ in the build.
    if (const int step = family.compare(other.family); step != 0)
        return order(step);
    if (python != other.python) {
        const int step = comparePythons(other.python, python);
        return order(step != 0 ? step : other.python.compare(python));
    }
    return order(compareBuilds(build, other.build));
}

bool ProfileSelector::matches(const ProfileKey &key) const
{
    return (families.isEmpty() || families.contains(key.family)) &&
           (pythons.isEmpty() || pythons.contains(key.python)) && (builds.isEmpty() || builds.contains(key.build));
}

QStringList Settings::families() const
{
    QStringList all, promised;
    for (auto it = profiles.cbegin(); it != profiles.cend(); ++it) {
        if (!all.contains(it.key().family))
            all.append(it.key().family);
        if (!it->cells.isEmpty() && !promised.contains(it.key().family))
            promised.append(it.key().family);
    }
    return promised.isEmpty() ? all : promised;
}

QStringList Settings::pythons() const
{
    QStringList pythons;
    for (auto it = profiles.keyBegin(); it != profiles.keyEnd() && it->family == profiles.firstKey().family; ++it) {
        if (!pythons.contains(it->python))
            pythons.append(it->python);
    }
    return pythons;
}

QStringList Settings::toolkits() const
{
    QStringList toolkits;
    for (auto it = profiles.keyBegin(); it != profiles.keyEnd(); ++it) {
        if (it->isCuda() && !toolkits.contains(it->build))
            toolkits.append(it->build);
    }
    return toolkits;
}

Profile Settings::profileOf(const Variant &variant) const
{
    const ProfileKey key = ProfileKey::of(variant);
    const auto found = profiles.constFind(key);
    return found == profiles.cend() ? commonProfile(*this, key) : *found;
}

bool Settings::covers(const Variant &variant) const
{
    // Compare with the cell's own variant: a CPU variant with a toolkit is not covered.
    const auto profile = profiles.constFind(ProfileKey::of(variant));
    const GridCell cell{variant.row, variant.isa, variant.rest};
    return profile != profiles.cend() && profile->cells.contains(cell) && profile.key().variant(cell) == variant;
}

QList<Variant> Settings::promised() const
{
    QList<Variant> variants;
    variants.reserve(promisedCount());
    for (auto it = profiles.cbegin(); it != profiles.cend(); ++it) {
        for (const GridCell &cell : it->cells)
            variants.append(it.key().variant(cell));
    }
    return variants;
}

qsizetype Settings::promisedCount() const
{
    qsizetype count = 0;
    for (const Profile &profile : profiles)
        count += profile.cells.size();
    return count;
}

QString Settings::python3Of(const QString &revision) const
{
    const auto found = std::ranges::find_if(profiles, [&revision](const Profile &profile) {
        return profile.pin.revision == revision && !profile.pin.python3.isEmpty();
    });
    return revision.isEmpty() || found == profiles.cend() ? QString() : found->pin.python3;
}

QString Settings::versionOf(const QString &family) const
{
    return common(&Profile::version, {{family}});
}

ArchNotation Settings::notationOf(const Variant &variant) const
{
    const ArchNotation notation = profileOf(variant).notation;
    const bool followed = notation == ArchNotation::Automatic && variant.family != torchVariantOf(variant).family &&
                          smRows.contains(variant.row);
    return notation == ArchNotation::Sm || followed ? ArchNotation::Sm : ArchNotation::Dotted;
}

QString Settings::pnameOf(const Variant &variant) const
{
    const QString prefix = profileOf(variant).pnamePrefix;
    return prefix.isEmpty() ? variant.name() : prefix + variant.name().sliced(variant.family.size());
}

QString TorchRepository::archive() const
{
    if (address.contains("{rev}"_L1))
        return QString(address).replace("{rev}"_L1, revision);
    const QString base = address.contains("://"_L1) ? address : "https://github.com/"_L1 + address;
    return u"%1/archive/%2.tar.gz"_s.arg(base, revision);
}

TorchRepository TorchRepository::ofArchive(const QString &url, const QString &revision)
{
    const QString github = u"https://github.com/"_s;
    const QString end = u"/archive/%1.tar.gz"_s.arg(revision);
    if (!url.endsWith(end))
        return {revision.isEmpty() ? url : QString(url).replace(revision, "{rev}"_L1), revision, {}};
    QString address = url.chopped(end.size());
    if (const QString path = address.sliced(address.startsWith(github) ? github.size() : 0);
        address.startsWith(github) && path.count(u'/') == 1 && !path.startsWith(u'/') && !path.endsWith(u'/'))
        address = path;
    return {address, revision, {}};
}

QString TorchRepository::name() const
{
    QString path = address;
    for (const QLatin1StringView rest : {"/archive/"_L1, "/-/archive/"_L1, "/tarball/"_L1}) {
        if (const qsizetype at = path.indexOf(rest); at > 0)
            path.truncate(at);
    }
    while (path.endsWith(u'/'))
        path.chop(1);
    const QString last = path.sliced(path.lastIndexOf(u'/') + 1);
    return last.endsWith(".git"_L1) ? last.chopped(4) : last;
}

QString Settings::learnedFor(const Variant &variant, Toolkits toolkits) const
{
    const ProfileKey key = ProfileKey::of(variant);
    const auto kind = [toolkits](const ProfileKey &of) {
        return !of.isCuda() ? of.build : toolkits == Toolkits::Any ? QString() : of.build.section(u'.', 0, 0);
    };
    QString nearest;
    int likeness = -1;
    for (auto it = learned.cbegin(); it != learned.cend(); ++it) {
        const int here = 2 * (it.key().build == key.build) + (it.key().python == key.python);
        if (it.key().family == key.family && kind(it.key()) == kind(key) && here > likeness) {
            likeness = here;
            nearest = *it;
        }
    }
    return nearest;
}

QString learnedTemplate(const QString &family)
{
    return family + "/learned"_L1;
}

bool isLearned(const QString &templateName)
{
    return templateName.endsWith("/learned"_L1);
}

QString torchFamilyOf(const QString &family)
{
    const QString pytorch = u"pytorch"_s;
    const FamilyName name = FamilyName::of(family);
    qsizetype digits = 0;
    while (digits < name.pairing.size() && !name.pairing.at(digits).isDigit())
        ++digits;
    return name.word == pytorch ? family : pytorch + name.pairing.sliced(digits);
}

Variant torchVariantOf(const Variant &variant)
{
    Variant torch = variant;
    torch.family = torchFamilyOf(variant.family);
    return torch;
}

QString toString(Settings::Source source)
{
    switch (source) {
    case Settings::Source::BuiltIn: return u"built-in"_s;
    case Settings::Source::File: return u"file"_s;
    case Settings::Source::Inferred: return u"inferred"_s;
    }
    return {};
}

QString toString(TorchOrigin source)
{
    switch (source) {
    case TorchOrigin::InPlace: return u"in-place"_s;
    case TorchOrigin::Sibling: return u"sibling"_s;
    case TorchOrigin::Published: return u"published"_s;
    case TorchOrigin::Fetched: return u"fetched"_s;
    }
    return {};
}

QString toString(Blas blas)
{
    switch (blas) {
    case Blas::Default: return u"default"_s;
    case Blas::OpenBlas: return u"openblas"_s;
    case Blas::Mkl: return u"mkl"_s;
    }
    return {};
}

QString toString(ArchNotation notation)
{
    switch (notation) {
    case ArchNotation::Automatic: return u"auto"_s;
    case ArchNotation::Dotted: return u"dotted"_s;
    case ArchNotation::Sm: return u"sm"_s;
    }
    return {};
}

} // namespace tmx
