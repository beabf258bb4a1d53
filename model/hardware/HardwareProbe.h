// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/HostReport.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

/// Probes this machine: /proc/cpuinfo, memory and PCI in a worker thread, nvidia-smi and nix as processes with a time
/// limit, all in parallel. No GPU, or a missing, failing or hanging nvidia-smi, are normal results
/// (HostReport::remarks).
class HardwareProbe : public QObject
{
    Q_OBJECT
public:
    explicit HardwareProbe(QObject *parent = nullptr);
    ~HardwareProbe() override;

    /// Restarts if a probe is running. `root` is the folder of /proc, /sys and pci.ids (set by tests); nvidia-smi is
    /// searched in PATH, then in WSL's folder. The limit applies to all calls of nvidia-smi together; nix gets at most
    /// 3 s.
    void start(std::chrono::milliseconds nvidiaSmiLimit = std::chrono::seconds(5),
               const QString &root = QStringLiteral("/"));
    /// Stops a running probe; `finished` is not emitted.
    void cancel();
    [[nodiscard]] bool isRunning() const;

Q_SIGNALS:
    void finished(const tmx::HostReport &report);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
