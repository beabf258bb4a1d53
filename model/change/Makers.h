// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Change.h"
#include "model/git/Repository.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

class Library;

/// The functions behind prepare(), one for each kind of request. Those that take a snapshot are pure.

Result<ChangeSet> generated(const RecipeCache &recipes, const BranchSnapshot &snapshot, const GenerateRequest &request);
Result<ChangeSet> committed(const BranchSnapshot &snapshot, const CommitRequest &request);
Result<ChangeSet> staged(const BranchSnapshot &snapshot, const StageRequest &request);
/// Errors: a name without a recipe on the branch; a file that cannot be read.
Result<ChangeSet> deleted(const BranchSnapshot &snapshot, const DeleteRequest &request);
/// Creates no commit, because the branch does not change. Errors: a recipe without uncommitted changes; a file that
/// cannot be read.
Result<ChangeSet> discarded(const BranchSnapshot &snapshot, const DiscardRequest &request);
/// Makes the branch match its settings. Missing recipes are created; a recipe with an old form of its name has a
/// Rename. A recipe with an error, or for other settings than the branch's, has a Rewrite: only the wrong bytes are
/// replaced; if that leaves an error, and for a recipe whose text otherwise equals the template's, it is from the
/// template, provided that the template's text has no error and most recipes of the profile have that text or get it
/// now. Among recipes that people wrote, and for a recipe without errors that differs from its template, the Rewrite
/// from the template is not chosen. A chosen Rewrite that is there to fix errors leaves none. Nothing is deleted unless
/// the user chooses it: a recipe that the settings do not list, and an extra file for a covered cell (another form of
/// the name, a suffix such as -magma), have a Delete that is not chosen. Also not chosen: changes of files that were
/// never committed or have uncommitted changes, and changes without a template.
/// What belongs into files that recipes import is changed there, once for all of them: values of the settings, and
/// errors that can be fixed in place.
ChangeSet repaired(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content);
/// The same, with the imported files in `library` instead of in the change.
ChangeSet repaired(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                   Library &library);
/// Fixes one finding: the file is written if the branch is checked out, else committed. For a wrong hash that a build
/// found: as withRightHash(). For all findings of a rule: one commit; a recipe whose findings cannot be fixed in place
/// has a Keep with the reason, a recipe with uncommitted changes has a Rewrite that is not chosen; `warnings` name
/// both. Errors: no such finding, rule or recipe.
Result<ChangeSet> fixed(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                        const FixRequest &request);

/// A new branch with the recipes of another one (`content`, read without a working tree) under changed settings: the
/// same cells, and those of new toolkits and Pythons. A recipe that equals its template's text is rendered. In any
/// other, only the bytes that state a changed setting are replaced; if that is impossible it is rendered too if it
/// builds what its template's text builds or if the request allows it, and its group and reason say so. If nothing is
/// changed, every recipe keeps its bytes; otherwise prepare() fixes errors that recipes bring along in place. Other
/// files do not change. A recipe without a place on the new branch, or whose own changes would be lost, is deleted and
/// named in `dropped`; the change is then refused, unless the request allows that. Errors: those of changedSettings();
/// a template that needs a value the settings lack; stoppedError().
Result<ChangeSet> derived(const RecipeCache &recipes, const BranchContent &content, const DeriveRequest &request,
                          const WorkHooks &hooks = {});

/// Adds to `outdated` the files of the branch at `path` that a derived change does not touch, although they mention a
/// Python, a toolkit or a version of PyTorch that `former` has and the new settings do not; a warning has their number.
void findOutdated(const QString &path, const Settings &former, ChangeSet &changes);

/// The same branch under changed settings. Recipes that equal their template's text are rendered. Any other affected
/// recipe has a Rewrite: with `inPlace` only of the bytes that state a changed setting, chosen if the file has no
/// uncommitted changes; without it, or if that is impossible, from the template and not chosen. The settings are not
/// chosen if no recipe would follow them. Creates and deletes nothing. Errors as derived().
Result<ChangeSet> migrated(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                           const SettingsChange &change, bool inPlace = false, const WorkHooks &hooks = {});

/// Recipes for the cells of `names` (variants of the source), carried over to the settings of `target` as by derived().
/// An existing recipe that differs has a Rewrite that is not chosen. Errors: a name without a recipe on the source; no
/// place for it on the target.
Result<ChangeSet> copied(const RecipeCache &recipes, const BranchSnapshot &source, const BranchSnapshot &target,
                         const QStringList &names);

/// torch-matrix.toml of `content` with the coverage of another branch for its own families: that of the same family
/// there, or PyTorch's if that is larger. Keeps the branch's toolkits and Pythons; those that only the other branch has
/// are left out if the branches have some in common. Variants that cannot exist are left out. `warnings` name
/// everything left out. Error: the other branch covers nothing.
Result<ChangeSet> coverageCopied(const RecipeCache &recipes, const Settings &source, const BranchContent &content);

Result<ChangeSet> savedSettings(const RecipeCache &recipes, const BranchContent &content,
                                const SettingsRequest &request);

/// README.md of `branches` as committed and as it should be, one change per branch. A README whose markers cannot be
/// used has a refusal; one with uncommitted changes cannot be chosen. Errors: as SnapshotReader::readAll(); a branch
/// whose torch-matrix.toml cannot be read, because the tables list all branches; stoppedError().
Result<QList<ChangeSet>> updatedReadmes(const SnapshotReader &snapshots, const QString &path,
                                        const ReadmeRequest &request, const WorkHooks &hooks = {});

/// The pipeline of a CI host for the recipes in the branch's commit, whatever is in the working tree. Recipes that flox
/// cannot build or that have audit errors are left out and named in `warnings`. A file without markers that may have
/// other content (GitLab's) has a Rewrite that is chosen with `place`. Errors: those of ciPipeline(); no such branch or
/// revision; nothing to build; a file whose markers cannot be used, or that this program did not write.
Result<ChangeSet> exported(const SnapshotReader &snapshots, const QString &path, const ExportRequest &request,
                           const WorkHooks &hooks = {});

/// Undoes a commit of this program: its files get their texts from before, and texts that were never committed are
/// restored in the working tree, unless they were changed since. The last commit of a branch is taken away if nothing
/// else has it (ChangeSet::movesTo); one that was taken away comes back. Errors: a merge; a commit that is
/// not in the branch; nothing is left to restore.
Result<QList<ChangeSet>> undone(const QString &path, const UndoRequest &request);

/// A change for this branch in its current state, without files.
ChangeSet changeOf(const BranchSnapshot &snapshot, ChangeSet::Until until);

/// The text at `path` as apply() expects it: the bytes in the working tree if that was read, else the committed text.
std::optional<QByteArray> textIn(const BranchContent &content, const QString &path);

} // namespace tmx
