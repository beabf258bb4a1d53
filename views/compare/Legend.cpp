// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/Legend.h"

#include "views/compare/ComparisonStyle.h"
#include "views/widgets/Tips.h"

#include <QPainter>

#include <algorithm>
#include <numeric>

namespace tmx {

namespace {
constexpr int between = 16;
constexpr int sign = 14;
constexpr int legendLineGap = 4;
} // namespace

Legend::Legend(QWidget *parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void Legend::setComparison(const Comparison &comparison, const QString &most)
{
    const ComparisonTotals totals = comparison.totals();
    const int alone = int(std::accumulate(totals.only.begin(), totals.only.end(), 0));
    const auto add = [this](Likeness likeness, qsizetype cells, const QString &text) {
        if (cells > 0)
            m_entries.append({likeness, text.arg(cells)});
    };
    m_entries.clear();
    m_unit = tr("%n cells:", nullptr, int(comparison.cells.size()));
    if (comparison.isOfCompanions()) {
        add(Likeness::SameBuild, comparison.cells.size() - alone, tr("on both (%1)"));
        add(Likeness::Alone, alone, tr("only on one (%1)"));
    } else {
        add(Likeness::Identical, totals.identical, tr("identical text (%1)"));
        add(Likeness::Equal, totals.equal, tr("same derivation (%1)"));
        add(Likeness::SameBuild, totals.sameBuild, tr("same build (%1)"));
        add(Likeness::Alike, totals.alike, tr("alike but for what is ignored (%1)"));
        add(Likeness::Different, totals.different, tr("different (%1)"));
        add(Likeness::Alone, alone, tr("only on one branch (%1)"));
    }
    // Squares stand for the branches where words have no room.
    m_note =
        QStringList{most.isEmpty() ? QString() : tr("a cell without words: %1").arg(most),
                    comparison.sides.size() > 2
                        ? tr("squares 1 to %1; same letter: same build; empty: no recipe").arg(comparison.sides.size())
                        : QString()};
    m_note.removeAll(QString());
    m_sides.clear();
    for (const ComparedSide &side : comparison.sides)
        m_sides.append(side.label);
    QStringList words;
    for (const Entry &entry : std::as_const(m_entries))
        words.append(entry.text);
    setAccessibleName(tr("Legend"));
    setAccessibleDescription(m_unit + QLatin1Char(' ') + (words + m_note).join(QStringLiteral(", ")));
    setPlainToolTip(this, m_sides.isEmpty()
                              ? QString()
                              : tr("The squares of a cell stand for the branches in this order: %1. Squares with "
                                   "the same letter build the same; an empty square means no recipe.")
                                    .arg(m_sides.join(QStringLiteral(", "))));
    updateGeometry();
    update();
}

int Legend::layOut(int width, QPainter *painter) const
{
    const Theme &theme = Theme::current(palette());
    const int height = std::max(fontMetrics().height(), sign);
    int x = 0;
    int y = 0;
    const auto place = [&](int needed) {
        if (x > 0 && x + needed > width) {
            x = 0;
            y += height + legendLineGap;
        }
        const QRect rect(x, y, needed, height);
        x += needed + between;
        return rect;
    };
    if (const QRect rect = place(fontMetrics().horizontalAdvance(m_unit)); painter) {
        painter->setPen(theme.quietText);
        painter->drawText(rect.adjusted(0, 0, 4, 0), Qt::AlignLeft | Qt::AlignVCenter, m_unit);
    }
    for (const Entry &entry : m_entries) {
        const QRect rect = place(sign + 6 + fontMetrics().horizontalAdvance(entry.text));
        if (!painter)
            continue;
        const RecipeStyle style = likenessStyle(entry.likeness, theme);
        drawGlyph(*painter, style.glyph, QRectF(rect.x(), rect.center().y() - sign / 2.0 + 1, sign, sign),
                  style.accent);
        painter->setPen(theme.quietText);
        painter->drawText(rect.adjusted(sign + 6, 0, 4, 0), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    }
    for (const QString &text : m_note) {
        const QRect rect = place(fontMetrics().horizontalAdvance(text));
        if (painter) {
            painter->setPen(theme.quietText);
            painter->drawText(rect.adjusted(0, 0, 4, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
        }
    }
    return m_entries.isEmpty() ? 0 : y + height;
}

QSize Legend::sizeHint() const
{
    return {400, heightForWidth(std::max(width(), 400))};
}

QSize Legend::minimumSizeHint() const
{
    return {100, heightForWidth(std::max(width(), 100))};
}

int Legend::heightForWidth(int width) const
{
    return layOut(width, nullptr);
}

void Legend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    layOut(width(), &painter);
}

} // namespace tmx
