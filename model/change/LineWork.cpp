// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/LineWork.h"

#include "model/catalog/VariantName.h"
#include "model/settings/LineFile.h"
#include "model/settings/PinVersion.h"
#include "model/snapshot/NamedFile.h"

#include <QCoreApplication>

#include <algorithm>
#include <future>

using namespace Qt::StringLiterals;
using Action = tmx::PlanStep::Action;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::LineWork)
};

PlanStep step(Action action, const QString &name, const QString &file, const QString &reason, bool chosen)
{
    return {action, name, file, {}, reason, chosen, true};
}

/// The recipes of a branch's files that claim cells, in the grid's order.
QList<NamedFile> recipesOf(const Catalog &catalog, const Line &line, const BranchContent &content)
{
    QList<NamedFile> recipes;
    for (NamedFile &named : namedFiles(catalog, content)) {
        if (named.lacksCuda()) {
            if (line.cudas.size() != 1)
                continue; // nobody knows what it is: it stays as it is
            named.name.variant.cuda = line.cudas.constFirst().version;
        }
        recipes.append(std::move(named));
    }
    std::ranges::stable_sort(recipes, {}, [](const NamedFile &named) { return named.name.variant; });
    return recipes;
}

void sortSteps(LineWork &work, const QHash<QString, Variant> &places)
{
    std::ranges::stable_sort(work.steps, [&places](const PlanStep &a, const PlanStep &b) {
        return a.action != b.action ? a.action < b.action : places.value(a.file) < places.value(b.file);
    });
}

/// "2.9.1 with CUDA 12.9, Python 3.13"
QString wordsOf(const Line &line)
{
    QStringList cudas;
    for (const CudaProfile &cuda : line.cudas)
        cudas.append(cuda.version);
    QStringList parts;
    if (const QString version = line.versions.value(u"pytorch"_s); !version.isEmpty())
        parts.append(u"PyTorch %1"_s.arg(version));
    if (!cudas.isEmpty())
        parts.append(u"CUDA %1"_s.arg(cudas.join(u" and "_s)));
    return parts.join(u", "_s);
}

QString namesOf(const LineWork &work)
{
    QStringList lines;
    for (const PlanStep &one : work.steps) {
        if (one.chosen)
            lines.append(u"%1 %2"_s.arg(toString(one.action), one.name));
    }
    return lines.join(u'\n');
}

} // namespace

QMap<Action, int> LineWork::chosen() const
{
    QMap<Action, int> counts;
    for (const PlanStep &one : steps) {
        if (one.chosen)
            ++counts[one.action];
    }
    return counts;
}

QList<FileEdit> LineWork::edits() const
{
    QList<FileEdit> edits;
    const auto textAt = [](const QHash<QString, QByteArray> &texts, const QString &path) {
        const auto it = texts.constFind(path);
        return it == texts.constEnd() ? std::nullopt : std::optional(*it);
    };
    for (const PlanStep &one : steps) {
        if (!one.chosen || one.action == Action::Keep)
            continue;
        const bool goes = one.action == Action::Delete;
        edits.append({one.file, goes ? std::nullopt : textAt(after, one.file), textAt(before, one.file)});
    }
    if (lineFile && lineFile != lineFileBefore)
        edits.append({QString(lineFileName), lineFile, lineFileBefore});
    return edits;
}

