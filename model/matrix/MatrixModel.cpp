// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixModel.h"

#include "model/catalog/ShortNames.h"
#include "model/matrix/MatrixSlices.h"
#include "model/matrix/StateWords.h"

#include <QLocale>
#include <QRect>
#include <QSet>

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Turns `current` into `wanted`, which has the same order, with the fewest runs; calls the callbacks before and after
/// each.
template <typename Remove, typename Insert>
void merge(const QStringList &current, const QStringList &wanted, Remove remove, Insert insert)
{
    QStringList now = current;
    for (qsizetype last = now.size() - 1; last >= 0; --last) {
        if (wanted.contains(now.at(last)))
            continue;
        qsizetype first = last;
        while (first > 0 && !wanted.contains(now.at(first - 1)))
            --first;
        remove(int(first), int(last));
        now.remove(first, last - first + 1);
        last = first;
    }
    for (qsizetype first = 0; first < wanted.size(); ++first) {
        if (first < now.size() && now.at(first) == wanted.at(first))
            continue;
        qsizetype last = first;
        while (last + 1 < wanted.size() && (first >= now.size() || wanted.at(last + 1) != now.at(first)))
            ++last;
        insert(int(first), wanted.sliced(first, last - first + 1));
        for (qsizetype i = first; i <= last; ++i)
            now.insert(i, wanted.at(i));
        first = last;
    }
}

} // namespace

MatrixModel::MatrixModel(std::shared_ptr<const Catalog> catalog, QObject *parent)
    : QAbstractTableModel(parent)
    , m_catalog(std::move(catalog))
{
}

void MatrixModel::setSnapshot(std::shared_ptr<const BranchSnapshot> snapshot)
{
    const bool same = m_snapshot && snapshot && m_snapshot->branch == snapshot->branch &&
                      m_snapshot->repository == snapshot->repository;
    const Origin before{std::exchange(m_snapshot, std::move(snapshot)), m_shown};
    if (!same)
        m_builds.clear();
    const bool moved = offerSlices();
    update(before);
    if (moved)
        Q_EMIT sliceChanged();
}

void MatrixModel::setSlice(const MatrixSlice &slice)
{
    if (slice == m_slice)
        return;
    const Origin before = origin();
    m_slice = slice;
    m_shown = slicesIn(m_slice, m_slices);
    update(before);
    Q_EMIT sliceChanged();
}

void MatrixModel::setSideBySide(bool sideBySide)
{
    if (sideBySide == m_wantsSideBySide)
        return;
    m_wantsSideBySide = sideBySide;
    update(origin());
}

void MatrixModel::setShowAll(bool showAll)
{
    if (showAll == m_showAll)
        return;
    m_showAll = showAll;
    update(origin());
}

bool MatrixModel::offerSlices()
{
    const QList<MatrixSlice> slices = m_snapshot ? slicesOf(*m_catalog, *m_snapshot) : QList<MatrixSlice>();
    const MatrixSlice slice = slices.contains(m_slice) ? m_slice : nearestSlice(slices, m_slice);
    if (slices == m_slices && slice == m_slice)
        return false;
    m_slices = slices;
    m_slice = slice;
    m_shown = slicesIn(m_slice, m_slices);
    return true;
}

bool MatrixModel::shows(const Variant &variant) const
{
    return std::ranges::any_of(m_shown, [&variant](const MatrixSlice &slice) { return slice.holds(variant); });
}

