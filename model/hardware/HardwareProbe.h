// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/HostReport.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

/// Asks this machine what it is: /proc/cpuinfo, memory and PCI in a worker thread, nvidia-smi and nix as processes with
/// a time limit, all at once. No GPU, no nvidia-smi, a failing or hanging nvidia-smi are ordinary answers
/// (HostReport::remarks).
class HardwareProbe : public QObject
{
    Q_OBJECT
public:
    explicit HardwareProbe(QObject *parent = nullptr);
    ~HardwareProbe() override;

    /// Starts over when one is running. `root` is where /proc, /sys and pci.ids are looked up (tests give a folder);
    /// nvidia-smi is looked up on PATH, then where WSL keeps it. The limit is for all that is asked of nvidia-smi
    /// together; nix gets 3 s at most.
    void start(std::chrono::milliseconds nvidiaSmiLimit = std::chrono::seconds(5),
               const QString &root = QStringLiteral("/"));
    /// Ends what is running; `finished` does not come then.
    void cancel();
    [[nodiscard]] bool isRunning() const;

Q_SIGNALS:
    void finished(const tmx::HostReport &report);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
