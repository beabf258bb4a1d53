// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QStringList>
#include <QUrl>

#include <functional>
#include <optional>

namespace tmx {

/// What the git program does with branches and remotes.
struct GitTask {
    enum class Kind {
        CheckOut, ///< `branch`, with the uncommitted changes; git refuses where they would be overwritten
        Fetch,    ///< from every remote; nothing is merged
        Push,     ///< `branch` to the remote's branch of that name, which it follows if it followed none; never forced
        SetUpstream, ///< `branch` follows `upstream` from now on
        FetchBuilds, ///< a team's builds, from `remote` to fetchedBuildsRef(); none there is no error
        PushBuilds,  ///< a team's builds to `remote`; never forced
    };
    Kind kind = Kind::Fetch;
    QString branch = {};   ///< local; of Fetch and of a team's builds empty
    QString upstream = {}; ///< of SetUpstream: a remote-tracking branch, "origin/main"
    QString remote = {};   ///< of a team's builds: a remote's name
};

/// Where a team's builds are, here and in every remote.
inline const QString buildsRef = QStringLiteral("refs/torch-matrix/builds");
/// Where those of a remote are once they were fetched.
QString fetchedBuildsRef(const QString &remote);
/// The remote of a team's builds: the named one, else the one that git pushes to. Errors: there is none, or none is
/// chosen of several. For workers.
Result<QString> buildsRemote(const QString &workTree, const QString &name);

/// How far git says that it is.
struct GitProgress {
    QString phase;    ///< "Receiving objects"; text of git or of the remote, at most 80 characters
    int percent = -1; ///< 0 to 100; -1: git cannot say
    bool operator==(const GitProgress &) const = default;
};

/// Finds the progress in what git prints, piece by piece: "Receiving objects:  42% (21/50), 1.2 MiB" between carriage
/// returns.
class GitProgressReader
{
public:
    /// The last progress of this piece; nullopt: it has none.
    std::optional<GitProgress> read(const QByteArray &piece);

private:
    QByteArray m_line; ///< without an end so far
};

/// Runs a task to its end; what git printed, progress left out. Errors: the repository has no remote, or several and no
/// setting chooses one, the remote refused (it has commits that the branch lacks, or a rule of its own), uncommitted
/// changes would be overwritten; each with git's own sentence, at most its first eight lines; it was stopped. Git asks
/// nothing in a terminal; a password is asked for by the program in GIT_ASKPASS, core.askPass or SSH_ASKPASS, and only
/// where there is a display. For workers.
Result<QString> runGitTask(const QString &workTree, const GitTask &task,
                           const std::function<void(const GitProgress &)> &tell = {},
                           const std::function<bool()> &stop = {});

/// The page of a remote's host that asks to merge `branch` into `base`. `remote` is its address, as git writes it:
/// https, ssh, or "git@host:owner/name.git"; a user's name and password in it are left out. An empty base is the
/// host's default branch. Knows GitHub, GitLab, Gitea with Forgejo, and Bitbucket, by the host's name. Always https.
/// Errors: a folder, http with a port of its own, an unknown host, no owner or name. Pure.
Result<QUrl> pullRequestPage(const QString &remote, const QString &base, const QString &branch);
/// The same of a local branch: the remote that it is pushed to, and that one's default branch. Errors as well: no
/// remote, not pushed yet. For workers.
Result<QUrl> pullRequestPageOf(const QString &workTree, const QString &branch);

/// The remote-tracking branches, "origin/main", by name. For workers.
Result<QStringList> remoteBranches(const QString &workTree);

} // namespace tmx
