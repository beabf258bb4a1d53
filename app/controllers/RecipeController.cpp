// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/RecipeController.h"

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
    QtConcurrent::run(detailOf, m_workspace->catalog(), m_workspace->snapshot(),
                      package.present ? package : m_matrix->entryOf(m_name))
        .then(this, [this, generation](const CellDetail &detail) {
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
    // The pane's heading already has the name.
    content.stateSentence = isVariant ? stateSentence(entry, m_matrix->buildState(content.name))
                            : entry.fileStatus == FileStatus::Clean ? tr("Committed.")
                                                                    : tr("It has uncommitted changes.");
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
    content.hardware = detail.facts.products.isEmpty()
                           ? detail.facts.cpuHardware
                           : tr("%1, with %2").arg(detail.facts.products.join(u", "_s), detail.facts.cpuHardware);
    m_pane->setLoading(false);
    m_pane->show(content);
    m_actions = detail.actions;
    showActions();
    m_shown = content.name;
    m_text = content.text;
    Q_EMIT shownChanged();
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
    m_pane->setActions({action(&CellActions::generate), action(&CellActions::commit), action(&CellActions::build)});
}

} // namespace tmx
