// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/ApplyPlan.h"

#include <QCoreApplication>
#include <QHash>

using namespace Qt::StringLiterals;
using Action = tmx::PlanStep::Action;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Plan)
};

using Texts = QHash<QString, QByteArray>;

/// What is there at each path, as Repository::commitEdits expects it.
Texts textsOf(const BranchContent &content)
{
    Texts texts;
    for (const RecipeFile &file : content.files) {
        if (const std::optional<QByteArray> &text = content.withWorkTree ? file.onDisk : file.committed)
            texts.insert(file.path, *text);
    }
    return texts;
}

std::optional<QByteArray> at(const Texts &texts, const QString &path)
{
    const auto it = texts.constFind(path);
    return it == texts.constEnd() ? std::nullopt : std::optional(*it);
}

Error changedSince(const QString &path)
{
    return {Words::tr("carry out the plan for"), path, Words::tr("it changed after the plan was made"),
            Words::tr("Make the plan anew.")};
}

} // namespace

Result<QList<FileEdit>> editsOf(const Plan &plan, const BranchSnapshot &snapshot, const BranchContent &content)
{
    const Texts texts = textsOf(content);
    QHash<QString, const VariantEntry *> entries; // by the file that the entry has, and by the one that it would have
    for (const VariantEntry &entry : snapshot.entries) {
        entries.insert(entry.variant.file(), &entry);
        entries.insert(entry.file, &entry);
    }
    QList<FileEdit> edits;
    for (const PlanStep &step : plan.steps) {
        if (!step.chosen || step.action == Action::Keep)
            continue;
        if (!step.possible)
            return Error{Words::tr("carry out the plan for"), step.name, Words::tr("that step cannot be done"),
                         step.reason};
        const VariantEntry *entry = entries.value(step.file);
        const std::optional<QByteArray> now = at(texts, step.file);
        // Of a further file for a cell the snapshot does not hold the text.
        if (entry && entry->file == step.file && entry->present && now.value_or(QByteArray()) != entry->text)
            return changedSince(step.file);
        switch (step.action) {
        case Action::Keep: break;
        case Action::Create:
        case Action::Rewrite:
            if (!entry || entry->rendered.isEmpty() || now.has_value() != (step.action == Action::Rewrite))
                return changedSince(step.file);
            edits.append({step.file, entry->rendered, now});
            break;
        case Action::Rename:
            if (!now)
                return changedSince(step.file);
            edits.append({step.file, std::nullopt, now});
            edits.append({step.newFile, now, at(texts, step.newFile)});
            break;
        case Action::Delete:
            if (!now)
                return changedSince(step.file);
            edits.append({step.file, std::nullopt, now});
            break;
        }
    }
    return edits;
}

QString commitMessageFor(const Plan &plan)
{
    const QMap<Action, int> counts = plan.chosen();
    const auto part = [&counts](Action action, const QString &verb, bool first) {
        const int n = counts.value(action);
        return first ? u"%1 %2 %3"_s.arg(verb).arg(n).arg(n == 1 ? u"recipe"_s : u"recipes"_s)
                     : u"%1 %2"_s.arg(verb.toLower()).arg(n);
    };
    QStringList parts;
    QStringList body;
    for (const auto &[action, verb] :
         {std::pair(Action::Create, u"Create"_s), std::pair(Action::Rewrite, u"Rewrite"_s),
          std::pair(Action::Rename, u"Rename"_s), std::pair(Action::Delete, u"Delete"_s)}) {
        if (counts.value(action) > 0)
            parts.append(part(action, verb, parts.isEmpty()));
    }
    for (const PlanStep &step : plan.steps) {
        if (!step.chosen)
            continue;
        body.append(u"%1 %2"_s.arg(toString(step.action), step.name));
    }
    if (body.size() == 1) {
        QString line = body.constFirst();
        line[0] = line.at(0).toUpper();
        return line + u'\n';
    }
    return u"%1\n\n%2\n"_s.arg(parts.join(u", "_s), body.join(u'\n'));
}

QList<FileEdit> editsThatUndo(const QList<CommittedChange> &changes)
{
    QList<FileEdit> edits;
    for (const CommittedChange &change : changes)
        edits.append({change.path, change.before, change.after});
    return edits;
}

} // namespace tmx
