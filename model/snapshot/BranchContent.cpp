// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/BranchContent.h"

#include "model/base/BlobId.h"
#include "model/base/RepositoryPaths.h"
#include "model/catalog/VariantName.h"
#include "model/git/Repository.h"
#include "model/snapshot/FetchedTorch.h"
#include "model/snapshot/TorchSibling.h"

#include <QCryptographicHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Whether the working tree has another text than the commit, or one that cannot be read.
bool differs(const VersionedFile &file)
{
    return file.status != FileStatus::Clean || (file.trouble != FileTrouble::None && file.committed);
}

/// Whether what imports the file gets a variant's package. Others, such as lib/default.nix, are read like a library.
bool isVariant(const VersionedFile &file)
{
    const QString package = packageOf(file.path);
    return package.contains("-cpu-"_L1) || VariantName::parse(package, {});
}

/// Gives a link that is committed as it is the text of the file beside it that it leads to, as Nix does. The blob of a
/// link is the path that it leads to.
void followLinks(const BranchContent &content, QList<RecipeFiles::File> &files)
{
    for (const VersionedFile &link : content.imported) {
        if (link.trouble != FileTrouble::Link || link.status != FileStatus::Clean || link.blob.isEmpty())
            continue;
        const qsizetype name = link.path.lastIndexOf(u'/') + 1;
        const auto target = std::ranges::find_if(files, [&](const RecipeFiles::File &file) {
            return file.trouble == FileTrouble::None && !file.untracked &&
                   file.path.startsWith(link.path.first(name)) &&
                   blobId(file.path.sliced(name).toUtf8(), content.commit.size()) == link.blob;
        });
        const auto from = std::ranges::find(files, link.path, &RecipeFiles::File::path);
        if (target == files.end() || from == files.end())
            continue;
        from->text = target->text;
        from->id = target->id;
        from->trouble = FileTrouble::None;
    }
}

/// The files as committed, or as they are in the working tree.
std::shared_ptr<const RecipeFiles> recipeFiles(const BranchContent &content, bool committed)
{
    QList<RecipeFiles::File> files;
    const auto add = [&](const VersionedFile &file, bool recipe) {
        const bool unchanged = committed || !differs(file);
        if (unchanged ? file.blob.isEmpty() : file.isGone())
            return;
        // What is in the working tree counts, even if it cannot be read.
        const std::optional<QByteArray> &text =
            committed || (!file.onDisk && file.trouble == FileTrouble::None) ? file.committed : file.onDisk;
        const FileTrouble trouble = text                                ? FileTrouble::None
                                    : file.trouble == FileTrouble::None ? FileTrouble::Unreadable
                                                                        : file.trouble;
        const QByteArray id = unchanged     ? (file.unread ? "unread " : "") + file.blob.toLatin1()
                              : file.onDisk ? blobId(*file.onDisk, content.commit.size()).toLatin1()
                                            : "unread " + QByteArray::number(int(trouble)) + ' ' + file.path.toUtf8();
        files.append({file.path, text.value_or(QByteArray()), id, recipe,
                      !unchanged && file.status == FileStatus::Untracked, trouble});
    };
    for (const VersionedFile &file : content.files)
        add(file, isVariant(file));
    for (const VersionedFile &file : content.imported)
        add(file, false);
    followLinks(content, files);
    return std::make_shared<const RecipeFiles>(files);
}

/// Adds what else a branch is made from.
Result<BranchContent> withOthers(const CommitReader &reader, BranchFiles files, const WorkHooks &hooks)
{
    BranchContent content{std::move(files)};
    TM_TRY(settings, reader.readFile(content, settingsFileName, hooks));
    content.settingsFile = std::move(settings->text);
    content.settingsTrouble = settings->trouble;
    addTorchSibling(reader.workTree(), content);
    addFetchedTorch(reader.workTree(), content);
    return content;
}

Result<BranchContent> understood(const CommitReader &reader, BranchFiles files, const WorkHooks &hooks)
{
    TM_TRY(content, withOthers(reader, std::move(files), hooks));
    content->committedFiles = recipeFiles(*content, true);
    const bool changed =
        std::ranges::any_of(content->files, differs) || std::ranges::any_of(content->imported, differs);
    content->shownFiles = content->withWorkTree && changed ? recipeFiles(*content, false) : content->committedFiles;
    return content;
}

