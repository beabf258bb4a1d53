// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/base/WorkHooks.h"
#include "model/change/Requests.h"
#include "model/snapshot/SnapshotReader.h"

namespace tmx {

/// The one way of every change: prepare() works out what is asked for, a person looks at it and chooses, check() audits
/// what it would leave, Repository::apply() makes it.

/// Reads what the request is about and works the change out: one change, of README one for each branch. Changes
/// nothing. A change of which nothing is chosen has nothing to do. Blocks: for workers and verbs. Errors: the
/// repository or branch cannot be read; what is asked for cannot be; stoppedError().
Result<QList<ChangeSet>> prepare(const SnapshotReader &reader, const QString &path, const ChangeRequest &request,
                                 const WorkHooks &hooks = {});

/// What the audit says of the chosen recipes as they would be, by path; those without a finding are left out. Pure.
QMap<QString, QList<Finding>> check(const Catalog &catalog, const ChangeSet &changes);
/// The errors among these, "PATH: sentence" each: recipes that would not build, or not what their name says. Pure.
QStringList errorsOf(const Catalog &catalog, const ChangeSet &changes);

enum class Choice {
    Only, ///< these and no others
    Also, ///< these as well as those that are chosen
};
/// The change with the files of these names chosen (a variant's, or the file's package). A file that is not possible to
/// choose or unchoose stays as it is. Error: a name of which nothing can be chosen.
Result<ChangeSet> choose(ChangeSet changes, const QStringList &names, Choice choice = Choice::Only);

/// The way back from a change that was applied to the work tree alone.
ChangeSet inverse(const ChangeSet &changes);

/// "36 recipes created, 6 rewritten, 38 deleted": what the choice comes to, in one sentence; empty for no files.
QString summary(const QList<ChangeSet> &changes);
/// Why it cannot be applied as it is chosen, a sentence; empty: it can.
QString whyNot(const QList<ChangeSet> &changes);

/// How many lines with a comment the file has before and not afterwards.
int lostComments(const ChangedFile &file);

/// "git show REF:PATH", quoted for a shell where that has to be: prints a text of Applied::kept.
QString showCommand(const QString &kept);

} // namespace tmx
