// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"

#include <QTableWidget>

namespace tmx {

/// What the recipes of one cell state, fact by fact, a column for each branch. Shows what differs, or all of it.
class FactTable : public QTableWidget
{
    Q_OBJECT
public:
    explicit FactTable(QWidget *parent = nullptr);

    void setFacts(const QList<FactDifference> &facts, const QStringList &labels, const QList<bool> &there);
    void setShowAll(bool showAll);
    [[nodiscard]] int differingCount() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fill();

    QList<FactDifference> m_facts;
    QStringList m_labels;
    QList<bool> m_there;
    bool m_showAll = false;
};

} // namespace tmx
