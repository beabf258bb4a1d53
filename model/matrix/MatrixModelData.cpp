// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixModel.h"

#include "model/matrix/AxisHeaders.h"
#include "model/matrix/MatrixSlices.h"
#include "model/matrix/StateWords.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

int MatrixModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_axes.rows.size());
}

int MatrixModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_axes.columns.size());
}

QVariant MatrixModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index, CheckIndexOption::ParentIsInvalid))
        return {};
    const Parts stored = partsAt(index.row(), index.column());
    const bool wantsReason = role == ReasonRole || role == FileRole || role == PackageRole;
    const int lead = leadOf(stored);
    const VariantEntry *kept = stored[size_t(lead)].entry();
    const VariantEntry made =
        kept ? VariantEntry()
             : partAt(index.row(), index.column(), lead, wantsReason ? Whole::Yes : Whole::WithoutReason);
    const VariantEntry &cell = kept ? *kept : made;
    const auto parts = [&](Whole whole = Whole::WithoutReason) { return cellAt(index.row(), index.column(), whole); };
    const bool named = !cell.variant.family.isEmpty();
    const auto build = [&] { return buildOf(cell); };
    const auto ofEach = [&parts](const auto &text) {
        QStringList lines;
        for (const VariantEntry &part : parts())
            lines.append(text(part));
        return lines;
    };
    switch (role) {
    case Qt::DisplayRole: return cellWord(parts());
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole: return toolTip(parts(Whole::Yes));
    case Qt::AccessibleTextRole: {
        const bool elsewhere = isElsewhere(index.row(), index.column());
        const bool titled = (stored.size() > 1 || m_sideBySide) && !elsewhere;
        const QStringList states = ofEach([this, titled, elsewhere](const VariantEntry &part) {
            const QString state = elsewhere ? part.reason : accessibleState(part);
            return titled ? tr("%1 %2", "toolkit, state").arg(partOf(part).title, state) : state;
        });
        return tr("%1, %2: %3", "row, column, state")
            .arg(rowHeader(m_axes.rows.at(index.row()), Qt::DisplayRole).toString(),
                 columnHeader(spansRow(index.row()) ? QString() : isaOf(m_axes.columns.at(index.column())),
                              Qt::DisplayRole)
                     .toString(),
                 states.join("; "_L1));
    }
    case RecipeStateRole: return int(cell.state);
    case BuildPhaseRole: return int(build().phase);
    case BuildWordRole: return buildWord(build());
    case VariantNameRole: return named ? cell.variant.name() : QString();
    case PackageRole: return cell.file.isEmpty() ? QString() : cell.package();
    case ReasonRole: return cell.reason;
    case SearchTextRole: return ofEach([this](const VariantEntry &part) { return searchText(part); }).join(u'\n');
    case FileRole: return cell.file;
    case PresentRole: return std::ranges::any_of(parts(), &VariantEntry::present);
    case DimmedRole: return false;
    case ProblemCountRole: return problemsOf(cell.findings).all();
    case SpansRowRole: return spansRow(index.row());
    case ElsewhereRole: return isElsewhere(index.row(), index.column());
    case MarksRole: return ofEach(marksOf).join(u'\n');
    case PartsRole: {
        QList<MatrixPart> shown;
        for (const VariantEntry &part : parts())
            shown.append(partOf(part));
        return QVariant::fromValue(shown);
    }
    default: return {};
    }
}

MatrixPart MatrixModel::partOf(const VariantEntry &part) const
{
    MatrixPart result;
    if (!part.variant.family.isEmpty())
        result.name = part.variant.name();
    const MatrixSlice own{part.variant.family, part.variant.python, part.variant.cuda};
    result.title = titleIn(m_slice, own, *m_catalog);
    result.label = labelIn(m_slice, own);
    result.package = part.file.isEmpty() ? result.name : part.package();
    result.word = stateWord(part);
    result.state = part.state;
    result.present = part.present;
    const LensSubject subject = subjectOf(part);
    result.face = faceOf(m_lens, subject);
    m_usual.leaveOut(result.face);
    result.signs = signsOf(subject);
    return result;
}

QString MatrixModel::cellWord(const Cell &cell) const
{
    const auto possible = [](const VariantEntry &part) {
        return part.state != RecipeState::Unsupported || part.present;
    };
    const auto found = std::ranges::find_if(cell, possible);
    const VariantEntry &lead = found == cell.end() ? cell.first() : *found;
    if (lead.state == RecipeState::Unsupported && !lead.present)
        return u"–"_s;
    if (cell.size() == 1)
        return stateWord(lead);
    std::map<Sign, int> counts;
    for (const VariantEntry &part : cell) {
        if (part.state != RecipeState::Unsupported || part.present)
            ++counts[recipeSign(part)];
    }
    return countsText(counts);
}

