// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/WorkOffer.h"

#include "model/repository/Repository.h"
#include "model/settings/LineFile.h"
#include "model/workspace/PlanOperations.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;
using Action = tmx::PlanStep::Action;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::WorkOffer)
};

template <class... Ts>
struct Cases : Ts... {
    using Ts::operator()...;
};

/// The steps and texts of work on a line; `apart` names the recipes that are replaced only when somebody says so.
WorkOffer offerOf(LineWork work, const WorkRequest &request, const QString &apart)
{
    WorkOffer offer;
    offer.request = request;
    offer.plan = {work.newBranch ? work.from : work.branch, work.commit, work.steps};
    offer.before = work.before;
    offer.after = work.after;
    for (const PlanStep &step : std::as_const(work.steps)) {
        if (step.action == Action::Rewrite && !step.chosen)
            offer.groups.insert(step.file, apart);
        else if (step.action != Action::Keep && work.customised.contains(step.file))
            offer.groups.insert(step.file, Words::tr("Customised on %1").arg(work.from));
    }
    if (work.lineFile && work.lineFile != work.lineFileBefore) {
        const QString file = lineFileName;
        offer.plan.steps.append({work.lineFileBefore ? Action::Rewrite : Action::Create,
                                 file,
                                 file,
                                 {},
                                 Words::tr("It says what the branch builds, and goes into the same commit."),
                                 false,
                                 false});
        offer.groups.insert(file, Words::tr("Line"));
        offer.before.insert(file, work.lineFileBefore.value_or(QByteArray()));
        offer.after.insert(file, *work.lineFile);
    }
    offer.notes += work.warnings;
    if (!work.dropped.isEmpty())
        offer.notes.append(
            Words::tr("No longer promised, since they cannot exist: %1.").arg(work.dropped.join(u", "_s)));
    offer.work = std::move(work);
    return offer;
}

QString problemOfName(const QString &path, const QString &name)
{
    if (name.isEmpty())
        return Words::tr("The new branch has no name yet.");
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error().sentence();
    const Result<void> possible = repository->checkNewBranch(name);
    if (possible)
        return {};
    // Beside the name it need not be said what could not be done.
    QString why = possible.error().why + u". "_s + possible.error().remedy;
    why[0] = why.at(0).toUpper();
    return why.trimmed();
}

PlanStep stepOf(const ReadmeState &state)
{
    PlanStep step{Action::Keep, state.branch, state.branch + ":README.md"_L1, {}, {}, false, false};
    if (state.problem) {
        step.reason = state.problem->sentence();
        return step;
    }
    switch (state.kind) {
    case ReadmeState::Kind::Current:
    case ReadmeState::Kind::Written: step.reason = Words::tr("Its tables are up to date."); return step;
    case ReadmeState::Kind::Stale:
        step.action = Action::Rewrite;
        step.chosen = step.possible = !state.uncommitted;
        step.reason = state.uncommitted ? Words::tr("In the work tree it is stale, by changes that are not committed. "
                                                    "Commit them, or put them aside, first.")
                                        : Words::tr("Its tables are not what the branches hold.");
        return step;
    case ReadmeState::Kind::NoMarkers:
        step.action = Action::Create;
        step.possible = true;
        step.reason =
            Words::tr("It has no markers%1. They would go to line %2, %3; tick it to put them, and the tables, there.")
                .arg(state.codeLine > 0
                         ? Words::tr(" but in a code block (line %1), where they mean nothing").arg(state.codeLine)
                         : QString(),
                     QString::number(state.place.line), state.place.words);
        return step;
    case ReadmeState::Kind::NoReadme:
        step.action = Action::Create;
        step.possible = true;
        step.reason = Words::tr("There is no README.md. Tick it to make one.");
        return step;
    }
    Q_UNREACHABLE_RETURN(step);
}

