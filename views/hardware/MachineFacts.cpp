// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/hardware/MachineFacts.h"

#include "model/catalog/Catalog.h"
#include "model/hardware/VariantPicker.h"
#include "views/hardware/Chip.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QLocale>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QString gibibytes(double bytes)
{
    const double amount = bytes / (1024.0 * 1024.0 * 1024.0);
    return MachineFacts::tr("%1\u00a0GiB").arg(QLocale().toString(amount, 'f', amount < 10 ? 1 : 0));
}

/// "80 GiB" for the driver's "81559 MiB"; other units stay unchanged.
QString gpuMemory(const QString &memory)
{
    bool isNumber = false;
    const double mebibytes = memory.section(u' ', 0, 0).toDouble(&isNumber);
    return isNumber && memory.endsWith(" MiB"_L1) ? gibibytes(mebibytes * 1024.0 * 1024.0) : memory;
}

} // namespace

MachineFacts::MachineFacts(std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QWidget(parent)
    , m_catalog(std::move(catalog))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(12);
    m_processor = addSection(tr("Processor"));
    m_gpus = addSection(tr("GPU"));
    m_driverSection = addSection(tr("Driver"));
    m_builders = addSection(tr("Remote builders"));
    m_remarks = addSection(tr("Notes"));
}

void MachineFacts::setReport(const HostReport &report)
{
    m_report = report;
    m_driver = {};
    m_asked = {};
    showProcessor();
    showGpus();
    showDriver();
    showBuilders();
    showRemarks();
}

void MachineFacts::setBuilders(const BuilderReport &builders)
{
    m_asked = builders;
    showBuilders();
}

void MachineFacts::setDriverVerdict(const DriverVerdict &verdict)
{
    m_driver = verdict;
    showDriver();
}

void MachineFacts::showProcessor()
{
    empty(m_processor);
    addText(m_processor, m_report.cpuModel.isEmpty() ? tr("Unknown processor") : m_report.cpuModel, tr("Processor"));
    QStringList sizes;
    if (m_report.cores > 0)
        sizes.append(tr("%n cores", nullptr, m_report.cores));
    if (m_report.memoryBytes > 0)
        sizes.append(tr("%1 memory").arg(gibibytes(double(m_report.memoryBytes))));
    sizes.append(m_report.architecture);
    addText(m_processor, sizes.join(u" · "_s), tr("Size"), Label::Quiet);

    const QStringList isas = isasThatRun(*m_catalog, m_report, Workload::General);
    if (isas.isEmpty()) {
        addText(m_processor, tr("It supports no instruction set of the catalog."), tr("Instruction sets"),
                Label::Quiet);
        return;
    }
    auto *chips = new QWidget;
    chips->setAccessibleName(tr("Instruction sets that run"));
    auto *flow = new FlowLayout(5, chips);
    for (const QString &id : isas) {
        const Isa *isa = m_catalog->isa(id);
        auto *chip = new Chip(isa->title, id == isas.constFirst() ? Chip::Kind::Strong : Chip::Kind::Plain);
        setPlainToolTip(chip,
                        id == isas.constFirst()
                            ? tr("%1: the best for general work. The CPU has %2.").arg(id, isa->cpuinfo.join(", "_L1))
                            : tr("%1: runs. The CPU has %2.").arg(id, isa->cpuinfo.join(", "_L1)));
        chip->setAccessibleName(isa->title);
        flow->addWidget(chip);
    }
    m_processor.content->addSpacing(3);
    m_processor.content->addWidget(chips);
    chips->show();
}

void MachineFacts::showGpus()
{
    empty(m_gpus);
    QList<std::pair<GpuInfo, int>> alike; // Eight equal GPUs are one entry.
    for (GpuInfo gpu : std::as_const(m_report.gpus)) {
        gpu.busId.clear();
        const auto known =
            std::find_if(alike.begin(), alike.end(), [&gpu](const auto &entry) { return entry.first == gpu; });
        if (known == alike.end())
            alike.append({gpu, 1});
        else
            ++known->second;
    }
    m_gpus.title->setText(m_report.gpus.size() > 1 ? tr("GPUs") : tr("GPU"));
    if (alike.isEmpty())
        addText(m_gpus, tr("No NVIDIA GPU"), tr("GPU"));
    for (const auto &[gpu, count] : std::as_const(alike)) {
        QLabel *name =
            addText(m_gpus, count > 1 ? tr("%1 × %2").arg(QString::number(count), gpu.name) : gpu.name, tr("GPU"));
        setPlainToolTip(name, tr("Found by: %1").arg(gpu.source));
        const GpuRow *row = m_catalog->rowOfCapability(gpu.capability);
        QStringList facts;
        if (gpu.capability.isEmpty())
            facts.append(tr("architecture unknown"));
        else
            facts.append(row ? tr("%1 %2").arg(row->id, row->generation) : tr("no recipes for it"));
        if (!gpu.capability.isEmpty())
            facts.append(tr("capability %1").arg(gpu.capability));
        if (!gpu.memory.isEmpty())
            facts.append(gpuMemory(gpu.memory));
        addText(m_gpus, facts.join(u" · "_s), tr("Architecture and memory"), Label::Quiet);
    }
}

