// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/CountedFacts.h"

#include <QScrollArea>

class QToolButton;

namespace tmx {

class FlowLayout;

/// What differs by fact, a button each: "nixpkgs 58". Pressed ones count. Two lines high at most, then it scrolls.
class FactChips : public QScrollArea
{
    Q_OBJECT
public:
    explicit FactChips(QWidget *parent = nullptr);

    void setFacts(const QList<FactCount> &facts); ///< buttons of the same facts stay, and the focus with them
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

Q_SIGNALS:
    void chosen(const QString &id, bool counts);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QToolButton *makeChip(const QString &id);
    QWidget *m_body;
    FlowLayout *m_flow;
    QStringList m_ids;
    QList<QToolButton *> m_chips;
};

} // namespace tmx
