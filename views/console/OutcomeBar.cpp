// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/OutcomeBar.h"

#include "model/outcome/OutcomeText.h"
#include "views/theme/Colors.h"
#include "views/theme/Theme.h"
#include "views/widgets/CodeFont.h"
#include "views/widgets/CopyButton.h"
#include "views/widgets/FormArea.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPlainTextEdit>
#include <QToolButton>

namespace tmx {

namespace {

constexpr int mostLinesShown = 7; // the console may be low; more lines scroll

BuildState::Phase phaseOf(BuildOutcome::Kind kind)
{
    if (kind == BuildOutcome::Kind::Built)
        return BuildState::Phase::Built;
    return kind == BuildOutcome::Kind::Stopped ? BuildState::Phase::Stopping : BuildState::Phase::Failed;
}

} // namespace

OutcomeBar::OutcomeBar(QWidget *parent)
    : QWidget(parent)
    , m_row(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_sentence(new Label({}, Label::Narrow | Label::Selectable, tr("How the build ended")))
    , m_first(new QToolButton)
    , m_expand(new QToolButton)
    , m_copy(new CopyButton(tr("Copy errors"), tr("Copy the error lines")))
    , m_recipe(new QToolButton)
    , m_fixHash(new QToolButton)
    , m_retry(new QToolButton)
    , m_errors(new QPlainTextEdit)
{
    m_first->setText(tr("First error"));
    m_first->setAutoRaise(true);
    m_first->setFocusPolicy(Qt::StrongFocus);
    describe(m_first, tr("Show the first error in the log"), tr("Show the first error in the log"));
    connect(m_first, &QToolButton::clicked, this, [this] { Q_EMIT firstErrorRequested(m_outcome.firstError); });
    for (QToolButton *button : {m_recipe, m_fixHash, m_retry}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
    }
    connect(m_recipe, &QToolButton::clicked, this, [this] { Q_EMIT recipeRequested(m_outcome.recipeLine); });
    m_fixHash->setText(tr("Correct the hash\u2026"));
    describe(m_fixHash, tr("Correct the hash"), tr("Show the change that corrects the hash"));
    connect(m_fixHash, &QToolButton::clicked, this,
            [this] { Q_EMIT hashFixRequested(m_outcome.statedHash, m_outcome.rightHash); });
    connect(m_retry, &QToolButton::clicked, this, &OutcomeBar::retryRequested);
    m_expand->setCheckable(true);
    m_expand->setAutoRaise(true);
    m_expand->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_expand->setFocusPolicy(Qt::StrongFocus);
    m_errors->setReadOnly(true);
    useCodeFont(m_errors);
    m_errors->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_errors->setFrameShape(QFrame::NoFrame);
    m_errors->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_errors->setTabChangesFocus(true);
    m_errors->document()->setDocumentMargin(2);
    m_errors->setAccessibleName(tr("Last error lines"));

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    buttons->addStretch();
    for (QWidget *button : std::initializer_list<QWidget *>{m_retry, m_fixHash, m_recipe, m_first, m_expand, m_copy})
        buttons->addWidget(button, 0, Qt::AlignTop);
    m_row->setSpacing(6);
    m_row->addWidget(new FormArea(m_sentence, 2), 1); // The console may be low.
    m_row->addLayout(buttons);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(34, 5, 6, 5);
    layout->setSpacing(4);
    layout->addLayout(m_row);
    layout->addWidget(m_errors);
    connect(m_expand, &QToolButton::toggled, this, &OutcomeBar::setExpanded);
    setExpanded(false);
}

void OutcomeBar::setOutcome(const BuildOutcome &outcome, bool isOwn)
{
    m_outcome = outcome;
    m_sentence->setUnbroken(sentenceOf(outcome));
    m_retry->setText(retryText(outcome));
    describe(m_retry, m_retry->text(), tr("Queue the build again"));
    m_retry->setVisible(isOwn && !m_retry->text().isEmpty());
    m_fixHash->setVisible(isOwn && !outcome.rightHash.isEmpty());
    m_recipe->setText(tr("Recipe, line %1").arg(outcome.recipeLine));
    describe(m_recipe, m_recipe->text(), tr("Show the line of the recipe that caused the failure"));
    m_recipe->setVisible(isOwn && outcome.recipeLine > 0);
    m_first->setVisible(m_outcome.firstError >= 0);
    const auto count = int(outcome.lastErrors.size());
    m_expand->setText(tr("%n error lines", nullptr, count));
    m_expand->setVisible(count > 0);
    m_copy->setVisible(count > 0);
    m_copy->setContent(outcome.lastErrors.join(u'\n'));
    m_errors->setPlainText(outcome.lastErrors.join(u'\n'));
    const int lines = std::min(count, mostLinesShown);
    m_errors->setFixedHeight(m_errors->fontMetrics().lineSpacing() * lines +
                             int(2 * m_errors->document()->documentMargin()));
    setExpanded(false);
    applyColors();
}

void OutcomeBar::setExpanded(bool expanded)
{
    m_expand->setChecked(expanded);
    m_expand->setArrowType(expanded ? Qt::DownArrow : Qt::RightArrow);
    setPlainToolTip(m_expand, expanded ? tr("Hide the error lines") : tr("Show the error lines"));
    m_errors->setVisible(expanded);
}

bool OutcomeBar::isExpanded() const
{
    return m_expand->isChecked();
}

QString OutcomeBar::sentence() const
{
    return m_sentence->text();
}

QColor OutcomeBar::accent() const
{
    return Theme::current(palette()).build(phaseOf(m_outcome.kind)).fill;
}

void OutcomeBar::applyColors()
{
    const QColor ground = mix(palette().color(QPalette::Window), accent(), 0.12);
    QPalette own = m_sentence->palette();
    own.setColor(QPalette::WindowText, legible(palette().color(QPalette::WindowText), ground));
    m_sentence->setPalette(own);
    update();
}

void OutcomeBar::resizeEvent(QResizeEvent *event)
{
    // Beside the buttons a narrow column of words would be left for the sentence.
    constexpr int narrow = 640;
    m_row->setDirection(width() < narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    QWidget::resizeEvent(event);
}

void OutcomeBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), mix(palette().color(QPalette::Window), accent(), 0.12));
    painter.fillRect(QRect(0, 0, 4, height()), accent());
    const int side = m_sentence->fontMetrics().height();
    const QRectF glyph(13, m_sentence->geometry().top() + (std::min(m_sentence->height(), side + 8) - side + 2) / 2.0,
                       side - 2, side - 2);
    drawGlyph(painter, Theme::current(palette()).build(phaseOf(m_outcome.kind)).glyph, glyph, accent());
}

void OutcomeBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColors();
}

} // namespace tmx