Result<LineWork> derivedLine(const RecipeCache &cache, const BranchContent &content, const QString &branch,
                             const SettingsChange &change, const WorkHooks &hooks)
{
    const std::shared_ptr<const Catalog> &catalog = cache.catalog();
    const Line source = lineFor(cache, content);
    Result<ChangedSettings> changed = changedSettings(*catalog, source, content.lineFile, branch, change);
    if (!changed)
        return changed.error();
    LineWork work{content.branch,
                  content.commit,
                  branch,
                  content.commit,
                  true,
                  changed->settings,
                  changed->file,
                  content.lineFile,
                  {},
                  {},
                  {},
                  changed->dropped,
                  versionsNotOfPins(*catalog, changed->settings)};

    // What was customised is known by rendering the old line as well, meanwhile.
    const QList<NamedFile> recipes = recipesOf(*catalog, source, content);
    QList<Variant> old;
    for (const NamedFile &named : recipes)
        old.append(named.name.variant);
    std::future<QList<Result<QByteArray>>> rendering =
        std::async(std::launch::async, [&] { return cache.rendered(source, old, {{}, hooks.stop}); });

    const QList<Variant> promised = work.line.promised();
    const QList<Result<QByteArray>> texts = cache.rendered(work.line, promised, hooks);
    const QList<Result<QByteArray>> oldTexts = rendering.get();
    if (hooks.stopped())
        return stoppedError();
    QHash<QString, Variant> places;
    for (qsizetype i = 0; i < promised.size(); ++i) {
        if (!texts.at(i))
            return texts.at(i).error();
        work.after.insert(promised.at(i).file(), *texts.at(i));
        places.insert(promised.at(i).file(), promised.at(i));
    }

    QHash<QString, QString> customised; // new path -> old name
    for (qsizetype i = 0; i < recipes.size(); ++i) {
        const NamedFile &named = recipes.at(i);
        const QString path = named.file->path;
        if (!named.file->committed)
            return Error{Words::tr("derive from"), path, Words::tr("it cannot be read as a text"),
                         Words::tr("Mend or remove it on %1 first.").arg(content.branch)};
        const QByteArray text = *named.file->committed;
        work.before.insert(path, text);
        places.insert(path, named.name.variant);
        const bool asRendered = oldTexts.at(i) && *oldTexts.at(i) == text;
        const Result<Variant> mapped = variantOn(work.line, named.name.variant);
        if (!asRendered && mapped && named.name.suffix.isEmpty())
            customised.insert(mapped->file(), packageOf(path));
        if (!work.after.contains(path))
            work.steps.append(step(Action::Delete, packageOf(path), path,
                                   Words::tr("It is a recipe of the line of %1.").arg(content.branch), true));
    }
    for (const Variant &variant : promised) {
        const QString path = variant.file();
        QString reason = Words::tr("The line promises it.");
        if (const auto it = customised.constFind(path); it != customised.constEnd()) {
            work.customised.append(path);
            reason += u' ' + Words::tr("%1 on %2 is customised; that is not carried over.").arg(*it, content.branch);
        }
        const auto there = work.before.constFind(path);
        if (there == work.before.constEnd())
            work.steps.append(step(Action::Create, variant.name(), path, reason, true));
        else if (*there != work.after.value(path))
            work.steps.append(step(Action::Rewrite, variant.name(), path, reason, true));
        else
            work.steps.append(
                step(Action::Keep, variant.name(), path, Words::tr("It is the same on both lines."), false));
    }
    sortSteps(work, places);
    return work;
}

Result<LineWork> migratedLine(const RecipeCache &cache, const BranchSnapshot &snapshot, const BranchContent &content,
                              const SettingsChange &change, const WorkHooks &hooks)
{
    const std::shared_ptr<const Catalog> &catalog = cache.catalog();
    Result<ChangedSettings> changed =
        changedSettings(*catalog, snapshot.line, content.lineFile, snapshot.branch, change);
    if (!changed)
        return changed.error();
    LineWork work{snapshot.branch,
                  snapshot.commit,
                  snapshot.branch,
                  snapshot.commit,
                  false,
                  changed->settings,
                  changed->file,
                  content.lineFile,
                  {},
                  {},
                  {},
                  changed->dropped,
                  versionsNotOfPins(*catalog, changed->settings)};
    QList<const VariantEntry *> entries;
    QList<Variant> variants;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present || entry.fileStatus == FileStatus::Deleted)
            continue;
        entries.append(&entry);
        variants.append(entry.variant);
    }
    const QList<Result<QByteArray>> texts = cache.rendered(work.line, variants, hooks);
    if (hooks.stopped())
        return stoppedError();
    QHash<QString, Variant> places;
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const VariantEntry &entry = *entries.at(i);
        const QString name = entry.variant.name();
        places.insert(entry.file, entry.variant);
        const bool plain = entry.state == RecipeState::Current;
        if (!texts.at(i)) {
            if (plain)
                return texts.at(i).error();
            work.steps.append(step(Action::Keep, name, entry.file, texts.at(i).error().sentence(), false));
            continue;
        }
        work.before.insert(entry.file, entry.text);
        work.after.insert(entry.file, *texts.at(i));
        if (entry.text == *texts.at(i)) {
            work.steps.append(step(Action::Keep, name, entry.file, Words::tr("The change does not touch it."), false));
        } else if (plain) {
            work.steps.append(
                step(Action::Rewrite, name, entry.file, Words::tr("It is what the line's template gave."), true));
        } else {
            PlanStep apart = step(Action::Rewrite, name, entry.file,
                                  entry.fileStatus == FileStatus::Clean
                                      ? Words::tr("It is customised: rendering it anew would lose that.")
                                      : Words::tr("It has changes that are not committed."),
                                  false);
            apart.possible = entry.state != RecipeState::Broken || !entry.text.isEmpty();
            work.steps.append(apart);
        }
    }
    sortSteps(work, places);
    return work;
}

