// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SettingsAfter.h"

#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/Surface.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/TemplateCheck.h"
#include "model/settings/SettingsEdit.h"
#include "model/settings/SettingsFile.h"

#include <algorithm>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

QString settingsWords(const Catalog &catalog, const Settings &settings, const Settings *before)
{
    QStringList parts, families;
    if (!before) {
        const QString torch = u"pytorch"_s; // what companions are built against
        families = settings.versionOf(torch).isEmpty() ? settings.families() : QStringList{torch};
    } else {
        for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
            const QString &family = it.key().family;
            if (!families.contains(family) && settings.versionOf(family) != before->versionOf(family))
                families.append(family);
        }
    }
    QStringList versions;
    for (const QString &family : std::as_const(families)) {
        const QString version = settings.versionOf(family);
        const QString title = catalog.titleOf(family, version);
        if (!version.isEmpty())
            versions.append(title.contains(version) ? title : title + u' ' + version);
    }
    if (!versions.isEmpty())
        parts.append(shortList(versions));
    if (const QStringList cudas = settings.toolkits(); !cudas.isEmpty() && !(before && cudas == before->toolkits()))
        parts.append(u"CUDA %1"_s.arg(enumerated(cudas)));
    QStringList pythons;
    for (const QString &python : settings.pythons())
        pythons.append(pythonVersion(python));
    pythons.removeAll(QString()); // packages without one
    if (!pythons.isEmpty() && !(before && settings.pythons() == before->pythons()))
        parts.append(u"Python %1"_s.arg(enumerated(pythons)));
    return parts.join(u", "_s);
}

QString changedKeys(const SettingsChange &change, const Settings &settings)
{
    QStringList keys;
    const auto add = [&keys](const QString &key, const QString &value) {
        keys.append(u"%1 = %2"_s.arg(key, value.isEmpty() ? u"\"\""_s : value));
    };
    const auto addAll = [&add](const QString &table, const QMap<QString, QString> &values) {
        for (auto it = values.cbegin(); it != values.cend(); ++it)
            add(table + u'.' + it.key(), *it);
    };
    QMap<QString, QString> versions = change.versions;
    erase_if(versions, [&settings](const auto &version) { return settings.versionOf(version.key()).isEmpty(); });
    addAll(u"versions"_s, versions);
    addAll(u"hashes"_s, change.hashes);
    if (change.cudas)
        add(u"cudas"_s, change.cudas->join(u' '));
    if (change.pythons)
        add(u"pythons"_s, change.pythons->join(u' '));
    if (change.pin)
        add(u"nixpkgs"_s,
            change.onlyPin().isEmpty() ? *change.pin : u"%1 (instead of %2)"_s.arg(*change.pin, change.pinFrom));
    if (!change.pinHash.isEmpty())
        add(u"nixpkgs_sha256"_s, change.pinHash);
    addAll(u"gpu_templates"_s, change.gpuTemplates);
    addAll(u"cpu_templates"_s, change.cpuTemplates);
    for (const auto &[key, value] : change.keys)
        add(key, value);
    return keys.join(u'\n');
}

ChangeSet settingsChangeSet(const BranchContent &content, const ChangedSettings &changed, bool writes)
{
    ChangeSet changes;
    changes.branch = changed.settings.branch;
    changes.parentCommit = content.commit;
    changes.settings = changed.settings;
    changes.warnings = changed.warnings;
    const bool same = !writes || content.settingsFile == changed.file;
    changes.files.append(
        {.action = same                   ? Action::Keep
                   : content.settingsFile ? Action::Rewrite
                                          : Action::Create,
         .path = settingsFileName,
         .before = content.settingsFile,
         .after = changed.file,
         .reason = same ? Tr::tr("The change does not affect it.") : Tr::tr("The branch settings, in the same commit."),
         .group = same ? QString() : Tr::tr("Settings"),
         .chosen = !same,
         .possible = false});
    return changes;
}

void tellVersionsOfNothing(ChangeSet &changes, const SettingsChange &change, bool staying)
{
    const auto isWritten = [](const ChangedFile &file) {
        return file.path != settingsFileName && file.chosen && file.action != Action::Keep;
    };
    QStringList settingsOnly;
    for (auto it = change.versions.cbegin(); it != change.versions.cend(); ++it) {
        if (!changes.settings->versionOf(it.key()).isEmpty())
            settingsOnly.append(it.key());
        else
            changes.warnings.append(
                Tr::tr("The branch has no recipes of %1: version %2 of it changes nothing.").arg(it.key(), *it));
    }
    if (!settingsOnly.isEmpty() && !staying && std::ranges::none_of(changes.files, isWritten))
        changes.warnings.append(Tr::tr("No recipe and no imported file changes, so that the recipes build the "
                                       "versions that they build now: %1 is only in the branch settings.")
                                    .arg(settingsOnly.join(", "_L1)));
}

