// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/SideBySide.h"

#include "views/compare/SideView.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>
#include <QtConcurrent>

#include <utility>

namespace tmx {

namespace {

/// The lines of one text without a counterpart.
QList<AlignedLine> alone(const QByteArray &text, bool left)
{
    QList<AlignedLine> lines = alignTexts(text, text);
    for (AlignedLine &line : lines)
        (left ? line.right : line.left) = 0;
    return lines;
}

void follow(QScrollBar *leader, QScrollBar *follower)
{
    QObject::connect(leader, &QScrollBar::valueChanged, follower, &QScrollBar::setValue);
}

} // namespace

SideBySide::SideBySide(QWidget *parent)
    : QWidget(parent)
    , m_leftBox(makeChoice(tr("Branch on the left")))
    , m_rightBox(makeChoice(tr("Branch on the right")))
    , m_leftName(new ElidedLabel(Label::Bold))
    , m_rightName(new ElidedLabel(Label::Bold))
    , m_place(new Label({}, Label::Ordinary, tr("Position in the changes")))
    , m_previous(makeArrow(Qt::UpArrow, tr("Previous change"), tr("Previous change in the recipe (Alt+Up)")))
    , m_next(makeArrow(Qt::DownArrow, tr("Next change"), tr("Next change in the recipe (Alt+Down)")))
    , m_left(new SideView(SideView::Side::Left))
    , m_right(new SideView(SideView::Side::Right))
{
    m_left->setAccessibleName(tr("Recipe on the left"));
    m_right->setAccessibleName(tr("Recipe on the right"));
    for (ElidedLabel *name : {m_leftName, m_rightName}) {
        name->setContentsMargins(10, 4, 8, 4); // what follows does not touch it
        name->setMinimumWidth(60);             // a long branch is cut in its middle, not by what follows
    }
    auto *leftHead = new QHBoxLayout;
    leftHead->addWidget(m_leftBox);
    leftHead->addWidget(m_leftName);
    leftHead->addStretch();
    auto *head = new QHBoxLayout;
    head->addWidget(m_rightBox);
    head->addWidget(m_rightName);
    head->addStretch();
    head->addWidget(m_place);
    head->addWidget(m_previous);
    head->addWidget(m_next);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->addLayout(leftHead, 0, 0);
    grid->addLayout(head, 0, 1);
    grid->addWidget(m_left, 1, 0);
    grid->addWidget(m_right, 1, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(1, 1);
    follow(m_left->verticalScrollBar(), m_right->verticalScrollBar());
    follow(m_right->verticalScrollBar(), m_left->verticalScrollBar());
    follow(m_left->horizontalScrollBar(), m_right->horizontalScrollBar());
    follow(m_right->horizontalScrollBar(), m_left->horizontalScrollBar());
    connect(m_previous, &QToolButton::clicked, this, &SideBySide::previousChange);
    connect(m_next, &QToolButton::clicked, this, &SideBySide::nextChange);
    // activated, not currentIndexChanged: a change by setTexts() is not the user's choice.
    connect(m_leftBox, &QComboBox::activated, this, &SideBySide::choose);
    connect(m_rightBox, &QComboBox::activated, this, &SideBySide::choose);
    setFocusProxy(m_left);
    showPlace();
}

int SideBySide::heightFor(int lines) const
{
    return m_rightBox->sizeHint().height() + static_cast<QGridLayout *>(layout())->verticalSpacing() +
           lines * m_left->fontMetrics().lineSpacing() + m_left->horizontalScrollBar()->sizeHint().height() +
           2 * m_left->frameWidth();
}

void SideBySide::setTexts(const QList<Text> &texts)
{
    const QString left = m_leftBox->currentData().toString();
    const QString right = m_rightBox->currentData().toString();
    m_texts = texts;
    int first = -1;
    int second = -1;
    const auto unlike = [&](int i) { return std::pair(texts.at(i).unlike, texts.at(i).text != texts.at(first).text); };
    for (int i = 0; i < texts.size(); ++i) {
        if (!texts.at(i).there)
            continue;
        if (first < 0)
            first = i;
        else if (second < 0 || unlike(second) < unlike(i))
            second = i;
    }
    for (QComboBox *box : {m_leftBox, m_rightBox}) {
        box->clear();
        for (const Text &text : texts)
            box->addItem(text.there ? text.label : tr("%1 (none)", "branch without the recipe").arg(text.label),
                         text.label);
        box->setVisible(texts.size() > 2);
    }
    const auto indexOf = [this](const QString &label) {
        for (int i = 0; i < m_texts.size(); ++i) {
            if (m_texts.at(i).label == label)
                return i;
        }
        return -1;
    };
    if (m_chosen && indexOf(left) >= 0 && indexOf(right) >= 0) {
        first = indexOf(left);
        second = indexOf(right);
    }
    for (QLabel *name : {m_leftName, m_rightName})
        name->setVisible(texts.size() <= 2);
    // Two sides keep their places, whichever of them has the recipe.
    if (texts.size() == 2) {
        first = 0;
        second = 1;
    } else if (first >= 0 && second < 0) {
        second = first == 0 ? 1 : 0;
        if (second < first)
            std::swap(first, second);
    }
    show(first, second);
}

void SideBySide::choose()
{
    m_chosen = true;
    show(m_leftBox->currentIndex(), m_rightBox->currentIndex());
}

void SideBySide::show(int left, int right)
{
    m_leftBox->setCurrentIndex(left);
    m_rightBox->setCurrentIndex(right);
    const quint64 asked = ++m_asked;
    const Text one = m_texts.value(left);
    const Text two = m_texts.value(right);
    if (!one.there && !two.there)
        return take(one, two, {});
    // The shown texts stay until the new lines are aligned. Without a second text, nothing is marked as a change.
    QtConcurrent::run([one, two] {
        return one.there && two.there ? alignTexts(one.text, two.text)
                                      : alone(one.there ? one.text : two.text, one.there);
    }).then(this, [this, asked, one, two](const QList<AlignedLine> &lines) {
        if (asked == m_asked)
            take(one, two, lines);
    });
}

void SideBySide::take(const Text &one, const Text &two, const QList<AlignedLine> &lines)
{
    m_leftName->setFullText(m_leftBox->currentText());
    m_rightName->setFullText(m_rightBox->currentText());
    m_left->setPlaceholderText(one.label.isEmpty() ? QString() : tr("%1 has no recipe for this cell.").arg(one.label));
    m_right->setPlaceholderText(two.label.isEmpty() ? QString() : tr("%1 has no recipe for this cell.").arg(two.label));
    m_left->setTexts(one.text, two.text, lines);
    m_right->setTexts(two.text, one.text, lines);
    m_changes.clear();
    for (int i = 0; i < lines.size(); ++i) {
        if (!lines.at(i).changed)
            continue;
        if (m_changes.isEmpty() || m_changes.constLast().last != i - 1)
            m_changes.append({i, i});
        m_changes.last().last = i;
    }
    m_current = -1;
    if (!m_changes.isEmpty())
        goTo(0);
    else
        showPlace();
}

void SideBySide::goTo(int change)
{
    m_current = change;
    const Change &here = m_changes.at(change);
    for (SideView *view : {m_left, m_right}) {
        view->setCurrentChange(here.first, here.last);
        view->goTo(here.first);
    }
    m_right->verticalScrollBar()->setValue(m_left->verticalScrollBar()->value());
    showPlace();
}

void SideBySide::nextChange()
{
    if (m_current + 1 < changeCount())
        goTo(m_current + 1);
}

void SideBySide::previousChange()
{
    if (m_current > 0)
        goTo(m_current - 1);
}

void SideBySide::showPlace()
{
    const int count = changeCount();
    m_place->setText(count == 0      ? QString()
                     : m_current < 0 ? tr("Changes: %1").arg(count)
                                     : tr("Change %1 of %2 in the text").arg(m_current + 1).arg(count));
    m_previous->setEnabled(m_current > 0);
    m_next->setEnabled(m_current + 1 < count);
}

void SideBySide::keyPressEvent(QKeyEvent *event)
{
    if (event->modifiers().testFlag(Qt::AltModifier) && event->key() == Qt::Key_Down)
        nextChange();
    else if (event->modifiers().testFlag(Qt::AltModifier) && event->key() == Qt::Key_Up)
        previousChange();
    else
        QWidget::keyPressEvent(event);
}

} // namespace tmx
