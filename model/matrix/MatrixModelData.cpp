// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixModel.h"

#include "model/matrix/AxisHeaders.h"
#include "model/matrix/StateWords.h"

using namespace Qt::StringLiterals;

namespace tmx {

int MatrixModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_axes.rows.size());
}

int MatrixModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_axes.isas.size());
}

QVariant MatrixModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index, CheckIndexOption::ParentIsInvalid))
        return {};
    const VariantEntry &cell = m_cells.at(index.row()).at(index.column());
    const bool named = !cell.variant.family.isEmpty();
    const auto build = [&] { return named ? m_builds.value(cell.variant.name()) : BuildState{}; };
    switch (role) {
    case Qt::DisplayRole: return cell.state == RecipeState::Unsupported && !cell.present ? u"–"_s : stateWord(cell);
    case Qt::ToolTipRole: {
        if (!named)
            return cell.reason;
        QStringList lines{cellSentence(cell, build())};
        if (const FitVerdict *verdict = verdictOf(cell))
            lines.prepend(fitSentence(*verdict, m_verdicts.machine));
        return (lines + problemLines(cell)).join(u'\n');
    }
    case Qt::AccessibleTextRole: {
        const QString place =
            tr("%1, %2: %3", "row, column, state")
                .arg(rowHeader(m_axes.rows.at(index.row()), Qt::DisplayRole).toString(),
                     columnHeader(spansRow(index.row()) ? QString() : m_axes.isas.at(index.column()), Qt::DisplayRole)
                         .toString(),
                     stateWord(cell));
        const FitVerdict *verdict = verdictOf(cell);
        const QString fit =
            verdict ? tr("%1, on %2: %3", "cell, machine, fit").arg(place, m_verdicts.machine, fitWord(verdict->fit))
                    : place;
        const QString problems = problemText(problemsOf(cell.findings));
        const QString audited = problems.isEmpty() ? fit : tr("%1, %2", "cell, problems").arg(fit, problems);
        const QString word = buildWord(build());
        return word.isEmpty() ? audited : tr("%1, build %2").arg(audited, word);
    }
    case RecipeStateRole: return int(cell.state);
    case BuildPhaseRole: return int(build().phase);
    case BuildStepRole: return build().step;
    case BuildTotalRole: return build().total;
    case BuildWordRole: return buildWord(build());
    case VariantNameRole: return named ? cell.variant.name() : QString();
    case PackageRole: return cell.file.isEmpty() ? QString() : cell.package();
    case ReasonRole: return cell.reason;
    case SearchTextRole: return searchText(cell);
    case FileRole: return cell.file;
    case PresentRole: return cell.present;
    case DimmedRole: return false;
    case FitRole:
        if (const FitVerdict *verdict = verdictOf(cell))
            return int(verdict->fit);
        return {};
    case FitWordRole:
        if (const FitVerdict *verdict = verdictOf(cell))
            return fitWord(verdict->fit);
        return {};
    case ProblemSeverityRole:
        if (const ProblemCounts problems = problemsOf(cell.findings); problems.all() > 0)
            return int(problems.errors > 0 ? Severity::Error : Severity::Warning);
        return {};
    case ProblemCountRole: return problemsOf(cell.findings).all();
    case ProblemWordRole: return problemText(problemsOf(cell.findings));
    case SpansRowRole: return spansRow(index.row());
    case RuleIdsRole: return ruleIds(cell);
    default: return {};
    }
}

QStringList MatrixModel::problemLines(const VariantEntry &cell)
{
    constexpr qsizetype most = 3; // a tooltip that is read, not scrolled
    QStringList lines;
    for (const Finding &finding : cell.findings) {
        if (finding.severity != Severity::Note && finding.sentence != cell.reason) // which the sentence above has told
            lines.append(
                tr("%1: %2", "severity, sentence of a finding").arg(severityWord(finding.severity), finding.sentence));
    }
    if (lines.size() > most)
        lines = lines.mid(0, most) << tr("and %1 more").arg(lines.size() - most);
    return lines;
}

QString MatrixModel::searchText(const VariantEntry &cell) const
{
    if (cell.variant.family.isEmpty())
        return {};
    QStringList words{cell.variant.name(), stateWord(cell), toString(cell.state),
                      buildWord(m_builds.value(cell.variant.name()))};
    if (const GpuRow *row = m_catalog->row(cell.variant.row))
        words << row->generation << row->products << row->capability;
    if (const Isa *isa = m_catalog->isa(cell.variant.isa))
        words << isa->title << isa->hardware;
    if (const FitVerdict *verdict = verdictOf(cell))
        words << fitWord(verdict->fit);
    for (const Finding &finding : cell.findings)
        words << severityWord(finding.severity);
    return words.join(u' ');
}

QString MatrixModel::ruleIds(const VariantEntry &cell)
{
    QStringList ids;
    for (const Finding &finding : cell.findings)
        ids.append(finding.rule);
    return ids.join(u' ');
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QStringList &ids = orientation == Qt::Vertical ? m_axes.rows : m_axes.isas;
    if (section < 0 || section >= ids.size())
        return {};
    return orientation == Qt::Vertical ? rowHeader(ids.at(section), role) : columnHeader(ids.at(section), role);
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
    const VariantEntry &cell = m_cells.at(index.row()).at(index.column());
    const bool selectable = cell.state != RecipeState::Unsupported || cell.present;
    return selectable ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                      : Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
}

} // namespace tmx
