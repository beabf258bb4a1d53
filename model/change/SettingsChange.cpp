// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SettingsChange.h"

#include "model/base/Tr.h"
#include "model/settings/PinVersion.h"
#include "model/settings/SettingsEdit.h"
#include "model/settings/SettingsFile.h"
#include "model/toml/Patterns.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString pytorch = u"pytorch"_s;

/// The built-in settings that build this version with all of these toolkits.
const Settings *builtInFor(const Catalog &catalog, const QString &version, const QStringList &cudas)
{
    const auto found = std::ranges::find_if(catalog.builtIn, [&](const Settings &builtIn) {
        return builtIn.versionOf(pytorch) == version && !cudas.isEmpty() &&
               std::ranges::all_of(cudas,
                                   [&builtIn](const QString &cuda) { return builtIn.toolkits().contains(cuda); });
    });
    return found == catalog.builtIn.end() ? nullptr : &*found;
}

/// "pytorch210" of 2.10.0 becomes "pytorch211" for 2.11.0; any other prefix was chosen by a user and stays.
QString prefixFor(const QString &prefix, const QString &family, const QString &before, const QString &after)
{
    const auto digits = [](const QString &version) { return version.section(u'.', 0, 1).remove(u'.'); };
    return prefix == family + digits(before) ? family + digits(after) : prefix;
}

void setVersion(Settings &settings, const QString &family, const QString &version)
{
    for (auto it = settings.profiles.begin(); it != settings.profiles.end(); ++it) {
        if (it.key().family != family || it->version == version)
            continue;
        it->pnamePrefix = prefixFor(it->pnamePrefix, family, it->version, version);
        it->version = version;
        it->sourceHash.clear();
    }
}

/// If the pin contains the version, recipes that fetched no source need not start to. Returns a sentence that says so.
QStringList setHash(Settings &settings, const Settings &source, const Catalog &catalog, const QString &family,
                    const QString &hash)
{
    QStringList unneeded;
    for (auto it = settings.profiles.begin(); it != settings.profiles.end(); ++it) {
        if (it.key().family != family)
            continue;
        const bool fetched = !it->sourceHash.isEmpty() || !source.profiles.value(it.key()).sourceHash.isEmpty();
        if (fetched || it->version.isEmpty() || versionOfPin(catalog, family, it->pin.revision) != it->version) {
            it->sourceHash = hash;
            continue;
        }
        const Family *known = catalog.family(family);
        unneeded.append(Tr::tr("nixpkgs %1 has %2 %3, so the hash of its source is not needed and is removed.")
                            .arg(it->pin.revision.left(10), known ? known->title : family, it->version));
    }
    unneeded.removeDuplicates();
    return unneeded;
}

/// For a selector; settings without a toolkit have no GPU builds.
QStringList gpuBuilds(const Settings &settings)
{
    const QStringList toolkits = settings.toolkits();
    return toolkits.isEmpty() ? QStringList{u"none"_s} : toolkits;
}

void setPin(Settings &settings, const QString &revision, const QString &only)
{
    for (Profile &profile : settings.profiles) {
        if (profile.pin.revision != revision && (only.isEmpty() || profile.pin.revision.startsWith(only)))
            profile.pin = {revision, {}, revision.isEmpty() ? QString() : profile.pin.python3};
    }
}

/// Takes the way to build from built-in settings; the coverage stays.
void buildLike(Settings &settings, const Settings &builtIn, bool pinToo)
{
    for (auto it = settings.profiles.begin(); it != settings.profiles.end(); ++it) {
        const Profile like = builtIn.profileOf(it.key().variant({it.key().isCuda()            ? u"sm"_s
                                                                 : it.key().build == "cpu"_L1 ? u"cpu"_s
                                                                                              : u"darwin-mps"_s,
                                                                 {}}));
        it->sourceHash = like.sourceHash;
        it->pnamePrefix = like.pnamePrefix;
        it->templateName = like.templateName;
        if (pinToo)
            it->pin = like.pin;
        if (it.key().isCuda()) {
            it->cudaAttribute = like.cudaAttribute;
            it->release = like.release;
        }
    }
}

/// Names each toolkit as its nixpkgs does, where the catalog knows that: older ones have cudaPackages_13 for CUDA 13.0.
/// What `source` calls it with the same nixpkgs stays.
void nameToolkits(Settings &settings, const Settings &source, const Catalog &catalog)
{
    for (auto it = settings.profiles.begin(); it != settings.profiles.end(); ++it) {
        const Profile former = source.profiles.value(it.key());
        if (!former.cudaAttribute.isEmpty() && former.pin.revision == it->pin.revision)
            continue;
        for (const Settings &builtIn : catalog.builtIn) {
            for (auto known = builtIn.profiles.cbegin(); known != builtIn.profiles.cend(); ++known) {
                if (it.key().isCuda() && known.key().build == it.key().build && !known->pin.revision.isEmpty() &&
                    known->pin.revision == it->pin.revision && !known->cudaAttribute.isEmpty())
                    it->cudaAttribute = known->cudaAttribute;
            }
        }
    }
}

