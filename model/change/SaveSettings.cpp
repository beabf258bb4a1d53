// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SaveSettings.h"
#include "model/base/ShortList.h"
#include "model/change/Preparation.h"

#include "model/base/NearestNames.h"
#include "model/base/Sentences.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/Dropped.h"
#include "model/change/TemplateCheck.h"
#include "model/settings/PinVersion.h"
#include "model/settings/SettingsEdit.h"
#include "model/settings/SettingsFile.h"
#include "model/snapshot/BranchTemplates.h"
#include "model/snapshot/SnapshotReader.h"
#include "model/toml/Toml.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

SettingsReading readingOf(const RecipeCache &recipes, const BranchContent &content)
{
    SettingsReading reading;
    reading.branch = content.branch;
    reading.title = content.title();
    std::optional<Error> problem;
    reading.settings = settingsFor(recipes, content, &problem, &reading.inference);
    reading.problem = problem ? problem->sentence() : QString();
    reading.file = content.settingsFile;
    reading.checkedOut = content.withWorkTree;
    return reading;
}

/// What a file for this branch describes.
Result<Settings> settingsOf(const QByteArray &file, const Catalog &catalog, const SettingsReading &reading)
{
    TM_TRY(ignored, onlyIgnored(file));
    if (!*ignored)
        return readSettingsFile(file, catalog, reading.branch);
    Settings settings = reading.settings;
    settings.ignored = **ignored;
    return settings;
}

/// The settings as they are, for a file that the branch does not have, or `rewrite`. Without recipes there are none.
Result<QByteArray> fileAsItIs(const Catalog &catalog, const SettingsReading &reading, bool rewrite)
{
    if (!reading.file || rewrite)
        return settingsFileFor(catalog, reading.settings);
    if (const auto ignored = onlyIgnored(*reading.file); ignored && *ignored)
        return completed(*reading.file, catalog, reading.settings);
    if (reading.problem.isEmpty())
        return Error{Tr::tr("save"), settingsFileName, Tr::tr("the branch has one already"),
                     Tr::tr("Change a key of it with \"settings set\"; --force writes it anew, without comments of "
                            "yours.")};
    return Error{Tr::tr("save"), settingsFileName, Tr::tr("the branch has one that cannot be read"),
                 joinedSentences({reading.problem, Tr::tr("Fix it, or add --force to replace it.")})};
}

/// Of the value of `families` a family that neither a recipe nor the catalog nor the settings have: nothing could be
/// made for it.
std::optional<Error> unknownFamily(const Catalog &catalog, const Settings &settings, const BranchContent &content,
                                   const SettingsRequest &request)
{
    QStringList known = settings.families();
    for (const VersionedFile &file : content.files) {
        const auto named = VariantName::parse(packageOf(file.path), catalog.isaIds());
        if (named && !known.contains(named->variant.family))
            known.append(named->variant.family);
    }
    for (const QString &family : wordsOf(request.value)) {
        if (known.contains(family) || catalog.family(family))
            continue;
        const QString meant = meantSentence(family, known + catalog.familyIds());
        return Error{Tr::tr("set"), request.key, Tr::tr("the branch has no recipe of a family \"%1\"").arg(family),
                     meant.isEmpty() ? Tr::tr("It has %1.").arg(enumerated(known)) : meant}
            .ofUsage();
    }
    return std::nullopt;
}

