// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/Message.h"

#include <QMessageBox>
#include <QPushButton>

namespace tmx {

namespace {

QMessageBox *makeBox(QWidget *parent, QMessageBox::Icon icon, const QString &title, const QString &text)
{
    auto *box = new QMessageBox(icon, title, text, QMessageBox::NoButton, parent);
    // Names of branches, files and machines are part of the text. A platform's native box may ignore the format.
    box->setTextFormat(Qt::PlainText);
    box->setOption(QMessageBox::Option::DontUseNativeDialog);
    box->setAttribute(Qt::WA_DeleteOnClose);
    return box;
}

} // namespace

QMessageBox *ask(QWidget *parent, const Question &question, QObject *context, std::function<void()> accepted)
{
    QMessageBox *box = makeBox(parent, QMessageBox::Question, question.title, question.text);
    QPushButton *cancel = box->addButton(QMessageBox::Cancel);
    QPushButton *action =
        box->addButton(question.action, question.destructive ? QMessageBox::DestructiveRole : QMessageBox::AcceptRole);
    box->setDefaultButton(question.destructive ? cancel : action);
    box->setEscapeButton(cancel);
    QObject::connect(box, &QMessageBox::finished, context, [box, action, accepted = std::move(accepted)] {
        if (box->clickedButton() == action)
            accepted();
    });
    box->open();
    return box;
}

QMessageBox *tell(QWidget *parent, const QString &title, const QString &text)
{
    QMessageBox *box = makeBox(parent, QMessageBox::Information, title, text);
    box->addButton(QMessageBox::Close);
    box->open();
    return box;
}

} // namespace tmx
