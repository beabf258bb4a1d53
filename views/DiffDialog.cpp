// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/DiffDialog.h"

#include "views/recipe/DiffView.h"
#include "views/widgets/Label.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace tmx {

DiffDialog::DiffDialog(const Question &question, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(question.title);
    auto *diff = new DiffView;
    diff->setAccessibleName(tr("What would change"));
    diff->setFile(question.file);
    diff->setDiff(question.diff, question.after);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton *action = buttons->addButton(question.action, QDialogButtonBox::AcceptRole);
    action->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(new Label(question.sentence, Label::Wrapped));
    layout->addWidget(diff, 1);
    layout->addWidget(buttons);
    resize(760, 520);
    action->setFocus();
}

} // namespace tmx