void MatrixModel::update(const Origin &before)
{
    if (const bool sideBySide = m_wantsSideBySide && m_shown.size() > 1; sideBySide != m_sideBySide) {
        beginResetModel();
        m_sideBySide = sideBySide;
        m_axes = {};
        m_cells.clear();
        endResetModel();
    }
    nameGroups();
    // All cells first: those that stay must not be asked for with what they were made from gone.
    const Axes changed = changeCells(before);
    const Axes wanted = wantedAxes();
    changeRows(wanted.rows);
    changeColumns(wanted.columns);
    const auto span = [](const QStringList &ids, const QStringList &those) {
        const auto is = [&those](const QString &id) { return those.contains(id); };
        const auto first = std::ranges::find_if(ids, is);
        const auto last = std::find_if(ids.rbegin(), ids.rend(), is);
        return std::pair(int(first - ids.begin()), int(ids.rend() - last) - 1);
    };
    const auto [top, bottom] = span(m_axes.rows, changed.rows);
    const auto [left, right] = span(m_axes.columns, changed.columns);
    if (m_sideBySide && columnCount() > 0)
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (findUsual())
        tellAll({});
    else if (bottom >= 0 && right >= 0)
        Q_EMIT dataChanged(index(top, left), index(bottom, right));
    Q_EMIT summaryChanged();
}

void MatrixModel::nameGroups()
{
    m_groups.clear();
    for (qsizetype i = 0; m_sideBySide && i < m_shown.size(); ++i) {
        const QString title = titleIn(m_slice, m_shown.at(i), *m_catalog);
        const int gaps = m_snapshot ? gapsIn(*m_snapshot, m_shown.at(i)) : 0;
        m_groups.append(gaps > 0 ? tr("%1 \u00B7 %2 missing", "toolkit, count").arg(title).arg(gaps) : title);
    }
}

MatrixModel::Axes MatrixModel::wantedAxes() const
{
    QSet<QString> rows;
    QSet<QString> isas;
    if (m_snapshot) {
        for (const VariantEntry &entry : m_snapshot->entries) {
            if (!shows(entry.variant))
                continue;
            rows.insert(entry.variant.row);
            isas.insert(entry.variant.column());
        }
        // An added row is shown, because its user wants to fill it.
        for (const GpuRow &row : m_catalog->rows) {
            if (row.added && !m_slices.isEmpty() && (!row.isGpu() || !m_slice.cuda.isEmpty()))
                rows.insert(row.id);
        }
        if (m_showAll && !m_slices.isEmpty()) {
            for (const GpuRow &row : m_catalog->rows)
                rows.insert(row.id);
            for (const Isa &isa : m_catalog->isas)
                isas.insert(isa.id);
        }
    }
    Axes axes;
    axes.rows = m_catalog->rowsInOrder(rows);
    axes.columns = m_catalog->columnsInOrder(isas);
    if (axes.columns.isEmpty() && !axes.rows.isEmpty())
        axes.columns.append(QString());
    const QStringList each = m_sideBySide ? std::exchange(axes.columns, {}) : QStringList();
    for (qsizetype slice = 0; m_sideBySide && slice < m_shown.size(); ++slice) {
        for (const QString &isa : each)
            axes.columns.append(columnId(slice, isa));
    }
    return axes;
}

QString MatrixModel::columnId(qsizetype slice, const QString &isa)
{
    return QString::number(slice) + u'\n' + isa;
}

QString MatrixModel::isaOf(const QString &columnId)
{
    return columnId.sliced(columnId.indexOf(u'\n') + 1);
}

int MatrixModel::groupOf(int column) const
{
    return m_sideBySide ? m_axes.columns.at(column).section(u'\n', 0, 0).toInt() : -1;
}

bool MatrixModel::beginsGroup(int column) const
{
    return column == 0 || groupOf(column) != groupOf(column - 1);
}

qsizetype MatrixModel::firstHolder(qsizetype slice, const QString &row, const QList<MatrixSlice> &shown) const
{
    const MatrixSlice own = shown.value(slice);
    const auto alike = [&own](const MatrixSlice &other) {
        return other.family == own.family && other.python == own.python;
    };
    return isGpuRow(row) || slice >= shown.size() ? slice : std::ranges::find_if(shown, alike) - shown.begin();
}

bool MatrixModel::isElsewhere(int row, int column) const
{
    const int group = groupOf(column);
    return group >= 0 && firstHolder(group, m_axes.rows.at(row), m_shown) < group;
}

bool MatrixModel::spansRow(int row) const
{
    return !hasIsa(m_axes.rows.at(row)) && !m_axes.columns.isEmpty();
}