/// The file with one key changed; a branch without a file gets one with its current settings.
Result<QByteArray> fileWithKey(const Catalog &catalog, const SettingsReading &reading, const BranchContent &content,
                               const SettingsRequest &request)
{
    // If the file could be read as text, withSettingsKey reports the problem.
    if (!reading.problem.isEmpty() && !reading.file)
        return Error{Tr::tr("change"), settingsFileName, Tr::tr("it cannot be read"), reading.problem};
    QByteArray text = reading.file ? *reading.file : writeSettingsFile(reading.settings, catalog);
    if (const auto ignored = onlyIgnored(text); ignored && *ignored)
        text = completed(text, catalog, reading.settings);
    if (request.key == "families"_L1) {
        if (std::optional<Error> unknown = unknownFamily(catalog, reading.settings, content, request))
            return *std::move(unknown);
    }
    TM_TRY(changed, withSettingsKey(text, catalog, reading.branch, request.key, request.value, request.rewrite));
    // Another version has another source: its hash would be that of the version before.
    const QString family = request.key.startsWith("versions."_L1) ? request.key.section(u'.', 1) : QString();
    if (family.isEmpty() || request.value.isEmpty() || request.value == reading.settings.versionOf(family))
        return changed;
    const auto without = withSettingsKey(*changed, catalog, reading.branch, u"hashes."_s + family, {}, request.rewrite);
    return without ? without : changed;
}

/// The file with one more table at its end, which keeps all that is there.
Result<QByteArray> fileIgnoring(const Catalog &catalog, const SettingsReading &reading, const IgnoredRule &ignored)
{
    if (!reading.problem.isEmpty())
        return Error{Tr::tr("change"), settingsFileName, Tr::tr("it cannot be read"), reading.problem};
    if (ignored.reason.trimmed().isEmpty())
        return Error{Tr::tr("ignore"), ignored.rule, Tr::tr("there is no reason"), Tr::tr("Give a reason.")};
    QByteArray text = reading.file.value_or(QByteArray());
    if (!text.isEmpty() && !text.endsWith('\n'))
        text += '\n';
    text += ignoreTable(ignored).sliced(text.isEmpty() ? 1 : 0);
    TM_CHECK(settingsOf(text, catalog, reading));
    return text;
}

Result<QByteArray> fileWith(const Catalog &catalog, const SettingsReading &reading, const Settings &settings)
{
    const Result<QByteArray> text = settingsFileFor(catalog, settings);
    return text && reading.file ? withSettings(*reading.file, catalog, settings) : text;
}

/// A sentence for each version that its pin does not contain, with what to set.
QStringList unheldVersions(const Catalog &catalog, const Settings &settings, const Settings *former = nullptr)
{
    QStringList sentences;
    for (const VersionNotOfPin &found : versionsNotOfPins(catalog, settings, former))
        sentences.append(joinedSentences({found.sentence, found.advice}));
    return sentences;
}

/// Number of covered variants that cannot have the BLAS of their settings.
qsizetype keepingBlas(const Catalog &catalog, const Settings &settings)
{
    return std::ranges::count_if(settings.promised(), [&](const Variant &variant) {
        return !catalog.whyOtherBlas(variant, settings.profileOf(variant).blas).isEmpty();
    });
}

/// A sentence for each newly covered cell that cannot exist.
QStringList newlyImpossible(const Catalog &catalog, const Settings &before, const Settings &settings)
{
    QStringList sentences;
    for (const Variant &variant : settings.promised()) {
        const Validity validity = catalog.validity(variant, settings);
        if (!validity.valid && !before.covers(variant))
            sentences.append(Tr::tr("%1 is listed but impossible: %2").arg(variant.name(), validity.reason));
    }
    return sentences;
}

