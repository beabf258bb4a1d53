// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixFilterModel.h"

#include "model/matrix/MatrixModel.h"

#include <algorithm>

namespace tmx {

MatrixFilterModel::MatrixFilterModel(QObject *parent)
    : QSortFilterProxyModel(parent)
{
}

void MatrixFilterModel::setText(const QString &text)
{
    setFilter(text, m_search.signs);
}

void MatrixFilterModel::setSigns(const std::set<Sign> &signs)
{
    setFilter(m_text, signs);
}

void MatrixFilterModel::clear()
{
    setFilter({}, {});
}

void MatrixFilterModel::setFilter(const QString &text, const std::set<Sign> &signs)
{
    const MatrixSearch search{text.simplified().split(u' ', Qt::SkipEmptyParts), signs};
    if (text == m_text && search == m_search)
        return;
    m_text = text;
    m_search = search;
    m_kept.clear();
    m_stale = true;
    refilter();
    Q_EMIT filterChanged();
}

void MatrixFilterModel::keep(const QStringList &names)
{
    m_kept.clear();
    const auto *source = qobject_cast<const MatrixModel *>(sourceModel());
    if (!isActive() || !source)
        return;
    for (const QString &name : names) {
        const QModelIndex cell = source->indexOf(name);
        const QList<MatrixPart> parts = cell.isValid() ? partsOf(cell) : QList<MatrixPart>();
        if (std::ranges::any_of(parts, [&name](const MatrixPart &part) { return part.name == name && !part.dimmed; }))
            m_kept.insert(name);
    }
}

void MatrixFilterModel::refilter()
{
    invalidateFilter();
    if (rowCount() > 0 && columnCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {DimmedRole});
}

void MatrixFilterModel::setSourceModel(QAbstractItemModel *model)
{
    for (const QMetaObject::Connection &connection : std::as_const(m_connections))
        disconnect(connection);
    m_connections.clear();
    m_stale = true;
    const auto connectChanges = [this, model](const auto &slot) {
        m_connections += {
            connect(model, &QAbstractItemModel::dataChanged, this, slot),
            connect(model, &QAbstractItemModel::rowsInserted, this, slot),
            connect(model, &QAbstractItemModel::rowsRemoved, this, slot),
            connect(model, &QAbstractItemModel::columnsInserted, this, slot),
            connect(model, &QAbstractItemModel::columnsRemoved, this, slot),
            connect(model, &QAbstractItemModel::modelReset, this, slot),
        };
    };
    // The base class asks what is accepted as soon as it hears of a change, so this one must hear of it first.
    if (model)
        connectChanges([this] { m_stale = true; });
    QSortFilterProxyModel::setSourceModel(model);
    // It looks again at the rows that changed; whether a column has anything left depends on all rows, and the other
    // way round.
    if (model)
        connectChanges([this] {
            if (isActive())
                refilter();
        });
}

const MatrixMatches &MatrixFilterModel::matches() const
{
    if (!std::exchange(m_stale, false))
        return m_matches;
    const auto *source = qobject_cast<const MatrixModel *>(sourceModel());
    m_matches = source ? source->matching(m_search) : MatrixMatches();
    m_rows = QBitArray(m_matches.rows);
    m_columns = QBitArray(m_matches.columns);
    m_onlySpanning = false;
    if (!source)
        return m_matches;
    for (const QString &name : m_kept) {
        const QModelIndex cell = source->indexOf(name);
        if (!cell.isValid() || m_matches.has(cell.row(), cell.column()))
            continue;
        m_matches.cells.setBit(qsizetype(cell.row()) * m_matches.columns + cell.column());
        ++m_matches.parts;
    }
    bool other = false;
    for (int row = 0; row < m_matches.rows; ++row) {
        const bool spans = source->index(row, 0).data(SpansRowRole).toBool();
        for (int column = 0; column < m_matches.columns; ++column) {
            if (!m_matches.has(row, column))
                continue;
            m_rows.setBit(row);
            (spans ? m_onlySpanning : other) = true;
            if (!spans)
                m_columns.setBit(column);
        }
    }
    m_onlySpanning = m_onlySpanning && !other;
    return m_matches;
}

int MatrixFilterModel::matchCount() const
{
    return matches().parts;
}

QVariant MatrixFilterModel::data(const QModelIndex &index, int role) const
{
    if (role == DimmedRole && isActive() && index.isValid()) {
        const QModelIndex cell = mapToSource(index);
        return !matches().has(cell.row(), cell.column());
    }
    if (role == PartsRole && isActive())
        return QVariant::fromValue(partsOf(mapToSource(index)));
    return QSortFilterProxyModel::data(index, role);
}

QList<MatrixPart> MatrixFilterModel::partsOf(const QModelIndex &sourceIndex) const
{
    auto parts = sourceIndex.data(PartsRole).value<QList<MatrixPart>>();
    const bool asksMarks = std::ranges::any_of(m_search.words, &MatrixSearch::isMark);
    const QStringList texts = sourceIndex.data(SearchTextRole).toString().split(u'\n');
    const QStringList marks = asksMarks ? sourceIndex.data(MarksRole).toString().split(u'\n') : QStringList();
    for (qsizetype i = 0; i < parts.size(); ++i) {
        MatrixPart &part = parts[i];
        part.dimmed = !m_kept.contains(part.name) && (!m_search.allows(part.signs, part.possible()) ||
                                                      !m_search.finds(texts.value(i), marks.value(i)));
    }
    return parts;
}

bool MatrixFilterModel::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    return !isActive() || parent.isValid() || (row < matches().rows && m_rows.testBit(row));
}

bool MatrixFilterModel::filterAcceptsColumn(int column, const QModelIndex &) const
{
    // A cell that spans its row is in no column: where it alone matches, all of them stay.
    return !isActive() || (column < matches().columns && (m_onlySpanning || m_columns.testBit(column)));
}

} // namespace tmx
