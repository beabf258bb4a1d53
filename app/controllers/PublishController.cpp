// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/PublishController.h"

#include "model/workspace/Workspace.h"
#include "views/publish/PublishDialog.h"

#include <QtConcurrent>

namespace tmx {

PublishController::PublishController(Workspace *workspace, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_window(window)
{
}

PublishController::~PublishController()
{
    *m_stop = true;
}

void PublishController::open(const QStringList &variants)
{
    if (m_dialog || variants.isEmpty())
        return;
    m_snapshot = m_workspace->snapshot();
    PublishWish wish;
    for (const QString &name : variants) {
        if (const VariantEntry *entry = m_snapshot->find(name); entry && entry->present)
            wish.variants.append(name);
    }
    if (wish.variants.isEmpty())
        Q_EMIT failed(tr("None of the selected cells has a recipe."));
    else
        plan(wish);
}

void PublishController::plan(const PublishWish &wish)
{
    QtConcurrent::run([workTree = m_workspace->info().workTree, snapshot = m_snapshot, wish] {
        return planPublish(workTree, *snapshot, wish);
    }).then(this, [this, wish, asked = ++m_asked](const Result<PublishPlan> &plan) {
        if (asked == m_asked)
            take(wish, plan);
    });
}

void PublishController::take(const PublishWish &wish, const Result<PublishPlan> &plan)
{
    if (!plan)
        return m_dialog ? m_dialog->setProblem(plan.error().sentence()) : Q_EMIT failed(plan.error().sentence());
    if (m_dialog)
        return m_dialog->setPlan(*plan);
    if (!plan->notice.isEmpty())
        Q_EMIT failed(plan->notice);
    m_dialog = new PublishDialog(wish, *plan, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &PublishDialog::wishChanged, this, [this] { this->plan(m_dialog->wish()); });
    connect(m_dialog, &PublishDialog::publishRequested, this, [this] {
        *m_stop = false;
        m_dialog->setPublishing(true);
        publishNext(m_dialog->plan(), 0);
    });
    connect(m_dialog, &PublishDialog::stopRequested, this, [this] { *m_stop = true; });
    m_dialog->open();
}

void PublishController::publishNext(const PublishPlan &plan, qsizetype next)
{
    while (next < plan.items.size() && !plan.items.at(next).as.isEmpty())
        ++next;
    if (next == plan.items.size() || *m_stop)
        return m_dialog->setPublishing(false);
    const PublishItem &item = plan.items.at(next);
    m_dialog->setState(item.package, tr("publishing\u2026"));
    using Done = std::pair<Result<PublishedPackage>, Result<PublishedCount>>;
    QtConcurrent::run([plan, item, stop = m_stop, snapshot = m_snapshot] {
        const Result<PublishedPackage> published = publishOne(plan, item, [stop] { return stop->load(); });
        return Done{published, countPublished(plan.workTree, *snapshot)};
    }).then(this, [this, plan, item, next](const Done &done) {
        const auto &[published, count] = done;
        if (!published)
            m_dialog->setState(item.package, published.error().sentence());
        else if (published->end == PublishEnd::Failed)
            m_dialog->setState(item.package, published->sentence);
        else
            m_dialog->setState(item.package,
                               published->end == PublishEnd::Published
                                   ? tr("published as %1").arg(published->as)
                                   : tr("already published as %1").arg(published->as),
                               published->as);
        if (count)
            m_dialog->setCount(*count);
        Q_EMIT this->published();
        publishNext(plan, next + 1);
    });
}

} // namespace tmx
