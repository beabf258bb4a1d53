// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/ComparisonText.h"
#include "model/matrix/MatrixModel.h"

#include <QAbstractTableModel>

namespace tmx {

/// Roles of ComparisonModel besides AxisIdRole and SubtitleRole of its headers, VariantNameRole and DimmedRole of its
/// cells.
enum ComparisonRole {
    LikenessRole = Qt::UserRole + 100, ///< int of Likeness; invalid where no side holds the cell
    GroupsRole,                        ///< QList<int>, ComparedCell::groups
    EverywhereRole,                    ///< bool: no side lacks it
};

/// One grid over several branches: each cell says which hold it, and whether they mean the same. Rows and columns
/// without a cell that passes the filter are left out; a cell that does not pass among those that do is dimmed.
class ComparisonModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit ComparisonModel(std::shared_ptr<const Catalog> catalog, QObject *parent = nullptr);

    void setComparison(std::shared_ptr<const Comparison> comparison); ///< null: nothing is compared
    [[nodiscard]] const std::shared_ptr<const Comparison> &comparison() const { return m_comparison; }

    void setFilter(const ComparisonFilter &filter);
    [[nodiscard]] const ComparisonFilter &filter() const { return m_filter; }

    /// Family, Python and toolkit; a part that the comparison leaves out is empty. Cells without CUDA belong to every
    /// toolkit's slice.
    [[nodiscard]] QList<MatrixSlice> slices() const { return m_slices; }
    void setSlice(const MatrixSlice &slice);
    [[nodiscard]] const MatrixSlice &slice() const { return m_slice; }

    [[nodiscard]] const ComparedCell *cellAt(const QModelIndex &index) const; ///< null: no side holds it
    [[nodiscard]] QModelIndex indexOf(const Variant &variant) const;          ///< of a ComparedCell
    /// The next (or, with `step` -1, the previous) cell that passes the filter and is not the same on all sides, in
    /// reading order and around the end; invalid when there is none.
    [[nodiscard]] QModelIndex nextDifference(const QModelIndex &from, int step) const;
    /// Cells of the slice that are not the same on all sides and pass the filter.
    [[nodiscard]] int differenceCount() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void sliceChanged(); ///< or other slices are offered

private:
    void offerSlices();
    void rebuild();
    [[nodiscard]] QString sentence(const ComparedCell &cell) const;

    std::shared_ptr<const Catalog> m_catalog;
    std::shared_ptr<const Comparison> m_comparison;
    ComparisonFilter m_filter;
    QList<MatrixSlice> m_slices;
    MatrixSlice m_slice;
    QStringList m_rows;
    QStringList m_isas;
    QList<QList<const ComparedCell *>> m_cells; ///< by row, then column; of m_comparison
};

} // namespace tmx
