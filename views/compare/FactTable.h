// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"

#include <QTableWidget>

namespace tmx {

/// The facts of one cell's recipes, with a column for each branch. Shows all facts, or only those that differ: where
/// some of these count, only they.
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
