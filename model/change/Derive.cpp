// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/VariantName.h"
#include "model/change/Makers.h"
#include "model/settings/LineFile.h"
#include "model/settings/PinVersion.h"
#include "model/snapshot/NamedFile.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>
#include <future>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Derive)
};

/// The files of a change, each with the cell that it is of, to be put in order once all are there.
class Files
{
public:
    ChangedFile &append(const Variant &place, ChangedFile file)
    {
        m_files.append({std::move(file), place});
        return m_files.last().first;
    }

    QList<ChangedFile> sorted()
    {
        std::ranges::stable_sort(m_files, [](const auto &a, const auto &b) {
            return std::tie(a.first.action, a.second) < std::tie(b.first.action, b.second);
        });
        QList<ChangedFile> files;
        for (const auto &[file, place] : std::as_const(m_files))
            files.append(file);
        return files;
    }

private:
    QList<std::pair<ChangedFile, Variant>> m_files;
};

/// The recipes of a branch's files that claim cells, in the grid's order.
QList<NamedFile> recipesOf(const Catalog &catalog, const Settings &line, const BranchContent &content)
{
    QList<NamedFile> recipes;
    for (NamedFile &named : namedFiles(catalog, content)) {
        if (named.lacksCuda()) {
            const QStringList toolkits = line.toolkits();
            if (toolkits.size() != 1)
                continue; // its toolkit is unknown, so it stays as it is
            named.name.variant.cuda = toolkits.constFirst();
        }
        recipes.append(std::move(named));
    }
    std::ranges::stable_sort(recipes, {}, [](const NamedFile &named) { return named.name.variant; });
    return recipes;
}

/// "PyTorch 2.9.1, CUDA 12.9 and 13.0"
QString wordsOf(const Settings &line)
{
    QStringList parts;
    if (const QString version = line.versionOf(u"pytorch"_s); !version.isEmpty())
        parts.append(u"PyTorch %1"_s.arg(version));
    const QStringList cudas = line.toolkits();
    if (!cudas.isEmpty())
        parts.append(u"CUDA %1"_s.arg(cudas.join(u" and "_s)));
    return parts.join(u", "_s);
}

/// The change of settings alone: torch-matrix.toml, and what else there is to know.
ChangeSet changeOf(const Catalog &catalog, const BranchContent &content, const ChangedSettings &changed)
{
    ChangeSet changes;
    changes.branch = changed.settings.branch;
    changes.parentCommit = content.commit;
    changes.settings = changed.settings;
    changes.dropped = changed.dropped;
    changes.warnings = versionsNotOfPins(catalog, changed.settings);
    const bool same = content.lineFile == changed.file;
    changes.files.append({.action = same               ? Action::Keep
                                    : content.lineFile ? Action::Rewrite
                                                       : Action::Create,
                          .path = lineFileName,
                          .before = content.lineFile,
                          .after = changed.file,
                          .reason = same ? Words::tr("The change does not touch it.")
                                         : Words::tr("It says what the branch builds, and goes into the same commit."),
                          .group = same ? QString() : Words::tr("Settings"),
                          .chosen = !same,
                          .possible = false});
    return changes;
}

} // namespace

Result<ChangeSet> derived(const RecipeCache &recipes, const BranchContent &content, const QString &name,
                          const SettingsChange &change, const WorkHooks &hooks)
{
    const Settings source = lineFor(recipes, content);
    const Result<ChangedSettings> changed = changedSettings(*recipes.catalog(), source, content.lineFile, name, change);
    if (!changed)
        return changed.error();
    const Settings &settings = changed->settings;

    // What was customised is known by rendering the old recipes as well, meanwhile.
    const QList<NamedFile> there = recipesOf(*recipes.catalog(), source, content);
    QList<Variant> old;
    for (const NamedFile &named : there)
        old.append(named.name.variant);
    std::future<QList<Result<QByteArray>>> rendering =
        std::async(std::launch::async, [&] { return recipes.rendered(source, old, WorkHooks{{}, hooks.stop}); });
    const QList<Variant> promised = settings.promised();
    const QList<Result<QByteArray>> texts = recipes.rendered(settings, promised, hooks);
    const QList<Result<QByteArray>> oldTexts = rendering.get();
    if (hooks.stopped())
        return stoppedError();
    QHash<QString, QByteArray> after;
    for (qsizetype i = 0; i < promised.size(); ++i) {
        if (!texts.at(i))
            return texts.at(i).error();
        after.insert(promised.at(i).file(), *texts.at(i));
    }

    Files files;
    QHash<QString, QByteArray> before;
    QHash<QString, QString> customised; // new path -> old name
    for (qsizetype i = 0; i < there.size(); ++i) {
        const NamedFile &named = there.at(i);
        const QString path = named.file->path;
        if (!named.file->committed)
            return Error{Words::tr("derive from"), path, Words::tr("it cannot be read as a text"),
                         Words::tr("Mend or remove it on %1 first.").arg(content.branch)};
        const QByteArray text = *named.file->committed;
        before.insert(path, text);
        const bool asRendered = oldTexts.at(i) && *oldTexts.at(i) == text;
        const Result<Variant> mapped = variantOn(settings, named.name.variant);
        if (!asRendered && mapped && named.name.suffix.isEmpty())
            customised.insert(mapped->file(), packageOf(path));
        if (!after.contains(path))
            files.append(named.name.variant,
                         {.action = Action::Delete,
                          .name = packageOf(path),
                          .path = path,
                          .before = text,
                          .reason = Words::tr("It is a recipe of the line of %1.").arg(content.branch),
                          .chosen = true});
    }
    for (const Variant &variant : promised) {
        ChangedFile file{.name = variant.name(), .path = variant.file(), .after = after.value(variant.file())};
        if (const auto there = before.constFind(file.path); there != before.constEnd())
            file.before = *there;
        file.action = !file.before ? Action::Create : file.before == file.after ? Action::Keep : Action::Rewrite;
        file.chosen = file.action != Action::Keep;
        file.reason = file.chosen ? Words::tr("The line promises it.") : Words::tr("It is the same on both lines.");
        if (const auto it = customised.constFind(file.path); file.chosen && it != customised.constEnd()) {
            file.group = Words::tr("Customised on %1").arg(content.branch);
            file.reason +=
                u' ' + Words::tr("%1 on %2 is customised; that is not carried over.").arg(*it, content.branch);
        }
        files.append(variant, file);
    }
    ChangeSet changes = changeOf(*recipes.catalog(), content, *changed);
    changes.newBranch = true;
    changes.from = content.branch;
    changes.files = files.sorted() + changes.files;
    changes.message =
        u"Derive %1 from %2: %3\n\nFrom commit %4.\n"_s.arg(name, content.branch, wordsOf(settings), content.commit);
    return changes;
}

