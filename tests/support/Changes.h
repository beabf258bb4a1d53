// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/RecipePath.h"
#include "model/repository/Repository.h"

namespace tmx::test {

inline const QString a = QStringLiteral(".flox/pkgs/a.nix"); // recipes that tests of changes write
inline const QString b = QStringLiteral(".flox/pkgs/b.nix");
inline const QString c = QStringLiteral(".flox/pkgs/c.nix");

/// One file of a change: its text afterwards, and what is there before. nullopt: no file.
struct Edit {
    QString path;
    std::optional<QByteArray> text;
    std::optional<QByteArray> before = {};
    std::optional<QByteArray> uncommitted = {}; ///< what the work tree holds afterwards instead
};

inline ChangeSet changeSet(const QString &branch, const QString &parent, const QList<Edit> &edits,
                           const QString &message, ChangeSet::Until until = ChangeSet::Until::Commit)
{
    ChangeSet changes;
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

/// The branch's commit gets the edits.
inline Result<Applied> commitEdits(const Repository &repository, const QString &branch, const QList<Edit> &edits,
                                   const QString &message, const QString &parent)
{
    return repository.apply(changeSet(branch, parent, edits, message));
}

/// A new branch with one commit upon `base`.
inline Result<Applied> commitToNewBranch(const Repository &repository, const QString &name, const QString &base,
                                         const QList<Edit> &edits, const QString &message)
{
    ChangeSet changes = changeSet(name, base, edits, message);
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

/// Adds the files to the index as they are on disk.
inline Result<Applied> stageFiles(const Repository &repository, const QStringList &paths)
{
    return repository.apply(changeSet({}, {}, asOnDisk(repository, paths), {}, ChangeSet::Until::Index));
}

/// Writes one file of the work tree.
inline Result<Applied> writeFile(const Repository &repository, const QString &path, const QByteArray &text,
                                 const std::optional<QByteArray> &before)
{
    return repository.apply(
        changeSet({}, {}, {{path, text, before}}, QStringLiteral("Write"), ChangeSet::Until::WorkTree));
}

} // namespace tmx::test
