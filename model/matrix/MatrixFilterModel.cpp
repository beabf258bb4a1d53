// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixFilterModel.h"

#include "model/matrix/MatrixRoles.h"

#include <algorithm>

namespace tmx {

namespace {

constexpr QLatin1StringView rulePrefix("rule:");

} // namespace

MatrixFilterModel::MatrixFilterModel(QObject *parent)
    : QSortFilterProxyModel(parent)
{
}

void MatrixFilterModel::setText(const QString &text)
{
    setFilter(text, m_states, m_problemsOnly);
}

void MatrixFilterModel::setStates(const QSet<RecipeState> &states)
{
    setFilter(m_text, states, m_problemsOnly);
}

void MatrixFilterModel::setProblemsOnly(bool problemsOnly)
{
    setFilter(m_text, m_states, problemsOnly);
}

void MatrixFilterModel::clear()
{
    setFilter({}, {}, false);
}

void MatrixFilterModel::setFilter(const QString &text, const QSet<RecipeState> &states, bool problemsOnly)
{
    if (text == m_text && states == m_states && problemsOnly == m_problemsOnly)
        return;
    m_text = text;
    m_words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    m_asksRules = std::ranges::any_of(m_words, [](const QString &word) { return word.startsWith(rulePrefix); });
    m_states = states;
    m_problemsOnly = problemsOnly;
    refilter();
    Q_EMIT filterChanged();
}

void MatrixFilterModel::refilter()
{
    m_onlySpanning = false;
    for (int row = 0; sourceModel() && row < sourceModel()->rowCount(); ++row) {
        if (!matchesInRow(row))
            continue;
        m_onlySpanning = spansRow(row);
        if (!m_onlySpanning)
            break;
    }
    invalidateFilter();
    if (rowCount() > 0 && columnCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {DimmedRole});
}

void MatrixFilterModel::setSourceModel(QAbstractItemModel *model)
{
    for (const QMetaObject::Connection &connection : std::as_const(m_connections))
        disconnect(connection);
    QSortFilterProxyModel::setSourceModel(model);
    m_connections.clear();
    if (!model)
        return;
    // The base class re-evaluates the changed rows only. Whether a column has a match depends on all rows, and vice
    // versa.
    const auto changed = [this] {
        if (isActive())
            refilter();
    };
    m_connections = {
        connect(model, &QAbstractItemModel::dataChanged, this, changed),
        connect(model, &QAbstractItemModel::rowsInserted, this, changed),
        connect(model, &QAbstractItemModel::rowsRemoved, this, changed),
        connect(model, &QAbstractItemModel::columnsInserted, this, changed),
        connect(model, &QAbstractItemModel::columnsRemoved, this, changed),
    };
}

int MatrixFilterModel::matchCount() const
{
    int count = 0;
    for (int row = 0; sourceModel() && row < sourceModel()->rowCount(); ++row) {
        for (int column = 0; column < (spansRow(row) ? 1 : sourceModel()->columnCount()); ++column)
            count += int(std::ranges::count(partsOf(sourceModel()->index(row, column)), false, &MatrixPart::dimmed));
    }
    return count;
}

QVariant MatrixFilterModel::data(const QModelIndex &index, int role) const
{
    if (role == DimmedRole)
        return isActive() && !matches(mapToSource(index));
    if (role == PartsRole && isActive())
        return QVariant::fromValue(partsOf(mapToSource(index)));
    return QSortFilterProxyModel::data(index, role);
}

QList<MatrixPart> MatrixFilterModel::partsOf(const QModelIndex &sourceIndex) const
{
    auto parts = sourceIndex.data(PartsRole).value<QList<MatrixPart>>();
    const QStringList texts = sourceIndex.data(SearchTextRole).toString().split(u'\n');
    const QStringList rules = m_asksRules ? sourceIndex.data(RuleIdsRole).toString().split(u'\n') : QStringList();
    for (qsizetype i = 0; i < parts.size(); ++i)
        parts[i].dimmed = !matches(parts.at(i), texts.value(i), rules.value(i));
    return parts;
}

bool MatrixFilterModel::matches(const QModelIndex &sourceIndex) const
{
    return !std::ranges::all_of(partsOf(sourceIndex), &MatrixPart::dimmed);
}

bool MatrixFilterModel::matches(const MatrixPart &part, const QString &text, const QString &rules) const
{
    if (m_problemsOnly && part.problems == 0)
        return false;
    if (!m_states.isEmpty() ? !m_states.contains(part.state) : !part.possible())
        return false;
    return std::ranges::all_of(m_words, [&](const QString &word) {
        return word.startsWith(rulePrefix)
                   ? rules.contains(QStringView(word).sliced(rulePrefix.size()), Qt::CaseInsensitive)
                   : text.contains(word, Qt::CaseInsensitive);
    });
}

bool MatrixFilterModel::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    if (!isActive())
        return true;
    return parent.isValid() || matchesInRow(row);
}

bool MatrixFilterModel::filterAcceptsColumn(int column, const QModelIndex &parent) const
{
    if (!isActive())
        return true;
    // A cell that spans its row belongs to no column: if only such cells match, all columns stay.
    if (m_onlySpanning)
        return true;
    for (int row = 0; row < sourceModel()->rowCount(parent); ++row) {
        const QModelIndex cell = sourceModel()->index(row, column, parent);
        if (!spansRow(row) && matches(cell))
            return true;
    }
    return false;
}

bool MatrixFilterModel::spansRow(int row) const
{
    return sourceModel()->index(row, 0).data(SpansRowRole).toBool();
}

bool MatrixFilterModel::matchesInRow(int row) const
{
    for (int column = 0; column < sourceModel()->columnCount(); ++column) {
        if (matches(sourceModel()->index(row, column)))
            return true;
    }
    return false;
}

} // namespace tmx
