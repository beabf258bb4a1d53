// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Settings.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace tmx {

/// What is done with one file of a change. Keep is listed so that a person sees it, and does nothing.
enum class ChangeAction { Keep, Create, Rewrite, Rename, Delete };
QString toString(ChangeAction action); ///< "keep", "create", "rewrite", "rename", "delete"

/// One file of a change: its text before and after, why, and whether it is chosen.
struct ChangedFile {
    ChangeAction action = ChangeAction::Keep;
    QString name;    ///< of the variant, or of the file's package; empty for torch-matrix.toml and README.md
    QString path;    ///< relative to the root: ".flox/pkgs/x.nix", "torch-matrix.toml", "README.md"
    QString newPath; ///< of Rename
    std::optional<QByteArray>
        before; ///< what the caller saw there; nullopt: no file. On the checked-out branch the bytes
                ///< of the work tree or the text that git stores for them, elsewhere the blob
    std::optional<QByteArray> after;       ///< nullopt: no file. Of Rename: the text at `newPath`
    std::optional<QByteArray> uncommitted; ///< what the work tree holds afterwards instead of `after`, as an
                                           ///< uncommitted change: undo puts back a text that no commit held
    QString reason;                        ///< one sentence
    QString group;        ///< heading under which it is listed where that is not its action; may be empty
    QStringList errors;   ///< what the audit says of `after` and not of `before`: "PATH: sentence advice"
    bool chosen = false;  ///< apply() does it; never for Keep
    bool possible = true; ///< a person can choose it or not. Where not: chosen, it goes with the rest (settings of a
                          ///< migration); else the reason says why it cannot be done
    /// It is listed with a change of its own that is not done, and that a person may choose or do by hand.
    [[nodiscard]] bool isLeft() const
    {
        return action != ChangeAction::Keep && group.isEmpty() && !name.isEmpty() && !chosen;
    }
    bool operator==(const ChangedFile &) const = default;
};

/// A change to one branch, before it is made: every maker (model/change) returns it, a person looks at it and chooses,
/// Repository::apply makes it. A value.
struct ChangeSet {
    /// How far it goes. A branch that is not checked out has no work tree: of it anything but Commit is refused.
    enum class Until {
        WorkTree, ///< files are written; the index stays
        Index,    ///< written and added to the index
        Commit,   ///< written, added and committed, in one transaction
    };

    QString branch;       ///< empty only for a detached HEAD, which refuses Commit
    QString parentCommit; ///< that the branch is expected at; of a new branch: that it begins at. Empty: none yet
    bool newBranch = false;
    QString from; ///< branch that it was worked out from, where that is another: of derive and copy
    Until until = Until::Commit;
    QList<ChangedFile> files; ///< by action, then in grid order
    QString message;          ///< of the commit; empty: commitMessage() makes it from what is chosen
    QString subjectForm; ///< how such a message begins, "%1" in it for "12 recipes"; empty: "Create 12 recipes, ..."
    std::optional<Settings> settings; ///< of the branch afterwards, where the change sets them
    QStringList dropped;  ///< packages that the branch had and will not have; the reasons are those of their files
    QString undoes;       ///< commit, or ref of saved texts, that it takes back; empty: it takes nothing back
    QString saved;        ///< of undo: ref that holds uncommitted texts; those of its files with Keep are not put back
    QStringList outdated; ///< of a new branch: files that stay and name what the change replaced
    QStringList warnings; ///< sentences; what is known to be wrong, or worth knowing
    QStringList errors;   ///< what is wrong with the settings that its recipes are rendered for
    bool forced = false;  ///< made although there are errors
    std::optional<Error> refusal; ///< why it cannot be applied as it stands; nullopt: it can

    [[nodiscard]] QMap<ChangeAction, int> chosen() const; ///< how many of each
    [[nodiscard]] bool isEmpty() const;                   ///< nothing is chosen
    /// How many files are left (ChangedFile::isLeft): their own text would be lost, or they were deleted, and their
    /// reasons say more.
    [[nodiscard]] int leftToUser() const;
    /// `errors` and those of the chosen files; none where nothing is chosen. Unless it is forced, apply() refuses a
    /// change with errors.
    [[nodiscard]] QStringList chosenErrors() const;
    [[nodiscard]] QString commitMessage() const;
    [[nodiscard]] QString subject() const; ///< first line of commitMessage(); names the change where there is no commit
    [[nodiscard]] const ChangedFile *find(const QString &path) const;
    bool operator==(const ChangeSet &) const = default;
};

/// What apply() did.
struct Applied {
    QString operation; ///< id under refs/torch-matrix/operations; empty: nothing was committed
    QString branch;
    QString commit;       ///< empty: nothing was to be committed; work tree or index alone changed
    QString subject;      ///< of the commit
    QStringList written;  ///< names (or paths, where there is no name) of the files that changed
    QString saved;        ///< ref that holds the texts which no commit held and which were replaced; empty: none were
    QStringList kept;     ///< "REF:PATH" of each of those texts, as `git show` prints it; of undo: of those that were
                          ///< not put back
    QString undo;         ///< what UndoRequest names to take it back; empty: no text changed
    QStringList restored; ///< paths whose uncommitted text is in the work tree again
    QByteArray output;    ///< what hooks and git printed; raw bytes
    /// The last `lines` lines of `output` that hold more than blanks, without control characters.
    [[nodiscard]] QStringList outputLines(int lines = 20) const;
    bool operator==(const Applied &) const = default;
};

} // namespace tmx
