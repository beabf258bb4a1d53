// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/settings/CoverageModel.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

CoverageModel::CoverageModel(std::shared_ptr<const Catalog> catalog, QObject *parent)
    : QAbstractTableModel(parent)
    , m_catalog(std::move(catalog))
{
    for (const GpuRow &row : m_catalog->rows) {
        if (row.isGpu() || row.id == "cpu"_L1)
            m_rows.append(row);
    }
}

void CoverageModel::setSettings(const WrittenSettings &settings)
{
    beginResetModel();
    m_settings = settings;
    if (const QList<Scope> known = scopes(); !known.contains(m_scope))
        m_scope = known.constFirst();
    readScope();
    endResetModel();
}

void CoverageModel::setScope(const Scope &scope)
{
    beginResetModel();
    m_scope = scope;
    readScope();
    endResetModel();
}

QList<CoverageModel::Scope> CoverageModel::scopes() const
{
    QList<Scope> scopes;
    for (const WrittenCoverage &block : m_settings.coverage) {
        if (!scopes.contains(block.where))
            scopes.append(block.where);
    }
    scopes.removeOne(Scope{});
    scopes.prepend(Scope{});
    return scopes;
}

QString CoverageModel::wordsOf(const Scope &scope) const
{
    QStringList words;
    for (const QString &family : scope.families) {
        words.append(m_catalog->titleOf(family));
    }
    words += scope.pythons + scope.builds;
    return words.isEmpty() ? tr("all", "families and toolkits") : words.join(", "_L1);
}

void CoverageModel::readScope()
{
    m_on.clear();
    m_reasons.clear();
    m_others.clear();
    for (int row = 0; row < m_rows.size(); ++row) {
        for (int column = 0; column < m_catalog->isas.size(); ++column) {
            QStringList others;
            for (const WrittenCoverage &block : m_settings.coverage) {
                if (!block.rest.isEmpty() || !block.rows.contains(m_rows.at(row).id) ||
                    !block.isas.contains(m_catalog->isas.at(column).id))
                    continue;
                if (block.where == m_scope)
                    m_on.insert({row, column});
                else
                    others.append(wordsOf(block.where));
            }
            others.removeDuplicates();
            if (!others.isEmpty())
                m_others.insert({row, column}, others.join("; "_L1));
            if (const QString reason = reasonAgainst(row, column); !reason.isEmpty())
                m_reasons.insert({row, column}, reason);
        }
    }
}

/// A cell is impossible if it is so with every toolkit of the scope.
QString CoverageModel::reasonAgainst(int row, int column) const
{
    QStringList cudas = m_scope.builds;
    cudas.removeIf([](const QString &build) { return !ProfileKey::isToolkit(build); });
    for (const WrittenCuda &cuda : m_settings.cudas) {
        if (m_scope.builds.isEmpty())
            cudas.append(cuda.version);
    }
    if (!m_rows.at(row).isGpu())
        cudas = {QString()};
    QString reason = m_rows.at(row).isGpu() && cudas.isEmpty() ? tr("No CUDA toolkit is chosen.") : QString();
    for (const QString &cuda : std::as_const(cudas)) {
        const Validity validity = m_catalog->validity({m_catalog->familyIds().value(0), m_settings.pythons.value(0),
                                                       cuda, m_rows.at(row).id, m_catalog->isas.at(column).id});
        if (validity.valid)
            return {};
        reason = validity.reason;
    }
    return reason;
}

void CoverageModel::writeScope()
{
    QList<WrittenCoverage> blocks;
    QList<WrittenCoverage> unseen; // of this scope, but not among the rows and columns here
    for (const WrittenCoverage &block : std::as_const(m_settings.coverage)) {
        WrittenCoverage rows = block, columns = block;
        rows.rows.removeIf([this, &block](const QString &id) {
            return block.rest.isEmpty() && std::ranges::find(m_rows, id, &GpuRow::id) != m_rows.end();
        });
        columns.rows.removeIf([&rows](const QString &id) { return rows.rows.contains(id); });
        columns.isas.removeIf([this](const QString &id) { return m_catalog->isa(id); });
        if (block.where == m_scope && !rows.rows.isEmpty())
            unseen.append(rows);
        if (block.where == m_scope && !columns.rows.isEmpty() && !columns.isas.isEmpty())
            unseen.append(columns);
    }
    m_settings.coverage.removeIf([this](const WrittenCoverage &block) { return block.where == m_scope; });
    for (int row = 0; row < m_rows.size(); ++row) {
        QStringList isas;
        for (int column = 0; column < m_catalog->isas.size(); ++column) {
            if (m_on.contains({row, column}))
                isas.append(m_catalog->isas.at(column).id);
        }
        if (isas.isEmpty())
            continue;
        const auto same = std::ranges::find(blocks, isas, &WrittenCoverage::isas);
        if (same != blocks.end())
            same->rows.append(m_rows.at(row).id);
        else
            blocks.append({{m_rows.at(row).id}, isas, m_scope});
    }
    m_settings.coverage = blocks + unseen + m_settings.coverage;
    Q_EMIT edited();
}