void MachineFacts::showDriver()
{
    empty(m_driverSection);
    m_driverSection.box->setVisible(!m_report.gpus.isEmpty() || !m_report.driver.isEmpty());
    const QString none = m_driver.kind == DriverVerdict::Kind::Missing ? tr("None loaded") : tr("Unknown");
    addText(m_driverSection, m_report.driver.isEmpty() ? none : tr("NVIDIA %1").arg(m_report.driver), tr("Driver"));
    if (m_driver.sentence.isEmpty())
        return;
    QString mark;
    switch (m_driver.kind) {
    case DriverVerdict::Kind::Good: mark = u"✓"_s; break;
    case DriverVerdict::Kind::MinorVersion: mark = u"!"_s; break; // It works, with a reservation.
    case DriverVerdict::Kind::TooOld:
    case DriverVerdict::Kind::Missing: mark = u"✗"_s; break;
    case DriverVerdict::Kind::Unknown: mark = u"?"_s; break;
    }
    QLabel *verdict = addText(m_driverSection, mark + u' ' + m_driver.sentence, tr("Verdict"), Label::Quiet);
    verdict->setAccessibleDescription(m_driver.sentence);
}

void MachineFacts::showBuilders()
{
    empty(m_builders);
    const bool asked = !m_asked.builders.isEmpty() || !m_asked.remarks.isEmpty();
    m_builders.box->setVisible(asked || !m_report.builders.isEmpty());
    for (const QString &builder : asked ? QStringList() : m_report.builders)
        addText(m_builders, builder, tr("Remote builder"));
    for (const BuilderAnswer &answer : std::as_const(m_asked.builders)) {
        if (m_builders.content->count() > 0)
            m_builders.content->addSpacing(5);
        addText(m_builders, answer.builder.store, tr("Remote builder"));
        addText(m_builders, factsText(answer.builder), tr("What it builds"), Label::Quiet);
        QString mark;
        switch (answer.state) {
        case BuilderAnswer::State::Answers: mark = u"✓ "_s; break;
        case BuilderAnswer::State::Silent: mark = u"✗ "_s; break;
        case BuilderAnswer::State::Asked: break;
        }
        QLabel *said = addText(m_builders, mark + answerText(answer), tr("Whether it answers"), Label::Quiet);
        said->setAccessibleDescription(answerText(answer));
    }
    for (const QString &remark : std::as_const(m_asked.remarks))
        addText(m_builders, remark, tr("Note"), Label::Quiet);
}

void MachineFacts::showRemarks()
{
    empty(m_remarks);
    m_remarks.box->setVisible(!m_report.remarks.isEmpty());
    for (const QString &remark : std::as_const(m_report.remarks))
        addText(m_remarks, remark, tr("Note"), Label::Quiet);
}

MachineFacts::Section MachineFacts::addSection(const QString &title)
{
    Section section;
    section.box = new QWidget;
    auto *layout = new QVBoxLayout(section.box);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    section.title = new Label(title, Label::Bold);
    layout->addWidget(section.title);
    auto *content = new QWidget;
    section.content = new QVBoxLayout(content);
    section.content->setContentsMargins({});
    section.content->setSpacing(2);
    layout->addWidget(content);
    this->layout()->addWidget(section.box);
    return section;
}

void MachineFacts::empty(const Section &section)
{
    while (QLayoutItem *item = section.content->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

QLabel *MachineFacts::addText(const Section &section, const QString &text, const QString &accessibleName,
                              Label::Styles rank)
{
    // A long name wraps; it never widens the panel.
    auto *label = new Label(text, Label::Narrow | Label::Selectable | rank, accessibleName);
    label->setAccessibleDescription(text);
    section.content->addWidget(label);
    label->show(); // A layout shows new widgets one turn of the event loop later, so the panel would flicker.
    return label;
}

} // namespace tmx
