// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/hardware/MachineBar.h"

#include "model/base/TextForm.h"
#include "model/hardware/MachineStore.h"
#include "views/hardware/MachineTextDialog.h"
#include "views/widgets/Label.h"
#include "views/widgets/Message.h"
#include "views/widgets/Tips.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLineEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr int kindRole = Qt::UserRole;
constexpr int nameRole = Qt::UserRole + 1;
// Entries that open a dialog first, in addition to MachineRef::Kind.
constexpr int askForHostEntry = 100;
constexpr int askForTextEntry = 101;

} // namespace

QString workloadWord(Workload workload)
{
    switch (workload) {
    case Workload::General: return MachineBar::tr("General");
    case Workload::Bf16Training: return MachineBar::tr("BF16 training on the CPU");
    case Workload::Int8Inference: return MachineBar::tr("INT8 inference");
    case Workload::WidestReach: return MachineBar::tr("Runs on most machines");
    }
    return {};
}

MachineBar::MachineBar(QWidget *parent)
    : QWidget(parent)
    , m_machines(new QComboBox)
    , m_workloads(new QComboBox)
    , m_save(new QPushButton(tr("Save…")))
    , m_forget(new QPushButton(tr("Forget…")))
    , m_problem(new Banner(tr("What failed"), Banner::Problem))
{
    for (QComboBox *box : {m_machines, m_workloads}) {
        box->setSizeAdjustPolicy(
            QComboBox::AdjustToMinimumContentsLengthWithIcon); // a long name never widens the panel
        box->setMinimumContentsLength(8);
        box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    describe(m_machines, tr("Machine"), tr("The machine that variants are picked for"));
    describe(m_save, tr("Save this machine under a name"),
             tr("Save this machine's report, to choose it here or with --on NAME."));
    describe(m_forget, tr("Forget this saved machine"), tr("Delete the saved report."));
    describe(m_workloads, tr("Workload"), tr("The purpose decides which instruction set is preferred."));
    for (const Workload workload :
         {Workload::General, Workload::Bf16Training, Workload::Int8Inference, Workload::WidestReach})
        m_workloads->addItem(workloadWord(workload), int(workload));

    auto *first = new QHBoxLayout;
    first->addWidget(m_machines, 1);
    first->addWidget(m_save);
    first->addWidget(m_forget);
    auto *second = new QHBoxLayout;
    second->addWidget(new Label(tr("&For"), m_workloads));
    second->addWidget(m_workloads, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 4, 10, 0);
    layout->setSpacing(6);
    layout->addLayout(first);
    layout->addLayout(second);
    layout->addWidget(m_problem);

    connect(m_machines, &QComboBox::activated, this, &MachineBar::chose);
    connect(m_workloads, &QComboBox::activated, this,
            [this](int index) { Q_EMIT workloadChosen(Workload(m_workloads->itemData(index).toInt())); });
    connect(m_save, &QPushButton::clicked, this, &MachineBar::askForName);
    connect(m_forget, &QPushButton::clicked, this, &MachineBar::askToForget);
    setMachines({}, {});
}

void MachineBar::setMachines(const QStringList &saved, const MachineRef &shown)
{
    m_saved = saved;
    m_shown = shown;
    m_machines->clear();
    const auto add = [this](const QString &text, int kind, const QString &name) {
        m_machines->addItem(text);
        m_machines->setItemData(m_machines->count() - 1, kind, kindRole);
        m_machines->setItemData(m_machines->count() - 1, name, nameRole);
    };
    add(tr("This machine"), int(MachineRef::Kind::This), {});
    if (shown.kind == MachineRef::Kind::Ssh)
        add(tr("%1 (ssh)").arg(shown.name), int(shown.kind), shown.name);
    if (shown.kind == MachineRef::Kind::Text)
        add(tr("%1 (from a text)").arg(shown.name), int(shown.kind), shown.name);
    for (const QString &name : saved)
        add(name, int(MachineRef::Kind::Saved), name);
    m_machines->insertSeparator(m_machines->count());
    add(tr("Detect over ssh…"), askForHostEntry, {});
    add(tr("From a file or pasted text…"), askForTextEntry, {});
    showShown();
}

void MachineBar::showShown()
{
    for (int i = 0; i < m_machines->count(); ++i) {
        if (m_machines->itemData(i, kindRole) == QVariant(int(m_shown.kind)) &&
            m_machines->itemData(i, nameRole).toString() == m_shown.name)
            m_machines->setCurrentIndex(i);
    }
    const bool saved = m_shown.kind == MachineRef::Kind::Saved;
    m_save->setVisible(!saved);
    m_forget->setVisible(saved);
}

void MachineBar::setWorkload(Workload workload)
{
    m_workloads->setCurrentIndex(m_workloads->findData(int(workload)));
}

void MachineBar::setProblem(const QString &sentence)
{
    m_problem->setSentence(sentence);
}

void MachineBar::chose(int index)
{
    const int kind = m_machines->itemData(index, kindRole).toInt();
    const QString name = m_machines->itemData(index, nameRole).toString();
    showShown(); // The new choice shows once its answer has arrived.
    if (kind == askForHostEntry)
        askForHost();
    else if (kind == askForTextEntry)
        askForText();
    else
        Q_EMIT machineChosen({MachineRef::Kind(kind), name});
}

void MachineBar::askForHost()
{
    auto *dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Detect over ssh"));
    dialog->setLabelText(tr("Host, user@host or an alias of your ssh configuration.\nTorch Matrix runs a "
                            "read-only script there.\nThe host must accept your login without a password."));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &text) {
        const QString host = text.trimmed();
        if (isSshHost(host))
            Q_EMIT machineChosen({MachineRef::Kind::Ssh, host});
        else
            setProblem(tr("\"%1\" is not a host name for ssh.").arg(host));
    });
    dialog->open();
}

void MachineBar::setRead(const ReadMachine &read)
{
    if (m_dialog)
        m_dialog->setRead(read);
}

void MachineBar::askForText()
{
    m_dialog = new MachineTextDialog(this);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &MachineTextDialog::textTyped, this, &MachineBar::textTyped);
    connect(m_dialog, &MachineTextDialog::textGiven, this, &MachineBar::textGiven);
    connect(m_dialog, &MachineTextDialog::fileGiven, this, &MachineBar::fileGiven);
    connect(m_dialog, &MachineTextDialog::pickChosen, this, &MachineBar::branchPickChosen);
    m_dialog->open();
}

void MachineBar::askForName()
{
    auto *dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save this machine"));
    dialog->setLabelText(tr("Name: letters, digits, dot, dash, underscore, @ and colon"));
    if (MachineStore::isName(m_shown.name))
        dialog->setTextValue(m_shown.name);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &text) {
        const QString name = text.trimmed();
        if (!MachineStore::isName(name))
            setProblem(tr("\"%1\" is not a valid name for a machine.").arg(name));
        else if (m_saved.contains(name))
            setProblem(tr("A machine is already saved as %1. Forget it first, or choose another name.").arg(name));
        else
            Q_EMIT saveRequested(name);
    });
    dialog->open();
}

void MachineBar::askToForget()
{
    ask(this,
        {tr("Forget %1").arg(m_shown.name), tr("Delete the saved report of the machine %1?").arg(m_shown.name),
         tr("Forget"), true},
        this, [this, name = m_shown.name] { Q_EMIT forgetRequested(name); });
}

} // namespace tmx
