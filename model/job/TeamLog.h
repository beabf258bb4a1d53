// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/history/BuildHistory.h"

#include <functional>

namespace tmx {

/// Where the log of a build of the team is, as its machine writes it: "~/.local/state/torch-matrix/jobs/ID/log". Empty:
/// an older version shared the build, and did not say which job it was.
QString teamLogPath(const BuildRecord &build);

/// Copies that log to `file`, over ssh with the user's own configuration and a constant script that only reads.
/// `host`: as ssh accepts it. Where the job is not known, the machine looks for the one with the build's id. `tell`
/// gets the bytes that came and all of them, 0 if that is unknown. Answers no prompts. Errors: not a host, no
/// connection, no log there, stopped, a full disk. For workers.
Result<void> fetchTeamLog(const BuildRecord &build, const QString &host, const QString &file,
                          const std::function<void(qint64 came, qint64 all)> &tell = {},
                          const std::function<bool()> &stop = {});

} // namespace tmx