namespace {

/// The source of torch in a recipe that is built as the settings say.
TorchSource::Kind kindOf(TorchOrigin origin)
{
    switch (origin) {
    case TorchOrigin::InPlace: return TorchSource::Kind::Built;
    case TorchOrigin::Sibling: return TorchSource::Kind::Sibling;
    case TorchOrigin::Published: return TorchSource::Kind::Published;
    case TorchOrigin::Fetched: return TorchSource::Kind::Fetched;
    }
    Q_UNREACHABLE_RETURN({});
}

/// Why the profile's template does not give a recipe for its first cell with the source that the settings name and, if
/// `judged`, without errors. One sentence; empty if it does.
QString whyNotServed(const RecipeCache &recipes, const Settings &source, const Settings &settings,
                     const ProfileKey &key, bool judged)
{
    const Profile profile = settings.profiles.value(key);
    const Family *family = recipes.catalog()->family(key.family);
    const bool torchMoves = family && family->companion && source.profiles.contains(key) &&
                            source.profiles.value(key).torchOrigin != profile.torchOrigin;
    const Variant variant = key.variant(profile.cells.constFirst());
    if (isLearned(profile.templateName) &&
        settings.learnedFor(variant, recipes.catalog()->learnsFrom(variant)).isEmpty())
        return Tr::tr("There is no recipe to learn that template from.");
    if (!judged && profile.sourceHash.isEmpty() && !torchMoves)
        return {}; // Another template would not solve this problem.
    const Result<QByteArray> text = recipes.rendered(settings, {variant}).constFirst();
    if (!text)
        return text.error().sentence();
    // What it imports may fetch it.
    const bool imports = !pathsNamedIn(variant.file(), *text).isEmpty();
    if (imports && !judged)
        return {};
    if (!imports && !text->contains(profile.sourceHash.toUtf8()))
        return Tr::tr("Recipes of that template fetch no source.");
    if (torchMoves && recipes.facts(*text)->torch.kind != kindOf(profile.torchOrigin))
        return Tr::tr("Recipes of that template take torch from elsewhere.");
    if (!judged)
        return {};
    const QList<Finding> findings =
        recipes.audited(settings, {AuditInput{.variant = variant, .file = variant.file(), .text = *text}})
            .constFirst()
            .findings;
    // Siblings are audited together with the whole branch.
    const auto error = std::ranges::find_if(findings, [](const Finding &finding) {
        return finding.severity == Severity::Error && finding.rule != "companion-sibling-missing"_L1;
    });
    return error == findings.end() ? QString() : placedSentence(*error);
}

/// The first pin that gets another revision without a hash, although the branch fetches nixpkgs with one.
std::optional<Error> pinWithoutHash(const Settings &source, const Settings &settings, const QString &branch)
{
    for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
        const auto before = source.profiles.value(it.key()).pin;
        const QString &revision = it->pin.revision;
        if (revision.isEmpty() || revision == before.revision || before.sha256.isEmpty() || !it->pin.sha256.isEmpty())
            continue;
        const QString url = u"https://github.com/NixOS/nixpkgs/archive/%1.tar.gz"_s.arg(revision);
        return Error{Tr::tr("change the pin of"), branch,
                     Tr::tr("its recipes fetch nixpkgs with a hash, and that of %1 is not known").arg(revision.left(7)),
                     forSurface(Tr::tr("\"nix-prefetch-url --unpack %1\" prints it; add --set nixpkgs_sha256=HASH."),
                                Tr::tr("Fetch the hash of %1 first."))
                         .arg(url)};
    }
    return std::nullopt;
}

