// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Steps.h"

#include "model/workspace/Operations.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;
using Action = tmx::PlanStep::Action;

namespace tmx {

namespace {

constexpr Action actions[] = {Action::Create, Action::Rewrite, Action::Rename, Action::Delete, Action::Keep};

/// What is done with the file; nullopt: there is none, and none is made.
std::optional<Action> doneWith(const PlanStep &step)
{
    if (step.chosen)
        return step.action;
    return step.action == Action::Create ? std::nullopt : std::optional(Action::Keep);
}

QString hint(const PlanStep &step)
{
    if (step.chosen || step.action == Action::Keep || !step.possible)
        return {};
    return u" [%1 only if it is named]"_s.arg(toString(step.action));
}

/// A line each.
QString commands(const QStringList &kept)
{
    QString lines;
    for (const QString &text : kept)
        lines += u"\n  "_s + showCommand(text);
    return lines;
}

} // namespace

QJsonObject stepsJson(const QList<PlanStep> &steps)
{
    QMap<Action, QJsonArray> lists;
    for (const PlanStep &step : steps) {
        const std::optional<Action> action = doneWith(step);
        if (!action)
            continue;
        QJsonObject entry{{u"name"_s, step.name}, {u"file"_s, step.file}, {u"reason"_s, step.reason}};
        if (*action == Action::Rename)
            entry.insert(u"newFile"_s, step.newFile);
        lists[*action].append(entry);
    }
    QJsonObject object;
    for (const Action action : actions)
        object.insert(toString(action), lists.value(action));
    return object;
}

QString stepsText(const QList<PlanStep> &steps)
{
    QStringList lines;
    for (const Action action : actions) {
        for (const PlanStep &step : steps) {
            if (doneWith(step) == action)
                lines.append(
                    u"%1  %2  %3%4"_s.arg(toString(action).leftJustified(7), step.name, step.reason, hint(step)));
            else if (action == Action::Keep && !doneWith(step))
                lines.append(u"%1  %2  %3%4"_s.arg(u"leave"_s.leftJustified(7), step.name, step.reason, hint(step)));
        }
    }
    return lines.join(u'\n');
}

QString countsText(const QMap<Action, int> &chosen)
{
    QStringList parts;
    for (const Action action : actions) {
        if (const int count = chosen.value(action); count > 0)
            parts.append(u"%1 to %2"_s.arg(count).arg(toString(action)));
    }
    return parts.isEmpty() ? u"nothing to do"_s : parts.join(u", "_s);
}

QString commitText(const CommitResult &commit)
{
    QString text =
        commit.commit.isEmpty()
            ? u"done in the work tree of %1; there was nothing to commit (\"plan --undo --apply\" takes it back)"_s.arg(
                  commit.branch)
            : u"committed to %1 as %2: %3"_s.arg(commit.branch, commit.commit.left(10), commit.subject);
    if (!commit.kept.isEmpty())
        text += u"\nwhat was not committed is kept; this prints it:"_s + commands(commit.kept);
    return text;
}

QString notRestoredText(const QStringList &kept)
{
    return u"not put back, since something newer is in its place; this prints it:"_s + commands(kept);
}

void insertCommit(QJsonObject &object, const CommitResult &commit)
{
    object.insert(u"branch"_s, commit.branch);
    object.insert(u"commit"_s, commit.commit);
    insertKept(object, commit.saved, commit.kept);
}

void insertKept(QJsonObject &object, const QString &saved, const QStringList &kept)
{
    object.insert(u"saved"_s, saved);
    object.insert(u"kept"_s, QJsonArray::fromStringList(kept));
}

} // namespace tmx
