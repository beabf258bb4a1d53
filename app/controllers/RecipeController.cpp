// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/RecipeController.h"

#include "model/builds/VerifyBuild.h"
#include "model/matrix/MatrixModel.h"
#include "model/matrix/StateWords.h"
#include "model/workspace/CellDetail.h"
#include "model/workspace/Workspace.h"
#include "views/recipe/RecipePane.h"

#include <QFuture>
#include <QtConcurrent>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

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
        Q_EMIT shownChanged();
        return;
    }
    m_pane->setLoading(true);
    QtConcurrent::run([catalog = m_workspace->catalog(), snapshot = m_workspace->snapshot(),
                       entry = package.present ? package : m_matrix->entryOf(m_name)] {
        return std::pair(detailOf(catalog, snapshot, entry), lastVerified(*snapshot, entry));
    }).then(this, [this, generation](const std::pair<CellDetail, QString> &read) {
        if (generation != m_generation)
            return;
        m_verified = read.second;
        take(read.first);
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
    content.way = isVariant ? wayText(entry, build, m_verified) : QString();
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
    m_actions = detail.actions;
    m_shown = content.name;
    m_text = content.text;
    showActions();
    Q_EMIT shownChanged();
}

/// After a build went on.
void RecipeController::showState()
{
    if (m_shown.isEmpty() || m_entry.variant.name() != m_shown)
        return;
    const BuildState build = m_matrix->buildState(m_shown);
    m_pane->setState(stateSentence(m_entry, build), wayText(m_entry, build, m_verified));
    showActions();
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
