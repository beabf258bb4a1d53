// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/verbs/Verb.h"
#include "model/fleet/Fleet.h"

namespace tmx {

/// The repositories that a verb is about: for each folder, the repository that it is in or those below it; without
/// folders, those that this account opened or added. Error: there are none, or a folder does not exist.
Result<QStringList> chosenRepositories(const QStringList &folders);

/// Reads them with the user's cache. Prints progress if a terminal waits.
Result<Fleet> readChosenFleet(const QStringList &repositories);

/// Prints what could not be read. Returns the verb's exit code.
int finishFleet(const Fleet &fleet);

} // namespace tmx
