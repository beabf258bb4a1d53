// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"

#include <QAbstractListModel>
#include <QList>

namespace tmx {

/// The audit's findings for one recipe, one row each.
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

    /// Setting the same findings again changes nothing. A view's current row stays on the same finding if it still
    /// exists.
    void setFindings(const QList<Finding> &findings);
    [[nodiscard]] const QList<Finding> &findings() const { return m_findings; }
    [[nodiscard]] Finding findingAt(const QModelIndex &index) const { return m_findings.value(index.row()); }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    QList<Finding> m_findings;
};

} // namespace tmx
