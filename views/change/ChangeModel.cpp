// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/change/ChangeModel.h"

#include <QCollator>
#include <QFont>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Identifies what a change is about. The name of a new branch is still being typed, so its start commit is used.
QString subjectOf(const ChangeSet &change)
{
    return change.repository + u'@' + (change.newBranch ? change.parentCommit : change.branch);
}

bool hasBox(const ChangedFile &file)
{
    return file.action != ChangeAction::Keep && file.possible;
}

void keepChoice(ChangeSet &next, const ChangeSet &before)
{
    for (ChangedFile &file : next.files) {
        const auto old = std::ranges::find_if(before.files, [&file](const ChangedFile &other) {
            return other.action == file.action && other.path == file.path && other.reason == file.reason;
        });
        if (old != before.files.end() && hasBox(file))
            file.chosen = old->chosen;
    }
}

} // namespace

QString actionWord(ChangeAction action)
{
    switch (action) {
    case ChangeAction::Keep: return ChangeModel::tr("Leave as they are");
    case ChangeAction::Create: return ChangeModel::tr("Create");
    case ChangeAction::Rewrite: return ChangeModel::tr("Rewrite");
    case ChangeAction::Rename: return ChangeModel::tr("Rename");
    case ChangeAction::Delete: return ChangeModel::tr("Delete");
    }
    Q_UNREACHABLE_RETURN({});
}

/// The changes are those of several repositories, each with its own groups.
bool ChangeModel::isOfSeveral() const
{
    return !m_changes.isEmpty() && !m_changes.constFirst().repository.isEmpty();
}

bool ChangeModel::setChanges(const QList<ChangeSet> &changes)
{
    const bool same = std::ranges::equal(m_changes, changes, {}, subjectOf, subjectOf);
    QList<ChangeSet> next = changes;
    for (ChangeSet &change : next) {
        const auto old = std::ranges::find(m_changes, subjectOf(change), subjectOf);
        if (old == m_changes.end())
            continue;
        keepChoice(change, *old);
        change.forced = old->forced && change.chosenErrors() == old->chosenErrors();
    }
    if (next == m_changes)
        return same;
    beginResetModel();
    m_changes = std::move(next);
    regroup();
    endResetModel();
    Q_EMIT chosenChanged();
    return same;
}

void ChangeModel::setForced(bool forced)
{
    for (ChangeSet &change : m_changes)
        change.forced = forced;
    Q_EMIT chosenChanged();
}

void ChangeModel::regroup()
{
    QList<Place> places;
    for (int change = 0; change < m_changes.size(); ++change) {
        for (int file = 0; file < m_changes.at(change).files.size(); ++file)
            places.append({change, file});
    }
    QCollator byNumber(QLocale::English); // sm61 comes before sm100
    byNumber.setNumericMode(true);
    // Files that change come first, kept files last.
    const auto group = [this](const Place &place) {
        const ChangedFile &file = this->file(place);
        return std::tuple(isOfSeveral() ? place.change : 0, file.action == ChangeAction::Keep ? 100 : int(file.action),
                          file.group);
    };
    std::ranges::stable_sort(places, [&](const Place &one, const Place &other) {
        const auto order = group(one) <=> group(other);
        return order < 0 || (order == 0 && byNumber.compare(nameOf(one), nameOf(other)) < 0);
    });
    m_groups.clear();
    QStringList names;
    for (const Place &place : std::as_const(places))
        names.append(nameOf(place));
    m_names = ShortNames(names);
    for (const Place &place : std::as_const(places)) {
        const ChangedFile &file = this->file(place);
        const QString word = file.group.isEmpty() ? actionWord(file.action) : file.group;
        const QString heading =
            isOfSeveral() ? tr("%1: %2", "branch, action").arg(m_changes.at(place.change).title(), word) : word;
        if (m_groups.isEmpty() || m_groups.constLast().action != file.action || m_groups.constLast().heading != heading)
            m_groups.append({file.action, heading, {}});
        m_groups.last().places.append(place);
    }
}

QModelIndex ChangeModel::indexOf(ChangeAction action) const
{
    const auto group = std::ranges::find(m_groups, action, &Group::action);
    return group == m_groups.end() ? QModelIndex() : index(int(group - m_groups.begin()), 0);
}

// The internal id of a file is its group's row + 1; the internal id of a group is 0.
QModelIndex ChangeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row() + 1) : quintptr(0));
}

QModelIndex ChangeModel::parent(const QModelIndex &index) const
{
    return index.isValid() && index.internalId() > 0 ? createIndex(int(index.internalId()) - 1, 0, quintptr(0))
                                                     : QModelIndex();
}

int ChangeModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_groups.size());
    return parent.internalId() == 0 && parent.column() == 0 ? int(m_groups.at(parent.row()).places.size()) : 0;
}

int ChangeModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

const ChangedFile *ChangeModel::fileAt(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return nullptr;
    return &file(m_groups.at(qsizetype(index.internalId()) - 1).places.at(index.row()));
}

QVariant ChangeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (index.internalId() == 0)
        return groupData(m_groups.at(index.row()), index.column(), role);
    const Group &group = m_groups.at(qsizetype(index.internalId()) - 1);
    return fileData(group, group.places.at(index.row()), index.column(), role);
}

QVariant ChangeModel::groupData(const Group &group, int column, int role) const
{
    int chosen = 0;
    int boxes = 0;
    int checked = 0;
    for (const Place &place : group.places) {
        chosen += file(place).chosen;
        boxes += hasBox(file(place));
        checked += hasBox(file(place)) && file(place).chosen;
    }
    switch (role) {
    case Qt::DisplayRole:
        if (column == File)
            return tr("%1 %2", "action and count").arg(group.heading).arg(group.places.size());
        if (group.action == ChangeAction::Keep)
            return commonReason(group);
        return commonReason(group).isEmpty() ? tr("%1 of %2 chosen").arg(chosen).arg(group.places.size())
                                             : tr("%1 of %2 chosen. All: %3", "counts, why")
                                                   .arg(chosen)
                                                   .arg(group.places.size())
                                                   .arg(commonReason(group));
    case Qt::FontRole: {
        QFont bold;
        bold.setBold(true);
        return column == File ? bold : QVariant();
    }
    case Qt::CheckStateRole:
        if (column != File || boxes == 0)
            return {};
        return checked == 0 ? Qt::Unchecked : checked == boxes ? Qt::Checked : Qt::PartiallyChecked;
    case ActionRole: return int(group.action);
    case NameRole: return QString();
    case GroupRole: return group.heading;
    default: return {};
    }
}

QString ChangeModel::commonReason(const Group &group) const
{
    const QString &first = file(group.places.constFirst()).reason;
    const auto same = [&](const Place &place) { return file(place).reason == first; };
    const bool one = group.places.size() > 1 && !first.isEmpty() && std::ranges::all_of(group.places, same);
    return one ? first : QString();
}

/// The variant's name; without one, the part of the path that distinguishes the file.
QString ChangeModel::nameOf(const Place &place) const
{
    if (!file(place).name.isEmpty())
        return file(place).name;
    return m_changes.size() > 1 && !isOfSeveral() ? m_changes.at(place.change).branch : file(place).path;
}

QVariant ChangeModel::fileData(const Group &group, const Place &place, int column, int role) const
{
    const ChangedFile &file = this->file(place);
    switch (role) {
    case Qt::DisplayRole:
        return column == File ? m_names.of(nameOf(place)) : commonReason(group).isEmpty() ? file.reason : QString();
    case Qt::ToolTipRole:
        return file.action == ChangeAction::Rename ? tr("%1\n%2 becomes %3").arg(file.reason, file.path, file.newPath)
                                                   : tr("%1\n%2", "reason, file").arg(file.reason, file.path);
    case Qt::AccessibleTextRole:
        return column == File ? tr("%1 %2", "action and name").arg(group.heading, nameOf(place)) : file.reason;
    case Qt::CheckStateRole:
        if (column != File || !hasBox(file))
            return {};
        return file.chosen ? Qt::Checked : Qt::Unchecked;
    case ActionRole: return int(file.action);
    case NameRole: return nameOf(place);
    case GroupRole: return group.heading;
    default: return {};
    }
}

bool ChangeModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable))
        return false;
    const QModelIndex top = index.internalId() > 0 ? index.parent() : index;
    const QList<Place> &places = m_groups.at(top.row()).places;
    for (int row = 0; row < places.size(); ++row) {
        ChangedFile &file = m_changes[places.at(row).change].files[places.at(row).file];
        if (hasBox(file) && (index.internalId() == 0 || row == index.row()))
            file.chosen = Qt::CheckState(value.toInt()) == Qt::Checked;
    }
    Q_EMIT dataChanged(top, top.siblingAtColumn(Reason), {Qt::CheckStateRole, Qt::DisplayRole});
    Q_EMIT dataChanged(this->index(0, 0, top), this->index(int(places.size()) - 1, 0, top), {Qt::CheckStateRole});
    Q_EMIT chosenChanged();
    return true;
}

QVariant ChangeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    if (section == Reason)
        return tr("Why");
    return m_names.common().isEmpty() ? tr("Step") : tr("Step (%1)", "what all have in common").arg(m_names.common());
}

Qt::ItemFlags ChangeModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.column() == File && data(index, Qt::CheckStateRole).isValid())
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

} // namespace tmx
