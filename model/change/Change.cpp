// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Change.h"

#include "model/base/Sentences.h"
#include "model/base/TerminalText.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/Preparation.h"
#include "model/change/ReplacedPins.h"

#include <QMap>

#include <algorithm>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

QString summaryOfRecipes(const ChangeSet &changes)
{
    QMap<Action, int> counts;
    int left = 0;
    int following = 0;
    for (const ChangedFile &file : changes.files) {
        if (file.name.isEmpty())
            continue;
        counts[file.action] += file.chosen || (file.action == Action::Keep && !file.follows);
        following += file.follows;
        left += file.action == Action::Rewrite && !file.chosen;
    }
    QStringList parts;
    // Only the first says of what it is the number.
    const auto add = [&parts](int count, const char *first, const char *further) {
        if (count > 0)
            parts.append(Tr::tr(parts.isEmpty() ? first : further, nullptr, count));
    };
    add(counts.value(Action::Create), QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes created"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n created"));
    add(counts.value(Action::Rewrite), QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes rewritten"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n rewritten"));
    add(counts.value(Action::Rename), QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes renamed"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n renamed"));
    add(counts.value(Action::Delete), QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes deleted"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n deleted"));
    add(following, QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes follow what they import"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n follow what they import"));
    add(counts.value(Action::Keep), QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes stay as they are"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n stay as they are"));
    add(left, QT_TRANSLATE_N_NOOP("tmx::Tr", "%n recipes unchanged unless ticked"),
        QT_TRANSLATE_N_NOOP("tmx::Tr", "%n unchanged unless ticked"));
    for (const ChangedFile &file : changes.files) {
        if (file.name.isEmpty() && file.chosen)
            parts.append((!file.before ? Tr::tr("%1 written")
                          : file.after ? Tr::tr("%1 changed")
                                       : Tr::tr("%1 deleted"))
                             .arg(file.path));
    }
    return parts.isEmpty() ? Tr::tr("Nothing changes.")
                           : joinedSentences({withFullStop(parts.join(u", "_s)), replacedPinsText(changes)});
}

/// "550.54 → 570.26" if one line changes, else the number of lines.
QString changeText(const QByteArray &before, const QByteArray &after, qsizetype longest)
{
    const QList<QByteArray> old = before.split('\n'), now = after.split('\n');
    const qsizetype shorter = std::min(old.size(), now.size());
    qsizetype top = 0, bottom = 0;
    while (top < shorter && old.at(top) == now.at(top))
        ++top;
    while (bottom < shorter - top && old.at(old.size() - 1 - bottom) == now.at(now.size() - 1 - bottom))
        ++bottom;
    const qsizetype lines = std::max(old.size(), now.size()) - top - bottom;
    if (lines != 1 || old.size() != now.size())
        return Tr::tr("%n lines", nullptr, int(lines));
    const QString a = QString::fromUtf8(old.at(top)), b = QString::fromUtf8(now.at(top));
    const auto inWord = [](QChar c) { return c.isLetterOrNumber() || c == u'.' || c == u'_' || c == u'-'; };
    qsizetype left = 0, right = 0;
    while (left < std::min(a.size(), b.size()) && a.at(left) == b.at(left))
        ++left;
    while (right < std::min(a.size(), b.size()) - left && a.at(a.size() - 1 - right) == b.at(b.size() - 1 - right))
        ++right;
    while (left > 0 && inWord(a.at(left - 1)))
        --left;
    while (right > 0 && inWord(a.at(a.size() - right)))
        --right;
    const auto part = [&](const QString &line) {
        const QString text = line.sliced(left, line.size() - left - right).trimmed();
        return text.isEmpty() ? Tr::tr("nothing") : text.size() > longest ? text.left(longest) + u'…' : text;
    };
    return Tr::tr("%1 \u2192 %2", "before, after").arg(part(a), part(b));
}

QList<ChangedFile *> filesNamed(ChangeSet &changes, const QString &name)
{
    QList<ChangedFile *> named;
    for (ChangedFile &file : changes.files) {
        if (file.path == name)
            return {&file};
        if (file.name == name || packageOf(file.path) == name)
            named.append(&file);
    }
    return named;
}

bool isRecipeKept(const ChangedFile *file)
{
    return file->action != Action::Delete;
}

/// Which of the files for one cell is meant by its name, `named`, and which are not.
QString othersOf(const ChangeSet &changes, const QList<ChangedFile *> &named)
{
    QStringList others;
    for (const ChangedFile &file : changes.files) {
        if (std::ranges::any_of(named, [&file](const ChangedFile *one) {
                return file.path != one->path && packageOf(file.path) == packageOf(one->path);
            }))
            others.append(file.path);
    }
    return others.isEmpty() ? QString()
                            : Tr::tr("%1 is the recipe of that cell. Its other files are chosen by their paths: %2.")
                                  .arg(named.constFirst()->path, others.join(", "_L1));
}

} // namespace

Result<QList<ChangeSet>> prepare(const SnapshotReader &reader, const QString &path, const ChangeRequest &request,
                                 const WorkHooks &hooks)
{
    TM_TRY(opened, openWithInfo(path));
    const Preparation preparation{reader, *opened, path, hooks};
    return std::visit([&](const auto &asked) { return prepared(preparation, asked); }, request);
}

