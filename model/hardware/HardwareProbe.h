// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/HostReport.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

class Catalog;
class Process;

/// Asks this machine what it is: /proc/cpuinfo, memory and PCI in a worker thread, nvidia-smi as a process with a time limit.
/// No GPU, no nvidia-smi, a failing or hanging nvidia-smi are ordinary answers (HostReport::remarks).
class HardwareProbe : public QObject
{
    Q_OBJECT
public:
    explicit HardwareProbe(std::shared_ptr<const Catalog> catalog, QObject *parent = nullptr);
    ~HardwareProbe() override;

    /// Starts over when one is running. `root` is where /proc and /sys are looked up (tests give a folder).
    void start(std::chrono::milliseconds nvidiaSmiLimit = std::chrono::seconds(5), const QString &root = QStringLiteral("/"));
    void cancel();

Q_SIGNALS:
    void finished(const tmx::HostReport &report);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