int MatrixModel::leadOf(Parts parts)
{
    const auto possible = std::ranges::find_if(parts, &Part::possible);
    return possible == parts.end() ? 0 : int(possible - parts.begin());
}

Variant MatrixModel::variantIn(const MatrixSlice &slice, const QString &row, const QString &column) const
{
    return m_catalog->inColumn({slice.family, slice.python, isGpuRow(row) ? slice.cuda : QString(), row, {}}, column);
}

/// Appends m_width places.
void MatrixModel::appendCell(std::vector<Part> &parts, const QString &row, const QString &column) const
{
    const size_t end = parts.size() + m_width;
    const QString isa = isaOf(column);
    const qsizetype only = m_sideBySide ? column.section(u'\n', 0, 0).toInt() : -1;
    for (qsizetype i = 0; i < m_shown.size(); ++i) {
        const MatrixSlice &slice = m_shown.at(i);
        if ((hasIsa(row) && isa.isEmpty()) || (isGpuRow(row) && slice.cuda.isEmpty()))
            continue; // no variant can be named
        // Variants without CUDA belong to each toolkit's slice.
        if ((only >= 0 && i != only) || firstHolder(i, row, m_shown) < i)
            continue;
        const Variant variant = variantIn(slice, row, isa);
        if (const VariantEntry *entry = m_snapshot ? m_snapshot->find(variant.name()) : nullptr) {
            parts.emplace_back(entry);
        } else {
            const bool valid = m_snapshot ? m_catalog->validity(variant, m_snapshot->settings).valid
                                          : m_catalog->validity(variant).valid;
            parts.emplace_back(quint16(i), valid ? RecipeState::NotCovered : RecipeState::Unsupported);
        }
    }
    if (parts.size() + m_width == end)
        parts.emplace_back(quint16(std::max<qsizetype>(only, 0)), RecipeState::Unsupported);
    parts.resize(end);
}

VariantEntry MatrixModel::makePart(const Part &part, const QString &row, const QString &column, const Origin &origin,
                                   Whole whole) const
{
    if (part.entry())
        return *part.entry();
    const QString isa = isaOf(column);
    const MatrixSlice slice = origin.shown.value(part.slice());
    VariantEntry made;
    made.state = part.state();
    if (hasIsa(row) && isa.isEmpty()) {
        made.reason = tr("Recipes of this row are compiled for an instruction set.");
        return made;
    }
    if (isGpuRow(row) && slice.cuda.isEmpty()) {
        made.reason = tr("The branch has no CUDA toolkit.");
        return made;
    }
    if (const qsizetype first = firstHolder(part.slice(), row, origin.shown); first < part.slice()) {
        made.reason = tr("It is built without CUDA: see %1.").arg(titleIn(m_slice, origin.shown.at(first), *m_catalog));
        return made;
    }
    made.variant = variantIn(slice, row, isa);
    if (whole == Whole::WithoutReason)
        return made;
    made.file = made.variant.file();
    made.reason = (origin.snapshot ? m_catalog->validity(made.variant, origin.snapshot->settings)
                                   : m_catalog->validity(made.variant))
                      .reason;
    return made;
}

VariantEntry MatrixModel::partAt(int row, int column, int part, Whole whole) const
{
    return makePart(partsAt(row, column)[size_t(part)], m_axes.rows.at(row), m_axes.columns.at(column), origin(),
                    whole);
}

MatrixModel::Cell MatrixModel::cellAt(int row, int column, Whole whole) const
{
    Cell cell;
    for (size_t part = 0; part < partsAt(row, column).size(); ++part)
        cell.append(partAt(row, column, int(part), whole));
    return cell;
}

MatrixModel::Parts MatrixModel::partsIn(const std::vector<Part> &row, size_t column, size_t width)
{
    const Parts places = Parts(row).subspan(column * width, width);
    return places.first(size_t(std::ranges::find(places, Part()) - places.begin()));
}

