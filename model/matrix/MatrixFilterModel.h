// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/MatrixPart.h"
#include "model/matrix/MatrixSearch.h"

#include <QSortFilterProxyModel>

namespace tmx {

/// Filters the grid by text and by state and keeps it a grid: a cell that is filtered out is dimmed (DimmedRole), a row
/// or a column in which nothing is left is hidden. What cannot exist never counts as left, unless that state itself is
/// asked for. A cell with several parts is left when one of them is; the others are dimmed in it (PartsRole).
class MatrixFilterModel : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit MatrixFilterModel(QObject *parent = nullptr);

    /// Words, all of which must be in the cell's SearchTextRole, in any order and case; "rule:WORD" asks for a finding
    /// of such a rule.
    void setText(const QString &text);
    [[nodiscard]] QString text() const { return m_text; }

    /// Empty: every state.
    void setStates(const QSet<RecipeState> &states);
    [[nodiscard]] const QSet<RecipeState> &states() const { return m_search.states; }

    /// Only cells with errors or warnings of the audit.
    void setProblemsOnly(bool problemsOnly);
    [[nodiscard]] bool problemsOnly() const { return m_search.problemsOnly; }

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
    void setFilter(const QString &text, const QSet<RecipeState> &states, bool problemsOnly);
    void refilter();

    QString m_text;
    MatrixSearch m_search;
    mutable bool m_stale = true; ///< what follows is of an earlier state
    mutable MatrixMatches m_matches;
    mutable QBitArray m_rows;            ///< in which anything is left
    mutable QBitArray m_columns;         ///< the same, of cells that do not span their row
    mutable bool m_onlySpanning = false; ///< what matches are cells that span their row, and no other
    QList<QMetaObject::Connection> m_connections;
};

} // namespace tmx
