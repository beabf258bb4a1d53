// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/GitTask.h"

#include "model/base/Surface.h"
#include "model/git/BranchRefs.h"
#include "model/git/CommitReader.h"
#include "model/git/GitError.h"
#include "model/git/GitProgram.h"
#include "model/git/OpenRepository.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr qsizetype maxLine = 4096; ///< a longer line is not progress
constexpr qsizetype maxPhase = 80;
constexpr qsizetype maxLines = 8; ///< lines of git's output in an error

QString configured(const OpenRepository &repository, const QString &key)
{
    GitConfig config;
    GitBuffer value;
    if (obtain(config, git_repository_config_snapshot, repository.git()) < 0 ||
        git_config_get_string_buf(&value, config.get(), key.toUtf8().constData()) < 0)
        return {};
    return QString::fromUtf8(value.ptr);
}

Error noRemote(const QString &what, const QString &subject)
{
    return {what, subject, Tr::tr("the repository has no remote"),
            forSurface(Tr::tr("Add one: git remote add origin ADDRESS"),
                       Tr::tr("Add one in Git's configuration of the repository."))};
}

QStringList remotesOf(const OpenRepository &repository)
{
    GitStrings names;
    QStringList remotes;
    if (git_remote_list(&names, repository.git()) < 0)
        return {};
    for (size_t i = 0; i < names.count; ++i)
        remotes.append(QString::fromUtf8(names.strings[i]));
    return remotes;
}

/// The remote that git would push the branch to; without any setting the only remote, or "origin". Empty: none.
QString pushRemote(const OpenRepository &repository, const QString &branch)
{
    const QStringList remotes = remotesOf(repository);
    for (const QString &key :
         {u"branch.%1.pushRemote"_s.arg(branch), u"remote.pushDefault"_s, u"branch.%1.remote"_s.arg(branch)}) {
        if (const QString name = configured(repository, key); remotes.contains(name))
            return name;
    }
    return remotes.size() == 1 ? remotes.constFirst() : remotes.contains(u"origin"_s) ? u"origin"_s : QString();
}

/// The lines that a terminal would show at the end: of an overwritten line, its last text.
QStringList shownLines(const QByteArray &output)
{
    QStringList lines;
    for (const QByteArray &line : output.split('\n')) {
        const QByteArray shown = line.trimmed();
        if (!shown.isEmpty())
            lines.append(QString::fromUtf8(shown.mid(shown.lastIndexOf('\r') + 1)));
    }
    return lines;
}

} // namespace

QString reasonIn(const QByteArray &output)
{
    QStringList lines;
    for (QString line : shownLines(output)) {
        if (line.startsWith("hint:"_L1) || line == "Aborting"_L1 || line == "Done"_L1 || line.startsWith("To "_L1) ||
            GitProgressReader().read(line.toUtf8() + '\r'))
            continue;
        for (const QString &head : {u"error: "_s, u"fatal: "_s}) {
            if (line.startsWith(head))
                line.remove(0, head.size());
        }
        lines.append(line);
    }
    const qsizetype more = lines.size() - maxLines;
    if (more > 0)
        lines = lines.first(maxLines) << u"\u2026"_s;
    QString text = lines.join(u'\n');
    if (text.endsWith(u'.'))
        text.chop(1);
    return text;
}