MatrixModel::Parts MatrixModel::partsAt(int row, int column) const
{
    return partsIn(m_cells[size_t(row)], size_t(column), m_width);
}

void MatrixModel::changeRows(const QStringList &wanted)
{
    merge(
        m_axes.rows, wanted,
        [this](int first, int last) {
            beginRemoveRows({}, first, last);
            m_axes.rows.remove(first, last - first + 1);
            m_cells.erase(m_cells.begin() + first, m_cells.begin() + last + 1);
            endRemoveRows();
        },
        [this](int first, const QStringList &rows) {
            beginInsertRows({}, first, first + int(rows.size()) - 1);
            std::vector<std::vector<Part>> cells(size_t(rows.size()));
            for (qsizetype i = 0; i < rows.size(); ++i) {
                m_axes.rows.insert(first + i, rows.at(i));
                cells[size_t(i)].reserve(size_t(m_axes.columns.size()) * m_width);
                for (const QString &isa : std::as_const(m_axes.columns))
                    appendCell(cells[size_t(i)], rows.at(i), isa);
            }
            m_cells.insert(m_cells.begin() + first, std::move_iterator(cells.begin()), std::move_iterator(cells.end()));
            endInsertRows();
        });
}

void MatrixModel::changeColumns(const QStringList &wanted)
{
    merge(
        m_axes.columns, wanted,
        [this](int first, int last) {
            beginRemoveColumns({}, first, last);
            m_axes.columns.remove(first, last - first + 1);
            for (std::vector<Part> &cells : m_cells)
                cells.erase(cells.begin() + first * qsizetype(m_width),
                            cells.begin() + (last + 1) * qsizetype(m_width));
            endRemoveColumns();
        },
        [this](int first, const QStringList &isas) {
            beginInsertColumns({}, first, first + int(isas.size()) - 1);
            for (qsizetype i = 0; i < isas.size(); ++i)
                m_axes.columns.insert(first + i, isas.at(i));
            for (size_t row = 0; row < m_cells.size(); ++row) {
                std::vector<Part> cells;
                for (const QString &isa : isas)
                    appendCell(cells, m_axes.rows.at(qsizetype(row)), isa);
                m_cells[row].reserve(m_cells[row].size() + cells.size());
                m_cells[row].insert(m_cells[row].begin() + first * qsizetype(m_width), cells.begin(), cells.end());
            }
            endInsertColumns();
        });
}

/// Makes the cells that are there anew. The rows and columns of those that are others now.
MatrixModel::Axes MatrixModel::changeCells(const Origin &before)
{
    const bool alike = before.shown == m_shown && before.snapshot && m_snapshot &&
                       (before.snapshot == m_snapshot || before.snapshot->settings == m_snapshot->settings);
    const size_t widthBefore = std::exchange(m_width, m_sideBySide ? 1 : std::max<size_t>(size_t(m_shown.size()), 1));
    std::vector<bool> rows(m_cells.size()), columns(size_t(m_axes.columns.size()));
    for (size_t row = 0; row < m_cells.size(); ++row) {
        std::vector<Part> cells;
        cells.reserve(columns.size() * m_width);
        for (size_t column = 0; column < columns.size(); ++column) {
            const QString &rowId = m_axes.rows.at(qsizetype(row));
            const QString &isa = m_axes.columns.at(qsizetype(column));
            const auto same = [&](const Part &one, const Part &other) {
                // Without an entry all follows from the settings.
                return alike && one.entry() == other.entry() ? one == other
                                                             : makePart(one, rowId, isa, origin(), Whole::Yes) ==
                                                                   makePart(other, rowId, isa, before, Whole::Yes);
            };
            appendCell(cells, rowId, isa);
            if (!std::ranges::equal(partsIn(cells, column, m_width), partsIn(m_cells[row], column, widthBefore), same))
                rows[row] = columns[column] = true;
        }
        m_cells[row] = std::move(cells);
    }
    Axes changed;
    for (size_t row = 0; row < rows.size(); ++row) {
        if (rows[row])
            changed.rows.append(m_axes.rows.at(qsizetype(row)));
    }
    for (size_t column = 0; column < columns.size(); ++column) {
        if (columns[column])
            changed.columns.append(m_axes.columns.at(qsizetype(column)));
    }
    return changed;
}

