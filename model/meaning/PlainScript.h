// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>

#include <optional>

namespace tmx {

/// A shell script without the parts that do not affect a build, and these parts.
struct PlainScript {
    QByteArray text; ///< one command per line, words separated by one blank, here documents unchanged; ends with LF
    QList<QByteArray> comments; ///< unchanged, with "#"
    QList<QByteArray> echoes;   ///< "echo ...", unchanged
    QList<QByteArray> maxJobs;  ///< values of MAX_JOBS: "32"
};

/// Removes comments, each `echo` that only prints and is not inside a condition, loop, function or bracket, and, if
/// `withoutMaxJobs` is true, settings of MAX_JOBS to a number or to $NIX_BUILD_CORES. U+001A in the script stands for
/// unknown text and is always kept; it is assumed to contain whole words. nullopt if it is uncertain how the shell
/// reads the script (shellTokens).
std::optional<PlainScript> plainScript(const QByteArray &script, bool withoutMaxJobs);

} // namespace tmx
