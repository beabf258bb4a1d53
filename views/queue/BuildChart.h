// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/BuildTimes.h"

#include <QStackedWidget>

class QAbstractAxis;
class QAbstractSeries;
class QChart;
class QChartView;
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

    /// One bar for each variant, the longest at the top; scrolls if there are many.
    void showTimes(const QList<VariantTime> &times);
    /// How many builds ran and waited, in the last week that had any.
    void showQueue(const QList<QueuePoint> &points);
    [[nodiscard]] QChart *chart() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    void draw(const QList<QAbstractSeries *> &series, QAbstractAxis *across, QAbstractAxis *up, QSize least,
              const QString &description);
    void showNothing(const QString &sentence);
    void takePalette();

    Label *m_nothing;
    QScrollArea *m_scroll;
    QChartView *m_view;
};

} // namespace tmx
