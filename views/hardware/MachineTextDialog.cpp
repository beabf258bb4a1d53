// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/hardware/MachineTextDialog.h"

#include "views/hardware/PickCard.h"
#include "views/hardware/PickList.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/CheckList.h"
#include "views/widgets/CodeFont.h"
#include "views/widgets/CopyButton.h"
#include "views/widgets/Label.h"
#include "views/widgets/Views.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace tmx {

MachineTextDialog::MachineTextDialog(QWidget *parent)
    : QDialog(parent)
    , m_text(new QPlainTextEdit)
{
    setWindowTitle(tr("Machine from text"));
    m_text->setAccessibleName(tr("Report of the machine"));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setTabChangesFocus(true);
    useCodeFont(m_text);
    m_text->setPlaceholderText(tr("Paste the output here, in any order."));
    auto *cancel = new QPushButton(tr("Cancel"));
    auto *open = new QPushButton(tr("&Open a file…"));
    m_use = new QPushButton(tr("&Use this text"));
    m_confirm = new QCheckBox(tr("The text names the GPU but not its compute capability: the &name is right"));
    m_confirm->hide();
    auto *halves = new QSplitter;
    halves->setChildrenCollapsible(false);
    halves->addWidget(m_text);
    halves->addWidget(makeAnswer());
    halves->setStretchFactor(0, 1);
    halves->setStretchFactor(1, 1);
    halves->setSizes({430, 470});
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(makeCommands());
    layout->addWidget(halves, 1);
    layout->addWidget(m_confirm);
    layout->addLayout(makeFooter({open}, cancel, m_use));
    resizeWithin(this, {900, 560});
    m_text->setFocus();
    setRead({});

    m_pause.setSingleShot(true);
    m_pause.setInterval(200ms);
    connect(&m_pause, &QTimer::timeout, this, [this] { Q_EMIT textTyped(m_text->toPlainText()); });
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        m_pause.start();
        enableUse();
    });
    connect(m_confirm, &QCheckBox::toggled, this, &MachineTextDialog::enableUse);
    connect(open, &QPushButton::clicked, this, &MachineTextDialog::askForFile);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_use, &QPushButton::clicked, this, &MachineTextDialog::give);
    connect(m_best, &PickList::showRequested, this, [this](const QString &name) {
        if (!m_use->isEnabled())
            return m_confirm->setFocus();
        const QString branch = m_branches.value(m_best->currentIndex().row());
        give();
        Q_EMIT pickChosen(branch, name);
    });
}

QWidget *MachineTextDialog::makeCommands()
{
    auto *commands = new QWidget;
    auto *grid = new QGridLayout(commands);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->addWidget(new Label(tr("Run these on the machine, and paste what they print. The output of plain "
                                 "\"nvidia-smi\", \"lspci\" or \"detect --json\" is read as well."),
                              Label::Wrapped),
                    0, 0, 1, 2);
    int row = 1;
    for (const QString &command : machineCommands()) {
        auto *line = new ElidedLabel(Label::Selectable, tr("Command"), Qt::ElideRight);
        useCodeFont(line);
        line->setFullText(command);
        auto *copy = new CopyButton(tr("Copy"), tr("Copy %1").arg(command));
        copy->setContent(command);
        grid->addWidget(line, row, 0);
        grid->addWidget(copy, row, 1);
        ++row;
    }
    grid->setColumnStretch(0, 1);
    return commands;
}

QWidget *MachineTextDialog::makeAnswer()
{
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(8, 0, 4, 0);
    layout->setSpacing(6);
    layout->addWidget(new Label(tr("Recognised"), Label::Bold));
    m_trouble = new Label({}, Label::Narrow | Label::Quiet, tr("What was recognised"));
    layout->addWidget(m_trouble);
    m_facts = new CheckList(tr("What was recognised"));
    layout->addWidget(m_facts, 1);
    m_bestTitle = new Label(tr("Best variant of each branch"), Label::Bold);
    layout->addSpacing(6);
    layout->addWidget(m_bestTitle);
    m_best = new PickList;
    m_best->setAccessibleName(m_bestTitle->text());
    m_bestArea = new QScrollArea;
    m_bestArea->setWidgetResizable(true);
    m_bestArea->setFrameShape(QFrame::NoFrame);
    m_bestArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_bestArea->setWidget(m_best);
    layout->addWidget(m_bestArea, 1);
    layout->addStretch();
    return content;
}

void MachineTextDialog::setRead(const ReadMachine &read)
{
    const bool nothing = read.facts.isEmpty();
    m_trouble->setText(!read.trouble.isEmpty() ? read.trouble : tr("Nothing yet: the text field is empty."));
    m_trouble->setVisible(nothing);
    QList<CheckItem> items;
    for (const HostFact &fact : read.facts) {
        const bool byName = fact.kind == HostFact::Kind::ByName;
        items.append({fact.kind == HostFact::Kind::Read ? CheckItem::Kind::Holds : CheckItem::Kind::Warns, fact.title,
                      byName ? tr("%1, by its name").arg(fact.value) : fact.value, fact.command});
    }
    m_facts->setItems(items);
    m_facts->setVisible(!nothing);
    m_confirm->setVisible(
        std::ranges::any_of(read.facts, [](const HostFact &fact) { return fact.kind == HostFact::Kind::ByName; }));
    if (m_confirm->isHidden())
        m_confirm->setChecked(false);
    m_branches.clear();
    QList<PickList::Entry> entries;
    for (const Pick &pick : read.best) {
        m_branches.append(pick.branch);
        QStringList facts{pick.branch, fitWord(pick), pick.reasons.value(0)};
        facts.removeAll(QString());
        entries.append({pick.variant.name(), facts.join(u" · "_s), pick.reasons.join(u' ')});
    }
    m_best->setEntries(entries);
    m_bestTitle->setVisible(!entries.isEmpty());
    m_bestArea->setVisible(!entries.isEmpty());
    enableUse();
}

void MachineTextDialog::enableUse()
{
    m_use->setEnabled(!m_text->document()->isEmpty() && (m_confirm->isHidden() || m_confirm->isChecked()));
}

void MachineTextDialog::give()
{
    Q_EMIT textGiven(m_text->toPlainText());
    accept();
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
