// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/FetchedTorch.h"

#include "model/base/RepositoryPaths.h"
#include "model/catalog/Settings.h"
#include "model/git/CommitReader.h"
#include "model/recipe/RecipeFacts.h"
#include "model/snapshot/TorchSibling.h"

#include <QCryptographicHash>

#include <map>
#include <optional>

using namespace Qt::StringLiterals;

namespace tmx {

bool mayFetchTorch(const QByteArray &text)
{
    return text.contains("fetch") && text.contains("/.flox/pkgs/");
}

void addFetchedTorch(const QString &workTree, BranchContent &content)
{
    std::map<QString, std::optional<CommitReader>> clones;
    for (const VersionedFile &file : std::as_const(content.files)) {
        const QByteArray text = file.onDisk.value_or(file.committed.value_or(QByteArray()));
        if (!mayFetchTorch(text))
            continue;
        const TorchSource torch = readFacts(text).torch;
        if (torch.kind != TorchSource::Kind::Fetched || !torch.revision.known || torch.revision.value.size() != 40)
            continue;
        const TorchRepository from = TorchRepository::ofArchive(torch.archive.value, torch.revision.value);
        const QString name = from.name();
        if (!clones.contains(name)) {
            const bool isName = !name.isEmpty() && !name.startsWith(u'.') && !name.contains(u'/');
            clones.emplace(name, isName ? cloneBeside(workTree, name) : std::nullopt);
        }
        const std::optional<CommitReader> &clone = clones.at(name);
        if (!clone)
            continue;
        content.fetchedTorch.insert(name, {});
        // A partial clone would ask its remote for a commit that it does not have.
        if (!clone->holds(torch.revision.value))
            continue;
        const Result<std::optional<QByteArray>> recipe = clone->fileAt(torch.revision.value, torch.path);
        if (!recipe)
            continue;
        const QString commit = from.commitKey();
        content.fetchedTorch.insert(commit, {});
        if (*recipe)
            content.fetchedTorch.insert(commit + u'/' + torch.path, **recipe);
    }
}

QString fetchedTorchId(const CommitReader &reader, const QString &commit, bool &isConstant)
{
    isConstant = false;
    const Result<QList<FolderEntry>> recipes = reader.entriesOf(commit, QString(recipeFolder));
    BranchContent content;
    bool allRead = recipes.ok();
    for (const FolderEntry &entry : recipes ? *recipes : QList<FolderEntry>()) {
        if (entry.name.startsWith("pytorch-"_L1) || entry.kind != FolderEntry::Kind::File)
            continue;
        const auto text = reader.fileAt(commit, recipeFolder + u'/' + entry.name);
        allRead = allRead && text;
        if (text && *text && mayFetchTorch(**text))
            content.files.append({entry.name, *text, std::nullopt});
    }
    isConstant = allRead && content.files.isEmpty();
    addFetchedTorch(reader.workTree(), content);
    QStringList keys = content.fetchedTorch.keys();
    keys.sort();
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const QString &key : std::as_const(keys))
        hash.addData(key.toUtf8() + '\n' + content.fetchedTorch.value(key));
    return keys.isEmpty() ? QString() : u' ' + QString::fromLatin1(hash.result().toHex());
}

} // namespace tmx
