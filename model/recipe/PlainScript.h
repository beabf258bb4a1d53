// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>

#include <optional>

namespace tmx {

/// A shell script without what has no effect on a build, and what that was.
struct PlainScript {
    QByteArray text; ///< one command a line, words separated by one blank, here documents as they are; ends with LF
    QList<QByteArray> comments; ///< as they stand, "#" included
    QList<QByteArray> echoes;   ///< "echo ..." as it stands
    QList<QByteArray> maxJobs;  ///< what MAX_JOBS was set to: "32"
};

/// Leaves out comments, `echo` that only prints and stands in no condition, loop, function or bracket, and where
/// `withoutMaxJobs` is true MAX_JOBS set to a number or to $NIX_BUILD_CORES. U+001A in the script stands for text that
/// is not known, and is kept wherever it is; it is taken to hold whole words. Nothing where the shell's reading of it
/// is not certain (shellTokens).
std::optional<PlainScript> plainScript(const QByteArray &script, bool withoutMaxJobs);

} // namespace tmx
