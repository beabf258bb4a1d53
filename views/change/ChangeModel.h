// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/ShortNames.h"
#include "model/change/ChangeSet.h"

#include <QAbstractItemModel>

namespace tmx {

/// The files of changes as a tree of check boxes: one group for each action and for each heading of ChangedFile::group,
/// with its files below. Checking a group checks all its selectable files; a group with only some checked is partially
/// checked. Kept files, and files that cannot be selected or left out, have no box.
class ChangeModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { File, Reason, ColumnCount };
    enum Role {
        NameRole = Qt::UserRole + 1, ///< QString, the displayed name; empty for a group
        ActionRole,                  ///< int of ChangeAction
        GroupRole,                   ///< QString, the heading of the group
    };
    using QAbstractItemModel::QAbstractItemModel;

    /// Files with the same action, path and reason as before keep the user's choice. If the changes are of other
    /// branches, the choices are reset and the result is false.
    bool setChanges(const QList<ChangeSet> &changes);
    [[nodiscard]] const QList<ChangeSet> &changes() const { return m_changes; }
    /// Whether the changes are applied despite errors.
    void setForced(bool forced);

    /// The first group of the action; invalid if no file has that action.
    [[nodiscard]] const QString &commonName() const { return m_names.common(); } ///< the header has it
    [[nodiscard]] QModelIndex indexOf(ChangeAction action) const;
    [[nodiscard]] const ChangedFile *fileAt(const QModelIndex &index) const; ///< null for a group
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void chosenChanged();

private:
    struct Place {
        int change = 0;
        int file = 0;
    };
    struct Group {
        ChangeAction action = ChangeAction::Keep;
        QString heading;
        QList<Place> places;
    };
    [[nodiscard]] const ChangedFile &file(const Place &place) const
    {
        return m_changes[place.change].files[place.file];
    }
    [[nodiscard]] QString commonReason(const Group &group) const; ///< of several files; empty: they differ
    [[nodiscard]] QString nameOf(const Place &place) const;
    [[nodiscard]] bool isOfSeveral() const;
    [[nodiscard]] QVariant groupData(const Group &group, int column, int role) const;
    [[nodiscard]] QVariant fileData(const Group &group, const Place &place, int column, int role) const;
    void regroup();

    QList<ChangeSet> m_changes;
    QList<Group> m_groups;
    ShortNames m_names;
};

/// "Create", "Rewrite", "Rename", "Delete", "Keep"
QString actionWord(ChangeAction action);

} // namespace tmx