Result<LineWork> copiedRecipes(const RecipeCache &cache, const BranchSnapshot &source, const BranchSnapshot &target,
                               const QStringList &names)
{
    const std::shared_ptr<const Catalog> &catalog = cache.catalog();
    LineWork work{
        source.branch, source.commit, target.branch, target.commit, false, target.line, {}, {}, {}, {}, {}, {}};
    const auto failed = [](const QString &name, const QString &why, const QString &remedy = {}) {
        return Error{Words::tr("copy"), name, why, remedy};
    };
    QHash<QString, Variant> places;
    QStringList chosen = names;
    chosen.removeDuplicates();
    for (const QString &name : std::as_const(chosen)) {
        const VariantEntry *there = source.find(name);
        if (!there || !there->present)
            return failed(name, Words::tr("the branch %1 has no such recipe").arg(source.branch),
                          Words::tr("\"list\" shows what it has."));
        const Result<Variant> variant = variantOn(target.line, there->variant);
        if (!variant)
            return variant.error();
        if (const Validity validity = catalog->validity(*variant); !validity.valid && !target.line.covers(*variant))
            return failed(name, validity.reason);
        const Result<QByteArray> text = cache.rendered(target.line, {*variant}).constFirst();
        if (!text)
            return text.error();
        QStringList reasons;
        if (!target.line.covers(*variant))
            reasons.append(Words::tr("The line of %1 does not promise it.").arg(target.branch));
        if (there->text != there->rendered)
            reasons.append(Words::tr("Its recipe on %1 is customised; that is not carried over.").arg(source.branch));

        const VariantEntry *entry = target.find(variant->name());
        const QString file = entry ? entry->file : variant->file();
        places.insert(file, *variant);
        const bool present = entry && entry->present && entry->fileStatus != FileStatus::Deleted;
        if (present)
            work.before.insert(file, entry->text);
        work.after.insert(file, *text);
        if (!present)
            reasons.prepend(Words::tr("%1 has no recipe of that cell.").arg(target.branch));
        else if (entry->text == *text)
            reasons.prepend(Words::tr("%1 has it already.").arg(target.branch));
        else
            reasons.prepend(Words::tr("%1 has another recipe of that cell.").arg(target.branch));
        const Action action = !present ? Action::Create : entry->text == *text ? Action::Keep : Action::Rewrite;
        work.steps.append(step(action, variant->name(), file, reasons.join(u' '), action == Action::Create));
    }
    sortSteps(work, places);
    return work;
}

Result<LineWork> alsoChosen(const LineWork &work, const QStringList &names)
{
    LineWork more = work;
    for (const QString &name : names) {
        const auto found = std::ranges::find_if(more.steps, [&name](const PlanStep &one) {
            return (one.name == name || packageOf(one.file) == name) && one.action != Action::Keep && one.possible;
        });
        if (found == more.steps.end())
            return Error{Words::tr("choose"), name, Words::tr("there is nothing to be done about it"), {}};
        found->chosen = true;
    }
    return more;
}

QString messageForDeriving(const LineWork &work)
{
    return u"Derive %1 from %2: %3\n\nFrom commit %4.\n"_s.arg(work.branch, work.from, wordsOf(work.line),
                                                               work.fromCommit);
}

QString messageForMigrating(const LineWork &work)
{
    const int rewritten = work.chosen().value(Action::Rewrite);
    return u"Migrate %1 %2 to %3\n\n%4\n"_s.arg(rewritten).arg(rewritten == 1 ? u"recipe"_s : u"recipes"_s,
                                                               wordsOf(work.line), namesOf(work));
}

QString messageForCopying(const LineWork &work)
{
    const int count = work.chosen().value(Action::Create) + work.chosen().value(Action::Rewrite);
    return u"Copy %1 %2 from %3\n\n%4\n"_s.arg(count).arg(count == 1 ? u"recipe"_s : u"recipes"_s, work.from,
                                                          namesOf(work));
}

} // namespace tmx
