// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/SidesTable.h"

#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QGridLayout>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

SidesTable::SidesTable(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    setAccessibleName(tr("Branches side by side"));
    m_grid->setContentsMargins({});
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(3);
}

void SidesTable::setHead(const ComparisonHead &head, const QList<ComparedSide> &sides, const QList<int> &held)
{
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const int columns = int(sides.size());
    for (int i = 0; i < columns; ++i) {
        auto *label = new ElidedLabel(Label::Bold | Label::Selectable);
        // Of several repositories only the families that all have are compared.
        const auto recipes = std::ranges::count_if(sides.at(i).snapshot->entries, &VariantEntry::present);
        const QString name = tr("%1. %2", "number, branch").arg(i + 1).arg(sides.at(i).label);
        label->setFullText(
            held.value(i) < recipes
                ? tr("%1 (%2 of %3)", "branch, counts of recipes").arg(name).arg(held.value(i)).arg(recipes)
                : tr("%1 (%2)", "branch, count of recipes").arg(name).arg(held.value(i)));
        m_grid->addWidget(label, 0, i + 1);
    }
    int row = 1;
    for (const ComparedPart &part : head.parts) {
        m_grid->addWidget(new Label(part.label, Label::Quiet), row, 0);
        for (int i = 0; i < columns; ++i) {
            const QString &value = part.values.at(i);
            Label::Styles style = Label::Selectable;
            style |= value.isEmpty() ? Label::Quiet : part.standsOut(i) ? Label::Bold : Label::Ordinary;
            auto *label = new ElidedLabel(style, tr("%1 of %2", "CUDA, branch").arg(part.label, sides.at(i).label),
                                          Qt::ElideRight);
            if (value.isEmpty())
                label->setFullText(part.isBuilt ? tr("not known") : u"\u2013"_s);
            else
                label->setForms(part.forms.isEmpty() ? QStringList{value} : part.forms.at(i));
            m_grid->addWidget(label, row, i + 1);
        }
        ++row;
    }
    m_grid->setColumnStretch(std::exchange(m_sides, columns) + 1, 0);
    m_grid->setColumnStretch(columns + 1, 1); // Columns that are close are compared faster.
    setAccessibleDescription(text());
    shareWidth();
}

/// Each column gets what it needs; where the width is short, the wide ones have shorter forms.
void SidesTable::shareWidth()
{
    QList<int> needed;
    for (int column = 0; column < m_grid->columnCount(); ++column) {
        int widest = 0;
        for (int row = 0; row < m_grid->rowCount(); ++row) {
            if (const QLayoutItem *item = m_grid->itemAtPosition(row, column))
                widest = std::max(widest, item->sizeHint().width());
        }
        needed.append(column > m_sides ? 0 : widest);
    }
    const int room = width() - m_sides * m_grid->horizontalSpacing() - needed.value(0);
    int most = *std::ranges::max_element(needed);
    const auto all = [&] {
        int sum = 0;
        for (const int width : needed.mid(1))
            sum += std::min(width, most);
        return sum;
    };
    while (most > 1 && all() > room)
        --most;
    for (int column = 0; column < needed.size(); ++column)
        m_grid->setColumnMinimumWidth(column, column == 0 ? needed.at(0) : std::min(needed.at(column), most));
}

void SidesTable::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    shareWidth();
}

QString SidesTable::text() const
{
    QStringList lines;
    for (int row = 0; row < m_grid->rowCount(); ++row) {
        QString name;
        QStringList values;
        for (int column = 0; column < m_grid->columnCount(); ++column) {
            const QLayoutItem *item = m_grid->itemAtPosition(row, column);
            if (!item)
                continue;
            if (const auto *elided = qobject_cast<const ElidedLabel *>(item->widget()))
                values.append(elided->fullText());
            else if (const auto *label = qobject_cast<const QLabel *>(item->widget()))
                name = label->text();
        }
        if (!name.isEmpty() || !values.isEmpty())
            lines.append(name.isEmpty() ? values.join(u" | "_s) : u"%1: %2"_s.arg(name, values.join(u" | "_s)));
    }
    return lines.join(u'\n');
}

} // namespace tmx
