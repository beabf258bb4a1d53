// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/LastCommit.h"

#include "model/git/BranchRefs.h"
#include "model/git/GitError.h"
#include "model/git/GitProgram.h"
#include "model/git/IndexReader.h"

#include <algorithm>
#include <vector>

namespace tmx {
namespace {

/// Whether nothing but that local branch has the commit.
bool isOnlyOn(const OpenRepository &repository, const QString &branch, const git_oid &commit)
{
    const QByteArray own = "refs/heads/" + branch.toUtf8();
    std::vector<git_oid> others;
    for (const char *folder : {"refs/heads/", "refs/remotes/", "refs/tags/"}) {
        const Result<RefNames> names = refsBelow(repository, folder);
        if (!names || names->packed)
            return false;
        for (const RefName &ref : names->refs) {
            GitReference reference;
            GitObject target;
            if (ref.name == own)
                continue;
            if (obtain(reference, git_reference_lookup, repository.git(), ref.name.constData()) < 0)
                return false;
            if (obtain(target, git_reference_peel, reference.get(), GIT_OBJECT_COMMIT) == 0)
                others.push_back(*git_object_id(target.get()));
            else if (!ref.name.startsWith("refs/tags/")) // A tag may name a tree or a text.
                return false;
        }
    }
    if (std::ranges::any_of(others, [&commit](const git_oid &id) { return git_oid_equal(&id, &commit); }))
        return false;
    return others.empty() || git_graph_reachable_from_any(repository.git(), &commit, others.data(), others.size()) == 0;
}

/// Whether the index has the files of the commit as it left them.
bool isStagedAs(const OpenRepository &repository, git_commit *commit, git_commit *parent)
{
    GitTree before;
    GitTree after;
    GitDiff diff;
    const Result<GitIndex> index = readIndex(repository);
    if (!index || obtain(before, git_commit_tree, parent) < 0 || obtain(after, git_commit_tree, commit) < 0 ||
        obtain(diff, git_diff_tree_to_tree, repository.git(), before.get(), after.get(), nullptr) < 0)
        return false;
    for (size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
        const git_diff_file &file = git_diff_get_delta(diff.get(), i)->new_file;
        const git_index_entry *entry = git_index_get_bypath(index->get(), file.path, 0);
        if (file.mode == 0 ? entry != nullptr
                           : !entry || entry->mode != file.mode || !git_oid_equal(&entry->id, &file.id))
            return false;
    }
    return true;
}

} // namespace

std::optional<git_oid> parentToReturnTo(const OpenRepository &repository, const QString &branch, const git_oid &commit)
{
    GitCommit last;
    GitCommit parent;
    const Result<QString> tip = branchTip(repository, branch);
    const Result<Head> head = readHead(repository);
    const Result<CommitSteps> steps = commitSteps(repository);
    if (!tip || *tip != toHex(commit) || !head || !steps || steps->referenceHook ||
        obtain(last, git_commit_lookup, repository.git(), &commit) < 0 || git_commit_parentcount(last.get()) != 1 ||
        obtain(parent, git_commit_parent, last.get(), 0U) < 0 || !isOnlyOn(repository, branch, commit))
        return std::nullopt;
    const bool here = !head->detached && head->branch == branch;
    if (here && !isStagedAs(repository, last.get(), parent.get()))
        return std::nullopt;
    return *git_commit_id(parent.get());
}

} // namespace tmx
