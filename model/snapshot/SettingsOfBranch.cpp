// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Tr.h"
#include "model/recipe/RecipeFacts.h"
#include "model/settings/SettingsFile.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/BranchTemplates.h"
#include "model/snapshot/NamedRecipe.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Rows whose PyTorch recipes, in this branch or next to it, mostly have a target in sm notation.
QStringList smRowsOf(const RecipeCache &recipes, const BranchContent &content)
{
    const Catalog &catalog = *recipes.catalog();
    BranchContent beside; // Only committed, because it is not in this working tree.
    beside.files = content.torchFiles;
    QMap<QString, int> votes;
    for (const NamedRecipe &named : namedRecipes(catalog, content) + namedRecipes(catalog, beside)) {
        const QString row = named.name.variant.row;
        const QByteArray text = named.text();
        if (FamilyName::of(named.name.variant.family).word != "pytorch"_L1 || named.gone || !row.startsWith("sm"_L1))
            continue;
        // Hardly any recipe has it, so only those that do are parsed.
        const QStringList targets =
            text.contains("sm_") ? recipes.facts(text)->package.gpuTargets.values() : QStringList();
        votes[row] += targets.join(u' ').startsWith("sm_"_L1) ? 1 : -1;
    }
    QStringList rows;
    for (auto it = votes.cbegin(); it != votes.cend(); ++it) {
        if (*it > 0)
            rows.append(it.key());
    }
    return rows;
}

/// Adds what companions need to know about their PyTorch recipes.
Settings besideTorch(Settings settings, const RecipeCache &recipes, const BranchContent &content)
{
    const QStringList families = settings.families();
    const bool companions = std::ranges::any_of(families, [&recipes](const QString &id) {
        const Family *family = recipes.catalog()->family(id);
        return family && family->companion;
    });
    const bool open = std::ranges::any_of(
        settings.profiles, [](const Profile &profile) { return profile.notation == ArchNotation::Automatic; });
    if (companions && open)
        settings.smRows = smRowsOf(recipes, content);
    return settings;
}

std::optional<Error> troubleOf(FileTrouble trouble)
{
    const auto unread = [](const QString &why) { return Error{Tr::tr("read"), QString(settingsFileName), why, {}}; };
    switch (trouble) {
    case FileTrouble::None: return std::nullopt;
    case FileTrouble::Link: return unread(Tr::tr("it is a symbolic link, and git does not follow links"));
    case FileTrouble::Folder: return unread(Tr::tr("it is a folder"));
    case FileTrouble::TooLarge: return unread(Tr::tr("it is too large"));
    case FileTrouble::NotText: return unread(Tr::tr("it is not UTF-8 text"));
    case FileTrouble::Unreadable: return unread(Tr::tr("check its permissions"));
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace

QString aboutMatrices()
{
    return Tr::tr("A matrix is a set of packages that differ in GPU, CPU, CUDA or Python and are named for it, such as "
                  "onnxruntime-python313-cuda12_9-sm90-avx2.");
}

Error noMatrix(const QString &what, const QString &branch)
{
    return {what, branch,
            Tr::tr("it has no matrix: no package is named as a variant, and no %1 lists any").arg(settingsFileName),
            Tr::tr("%1 To start one here, write a %2; base = \"main\" in it names built-in settings.")
                .arg(aboutMatrices(), settingsFileName)};
}

Error unreadSettings(const QString &what, const QString &branch, const Error &problem)
{
    return {what, branch, u"%1: %2"_s.arg(problem.subject, problem.why), problem.remedy};
}

Settings settingsFor(const RecipeCache &recipes, const BranchContent &content, std::optional<Error> *problem,
                     Inference *evidence, Templates templates)
{
    const Catalog &catalog = *recipes.catalog();
    if (content.settingsTrouble != FileTrouble::None && problem)
        *problem = troubleOf(content.settingsTrouble);
    const auto ignored =
        content.settingsFile ? onlyIgnored(*content.settingsFile) : std::optional<QList<IgnoredRule>>();
    if (!ignored || *ignored) {
        BranchContent without = content;
        without.settingsFile.reset();
        Settings settings = settingsFor(recipes, without, problem, evidence, templates);
        if (ignored)
            settings.ignored = **ignored;
        else if (problem)
            *problem = ignored.error();
        return settings;
    }
    if (content.settingsFile) {
        Result<Settings> settings = readSettingsFile(*content.settingsFile, catalog, content.branch);
        if (settings)
            settings->flags = inferred(recipes, content, WithTemplates::No).settings.flags;
        if (settings && templates == Templates::Rendered)
            return withLearned(besideTorch(*settings, recipes, content), recipes, content);
        if (settings)
            return besideTorch(*settings, recipes, content);
        if (problem)
            *problem = settings.error();
    }
    if (const Settings *builtIn = catalog.settings(content.branch);
        builtIn && agrees(*builtIn, inferred(recipes, content, WithTemplates::No)))
        return *builtIn;
    Inference inference =
        inferred(recipes, content, templates == Templates::Rendered ? WithTemplates::Yes : WithTemplates::No);
    Settings settings = besideTorch(inference.settings, recipes, content);
    if (evidence)
        *evidence = std::move(inference);
    return settings;
}

} // namespace tmx
