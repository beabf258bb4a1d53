// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/CheckList.h"

#include "views/theme/Theme.h"
#include "views/widgets/CopyButton.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QGridLayout>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>

namespace tmx {

namespace {

constexpr int mostLines = 20;
constexpr int usualWidth = 560;

/// A condition's sign in a colour of the current theme.
class CheckGlyph : public QWidget
{
public:
    explicit CheckGlyph(CheckItem::Kind kind)
        : m_kind(kind)
    {
        const int side = fontMetrics().height();
        setFixedSize(side, side);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        const Theme &theme = Theme::current(palette());
        Glyph glyph = Glyph::Check;
        QColor color = theme.build(BuildState::Phase::Built).fill;
        if (m_kind == CheckItem::Kind::Open) {
            glyph = Glyph::Box;
            color = theme.quietText;
        } else if (m_kind != CheckItem::Kind::Holds) {
            const SeverityStyle &style =
                theme.severity(m_kind == CheckItem::Kind::Blocks ? Severity::Error : Severity::Warning);
            glyph = style.glyph;
            color = style.color;
        }
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        drawGlyph(painter, glyph, QRectF(rect()).adjusted(1, 1, -1, -1), color);
    }

private:
    const CheckItem::Kind m_kind;
};

} // namespace

CheckList::CheckList(const QString &accessibleName, QWidget *parent)
    : QScrollArea(parent)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(accessibleName);
    setItems({});
}

void CheckList::setItems(const QList<CheckItem> &items)
{
    if (widget() && items == m_items)
        return;
    m_items = items;
    auto *body = new QWidget;
    auto *grid = new QGridLayout(body);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(2, 1);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    int row = 0;
    for (const CheckItem &item : items) {
        auto *sentence = new Label({}, Label::Narrow | Label::Selectable, item.word);
        sentence->setBreakable(item.sentence);
        grid->addWidget(new CheckGlyph(item.kind), row, 0, Qt::AlignTop);
        grid->addWidget(new Label(item.word, Label::Bold), row, 1, Qt::AlignTop);
        grid->addWidget(sentence, row, 2, Qt::AlignTop);
        if (!item.command.isEmpty()) {
            auto *copy = new CopyButton(CheckList::tr("Copy"), CheckList::tr("Copy %1").arg(item.command));
            copy->setContent(item.command);
            setPlainToolTip(copy, item.command);
            grid->addWidget(copy, row, 3, Qt::AlignTop);
        }
        ++row;
    }
    grid->setRowStretch(row, 1);
    setWidget(body);
    body->installEventFilter(this);
    updateGeometry();
}

void CheckList::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateGeometry(); // Wrapped sentences are higher if it is narrower.
}

void CheckList::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    updateGeometry(); // It was laid out before it had its width.
}

bool CheckList::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry(); // Its labels have another font than when they were made.
    return QScrollArea::eventFilter(watched, event);
}

QSize CheckList::sizeHint() const
{
    const int most = mostLines * fontMetrics().lineSpacing();
    // A scroll bar that is there while it is laid out makes the sentences higher, and then stays.
    const int across = (isVisible() ? width() : usualWidth) - verticalScrollBar()->sizeHint().width();
    const int wanted = widget() && widget()->layout() ? widget()->layout()->heightForWidth(across) : 0;
    return {usualWidth, std::clamp(wanted + 4, fontMetrics().lineSpacing(), most)};
}

} // namespace tmx
