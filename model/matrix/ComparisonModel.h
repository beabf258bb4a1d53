// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/ComparisonText.h"
#include "model/matrix/MatrixModel.h"

#include <QAbstractTableModel>

namespace tmx {

/// Roles of ComparisonModel, in addition to AxisIdRole and SubtitleRole of its headers, and VariantNameRole and
/// DimmedRole of its cells.
enum ComparisonRole {
    LikenessRole = Qt::UserRole + 100, ///< int of Likeness; invalid if no side has the cell
    GroupsRole,                        ///< QList<int>, see ComparedCell::groups
    EverywhereRole,                    ///< bool: every side has it
    DeviationRole, ///< QString: Qt::DisplayRole; empty if more than half of the shown cells have the same
};

/// One grid for several branches: each cell says which branches have it, and whether they mean the same. Rows and
/// columns in which no cell passes the filter are left out; other cells that do not pass are dimmed.
class ComparisonModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit ComparisonModel(std::shared_ptr<const Catalog> catalog, QObject *parent = nullptr);

    void setComparison(std::shared_ptr<const Comparison> comparison); ///< null: no comparison
    [[nodiscard]] const std::shared_ptr<const Comparison> &comparison() const { return m_comparison; }

    void setFilter(const ComparisonFilter &filter);
    [[nodiscard]] const ComparisonFilter &filter() const { return m_filter; }

    /// Family, Python and toolkit; a part that the comparison ignores is empty. Cells without CUDA belong to the slices
    /// of all toolkits. The last of several has all of them, one below the other.
    [[nodiscard]] QList<MatrixSlice> slices() const;
    void setSlice(const MatrixSlice &slice);
    [[nodiscard]] const MatrixSlice &slice() const { return m_slice; }
    struct Counts {
        int cells = 0;
        int differing = 0; ///< of them; a cell of one side alone does not
    };
    [[nodiscard]] Counts countsOf(const MatrixSlice &slice) const;

    [[nodiscard]] const ComparedCell *cellAt(const QModelIndex &index) const; ///< null if no side has it
    [[nodiscard]] QModelIndex indexOf(const Variant &variant) const;          ///< index of a ComparedCell
    /// The next (or, with `step` -1, the previous) cell that passes the filter and differs between sides, in reading
    /// order with wrap-around; invalid if there is none.
    [[nodiscard]] QModelIndex nextDifference(const QModelIndex &from, int step) const;
    [[nodiscard]] const QString &mostWords() const { return m_mostWords; } ///< see DeviationRole; may be empty
    /// Number of cells of the slice that differ between sides and pass the filter.
    [[nodiscard]] int differenceCount() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void sliceChanged(); ///< another slice is shown, or other slices are offered

private:
    void offerSlices();
    void rebuild();
    void findMostWords();
    [[nodiscard]] bool spansRow(int row) const; ///< a variant without an instruction set, such as Metal's
    [[nodiscard]] QString sentence(const ComparedCell &cell) const;

    std::shared_ptr<const Catalog> m_catalog;
    std::shared_ptr<const Comparison> m_comparison;
    ComparisonFilter m_filter;
    QList<MatrixSlice> m_slices;
    MatrixSlice m_slice;
    struct Row {
        MatrixSlice slice;
        QString id;
    };
    QList<Row> m_rows;
    QStringList m_isas;
    QList<QList<const ComparedCell *>> m_cells; ///< by row, then column; points into m_comparison
    QString m_mostWords;                        ///< cellWords() of most of them; empty: of none
};

} // namespace tmx
