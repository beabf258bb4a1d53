// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Change.h"
#include "model/repository/Repository.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

/// The makers that prepare() chooses from: each works one request out. Those of a snapshot are pure.

Result<ChangeSet> generated(const RecipeCache &recipes, const BranchSnapshot &snapshot, const GenerateRequest &request);
Result<ChangeSet> committed(const BranchSnapshot &snapshot, const CommitRequest &request);
Result<ChangeSet> staged(const BranchSnapshot &snapshot, const StageRequest &request);
/// Errors: a name that the branch has no recipe of; one whose file cannot be read.
Result<ChangeSet> deleted(const BranchSnapshot &snapshot, const DeleteRequest &request);
/// Makes no commit, since the branch stays as it is. Errors: a recipe without uncommitted changes; one whose file
/// cannot be read.
Result<ChangeSet> discarded(const BranchSnapshot &snapshot, const DiscardRequest &request);
/// All that makes the branch what its settings promise. What is missing is created; a recipe under an old form of its
/// name has a Rename. A recipe with an error, or of other settings than the branch's, has a Rewrite: from the template
/// where it has the template's text but for that, or most recipes of its profile have; else only the bytes change that
/// state what is wrong. Where that cannot be done, and of a recipe without an error that differs from its template, the
/// Rewrite is from the template and not chosen. Nothing that is there is deleted unless somebody chooses it: a recipe
/// with an error that the settings do not list, and a further file for a promised cell (another form of the name, a
/// suffix such as -magma), have a Delete that is not chosen. Neither is a change of a file which was never committed or
/// has uncommitted changes, nor one without a template.
ChangeSet repaired(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content);
/// One finding: the file is written where the branch is checked out, else committed. What a build found of a hash: as
/// withRightHash(). All of a rule: one commit; a
/// recipe whose findings cannot be fixed in place has a Keep that says why, and one with changes that are not committed
/// a Rewrite that is not chosen; `warnings` name both. Errors: no such finding, rule or recipe.
Result<ChangeSet> fixed(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                        const FixRequest &request);

/// A new branch with the recipes of another one (`content`, read without a work tree) under changed settings: the same
/// cells, and those of toolkits and Pythons that are new. A recipe that is what its template gives is rendered. In any
/// other one only the bytes change that state what is changed; where that cannot be done it is rendered too, and its
/// group and reason say so. Without a change every recipe keeps its bytes; with one, prepare() fixes errors in
/// place that recipes bring along. Files that are no recipes stay as they are.
/// A recipe without a place on the new branch is deleted and named in `dropped`; the change is refused then, unless
/// `drop`. Errors: those of changedSettings(); a template that needs a value the settings lack; stoppedError().
Result<ChangeSet> derived(const RecipeCache &recipes, const BranchContent &content, const QString &name,
                          const SettingsChange &change, bool drop = false, const WorkHooks &hooks = {});

/// Names in `outdated` the files of the branch at `path` that a derived change leaves as they are, although they name a
/// Python, a toolkit or a version of PyTorch that `former` has and the new settings do not; a warning says how many.
void findOutdated(const QString &path, const Settings &former, ChangeSet &changes);

/// The same branch under changed settings: recipes that are what their template gives are rendered. Any other one that
/// the change is about has a Rewrite: with `inPlace` of the bytes that state what is changed, chosen where nothing is
/// uncommitted; else, and where that cannot be done, from the template and not chosen. The settings are not chosen
/// where no recipe would follow them. Nothing is created or deleted. Errors as derived().
Result<ChangeSet> migrated(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                           const SettingsChange &change, bool inPlace = false, const WorkHooks &hooks = {});

/// Recipes for the cells of `names` (variants of the source), carried over to the settings of `target` as by derived();
/// a recipe that is there and differs has a Rewrite that is not chosen. Errors: a name that the source has no recipe
/// of; no place for it on the target.
Result<ChangeSet> copied(const RecipeCache &recipes, const BranchSnapshot &source, const BranchSnapshot &target,
                         const QStringList &names);

/// torch-matrix.toml of `content` with the coverage of another branch, for its own families: that of the same
/// family there, or of PyTorch where that is larger. Toolkits and Pythons are the branch's; those that only the other
/// has are left out, where both have some in common. What cannot exist is left out. `warnings` name it all. Error: the
/// other covers nothing.
Result<ChangeSet> coverageCopied(const RecipeCache &recipes, const Settings &source, const BranchContent &content);

Result<ChangeSet> savedSettings(const RecipeCache &recipes, const BranchContent &content,
                                const SettingsRequest &request);

/// README.md of `branches` as it is committed and as it should be, a change for each. One whose markers cannot be used
/// has a refusal; one with changes that are not committed cannot be chosen. Errors: as SnapshotReader::readAll(); a
/// branch whose torch-matrix.toml cannot be read, since the tables name all branches; stoppedError().
Result<QList<ChangeSet>> updatedReadmes(const SnapshotReader &snapshots, const QString &path,
                                        const ReadmeRequest &request, const WorkHooks &hooks = {});

/// The pipeline of a CI host, for the recipes that the branch's commit holds, whatever the working tree does. Left out,
/// and named in `warnings`, are recipes that flox cannot build or the audit finds an error in. A file without markers
/// that others could stand beside (GitLab's) has a Rewrite that is chosen with `place`. Errors: ciPipeline(); no such
/// branch or revision; nothing to build; a file whose markers cannot be used, or that is not this program's.
Result<ChangeSet> exported(const SnapshotReader &snapshots, const QString &path, const ExportRequest &request,
                           const WorkHooks &hooks = {});

/// What takes back a commit of this program: its files get the texts that they had before it, by another commit, and
/// the texts that no commit held are put back into the work tree where nothing newer is in their place. Errors: a
/// merge; a commit that is not in the branch; nothing is left to put back.
Result<QList<ChangeSet>> undone(const QString &path, const UndoRequest &request);

/// A change of this branch as it is, without files.
ChangeSet changeOf(const BranchSnapshot &snapshot, ChangeSet::Until until);

/// The text at `path` as apply() expects it: the work tree's bytes where that was read, else the commit's.
std::optional<QByteArray> textIn(const BranchContent &content, const QString &path);

} // namespace tmx
