// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/NixSettings.h"

#include <QObject>

#include <chrono>
#include <memory>

namespace tmx {

/// nix on PATH, or where its installers put it below `root`; empty where it is not. For workers.
QString findNix(const QString &root);

/// Asks Nix for its settings, in a process with a time limit. Without Nix the answer is empty, and no remark is made of
/// it.
class NixProbe : public QObject
{
    Q_OBJECT
public:
    explicit NixProbe(QObject *parent = nullptr);
    ~NixProbe() override;

    /// Starts over when one is running. The
    /// limit is for all that is asked together.
    void start(std::chrono::milliseconds limit = std::chrono::seconds(3), const QString &root = QStringLiteral("/"));
    void cancel(); ///< `finished` does not come then

Q_SIGNALS:
    void finished(const tmx::NixAnswer &answer);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
