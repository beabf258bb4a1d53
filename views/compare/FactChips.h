// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/CountedFacts.h"

#include <QScrollArea>

class QToolButton;

namespace tmx {

class FlowLayout;

/// One button for each fact that differs: "nixpkgs 58". Pressed facts count. At most two lines high, then it scrolls.
class FactChips : public QScrollArea
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
    QWidget *m_body;
    FlowLayout *m_flow;
    QStringList m_ids;
    QList<QToolButton *> m_chips;
};

} // namespace tmx