namespace {

/// Whether a push failed because the remote has commits that the branch lacks. git push --porcelain marks the ref with
/// "!".
bool isBehind(const QByteArray &output)
{
    return std::ranges::any_of(output.split('\n'), [](const QByteArray &line) {
        return line.startsWith("!\t") && (line.contains("(fetch first)") || line.contains("(non-fast-forward)"));
    });
}

Result<QString> chosenRemote(const OpenRepository &repository, const QString &what, const QString &branch)
{
    if (remotesOf(repository).isEmpty())
        return noRemote(what, branch);
    const QString remote = pushRemote(repository, branch);
    if (remote.isEmpty())
        return Error{what, branch, Tr::tr("the repository has several remotes, and none is chosen"),
                     forSurface(Tr::tr("Choose one: git config remote.pushDefault NAME"),
                                Tr::tr("Set remote.pushDefault in Git's configuration to its name."))};
    return remote;
}

struct Command {
    QString what;
    QString subject;
    QStringList arguments;
    QString remote; ///< for Push
};

Result<Command> commandOf(const OpenRepository &repository, const GitTask &task)
{
    const QString &branch = task.branch;
    const QString ref = u"refs/heads/"_s + branch;
    switch (task.kind) {
    case GitTask::Kind::CheckOut:
        // Normal branch names never begin with a dash, and git would parse it as an option.
        if (branch.startsWith(u'-'))
            return Error{Tr::tr("check out"),
                         branch,
                         Tr::tr("git does not accept a branch name that begins with "
                                "\"-\""),
                         {}};
        return Command{Tr::tr("check out"),
                       branch,
                       {u"switch"_s, u"--progress"_s, u"--no-guess"_s, u"--no-recurse-submodules"_s, branch},
                       {}};
    case GitTask::Kind::Fetch:
        if (remotesOf(repository).isEmpty())
            return noRemote(Tr::tr("fetch"), {});
        return Command{Tr::tr("fetch"), {}, {u"fetch"_s, u"--progress"_s, u"--all"_s}, {}};
    case GitTask::Kind::Push: {
        TM_TRY(chosen, chosenRemote(repository, Tr::tr("push"), branch));
        const QString &remote = *chosen;
        QStringList arguments{u"push"_s, u"--progress"_s, u"--porcelain"_s};
        if (configured(repository, u"branch.%1.merge"_s.arg(branch)).isEmpty())
            arguments.append(u"--set-upstream"_s);
        arguments += {u"--end-of-options"_s, remote, u"%1:%1"_s.arg(ref)};
        return Command{Tr::tr("push"), branch, arguments, remote};
    }
    case GitTask::Kind::SetUpstream:
        return Command{
            Tr::tr("set the upstream of"),
            branch,
            {u"branch"_s, u"--set-upstream-to=refs/remotes/"_s + task.upstream, u"--end-of-options"_s, branch},
            {}};
    case GitTask::Kind::FetchBuilds:
        // A pattern, so that a remote without such a ref is no error.
        return Command{Tr::tr("fetch the builds of"),
                       task.remote,
                       {u"fetch"_s, u"--progress"_s, u"--no-tags"_s, u"--no-write-fetch-head"_s, u"--end-of-options"_s,
                        task.remote, u"+%1*:%2*"_s.arg(buildsRef, fetchedBuildsRef(task.remote))},
                       {}};
    case GitTask::Kind::PushBuilds:
        return Command{Tr::tr("push the builds to"),
                       task.remote,
                       {u"push"_s, u"--progress"_s, u"--porcelain"_s, u"--no-verify"_s, u"--end-of-options"_s,
                        task.remote, u"%1:%1"_s.arg(buildsRef)},
                       {}};
    }
    Q_UNREACHABLE_RETURN(Command());
}

/// The parts of an address. `path`: "owner/name".
struct RemoteAddress {
    QString scheme; ///< also "ssh" for "git@host:path"
    QString host;
    int port = -1;
    QString path;
};

RemoteAddress addressIn(const QString &remote)
{
    RemoteAddress address;
    if (remote.contains("://"_L1)) {
        const QUrl url(remote, QUrl::StrictMode);
        address = {url.scheme(), url.host().toLower(), url.port(), url.path(QUrl::FullyDecoded)};
    } else if (const qsizetype colon = remote.indexOf(u':'); colon > 0 && !remote.left(colon).contains(u'/')) {
        const QString host = remote.left(colon);
        address = {u"ssh"_s, host.mid(host.lastIndexOf(u'@') + 1).toLower(), -1, remote.mid(colon + 1)};
    }
    while (address.path.startsWith(u'/'))
        address.path.remove(0, 1);
    while (address.path.endsWith(u'/'))
        address.path.chop(1);
    if (address.path.endsWith(".git"_L1))
        address.path.chop(4);
    return address;
}

/// Percent-encodes everything that may not be in a URL path.
QString encoded(const QString &text, const QByteArray &keep = "/")
{
    return QString::fromLatin1(QUrl::toPercentEncoding(text, keep));
}

} // namespace

