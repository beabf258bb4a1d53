// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/UndoForm.h"

#include "views/theme/Colors.h"
#include "views/widgets/Label.h"
#include "views/widgets/Views.h"

#include <QHeaderView>
#include <QLocale>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tmx {

namespace {

constexpr int leastCommits = 8; ///< lines of the list

} // namespace

UndoForm::UndoForm(const QString &branch, QWidget *parent)
    : WorkForm(parent)
    , m_branch(branch)
    , m_missing(tr("Reading the commits\u2026"))
    , m_list(new QTreeWidget)
    , m_way(new Label({}, Label::Wrapped, tr("How it is undone")))
{
    m_list->setAccessibleName(tr("Commits of %1").arg(branch));
    m_list->setHeaderLabels({tr("Commit"), tr("Subject"), tr("Author"), tr("Date")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    styleView(m_list);
    // The commits that cannot be undone are read too.
    QPalette readable = m_list->palette();
    readable.setColor(QPalette::Disabled, QPalette::Text, mutedText(readable));
    m_list->setPalette(readable);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_list->setFixedHeight(leastCommits * rowHeight(m_list) + m_list->header()->sizeHint().height());
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_list);
    layout->addWidget(m_way);
    setFocusProxy(m_list);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &UndoForm::edited);
}

void UndoForm::setCommits(const QList<BranchCommit> &commits)
{
    const bool any = std::ranges::any_of(commits, &BranchCommit::undoable);
    m_missing = any ? tr("Choose a commit of this program. Only those can be undone here.")
                    : tr("This program made none of these commits, so none can be undone here.");
    QTreeWidgetItem *first = nullptr;
    for (const BranchCommit &one : commits) {
        auto *item =
            new QTreeWidgetItem(m_list, {one.commit.left(7), one.info.subject, one.info.author,
                                         QLocale().toString(one.info.when.toLocalTime().date(), QLocale::ShortFormat)});
        item->setData(0, Qt::UserRole, one.commit);
        item->setDisabled(!one.undoable);
        if (!first && one.undoable)
            first = item;
    }
    m_list->setCurrentItem(first);
    Q_EMIT edited();
}

void UndoForm::setTrouble(const QString &sentence)
{
    m_missing = sentence;
    Q_EMIT edited();
}

ChangeRequest UndoForm::request() const
{
    const QTreeWidgetItem *item = m_list->currentItem();
    return UndoRequest{m_branch, item ? item->data(0, Qt::UserRole).toString() : QString()};
}

void UndoForm::setChanges(const QList<ChangeSet> &changes)
{
    m_way->setText(
        changes.isEmpty() ? QString()
        : changes.constFirst().movesTo.isEmpty()
            ? tr("A new commit on %1 reverts it.").arg(m_branch)
            : tr("It was not pushed: %1 goes back to the commit before, and Redo brings the same commit back.")
                  .arg(m_branch));
}

QString UndoForm::missing() const
{
    return m_list->currentItem() ? QString() : m_missing;
}

} // namespace tmx
