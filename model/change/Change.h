// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/change/Requests.h"
#include "model/snapshot/SnapshotReader.h"

namespace tmx {

/// The one way of every change: prepare() works out what is asked for, check() audits what it would leave, a person
/// looks at it and chooses, Repository::apply() makes it, unless there are errors and nobody forces it.

/// Reads what the request is about and works the change out: one change, of README one for each branch. Changes
/// nothing. A change of which nothing is chosen has nothing to do. Blocks: for workers and verbs. Errors: the
/// repository or branch cannot be read; what is asked for cannot be; stoppedError().
Result<QList<ChangeSet>> prepare(const SnapshotReader &reader, const QString &path, const ChangeRequest &request,
                                 const WorkHooks &hooks = {});

/// Audits every recipe that the change would write, and puts into its `errors` what is wrong with it and was not wrong
/// with the text before. `former`: the settings that the branch had; `there`: the texts of its recipes by file name,
/// before the change. prepare() does it for every change that renders or mends recipes; what people wrote themselves is
/// committed as it is.
void check(const RecipeCache &recipes, ChangeSet &changes, const Settings &former,
           const QHash<QString, QByteArray> &there);

enum class Choice {
    Only, ///< these and no others
    Also, ///< these as well as those that are chosen
};
/// The change with the files of these names chosen (a variant's, or the file's package). A file that is not possible to
/// choose or unchoose stays as it is. Error: a name of which nothing can be chosen.
Result<ChangeSet> choose(ChangeSet changes, const QStringList &names, Choice choice = Choice::Only);

/// "36 recipes created, 6 rewritten, 38 deleted": what the choice comes to, in one sentence; empty for no files.
QString summary(const QList<ChangeSet> &changes);
/// Why it cannot be applied as it is chosen, a sentence; empty: it can.
QString whyNot(const QList<ChangeSet> &changes);

/// How many lines with a comment the file has before and not afterwards.
int lostComments(const ChangedFile &file);

/// "git show REF:PATH", quoted for a shell where that has to be: prints a text of Applied::kept.
QString showCommand(const QString &kept);

} // namespace tmx
