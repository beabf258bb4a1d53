// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/MatrixPart.h"

#include <QSet>
#include <QSortFilterProxyModel>

namespace tmx {

/// Filters the grid by text and state, and keeps its shape: a cell that is filtered out is dimmed (DimmedRole), a row
/// or column without a match is hidden. Variants that cannot exist never count as a match, unless the filter selects
/// that state. A cell with several parts matches if one of them does; its other parts are dimmed (PartsRole).
class MatrixFilterModel : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit MatrixFilterModel(QObject *parent = nullptr);

    /// Words that must all be in the cell's SearchTextRole, in any order and case; "rule:WORD" matches cells with a
    /// finding of such a rule.
    void setText(const QString &text);
    [[nodiscard]] QString text() const { return m_text; }

    /// Empty: all states.
    void setStates(const QSet<RecipeState> &states);
    [[nodiscard]] const QSet<RecipeState> &states() const { return m_states; }

    /// Show only cells with errors or warnings of the audit.
    void setProblemsOnly(bool problemsOnly);
    [[nodiscard]] bool problemsOnly() const { return m_problemsOnly; }

    [[nodiscard]] bool isActive() const { return !m_words.isEmpty() || !m_states.isEmpty() || m_problemsOnly; }
    [[nodiscard]] int matchCount() const; ///< number of matching variants
    void clear();

    void setSourceModel(QAbstractItemModel *model) override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void filterChanged();

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool filterAcceptsColumn(int column, const QModelIndex &parent) const override;

private:
    /// The parts of a cell; those that do not match are dimmed.
    [[nodiscard]] QList<MatrixPart> partsOf(const QModelIndex &sourceIndex) const;
    [[nodiscard]] bool matches(const MatrixPart &part, const QString &text, const QString &rules) const;
    [[nodiscard]] bool matches(const QModelIndex &sourceIndex) const;
    [[nodiscard]] bool matchesInRow(int row) const; ///< row of the source model
    [[nodiscard]] bool spansRow(int row) const;     ///< row of the source model
    void setFilter(const QString &text, const QSet<RecipeState> &states, bool problemsOnly);
    void refilter();

    QString m_text;
    QStringList m_words;
    QSet<RecipeState> m_states;
    bool m_problemsOnly = false;
    bool m_asksRules = false;
    bool m_onlySpanning = false; ///< the only matches are cells that span their row
    QList<QMetaObject::Connection> m_connections;
};

} // namespace tmx
