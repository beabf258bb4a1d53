// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/RecipeController.h"

#include "model/base/ShortList.h"
#include "model/catalog/ShortNames.h"
#include "model/matrix/MatrixModel.h"
#include "model/matrix/StateWords.h"
#include "model/workspace/CellDetail.h"
#include "model/workspace/Workspace.h"
#include "views/recipe/RecipePane.h"
#include "views/widgets/CheckList.h"

#include <QFuture>
#include <QtConcurrent>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool hasFailed(BuildState::Phase phase)
{
    return phase == BuildState::Phase::Failed || phase == BuildState::Phase::FailedElsewhere;
}

bool isBuilt(BuildState::Phase phase)
{
    return phase == BuildState::Phase::Built || phase == BuildState::Phase::Published ||
           phase == BuildState::Phase::Elsewhere;
}

} // namespace

RecipeController::RecipeController(Workspace *workspace, MatrixModel *matrix, RecipePane *pane, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_matrix(matrix)
    , m_pane(pane)
{
    connect(workspace, &Workspace::snapshotChanged, this, &RecipeController::refresh);
    connect(matrix, &MatrixModel::summaryChanged, this, &RecipeController::showState); // a build went on
}

void RecipeController::showCell(const QString &name)
{
    m_name = name;
    refresh();
}

void RecipeController::refresh()
{
    const quint64 generation = ++m_generation;
    const auto package = m_workspace->isOpen() ? m_workspace->snapshot()->packages.value(m_name) : VariantEntry();
    if (m_name.isEmpty() || !m_workspace->isOpen() || (!package.present && !m_matrix->indexOf(m_name).isValid())) {
        m_shown.clear();
        m_text.clear();
        m_pane->clear();
        showBranch();
        Q_EMIT shownChanged();
        return;
    }
    m_pane->setLoading(true);
    QtConcurrent::run([catalog = m_workspace->catalog(), snapshot = m_workspace->snapshot(),
                       entry = package.present ? package : m_matrix->entryOf(m_name)] {
        return detailOf(catalog, snapshot, entry);
    }).then(this, [this, generation](const CellDetail &detail) {
        if (generation == m_generation)
            take(detail);
    });
}

void RecipeController::take(const CellDetail &detail)
{
    const VariantEntry &entry = detail.entry;
    RecipePaneContent content;
    const bool isVariant = !entry.variant.row.isEmpty();
    content.name = isVariant ? entry.variant.name() : entry.package();
    m_entry = entry;
    const BuildState build = m_matrix->buildState(content.name);
    // The pane's heading already has the name.
    content.stateSentence = isVariant                               ? stateSentence(entry, build)
                            : entry.fileStatus == FileStatus::Clean ? tr("Committed.")
                                                                    : tr("It has uncommitted changes.");
    content.way = isVariant ? wayText(entry, build) : QString();
    content.text = detail.text;
    content.exists = detail.exists;
    content.canGenerate = detail.actions.generate.enabled;
    content.againstHead = detail.againstHead;
    content.againstTemplate = detail.againstTemplate;
    content.differences = detail.differences;
    content.hasHead = detail.hasCommitted;
    content.hasTemplate = detail.hasTemplate;
    content.findings = entry.findings;
    content.imported = detail.imported;
    content.stated = detail.stated;
    content.facts = detail.facts;
    content.file = entry.file;
    QStringList hardware{detail.facts.products.join(u", "_s), detail.facts.cpuHardware};
    hardware.removeAll(QString());
    content.hardware = hardware.join(tr(", with ", "GPUs, CPUs"));
    m_pane->setLoading(false);
    m_pane->show(content);
    m_pane->setBuild(build);
    m_actions = detail.actions;
    m_shown = content.name;
    m_text = content.text;
    showActions();
    Q_EMIT shownChanged();
}

/// After a build went on.
void RecipeController::showState()
{
    if (m_shown.isEmpty())
        showBranch();
    if (m_shown.isEmpty() || m_entry.variant.name() != m_shown)
        return;
    const BuildState build = m_matrix->buildState(m_shown);
    m_pane->setState(stateSentence(m_entry, build), wayText(m_entry, build));
    m_pane->setBuild(build);
    showActions();
}

/// What a maintainer looks for before a cell is selected: what failed and why, what is missing, what comes next.
void RecipeController::showBranch()
{
    if (!m_workspace->isOpen())
        return;
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    QList<const VariantEntry *> entries; // as the grid's rows
    for (const VariantEntry &entry : snapshot.entries)
        entries.append(&entry);
    std::ranges::sort(entries, {}, &VariantEntry::variant);
    QStringList all;
    for (const VariantEntry *entry : std::as_const(entries))
        all.append(entry->variant.name());
    const ShortNames names(all);
    QStringList failed, causes, faulty, missing, holes, warned, changed;
    int present = 0, built = 0;
    for (const VariantEntry *each : std::as_const(entries)) {
        const VariantEntry &entry = *each;
        const QString name = entry.variant.name();
        const BuildState build = m_matrix->buildState(name);
        if (hasFailed(build.phase)) {
            failed.append(name);
            causes.append(build.cause);
        }
        const ProblemCounts problems = problemsOf(entry.findings);
        if (problems.errors > 0)
            faulty.append(name);
        if (problems.warnings > 0)
            warned.append(name);
        if (entry.state == RecipeState::Missing)
            missing.append(name);
        if (entry.hole)
            holes.append(name);
        if (entry.present && entry.fileStatus != FileStatus::Clean)
            changed.append(name);
        present += entry.present ? 1 : 0;
        built += isBuilt(build.phase) ? 1 : 0;
    }
    QList<CheckItem> items;
    const auto tell = [&](CheckItem::Kind kind, const QString &word, const QStringList &cells,
                          const QStringList &reasons = {}) {
        QStringList texts = names.inTurn(cells);
        for (qsizetype i = 0; i < reasons.size(); ++i) {
            if (!reasons.at(i).isEmpty())
                texts[i] = tr("%1: %2", "cell, why it failed").arg(texts.at(i), reasons.at(i));
        }
        if (!cells.isEmpty())
            items.append({kind, tr("%1 %2", "word, count").arg(word).arg(cells.size()), shortList(texts)});
    };
    // Findings, as everywhere where errors and warnings are counted; and the recipes that have them.
    const auto tellFindings = [&](CheckItem::Kind kind, const QString &word, int findings, const QStringList &cells) {
        const QString where = tr("in %n recipes: %1", nullptr, int(cells.size())).arg(shortList(names.inTurn(cells)));
        if (findings > 0)
            items.append(
                {kind, tr("%1 %2", "word, count").arg(word).arg(findings), cells.isEmpty() ? QString() : where});
    };
    const ProblemCounts problems = problemsOf(snapshot);
    tell(CheckItem::Kind::Blocks, tr("Failed"), failed, causes);
    tellFindings(CheckItem::Kind::Blocks, tr("Errors"), problems.errors, faulty);
    tell(CheckItem::Kind::Warns, tr("Missing"), missing);
    tell(CheckItem::Kind::Warns, tr("Probably missing"), holes);
    tellFindings(CheckItem::Kind::Warns, tr("Warnings"), problems.warnings, warned);
    tell(CheckItem::Kind::Warns, tr("Uncommitted"), changed);
    if (present > 0)
        items.append({built < present ? CheckItem::Kind::Open : CheckItem::Kind::Holds, tr("Built"),
                      tr("%1 of %n recipes", nullptr, present).arg(built)});
    QList<QAction *> next;
    for (const auto &[action, wanted] :
         {std::pair(m_next[0], !missing.isEmpty()), {m_next[1], !failed.isEmpty()}, {m_next[2], built < present}}) {
        if (action && wanted)
            next.append(action);
    }
    m_pane->setBranch(names.common().isEmpty()
                          ? snapshot.branch
                          : tr("%1: %2", "branch, what all have in common").arg(snapshot.branch, names.common()),
                      items, next);
}

void RecipeController::setSelection(const QList<CellActions> &cells)
{
    m_selection = cells;
    if (!m_shown.isEmpty())
        showActions();
}

void RecipeController::showActions()
{
    const auto action = [this](ActionState CellActions::*of) {
        const auto count =
            std::ranges::count_if(m_selection, [of](const CellActions &cell) { return (cell.*of).enabled; });
        if (m_selection.size() > 1 && count > 0)
            return PaneAction{true, {}, int(count)};
        return PaneAction{m_selection.size() <= 1 && (m_actions.*of).enabled, (m_actions.*of).reason};
    };
    const BuildState build = m_matrix->buildState(m_shown);
    const bool built = build.phase == BuildState::Phase::Built || build.phase == BuildState::Phase::Published;
    m_pane->setActions(
        {action(&CellActions::generate), action(&CellActions::commit), action(&CellActions::build),
         PaneAction{built,
                    built ? tr("Import the result and check that it is what its name says") : tr("Build it first.")},
         PaneAction{built, built ? tr("Check what publishing needs, and publish") : tr("Build it first.")}});
}

} // namespace tmx
