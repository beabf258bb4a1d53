// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/job/Job.h"
#include "model/log/NinjaProgress.h"
#include "model/log/OutputDecoder.h"

#include <QIODevice>

#include <memory>

namespace tmx {

/// Reads a job's log, plain or compressed, as it grows.
class LogFollower
{
public:
    explicit LogFollower(const JobFolder &folder);

    /// New data since the last call, at most a megabyte.
    QByteArray read();
    /// Reads new data and returns the progress of the build according to everything read so far. If the log grows
    /// faster than 16 MiB a call, the rest is read next time.
    const NinjaProgress &progress();

private:
    const QString m_path;
    std::unique_ptr<QIODevice> m_file;
    OutputDecoder m_decoder;
    LineReader m_lines;
    NinjaProgress m_progress;
};

} // namespace tmx
