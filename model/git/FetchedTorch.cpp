// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/FetchedTorch.h"

#include "model/catalog/Settings.h"
#include "model/git/RecipePath.h"
#include "model/recipe/RecipeFacts.h"

#include <QCryptographicHash>
#include <QFileInfo>

#include <map>
#include <optional>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// The clone of that name next to the working tree, or the working tree itself.
std::optional<OpenRepository> cloneOf(const OpenRepository &repository, const QString &name)
{
    const QString path = QFileInfo(repository.workTree).path() + u'/' + name;
    if (name.isEmpty() || name.startsWith(u'.') || name.contains(u'/') || !QFileInfo(path).isDir())
        return std::nullopt;
    Result<OpenRepository> opened = openRepository(path);
    // Skip a plain folder inside some outer repository.
    if (!opened || QFileInfo(opened->workTree).fileName() != name)
        return std::nullopt;
    return std::move(opened).value();
}

/// A quick check: most recipes fetch nothing and need not be parsed.
bool mayFetchTorch(const QByteArray &text)
{
    return text.contains("fetch") && text.contains("/.flox/pkgs/");
}

} // namespace

void addFetchedTorch(const OpenRepository &repository, BranchContent &content)
{
    std::map<QString, std::optional<OpenRepository>> clones;
    std::map<QString, GitTree> trees; // by "NAME@REVISION"; null: the clone has no such commit
    for (const RecipeFile &file : std::as_const(content.files)) {
        const QByteArray text = file.onDisk.value_or(file.committed.value_or(QByteArray()));
        if (!mayFetchTorch(text))
            continue;
        const TorchSource torch = readFacts(text).torch;
        if (torch.kind != TorchSource::Kind::Fetched || !torch.revision.known || torch.revision.value.size() != 40)
            continue;
        const TorchRepository from = TorchRepository::ofArchive(torch.archive.value, torch.revision.value);
        const QString name = from.name();
        if (!clones.contains(name))
            clones.emplace(name, cloneOf(repository, name));
        const std::optional<OpenRepository> &clone = clones.at(name);
        if (!clone)
            continue;
        const QString commit = from.commitKey();
        content.fetchedTorch.insert(name, {});
        if (!trees.contains(commit)) {
            // A partial clone would ask its remote for a commit that it does not have.
            Result<GitTree> tree = holdsObject(*clone, torch.revision.value) ? treeOf(*clone, torch.revision.value)
                                                                             : Result<GitTree>(GitTree());
            trees.emplace(commit, tree ? std::move(tree).value() : GitTree());
        }
        const GitTree &tree = trees.at(commit);
        if (!tree)
            continue;
        content.fetchedTorch.insert(commit, {});
        GitTreeEntry entry;
        GitBlob blob;
        if (obtain(entry, git_tree_entry_bypath, tree.get(), torch.path.toUtf8().constData()) == 0 &&
            git_tree_entry_type(entry.get()) == GIT_OBJECT_BLOB &&
            obtain(blob, git_blob_lookup, clone->git(), git_tree_entry_id(entry.get())) == 0)
            content.fetchedTorch.insert(commit + u'/' + torch.path,
                                        QByteArray(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                                                   qsizetype(git_blob_rawsize(blob.get()))));
    }
}

QString fetchedTorchId(const OpenRepository &repository, const QString &commit, bool &isConstant)
{
    isConstant = false;
    const Result<GitTree> root = treeOf(repository, commit);
    GitTreeEntry folder;
    GitTree recipes;
    if (!root || obtain(folder, git_tree_entry_bypath, root->get(), recipeFolder.data()) < 0 ||
        git_tree_entry_type(folder.get()) != GIT_OBJECT_TREE ||
        obtain(recipes, git_tree_lookup, repository.git(), git_tree_entry_id(folder.get())) < 0)
        return {};
    BranchContent content;
    bool allRead = true;
    for (size_t i = 0; i < git_tree_entrycount(recipes.get()); ++i) {
        const git_tree_entry *entry = git_tree_entry_byindex(recipes.get(), i);
        const QString name = QString::fromUtf8(git_tree_entry_name(entry));
        GitBlob blob;
        if (name.startsWith("pytorch-"_L1) || git_tree_entry_type(entry) != GIT_OBJECT_BLOB)
            continue;
        if (obtain(blob, git_blob_lookup, repository.git(), git_tree_entry_id(entry)) < 0) {
            allRead = false;
            continue;
        }
        const QByteArray text(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                              qsizetype(git_blob_rawsize(blob.get())));
        if (mayFetchTorch(text))
            content.files.append({name, text, std::nullopt});
    }
    isConstant = allRead && content.files.isEmpty();
    addFetchedTorch(repository, content);
    QStringList keys = content.fetchedTorch.keys();
    keys.sort();
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const QString &key : std::as_const(keys))
        hash.addData(key.toUtf8() + '\n' + content.fetchedTorch.value(key));
    return keys.isEmpty() ? QString() : u' ' + QString::fromLatin1(hash.result().toHex());
}

} // namespace tmx
