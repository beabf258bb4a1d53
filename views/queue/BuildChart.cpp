// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/BuildChart.h"

#include "model/base/TextForm.h"
#include "views/theme/Theme.h"
#include "views/widgets/Label.h"

#include <QPainter>
#include <QResizeEvent>
#include <QScrollArea>

using namespace Qt::StringLiterals;

namespace tmx {

/// Paints the drawing in the palette's colours, as wide as there is room.
class BuildChart::Canvas : public QWidget
{
public:
    using Drawn = std::function<BuildDrawing(const DrawingMeasures &)>;

    void setDrawn(Drawn drawn, double label)
    {
        m_drawn = std::move(drawn);
        m_label = label;
        takeSize();
    }
    [[nodiscard]] const BuildDrawing &drawing() const { return m_drawing; }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        if (event->size().width() != event->oldSize().width() || event->size().height() != event->oldSize().height())
            takeSize();
    }
    void changeEvent(QEvent *event) override
    {
        if (event->type() == QEvent::FontChange)
            takeSize();
    }
    void paintEvent(QPaintEvent *) override
    {
        const Theme &theme = Theme::current(palette());
        QPainter painter(this);
        painter.fillRect(rect(), theme.base);
        painter.translate(margin, margin);
        for (const BuildDrawing::Box &box : m_drawing.boxes) {
            if (box.ink == BuildDrawing::Ink::Rule) {
                painter.fillRect(box.at, theme.line);
                continue;
            }
            // Hatched, so that waiting and running builds differ in more than colour.
            const bool waits = box.ink == BuildDrawing::Ink::Waiting;
            const QColor fill = theme.build(waits ? BuildState::Phase::Queued : BuildState::Phase::Running).fill;
            painter.fillRect(box.at, QBrush(fill, waits ? Qt::BDiagPattern : Qt::SolidPattern));
        }
        painter.setPen(theme.text);
        for (const BuildDrawing::Words &words : m_drawing.words) {
            const double wide = width();
            const double left = words.side == Qt::AlignRight ? words.at.x() - wide : words.at.x();
            painter.drawText(QRectF(left, words.at.y() - 100, wide, 200), int(words.side) | Qt::AlignVCenter,
                             words.text);
        }
    }

private:
    void takeSize()
    {
        if (!m_drawn)
            return;
        const double line = fontMetrics().height();
        const double width = std::max(double(this->width()) - 2 * margin, m_label + 12 * line);
        m_drawing = m_drawn({line, m_label, width, std::max(double(height()) - 2 * margin, 7 * line)});
        const QSize least = (m_drawing.size.toSize() + QSize(2 * margin, 2 * margin));
        setMinimumSize(int(m_label + 12 * line) + 2 * margin,
                       m_label > 0 ? least.height() : int(7 * line) + 2 * margin);
        update();
    }

    static constexpr int margin = 8;
    Drawn m_drawn;
    double m_label = 0;
    BuildDrawing m_drawing;
};

BuildChart::BuildChart(const QString &name, QWidget *parent)
    : QStackedWidget(parent)
    , m_nothing(new Label({}, Label::Placeholder))
    , m_scroll(new QScrollArea)
    , m_canvas(new Canvas)
{
    m_scroll->setAccessibleName(name);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setWidget(m_canvas);
    m_canvas->setAccessibleName(name);
    addWidget(m_nothing);
    addWidget(m_scroll);
}

const BuildDrawing &BuildChart::drawing() const
{
    return m_canvas->drawing();
}

void BuildChart::showTimes(const QList<VariantTime> &times)
{
    if (times.isEmpty()) {
        showNothing(tr("None of these builds succeeded, so there are no build times."));
        return;
    }
    const auto sentence = [](const VariantTime &time) {
        return tr("%1, %2").arg(time.variant, durationText(time.seconds * 1000));
    };
    double label = 0;
    for (const BuildDrawing::Words &words : drawTimes(times).words)
        label = std::max(label, double(fontMetrics().horizontalAdvance(words.text + u"mm"_s)));
    draw([times](const DrawingMeasures &measures) { return drawTimes(times, measures); }, label,
         tr("Variants: %1. The longest: %2. The shortest: %3.")
             .arg(times.size())
             .arg(sentence(times.constFirst()), sentence(times.constLast())));
}

void BuildChart::showQueue(const QList<QueuePoint> &points)
{
    if (points.size() < 2) {
        showNothing(tr("None of these builds was queued by this program."));
        return;
    }
    int most = 1;
    int running = 0;
    for (const QueuePoint &point : points) {
        most = std::max(most, point.running + point.waiting);
        running = std::max(running, point.running);
    }
    const QString form = u"yyyy-MM-dd HH:mm"_s;
    const QString span =
        tr("%1 to %2").arg(points.constFirst().at.toString(form), points.constLast().at.toString(form));
    const QString what = tr("at most %n builds, %1 of them at once", nullptr, int(most)).arg(running);
    draw([points](const DrawingMeasures &measures) { return drawQueue(points, measures); }, 0,
         tr("%1: %2", "time, builds").arg(span, what));
}

void BuildChart::draw(const std::function<BuildDrawing(const DrawingMeasures &)> &drawn, double label,
                      const QString &description)
{
    m_canvas->setAccessibleDescription(description);
    m_scroll->setAccessibleDescription(description);
    m_canvas->setDrawn(drawn, label);
    setCurrentWidget(m_scroll);
}

void BuildChart::showNothing(const QString &sentence)
{
    m_nothing->setText(sentence);
    setCurrentWidget(m_nothing);
}

} // namespace tmx
