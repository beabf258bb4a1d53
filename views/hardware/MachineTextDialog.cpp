// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/hardware/MachineTextDialog.h"

#include "views/widgets/Label.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace tmx {

MachineTextDialog::MachineTextDialog(QWidget *parent)
    : QDialog(parent)
    , m_text(new QPlainTextEdit)
{
    setWindowTitle(tr("Machine from text"));
    auto *label = new Label(tr("Paste the output of \u201clscpu\u201d (or \u201c/proc/cpuinfo\u201d) and "
                               "\u201cnvidia-smi\u201d from the machine, in any order. You can also open a file "
                               "with this output, or a report of “detect --json”."),
                            Label::Wrapped);
    m_text->setAccessibleName(tr("Report of the machine"));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setTabChangesFocus(true);
    m_text->setPlaceholderText(u"Model name: ...\nFlags: ...\nNVIDIA H100 80GB HBM3, 9.0, 580.159.04"_s);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton *open = buttons->addButton(tr("&Open a file…"), QDialogButtonBox::ActionRole);
    m_use = buttons->addButton(tr("&Use this text"), QDialogButtonBox::AcceptRole);
    m_use->setEnabled(false);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(label);
    layout->addWidget(m_text, 1);
    layout->addWidget(buttons);
    resize(620, 420);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] { m_use->setEnabled(!m_text->document()->isEmpty()); });
    connect(open, &QPushButton::clicked, this, &MachineTextDialog::askForFile);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT textGiven(m_text->toPlainText());
        accept();
    });
}

void MachineTextDialog::askForFile()
{
    auto *dialog = new QFileDialog(this, tr("Open the report of a machine"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        Q_EMIT fileGiven(path);
        accept();
    });
    dialog->open();
}

} // namespace tmx