Result<ChangeSet> migrated(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                           const SettingsChange &change, const WorkHooks &hooks)
{
    const Result<ChangedSettings> changed =
        changedSettings(*recipes.catalog(), snapshot.line, content.lineFile, snapshot.branch, change);
    if (!changed)
        return changed.error();
    QList<const VariantEntry *> entries;
    QList<Variant> variants;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present || entry.fileStatus == FileStatus::Deleted)
            continue;
        entries.append(&entry);
        variants.append(entry.variant);
    }
    const QList<Result<QByteArray>> texts = recipes.rendered(changed->settings, variants, hooks);
    if (hooks.stopped())
        return stoppedError();
    Files files;
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const VariantEntry &entry = *entries.at(i);
        const bool plain = entry.state == RecipeState::Current;
        if (!texts.at(i) && plain)
            return texts.at(i).error();
        ChangedFile &file = files.append(entry.variant, {.name = entry.variant.name(),
                                                         .path = entry.file,
                                                         .before = entry.text,
                                                         .after = texts.at(i) ? *texts.at(i) : entry.text});
        if (!texts.at(i)) {
            file.reason = texts.at(i).error().sentence();
        } else if (file.before == file.after) {
            file.reason = Words::tr("The change does not touch it.");
        } else if (plain) {
            file.action = Action::Rewrite;
            file.chosen = true;
            file.reason = Words::tr("It is what the line's template gave.");
        } else {
            file.action = Action::Rewrite;
            file.group = Words::tr("Customised");
            file.reason = entry.fileStatus == FileStatus::Clean
                              ? Words::tr("It is customised: rendering it anew would lose that.")
                              : Words::tr("It has changes that are not committed.");
            file.possible = entry.state != RecipeState::Broken || !entry.text.isEmpty();
        }
    }
    ChangeSet changes = changeOf(*recipes.catalog(), content, *changed);
    changes.files = files.sorted() + changes.files;
    changes.subjectForm = u"Migrate %1 to "_s + wordsOf(changed->settings);
    return changes;
}

Result<ChangeSet> copied(const RecipeCache &recipes, const BranchSnapshot &source, const BranchSnapshot &target,
                         const QStringList &names)
{
    const auto failed = [](const QString &name, const QString &why, const QString &remedy = {}) {
        return Error{Words::tr("copy"), name, why, remedy};
    };
    Files files;
    QStringList wanted = names;
    wanted.removeDuplicates();
    for (const QString &name : std::as_const(wanted)) {
        const VariantEntry *there = source.find(name);
        if (!there || !there->present)
            return failed(name, Words::tr("the branch %1 has no such recipe").arg(source.branch),
                          Words::tr("\"list\" shows what it has."));
        const Result<Variant> variant = variantOn(target.line, there->variant);
        if (!variant)
            return variant.error();
        if (const Validity validity = recipes.catalog()->validity(*variant);
            !validity.valid && !target.line.covers(*variant))
            return failed(name, validity.reason);
        const Result<QByteArray> text = recipes.rendered(target.line, {*variant}).constFirst();
        if (!text)
            return text.error();
        const VariantEntry *entry = target.find(variant->name());
        ChangedFile file{.name = variant->name(), .path = entry ? entry->file : variant->file(), .after = *text};
        QStringList reasons;
        if (!entry || !entry->present || entry->fileStatus == FileStatus::Deleted) {
            file.action = Action::Create;
            file.chosen = true;
            reasons.append(Words::tr("%1 has no recipe of that cell.").arg(target.branch));
        } else {
            file.before = entry->text;
            file.action = file.before == file.after ? Action::Keep : Action::Rewrite;
            reasons.append((file.action == Action::Keep ? Words::tr("%1 has it already.")
                                                        : Words::tr("%1 has another recipe of that cell."))
                               .arg(target.branch));
            if (file.action == Action::Rewrite)
                file.group = Words::tr("Another recipe is there");
        }
        if (!target.line.covers(*variant))
            reasons.append(Words::tr("The line of %1 does not promise it.").arg(target.branch));
        if (there->text != there->rendered)
            reasons.append(Words::tr("Its recipe on %1 is customised; that is not carried over.").arg(source.branch));
        file.reason = reasons.join(u' ');
        files.append(*variant, file);
    }
    ChangeSet changes = changeOf(target, ChangeSet::Until::Commit);
    changes.from = source.branch;
    changes.files = files.sorted();
    changes.subjectForm = u"Copy %1 from %2"_s.arg(u"%1"_s, source.branch);
    return changes;
}

} // namespace tmx
