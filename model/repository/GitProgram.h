// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Process.h"
#include "model/base/WorkHooks.h"
#include "model/repository/Journal.h"

#include <QByteArray>
#include <QMap>
#include <QStringList>

namespace tmx {

/// Which of git's own steps a commit in this repository includes, beside those that libgit2 makes. core.hooksPath is
/// honoured; a hook that is not executable is none.
struct CommitSteps {
    bool commitHooks = false;   ///< pre-commit, prepare-commit-msg, commit-msg or post-commit
    bool referenceHook = false; ///< reference-transaction
    bool signature = false;     ///< commit.gpgsign
};
Result<CommitSteps> commitSteps(const OpenRepository &repository);

/// The user's git program, and with it the hooks and the programs that sign. It has no terminal and no standard input,
/// so it never waits for an answer there; a passphrase is asked for by the program in SSH_ASKPASS, GIT_ASKPASS or
/// core.askPass, or by gpg's agent. Where this process is killed git goes on, and the next one waits for it.
class GitProgram
{
public:
    GitProgram(const OpenRepository &repository, const WorkHooks &hooks)
        : m_repository(repository)
        , m_hooks(hooks)
    {
    }
    /// Who starts next must know that git still runs.
    void noteIn(const Journal *journal) { m_journal = journal; }

    /// Runs git in `folder` with these variables added to the environment; its output, standard output and error in
    /// one, at most the last 64 KiB. Error: git is not there, failed (with the end of its output), ran for more than
    /// half an hour, or was stopped. Blocks: for workers.
    Result<QByteArray> run(const QString &what, const QStringList &arguments, const QString &folder,
                           const QMap<QString, QString> &variables = {}) const;
    /// The same, however git ends. `heard` gets the output as it comes.
    [[nodiscard]] ProcessRun start(const QStringList &arguments, const QString &folder,
                                   const QMap<QString, QString> &variables = {},
                                   const std::function<void(const QByteArray &)> &heard = {}) const;

private:
    const OpenRepository &m_repository;
    const WorkHooks m_hooks;
    const Journal *m_journal = nullptr;
};

} // namespace tmx
