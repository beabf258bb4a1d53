// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/JobWatch.h"
#include "model/catalog/ShortNames.h"

#include <QAbstractTableModel>
#include <QHash>

namespace tmx {

/// The list of jobs: running ones, waiting ones in their order, then finished ones, the last finished first.
class QueueModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum class Column { State, Gpu, Cpu, Cuda, Python, Package, Branch, Progress, Time };
    enum Role {
        IdRole = Qt::UserRole, ///< QString
        JobPhaseRole,          ///< int, a JobPhase
        BuildPhaseRole,        ///< int, a BuildState::Phase that gives its colour and glyph
    };
    static constexpr int columns = 9;
    static constexpr qsizetype mostEnded = 200; ///< limit of listed finished jobs

    explicit QueueModel(QObject *parent = nullptr);

    void setSeen(const std::shared_ptr<const JobsSeen> &seen);
    [[nodiscard]] const JobRecord *recordAt(int row) const; ///< nullptr if there is no such row
    [[nodiscard]] int rowOf(const QString &id) const;       ///< -1: none
    [[nodiscard]] const ShortNames &names() const { return m_names; }
    [[nodiscard]] int activeCount() const; ///< number of jobs that are running or waiting
    [[nodiscard]] bool hasActive() const { return activeCount() > 0; }
    [[nodiscard]] QString summary() const; ///< "1 running, 3 waiting, 5 built, 1 failed"

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData *mimeData(const QModelIndexList &indexes) const override;
    bool dropMimeData(const QMimeData *data, Qt::DropAction action, int row, int column,
                      const QModelIndex &parent) override;

Q_SIGNALS:
    /// Waiting jobs were dropped before the job `before`; empty: at the end.
    void moveRequested(const QStringList &ids, const QString &before);

private:
    [[nodiscard]] QString text(const JobRecord &record, Column column) const;
    [[nodiscard]] BuildState stateOf(const JobRecord &record) const;

    std::shared_ptr<const JobsSeen> m_seen = std::make_shared<const JobsSeen>();
    QList<const JobRecord *> m_rows; ///< point into m_seen
    QHash<QString, int> m_rowById;
    ShortNames m_names;                 ///< of the rows
    bool m_severalRepositories = false; ///< each row names its own
};

} // namespace tmx
