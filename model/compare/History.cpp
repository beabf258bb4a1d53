// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/History.h"

#include "model/base/RepositoryPaths.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/git/EditPath.h"
#include "model/snapshot/BranchContent.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The variant's file in that commit: its canonical path, or a recipe whose name parses as the variant.
QString pathOf(const Catalog &catalog, const CommitReader &reader, const QString &commit, const QString &name)
{
    const auto wanted = VariantName::parse(name, catalog.isaIds());
    QString old;
    if (const Result<BranchContent> content = readCommit(reader, commit, {})) {
        for (const VersionedFile &file : content->files) {
            if (packageOf(file.path) == name)
                return file.path;
            const auto here = VariantName::parse(packageOf(file.path), catalog.isaIds());
            if (wanted && here && here->variant == wanted->variant)
                old = file.path;
        }
    }
    return old.isEmpty() ? recipeFolder + u'/' + name + u".nix"_s : old;
}

QList<FactChange> changesBetween(const std::optional<RecipeSource> &before, const std::optional<RecipeSource> &after)
{
    const QList<Fact> was = before ? readFacts(*before).rows(FactDetail::Apart) : QList<Fact>();
    const QList<Fact> is = after ? readFacts(*after).rows(FactDetail::Apart) : QList<Fact>();
    QList<FactChange> changes;
    for (const Fact &fact : is) {
        const auto old = std::ranges::find(was, fact.id, &Fact::id);
        if (old == was.end() || old->value != fact.value)
            changes.append({fact.id, fact.label, old == was.end() ? QString() : old->value, fact.value});
    }
    for (const Fact &fact : was) {
        if (std::ranges::find(is, fact.id, &Fact::id) == is.end())
            changes.append({fact.id, fact.label, fact.value, {}});
    }
    return changes;
}

/// The changes of the files that the recipe imports in `commit`, newest first; without their effects.
QList<HistoryStep> importedSteps(const Catalog &catalog, const CommitReader &reader, const QString &commit,
                                 const QString &file, int limit, const std::function<bool()> &stop)
{
    QList<HistoryStep> steps;
    const Result<BranchContent> content = readCommit(reader, commit, {});
    const auto recipe = content ? std::ranges::find(content->files, file, &VersionedFile::path)
                                : QList<VersionedFile>::const_iterator();
    if (!content || recipe == content->files.cend() || !recipe->committed || !content->committedFiles)
        return steps;
    const RecipeSource source = content->committedFiles->source(file, *recipe->committed);
    for (const QString &path : source.imports ? source.imports->paths : QStringList()) {
        if (VariantName::parse(packageOf(path), catalog.isaIds()))
            continue; // It has a history of its own.
        const auto revisions = reader.history(commit, path, {}, recipeSelection(), limit + 1, stop);
        for (qsizetype i = 0; revisions && i + 1 < revisions->size(); ++i)
            steps.append({.revision = revisions->at(i), .before = revisions->at(i + 1).text, .imported = path});
    }
    return steps;
}

/// What the change of an imported file did to the recipe; false if that commit does not have the recipe.
bool readEffect(const Catalog &catalog, const CommitReader &reader, const QString &file, HistoryStep &step)
{
    const Result<BranchContent> content = readCommit(reader, step.revision.commit, {});
    if (!content || !content->committedFiles)
        return false;
    const auto recipe = std::ranges::find(content->files, file, &VersionedFile::path);
    if (recipe == content->files.cend() || !recipe->committed)
        return false;
    const auto before = content->committedFiles->with({{step.imported, step.before.value_or(QByteArray())}});
    step.changes = changesBetween(before->source(file, *recipe->committed),
                                  content->committedFiles->source(file, *recipe->committed));
    for (const VersionedFile &other : content->files) {
        const RecipeSource source =
            other.committed ? content->committedFiles->source(other.path, *other.committed) : RecipeSource();
        step.reach += VariantName::parse(packageOf(other.path), catalog.isaIds()).has_value() && source.imports &&
                      source.imports->paths.contains(step.imported);
    }
    return true;
}

} // namespace

QList<FactChange> changedFacts(const std::optional<QByteArray> &before, const std::optional<QByteArray> &after)
{
    return changesBetween(before ? std::optional<RecipeSource>(*before) : std::nullopt,
                          after ? std::optional<RecipeSource>(*after) : std::nullopt);
}

Result<CellHistory> historyOf(const Catalog &catalog, const QString &path, const QString &branch, const QString &name,
                              int limit, const std::function<bool()> &stop)
{
    const QString what = Tr::tr("show the history of");
    TM_TRY(reader, CommitReader::open(path));
    TM_TRY(commit, reader->commitOf(branch.isEmpty() ? u"HEAD"_s : branch));
    QString file = pathOf(catalog, *reader, *commit, name);
    if (const Result<void> usable = checkRecipePath(file); !usable)
        return Error{what, name, usable.error().why, Tr::tr("Name a variant, as list prints it.")};

    const QStringList isas = catalog.isaIds();
    const auto revisionsOf = [&](const QString &path) {
        const auto variant = VariantName::parse(packageOf(path), isas);
        const auto sameRecipe = [&](const QString &other) {
            const auto here = VariantName::parse(packageOf(other), isas);
            return variant && here && here->variant == variant->variant;
        };
        // One more, to get the text before the last one shown.
        return reader->history(*commit, path, sameRecipe, recipeSelection(), limit + 1, stop);
    };
    Result<QList<FileRevision>> revisions = revisionsOf(file);
    for (QStringList seen{file}; revisions && !revisions->isEmpty() && !revisions->constFirst().after.isEmpty();
         seen.append(file)) {
        if (seen.contains(revisions->constFirst().after))
            break;
        file = revisions->constFirst().after;
        revisions = revisionsOf(file);
    }
    if (!revisions)
        return revisions.error();
    if (revisions->isEmpty())
        return Error{what,
                     name,
                     Tr::tr("no commit of %1 ever had such a recipe").arg(branch.isEmpty() ? u"HEAD"_s : branch),
                     {},
                     !VariantName::parse(name, isas)};
    CellHistory history{name, branch, {}, revisions->size() > limit, file};
    const QStringList ends = reader->historyEnds();
    for (qsizetype i = 0; i < std::min<qsizetype>(limit, revisions->size()); ++i) {
        HistoryStep step{.revision = revisions->at(i)};
        if (i + 1 < revisions->size()) {
            step.before = revisions->at(i + 1).text;
            step.cameBack = step.revision.text && !step.before;
        }
        step.cutOff = !step.before && ends.contains(step.revision.commit);
        step.changes = changedFacts(step.before, step.revision.text);
        history.steps.append(step);
    }
    for (HistoryStep &step : importedSteps(catalog, *reader, *commit, file, limit, stop)) {
        const bool old = history.more && step.revision.when < history.steps.constLast().revision.when;
        if (old || (stop && stop()) || !readEffect(catalog, *reader, file, step))
            continue;
        const auto older = std::ranges::find_if(history.steps, [&step](const HistoryStep &other) {
            return std::pair(other.revision.when, !other.imported.isEmpty()) < std::pair(step.revision.when, true);
        });
        history.steps.insert(older, step);
    }
    if (history.steps.size() > limit) {
        history.steps.resize(limit);
        history.more = true;
    }
    return history;
}

} // namespace tmx
