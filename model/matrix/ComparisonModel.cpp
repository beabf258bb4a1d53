// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/ComparisonModel.h"

#include "model/matrix/AxisHeaders.h"
#include "model/matrix/MatrixRoles.h"
#include "model/matrix/MatrixSlices.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool isDifference(const ComparedCell &cell)
{
    return cell.likeness == Likeness::Different || !cell.isEverywhere();
}

} // namespace

ComparisonModel::ComparisonModel(std::shared_ptr<const Catalog> catalog, QObject *parent)
    : QAbstractTableModel(parent)
    , m_catalog(std::move(catalog))
{
}

void ComparisonModel::setComparison(std::shared_ptr<const Comparison> comparison)
{
    beginResetModel();
    m_comparison = std::move(comparison);
    offerSlices();
    rebuild();
    endResetModel();
    Q_EMIT sliceChanged();
}

void ComparisonModel::setFilter(const ComparisonFilter &filter)
{
    if (filter == m_filter)
        return;
    beginResetModel();
    m_filter = filter;
    rebuild();
    endResetModel();
}

void ComparisonModel::setSlice(const MatrixSlice &slice)
{
    if (slice == m_slice || !m_slices.contains(slice))
        return;
    beginResetModel();
    m_slice = slice;
    rebuild();
    endResetModel();
    Q_EMIT sliceChanged();
}

void ComparisonModel::offerSlices()
{
    m_slices.clear();
    if (!m_comparison) {
        m_slice = {};
        return;
    }
    const auto sliceOf = [](const ComparedCell &cell) {
        return MatrixSlice{cell.variant.family, cell.variant.python, cell.variant.cuda};
    };
    // Cells without a GPU are shown with each toolkit; they have a slice of their own only if there is no other.
    for (const bool gpu : {true, false}) {
        for (const ComparedCell &cell : m_comparison->cells) {
            const MatrixSlice slice = sliceOf(cell);
            const bool known = std::ranges::any_of(m_slices, [&](const MatrixSlice &one) {
                return one == slice || (!gpu && one.family == slice.family && one.python == slice.python);
            });
            if (isGpuRow(cell.variant.row) == gpu && !known)
                m_slices.append(slice);
        }
    }
    m_slice = nearestSlice(m_slices, m_slice);
}

void ComparisonModel::rebuild()
{
    m_rows.clear();
    m_isas.clear();
    m_cells.clear();
    if (!m_comparison)
        return;
    QHash<std::pair<QString, QString>, const ComparedCell *> cells;
    QSet<QString> rows;
    QSet<QString> isas;
    for (const ComparedCell &cell : m_comparison->cells) {
        const Variant &v = cell.variant;
        if (v.family != m_slice.family || v.python != m_slice.python || (v.cuda != m_slice.cuda && !v.cuda.isEmpty()))
            continue;
        cells.insert({v.row, v.column()}, &cell);
        if (!m_filter.accepts(cell))
            continue;
        rows.insert(v.row);
        isas.insert(v.column());
    }
    m_rows = m_catalog->rowsInOrder(rows);
    m_isas = m_catalog->columnsInOrder(isas);
    for (const QString &row : std::as_const(m_rows)) {
        const ComparedCell *whole = cells.value({row, QString()});
        QList<const ComparedCell *> line;
        for (const QString &isa : std::as_const(m_isas))
            line.append(whole ? whole : cells.value({row, isa}));
        m_cells.append(line);
    }
}

bool ComparisonModel::spansRow(int row) const
{
    const ComparedCell *first = m_cells.at(row).constFirst();
    return first && !hasIsa(first->variant.row);
}

const ComparedCell *ComparisonModel::cellAt(const QModelIndex &index) const
{
    return index.isValid() && checkIndex(index) ? m_cells.at(index.row()).at(index.column()) : nullptr;
}

