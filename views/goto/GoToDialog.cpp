// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/goto/GoToDialog.h"

#include "views/widgets/Label.h"
#include "views/widgets/Views.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace tmx {

GoToDialog::GoToDialog(const QList<GoToTarget> &targets, QWidget *parent)
    : QDialog(parent)
    , m_targets(targets)
    , m_words(new QLineEdit)
    , m_list(new QListWidget)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Go to"));
    m_words->setPlaceholderText(tr("A few letters, such as 90 512 2.9"));
    m_words->setAccessibleName(tr("Letters of a cell, branch, repository or action"));
    m_words->setClearButtonEnabled(true);
    m_words->installEventFilter(this);
    m_list->setAccessibleName(tr("Cells, branches, repositories and actions"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setSpacing(2);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    styleView(m_list);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_words);
    layout->addWidget(m_list);
    connect(m_words, &QLineEdit::textChanged, this, &GoToDialog::find);
    connect(m_words, &QLineEdit::returnPressed, this, &GoToDialog::go);
    connect(m_list, &QListWidget::itemClicked, this, &GoToDialog::go);
    const int line = fontMetrics().height();
    resize(40 * line, 22 * line);
    find();
}

void GoToDialog::find()
{
    m_found = matching(m_targets, m_words->text());
    m_list->clear();
    for (const GoToTarget &target : std::as_const(m_found))
        m_list->addItem(target.detail.isEmpty()
                            ? target.text.simplified()
                            : u"%1   %2"_s.arg(target.text.simplified(), target.detail.simplified()));
    if (m_found.isEmpty()) {
        m_list->addItem(tr("Nothing has these letters."));
        m_list->item(0)->setFlags(Qt::NoItemFlags);
    } else {
        m_list->setCurrentRow(0);
    }
}

void GoToDialog::go()
{
    const int row = m_list->currentRow();
    if (row < 0 || row >= m_found.size())
        return;
    const GoToTarget target = m_found.at(row);
    accept();
    Q_EMIT chosen(target);
}

bool GoToDialog::eventFilter(QObject *object, QEvent *event)
{
    if (event->type() == QEvent::KeyPress && !m_found.isEmpty()) {
        const int page = std::max(1, m_list->height() / std::max(1, m_list->sizeHintForRow(0)) - 1);
        const int row = m_list->currentRow();
        int wanted = -1;
        switch (static_cast<QKeyEvent *>(event)->key()) {
        case Qt::Key_Down: wanted = row + 1; break;
        case Qt::Key_Up: wanted = row - 1; break;
        case Qt::Key_PageDown: wanted = row + page; break;
        case Qt::Key_PageUp: wanted = row - page; break;
        default: return QDialog::eventFilter(object, event);
        }
        m_list->setCurrentRow(std::clamp(wanted, 0, int(m_found.size()) - 1));
        return true;
    }
    return QDialog::eventFilter(object, event);
}

} // namespace tmx
