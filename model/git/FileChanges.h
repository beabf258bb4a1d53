// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/git/GitValues.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace tmx {

/// What a change does with one file. Keep does nothing; it is listed for the user's information.
enum class ChangeAction { Keep, Create, Rewrite, Rename, Delete };
QString toString(ChangeAction action); ///< "keep", "create", "rewrite", "rename", "delete"

/// One file of a change: its text before and after, the reason, and whether it is chosen.
struct ChangedFile {
    ChangeAction action = ChangeAction::Keep;
    QString name;    ///< name of the variant, or of the file's package; empty for torch-matrix.toml and README.md
    QString path;    ///< relative to the root: ".flox/pkgs/x.nix", "torch-matrix.toml", "README.md"
    QString newPath; ///< for Rename
    std::optional<QByteArray>
        before; ///< the text that the caller saw; nullopt: no file. On the checked-out branch the bytes in the working
                ///< tree, or the text that git stores for them; on other branches the blob
    std::optional<QByteArray> after;       ///< nullopt: no file. For Rename: the text at `newPath`
    std::optional<QByteArray> uncommitted; ///< text to leave in the working tree instead of `after`, as an uncommitted
                                           ///< change: undo restores a text that was never committed
    QString reason;                        ///< one sentence
    QString group;                         ///< heading under which it is listed, instead of its action; may be empty
    QStringList errors;   ///< new errors, which the audit finds in `after` but not in `before`: "PATH: sentence advice"
    bool follows = false; ///< for Keep: its text stays, but it changes with a file that it imports
    bool chosen = false;  ///< apply() does it; never set for Keep
    bool possible = true; ///< the user can choose it or not. If false and chosen, it belongs to the rest (settings of a
                          ///< migration); if false and not chosen, the reason says why it is impossible
    /// Whether it is a chosen file that recipes import, such as .flox/pkgs/lib/pins.nix or pins.json.
    [[nodiscard]] bool isImported() const;
    /// Whether it is a chosen document, such as README.md, that states something about the branch.
    [[nodiscard]] bool isDocument() const;
    /// Whether the file needs a change that is not done; the user can choose it, or make it by hand.
    [[nodiscard]] bool isLeft() const
    {
        return action != ChangeAction::Keep && group.isEmpty() && !name.isEmpty() && !chosen;
    }
    bool operator==(const ChangedFile &) const = default;
};

/// A prepared change to files of one branch, which Repository::apply applies. A plain value.
struct FileChanges {
    /// How far the change goes. A branch that is not checked out has no working tree: only Commit is possible for it.
    enum class Until {
        WorkTree, ///< writes files; does not change the index
        Index,    ///< writes files, and adds to the index those that git does not track yet
        Commit,   ///< writes, adds and commits files, in one transaction
    };

    QString repository = {}; ///< working tree; only if it is one of several branches, else empty
    QString branch;          ///< empty only for a detached HEAD, for which Commit is refused
    QString parentCommit;    ///< expected commit of the branch; for a new branch its start commit. Empty: no commit yet
    bool newBranch = false;
    QString from; ///< the branch that it was prepared from, if that is another one: for derive and copy
    Until until = Until::Commit;
    QList<ChangedFile> files; ///< by action, then in grid order
    QString message;          ///< commit message; empty: commitMessage() creates it from the chosen files
    QString subjectForm; ///< format of the generated subject, with "%1" for "12 recipes"; empty: "Create 12 recipes,
                         ///< ..."
    QString undoes;      ///< the commit, or the ref of saved texts, to undo; empty: not an undo
    QString movesTo; ///< for undo: the commit, an existing one, that the branch goes to instead of a new commit: the
                     ///< parent of one that nothing else has, or that one again. If that is no longer possible,
                     ///< apply() makes the commit
    QString saved;   ///< for undo: ref of saved uncommitted texts; its files with Keep are not restored
    QStringList warnings;         ///< known problems and remarks, in sentences
    QStringList errors;           ///< errors in the settings that its recipes are rendered for
    bool forced = false;          ///< apply it despite errors
    std::optional<Error> refusal; ///< why it cannot be applied; nullopt if it can

    /// The branch; "build-vllm@main" with a repository.
    [[nodiscard]] QString title() const;
    [[nodiscard]] QMap<ChangeAction, int> chosen() const; ///< number of chosen files by action
    [[nodiscard]] bool isEmpty() const;                   ///< no file is chosen
    /// Number of files with ChangedFile::isLeft(): applying would lose their own text, or they were deleted; their
    /// reasons say more.
    [[nodiscard]] int leftToUser() const;
    /// `errors` and the errors of the chosen files; empty if nothing is chosen. apply() refuses a change with errors
    /// unless it is forced.
    [[nodiscard]] QStringList chosenErrors() const;
    [[nodiscard]] QString commitMessage() const;
    /// "rewrite README.md": the changed documents and imported files, for a commit message.
    [[nodiscard]] QStringList linesOfOthers() const;
    [[nodiscard]] QString subject() const; ///< first line of commitMessage(); describes the change if there is no
                                           ///< commit
    [[nodiscard]] const ChangedFile *find(const QString &path) const;
    bool operator==(const FileChanges &) const = default;
};

/// The result of apply().
struct Applied {
    QString repository = {}; ///< as in FileChanges
    QString operation;       ///< id under refs/torch-matrix/operations; empty: nothing was committed
    QString branch;
    QString commit;       ///< empty: there was nothing to commit, and only the working tree or the index changed
    QString movedTo;      ///< the commit that the branch went to without a new one, as FileChanges::movesTo
    QString subject;      ///< of the commit
    QStringList written;  ///< names of the changed files (paths for files without a name)
    QStringList added;    ///< without a commit: paths that git did not track before, and that the index has now
    QString saved;        ///< ref of the replaced texts that were never committed; empty if there are none
    QStringList kept;     ///< "REF:PATH" of each of those texts, for `git show`; for undo: of the texts that were not
                          ///< restored
    QString undo;         ///< the argument for UndoRequest to undo it; empty: no text changed
    QStringList restored; ///< paths whose uncommitted text was restored in the working tree
    QByteArray output;    ///< output of hooks and git; raw bytes
    /// The last `lines` non-blank lines of `output`, without control characters.
    [[nodiscard]] QStringList outputLines(int lines = 20) const;
    bool operator==(const Applied &) const = default;
};

} // namespace tmx
