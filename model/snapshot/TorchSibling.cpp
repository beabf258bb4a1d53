// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/TorchSibling.h"

#include <QFileInfo>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

bool isTorch(const VersionedFile &file)
{
    return QStringView(file.path).sliced(file.path.lastIndexOf(u'/') + 1).startsWith(u"pytorch-");
}

struct Sibling {
    CommitReader reader;
    QString commit;
};

/// Possible names of a clone of PyTorch's repository next to this one.
QStringList siblingNames(const QString &workTree)
{
    const QString name = QFileInfo(workTree).fileName();
    QStringList names{u"build-pytorch"_s, u"pytorch"_s};
    if (const qsizetype dash = name.lastIndexOf(u'-'); dash > 0)
        names.prepend(name.first(dash + 1) + u"pytorch"_s);
    names.removeDuplicates();
    names.removeAll(name);
    return names;
}

std::optional<Sibling> siblingOf(const QString &workTree, const QString &branch)
{
    if (branch.isEmpty())
        return std::nullopt;
    for (const QString &candidate : siblingNames(workTree)) {
        std::optional<CommitReader> reader = cloneBeside(workTree, candidate);
        const Result<QString> tip = reader ? reader->commitOf(u"refs/heads/"_s + branch) : Result<QString>(QString());
        if (tip && !tip->isEmpty())
            return Sibling{*std::move(reader), *tip};
    }
    return std::nullopt;
}

} // namespace

std::optional<CommitReader> cloneBeside(const QString &workTree, const QString &name)
{
    const QString path = QFileInfo(workTree).path() + u'/' + name;
    if (!QFileInfo(path).isDir())
        return std::nullopt;
    Result<CommitReader> opened = CommitReader::open(path);
    // Skip a plain folder inside some outer repository.
    if (!opened || QFileInfo(opened->workTree()).fileName() != name)
        return std::nullopt;
    return std::move(opened).value();
}

void addTorchSibling(const QString &workTree, BranchContent &content)
{
    const bool companions = !content.files.isEmpty() || content.settingsFile;
    if (!companions || std::ranges::any_of(content.files, isTorch))
        return;
    const std::optional<Sibling> sibling = siblingOf(workTree, content.branch);
    if (!sibling)
        return;
    const Result<BranchFiles> torch = sibling->reader.read(sibling->commit, content.branch, recipeSelection());
    if (!torch) {
        content.torchUnread = torch.error();
        return;
    }
    for (const VersionedFile &file : torch->files) {
        if (isTorch(file) && file.committed)
            content.torchFiles.append(file);
    }
}

QString torchSiblingId(const QString &workTree, const QString &branch)
{
    const std::optional<Sibling> sibling = siblingOf(workTree, branch);
    const auto entries = sibling ? sibling->reader.entriesOf(sibling->commit, u".flox"_s) : QList<FolderEntry>();
    const auto recipes =
        entries ? std::ranges::find(*entries, u"pkgs"_s, &FolderEntry::name) : QList<FolderEntry>::const_iterator();
    return entries && recipes != entries->cend() ? recipes->id : QString();
}

} // namespace tmx
