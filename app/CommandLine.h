// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

namespace tmx {

/// Moves "--repo DIR" from that place to the end, where every verb accepts it: git takes such options before its verbs.
void putRepositoryLast(int argc, char **argv, int at);

/// Whether the arguments name a verb or ask for help or the version; no display is needed then.
bool isVerbCall(int argc, char **argv);

/// If the first word is neither a verb, an option, nor a path that exists: says so, and returns the exit code.
std::optional<int> refusedWord(int argc, char **argv);

/// Runs the verb. Needs no QApplication; creates its own QCoreApplication. Returns the exit code (ExitCode in
/// app/verbs/Verb.h).
int runVerb(int argc, char **argv);

} // namespace tmx
