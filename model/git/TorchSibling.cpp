// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/TorchSibling.h"

#include "model/git/BranchReader.h"
#include "model/git/GitError.h"
#include "model/git/RecipePath.h"

#include <QFileInfo>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

bool isTorch(const RecipeFile &file)
{
    return QStringView(file.path).sliced(file.path.lastIndexOf(u'/') + 1).startsWith(u"pytorch-");
}

struct Sibling {
    OpenRepository repository;
    QString commit;
};

/// Possible names of a clone of PyTorch's repository next to this one.
QStringList siblingNames(const OpenRepository &repository)
{
    const QString name = QFileInfo(repository.workTree).fileName();
    QStringList names{u"build-pytorch"_s, u"pytorch"_s};
    if (const qsizetype dash = name.lastIndexOf(u'-'); dash > 0)
        names.prepend(name.first(dash + 1) + u"pytorch"_s);
    names.removeDuplicates();
    names.removeAll(name);
    return names;
}

std::optional<Sibling> siblingOf(const OpenRepository &repository, const QString &branch)
{
    if (branch.isEmpty())
        return std::nullopt;
    const QFileInfo here(repository.workTree);
    for (const QString &candidate : siblingNames(repository)) {
        const QString path = here.path() + u'/' + candidate;
        if (!QFileInfo(path).isDir())
            continue;
        Result<OpenRepository> opened = openRepository(path);
        // Skip a plain folder inside some outer repository.
        if (!opened || QFileInfo(opened->workTree).fileName() != candidate)
            continue;
        const Result<QString> tip = branchTip(opened.value(), branch);
        if (tip && !tip->isEmpty())
            return Sibling{std::move(opened).value(), *tip};
    }
    return std::nullopt;
}

} // namespace

void addTorchSibling(const OpenRepository &repository, BranchContent &content)
{
    const bool companions = !content.files.isEmpty() || content.lineFile;
    if (!companions || std::ranges::any_of(content.files, isTorch))
        return;
    const std::optional<Sibling> sibling = siblingOf(repository, content.branch);
    if (!sibling)
        return;
    const Result<BranchContent> torch = readCommitAlone(sibling->repository, sibling->commit, content.branch, nullptr);
    if (!torch) {
        content.torchUnread = torch.error();
        return;
    }
    for (const RecipeFile &file : torch->files) {
        if (isTorch(file) && file.committed)
            content.torchFiles.append(file);
    }
}

QString torchSiblingId(const OpenRepository &repository, const QString &branch)
{
    const std::optional<Sibling> sibling = siblingOf(repository, branch);
    if (!sibling)
        return {};
    const Result<GitTree> root = treeOf(sibling->repository, sibling->commit);
    GitTreeEntry folder;
    if (!root || obtain(folder, git_tree_entry_bypath, root->get(), recipeFolder.data()) < 0)
        return {};
    return toHex(*git_tree_entry_id(folder.get()));
}

} // namespace tmx
