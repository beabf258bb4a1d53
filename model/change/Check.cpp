// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Check.h"

#include "model/audit/BranchRules.h"
#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/Dropped.h"
#include "model/snapshot/RecipeLike.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

bool removes(const ChangedFile &file)
{
    return file.chosen && (file.action == Action::Delete || file.action == Action::Rename);
}

QString pathAfter(const ChangedFile &file)
{
    return file.newPath.isEmpty() ? file.path : file.newPath;
}

QString fileNameOf(const QString &path)
{
    return path.section(u'/', -1);
}

QHash<QString, QByteArray> textsAfter(const ChangeSet &changes, const QHash<QString, QByteArray> &there)
{
    QHash<QString, QByteArray> afterwards = there;
    for (const ChangedFile &file : changes.files) {
        if (file.name.isEmpty() || !(file.chosen || file.action == Action::Keep))
            continue;
        if (file.chosen)
            afterwards.remove(fileNameOf(file.path));
        if (file.after)
            afterwards.insert(fileNameOf(pathAfter(file)), *file.after);
    }
    return afterwards;
}

std::optional<AuditInput> inputAfter(const Catalog &catalog, const ChangedFile &file,
                                     const QHash<QString, QByteArray> &afterwards)
{
    const auto named = VariantName::parse(file.name, catalog.isaIds());
    if (!file.after || !named)
        return std::nullopt;
    AuditInput input{.variant = named->variant, .file = pathAfter(file), .text = *file.after};
    if (const Family *family = catalog.family(named->variant.family); family && family->companion)
        input.siblings = afterwards;
    return input;
}

std::shared_ptr<const RecipeFiles> withImported(const std::shared_ptr<const RecipeFiles> &files,
                                                const ChangeSet &changes)
{
    QMap<QString, QByteArray> texts;
    QSet<QString> named; // by recipes: also recipes beside them, which the change creates or renames
    for (const ChangedFile &file : changes.files) {
        if (file.isImported() && file.after)
            texts.insert(file.path, *file.after);
        else if (file.chosen && file.after && file.after->contains("./"))
            for (const QString &path : pathsNamedIn(pathAfter(file), *file.after))
                named.insert(path);
    }
    for (const ChangedFile &file : changes.files) {
        const bool isNew = file.before != file.after || !file.newPath.isEmpty();
        if (file.chosen && file.after && isNew && named.contains(pathAfter(file)))
            texts.insert(pathAfter(file), *file.after);
    }
    if (texts.isEmpty())
        return files;
    return files ? files->with(texts) : RecipeFiles({}).with(texts);
}

namespace {

/// The errors that a text had before. Each is known once.
class KnownErrors
{
public:
    explicit KnownErrors(const QList<Finding> &findings)
        : m_left(findings)
    {
        m_left.removeIf([](const Finding &finding) { return finding.severity != Severity::Error; });
    }

    /// A name in a sentence may have changed; the place in an imported file is the same, or only its line is another.
    bool take(const Finding &finding)
    {
        auto found = std::ranges::find(m_left, placedSentence(finding), &placedSentence);
        if (found == m_left.end())
            found = std::ranges::find_if(m_left, [&](const Finding &one) { return isSamePlace(one, finding); });
        if (found == m_left.end())
            found = std::ranges::find_if(m_left, [&](const Finding &one) {
                return !one.file.isEmpty() && one.rule == finding.rule && one.file == finding.file &&
                       one.sentence == finding.sentence;
            });
        if (found == m_left.end())
            return false;
        m_left.erase(found);
        return true;
    }

private:
    QList<Finding> m_left;
};

/// Adds a recipe's new warnings to `doubtful`, by rule.
void addNewWarnings(QMap<QString, QStringList> &doubtful, const ChangedFile &file, const QList<Finding> &after,
                    const QList<Finding> &before)
{
    for (const Finding &finding : after) {
        const bool known = file.before && std::ranges::find(before, finding.rule, &Finding::rule) != before.end();
        if (finding.severity != Severity::Warning || known || finding.rule == "toolkit-not-selected"_L1)
            continue;
        QStringList &said = doubtful[finding.rule];
        if (said.isEmpty())
            said.append(joinedSentences({placedSentence(finding), finding.advice}));
        if (!said.mid(1).contains(file.name))
            said.append(file.name);
    }
}

/// What the audit judges of a change: the recipes that it writes, and those that import what it writes.
struct ToJudge {
    QList<ChangedFile *> written; ///< the recipe, or what it imports
    QList<AuditInput> inputs;     ///< after the change
    QList<AuditInput> before;
};

ToJudge toJudge(const Catalog &catalog, ChangeSet &changes, const QHash<QString, QByteArray> &there,
                const std::shared_ptr<const RecipeFiles> &files)
{
    const QHash<QString, QByteArray> afterwards = textsAfter(changes, there);
    const std::shared_ptr<const RecipeFiles> filesAfter = withImported(files, changes);
    ToJudge found;
    auto &written = found.written;
    auto &inputs = found.inputs;
    auto &before = found.before;
    const auto addFollowing = [&](const QString &path, const QByteArray &text) {
        const auto named = VariantName::parse(packageOf(path), catalog.isaIds());
        const RecipeSource now = filesAfter->source(path, text);
        if (!named || !now.imports || (changes.find(path) && changes.find(path)->action != Action::Keep) ||
            std::ranges::find(inputs, path, &AuditInput::file) != inputs.end())
            return;
        const auto imported = std::ranges::find_if(changes.files, [&now](const ChangedFile &file) {
            return file.isImported() && now.imports->paths.contains(file.path);
        });
        if (imported == changes.files.end())
            return;
        AuditInput input;
        input.variant = named->variant;
        input.file = path;
        input.text = text;
        input.siblings = afterwards;
        input.files = filesAfter;
        written.append(&*imported);
        inputs.append(input);
        input.files = files;
        before.append(input);
    };
    for (ChangedFile &file : changes.files) {
        std::optional<AuditInput> input =
            file.action == Action::Keep ? std::nullopt : inputAfter(catalog, file, afterwards);
        if (!input)
            continue;
        input->files = filesAfter;
        written.append(&file);
        inputs.append(*input);
        input->files = files;
        if (const auto old = VariantName::parse(packageOf(file.path), catalog.isaIds()))
            input->variant = old->variant;
        input->file = file.path;
        input->text = file.before.value_or(QByteArray());
        if (!input->siblings.isEmpty())
            input->siblings = there;
        before.append(*input);
    }
    if (filesAfter != files) {
        for (const ChangedFile &file : std::as_const(changes.files)) {
            if (file.action == Action::Keep && file.after)
                addFollowing(file.path, *file.after);
        }
        for (auto it = there.cbegin(); it != there.cend(); ++it)
            addFollowing(u".flox/pkgs/"_s + it.key(), *it);
    }
    return found;
}

/// The families and toolkits for which the branch has recipes.
QSet<QPair<QString, QString>> toolkitsBefore(const Catalog &catalog, const ChangeSet &changes,
                                             const QHash<QString, QByteArray> &there)
{
    QSet<QPair<QString, QString>> toolkits;
    const auto addToolkit = [&](const QString &package) {
        if (const auto named = VariantName::parse(package, catalog.isaIds()))
            toolkits.insert({named->variant.family, named->variant.cuda});
    };
    for (auto it = there.cbegin(); it != there.cend(); ++it)
        addToolkit(packageOf(it.key()));
    for (const ChangedFile &file : std::as_const(changes.files)) {
        if (file.before)
            addToolkit(packageOf(file.path));
    }
    return toolkits;
}

} // namespace