std::optional<GitProgress> GitProgressReader::read(const QByteArray &piece)
{
    std::optional<GitProgress> last;
    for (const char byte : piece) {
        if (byte != '\r' && byte != '\n') {
            if (m_line.size() < maxLine)
                m_line.append(byte);
            continue;
        }
        QByteArray line = std::exchange(m_line, {}).trimmed();
        if (line.startsWith("remote: "))
            line.remove(0, 8);
        const qsizetype colon = line.indexOf(": ");
        if (colon <= 0)
            continue;
        const QByteArray rest = line.mid(colon + 2).trimmed();
        const qsizetype digits = std::ranges::find_if(rest, [](char c) { return c < '0' || c > '9'; }) - rest.begin();
        bool isNumber = false;
        const int number = rest.left(digits).toInt(&isNumber);
        if (!isNumber)
            continue;
        const bool hasPercent = rest.mid(digits, 1) == "%";
        // "Enumerating objects: 12, done." counts without a total.
        if (!hasPercent && digits != rest.size() && rest.at(digits) != ',')
            continue;
        last = GitProgress{QString::fromUtf8(line.left(colon)).left(maxPhase), hasPercent ? qMin(number, 100) : -1};
    }
    return last;
}

QString fetchedBuildsRef(const QString &remote)
{
    return u"refs/torch-matrix/remote/%1/builds"_s.arg(remote);
}

Result<QString> buildsRemote(const QString &workTree, const QString &name, GitTask::Kind kind)
{
    const bool fetches = kind == GitTask::Kind::FetchBuilds;
    TM_TRY(repository, openRepository(workTree));
    if (name.isEmpty())
        return chosenRemote(*repository, fetches ? Tr::tr("fetch the builds of others") : Tr::tr("share builds"), {});
    if (remotesOf(*repository).contains(name))
        return name;
    return Error{
        fetches ? Tr::tr("fetch builds from") : Tr::tr("share builds with"), name,
        Tr::tr("the repository has no remote of that name"),
        forSurface(Tr::tr("\"git remote\" lists them."), Tr::tr("Git's configuration of the repository lists them."))};
}

Result<QString> runGitTask(const QString &workTree, const GitTask &task,
                           const std::function<void(const GitProgress &)> &tell, const std::function<bool()> &stop)
{
    TM_TRY(repository, openRepository(workTree));
    TM_TRY(command, commandOf(*repository, task));
    GitProgressReader reader;
    const auto hear = [&](const QByteArray &bytes) {
        if (const std::optional<GitProgress> progress = reader.read(bytes); progress && tell)
            tell(*progress);
    };
    const ProcessRun run = GitProgram(*repository, {{}, stop}).start(command->arguments, workTree, forRemotes(), hear);
    const ProcessOutcome &outcome = run.outcome;
    if (outcome.succeeded()) {
        QStringList lines = shownLines(run.output);
        lines.removeIf([](const QString &line) { return GitProgressReader().read(line.toUtf8() + '\r').has_value(); });
        return lines.join(u'\n');
    }
    if (outcome.stopped)
        return Error{command->what, command->subject, Tr::tr("it was stopped"), {}};
    if (outcome.timedOut)
        return Error{command->what, command->subject, Tr::tr("git did not end within half an hour"), {}};
    if (!outcome.started)
        return Error{command->what, command->subject, outcome.error, Tr::tr("Install git.")};
    if (task.kind == GitTask::Kind::Push && isBehind(run.output))
        return Error{command->what, command->subject,
                     Tr::tr("%1 has commits that %2 does not have").arg(command->remote, task.branch),
                     Tr::tr("Fetch, then merge or rebase.")};
    const QString reason = reasonIn(run.output);
    return Error{command->what,
                 command->subject,
                 reason.isEmpty() ? Tr::tr("git ended with exit code %1").arg(outcome.exitCode) : reason,
                 {}};
}