void MatrixModel::setBuildStates(const QHash<QString, BuildState> &states)
{
    bool changed = false;
    QRect cells; // x: columns, y: rows
    for (auto state = states.begin(); state != states.end(); ++state) {
        if (buildState(state.key()) == *state)
            continue;
        changed = true;
        m_builds.insert(state.key(), *state);
        if (const QModelIndex cell = indexOf(state.key()); cell.isValid())
            cells |= QRect(QPoint(cell.column(), cell.row()),
                           QPoint(spansRow(cell.row()) ? columnCount() - 1 : cell.column(), cell.row()));
    }
    const QList<int> roles{BuildPhaseRole,
                           BuildWordRole,
                           SearchTextRole,
                           PartsRole,
                           Qt::ToolTipRole,
                           Qt::AccessibleTextRole,
                           Qt::AccessibleDescriptionRole};
    if (changed && findUsual())
        tellAll(roles);
    else if (!cells.isNull())
        Q_EMIT dataChanged(index(cells.top(), cells.left()), index(cells.bottom(), cells.right()), roles);
    if (changed)
        Q_EMIT summaryChanged();
}

BuildState MatrixModel::buildState(const QString &name) const
{
    return m_builds.value(name);
}

BuildState MatrixModel::buildOf(const VariantEntry &part) const
{
    return part.variant.family.isEmpty() || m_builds.isEmpty() ? BuildState{} : m_builds.value(part.variant.name());
}

void MatrixModel::setVerdicts(const FitVerdicts &verdicts)
{
    if (verdicts == m_verdicts)
        return;
    // Another machine's name changes the tooltips, even if the verdicts are equal.
    const FitVerdicts before = std::exchange(m_verdicts, verdicts);
    const bool renamed = before.machine != m_verdicts.machine;
    int top = rowCount(), left = columnCount(), bottom = -1, right = -1;
    for (int row = 0; row < rowCount(); ++row) {
        for (int column = 0; column < columnCount(); ++column) {
            const auto judgedAgain = [&](const VariantEntry &part) {
                if (part.variant.family.isEmpty())
                    return false;
                const QString name = part.variant.name();
                const bool then = before.of.contains(name), now = m_verdicts.of.contains(name);
                return (then || now) && (renamed || then != now || before.of.value(name) != m_verdicts.of.value(name));
            };
            if (std::ranges::none_of(cellAt(row, column), judgedAgain))
                continue;
            top = std::min(top, row);
            bottom = std::max(bottom, row);
            left = std::min(left, column);
            right = std::max(right, column);
        }
    }
    const QList<int> roles{SearchTextRole, PartsRole, Qt::ToolTipRole, Qt::AccessibleTextRole,
                           Qt::AccessibleDescriptionRole};
    if (findUsual())
        tellAll(roles);
    else if (bottom >= 0)
        Q_EMIT dataChanged(index(top, left), index(bottom, right), roles);
    Q_EMIT summaryChanged();
}

void MatrixModel::setLens(Lens lens)
{
    if (lens == m_lens)
        return;
    m_lens = lens;
    findUsual();
    tellAll({PartsRole});
    Q_EMIT lensChanged();
    Q_EMIT summaryChanged();
}

/// All cells that are there; nothing if there are none.
void MatrixModel::tellAll(const QList<int> &roles)
{
    if (rowCount() > 0 && columnCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), roles);
}

bool MatrixModel::findUsual()
{
    QList<LensFace> faces;
    if (m_snapshot) {
        for (const VariantEntry &entry : m_snapshot->entries) {
            if (entry.present && shows(entry.variant))
                faces.append(faceOf(m_lens, subjectOf(entry)));
        }
    }
    const UsualFace before = std::exchange(m_usual, usualFace(faces));
    return before != m_usual;
}

