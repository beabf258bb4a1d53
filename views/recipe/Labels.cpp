// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/Labels.h"

#include "views/recipe/CodeColors.h"

#include <QPainter>

namespace tmx {

void ElidedLabel::setFullText(const QString &text)
{
    m_text = text;
    setToolTip(text);
    setAccessibleDescription(text);
    updateGeometry();
    elide();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 2, QLabel::sizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent *event)
{
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::elide()
{
    setText(fontMetrics().elidedText(m_text, Qt::ElideMiddle, contentsRect().width()));
}

Banner::Banner(const QString &text, QWidget *parent)
    : QLabel(text, parent)
{
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setContentsMargins(14, 7, 10, 7);
}

void Banner::paintEvent(QPaintEvent *event)
{
    {
        QPainter painter(this);
        const QColor accent = palette().color(QPalette::Highlight);
        painter.fillRect(rect(), mix(palette().color(QPalette::Window), accent, 0.14));
        painter.fillRect(QRect(0, 0, 4, height()), accent);
    }
    QLabel::paintEvent(event);
}

void setMuted(QWidget *label, const QPalette &palette)
{
    QPalette own = label->palette();
    own.setColor(QPalette::WindowText, mutedText(palette));
    label->setPalette(own);
}

} // namespace tmx
