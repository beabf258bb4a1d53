// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/help/Manual.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QTextBrowser>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace tmx {

Manual::Manual(QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Manual"));
    setAttribute(Qt::WA_DeleteOnClose);
    QFile file(u":/torch-matrix/README.md"_s);
    QStringList lines = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(u'\n') : QStringList();
    lines.removeIf([](const QString &line) { return line.startsWith("!["_L1); });
    auto *text = new QTextBrowser;
    text->setAccessibleName(tr("Manual"));
    text->setOpenExternalLinks(true);
    text->setFrameShape(QFrame::NoFrame);
    text->setMarkdown(lines.join(u'\n'));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(text, 1);
    layout->addWidget(buttons);
    resize((parent ? parent->size() - QSize(160, 80) : QSize(900, 700)).expandedTo({600, 420}).boundedTo({1000, 900}));
    text->setFocus();
}

} // namespace tmx
