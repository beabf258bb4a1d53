// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/GitError.h"
#include "model/repository/Repository.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QList<FileEdit> editsOf(const ChangeSet &changes)
{
    QList<FileEdit> edits;
    for (const ChangedFile &file : changes.files) {
        if (!file.chosen || file.action == ChangeAction::Keep)
            continue;
        if (file.action == ChangeAction::Rename) {
            edits.append({file.path, std::nullopt, file.before});
            edits.append({file.newPath, file.after, std::nullopt});
        } else {
            edits.append({file.path, file.after, file.before});
        }
    }
    return edits;
}

bool changesTree(const QList<FileEdit> &edits, const BranchContent &content)
{
    return !content.withWorkTree || std::ranges::any_of(edits, [&content](const FileEdit &edit) {
        const auto file = std::ranges::find(content.files, edit.path, &RecipeFile::path);
        if (file == content.files.end() || file->blob.isEmpty())
            return edit.text.has_value();
        return !file->committed || edit.text != file->committed;
    });
}

} // namespace

Result<Applied> Repository::apply(const ChangeSet &changes) const
{
    const QString what = Tr::tr("apply the change to");
    if (!changes.refusal.isEmpty())
        return Error{what, changes.branch, changes.refusal, {}};
    const QList<FileEdit> edits = editsOf(changes);
    if (edits.isEmpty())
        return Error{what, changes.branch, Tr::tr("nothing is chosen"), {}};
    Applied applied;
    applied.branch = changes.branch;
    applied.subject = changes.subject();
    for (const ChangedFile &file : changes.files) {
        if (file.chosen && file.action != ChangeAction::Keep)
            applied.written.append(file.name.isEmpty() ? file.path : file.name);
    }
    const auto take = [&applied](const Result<CommitResult> &done) -> Result<Applied> {
        if (!done)
            return done.error();
        applied.commit = done->commit;
        applied.subject = done->subject;
        applied.saved = done->saved;
        return applied;
    };
    if (changes.newBranch)
        return take(commitToNewBranch(changes.branch, changes.parentCommit, edits, changes.message));
    const Result<RepositoryInfo> now = info();
    if (!now)
        return now.error();
    const bool here = changes.branch.isEmpty() || now->headBranch == changes.branch;
    if (here && changes.until != ChangeSet::Until::Commit) {
        QStringList paths;
        for (const FileEdit &edit : edits) {
            paths.append(edit.path);
            if (!edit.text || edit.text == edit.expected)
                continue;
            const Result<QString> saved = edit.expected
                                              ? replaceRecipe(edit.path, *edit.text, *edit.expected, changes.subject())
                                              : write(edit.path, *edit.text, edit.expected, {});
            if (!saved)
                return saved.error();
            applied.saved = *saved;
        }
        if (changes.until == ChangeSet::Until::Index) {
            if (const Result<void> staged = stage(paths); !staged)
                return staged.error();
        }
        return applied;
    }
    const Result<BranchContent> content = readBranch(changes.branch);
    if (!content)
        return content.error();
    if (changesTree(edits, *content))
        return take(commitEdits(changes.branch, edits, changes.message, changes.parentCommit));
    const Result<QString> saved = editWorkTree(changes.branch, edits, changes.subject(), changes.parentCommit);
    if (!saved)
        return saved.error();
    applied.saved = *saved;
    return applied;
}

} // namespace tmx
