// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/BuilderProbe.h"
#include "model/hardware/DriverVerdict.h"
#include "model/hardware/HostReport.h"
#include "views/widgets/Label.h"

#include <QWidget>

#include <memory>

class QVBoxLayout;

namespace tmx {

class Catalog;

/// Facts of the machine: processor with the instruction sets that run, GPUs with their architecture, the driver with
/// its verdict, remarks.
class MachineFacts : public QWidget
{
    Q_OBJECT
public:
    explicit MachineFacts(std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);

    void setReport(const HostReport &report);
    /// Builders of this machine, called again whenever one has answered. Another machine's are in its report.
    void setBuilders(const BuilderReport &builders);
    void setDriverVerdict(const DriverVerdict &verdict);

private:
    struct Section {
        QWidget *box = nullptr;
        QLabel *title = nullptr;
        QVBoxLayout *content = nullptr;
    };
    Section addSection(const QString &title);
    static void empty(const Section &section);
    QLabel *addText(const Section &section, const QString &text, const QString &accessibleName,
                    Label::Styles rank = Label::Ordinary);
    void showProcessor();
    void showGpus();
    void showDriver();
    void showBuilders();
    void showRemarks();

    std::shared_ptr<const Catalog> m_catalog;
    HostReport m_report;
    DriverVerdict m_driver;
    BuilderReport m_asked;
    Section m_processor;
    Section m_gpus;
    Section m_driverSection;
    Section m_builders;
    Section m_remarks;
};

} // namespace tmx