LensSubject MatrixModel::subjectOf(const VariantEntry &part) const
{
    return {part, buildOf(part), verdictOf(part)};
}

QList<Variant> MatrixModel::variants() const
{
    QList<Variant> variants;
    for (int row = 0; row < rowCount(); ++row) {
        for (int column = 0; column < columnCount(); ++column) {
            if (spansRow(row) && !beginsGroup(column))
                continue;
            for (const VariantEntry &part : cellAt(row, column)) {
                if (!part.variant.family.isEmpty())
                    variants.append(part.variant);
            }
        }
    }
    return variants;
}

const FitVerdict *MatrixModel::verdictOf(const VariantEntry &cell) const
{
    // What cannot exist runs nowhere: its own reason is told, and no machine's.
    if (m_verdicts.of.isEmpty() || cell.variant.family.isEmpty() ||
        (cell.state == RecipeState::Unsupported && !cell.present))
        return nullptr;
    const auto found = m_verdicts.of.constFind(cell.variant.name());
    return found == m_verdicts.of.cend() ? nullptr : &*found;
}

std::map<Sign, int> MatrixModel::counts() const
{
    std::map<Sign, int> counts;
    if (m_snapshot) {
        for (const VariantEntry &entry : m_snapshot->entries) {
            if (!shows(entry.variant))
                continue;
            for (const Sign &sign : signsOf(subjectOf(entry)))
                ++counts[sign];
        }
    }
    return counts;
}

/// The name of the shown recipe that fits the machine best; empty: none, or unknown.
QString MatrixModel::bestShown() const
{
    for (const QString &name : m_verdicts.best) {
        const VariantEntry *entry = m_snapshot->find(name);
        const auto fit = entry && shows(entry->variant) ? fitOf(subjectOf(*entry)) : std::nullopt;
        if (fit && *fit != Fit::DoesNotRun)
            return name;
    }
    return {};
}

QString MatrixModel::summary() const
{
    return summaryForms().constFirst();
}

QStringList MatrixModel::summaryForms() const
{
    if (!m_snapshot || m_slices.isEmpty())
        return {tr("No variants on this branch.")};
    std::map<Sign, int> states;
    std::map<Fit, int> fits;
    QList<const VariantEntry *> recipes;
    int unbuilt = 0;
    for (const VariantEntry &entry : m_snapshot->entries) {
        if (!shows(entry.variant))
            continue;
        recipes.append(&entry);
        ++states[recipeSign(entry)];
        unbuilt += entry.present && buildOf(entry).phase == BuildState::Phase::None;
        if (const auto fit = m_lens == Lens::Machine ? fitOf(subjectOf(entry)) : std::nullopt)
            ++fits[*fit];
    }
    const auto all = int(m_snapshot->entries.size()), shown = int(recipes.size());
    const QString variants = shown == all ? tr("%n variants", nullptr, shown)
                                          : tr("%1 of %n variants shown", nullptr, all).arg(QLocale().toString(shown));
    QStringList counts;
    const QString best = fits.empty() ? QString() : bestShown();
    for (const auto &[fit, count] : fits) {
        const QString text = tr("%1 %2", "count and how it fits").arg(QLocale().toString(count), fitWord(fit));
        counts.append(!best.isEmpty() && m_verdicts.of.value(best).fit == fit
                          ? tr("%1, best: %2", "count, variant").arg(text, ShortNames({best}).of(best))
                          : text);
    }
    const QString machine = counts.isEmpty()
                                ? QString()
                                : tr("on %1: %2", "machine, counts").arg(m_verdicts.machine, counts.join(u" · "_s));
    QString usual, usually; // the same in short
    if (!m_usual.warned.isEmpty()) {
        const QString rules = m_usual.warned.join(u", "_s);
        usual = tr("all recipes warn of %1, which has no sign in the cells").arg(rules);
        usually = tr("all warn of %1 (no triangle)").arg(rules);
    }
    QMap<BuildState::Phase, int> builds;
    for (const BuildState &build : m_builds)
        ++builds[build.phase];
    builds.remove(BuildState::Phase::None);
    QStringList words;
    for (const auto &[phase, count] : builds.asKeyValueRange())
        words.append(
            tr("%1 %2", "count and build word").arg(QLocale().toString(count), buildWord(BuildState{.phase = phase})));
    if (unbuilt > 0 && !words.isEmpty())
        words.append(tr("%1 not built", "count").arg(QLocale().toString(unbuilt)));
    const QString built = words.isEmpty() ? QString() : tr("builds: %1").arg(words.join(u" · "_s));
    const QString problems = problemText(problemsOf(recipes));
    const QString elsewhere = gapsBesides(*m_catalog, *m_snapshot, m_slices, m_slice);
    const QString counted = tr("%1: %2", "variants, their states").arg(variants, countsText(states));
    // What the chips above the grid have, too, gives way first.
    const QList<QStringList> forms{{machine, counted, problems, usual, built, elsewhere},
                                   {machine, variants, problems, usual, built, elsewhere},
                                   {machine, variants, problems, usual, elsewhere},
                                   {machine, variants, problems, usually, elsewhere},
                                   {machine, variants, usually, elsewhere},
                                   {machine, variants, problems, elsewhere},
                                   {machine, variants, elsewhere},
                                   {variants, elsewhere}};
    QString order;
    if (m_slice.isOverview() && !m_sideBySide) {
        QStringList labels;
        for (const MatrixSlice &slice : m_shown)
            labels.append(labelIn(m_slice, slice));
        order = tr("In a cell, left to right: %1. ", "toolkits").arg(labels.join(", "_L1));
    }
    QStringList lines;
    for (QStringList parts : forms) {
        parts.removeAll(QString());
        lines.append(order + parts.join("; "_L1));
    }
    lines.removeDuplicates();
    return lines;
}