/// A sentence for each family whose version nobody can check because the new pin's version is unknown: it stays, or it
/// is the one that was asked for.
QStringList unknownVersions(const Catalog &catalog, const Settings &before, const Settings &after,
                            const SettingsChange &change)
{
    QStringList sentences;
    for (auto it = after.profiles.cbegin(); it != after.profiles.cend(); ++it) {
        const QString &family = it.key().family;
        const Profile was = before.profiles.value(it.key());
        const QString &revision = it->pin.revision;
        if (it->cells.isEmpty() || revision.isEmpty() || revision == was.pin.revision || it->version.isEmpty() ||
            (it->version != was.version && !change.versions.contains(family)) || !it->sourceHash.isEmpty() ||
            !versionOfPin(catalog, family, revision).isEmpty())
            continue;
        const Family *known = catalog.family(family);
        sentences.append(
            (change.versions.contains(family)
                 ? Tr::tr("Check that nixpkgs %3 has %1 %2: the catalog does not know its version; this prints it: %4.")
                 : Tr::tr(
                       "The settings keep %1 %2. The catalog does not know which version nixpkgs %3 has; this prints "
                       "it: %4."))
                .arg(known ? known->title : family, it->version, revision.left(10),
                     versionCommand(revision,
                                    !it->pythonSet.isEmpty() || it.key().python.isEmpty()
                                        ? it->pythonSet
                                        : it.key().python + "Packages"_L1,
                                    known ? known->attribute : FamilyName::of(family).word)));
    }
    sentences.removeDuplicates();
    return sentences;
}

/// What a new nixpkgs may change unseen: the Python behind python3Packages, and a torch that another repository builds
/// from a nixpkgs of its own. A sentence each.
QStringList unfollowed(const Catalog &catalog, const Settings &before, const Settings &after)
{
    QStringList sentences;
    for (auto it = after.profiles.cbegin(); it != after.profiles.cend(); ++it) {
        const NixpkgsPin &pin = it->pin;
        const Profile was = before.profiles.value(it.key());
        if (it->cells.isEmpty() || pin.revision.isEmpty() || was.pin.revision.isEmpty() ||
            pin.revision == was.pin.revision)
            continue;
        const bool isKnown = std::ranges::any_of(catalog.builtIn, [&pin](const Settings &builtIn) {
            return std::ranges::any_of(builtIn.profiles, [&pin](const Profile &one) {
                return one.pin.revision == pin.revision && !one.pin.python3.isEmpty();
            });
        });
        if (!pin.python3.isEmpty() && it->pythonSet == "python3Packages"_L1 && !isKnown)
            sentences.append(Tr::tr("The settings keep Python %1 for python3Packages. The catalog does not know which "
                                    "Python nixpkgs %2 has; this prints it: %3.")
                                 .arg(pythonVersion(pin.python3), pin.revision.left(10), pythonCommand(pin.revision)));
        if (it->torchOrigin == TorchOrigin::Fetched && !it->torchRepository.revision.isEmpty() &&
            it->torchRepository.revision == was.torchRepository.revision)
            sentences.append(Tr::tr("torch comes from %1 at %2, which keeps its own nixpkgs. Set torch_rev to a commit "
                                    "that uses the new one.")
                                 .arg(it->torchRepository.address, it->torchRepository.revision.left(10)));
    }
    sentences.removeDuplicates();
    return sentences;
}

void setPinHash(Settings &settings, const QString &revision, const QString &hash)
{
    for (Profile &profile : settings.profiles) {
        if (profile.pin.revision == revision)
            profile.pin.sha256 = hash;
    }
}

Result<void> checkHash(const QString &family, const QString &hash)
{
    static const QRegularExpression form(QRegularExpression::anchoredPattern(pattern::sourceHash));
    if (form.match(hash).hasMatch())
        return {};
    return Error{Tr::tr("set"),
                 u"hashes."_s + family,
                 Tr::tr("\"%1\" is not %2").arg(hash, pattern::inWords(pattern::sourceHash)),
                 {}}
        .ofUsage();
}

/// Sets keys in the text of a settings file.
Result<void> setKeys(QByteArray &file, const Catalog &catalog, const QString &branch,
                     QList<std::pair<QString, QString>> keys)
{
    // The key for the source of torch depends on the other keys, so it comes last.
    std::ranges::stable_partition(keys, [](const auto &key) { return key.first != "torch_source"_L1; });
    for (const auto &[key, value] : std::as_const(keys)) {
        Result<QByteArray> next = withSettingsKey(file, catalog, branch, key, value, true);
        // A file with a base may lack the table of the key; the complete settings have it.
        if (const auto read = readSettingsFile(file, catalog, branch); !next && read)
            next = withSettingsKey(writeSettingsFile(*read, catalog), catalog, branch, key, value, true);
        if (!next)
            return next.error();
        file = std::move(next).value();
    }
    return {};
}

} // namespace

