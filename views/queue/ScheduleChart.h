// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Estimating.h"

#include <QAbstractScrollArea>

class QHelpEvent;

namespace tmx {

/// When and where the builds of an estimate are built: a lane for each slot, a bar for each build, what runs filled and
/// what waits framed, dashed where its time is a default. The arrows go from bar to bar, + and - make the time wider
/// and narrower (Ctrl and the wheel, too). What it shows is its accessible description.
class ScheduleChart : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit ScheduleChart(QWidget *parent = nullptr);

    void setEstimate(const std::shared_ptr<const Estimate> &estimate); ///< null: nothing is known yet
    void setCurrent(const QString &job);                               ///< nothing where that is not in it
    [[nodiscard]] QString current() const;                             ///< id of a job; empty: none
    [[nodiscard]] QStringList lanes() const;                           ///< their names, from the top
    [[nodiscard]] QRect barOf(const QString &job) const;               ///< in the viewport; empty: none

Q_SIGNALS:
    void chosen(const QString &job); ///< the current one, by mouse or keyboard

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *) override {} ///< belongs to the press
    void wheelEvent(QWheelEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    struct Lane {
        QString name;
        QList<int> builds; ///< in time
    };

    void arrange();
    void zoom(double factor);
    void choose(int build);
    void describeAll();
    void go(int lanes, int builds);
    void reveal(int build);
    void paintAxis(QPainter &painter) const;
    void paintLane(QPainter &painter, int lane) const;
    void paintBar(QPainter &painter, int build) const;
    [[nodiscard]] bool isEmpty() const { return m_lanes.isEmpty(); }
    [[nodiscard]] int laneOf(int build) const { return m_laneOf.value(build); }
    [[nodiscard]] int laneHeight() const;
    [[nodiscard]] int axisHeight() const;
    [[nodiscard]] int timeWidth() const; ///< of all that is planned, in pixels
    [[nodiscard]] double xOf(double seconds) const;
    [[nodiscard]] qint64 beginOf(int build) const; ///< before 0: it runs; not as far as it was when it began
    [[nodiscard]] QRectF barOf(int build) const;
    [[nodiscard]] int buildAt(const QPoint &position) const; ///< -1: none
    [[nodiscard]] QString sentenceOf(int build) const;
    [[nodiscard]] QString sentence() const;

    std::shared_ptr<const Estimate> m_estimate;
    QList<Lane> m_lanes;
    QList<int> m_laneOf; ///< of each build
    int m_nameWidth = 0; ///< of the lanes' names, pixels
    int m_current = -1;  ///< index of a build
    qint64 m_first = 0;  ///< seconds; where the time begins
    double m_zoom = 1;   ///< 1: all of it fits
};

} // namespace tmx