QModelIndex ComparisonModel::indexOf(const Variant &variant) const
{
    const qsizetype row = m_rows.indexOf(variant.row);
    const qsizetype column = row >= 0 && spansRow(int(row)) ? 0 : m_isas.indexOf(variant.column());
    if (row < 0 || column < 0)
        return {};
    const ComparedCell *cell = m_cells.at(row).at(column);
    return cell && cell->variant == variant ? index(int(row), int(column)) : QModelIndex();
}

QModelIndex ComparisonModel::nextDifference(const QModelIndex &from, int step) const
{
    const int columns = columnCount();
    const int count = rowCount() * columns;
    int place = from.isValid() ? from.row() * columns + from.column() : step > 0 ? -1 : count;
    for (int walked = 0; walked < count; ++walked) {
        place = (place + step + count) % count;
        const ComparedCell *cell = m_cells.at(place / columns).at(place % columns);
        if (place % columns > 0 && spansRow(place / columns))
            continue;
        if (cell && isDifference(*cell) && m_filter.accepts(*cell))
            return index(place / columns, place % columns);
    }
    return {};
}

int ComparisonModel::differenceCount() const
{
    int count = 0;
    for (int row = 0; row < rowCount(); ++row) {
        const auto cells = m_cells.at(row).first(spansRow(row) ? 1 : columnCount());
        count += int(std::ranges::count_if(cells, [this](const ComparedCell *cell) {
            return cell && isDifference(*cell) && m_filter.accepts(*cell);
        }));
    }
    return count;
}

int ComparisonModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int ComparisonModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_isas.size());
}

QString ComparisonModel::sentence(const ComparedCell &cell) const
{
    QStringList holders;
    QStringList lacking;
    for (qsizetype i = 0; i < cell.entries.size(); ++i)
        (cell.entries.at(i) ? holders : lacking).append(m_comparison->sides.at(i).label);
    QStringList parts{tr("%1: %2.", "cell, what it is").arg(cell.title(), cellWords(*m_comparison, cell))};
    if (cell.likeness == Likeness::Different) {
        QStringList facts;
        for (const FactDifference &fact : factDifferences(cell)) {
            if (fact.differs && fact.builds)
                facts.append(fact.label);
        }
        parts.append(facts.isEmpty() ? tr("Some of them cannot be read.")
                                     : tr("What differs: %1.").arg(facts.join(", "_L1)));
    }
    if (!lacking.isEmpty() && holders.size() > 1)
        parts.append(tr("Not in %1.").arg(lacking.join(", "_L1)));
    return parts.join(u' ');
}

QVariant ComparisonModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index, CheckIndexOption::ParentIsInvalid))
        return {};
    const ComparedCell *cell = m_cells.at(index.row()).at(index.column());
    if (!cell) {
        if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole)
            return tr("No branch has it.");
        return role == DimmedRole ? QVariant(false) : QVariant();
    }
    switch (role) {
    case Qt::DisplayRole: return cellWords(*m_comparison, *cell);
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole: return sentence(*cell);
    case Qt::AccessibleTextRole:
        return tr("%1, %2: %3", "row, column, state")
            .arg(headerData(index.row(), Qt::Vertical).toString(),
                 isaHeader(*m_catalog, cell->variant.column(), Qt::DisplayRole).toString(),
                 cellWords(*m_comparison, *cell));
    case SpansRowRole: return spansRow(index.row());
    case LikenessRole: // Packages of two families never build the same: both being there is what counts.
        return int(m_comparison->isOfCompanions() && cell->likeness != Likeness::Alone ? Likeness::SameBuild
                                                                                       : cell->likeness);
    case GroupsRole: return QVariant::fromValue(cell->groups);
    case EverywhereRole: return cell->isEverywhere();
    case VariantNameRole: return cell->title();
    case DimmedRole: return !m_filter.accepts(*cell);
    default: return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QStringList &ids = orientation == Qt::Vertical ? m_rows : m_isas;
    if (section < 0 || section >= ids.size())
        return {};
    return orientation == Qt::Vertical ? gpuHeader(*m_catalog, ids.at(section), role)
                                       : isaHeader(*m_catalog, ids.at(section), role);
}

} // namespace tmx