/// A sentence for each template that the change of settings implies without being requested.
QStringList changedTemplates(const Catalog &catalog, const Settings &before, const Settings &after,
                             const SettingsChange &change, const QMap<ProfileKey, QString> &reasons)
{
    QStringList sentences;
    for (auto it = after.profiles.cbegin(); it != after.profiles.cend(); ++it) {
        const ProfileKey &key = it.key();
        const bool asked =
            std::ranges::any_of(change.keys, [](const auto &one) { return one.first.contains("template"_L1); });
        const bool named = asked || (key.isCuda()            ? change.gpuTemplates.contains(key.family)
                                     : key.build == "cpu"_L1 ? change.cpuTemplates.contains(key.family)
                                                             : false);
        if (it->cells.isEmpty() || named)
            continue;
        // For a new Python or toolkit: the first of the same kind.
        const QList<ProfileKey> keys = before.profiles.keys();
        const auto former = std::ranges::find_if(keys, [&](const ProfileKey &one) {
            return keys.contains(key)
                       ? one == key
                       : one.family == key.family && (one.isCuda() ? key.isCuda() : one.build == key.build);
        });
        if (former == keys.end())
            continue;
        const QString was = templateOf(catalog, before, *former);
        const QString now = templateOf(catalog, after, key);
        if (now.isEmpty() && before.profiles.value(key).cells.isEmpty()) // nor had what it is made from
            continue;
        QString sentence =
            now.isEmpty() ? Tr::tr("The settings have no template for %2; they had %1.").arg(was, recipesOf(key))
            : was.isEmpty()
                ? Tr::tr("The settings get template %1 for %2.").arg(now, recipesOf(key))
                : Tr::tr("The settings get template %1 for %2 instead of %3.").arg(now, recipesOf(key), was);
        if (const QString why = reasons.value(key); !why.isEmpty())
            sentence = joinedSentences({sentence, why});
        if (was != now && !sentences.contains(sentence))
            sentences.append(sentence);
    }
    return sentences;
}

} // namespace

Result<ChangedSettings> settingsAfter(const RecipeCache &recipes, const Settings &source,
                                      const std::optional<QByteArray> &file, const QString &branch,
                                      const SettingsChange &change)
{
    const Catalog &catalog = *recipes.catalog();
    Result<ChangedSettings> changed = changedSettings(catalog, source, file, branch, change);
    if (!changed)
        return changed;
    if (std::optional<Error> unhashed = pinWithoutHash(source, changed->settings, branch))
        return *std::move(unhashed);
    if (std::optional<Error> useless = uselessTemplate(recipes, source, changed->settings))
        return *std::move(useless);
    Settings settings = changed->settings;
    QMap<ProfileKey, QString> reasons;
    for (auto it = changed->settings.profiles.cbegin(); it != changed->settings.profiles.cend(); ++it) {
        const QString &family = it.key().family;
        const bool named = it.key().isCuda()            ? change.gpuTemplates.contains(family)
                           : it.key().build == "cpu"_L1 ? change.cpuTemplates.contains(family)
                                                        : false;
        if (it->cells.isEmpty() || named)
            continue;
        const QString why = whyNotServed(recipes, source, changed->settings, it.key(), false);
        if (why.isEmpty())
            continue;
        reasons.insert(it.key(), why);
        bool served = false;
        QString whyOwnNot;
        Settings trial = changed->settings;
        trial.profiles[it.key()].templateName.clear();
        QStringList candidates{templateOf(catalog, trial, it.key())}; // The family's default comes before the others.
        candidates += catalog.templatesOf(family);
        for (const QString &name : std::as_const(candidates)) {
            trial.profiles[it.key()].templateName = name;
            if (const QString whyNot = whyNotServed(recipes, source, trial, it.key(), true); !whyNot.isEmpty()) {
                whyOwnNot = whyOwnNot.isEmpty() ? whyNot : whyOwnNot;
                continue;
            }
            settings.profiles[it.key()].templateName = name;
            served = true;
            break;
        }
        // Recipes that build that source already, or another one of their own, are carried over without a template.
        const bool isNew = source.profiles.value(it.key()).sourceHash.isEmpty() &&
                           std::ranges::none_of(source.profiles.asKeyValueRange(), [&](const auto &one) {
                               return one.first.family == family && one.second.sourceHash == it->sourceHash;
                           });
        if (!served && !it->sourceHash.isEmpty() && isNew)
            return Error{Tr::tr("build"), recipesOf(it.key()),
                         Tr::tr("the settings name a source of their own, and no template of %1 builds it. %2")
                             .arg(family, whyOwnNot),
                         Tr::tr("Fix that, or choose a nixpkgs that has version %1 and remove hashes.%2.")
                             .arg(it->version, family)};
    }
    changed->warnings += changedTemplates(catalog, source, settings, change, reasons);
    if (settings == changed->settings)
        return changed;
    changed->file = withSettings(changed->file, catalog, settings);
    changed->settings = settings;
    return changed;
}

} // namespace tmx
