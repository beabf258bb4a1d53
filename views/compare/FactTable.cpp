// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/FactTable.h"

#include "views/theme/Theme.h"
#include "views/widgets/CodeFont.h"
#include "views/widgets/Views.h"

#include <algorithm>

namespace tmx {

FactTable::FactTable(QWidget *parent)
    : QTableWidget(parent)
{
    setAccessibleName(tr("Facts that differ"));
    styleTextTable(this);
}

void FactTable::setFacts(const QList<FactDifference> &facts, const QStringList &labels, const QList<bool> &there)
{
    m_facts = facts;
    m_labels = labels;
    m_there = there;
    fill();
}

void FactTable::setShown(Facts shown)
{
    if (shown == m_shown)
        return;
    m_shown = shown;
    fill();
}

int FactTable::differingCount() const
{
    return int(std::ranges::count_if(m_facts, [](const FactDifference &fact) { return fact.differs && fact.builds; }));
}

void FactTable::fill()
{
    clear();
    clearSpans();
    setColumnCount(int(m_labels.size()) + 1);
    setHorizontalHeaderLabels(QStringList{tr("Fact")} + m_labels);
    const QFont fixed = codeFont();
    const bool counting = m_shown == Facts::Counting && differingCount() > 0;
    int row = 0;
    setRowCount(int(m_facts.size()));
    for (const FactDifference &fact : std::as_const(m_facts)) {
        if (m_shown != Facts::All && !(fact.differs && (fact.builds || !counting)))
            continue;
        auto *label = new QTableWidgetItem(fact.label);
        QFont font = this->font();
        font.setBold(fact.differs && fact.builds);
        label->setFont(font);
        setItem(row, 0, label);
        // For long texts the table says only that they differ; the texts are shown below.
        const bool isLong = fact.differs && std::ranges::all_of(fact.values, &QString::isEmpty);
        if (fact.differs && !isLong && m_labels.size() > 1 &&
            fact.values.count(fact.values.value(0)) == m_labels.size())
            setSpan(row, 1, 1, int(m_labels.size())); // "other order of lines": of all sides together
        for (qsizetype i = 0; i < m_labels.size(); ++i) {
            const QString value = fact.values.value(i);
            const bool stated = !value.isEmpty();
            auto *item = new QTableWidgetItem(stated              ? value.simplified()
                                              : !m_there.value(i) ? tr("no recipe")
                                              : isLong            ? tr("see the text below")
                                                                  : tr("not stated"));
            item->setData(Qt::ToolTipRole, stated ? value : item->text());
            item->setData(Qt::AccessibleTextRole,
                          tr("%1, %2: %3", "fact, branch, value").arg(fact.label, m_labels.at(i), item->text()));
            if (stated)
                item->setFont(fixed);
            else
                item->setForeground(Theme::current(palette()).quietText);
            setItem(row, int(i) + 1, item);
        }
        ++row;
    }
    setRowCount(row);
    resizeColumnToContents(0);
    updateGeometry();
    resizeEvent(nullptr);
}

void FactTable::resizeEvent(QResizeEvent *event)
{
    if (event)
        QTableWidget::resizeEvent(event);
    if (columnCount() < 2)
        return;
    // The values share the width that the names leave; with many branches the table scrolls.
    const int rest = viewport()->width() - columnWidth(0);
    for (int column = 1; column < columnCount(); ++column)
        setColumnWidth(column, std::max(rest / (columnCount() - 1), 150));
}

} // namespace tmx
