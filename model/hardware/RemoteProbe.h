// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/hardware/HostReport.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

/// Probes another machine: `ssh HOST` with the user's own configuration and a constant, read-only script. Answers no
/// prompts: a host that asks for a password gives an error that says so. Never blocks.
class RemoteProbe : public QObject
{
    Q_OBJECT
public:
    explicit RemoteProbe(QObject *parent = nullptr);
    ~RemoteProbe() override;

    /// `finished` is emitted exactly once, unless cancel() or another start() is called first.
    void start(const QString &host, std::chrono::milliseconds limit = std::chrono::seconds(30));
    void cancel();
    [[nodiscard]] bool isRunning() const;

Q_SIGNALS:
    void finished(const tmx::Result<tmx::HostReport> &report);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
