// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"

namespace tmx {

/// A sentence for variants that are no longer listed; empty if there are none.
QString noLongerListed(const QStringList &names);

/// The recipes that a change drops, without `except`: "a, b and 12 more: REASON", one line per reason.
QStringList droppedByReason(const ChangeSet &changes, const QStringList &except = {});

} // namespace tmx
