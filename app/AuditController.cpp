// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/AuditController.h"

#include "app/Notices.h"
#include "app/RecipeController.h"
#include "model/matrix/MatrixModel.h"
#include "model/workspace/NixCheck.h"
#include "model/workspace/Workspace.h"
#include "views/RecipePane.h"
#include "views/audit/AuditPage.h"

#include <QFuture>
#include <QtConcurrent>

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
        const VariantEntry entry = m_matrix->entryAt(m_matrix->indexOf(m_recipe->shown()));
        offer([catalog = m_workspace->catalog(), snapshot = m_workspace->snapshot(), entry,
               finding] { return offerFix(catalog, snapshot, entry, finding); },
              tr("This change mends it: %1").arg(finding.sentence));
    });
    connect(page, &AuditPage::renderRequested, this, [this] {
        const VariantEntry entry = m_matrix->entryAt(m_matrix->indexOf(m_recipe->shown()));
        offer([catalog = m_workspace->catalog(), snapshot = m_workspace->snapshot(),
               entry] { return offerTemplate(catalog, snapshot, entry); },
              tr("This is what the line's template makes of it."));
    });
    connect(page, &AuditPage::applyRequested, this, [this] {
        if (m_offer)
            apply(*std::exchange(m_offer, std::nullopt));
    });
    connect(page, &AuditPage::nixCheckRequested, this, &AuditController::checkWithNix);
    connect(page, &AuditPage::nixStopRequested, this, [this] {
        m_nix->stop();
        m_pane->audit()->setNixCheck(AuditPage::NixCheck::Idle, tr("The check was stopped."));
    });
    connect(m_nix, &NixCheck::finished, this, [this](const NixParseVerdict &verdict) {
        m_pane->audit()->setNixCheck(AuditPage::NixCheck::Idle, verdict.sentence);
    });
    connect(workspace->operations(), &Operations::applied, this, [this](OperationId id, const QList<Applied> &applied) {
        if (m_applying.contains(id))
            tell(m_applying.take(id), applied.constFirst());
    });
    connect(recipe, &RecipeController::shownChanged, this, [this] {
        const bool there = !NixCheck::program().isEmpty();
        const QByteArray text = m_recipe->shownText();
        if (text != m_text && m_nix->isRunning())
            m_nix->stop(); // of a text that is not shown any more
        if (text != m_text)
            m_offer.reset();
        m_text = text;
        ++m_generation;
        if (!m_nix->isRunning())
            m_pane->audit()->setNixCheck(there && !text.isEmpty() ? AuditPage::NixCheck::Idle
                                                                  : AuditPage::NixCheck::Absent);
    });
}

AuditController::~AuditController() = default;

void AuditController::offer(std::function<Result<RewriteOffer>()> work, const QString &title)
{
    const quint64 generation = ++m_generation;
    m_offer.reset();
    QtConcurrent::run(std::move(work)).then(this, [this, generation, title](const Result<RewriteOffer> &made) {
        if (generation != m_generation)
            return;
        if (!made) {
            m_pane->audit()->showTrouble(made.error().sentence());
            return;
        }
        if (made->diff.isEmpty()) {
            m_pane->audit()->showTrouble(tr("Nothing would change."));
            return;
        }
        m_offer = *made;
        m_pane->audit()->showProposal({title, made->diff, made->after});
    });
}

void AuditController::apply(const RewriteOffer &offer)
{
    m_applying.insert(
        m_workspace->operations()->run(tr("Changing a recipe"), [path = m_workspace->info().workTree,
                                                                 offer] { return appliedOf(applyOffer(path, offer)); }),
        offer);
}

void AuditController::tell(RewriteOffer offer, const Applied &applied)
{
    const QString done =
        !applied.saved.isEmpty()
            ? tr("%1. It is not committed yet; the text before is kept in %2.").arg(offer.subject, applied.saved)
        : applied.commit.isEmpty()
            ? tr("%1. It is not committed yet.").arg(offer.subject)
            : tr("%1, committed to %2 as %3.").arg(offer.subject, applied.branch, applied.commit.left(7));
    if (!applied.commit.isEmpty())
        offer.commit = applied.commit; // what is undone stands on it
    m_notices->offer(done, tr("Undo"), [this, offer] { apply(offer.undone()); });
}

void AuditController::checkWithNix()
{
    m_pane->audit()->setNixCheck(AuditPage::NixCheck::Running);
    m_nix->start(m_text);
}

} // namespace tmx
