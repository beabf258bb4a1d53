// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QStringList>
#include <QUrl>

#include <functional>
#include <optional>

namespace tmx {

/// A task of the git program on branches and remotes.
struct GitTask {
    enum class Kind {
        CheckOut, ///< checks out `branch` and keeps uncommitted changes; git refuses if they would be overwritten
        Fetch,    ///< fetches from every remote; merges nothing
        Push,     ///< pushes `branch` to the remote's branch of that name, and sets it as upstream if there was none;
                  ///< never forced
        SetUpstream, ///< sets `upstream` as the upstream branch of `branch`
        FetchBuilds, ///< fetches a team's builds from `remote` to fetchedBuildsRef(); no error if there are none
        PushBuilds,  ///< pushes a team's builds to `remote`; never forced
    };
    Kind kind = Kind::Fetch;
    QString branch = {};   ///< local branch; empty for Fetch and for a team's builds
    QString upstream = {}; ///< for SetUpstream: a remote-tracking branch, "origin/main"
    QString remote = {};   ///< for a team's builds: a remote's name
};

/// Ref of a team's builds, here and in every remote.
inline const QString buildsRef = QStringLiteral("refs/torch-matrix/builds");
/// Ref of a remote's builds after fetching them.
QString fetchedBuildsRef(const QString &remote);
/// The remote for a team's builds: the named one, else the one that git pushes to. Errors: there is none, or there are
/// several and none is configured. For workers.
Result<QString> buildsRemote(const QString &workTree, const QString &name, GitTask::Kind kind);

/// Progress reported by git.
struct GitProgress {
    QString phase;    ///< "Receiving objects"; text from git or the remote, at most 80 characters
    int percent = -1; ///< 0 to 100; -1: unknown
    bool operator==(const GitProgress &) const = default;
};

/// Parses the progress in git's output as it arrives: "Receiving objects:  42% (21/50), 1.2 MiB" between carriage
/// returns.
class GitProgressReader
{
public:
    /// The last progress in this piece; nullopt if it has none.
    std::optional<GitProgress> read(const QByteArray &piece);

private:
    QByteArray m_line; ///< an incomplete line
};

/// Git's message without hints for users of a terminal, at most eight lines, without a full stop.
QString reasonIn(const QByteArray &output);

/// Runs a task to its end. Returns git's output without progress. Errors: the repository has no remote, or several and
/// no setting chooses one; the remote refused (it has commits that the branch lacks, or its own rules); uncommitted
/// changes would be overwritten; it was stopped. An error has at most the first eight lines of git's message. Git does
/// not prompt in a terminal; the program in GIT_ASKPASS, core.askPass or SSH_ASKPASS asks for a password, and only if
/// there is a display. For workers.
Result<QString> runGitTask(const QString &workTree, const GitTask &task,
                           const std::function<void(const GitProgress &)> &tell = {},
                           const std::function<bool()> &stop = {});

/// The page of a remote's host for a pull request of `branch` into `base`. `remote` is its address in git's notation:
/// https, ssh, or "git@host:owner/name.git"; a user name and password in it are removed. An empty base is the host's
/// default branch. Supports GitHub, GitLab, Gitea with Forgejo, and Bitbucket, recognised by the host's name. Always
/// https. Errors: a folder, http with a port, an unknown host, no owner or name. Pure.
Result<QUrl> pullRequestPage(const QString &remote, const QString &base, const QString &branch);
/// The same for a local branch: with the remote that it is pushed to, and that remote's default branch. Further errors:
/// no remote, not pushed yet. For workers.
Result<QUrl> pullRequestPageOf(const QString &workTree, const QString &branch);

/// The remote-tracking branches, "origin/main", by name. For workers.
Result<QStringList> remoteBranches(const QString &workTree);

} // namespace tmx
