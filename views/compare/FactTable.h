// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"

#include <QTableWidget>

namespace tmx {

/// The facts of one cell's recipes, with a column for each branch.
class FactTable : public QTableWidget
{
    Q_OBJECT
public:
    enum class Facts {
        All,
        Differing,
        Counting, ///< those that differ and count; if none does, those that differ
    };

    explicit FactTable(QWidget *parent = nullptr);

    void setFacts(const QList<FactDifference> &facts, const QStringList &labels, const QList<bool> &there);
    void setShown(Facts shown);
    [[nodiscard]] int differingCount() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fill();

    QList<FactDifference> m_facts;
    QStringList m_labels;
    QList<bool> m_there;
    Facts m_shown = Facts::Differing;
};

} // namespace tmx
