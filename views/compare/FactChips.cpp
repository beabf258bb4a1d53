// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/FactChips.h"

#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QLocale>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int mostLines = 2; // one in a low window
constexpr int chipSpacing = 4;
constexpr int widestName = 180;

} // namespace

FactChips::FactChips(QWidget *parent)
    : QScrollArea(parent)
    , m_body(new QWidget)
    , m_flow(new FlowLayout(chipSpacing, m_body))
{
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFocusPolicy(Qt::NoFocus); // Its buttons take the focus.
    setAccessibleName(tr("Facts that differ, and which of them count"));
    m_flow->addWidget(new Label(tr("What differs, in how many cells:"), Label::Quiet));
    setWidget(m_body);
    viewport()->setAutoFillBackground(false);
    m_body->setAutoFillBackground(false);
    hide();
}

QToolButton *FactChips::makeChip(const QString &id)
{
    auto *chip = new QToolButton;
    chip->setCheckable(true);
    chip->setFocusPolicy(Qt::StrongFocus);
    connect(chip, &QToolButton::toggled, this, [this, id](bool counts) { Q_EMIT chosen(id, counts); });
    m_flow->addWidget(chip);
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
    for (qsizetype i = 0; i < facts.size(); ++i) {
        const FactCount &fact = facts.at(i);
        QToolButton *chip = m_chips.at(i);
        const QSignalBlocker quiet(chip);
        const QString count = QLocale().toString(fact.cells);
        QString name = fontMetrics().elidedText(fact.label, Qt::ElideMiddle, widestName);
        if (!fact.values.isEmpty())
            name = tr("%1 %2", "fact, its values").arg(name, fact.values);
        const bool all = fact.values.isEmpty() || fact.alike == fact.cells;
        const QString cells = all ? count : tr("%1 of %2", "cells").arg(QLocale().toString(fact.alike), count);
        name.replace(u'&', u"&&"_s);
        const QString text = fact.values.isEmpty()
                                 ? tr("%1 %2", "fact, count of cells").arg(name, cells)
                                 : tr("%1: %2", "fact with its values, count of cells").arg(name, cells);
        chip->setText(fact.counts ? u"\u2713 "_s + text : text); // Marked by more than shade.
        chip->setChecked(fact.counts);
        describe(chip, tr("%1 differs in %Ln cells", nullptr, fact.cells).arg(fact.label),
                 fact.counts ? tr("%1 differs in %Ln cells. Click to ignore it.", nullptr, fact.cells).arg(fact.label)
                             : tr("%1 differs in %Ln cells and is ignored. Click to count it.", nullptr, fact.cells)
                                   .arg(fact.label));
    }
    setVisible(!facts.isEmpty());
    updateGeometry();
}

QSize FactChips::sizeHint() const
{
    const int line = m_chips.isEmpty() ? 0 : m_chips.constFirst()->sizeHint().height();
    const int wanted = m_flow->heightForWidth(std::max(width(), 100));
    return {400, std::min(wanted, (isLow(this) ? 1 : mostLines) * (line + chipSpacing))};
}

void FactChips::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        updateGeometry();
}

} // namespace tmx
