// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Process.h"
#include "model/base/WorkHooks.h"
#include "model/git/Journal.h"

#include <QByteArray>
#include <QMap>
#include <QStringList>

namespace tmx {

/// Which steps of a commit in this repository only the git program can do. Respects core.hooksPath; a hook that is not
/// executable does not count.
struct CommitSteps {
    bool commitHooks = false;   ///< pre-commit, prepare-commit-msg, commit-msg or post-commit
    bool referenceHook = false; ///< reference-transaction, or refs that are no files
    bool signature = false;     ///< commit.gpgsign
};
Result<CommitSteps> commitSteps(const OpenRepository &repository);

/// Variables for a git that talks to a remote: its words are parsed, and without a display nobody could answer a
/// prompt.
QMap<QString, QString> forRemotes();

/// Arguments of a git whose work is not the user's: no hook runs.
inline const QStringList noHooks{QStringLiteral("-c"), QStringLiteral("core.hooksPath=/dev/null")};

/// Runs the user's git program, and thereby hooks and signing programs. It has no terminal and no standard input, so it
/// never blocks there; the program in SSH_ASKPASS, GIT_ASKPASS or core.askPass, or gpg's agent, asks for passphrases.
/// If this process is killed, git continues, and the next process waits for it.
class GitProgram
{
public:
    GitProgram(const OpenRepository &repository, const WorkHooks &hooks)
        : m_repository(repository)
        , m_hooks(hooks)
    {
    }
    /// Makes the journal record that git runs, so that the next process knows.
    void noteIn(const Journal *journal) { m_journal = journal; }

    /// Runs git in `folder` with these variables added to the environment. Returns its combined standard output and
    /// error, at most the last 64 KiB. Error: git is missing, failed (with the end of its output), ran for more than
    /// half an hour, or was stopped. Blocks: for workers.
    Result<QByteArray> run(const QString &what, const QStringList &arguments, const QString &folder,
                           const QMap<QString, QString> &variables = {}) const;
    /// The same, but returns however git ends. `heard` gets the output as it arrives.
    [[nodiscard]] ProcessRun start(const QStringList &arguments, const QString &folder,
                                   const QMap<QString, QString> &variables = {},
                                   const std::function<void(const QByteArray &)> &heard = {}) const;

private:
    const OpenRepository &m_repository;
    const WorkHooks m_hooks;
    const Journal *m_journal = nullptr;
};

} // namespace tmx