Result<ChangeSet> choose(ChangeSet changes, const QStringList &names, Choice choice)
{
    QStringList needed;
    for (ChangedFile &file : changes.files) {
        if (file.chosen)
            needed.append(file.path);
        file.chosen = file.chosen && (choice == Choice::Also || !file.possible);
    }
    for (const QString &name : names) {
        QList<ChangedFile *> named = filesNamed(changes, name);
        // Of several files for a cell, its name is that of the recipe; the others have their paths.
        const bool hasOthers = named.size() > 1;
        if (hasOthers && std::ranges::any_of(named, isRecipeKept))
            named.removeIf([](const ChangedFile *file) { return !isRecipeKept(file); });
        QString reason;
        bool found = false;
        for (ChangedFile *file : std::as_const(named)) {
            reason = file->reason;
            // Whoever names a cell for its other file does not ask for another text of one without errors.
            const bool isOptional = !file->group.isEmpty() && !needed.contains(file->path);
            if (file->action == Action::Keep || !file->possible || (hasOthers && isOptional))
                continue;
            file->chosen = found = true;
        }
        const QString others = hasOthers ? othersOf(changes, named) : QString();
        const bool isThere =
            std::ranges::any_of(named, [](const ChangedFile *file) { return file->before.has_value(); });
        if (!found)
            return Error{Tr::tr("choose"), name,
                         reason.isEmpty() ? Tr::tr("the change has no such recipe")
                         : isThere        ? Tr::tr("no change is needed for it")
                                          : Tr::tr("it cannot be written"),
                         joinedSentences({reason, others})};
        if (!others.isEmpty())
            changes.warnings.append(others);
    }
    return changes;
}

ChangeSet withTablesOf(const ChangeSet &plan, ChangeSet part)
{
    for (ChangedFile &file : part.files) {
        const auto shown = std::ranges::find_if(plan.files, [&file](const ChangedFile &one) {
            return one.path == file.path && one.action == file.action && one.newPath == file.newPath;
        });
        if (shown == plan.files.cend())
            continue;
        if (file.name.isEmpty()) // a table or document, which the user may have left out
            file.chosen = file.chosen && (shown->chosen || !shown->possible);
        else if (shown->after == file.after) // its errors are those that it has beside the chosen ones
            file.chosen = shown->chosen;
        else // a text of one that is not chosen was not made again
            file = *shown;
    }
    return part;
}

QString summary(const QList<ChangeSet> &changes)
{
    const auto isReadme = [](const ChangeSet &one) {
        return one.files.size() == 1 && one.files.constFirst().path == "README.md"_L1;
    };
    if (changes.isEmpty() || (changes.size() == 1 && changes.constFirst().files.isEmpty()))
        return {};
    if (!changes.constFirst().repository.isEmpty()) {
        QStringList lines;
        for (const ChangeSet &one : changes)
            lines.append(u"%1: %2"_s.arg(one.title(), one.refusal ? one.refusal->sentence() : summaryOfRecipes(one)));
        return lines.join(u'\n');
    }
    if (!isReadme(changes.constFirst()))
        return summaryOfRecipes(changes.constFirst());
    const auto count = std::ranges::count_if(changes, [](const ChangeSet &one) { return !one.isEmpty(); });
    const bool current = std::ranges::all_of(
        changes, [](const ChangeSet &one) { return one.files.constFirst().action == Action::Keep; });
    if (count == 0)
        return current ? Tr::tr("Nothing has to be written.") : Tr::tr("Nothing is ticked.");
    return Tr::tr("README.md is written on %n branches, each as one commit.", nullptr, int(count));
}

QString equalChanges(const QList<ChangeSet> &changes)
{
    constexpr qsizetype most = 5, longest = 60;
    QMap<QString, int> counts;
    for (const ChangeSet &change : changes) {
        for (const ChangedFile &file : change.files) {
            if (file.action == ChangeAction::Rewrite && file.chosen && file.before && file.after)
                ++counts[changeText(*file.before, *file.after, longest)];
        }
    }
    QList<std::pair<int, QString>> sorted;
    for (const auto &[text, count] : counts.asKeyValueRange())
        sorted.append({-count, text});
    std::ranges::sort(sorted);
    QStringList parts;
    for (const auto &[count, text] : sorted.first(std::min(sorted.size(), most)))
        parts.append(Tr::tr("%1 in %n recipes", "a change", -count).arg(text));
    if (sorted.size() > most)
        parts.append(Tr::tr("and %n other changes", nullptr, int(sorted.size() - most)));
    return parts.join("; "_L1);
}

QString whyNot(const QList<ChangeSet> &changes)
{
    bool any = false;
    for (const ChangeSet &one : changes) {
        // README: a branch that refuses the change does not prevent the others.
        if (one.refusal && (changes.size() == 1 || !one.repository.isEmpty()))
            return one.repository.isEmpty() ? one.refusal->sentence()
                                            : u"%1: %2"_s.arg(one.title(), one.refusal->sentence());
        any = any || (!one.refusal && !one.isEmpty());
    }
    if (!any)
        return Tr::tr("Nothing is chosen.");
    for (const ChangeSet &one : changes) {
        if (const qsizetype errors = one.chosenErrors().size(); errors > 0 && !one.forced)
            return Tr::tr("The audit finds %n errors in the new text.", nullptr, int(errors));
    }
    return {};
}

QString showCommand(const QString &kept)
{
    return u"git show "_s + shellWord(kept);
}

} // namespace tmx
