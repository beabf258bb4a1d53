// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/Legend.h"

#include "views/compare/ComparisonStyle.h"
#include "views/widgets/Tips.h"

#include <QPainter>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

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
        if (comparison.sides.size() > 2)
            addDifferent(comparison);
        else
            add(Likeness::Different, totals.different, tr("different (%1)"));
        add(Likeness::Alone, alone, tr("only on one branch (%1)"));
    }
    m_note = most.isEmpty() ? QStringList() : QStringList{tr("a cell without words: %1").arg(most)};
    const auto differs = [](bool asMost) {
        return [asMost](const ComparedCell &cell) {
            return cell.likeness == Likeness::Different && cell.asMost == asMost;
        };
    };
    if (comparison.sides.size() > 2 && std::ranges::any_of(comparison.cells, differs(true)) &&
        std::ranges::any_of(comparison.cells, differs(false)))
        m_note.append(tr("tinted: in other facts than most cells"));
    m_sides.clear();
    for (const ComparedSide &side : comparison.sides)
        m_sides.append(side.label);
    QStringList words;
    for (const Entry &entry : std::as_const(m_entries))
        words.append(entry.text);
    setAccessibleName(tr("Legend"));
    setAccessibleDescription(m_unit + QLatin1Char(' ') + (words + m_note).join(QStringLiteral(", ")));
    setPlainToolTip(this, comparison.sides.size() < 3
                              ? QString()
                              : tr("The numbers in the cells stand for the branches in this order: %1. A dotted square "
                                   "means no recipe. Where no branch has what most have, squares with the same letter "
                                   "build the same.")
                                    .arg(m_sides.join(QStringLiteral(", "))));
    updateGeometry();
    update();
}

/// How many cells differ on one branch alone, in how many all do, and where one has no recipe.
void Legend::addDifferent(const Comparison &comparison)
{
    QList<int> alone(comparison.sides.size());
    int all = 0, missing = 0, missingElseDifferent = 0, others = 0;
    for (const ComparedCell &cell : comparison.cells) {
        const bool differs = cell.likeness == Likeness::Different;
        const QList<int> odd = cell.odd();
        if (cell.held() > 1 && !cell.isEverywhere())
            ++(differs ? missingElseDifferent : missing);
        else if (differs && odd.size() == 1)
            ++alone[odd.constFirst()];
        else if (differs && *std::ranges::max_element(cell.groups) + 1 == cell.groups.size())
            ++all;
        else
            others += differs;
    }
    const auto add = [this](int cells, const QString &text, int side = -1, bool there = true) {
        if (cells > 0)
            m_entries.append({there ? Likeness::Different : Likeness::Alone, text.arg(cells), side, there});
    };
    add(all, tr("all differ (%1)", "branches"));
    for (int side = 0; side < alone.size(); ++side)
        add(alone.at(side),
            tr("only %2 differs (%1)", "count of cells, branch").arg(u"%1"_s, comparison.sides.at(side).label), side);
    add(others, tr("different (%1)"));
    add(missingElseDifferent, tr("missing there, others differ (%1)", "on a branch"), -1, false);
    add(missing, tr("missing there (%1)", "on a branch"), -1, false);
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
        const QRectF square(rect.x(), rect.center().y() - sign / 2.0 + 1, sign, sign);
        if (entry.side < 0 && entry.there) {
            drawGlyph(*painter, style.glyph, square, style.accent);
        } else {
            painter->setRenderHint(QPainter::Antialiasing);
            drawSide(*painter, square, entry.side, entry.there, theme, font());
        }
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
