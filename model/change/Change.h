// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/change/Requests.h"
#include "model/snapshot/SnapshotReader.h"

namespace tmx {

/// The steps of every change: prepare() computes the change, check() audits its result, the user reviews it and chooses
/// files, and Repository::apply() applies it, unless it has errors and is not forced.

/// Reads what the request is about and computes the change: one change, or for README one per branch. Writes nothing.
/// If nothing needs to change, nothing is chosen in it. Blocks: for workers and verbs. Errors: the repository or branch
/// cannot be read; the request is impossible; stoppedError().
Result<QList<ChangeSet>> prepare(const SnapshotReader &reader, const QString &path, const ChangeRequest &request,
                                 const WorkHooks &hooks = {});

enum class Choice {
    Only, ///< only these
    Also, ///< these in addition to those already chosen
};
/// The change with the files of these names chosen (a variant's name, or the file's package). Files that cannot be
/// chosen or unchosen do not change. Error: nothing can be chosen for a name.
Result<ChangeSet> choose(ChangeSet changes, const QStringList &names, Choice choice = Choice::Only);

/// The steps of `plan` as they are chosen there, with the tables and documents of `part`, which was prepared for the
/// chosen steps alone: they say what is there after those.
ChangeSet withTablesOf(const ChangeSet &plan, ChangeSet part);

/// "36 recipes created, 6 rewritten, 38 deleted": the effect of the chosen files in one sentence; empty if there are
/// none.
QString summary(const QList<ChangeSet> &changes);
/// "550.54 → 570.26 in 21 recipes; 3 lines in 4 recipes": what the rewritten files change, equal changes together, the
/// most frequent first, at most five; empty if nothing is rewritten.
QString equalChanges(const QList<ChangeSet> &changes);
/// Why the chosen files cannot be applied, one sentence; empty if they can.
QString whyNot(const QList<ChangeSet> &changes);

/// Number of lines with a comment that the file loses.
int lostComments(const ChangedFile &file);

/// "git show REF:PATH", quoted for a shell if needed: the command that prints a text of Applied::kept.
QString showCommand(const QString &kept);

} // namespace tmx