/// A sentence for each new toolkit and Python with the variants that others of the branch have, and it does not.
QStringList notForNew(const Catalog &catalog, const Settings &before, const Settings &settings)
{
    QStringList sentences;
    const auto tell = [&](const QString &title, const auto &isNew, const auto &become) {
        QStringList left;
        int listed = 0;
        for (const Variant &variant : settings.promised()) {
            listed += isNew(variant);
            const Variant like = become(variant);
            if (!isNew(variant) && isNew(like) && !settings.covers(like) && catalog.validity(like, settings).valid &&
                !left.contains(like.name()))
                left.append(like.name());
        }
        if (!left.isEmpty())
            sentences.append(
                Tr::tr("%1 is listed for %2 variants, and not for %n that others have: %3. Add a \"[[coverage]]\" "
                       "to %4 for those that you want.",
                       nullptr, int(left.size()))
                    .arg(title)
                    .arg(listed)
                    .arg(shortList(left), settingsFileName));
    };
    for (const QString &toolkit : settings.toolkits()) {
        if (!before.toolkits().contains(toolkit))
            tell(
                u"CUDA "_s + toolkit, [&](const Variant &one) { return one.cuda == toolkit; },
                [&](Variant one) {
                    one.cuda = one.cuda.isEmpty() ? QString() : toolkit;
                    return one;
                });
    }
    for (const QString &python : settings.pythons()) {
        if (!before.pythons().contains(python))
            tell(
                python, [&](const Variant &one) { return one.python == python; },
                [&](Variant one) {
                    one.python = python;
                    return one;
                });
    }
    return sentences;
}

/// A sentence if a row is new for some families and not for others.
QStringList familiesWithout(const QString &row, const Settings &before, const Settings &settings)
{
    QStringList with, without = settings.families();
    for (const Variant &variant : settings.promised()) {
        if (variant.row != row)
            continue;
        without.removeAll(variant.family);
        if (!with.contains(variant.family))
            with.append(variant.family);
    }
    const QList<Variant> former = before.promised();
    if (with.isEmpty() || without.isEmpty() || std::ranges::find(former, row, &Variant::row) != former.end())
        return {};
    return {Tr::tr("%1 is listed for %2, and not for %3, which have other rows only. Add a \"[[coverage]]\" to %4 for "
                   "those that you want.")
                .arg(row, with.join(u", "_s), without.join(u", "_s), settingsFileName)};
}

/// Variants that are no longer covered.
QStringList unlisted(const Settings &before, const Settings &settings)
{
    QStringList names;
    for (const Variant &variant : before.promised()) {
        if (!settings.covers(variant))
            names.append(variant.name());
    }
    return names;
}

} // namespace

Result<SettingsReading> readSettingsOf(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                       const QString &branch)
{
    const SnapshotReader reader(catalog);
    TM_TRY(source, branchNamed(path, branch));
    const auto content = reader.content(*source);
    if (!content)
        return content.error();
    return readingOf(reader.recipes(), **content);
}

Result<QByteArray> settingsFileFor(const Catalog &catalog, const Settings &settings)
{
    if (settings.profiles.isEmpty())
        return Error{Tr::tr("write"), settingsFileName, Tr::tr("the branch would build for no Python (pythons)"), {}};
    const QByteArray text = writeSettingsFile(settings, catalog);
    if (const Result<Settings> back = readSettingsFile(text, catalog, settings.branch); !back)
        return Error{Tr::tr("write"), settingsFileName, back.error().why, back.error().remedy};
    return text;
}

SettingsVerdict judgeSettings(const Catalog &catalog, const Settings &settings)
{
    SettingsVerdict verdict;
    if (const Result<QByteArray> text = settingsFileFor(catalog, settings); !text) {
        verdict.problem = text.error().sentence();
        return verdict;
    }
    verdict.warning = unheldVersions(catalog, settings).join(u' ');
    for (const Variant &variant : settings.promised()) {
        ++verdict.promised;
        verdict.impossible += !catalog.validity(variant, settings).valid;
    }
    return verdict;
}

QHash<QString, QStringList> templatesByFamily(const Catalog &catalog)
{
    QHash<QString, QStringList> templates;
    for (const QString &family : catalog.familyIds())
        templates.insert(family, catalog.templatesOf(family) + QStringList{learnedTemplate(family)});
    return templates;
}

