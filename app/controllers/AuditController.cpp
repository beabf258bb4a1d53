// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/AuditController.h"

#include "app/controllers/RecipeController.h"
#include "app/window/Notices.h"
#include "model/builds/NixCheck.h"
#include "model/change/Change.h"
#include "model/change/Findings.h"
#include "model/matrix/MatrixModel.h"
#include "model/workspace/Workspace.h"
#include "views/audit/AuditPage.h"
#include "views/recipe/RecipePane.h"

#include <QFuture>
#include <QtConcurrent>

#include <utility>

namespace tmx {

AuditController::AuditController(Workspace *workspace, MatrixModel *matrix, RecipeController *recipe, RecipePane *pane,
                                 Notices *notices, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_matrix(matrix)
    , m_recipe(recipe)
    , m_pane(pane)
    , m_notices(notices)
    , m_nix(new NixCheck(this))
{
    AuditPage *page = pane->audit();
    connect(page, &AuditPage::fixRequested, this, [this](const Finding &finding) {
        prepare(finding, FixWay::InPlace, tr("This change fixes it: %1").arg(finding.sentence));
    });
    connect(page, &AuditPage::renderRequested, this,
            [this] { prepare({}, FixWay::Regenerate, tr("The recipe with its template's text.")); });
    connect(page, &AuditPage::applyRequested, this, [this](const QList<ChangeSet> &changes) {
        if (std::exchange(m_proposed, false))
            apply(changes);
    });
    connect(page, &AuditPage::nixCheckRequested, this, [this, page] {
        page->setNixCheck(AuditPage::NixCheck::Running);
        m_nix->start(m_text);
    });
    connect(page, &AuditPage::nixStopRequested, this, [this, page] {
        m_nix->stop();
        page->setNixCheck(AuditPage::NixCheck::Idle, tr("The check was stopped."));
    });
    connect(m_nix, &NixCheck::finished, this,
            [page](const NixParseVerdict &verdict) { page->setNixCheck(AuditPage::NixCheck::Idle, verdict.sentence); });
    connect(recipe, &RecipeController::shownChanged, this, &AuditController::takeRecipe);
    connect(workspace, &Workspace::snapshotChanged, this, [workspace, page] {
        QHash<QString, int> fixable;
        if (const auto &snapshot = workspace->snapshot()) {
            for (const VariantEntry &entry : snapshot->entries) {
                for (const Finding &finding : entry.findings)
                    fixable[finding.rule] += finding.fixable ? 1 : 0;
            }
        }
        page->setFixable(fixable);
    });

    const Operations *operations = workspace->operations();
    connect(operations, &Operations::prepared, this, [this](OperationId id, const QList<ChangeSet> &changes) {
        if (id == m_preparing)
            propose(changes);
    });
    connect(operations, &Operations::applied, this, [this](OperationId id, const QList<Applied> &applied) {
        if (m_applying.remove(id))
            tell(applied.constFirst());
    });
    connect(operations, &Operations::failed, this, [this, page](OperationId id, const Error &error) {
        m_applying.remove(id);
        if (id != m_preparing)
            return;
        m_preparing = 0;
        page->showTrouble(error.sentence());
    });
}

AuditController::~AuditController() = default;

void AuditController::takeRecipe()
{
    const QByteArray text = m_recipe->shownText();
    if (std::exchange(m_text, text) != text) {
        m_proposed = false;
        m_preparing = 0; // What is read again without a change keeps what the user asked for.
        if (m_nix->isRunning())
            m_nix->stop();
    }
    // Searches PATH in a worker: some of its folders may be on a slow disk.
    QtConcurrent::run(NixCheck::program).then(this, [this, text](const QString &program) {
        if (text == m_text && !m_nix->isRunning())
            m_pane->audit()->setNixCheck(program.isEmpty() || text.isEmpty() ? AuditPage::NixCheck::Absent
                                                                             : AuditPage::NixCheck::Idle);
    });
}

void AuditController::prepare(const Finding &finding, FixWay way, const QString &title)
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    const VariantEntry entry = m_matrix->entryOf(m_recipe->shown());
    m_proposed = false;
    m_title = title;
    m_preparing = m_workspace->operations()->prepare(
        snapshot.repository,
        FixRequest{snapshot.branch, way == FixWay::Regenerate ? entry.variant.name() : findingName(entry, finding),
                   way});
}

void AuditController::correctHash(const QString &stated, const QString &right)
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    const VariantEntry entry = m_matrix->entryOf(m_recipe->shown());
    m_proposed = false;
    m_title = tr("The build found this hash.");
    m_preparing = m_workspace->operations()->prepare(
        snapshot.repository, FixRequest{.branch = snapshot.branch,
                                        .finding = entry.package() + QStringLiteral(":hash-mismatch"),
                                        .statedHash = stated,
                                        .rightHash = right});
    m_pane->setTab(RecipePane::Tab::Audit);
}

void AuditController::propose(const QList<ChangeSet> &changes)
{
    m_preparing = 0;
    if (changes.constFirst().isEmpty())
        return m_pane->audit()->showTrouble(tr("Nothing would change."));
    m_proposed = true;
    m_pane->audit()->showProposal(m_title, changes);
}

void AuditController::apply(const QList<ChangeSet> &changes)
{
    m_applying.insert(m_notices->watch(m_workspace->operations()->apply(m_workspace->info().workTree, changes)));
}

void AuditController::tell(const Applied &applied)
{
    const QString &subject = applied.subject;
    if (!applied.commit.isEmpty())
        return m_notices->offerUndo(
            tr("%1, committed to %2 as %3.").arg(subject, applied.branch, applied.commit.left(7)), {applied});
    m_notices->offerUndo(
        applied.saved.isEmpty()
            ? tr("%1. It is not committed yet.").arg(subject)
            : tr("%1. It is not committed yet. The old text is saved in %2.").arg(subject, applied.saved),
        {applied});
}

} // namespace tmx
