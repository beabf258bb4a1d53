// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/Estimate.h"

#include "model/catalog/ShortNames.h"

#include <QAbstractScrollArea>

namespace tmx {

/// When and where the builds of an estimate ran, run and will run: a lane for each slot and a bar for each build. Ended
/// and running builds are filled, waiting builds framed, and dashed if the duration is a default. The arrow keys move
/// between bars; + and - (or Ctrl and the wheel) zoom the time axis. The accessible description has the shown data.
class ScheduleChart : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit ScheduleChart(QWidget *parent = nullptr);

    void setEstimate(const std::shared_ptr<const Estimate> &estimate); ///< null: not known yet
    void setCurrent(const QString &job);                               ///< a job that is not in the estimate clears the
                                                                       ///< current one
    [[nodiscard]] QString current() const;                             ///< id of a job; empty: none
    [[nodiscard]] QStringList lanes() const;                           ///< the lanes' names, from top to bottom
    [[nodiscard]] QRect barOf(const QString &job) const;               ///< in viewport coordinates; empty if there is
                                                                       ///< none
    [[nodiscard]] QSize sizeHint() const override;                     ///< high enough for all lanes
    [[nodiscard]] bool isEmpty() const { return m_lanes.isEmpty(); }   ///< no build, past or planned

Q_SIGNALS:
    void chosen(const QString &job); ///< the current job, chosen by mouse or keyboard

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *) override {} ///< the press has handled it
    void wheelEvent(QWheelEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    struct Bar {
        QString job;
        QString variant;
        qint64 begin = 0; ///< in seconds from the estimate's start
        qint64 end = 0;
        BuildState::Phase phase = BuildState::Phase::Queued;
        bool guessed = false; ///< its duration is a default
        int build = -1;       ///< index of a planned build; -1: it ended
        int lane = 0;
    };
    static bool isFailed(const Bar &bar);
    struct Lane {
        QString name;
        QString machine;
        QList<int> bars; ///< in order of time
    };

    void addPlanned();
    void addEnded();
    [[nodiscard]] int barOfJob(const QString &job) const; ///< -1: none
    void arrange();
    void zoom(double factor);
    void choose(int bar);
    void describeAll();
    void go(int lanes, int bars);
    void reveal(int bar);
    void paintAxis(QPainter &painter) const;
    void paintLane(QPainter &painter, int lane) const;
    void paintBar(QPainter &painter, const Bar &bar) const;
    [[nodiscard]] bool hasDetails() const; ///< in a high window a bar has a second line
    [[nodiscard]] QString detailOf(const Bar &bar) const;
    [[nodiscard]] int laneHeight() const;
    [[nodiscard]] int axisHeight() const;
    [[nodiscard]] int timeWidth() const; ///< width of the whole plan in pixels
    [[nodiscard]] double xOf(double seconds) const;
    [[nodiscard]] qint64 seconds() const; ///< of the time axis, which ends a little after now if nothing is planned
    [[nodiscard]] QRectF placeOf(const Bar &bar) const;
    [[nodiscard]] int barAt(const QPoint &position) const; ///< -1: none
    [[nodiscard]] QString sentenceOf(const Bar &bar) const;
    [[nodiscard]] QString sentence() const;

    std::shared_ptr<const Estimate> m_estimate;
    QList<Lane> m_lanes;
    ShortNames m_names;
    QList<Bar> m_bars;
    int m_nameWidth = 0; ///< width of the lanes' names in pixels
    int m_current = -1;  ///< index of a bar
    qint64 m_first = 0;  ///< in seconds: where the time axis begins
    double m_zoom = 1;   ///< 1: all of it fits
};

} // namespace tmx