Variant MatrixModel::variantAt(const QModelIndex &index) const
{
    return entryAt(index).variant;
}

QModelIndex MatrixModel::indexOf(const QString &name) const
{
    for (qsizetype i = 0; i < m_shown.size(); ++i) {
        const MatrixSlice &slice = m_shown.at(i);
        const auto columnOf = [&](const QString &isa) {
            return m_axes.columns.indexOf(m_sideBySide ? columnId(i, isa) : isa);
        };
        for (int row = 0; row < rowCount(); ++row) {
            const QString &id = m_axes.rows.at(row);
            if ((isGpuRow(id) && slice.cuda.isEmpty()) || slice.family.isEmpty())
                continue;
            const QString begin = variantIn(slice, id, noneWord.toString()).name();
            if (!name.startsWith(begin))
                continue;
            const bool whole = name.size() == begin.size();
            if (!hasIsa(id) && whole && columnCount() > 0)
                return index(row, m_sideBySide ? int(i * columnCount() / m_shown.size()) : 0);
            const qsizetype column = !hasIsa(id)                     ? -1
                                     : whole                         ? columnOf(noneWord.toString())
                                     : name.at(begin.size()) == u'-' ? columnOf(name.sliced(begin.size() + 1))
                                                                     : -1;
            if (column >= 0 && !isaOf(m_axes.columns.at(column)).isEmpty())
                return index(row, int(column));
        }
    }
    return {};
}

VariantEntry MatrixModel::entryAt(const QModelIndex &index) const
{
    return index.isValid() && checkIndex(index)
               ? partAt(index.row(), index.column(), leadOf(partsAt(index.row(), index.column())), Whole::Yes)
               : VariantEntry{};
}

VariantEntry MatrixModel::entryOf(const QString &name) const
{
    const QModelIndex index = indexOf(name);
    for (const VariantEntry &part : index.isValid() ? cellAt(index.row(), index.column(), Whole::Yes) : Cell()) {
        if (!part.variant.family.isEmpty() && part.variant.name() == name)
            return part;
    }
    return {};
}

} // namespace tmx