Result<Variant> variantOn(const Settings &settings, const Variant &variant)
{
    Variant mapped = variant;
    const auto several = [&](const QString &what) {
        return Error{Tr::tr("find the place of"),
                     variant.name(),
                     Tr::tr("the settings of %1 have several %2 to choose from").arg(settings.branch, what),
                     {}};
    };
    const QStringList pythons = settings.pythons();
    const QStringList toolkits = settings.toolkits();
    if (!variant.python.isEmpty() && !pythons.contains(variant.python)) {
        if (pythons.isEmpty())
            return Error{Tr::tr("find the place of"),
                         variant.name(),
                         Tr::tr("the settings of %1 have no Python").arg(settings.branch),
                         {}};
        if (pythons.size() != 1)
            return several(Tr::tr("Pythons"));
        mapped.python = pythons.constFirst();
    }
    if (!variant.cuda.isEmpty() && !toolkits.contains(variant.cuda)) {
        if (toolkits.size() != 1)
            return several(Tr::tr("toolkits"));
        mapped.cuda = toolkits.constFirst();
    }
    return mapped;
}

Result<ChangedSettings> changedSettings(const Catalog &catalog, const Settings &source,
                                        const std::optional<QByteArray> &file, const QString &branch,
                                        const SettingsChange &change)
{
    ChangedSettings changed;
    Settings settings = source;
    settings.branch = branch;
    if (change.cudas) {
        TM_TRY(other, withToolkits(settings, catalog, *change.cudas));
        settings = *other;
    }
    if (change.pythons && change.pythons->isEmpty())
        return Error{Tr::tr("change"), branch, Tr::tr("it would build for no Python (pythons)"), {}};
    if (change.pythons)
        settings = withPythons(settings, *change.pythons);
    if (change.pin)
        setPin(settings, *change.pin, change.onlyPin());
    if (const QString version = change.versions.value(pytorch); !version.isEmpty()) {
        setVersion(settings, pytorch, version);
        for (const Family &family : catalog.families) {
            if (const QString own = family.companion ? family.versionFor(version) : QString(); !own.isEmpty())
                setVersion(settings, family.id, own);
        }
    }
    const QString version = settings.versionOf(pytorch);
    const bool other = version != source.versionOf(pytorch) || settings.toolkits() != source.toolkits();
    if (const Settings *builtIn = builtInFor(catalog, version, settings.toolkits()); builtIn && other)
        buildLike(settings, *builtIn, change.pin.value_or(QString()).isEmpty());
    if (change.pin || change.cudas)
        nameToolkits(settings, source, catalog);
    for (auto it = change.versions.cbegin(); it != change.versions.cend(); ++it)
        setVersion(settings, it.key(), *it);
    QMap<QString, QString> hashes = change.hashes;
    QString pinHash = change.pinHash;
    QList<std::pair<QString, QString>> keys;
    for (const auto &[key, value] : change.keys) {
        const QString family = key.section(u'.', 1);
        if (key.startsWith("hashes."_L1) && catalog.family(family) && !value.isEmpty())
            hashes.insert(family, value);
        else if (key.startsWith("versions."_L1) && settings.families().contains(family) && !value.isEmpty())
            setVersion(settings, family, value); // whose source has another hash
        else if (key == "nixpkgs_sha256"_L1 && change.pin && !change.onlyPin().isEmpty())
            pinHash = value; // of that nixpkgs, which some toolkits fetch, and not of the one for all
        else
            keys.append({key, value});
    }
    for (auto it = hashes.cbegin(); it != hashes.cend(); ++it) {
        TM_CHECK(checkHash(it.key(), *it));
        changed.warnings += setHash(settings, source, catalog, it.key(), *it);
    }
    for (auto it = change.gpuTemplates.cbegin(); it != change.gpuTemplates.cend(); ++it)
        settings.set(&Profile::templateName, *it, {{it.key()}, {}, gpuBuilds(settings)});
    for (auto it = change.cpuTemplates.cbegin(); it != change.cpuTemplates.cend(); ++it)
        settings.set(&Profile::templateName, *it, {{it.key()}, {}, {u"cpu"_s}});
    if (!pinHash.isEmpty())
        setPinHash(settings, change.pin.value_or(settings.common(&Profile::pin).revision), pinHash);

    changed.file = file ? withSettings(*file, catalog, settings) : writeSettingsFile(settings, catalog);
    TM_CHECK(setKeys(changed.file, catalog, branch, std::move(keys)));
    TM_TRY(read, readSettingsFile(changed.file, catalog, branch));
    changed.settings = std::move(read).value();
    changed.settings.learned = source.learned;
    changed.settings.flags = source.flags;
    changed.warnings += unknownVersions(catalog, source, changed.settings, change);
    changed.warnings += unfollowed(catalog, source, changed.settings);
    return changed;
}

} // namespace tmx