QString MatrixModel::toolTip(const Cell &cell) const
{
    QStringList lines;
    for (const VariantEntry &part : cell) {
        if (part.variant.family.isEmpty()) {
            lines.append(part.reason);
            continue;
        }
        const FitVerdict *verdict = verdictOf(part);
        const QString fit = verdict ? fitSentence(*verdict, m_verdicts.machine) : QString();
        if (cell.size() == 1) {
            if (verdict)
                lines.append(fit);
            lines.append(cellSentence(part, buildOf(part)));
            lines += problemLines(part);
            continue;
        }
        QStringList sentences{cellSentence(partOf(part).title, part, buildOf(part))};
        if (const QString problems = problemText(problemsOf(part.findings)); !problems.isEmpty())
            sentences.append(tr("%1.", "problems").arg(problems));
        if (verdict)
            sentences.append(fit);
        lines.append(sentences.join(u' '));
    }
    return lines.join(u'\n');
}

QString MatrixModel::accessibleState(const VariantEntry &part) const
{
    QString text = part.hole ? signWord(Gap::Likely) : stateWord(part);
    if (const auto fit = fitOf(subjectOf(part)))
        text = tr("%1, on %2: %3", "cell, machine, fit").arg(text, m_verdicts.machine, fitWord(*fit));
    if (const QString problems = problemText(problemsOf(part.findings)); !problems.isEmpty())
        text = tr("%1, %2", "cell, problems").arg(text, problems);
    const QString word = buildWord(buildOf(part));
    return word.isEmpty() ? text : tr("%1, build %2").arg(text, word);
}

QStringList MatrixModel::problemLines(const VariantEntry &cell)
{
    constexpr qsizetype most = 3; // a tooltip must be short enough to read
    QStringList lines;
    for (const Finding &finding : cell.findings) {
        const QString sentence = placedSentence(finding);
        if (finding.severity != Severity::Note && sentence != cell.reason) // The sentence above already has it.
            lines.append(tr("%1: %2", "severity, sentence of a finding").arg(severityWord(finding.severity), sentence));
    }
    if (lines.size() > most)
        lines = lines.mid(0, most) << tr("and %n more", nullptr, int(lines.size() - most));
    return lines;
}

QString MatrixModel::searchText(const VariantEntry &cell) const
{
    if (cell.variant.family.isEmpty())
        return {};
    QStringList words{cell.variant.name(), stateWord(cell), toString(cell.state), buildWord(buildOf(cell))};
    if (const GpuRow *row = m_catalog->row(cell.variant.row))
        words << row->generation << row->products << row->capability;
    if (const Isa *isa = m_catalog->isa(cell.variant.isa))
        words << isa->title << isa->hardware;
    if (const auto fit = fitOf(subjectOf(cell)))
        words << fitWord(*fit);
    for (const Finding &finding : cell.findings)
        words << severityWord(finding.severity);
    return words.join(u' ');
}

QString MatrixModel::marksOf(const VariantEntry &cell)
{
    QStringList marks;
    for (const Finding &finding : cell.findings)
        marks.append("rule:"_L1 + finding.rule);
    for (const QString &path : cell.imports ? cell.imports->paths : QStringList())
        marks.append("uses:"_L1 + shownPath(path));
    return marks.join(u' ');
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QStringList &ids = orientation == Qt::Vertical ? m_axes.rows : m_axes.columns;
    if (section < 0 || section >= ids.size())
        return {};
    if (orientation == Qt::Vertical)
        return rowHeader(ids.at(section), role);
    const QVariant column = columnHeader(isaOf(ids.at(section)), role);
    const int group = groupOf(section);
    if (group < 0 || (role != GroupRole && role != Qt::AccessibleTextRole))
        return column;
    const QString title = m_groups.value(group);
    return role == GroupRole ? title : tr("%1, %2", "toolkit, column").arg(title, column.toString());
}

QVariant MatrixModel::rowHeader(const QString &id, int role) const
{
    return gpuHeader(*m_catalog, id, role);
}

QVariant MatrixModel::columnHeader(const QString &id, int role) const
{
    return isaHeader(*m_catalog, id, role);
}

Qt::ItemFlags MatrixModel::flags(const QModelIndex &index) const
{
    if (!index.isValid() || !checkIndex(index))
        return Qt::NoItemFlags;
    // What cannot exist is read (its reason), never acted on: a selection of a row or of all leaves it out.
    return std::ranges::any_of(partsAt(index.row(), index.column()), &Part::possible)
               ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
               : Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
}

} // namespace tmx