/// Identifies what recipes may import besides what is in their folder: folders and Nix files at the root and in .flox.
/// To read the recipes for what they do import takes longer, and documents are mostly files at the root.
void addImportable(QCryptographicHash &hash, const QList<FolderEntry> &entries, const QStringList &without)
{
    for (const FolderEntry &entry : entries) {
        if ((entry.kind == FolderEntry::Kind::Folder || entry.name.endsWith(".nix"_L1)) &&
            !without.contains(entry.name))
            hash.addData(entry.name.toUtf8() + ' ' + entry.id.toLatin1());
    }
}

QString idOf(const QList<FolderEntry> &entries, const QString &name)
{
    const auto found = std::ranges::find(entries, name, &FolderEntry::name);
    return (found == entries.end() ? u"none"_s : found->id) + u' ';
}

} // namespace

const FileSelection &recipeSelection()
{
    static const FileSelection selection{QString(recipeFolder), u".nix"_s, u"default.nix"_s, pathsNamedIn};
    return selection;
}

Result<BranchContent> readCommit(const CommitReader &reader, const QString &commit, const QString &branch,
                                 BlobTexts *texts, const WorkHooks &hooks)
{
    TM_TRY(files, reader.read(commit, branch, recipeSelection(), texts, hooks));
    return understood(reader, std::move(files).value(), hooks);
}

Result<BranchContent> readBranch(const Repository &repository, const QString &branch, BlobTexts *texts,
                                 const WorkHooks &hooks)
{
    TM_TRY(files, repository.readBranch(branch, recipeSelection(), texts, hooks));
    return understood(repository, std::move(files).value(), hooks);
}

Result<BranchContent> readWorkTreeForId(const Repository &repository, const KnownFiles &known)
{
    FileSelection selection = recipeSelection();
    selection.known = &known;
    TM_TRY(files, repository.readBranch({}, selection, nullptr, {}));
    return withOthers(repository, std::move(files).value(), {});
}

KnownFiles knownFilesOf(const BranchContent &content, const KnownFiles &before)
{
    KnownFiles known;
    for (const QList<VersionedFile> *files : {&content.files, &content.imported}) {
        for (const VersionedFile &file : *files) {
            const KnownFile old = before.value(file.path);
            if (file.committed && !mayFetchTorch(*file.committed))
                known.insert(file.path, {file.blob, file.committed->size(), pathsNamedIn(file.path, *file.committed)});
            else if (!file.committed && !file.blob.isEmpty() && old.blob == file.blob)
                known.insert(file.path, old);
        }
    }
    return known;
}

std::optional<QByteArray> textIn(const BranchContent &content, const QString &path)
{
    for (const QList<VersionedFile> *files : {&content.files, &content.imported}) {
        const auto file = std::ranges::find(*files, path, &VersionedFile::path);
        if (file != files->end())
            return content.withWorkTree ? file->onDisk : file->committed;
    }
    return std::nullopt;
}

Result<QString> recipesId(const CommitReader &reader, const QString &commit, const QString &branch, bool *fetchesNone)
{
    TM_TRY(root, reader.entriesOf(commit, {}));
    TM_TRY(flox, reader.entriesOf(commit, u".flox"_s));
    QCryptographicHash importable(QCryptographicHash::Sha1);
    addImportable(importable, *root, {u".flox"_s, u".github"_s});
    addImportable(importable, *flox, {u"pkgs"_s, u"env"_s});
    const QString id = idOf(*flox, u"pkgs"_s) + idOf(*root, QString(settingsFileName)) +
                       QString::fromLatin1(importable.result().toHex()) + u' ';
    bool none = fetchesNone && *fetchesNone;
    const QString fetched = none ? QString() : fetchedTorchId(reader, commit, none);
    if (fetchesNone)
        *fetchesNone = none;
    return id + torchSiblingId(reader.workTree(), branch) + fetched;
}

} // namespace tmx