Result<QUrl> pullRequestPage(const QString &remote, const QString &base, const QString &branch)
{
    const RemoteAddress address = addressIn(remote);
    const QString what = Tr::tr("open a pull request");
    const bool plainHttp = address.scheme == "http"_L1 && address.port != -1 && address.port != 80;
    if (address.host.isEmpty() || plainHttp ||
        !QStringList{u"https"_s, u"http"_s, u"ssh"_s, u"git"_s, u"git+ssh"_s}.contains(address.scheme))
        return Error{what, {}, Tr::tr("the remote's address names no host with a page of its own"), {}};
    const QStringList parts = address.path.split(u'/');
    if (parts.size() < 2 || std::ranges::any_of(parts, [](const QString &part) {
            return part.isEmpty() || part == "."_L1 || part == ".."_L1;
        }))
        return Error{what, {}, Tr::tr("the remote's address names no repository of an owner"), {}};
    const QStringList labels = address.host.split(u'.');
    const auto isCalled = [&labels](const QString &name) { return labels.contains(name); };
    const QString range = base.isEmpty() ? encoded(branch) : encoded(base) + u"..."_s + encoded(branch);
    QString page;
    if (isCalled(u"github"_s))
        page = u"/compare/%1?expand=1"_s.arg(range);
    else if (isCalled(u"codeberg"_s) || isCalled(u"gitea"_s) || isCalled(u"forgejo"_s))
        page = u"/compare/"_s + range;
    else if (isCalled(u"gitlab"_s))
        page = u"/-/merge_requests/new?merge_request%5Bsource_branch%5D="_s + encoded(branch, {}) +
               (base.isEmpty() ? QString() : u"&merge_request%5Btarget_branch%5D="_s + encoded(base, {}));
    else if (isCalled(u"bitbucket"_s))
        page = u"/pull-requests/new?source="_s + encoded(branch, {}) +
               (base.isEmpty() ? QString() : u"&dest="_s + encoded(base, {}));
    else
        return Error{what,
                     {},
                     Tr::tr("%1 is not known to be GitHub, GitLab, Gitea, Forgejo or Bitbucket").arg(address.host),
                     Tr::tr("Open its page in a browser.")};
    const QString port = address.scheme == "https"_L1 && address.port != -1 ? u":%1"_s.arg(address.port) : QString();
    QUrl url(u"https://%1%2/%3%4"_s.arg(address.host, port, encoded(address.path), page), QUrl::StrictMode);
    if (!url.isValid())
        return Error{what, {}, Tr::tr("the remote's address names no host with a page of its own"), {}};
    return url;
}

Result<QUrl> pullRequestPageOf(const QString &workTree, const QString &branch)
{
    TM_TRY(repository, openRepository(workTree));
    const QString what = Tr::tr("open a pull request of");
    const QString remote = pushRemote(*repository, branch);
    if (remote.isEmpty())
        return noRemote(what, branch);
    const QString folder = u"refs/remotes/%1/"_s.arg(remote);
    git_oid tip;
    if (git_reference_name_to_id(&tip, repository->git(), (folder + branch).toUtf8().constData()) < 0)
        return Error{what, branch, Tr::tr("it was not pushed to %1 yet").arg(remote), Tr::tr("Push it first.")};
    GitHandle<git_remote, git_remote_free> found;
    if (obtain(found, git_remote_lookup, repository->git(), remote.toUtf8().constData()) < 0 ||
        !git_remote_url(found.get()))
        return gitError(what, branch);
    QString base;
    GitReference head;
    if (obtain(head, git_reference_lookup, repository->git(), (folder + u"HEAD"_s).toUtf8().constData()) == 0 &&
        git_reference_symbolic_target(head.get())) {
        const QString target = QString::fromUtf8(git_reference_symbolic_target(head.get()));
        if (target.startsWith(folder))
            base = target.mid(folder.size());
    }
    if (base == branch)
        return Error{what, branch, Tr::tr("it is the branch that %1 merges into").arg(remote), {}};
    return pullRequestPage(QString::fromUtf8(git_remote_url(found.get())), base, branch);
}

Result<QStringList> remoteBranches(const QString &workTree)
{
    TM_TRY(reader, CommitReader::open(workTree));
    QStringList names;
    TM_TRY(tips, reader->tips());
    for (const BranchTip &tip : std::as_const(*tips)) {
        if (tip.remote)
            names.append(tip.name);
    }
    return names;
}

} // namespace tmx
