// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/DiskFile.h"
#include "model/git/Repository.h"

namespace tmx::test {

inline const QString a = QStringLiteral(".flox/pkgs/a.nix"); // Recipes for tests that write changes.
inline const QString b = QStringLiteral(".flox/pkgs/b.nix");
inline const QString c = QStringLiteral(".flox/pkgs/c.nix");

/// One file of a change: its text afterwards, and its current text. nullopt: no file.
struct Edit {
    QString path;
    std::optional<QByteArray> text;
    std::optional<QByteArray> before = {};
    std::optional<QByteArray> uncommitted = {}; ///< text to leave in the working tree instead
};

inline FileChanges changeSet(const QString &branch, const QString &parent, const QList<Edit> &edits,
                             const QString &message, FileChanges::Until until = FileChanges::Until::Commit)
{
    FileChanges changes;
    changes.branch = branch;
    changes.parentCommit = parent;
    changes.until = until;
    changes.message = message;
    for (const Edit &edit : edits) {
        ChangedFile file;
        file.action = !edit.text ? ChangeAction::Delete : !edit.before ? ChangeAction::Create : ChangeAction::Rewrite;
        file.path = edit.path;
        file.before = edit.before;
        file.after = edit.text;
        file.uncommitted = edit.uncommitted;
        file.chosen = true;
        changes.files.append(file);
    }
    return changes;
}

/// Commits the edits to the branch.
inline Result<Applied> commitEdits(const Repository &repository, const QString &branch, const QList<Edit> &edits,
                                   const QString &message, const QString &parent)
{
    return repository.apply(changeSet(branch, parent, edits, message));
}

/// Creates a branch with one commit on top of `base`.
inline Result<Applied> commitToNewBranch(const Repository &repository, const QString &name, const QString &base,
                                         const QList<Edit> &edits, const QString &message)
{
    FileChanges changes = changeSet(name, base, edits, message);
    changes.newBranch = true;
    return repository.apply(changes);
}

/// The files as they are on disk.
inline QList<Edit> asOnDisk(const Repository &repository, const QStringList &paths)
{
    const Result<RepositoryInfo> info = repository.info();
    if (!info)
        qFatal("%s", qPrintable(info.error().sentence()));
    QList<Edit> edits;
    for (const QString &path : paths) {
        const DiskFile file = readDiskFile(info->workTree, path);
        const std::optional<QByteArray> text = file.present ? std::optional(file.bytes) : std::nullopt;
        edits.append({path, text, text});
    }
    return edits;
}

/// Commits the files as they are on disk on the branch that is checked out.
inline Result<Applied> commitFiles(const Repository &repository, const QStringList &paths, const QString &message,
                                   const QString &parent)
{
    return commitEdits(repository, {}, asOnDisk(repository, paths), message, parent);
}

/// Adds the files as they are on disk to the index.
inline Result<Applied> stageFiles(const Repository &repository, const QStringList &paths)
{
    return repository.apply(changeSet({}, {}, asOnDisk(repository, paths), {}, FileChanges::Until::Index));
}

/// Writes one file of the working tree.
inline Result<Applied> writeFile(const Repository &repository, const QString &path, const QByteArray &text,
                                 const std::optional<QByteArray> &before)
{
    return repository.apply(
        changeSet({}, {}, {{path, text, before}}, QStringLiteral("Write"), FileChanges::Until::WorkTree));
}

} // namespace tmx::test
