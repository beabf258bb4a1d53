// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/ChangeSet.h"

namespace tmx {

/// "a, b, c and 12 more"
QString someOf(const QStringList &names);

/// What was listed and no longer is, in a sentence; empty: nothing.
QString noLongerListed(const QStringList &names);

/// The recipes that a change drops, but `except`: "a, b and 12 more: REASON", a line for each reason.
QStringList droppedByReason(const ChangeSet &changes, const QStringList &except = {});

} // namespace tmx
