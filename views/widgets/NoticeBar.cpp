// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/NoticeBar.h"

#include "views/theme/Colors.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"

#include <QAccessible>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include <chrono>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct NoticeLook {
    QString glyph;
    QString name;
    QColor light;
    QColor dark;
};

NoticeLook lookOf(NoticeBar::Kind kind)
{
    switch (kind) {
    case NoticeBar::Kind::Done:
        return {u"\u2713"_s, NoticeBar::tr("Done"), QColor(0xdf, 0xf2, 0xe3), QColor(0x1d, 0x3a, 0x28)};
    case NoticeBar::Kind::Information:
        return {u"i"_s, NoticeBar::tr("Note"), QColor(0xe1, 0xec, 0xf8), QColor(0x1e, 0x30, 0x47)};
    case NoticeBar::Kind::Problem:
        return {u"!"_s, NoticeBar::tr("Problem"), QColor(0xfb, 0xe3, 0xe0), QColor(0x4a, 0x22, 0x20)};
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace

NoticeBar::NoticeBar(QWidget *parent)
    : QFrame(parent)
    , m_glyph(new Label({}, Label::Bold))
    , m_text(new Label({}, Label::Wrapped | Label::Selectable))
    , m_action(new QPushButton(this))
    , m_close(makeTool(u"\u2715"_s, tr("Close the notice"), tr("Close (Esc)")))
    , m_goAway(new QTimer(this))
{
    setAutoFillBackground(true);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_text->setMinimumWidth(1); // A long path must not widen the window.
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 3, 6, 3);
    row->setSpacing(10);
    row->addWidget(m_glyph, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    row->addWidget(m_action, 0, Qt::AlignTop);
    row->addWidget(m_close, 0, Qt::AlignTop);
    m_goAway->setSingleShot(true);
    m_goAway->setInterval(std::chrono::seconds(12));
    connect(m_goAway, &QTimer::timeout, this, &QWidget::hide);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_action, &QPushButton::clicked, this, [this] {
        if (!m_lasting)
            hide();
        Q_EMIT actionTriggered();
    });
    hide();
}

void NoticeBar::showNotice(Kind kind, const QString &sentence)
{
    showNotice(kind, sentence, {});
}

void NoticeBar::showNotice(Kind kind, const QString &sentence, const QString &action)
{
    m_action->setText(action);
    m_action->setAccessibleName(action);
    m_action->setVisible(!action.isEmpty());
    m_kind = kind;
    m_text->setText(sentence);
    m_text->setAccessibleName(tr("%1: %2", "kind of notice, sentence").arg(lookOf(kind).name, sentence));
    m_glyph->setText(lookOf(kind).glyph);
    applyColours();
    show();
    if (kind == Kind::Done && action.isEmpty() && !m_lasting)
        m_goAway->start();
    else
        m_goAway->stop();
    QAccessibleEvent event(m_text, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void NoticeBar::setLasting()
{
    m_lasting = true;
    m_close->hide();
}

QString NoticeBar::text() const
{
    return isHidden() ? QString() : m_text->text();
}

void NoticeBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !m_lasting)
        hide();
    else
        QFrame::keyPressEvent(event);
}

void NoticeBar::resizeEvent(QResizeEvent *)
{
    Q_EMIT takes(isHidden() ? 0 : height());
}

void NoticeBar::showEvent(QShowEvent *)
{
    Q_EMIT takes(height());
}

void NoticeBar::hideEvent(QHideEvent *)
{
    Q_EMIT takes(0);
}

void NoticeBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    // Only windows get ApplicationPaletteChange; child widgets get PaletteChange from their parent's palette.
    if (event->type() == QEvent::PaletteChange)
        applyColours();
}

void NoticeBar::applyColours()
{
    const QPalette around = parentWidget() ? parentWidget()->palette() : QApplication::palette();
    const QColor ground = isDark(around.color(QPalette::Window)) ? lookOf(m_kind).dark : lookOf(m_kind).light;
    if (palette().color(QPalette::Window) == ground)
        return;   // Our own setPalette() sends PaletteChange too.
    QPalette own; // Sets nothing else, so that the text continues to follow the theme.
    own.setColor(QPalette::Window, ground);
    setPalette(own);
}

} // namespace tmx
