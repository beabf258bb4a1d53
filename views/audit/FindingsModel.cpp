// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/audit/FindingsModel.h"

#include "model/base/Sentences.h"
#include "model/matrix/StateWords.h"
#include "model/recipe/RecipeSource.h"

using namespace Qt::StringLiterals;

namespace tmx {

void FindingsModel::setFindings(const QList<Finding> &findings)
{
    if (findings == m_findings)
        return;
    beginResetModel();
    m_findings = findings;
    endResetModel();
}

int FindingsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_findings.size());
}

QVariant FindingsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Finding &finding = m_findings.at(index.row());
    const QString place = finding.line == 0        ? QString()
                          : finding.file.isEmpty() ? tr("line %1").arg(finding.line)
                                                   : u"%1:%2"_s.arg(shownPath(finding.file)).arg(finding.line);
    switch (role) {
    case Qt::DisplayRole: return finding.sentence;
    case Qt::ToolTipRole: return tr("Rule: %1").arg(finding.rule);
    case Qt::AccessibleTextRole: {
        const QString head = place.isEmpty()
                                 ? severityWord(finding.severity)
                                 : tr("%1, %2", "severity, place").arg(severityWord(finding.severity), place);
        return joinedSentences(
            {tr("%1: %2", "severity and place, problem").arg(head, finding.sentence), finding.advice});
    }
    case SeverityRole: return int(finding.severity);
    case AdviceRole: return finding.advice;
    case PlaceRole: return place;
    case FixableRole: return finding.fixable;
    default: return {};
    }
}

} // namespace tmx