QString standingText(const QStringList &names, const QList<Finding> &errors)
{
    QList<Finding> places; // each once
    for (const Finding &error : errors) {
        if (std::ranges::none_of(places, [&](const Finding &one) { return isSamePlace(one, error); }))
            places.append(error);
    }
    const QString first =
        Tr::tr("%n new recipes have errors that all others of their kind have already, %1. The first error: %2",
               nullptr, int(names.size()))
            .arg(shortList(names), placedSentence(places.constFirst()));
    return places.size() == 1
               ? first
               : joinedSentences({first, Tr::tr("They have %n more.", "errors", int(places.size() - 1))});
}

void check(const RecipeCache &recipes, ChangeSet &changes, const Settings &former,
           const QHash<QString, QByteArray> &there, const std::shared_ptr<const RecipeFiles> &files,
           const BranchSnapshot *standing)
{
    if (!changes.settings)
        return;
    const Catalog &catalog = *recipes.catalog();
    const auto [written, inputs, before] = toJudge(catalog, changes, there, files);
    // A new toolkit needs at least one recipe that selects it.
    const QSet<QPair<QString, QString>> toolkits = toolkitsBefore(catalog, changes, there);
    const QList<Judgement> judgements = recipes.audited(*changes.settings, inputs);
    const QList<Judgement> judgedBefore = recipes.audited(former, before);
    QMap<QString, QStringList> doubtful; // by rule: the sentence for the first recipe, and the names of all
    QList<Finding> kept;
    QStringList keeping;
    for (qsizetype i = 0; i < written.size(); ++i) {
        ChangedFile &file = *written.at(i);
        const QString path = file.isImported() ? inputs.at(i).file : pathAfter(file);
        KnownErrors known(file.before ? judgedBefore.at(i).findings
                          : standing  ? standingErrors(*standing, inputs.at(i).variant)
                                      : QList<Finding>());
        if (!file.isImported())
            file.errors.clear();
        for (const Finding &finding : judgements.at(i).findings) {
            const Variant &variant = inputs.at(i).variant;
            const bool unselected =
                finding.rule == "toolkit-not-selected"_L1 && !toolkits.contains({variant.family, variant.cuda});
            if (finding.severity != Severity::Error && !unselected)
                continue;
            if (!known.take(finding)) {
                file.errors.append(u"%1: %2 %3"_s.arg(path, placedSentence(finding), finding.advice).trimmed());
            } else if (!file.before && file.chosen) {
                kept.append(finding);
                keeping.append(file.name);
            }
        }
        if (file.chosen && !file.isImported())
            addNewWarnings(doubtful, file, judgements.at(i).findings, judgedBefore.at(i).findings);
    }
    for (auto it = doubtful.cbegin(); it != doubtful.cend(); ++it) {
        const QStringList names = it->mid(1);
        changes.warnings.append(Tr::tr("The audit has warnings for %n new texts, %1 (%2). The first warning: %3",
                                       nullptr, int(names.size()))
                                    .arg(shortList(names), it.key(), it->constFirst()));
    }
    keeping.removeDuplicates();
    if (!kept.isEmpty())
        changes.warnings.append(standingText(keeping, kept));
    changes.errors.clear();
    for (const Finding &finding : auditSettings(catalog, *changes.settings, &former)) {
        if (finding.severity == Severity::Error)
            changes.errors.append(joinedSentences({finding.sentence, finding.advice}));
    }
}

} // namespace tmx
