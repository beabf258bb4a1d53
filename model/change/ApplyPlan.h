// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Plan.h"
#include "model/repository/GitValues.h"

namespace tmx {

/// The chosen steps as edits for Repository::commitEdits. `snapshot` is the one that the plan was made from, `content`
/// the branch as it is now; a file that changed in between, or a step that is not possible, is an error. Pure.
Result<QList<FileEdit>> editsOf(const Plan &plan, const BranchSnapshot &snapshot, const BranchContent &content);

/// "Create 38 recipes, rewrite 2, delete 3", the names below: the message offered for the commit of the chosen steps.
QString commitMessageFor(const Plan &plan);

/// Edits that give the files of a commit the texts that they had before it. They expect what the commit left, so that
/// commitEdits refuses where a file was changed since.
QList<FileEdit> editsThatUndo(const QList<CommittedChange> &changes);

} // namespace tmx
