// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/NixSettings.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

/// nix in PATH, or where its installers put it below `root`; empty if it is missing. For workers.
QString findNix(const QString &root);

/// Asks Nix for its settings, in a process with a time limit. Without Nix the answer is empty, without a remark.
class NixProbe : public QObject
{
    Q_OBJECT
public:
    explicit NixProbe(QObject *parent = nullptr);
    ~NixProbe() override;

    /// Restarts if it is running. The limit applies to all calls together.
    void start(std::chrono::milliseconds limit = std::chrono::seconds(3), const QString &root = QStringLiteral("/"));
    void cancel(); ///< `finished` is not emitted

Q_SIGNALS:
    void finished(const tmx::NixAnswer &answer);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
