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
    if (slice == m_slice || !slices().contains(slice))
        return;
    beginResetModel();
    m_slice = slice;
    rebuild();
    endResetModel();
    Q_EMIT sliceChanged();
}

QList<MatrixSlice> ComparisonModel::slices() const
{
    const QString every = MatrixSlice::every();
    return m_slices.size() < 2 ? m_slices
                               : m_slices + QList<MatrixSlice>{nearestSlice(m_slices, {every, every, every})};
}

ComparisonModel::Counts ComparisonModel::countsOf(const MatrixSlice &slice) const
{
    Counts counts;
    for (const ComparedCell &cell : m_comparison ? m_comparison->cells : QList<ComparedCell>()) {
        counts.cells += slice.holds(cell.variant);
        counts.differing += slice.holds(cell.variant) && cell.likeness == Likeness::Different;
    }
    return counts;
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
    m_mostWords.clear();
    if (!m_comparison)
        return;
    QList<MatrixSlice> blocks = slicesIn(m_slice, m_slices);
    if (m_slice.isOverview()) { // Cells without CUDA stand once, in blocks of their own.
        for (const MatrixSlice &slice : slicesIn(m_slice, m_slices)) {
            if (const MatrixSlice rest{slice.family, slice.python, {}}; !blocks.contains(rest))
                blocks.append(rest);
        }
    }
    const auto holds = [this](const MatrixSlice &block, const Variant &variant) {
        return m_slice.isOverview() ? block == MatrixSlice{variant.family, variant.python, variant.cuda}
                                    : block.holds(variant);
    };
    QSet<QString> isas;
    for (const ComparedCell &cell : m_comparison->cells) {
        if (m_filter.accepts(cell) &&
            std::ranges::any_of(blocks, [&](const MatrixSlice &block) { return holds(block, cell.variant); }))
            isas.insert(cell.variant.column());
    }
    m_isas = m_catalog->columnsInOrder(isas);
    for (const MatrixSlice &block : std::as_const(blocks)) {
        QHash<std::pair<QString, QString>, const ComparedCell *> cells;
        QSet<QString> rows;
        for (const ComparedCell &cell : m_comparison->cells) {
            if (!holds(block, cell.variant))
                continue;
            cells.insert({cell.variant.row, cell.variant.column()}, &cell);
            if (m_filter.accepts(cell))
                rows.insert(cell.variant.row);
        }
        for (const QString &row : m_catalog->rowsInOrder(rows)) {
            const ComparedCell *whole = cells.value({row, QString()});
            QList<const ComparedCell *> line;
            for (const QString &isa : std::as_const(m_isas))
                line.append(whole ? whole : cells.value({row, isa}));
            m_rows.append({block, row});
            m_cells.append(line);
        }
    }
    findMostWords();
}

void ComparisonModel::findMostWords()
{
    QSet<const ComparedCell *> shown; // a cell without an instruction set is in each column
    for (const QList<const ComparedCell *> &line : std::as_const(m_cells)) {
        for (const ComparedCell *cell : line) {
            if (cell && m_filter.accepts(*cell))
                shown.insert(cell);
        }
    }
    QHash<QString, qsizetype> counts;
    for (const ComparedCell *cell : std::as_const(shown)) {
        if (cell->likeness == Likeness::Different && cell->entries.size() > 2 && cell->odd().isEmpty() &&
            *std::ranges::max_element(cell->groups) + 1 < cell->held())
            continue; // Letters tell which of the sides build the same.
        const QString words = cellWords(*m_comparison, *cell);
        if (const qsizetype count = ++counts[words]; count > 1 && 2 * count > shown.size()) {
            m_mostWords = words;
        }
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
    for (int row = 0; row < rowCount(); ++row) {
        const qsizetype column = spansRow(row) ? 0 : m_isas.indexOf(variant.column());
        const ComparedCell *cell = column < 0 ? nullptr : m_cells.at(row).at(column);
        if (cell && cell->variant == variant)
            return index(row, int(column));
    }
    return {};
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
    case DeviationRole: {
        const QString words = cellWords(*m_comparison, *cell);
        return words == m_mostWords ? QString() : words;
    }
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
    if (section < 0 || section >= (orientation == Qt::Vertical ? m_rows.size() : m_isas.size()))
        return {};
    if (orientation == Qt::Horizontal)
        return isaHeader(*m_catalog, m_isas.at(section), role);
    const auto &[slice, id] = m_rows.at(section);
    QVariant header = gpuHeader(*m_catalog, id, role);
    const QString label = labelIn(m_slice, slice); // empty if one slice is shown
    if (label.isEmpty() || (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole))
        return header;
    return role == Qt::DisplayRole ? tr("%1 %2", "row, toolkit").arg(id, label)
                                   : tr("%1, %2", "toolkit, row").arg(label, header.toString());
}

} // namespace tmx