Result<ChangeSet> savedSettings(const RecipeCache &recipes, const BranchContent &content,
                                const SettingsRequest &request)
{
    const Catalog &catalog = *recipes.catalog();
    const SettingsReading reading = readingOf(recipes, content);
    if (!request.settings && !reading.file && reading.problem.isEmpty() && reading.settings.profiles.isEmpty())
        return noMatrix(Tr::tr("write the settings of"), content.branch);
    TM_TRY(text, request.ignored         ? fileIgnoring(catalog, reading, *request.ignored)
                 : request.settings      ? fileWith(catalog, reading, *request.settings)
                 : request.key.isEmpty() ? fileAsItIs(catalog, reading, request.rewrite)
                                         : fileWithKey(catalog, reading, content, request));
    const bool commits = request.until == ChangeSet::Until::Commit;
    if (!commits && !content.withWorkTree)
        return Error{Tr::tr("write"), settingsFileName, Tr::tr("the branch %1 is not checked out").arg(content.title()),
                     Tr::tr("Check it out first.")};
    ChangeSet changes;
    changes.branch = content.branch;
    changes.parentCommit = content.commit;
    changes.until = request.until;
    changes.message =
        request.ignored ? u"Ignore %1: %2\n"_s.arg(request.ignored->rule, request.ignored->reason.simplified().left(50))
        : request.key.isEmpty() || !reading.file ? u"Describe the settings of %1\n"_s.arg(content.title())
        : request.value.isEmpty() ? u"Remove %1 from the settings of %2\n"_s.arg(request.key, content.title())
                                  : u"Set %1 to %2 in the settings of %3\n"_s.arg(
                                        request.key, request.value.simplified().left(50), content.title());
    if (const Result<Settings> settings = settingsOf(*text, catalog, reading)) {
        changes.settings = *settings;
        if (const std::optional<Error> useless =
                uselessTemplate(recipes, reading.settings, withLearned(*settings, recipes, content)))
            changes.warnings.append(useless->sentence());
        changes.warnings += unheldVersions(catalog, *settings, &reading.settings) +
                            newlyImpossible(catalog, reading.settings, *settings);
        if (request.key == "cudas"_L1 || request.key == "pythons"_L1)
            changes.warnings += notForNew(catalog, reading.settings, *settings);
        if (request.key.startsWith("coverage."_L1))
            changes.warnings += familiesWithout(request.key.section(u'.', 1), reading.settings, *settings);
        if (const QString gone = noLongerListed(unlisted(reading.settings, *settings));
            !gone.isEmpty() && !request.key.isEmpty())
            changes.warnings.append(gone);
        if (const qsizetype others = keepingBlas(catalog, *settings); others > 0 && request.key == "blas"_L1)
            changes.warnings.append(Tr::tr(
                "Intel publishes MKL only for x86_64: %n recipes of other CPUs keep OpenBLAS.", nullptr, int(others)));
    }
    const bool same = reading.file == *text;
    changes.files.append({.action = !reading.file ? ChangeAction::Create
                                    : same        ? ChangeAction::Keep
                                                  : ChangeAction::Rewrite,
                          .path = settingsFileName,
                          .before = reading.file,
                          .after = *text,
                          .reason = Tr::tr("It describes the branch's settings."),
                          .chosen = !same});
    // The index may lack a file that is up to date.
    if (same && !commits) {
        changes.files.first().action = ChangeAction::Rewrite;
        changes.files.first().chosen = true;
    }
    return changes;
}

int lostComments(const ChangedFile &file)
{
    QStringList lost = tomlComments(file.before.value_or(QByteArray()));
    for (const QString &kept : tomlComments(file.after.value_or(QByteArray())))
        lost.removeOne(kept);
    return int(lost.size());
}

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const SettingsRequest &request)
{
    TM_TRY(source, branchNamed(preparation.opened, preparation.path, request.branch));
    TM_TRY(content, preparation.reader.content(*source, preparation.hooks, &preparation.opened.repository));
    TM_CHECK(checkWhole(**content, Tr::tr("write the settings of")));
    return alone(savedSettings(preparation.recipes(), **content, request));
}

} // namespace tmx
