// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/PackageList.h"

#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

enum Column { PackageColumn, PinColumn, ImportsColumn, columns };

/// "0182a36, 6a030d5"
QString pinsOf(const VariantEntry &package)
{
    QStringList pins;
    for (const PinFacts &pin : package.facts ? package.facts->pins : QList<PinFacts>())
        pins.append(pin.revision.value.left(10));
    pins.removeDuplicates();
    return pins.join(u", "_s);
}

} // namespace

PackageList::PackageList(QWidget *parent)
    : QWidget(parent)
    , m_about(new Label({}, Label::Narrow | Label::Selectable))
    , m_list(new QTreeWidget)
{
    m_list->setAccessibleName(tr("Packages"));
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setColumnCount(columns);
    m_list->setHeaderLabels({tr("Package"), tr("nixpkgs"), tr("Imports")});
    m_list->header()->setSectionResizeMode(PackageColumn, QHeaderView::ResizeToContents);
    auto *build = new QPushButton(tr("Build"));
    describe(build, tr("Build the selected packages"), tr("Build the selected packages with flox"));
    auto *history = new QPushButton(tr("History"));
    describe(history, tr("Show the history of the package"), tr("Show the commits that changed the package"));
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(build);
    buttons->addWidget(history);
    buttons->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 0);
    layout->addWidget(m_about);
    layout->addLayout(buttons);
    layout->addWidget(m_list, 1);
    const auto enable = [this, build, history] {
        build->setEnabled(!selectedNames().isEmpty());
        history->setEnabled(!currentName().isEmpty());
    };
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this, enable] {
        enable();
        Q_EMIT currentChanged();
    });
    connect(m_list, &QTreeWidget::itemSelectionChanged, this, [this, enable] {
        enable();
        Q_EMIT selectionChanged();
    });
    connect(m_list, &QTreeWidget::itemActivated, this, [this] { Q_EMIT activated(currentName()); });
    connect(build, &QPushButton::clicked, this, [this] { Q_EMIT buildRequested(selectedNames()); });
    connect(history, &QPushButton::clicked, this, [this] { Q_EMIT historyRequested(currentName()); });
    enable();
}

void PackageList::setSnapshot(const BranchSnapshot &snapshot)
{
    m_about->setText(tr("%1 has no matrix. %2", "branch")
                         .arg(snapshot.title().isEmpty() ? tr("This repository") : snapshot.title(), aboutMatrices()));
    const QString current = currentName();
    m_list->clear();
    for (const auto &[name, package] : snapshot.packages.asKeyValueRange()) {
        QStringList imports;
        for (const QString &path : package.imports ? package.imports->paths : QStringList())
            imports.append(shownPath(path));
        m_list->addTopLevelItem(new QTreeWidgetItem({name, pinsOf(package), imports.join(u", "_s)}));
    }
    if (!setCurrentName(current) && m_list->topLevelItemCount() > 0)
        m_list->setCurrentItem(m_list->topLevelItem(0)); // selected too: Build is for it
}

QString PackageList::currentName() const
{
    return m_list->currentItem() ? m_list->currentItem()->text(PackageColumn) : QString();
}

QStringList PackageList::selectedNames() const
{
    QStringList names;
    for (const QTreeWidgetItem *item : m_list->selectedItems())
        names.append(item->text(PackageColumn));
    return names;
}

bool PackageList::setCurrentName(const QString &name)
{
    const QList<QTreeWidgetItem *> found = m_list->findItems(name, Qt::MatchExactly, PackageColumn);
    if (!found.isEmpty())
        m_list->setCurrentItem(found.constFirst());
    return !found.isEmpty();
}

} // namespace tmx
