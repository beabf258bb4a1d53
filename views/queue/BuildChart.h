// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/BuildTimes.h"

#include <QStackedWidget>

#include <functional>

class QScrollArea;

namespace tmx {

class Label;

/// A chart of builds in the palette's colours, or a sentence if there is nothing to draw. Its accessible description
/// has the shown data too.
class BuildChart : public QStackedWidget
{
    Q_OBJECT
public:
    explicit BuildChart(const QString &name, QWidget *parent = nullptr);

    void showTimes(const QList<VariantTime> &times);
    void showQueue(const QList<QueuePoint> &points);
    /// What is drawn, in the size of now.
    [[nodiscard]] const BuildDrawing &drawing() const;

private:
    class Canvas;
    void draw(const std::function<BuildDrawing(const DrawingMeasures &)> &drawn, double label,
              const QString &description);
    void showNothing(const QString &sentence);

    Label *m_nothing;
    QScrollArea *m_scroll;
    Canvas *m_canvas;
};

} // namespace tmx
