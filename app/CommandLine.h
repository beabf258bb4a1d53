// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

namespace tmx {

/// Whether the arguments name a verb (or ask for help or the version): then no display is needed.
bool isVerbCall(int argc, char **argv);

/// Runs the verb; needs no QApplication and makes its own QCoreApplication. Returns the exit code (ExitCode in
/// app/verbs/Verb.h).
int runVerb(int argc, char **argv);

} // namespace tmx
