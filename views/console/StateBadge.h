// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/outcome/BuildState.h"

#include <QWidget>

namespace tmx {

/// Draws a build's phase as glyph and word on its colour. Fills all of `rect`, in the painter's font.
void drawState(QPainter &painter, const QRect &rect, const QPalette &palette, BuildState::Phase phase,
               const QString &word);
/// The size that drawState() needs.
[[nodiscard]] QSize stateSize(const QFontMetrics &metrics, const QString &word);

/// A build's phase as glyph and word on its colour, as the grid shows it.
class StateBadge : public QWidget
{
    Q_OBJECT
public:
    explicit StateBadge(QWidget *parent = nullptr);

    void setState(BuildState::Phase phase, const QString &word);
    [[nodiscard]] QString word() const { return m_word; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    BuildState::Phase m_phase = BuildState::Phase::None;
    QString m_word;
};

} // namespace tmx
