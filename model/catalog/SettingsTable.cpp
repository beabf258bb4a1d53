// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/SettingsTable.h"

#include "model/base/Tr.h"
#include "model/catalog/EntryReaders.h"
#include "model/toml/Patterns.h"

#include <algorithm>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

constexpr QStringView optionalTemplate = u"([A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)+)?";

/// A setting with a text; `member` gives a reference to it.
template <class Member>
Setting text(Setting setting, Member member)
{
    setting.value = [member](const Profile &profile) { return std::invoke(member, profile); };
    setting.set = [member](Profile &profile, const QString &value) { std::invoke(member, profile) = value; };
    return setting;
}

template <class Enum>
Setting word(Setting setting, Enum Profile::*member, std::initializer_list<Enum> all)
{
    for (const Enum one : all)
        setting.words.append(toString(one));
    setting.value = [member](const Profile &profile) { return toString(profile.*member); };
    setting.set = [member, values = QList<Enum>(all), words = setting.words](Profile &profile, const QString &value) {
        profile.*member = values.value(words.indexOf(value));
    };
    return setting;
}

Setting number(Setting setting, int Profile::*member)
{
    setting.value = [member](const Profile &profile) { return QString::number(profile.*member); };
    setting.set = [member](Profile &profile, const QString &value) { profile.*member = value.toInt(); };
    return setting;
}

template <class Part>
auto memberOf(Part Profile::*part, QString Part::*member)
{
    return [part, member](auto &profile) -> auto & { return profile.*part.*member; };
}

/// What is built, and from which nixpkgs.
QList<Setting> versionSettings()
{
    using enum Setting::Scope;
    return {
        text({.key = u"version"_s,
              .table = u"versions"_s,
              .scope = Family,
              .what = Tr::tr("version of a family"),
              .form = pattern::optionalRelease,
              .unit = u"version"_s},
             &Profile::version),
        text({.key = u"hash"_s,
              .table = u"hashes"_s,
              .scope = Family,
              .what = Tr::tr("hash of that version's source, if nixpkgs has another version"),
              .form = pattern::optionalSourceHash,
              .unit = u"version"_s,
              .follows = true},
             &Profile::sourceHash),
        text({.key = u"nixpkgs"_s,
              .what = Tr::tr("revision that recipes fetch, 40 digits"),
              .form = pattern::optionalRevision,
              .unit = u"nixpkgs"_s},
             memberOf(&Profile::pin, &NixpkgsPin::revision)),
        text({.key = u"nixpkgs_sha256"_s,
              .what = Tr::tr("hash of its tarball"),
              .form = pattern::optionalTarballHash,
              .unit = u"nixpkgs"_s,
              .follows = true},
             memberOf(&Profile::pin, &NixpkgsPin::sha256)),
        text({.key = u"nixpkgs_python3"_s,
              .what = Tr::tr("Python behind its python3Packages"),
              .form = uR"((python3\d{1,2})?)",
              .unit = u"nixpkgs"_s,
              .follows = true},
             memberOf(&Profile::pin, &NixpkgsPin::python3)),
        text({.key = u"release"_s, .scope = Toolkit, .form = pattern::release, .builds = u"cuda"_s}, &Profile::release),
        text({.key = u"attribute"_s, .scope = Toolkit, .form = pattern::attribute, .builds = u"cuda"_s},
             &Profile::cudaAttribute),
    };
}

/// How recipes are named and rendered.
QList<Setting> templateSettings()
{
    using enum Setting::Scope;
    return {
        text({.key = u"python_set"_s,
              .what = Tr::tr("attribute of nixpkgs that recipes take packages from: python3Packages"),
              .form = uR"((python3(9|\d\d)?Packages)?)"},
             &Profile::pythonSet),
        text({.key = u"pname_prefix"_s,
              .table = u"pname_prefixes"_s,
              .scope = Family,
              .what = Tr::tr("beginning of pname, if it is not the family's name"),
              .form = u"([a-z][a-z0-9_]*)?"},
             &Profile::pnamePrefix),
        text({.key = u"template"_s, .scope = Profiles, .form = optionalTemplate}, &Profile::templateName),
        text({.key = u"gpu_template"_s,
              .table = u"gpu_templates"_s,
              .scope = Templates,
              .what = Tr::tr("templates of GPU recipes, FAMILY/SHAPE"),
              .builds = u"cuda"_s},
             &Profile::templateName),
        text({.key = u"cpu_template"_s,
              .table = u"cpu_templates"_s,
              .scope = Templates,
              .what = Tr::tr("templates of CPU recipes"),
              .builds = u"cpu"_s},
             &Profile::templateName),
        text({.key = u"metal_template"_s,
              .table = u"metal_templates"_s,
              .scope = Templates,
              .what = Tr::tr("templates of darwin-mps recipes"),
              .builds = u"metal"_s},
             &Profile::templateName),
    };
}

