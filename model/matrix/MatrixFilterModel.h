// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/MatrixPart.h"
#include "model/matrix/MatrixSearch.h"

#include <QSortFilterProxyModel>

namespace tmx {

/// Filters the grid by text and signs, and keeps its shape: a cell that is filtered out is dimmed (DimmedRole), a row
/// or column without a match is hidden. Variants that cannot exist never count as a match, unless the filter selects
/// that state. A cell with several parts matches if one of them does; its other parts are dimmed (PartsRole).
class MatrixFilterModel : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit MatrixFilterModel(QObject *parent = nullptr);

    /// Words that must all be in the cell's SearchTextRole, in any order and case; "rule:WORD" matches cells with a
    /// finding of such a rule, "uses:WORD" those that import such a file.
    void setText(const QString &text);
    [[nodiscard]] QString text() const { return m_text; }

    void setSigns(const std::set<Sign> &signs); ///< see hasSigns(); empty: all
    [[nodiscard]] const std::set<Sign> &signs() const { return m_search.signs; }

    /// Variants that stay when a change of theirs takes them out of the filter, as long as the filter is the same: a
    /// missing recipe that was just generated. Of `names`, those that are left by the filter now.
    void keep(const QStringList &names);

    [[nodiscard]] bool isActive() const { return m_search.isActive(); }
    [[nodiscard]] int matchCount() const; ///< parts of cells that are left: variants
    void clear();

    void setSourceModel(QAbstractItemModel *model) override; ///< a MatrixModel
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void filterChanged();

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool filterAcceptsColumn(int column, const QModelIndex &parent) const override;

private:
    /// What is left of the source as it is now.
    [[nodiscard]] const MatrixMatches &matches() const;
    /// The parts of a cell, those dimmed that the filter leaves out.
    [[nodiscard]] QList<MatrixPart> partsOf(const QModelIndex &sourceIndex) const;
    void setFilter(const QString &text, const std::set<Sign> &signs);
    void refilter();

    QString m_text;
    MatrixSearch m_search;
    QSet<QString> m_kept;
    mutable bool m_stale = true; ///< what follows is of an earlier state
    mutable MatrixMatches m_matches;
    mutable QBitArray m_rows;            ///< in which anything is left
    mutable QBitArray m_columns;         ///< the same, of cells that do not span their row
    mutable bool m_onlySpanning = false; ///< what matches are cells that span their row, and no other
    QList<QMetaObject::Connection> m_connections;
};

} // namespace tmx
