// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/FactChips.h"

#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int mostLines = 4; // unfolded; more scroll
constexpr int chipSpacing = 4;
constexpr int widestName = 180;
constexpr int widestFoldedValues = 190;      ///< of hashes two; the end of a third one says less than the change
const QString betweenValues = u" \u00b7 "_s; ///< in FactCount::values, of three or more
constexpr int widestFoldedValue = 92;        ///< of three or more
constexpr int narrow = 1100;                 ///< of the window

} // namespace

FactChips::FactChips(QWidget *parent)
    : QWidget(parent)
    , m_area(new QScrollArea)
    , m_body(new QWidget)
    , m_more(new QToolButton)
    , m_lead(new Label({}, Label::Quiet))
    , m_flow(new FlowLayout(chipSpacing, m_body))
{
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setWidgetResizable(true);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    m_area->setFocusPolicy(Qt::NoFocus); // Its buttons take the focus, and are scrolled into view.
    m_area->setWidget(m_body);
    m_area->viewport()->setAutoFillBackground(false);
    m_body->setAutoFillBackground(false);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Facts that differ, and which of them count"));
    m_more->setCheckable(true);
    m_more->setAutoRaise(true);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setFocusPolicy(Qt::StrongFocus);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->addWidget(m_lead);
    row->addWidget(m_area, 1);
    row->addWidget(m_more, 0, Qt::AlignTop);
    connect(m_more, &QToolButton::toggled, this, &FactChips::fold);
    hide();
}

/// The beginning of each: what differs in the last one is seen as well.
QString FactChips::folded(const QString &values) const
{
    QStringList each = values.split(betweenValues);
    if (each.size() < 3)
        return fontMetrics().elidedText(values, Qt::ElideRight, widestFoldedValues);
    for (QString &value : each)
        value = fontMetrics().elidedText(value, Qt::ElideRight, widestFoldedValue);
    return each.join(betweenValues);
}

QString FactChips::textOf(const FactCount &fact, bool whole) const
{
    const QString count = QLocale().toString(fact.cells);
    QString name = whole ? fact.label : fontMetrics().elidedText(fact.label, Qt::ElideMiddle, widestName);
    if (!fact.values.isEmpty())
        name =
            tr("%1 %2", "fact, its values").arg(name, whole || m_more->isChecked() ? fact.values : folded(fact.values));
    const bool all = fact.values.isEmpty() || fact.alike == fact.cells;
    const QString cells = all ? count : tr("%1 of %2", "cells").arg(QLocale().toString(fact.alike), count);
    name.replace(u'&', u"&&"_s);
    const QString text = fact.values.isEmpty() ? tr("%1 %2", "fact, count of cells").arg(name, cells)
                                               : tr("%1: %2", "fact with its values, count of cells").arg(name, cells);
    return fact.counts ? u"\u2713 "_s + text : text; // Marked by more than shade.
}

/// Lays the chips out in that width; returns how many are below the first line.
int FactChips::belowFirstLine(int width) const
{
    m_flow->setGeometry(QRect(0, 0, width, m_body->height()));
    return int(std::ranges::count_if(
        m_chips, [this](const QToolButton *chip) { return chip->y() > m_chips.constFirst()->height(); }));
}

/// Shows one line or all, and how many are below the first line. Texts are whole where one line has room for all.
void FactChips::fold()
{
    for (qsizetype i = 0; i < m_chips.size(); ++i) {
        const FactCount &fact = m_facts.at(i);
        QToolButton *chip = m_chips.at(i);
        const QSignalBlocker quiet(chip);
        chip->setText(textOf(fact, true));
        chip->setChecked(fact.counts);
        describe(chip, tr("%1 differs in %Ln cells", nullptr, fact.cells).arg(fact.label),
                 fact.counts ? tr("%1 differs in %Ln cells. Click to ignore it.", nullptr, fact.cells).arg(fact.label)
                             : tr("%1 differs in %Ln cells and is ignored. Click to count it.", nullptr, fact.cells)
                                   .arg(fact.label));
    }
    m_lead->setText(window()->width() < narrow ? tr("What differs:") : tr("What differs, in how many cells:"));
    const bool unfolded = m_more->isChecked();
    const int room = width() - m_lead->sizeHint().width() - layout()->spacing(); // without the button
    int more = belowFirstLine(room);
    if (more > 0) {
        for (qsizetype i = 0; i < m_chips.size(); ++i) {
            const QSignalBlocker quiet(m_chips.at(i));
            m_chips.at(i)->setText(textOf(m_facts.at(i), false));
        }
        more = belowFirstLine(room);
    }
    m_more->setArrowType(unfolded ? Qt::DownArrow : Qt::RightArrow);
    const auto tell = [this, unfolded](int count) {
        m_more->setText(unfolded ? tr("Fewer", "facts that differ") : tr("%n more", "facts that differ", count));
    };
    tell(more);
    if (more > 0) {
        const int left = room - m_more->sizeHint().width() - layout()->spacing();
        more = belowFirstLine(left);
        // Facts that count are whole where the line has room, others where it has room behind the last chip.
        for (qsizetype i = 0; i < m_chips.size() - more && !unfolded; ++i) {
            const QToolButton *chip = m_chips.at(i);
            m_chips.at(i)->setText(textOf(m_facts.at(i), true));
            const int below = belowFirstLine(left);
            const bool isShort = m_facts.at(i).values.count(betweenValues) < 2; // else one chip would be the line
            if (m_facts.at(i).counts && isShort ? chip->y() > m_chips.constFirst()->height() : below > more)
                m_chips.at(i)->setText(textOf(m_facts.at(i), false));
            else
                more = below;
        }
        tell(belowFirstLine(left));
    }
    describe(m_more, m_more->text(),
             unfolded ? tr("Show one line of the facts that differ") : tr("Show all facts that differ"));
    m_more->setVisible(more > 0);
    m_area->setVerticalScrollBarPolicy(unfolded ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    updateGeometry();
}

int FactChips::lineHeight() const
{
    return m_chips.isEmpty() ? 0 : m_chips.constFirst()->sizeHint().height() + chipSpacing;
}

QToolButton *FactChips::makeChip(const QString &id)
{
    auto *chip = new QToolButton;
    chip->setCheckable(true);
    chip->setFocusPolicy(Qt::StrongFocus);
    connect(chip, &QToolButton::toggled, this, [this, id](bool counts) { Q_EMIT chosen(id, counts); });
    m_flow->addWidget(chip);
    chip->show(); // Else the layout gives it no place yet, and fold() counts none below the first line.
    return chip;
}

void FactChips::setFacts(const QList<FactCount> &facts)
{
    QStringList ids;
    for (const FactCount &fact : facts)
        ids.append(fact.id);
    if (ids != m_ids) {
        m_ids = ids;
        for (QToolButton *chip : std::as_const(m_chips)) {
            chip->disconnect(this);
            m_flow->removeWidget(chip);
            chip->hide();
            chip->deleteLater(); // One of them may be the sender.
        }
        m_chips.clear();
        for (const QString &id : std::as_const(ids))
            m_chips.append(makeChip(id));
    }
    m_facts = facts;
    setVisible(!facts.isEmpty());
    fold();
}

QSize FactChips::sizeHint() const
{
    if (!m_more->isChecked())
        return {400, lineHeight()};
    const int wanted = m_flow->heightForWidth(std::max(m_area->viewport()->width(), 100));
    return {400, std::min(wanted, (isLow(this) ? 2 : mostLines) * lineHeight())};
}

void FactChips::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fold();
}

} // namespace tmx