QString groupOf(const ReadmeState &state)
{
    if (state.problem)
        return Words::tr("Cannot be written");
    switch (state.kind) {
    case ReadmeState::Kind::Current:
    case ReadmeState::Kind::Written: return Words::tr("Up to date");
    case ReadmeState::Kind::Stale: return Words::tr("Stale");
    case ReadmeState::Kind::NoMarkers: return Words::tr("No markers");
    case ReadmeState::Kind::NoReadme: return Words::tr("No README.md");
    }
    Q_UNREACHABLE_RETURN({});
}

WorkOffer offerOf(const QList<ReadmeState> &states, const WorkRequest &request)
{
    WorkOffer offer;
    offer.request = request;
    for (const ReadmeState &state : states) {
        const PlanStep step = stepOf(state);
        offer.plan.steps.append(step);
        offer.groups.insert(step.file, groupOf(state));
        offer.before.insert(step.file, state.before);
        offer.after.insert(step.file, state.after);
    }
    offer.work = states;
    return offer;
}

Result<WorkOffer> offered(const Result<LineWork> &work, const WorkRequest &request, const QString &apart)
{
    if (!work)
        return work.error();
    return offerOf(*work, request, apart);
}

/// The work with the chosen steps, without the one that stands for the line's file.
LineWork chosenOf(const WorkOffer &offer, const Plan &chosen)
{
    LineWork work = std::get<LineWork>(offer.work);
    QHash<QString, bool> byFile;
    for (const PlanStep &step : chosen.steps)
        byFile.insert(step.file, step.chosen);
    for (PlanStep &step : work.steps)
        step.chosen = step.possible && byFile.value(step.file, step.chosen);
    return work;
}

QString recipes(int count)
{
    return count == 1 ? Words::tr("1 recipe") : Words::tr("%1 recipes").arg(count);
}

QString lineSummary(const WorkOffer &offer, const LineWork &work)
{
    const QMap<Action, int> counts = work.chosen();
    QStringList parts;
    const auto add = [&](Action action, const QString &word) {
        if (const int count = counts.value(action); count > 0)
            parts.append(Words::tr("%1 %2", "count of recipes, what happens to them")
                             .arg(parts.isEmpty() ? recipes(count) : QString::number(count), word));
    };
    add(Action::Create, Words::tr("created"));
    add(Action::Rewrite, Words::tr("rewritten"));
    add(Action::Delete, Words::tr("deleted"));
    int same = 0;
    int left = 0;
    for (const PlanStep &step : work.steps) {
        same += step.action == Action::Keep;
        left += step.action == Action::Rewrite && !step.chosen;
    }
    if (same > 0)
        parts.append((same == 1 ? Words::tr("%1 stays as it is") : Words::tr("%1 stay as they are"))
                         .arg(parts.isEmpty() ? recipes(same) : QString::number(same)));
    if (left > 0)
        parts.append(
            Words::tr("%1 left alone unless ticked").arg(parts.isEmpty() ? recipes(left) : QString::number(left)));
    if (offer.after.contains(lineFileName))
        parts.append(offer.before.value(lineFileName).isEmpty() ? Words::tr("torch-matrix.toml written")
                                                                : Words::tr("torch-matrix.toml changed"));
    return parts.isEmpty() ? Words::tr("Nothing changes.") : parts.join(u", "_s) + u'.';
}

} // namespace

