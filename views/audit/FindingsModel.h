// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"

#include <QAbstractListModel>
#include <QList>

namespace tmx {

/// What the audit has to say of one recipe, a row a finding.
class FindingsModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role {
        SeverityRole = Qt::UserRole + 1, ///< int of Severity
        AdviceRole,                      ///< QString, may be empty
        PlaceRole,                       ///< QString: "line 12"; empty for the file as a whole
        FixableRole,                     ///< bool
    };
    using QAbstractListModel::QAbstractListModel;

    /// The same findings again change nothing; the current row of a view stays on the same finding where it is still
    /// there.
    void setFindings(const QList<Finding> &findings);
    [[nodiscard]] const QList<Finding> &findings() const { return m_findings; }
    [[nodiscard]] Finding findingAt(const QModelIndex &index) const { return m_findings.value(index.row()); }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    QList<Finding> m_findings;
};

} // namespace tmx
