// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Documents.h"

namespace tmx {

class DocumentScopes;

/// The lines of a document that count or list all of what a branch built before a change, and the last row of each
/// table that has a row for each of it; none if facts has no former recipes. Pure and thread-safe.
QList<OutdatedLine> staleLists(const QStringList &lines, const Documented &facts, const DocumentScopes &scopes);

} // namespace tmx