Result<WorkOffer> offerWork(const SnapshotReader &snapshots, const QString &path, const WorkRequest &request,
                            const WorkHooks &hooks)
{
    const auto derive = [&](const DeriveRequest &asked) -> Result<WorkOffer> {
        // A name that cannot be is told beside it; what would be on the branch shows all the same.
        Result<WorkOffer> offer =
            offered(readDerivation(snapshots, path, asked.from, asked.name.isEmpty() ? u"new"_s : asked.name,
                                   asked.change, hooks),
                    request, {});
        if (offer)
            offer.value().nameProblem = problemOfName(path, asked.name);
        return offer;
    };
    const auto migrate = [&](const MigrateRequest &asked) -> Result<WorkOffer> {
        if (asked.change == SettingsChange{}) {
            WorkOffer nothing;
            nothing.request = request;
            nothing.plan.branch = asked.branch;
            nothing.work = LineWork{};
            return nothing;
        }
        return offered(readMigration(snapshots, path, asked.branch, asked.change, hooks), request,
                       Words::tr("Customised"));
    };
    const auto copy = [&](const CopyRequest &asked) {
        return offered(readCopy(snapshots, path, asked.from, asked.to, asked.names, hooks), request,
                       Words::tr("Another recipe is there"));
    };
    const auto readme = [&](const ReadmeRequest &asked) -> Result<WorkOffer> {
        const Result<QList<ReadmeState>> states = readReadmes(path, asked.branches, snapshots, hooks);
        if (!states)
            return states.error();
        return offerOf(*states, request);
    };
    return std::visit(Cases{derive, migrate, copy, readme}, request);
}

QString summaryOf(const WorkOffer &offer, const Plan &chosen)
{
    if (std::holds_alternative<LineWork>(offer.work)) {
        if (offer.plan.steps.isEmpty())
            return {};
        return lineSummary(offer, chosenOf(offer, chosen));
    }
    const auto count = std::ranges::count_if(chosen.steps, &PlanStep::chosen);
    const auto current =
        std::ranges::count_if(chosen.steps, [](const PlanStep &step) { return step.action == Action::Keep; });
    if (count == 0)
        return current == chosen.steps.size() ? Words::tr("Nothing has to be written.")
                                              : Words::tr("Nothing is ticked.");
    return count == 1 ? Words::tr("README.md is written on 1 branch, as one commit.")
                      : Words::tr("README.md is written on %1 branches, each as one commit.").arg(count);
}

QString whyNot(const WorkOffer &offer, const Plan &chosen)
{
    if (!offer.nameProblem.isEmpty())
        return offer.nameProblem;
    if (std::holds_alternative<MigrateRequest>(offer.request) && offer.plan.steps.isEmpty())
        return Words::tr("Nothing is to change yet: choose another version, nixpkgs or template.");
    const bool any = std::holds_alternative<LineWork>(offer.work)
                         ? !chosenOf(offer, chosen).edits().isEmpty()
                         : std::ranges::any_of(chosen.steps, &PlanStep::chosen);
    return any ? QString() : Words::tr("Nothing is chosen.");
}

WorkOutcome applyWork(const QString &path, const WorkOffer &offer, const Plan &chosen, const WorkHooks &hooks)
{
    WorkOutcome outcome;
    outcome.request = offer.request;
    if (std::holds_alternative<LineWork>(offer.work)) {
        const LineWork work = chosenOf(offer, chosen);
        const Result<CommitResult> done = applyLineWork(path, work, {}, hooks);
        if (!done) {
            outcome.error = done.error();
            return outcome;
        }
        QStringList written;
        for (const FileEdit &edit : work.edits()) {
            if (edit.text)
                written.append(edit.path);
        }
        outcome.reports.append(reportOf(*done, written));
        return outcome;
    }
    int done = 0;
    const auto count = int(std::ranges::count_if(chosen.steps, &PlanStep::chosen));
    for (const ReadmeState &state : std::get<QList<ReadmeState>>(offer.work)) {
        const QString file = stepOf(state).file;
        if (!std::ranges::any_of(chosen.steps,
                                 [&file](const PlanStep &step) { return step.chosen && step.file == file; }))
            continue;
        if (hooks.stopped()) {
            outcome.error = Error{Words::tr("write README.md on"), state.branch, Words::tr("it was stopped"), {}};
            return outcome;
        }
        const Result<ReadmeState> written = writeReadme(path, state);
        if (!written) {
            outcome.error = written.error();
            return outcome;
        }
        WriteReport report;
        report.branch = state.branch;
        report.commit = written->commit;
        report.written = {u"README.md"_s};
        outcome.reports.append(report);
        hooks.tell(++done, count);
    }
    return outcome;
}

} // namespace tmx
