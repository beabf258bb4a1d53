// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildState.h"
#include "model/matrix/MatrixRoles.h"
#include "model/repository/BranchSnapshot.h"

#include <QAbstractTableModel>
#include <QHash>

namespace tmx {

/// Which slice of the matrix the grid shows.
struct MatrixSlice {
    QString family;
    QString python;
    QString cuda; ///< the toolkit of the GPU rows
    bool operator==(const MatrixSlice &) const = default;
};

/// The grid of one branch: rows are GPU architectures (plus cpu and darwin-mps), columns are ISAs. Holds a snapshot and never asks git, the
/// disk or a process. A new snapshot of the same branch is merged: one narrow dataChanged, so that selection and scroll survive.
class MatrixModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    MatrixModel(std::shared_ptr<const Catalog> catalog, QObject *parent = nullptr);

    void setSnapshot(std::shared_ptr<const BranchSnapshot> snapshot);
    [[nodiscard]] const std::shared_ptr<const BranchSnapshot> &snapshot() const { return m_snapshot; }

    /// Slices that hold anything: what the selectors offer, families, Pythons and toolkits of line and files.
    [[nodiscard]] QList<MatrixSlice> slices() const;
    void setSlice(const MatrixSlice &slice);
    [[nodiscard]] const MatrixSlice &slice() const { return m_slice; }

    void setBuildState(const QString &name, const BuildState &state);
    [[nodiscard]] BuildState buildState(const QString &name) const;

    /// The variant of a cell, even where no recipe is; and the way back (invalid index when the name is not in this slice).
    [[nodiscard]] Variant variantAt(const QModelIndex &index) const;
    [[nodiscard]] QModelIndex indexOf(const QString &name) const;
    /// Its entry in the snapshot, or one made up for a cell that has none (NotCovered or Unsupported with the reason).
    [[nodiscard]] VariantEntry entryAt(const QModelIndex &index) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void sliceChanged(); ///< also when a new snapshot offers other slices

private:
    void rebuildAxes();
    std::shared_ptr<const Catalog> m_catalog;
    std::shared_ptr<const BranchSnapshot> m_snapshot;
    MatrixSlice m_slice;
    QList<QString> m_rows; ///< row ids shown
    QList<QString> m_isas; ///< ISA ids shown
    QHash<QString, BuildState> m_builds;
};

} // namespace tmx