/// Where companions find torch, and what changes builds.
QList<Setting> torchSettings()
{
    using enum Setting::Scope;
    return {
        word({.key = u"torch_source"_s,
              .what = Tr::tr("where companions find torch: in-place, sibling, published or fetched")},
             &Profile::torchOrigin,
             {TorchOrigin::InPlace, TorchOrigin::Sibling, TorchOrigin::Published, TorchOrigin::Fetched}),
        text({.key = u"torch_catalog"_s,
              .what = Tr::tr("organisation that publishes torch"),
              .form = u"([A-Za-z0-9][A-Za-z0-9_-]*)?"},
             &Profile::torchCatalog),
        text({.key = u"torch_repository"_s,
              .what = Tr::tr("repository of the PyTorch recipes, for fetched: OWNER/NAME or its URL"),
              .form = torchAddressForm,
              .unit = u"torch"_s},
             memberOf(&Profile::torchRepository, &TorchRepository::address)),
        text({.key = u"torch_rev"_s,
              .what = Tr::tr("its commit that is fetched, 40 digits"),
              .form = pattern::optionalRevision,
              .unit = u"torch"_s},
             memberOf(&Profile::torchRepository, &TorchRepository::revision)),
        text({.key = u"torch_sha256"_s,
              .what = Tr::tr("hash of that commit's tarball"),
              .form = pattern::optionalTarballHash,
              .unit = u"torch"_s,
              .follows = true},
             memberOf(&Profile::torchRepository, &TorchRepository::sha256)),
        word({.key = u"blas"_s,
              .what = Tr::tr("linear algebra on the CPU: default, openblas or mkl"),
              .builds = u"cuda cpu"_s},
             &Profile::blas, {Blas::Default, Blas::OpenBlas, Blas::Mkl}),
        word({.key = u"arch_notation"_s, .what = Tr::tr("auto, dotted or sm")}, &Profile::notation,
             {ArchNotation::Automatic, ArchNotation::Dotted, ArchNotation::Sm}),
        number({.key = u"metadata_rev"_s,
                .what = Tr::tr("number that changes the store path; 0 for none"),
                .most = 1'000'000},
               &Profile::metadataRev),
    };
}

} // namespace

bool Setting::appliesTo(const ProfileKey &of) const
{
    return builds.isEmpty() || builds.contains(of.isCuda() ? u"cuda"_s : of.build);
}

QString Setting::byDefault() const
{
    return !words.isEmpty() ? words.constFirst() : most > 0 ? u"0"_s : QString();
}

bool Setting::isOutdatedBy(const SettingsValues &said) const
{
    return follows && std::ranges::any_of(settingsTable(), [&](const Setting &other) {
               return other.unit == unit && !other.follows && said.contains(other.key);
           });
}

void Setting::put(SettingsValues &values, const QString &value) const
{
    if (value == byDefault())
        values.remove(key);
    else
        values.insert(key, value);
}

const QList<Setting> &settingsTable()
{
    static const QList<Setting> table = versionSettings() + templateSettings() + torchSettings();
    return table;
}

const Setting *settingOf(const QString &key)
{
    const auto found = std::ranges::find(settingsTable(), key, &Setting::key);
    return found == settingsTable().cend() ? nullptr : &*found;
}

void apply(const SettingsValues &said, const ProfileKey &key, Profile &profile)
{
    if (said.isEmpty())
        return;
    for (const Setting &setting : settingsTable()) {
        if (!setting.appliesTo(key))
            continue;
        if (const auto value = said.constFind(setting.key); value != said.cend())
            setting.set(profile, *value);
        else if (setting.isOutdatedBy(said))
            setting.set(profile, {});
    }
}

SettingsValues difference(const ProfileKey &key, const Profile &now, const Profile &wanted)
{
    SettingsValues said;
    for (const Setting &setting : settingsTable()) {
        if (setting.scope == Setting::Templates || !setting.appliesTo(key))
            continue;
        const QString value = setting.value(wanted);
        if (value != (setting.isOutdatedBy(said) ? QString() : setting.value(now)))
            said.insert(setting.key, value);
    }
    return said;
}

QString commonValue(const Settings &settings, const Setting &setting, const ProfileSelector &where, const Profile &like)
{
    QList<const Setting *> before;
    for (const Setting &other : settingsTable()) {
        if (&other == &setting)
            break;
        if (!setting.unit.isEmpty() && other.unit == setting.unit)
            before.append(&other);
    }
    QList<std::pair<QString, int>> votes;
    for (const bool promising : {true, false}) {
        for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
            if (!where.matches(it.key()) || it->cells.isEmpty() == promising ||
                !std::ranges::all_of(before, [&](const Setting *one) { return one->value(*it) == one->value(like); }))
                continue;
            const QString value = setting.value(*it);
            const auto there = std::ranges::find(votes, value, &std::pair<QString, int>::first);
            if (there == votes.end())
                votes.append({value, 1});
            else
                ++there->second;
        }
        if (!votes.isEmpty())
            break;
    }
    const auto best = std::ranges::max_element(votes, {}, &std::pair<QString, int>::second); // the first of them
    return best == votes.end() ? setting.byDefault() : best->first;
}

} // namespace tmx