void CoverageModel::toggle(const QList<Cell> &cells)
{
    const bool allOn = std::ranges::all_of(cells, [this](const Cell &cell) { return m_on.contains(cell); });
    for (const Cell &cell : cells) {
        if (allOn)
            m_on.remove(cell);
        else
            m_on.insert(cell);
    }
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1),
                       {Qt::CheckStateRole, Qt::AccessibleTextRole});
    writeScope();
}

void CoverageModel::toggleRow(int row)
{
    QList<Cell> cells;
    for (int column = 0; column < columnCount(); ++column) {
        if (!m_reasons.contains({row, column}))
            cells.append({row, column});
    }
    if (!cells.isEmpty())
        toggle(cells);
}

void CoverageModel::toggleColumn(int column)
{
    QList<Cell> cells;
    for (int row = 0; row < rowCount(); ++row) {
        if (!m_reasons.contains({row, column}))
            cells.append({row, column});
    }
    if (!cells.isEmpty())
        toggle(cells);
}

int CoverageModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int CoverageModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_catalog->isas.size());
}

QVariant CoverageModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Cell cell{index.row(), index.column()};
    const bool on = m_on.contains(cell);
    const QString reason = m_reasons.value(cell);
    const QString others = m_others.value(cell);
    switch (role) {
    case Qt::CheckStateRole: return on ? Qt::Checked : Qt::Unchecked;
    case ReasonRole: return reason;
    case OthersRole: return others;
    case Qt::ToolTipRole: {
        if (!reason.isEmpty())
            return on ? tr("Listed in coverage, but impossible: %1").arg(reason) : tr("Impossible: %1").arg(reason);
        const QString &row = m_rows.at(cell.first).id;
        const QString &isa = m_catalog->isas.at(cell.second).title;
        if (on)
            return tr("%1 with %2 is in the coverage.").arg(row, isa);
        return others.isEmpty()
                   ? tr("%1 with %2 is not in the coverage.").arg(row, isa)
                   : tr("%1 with %2 is in the coverage of: %3. Choose it above to change that.").arg(row, isa, others);
    }
    case Qt::AccessibleTextRole: {
        const QString place =
            tr("%1, %2", "row, column").arg(m_rows.at(cell.first).id, m_catalog->isas.at(cell.second).title);
        const QString state = on                 ? tr("%1: in the coverage").arg(place)
                              : others.isEmpty() ? tr("%1: not in the coverage").arg(place)
                                                 : tr("%1: in the coverage of %2").arg(place, others);
        return reason.isEmpty() ? state : tr("%1, impossible").arg(state);
    }
    default: return {};
    }
}

bool CoverageModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    const Cell cell{index.row(), index.column()};
    if ((Qt::CheckState(value.toInt()) == Qt::Checked) == m_on.contains(cell))
        return false;
    toggle({cell});
    return true;
}

QVariant CoverageModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool vertical = orientation == Qt::Vertical;
    if (section < 0 || section >= (vertical ? rowCount() : columnCount()))
        return {};
    switch (role) {
    case Qt::DisplayRole:
        if (!vertical) // On two lines: a column is a seventh of a narrow page.
            return QString(m_catalog->isas.at(section).title).replace(u' ', u'\n');
        return m_rows.at(section).isGpu() ? m_rows.at(section).id + u' ' + m_rows.at(section).generation
                                          : m_rows.at(section).id;
    case AxisIdRole: return vertical ? m_rows.at(section).id : m_catalog->isas.at(section).id;
    case Qt::ToolTipRole:
        return vertical ? tr("%1: click to add or remove the whole row").arg(m_rows.at(section).title())
                        : tr("%1: click to add or remove the whole column").arg(m_catalog->isas.at(section).hardware);
    default: return {};
    }
}

Qt::ItemFlags CoverageModel::flags(const QModelIndex &index) const
{
    return index.isValid()
               ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren
               : Qt::NoItemFlags;
}

} // namespace tmx
