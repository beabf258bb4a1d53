// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/CountedFacts.h"

#include <QWidget>

class QScrollArea;
class QToolButton;

namespace tmx {

class FlowLayout;
class Label;

/// One button for each fact that differs: "nixpkgs 58". Pressed facts count. One line, and a button that shows the
/// others: the recipes below need the room.
class FactChips : public QWidget
{
    Q_OBJECT
public:
    explicit FactChips(QWidget *parent = nullptr);

    void setFacts(const QList<FactCount> &facts); ///< keeps buttons of the same facts, and their focus
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

Q_SIGNALS:
    void chosen(const QString &id, bool counts);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QToolButton *makeChip(const QString &id);
    [[nodiscard]] QString folded(const QString &values) const;
    [[nodiscard]] QString textOf(const FactCount &fact, bool whole) const;
    [[nodiscard]] int belowFirstLine(int width) const;
    void fold();
    [[nodiscard]] int lineHeight() const;

    QScrollArea *m_area;
    QWidget *m_body;
    QToolButton *m_more;
    Label *m_lead;
    FlowLayout *m_flow;
    QStringList m_ids;
    QList<FactCount> m_facts;
    QList<QToolButton *> m_chips;
};

} // namespace tmx
