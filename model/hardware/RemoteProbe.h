// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/hardware/HostReport.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

/// Asks another machine what it is: `ssh HOST` with the user's own configuration and a fixed, read-only script. Nothing
/// is typed for the user: a host that asks for a password is an error that says so. Never blocks.
class RemoteProbe : public QObject
{
    Q_OBJECT
public:
    explicit RemoteProbe(QObject *parent = nullptr);
    ~RemoteProbe() override;

    /// `finished` follows exactly once, unless cancel() or another start() comes first.
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
