// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/RemoteRun.h"

#include "model/base/Programs.h"
#include "model/base/TerminalText.h"
#include "model/base/Tr.h"
#include "model/job/GitAnswer.h"
#include "model/job/RemoteJob.h"
#include "model/job/ResultLinks.h"
#include "model/job/SupervisedRun.h"
#include "model/outcome/OutcomeReader.h"

#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QFile>
#include <QFileInfo>
#include <QThread>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Cause = tmx::BuildOutcome::Cause;
using Kind = tmx::BuildOutcome::Kind;

namespace tmx {

namespace {

constexpr int connectionLost = 255;                ///< exit code of ssh
constexpr int runnerGone = 3;                      ///< exit code of remote.sh follow
constexpr int firstTries = 3;                      ///< for a machine that does not have the job yet
constexpr std::chrono::seconds longestPause = 60s; ///< between two attempts

struct Answer {
    ProcessOutcome process;
    QByteArray text;
    QString complaint; ///< the last line of its standard error
    [[nodiscard]] bool isLost() const { return process.exitCode == connectionLost; }
};

class RemoteRun
{
public:
    RemoteRun(const JobFolder &folder, const Job &job, const RunnerTools &tools)
        : m_folder(folder)
        , m_job(job)
        , m_tools(tools)
        , m_host(job.place.host)
        , m_script(QString::fromUtf8(remoteScript()))
        , m_ssh(findProgram(u"ssh"_s, tools.environment))
    {
    }

    JobOutcome run(int log);
    void remove();

private:
    [[nodiscard]] QStringList command(const QStringList &words) const;
    Answer start(const QString &program, const QStringList &arguments);
    Answer ask(const QStringList &words) { return start(m_ssh, command(words)); }
    Answer reach(const QStringList &words);
    bool pause();
    bool bring();
    int follow(int log);
    void passOnStop();
    JobOutcome fail(Kind kind, Cause cause, const QStringList &about, const QString &text = {});

    const JobFolder m_folder;
    const Job m_job;
    const RunnerTools &m_tools;
    const QString m_host;
    const QString m_script;
    const QString m_ssh;
    JobOutcome m_outcome;
    std::chrono::seconds m_pause = 1s;
    int m_passedOn = 0; ///< number of requests to stop that the machine got
};

JobOutcome RemoteRun::fail(Kind kind, Cause cause, const QStringList &about, const QString &text)
{
    m_outcome.build.kind = kind;
    m_outcome.build.cause = cause;
    m_outcome.build.about = about;
    m_outcome.build.text = text;
    return m_outcome;
}

/// Each call sends the script, so that versions always match.
QStringList RemoteRun::command(const QStringList &words) const
{
    QString line = u"sh -c "_s + shellWord(m_script) + u" remote.sh"_s;
    for (const QString &word : words)
        line += u' ' + shellWord(word);
    return sshOptions(m_tools.environment) + QStringList{u"--"_s, m_host, line};
}

Answer RemoteRun::start(const QString &program, const QStringList &arguments)
{
    const MemoryFile output;
    const MemoryFile errors;
    Answer answer{m_tools.start(program, arguments, output.fd(), errors.fd()), {}, {}};
    answer.text = output.text();
    answer.complaint = QString::fromUtf8(errors.text()).trimmed().section(u'\n', -1).simplified().left(300);
    return answer;
}

/// Waits before the next attempt, longer each time. Returns false if a stop was requested meanwhile.
bool RemoteRun::pause()
{
    const int before = m_tools.requests();
    const QDeadlineTimer end(m_pause);
    while (!end.hasExpired()) {
        if (m_tools.requests() > before)
            return false;
        QThread::sleep(100ms);
    }
    m_pause = qMin(2 * m_pause, longestPause);
    return true;
}

/// Calls a machine that has the job, as often as needed; a third request to stop gives up.
Answer RemoteRun::reach(const QStringList &words)
{
    for (;;) {
        Answer answer = ask(words);
        if (!answer.isLost() && !answer.process.stopped) {
            m_pause = 1s;
            return answer;
        }
        if (m_tools.requests() >= killLevel)
            return answer;
        m_tools.progress(Tr::tr("no connection to %1").arg(m_host));
        pause();
    }
}

/// Sends the job to a machine that does not have it. On false, m_outcome says why.
bool RemoteRun::bring()
{
    const QString git = findProgram(u"git"_s, m_tools.environment);
    const std::optional<QByteArray> recipe = gitAnswer(m_job.repository, {u"cat-file"_s, u"blob"_s, m_job.blob});
    if (git.isEmpty() || !recipe) {
        fail(Kind::Failed, git.isEmpty() ? Cause::ProgramMissing : Cause::RecipeGone,
             {git.isEmpty() ? u"git"_s : m_job.repository});
        return false;
    }
    const auto stopped = [this] {
        fail(Kind::Stopped, Cause::BeforeStart, {});
        return false;
    };
    const auto refused = [this](const Answer &answer) {
        fail(answer.isLost() ? Kind::Network : Kind::Failed, Cause::Refused, {m_host},
             answer.complaint.isEmpty() ? Tr::tr("ssh ended with code %1").arg(answer.process.exitCode)
                                        : answer.complaint);
        return false;
    };
    // One repository there for each repository here.
    const QByteArray place = QCryptographicHash::hash(m_job.repository.toUtf8(), QCryptographicHash::Sha256);
    QStringList words{u"prepare"_s, m_job.id,
                      QFileInfo(m_job.repository).fileName() + u'-' + QString::fromLatin1(place.toHex().first(12)) +
                          u".git"_s,
                      // The newest result of each recipe, as here.
                      resultsFolder(QString(), m_job.repository, m_job.branch).section(u'/', 2), u"script"_s, m_script};
    const QList<QPair<QString, QString>> files = remoteFiles(m_job, *recipe);
    for (const auto &[name, value] : files)
        words << name << value;
    const Answer prepared = ask(words);
    if (prepared.process.stopped)
        return stopped();
    const QString repository = QString::fromUtf8(prepared.text).trimmed();
    if (!prepared.process.succeeded() || !repository.startsWith(u'/'))
        return refused(prepared);
    const Answer pushed =
        start(git, {u"-C"_s, m_job.repository, u"-c"_s, u"core.hooksPath=/dev/null"_s, u"push"_s, u"--quiet"_s,
                    u"--force"_s, m_host + u':' + repository, m_job.commit + u":refs/torch-matrix/jobs/"_s + m_job.id});
    if (pushed.process.stopped || m_tools.requests() > 0)
        return stopped();
    if (!pushed.process.succeeded())
        return refused(pushed);
    const Answer started = ask({u"start"_s, m_job.id});
    return started.process.succeeded() || started.process.stopped || refused(started);
}

void RemoteRun::passOnStop()
{
    while (m_passedOn < qMin(m_tools.requests(), killLevel)) {
        ++m_passedOn;
        ask({u"stop"_s, m_job.id}); // If it does not arrive, the next one follows.
    }
}

/// Copies the log until the job ends. Returns the exit code of remote.sh follow.
int RemoteRun::follow(int log)
{
    for (;;) {
        passOnStop();
        const qint64 have = QFileInfo(m_folder.logFile()).size();
        const MemoryFile errors;
        m_tools.progress({});
        const ProcessOutcome process =
            m_tools.start(m_ssh, command({u"follow"_s, m_job.id, QString::number(have)}), log, errors.fd());
        if (process.stopped)
            continue;
        if (process.exitCode != connectionLost)
            return process.exitCode;
        if (m_tools.requests() >= killLevel)
            return connectionLost;
        if (QFileInfo(m_folder.logFile()).size() > have)
            m_pause = 1s;
        m_tools.progress(Tr::tr("no connection to %1").arg(m_host));
        pause();
    }
}

void RemoteRun::remove()
{
    ask({u"remove"_s, m_job.id});
}

JobOutcome RemoteRun::run(int log)
{
    if (m_ssh.isEmpty())
        return fail(Kind::Failed, Cause::ProgramMissing, {u"ssh"_s});
    const QString mark = m_folder.file(u"there"_s);
    const bool known = QFileInfo::exists(mark);
    Answer state = known ? reach({u"state"_s, m_job.id}) : ask({u"state"_s, m_job.id});
    for (int attempt = 1; !known && state.isLost() && attempt < firstTries && pause(); ++attempt)
        state = ask({u"state"_s, m_job.id});
    if (!known && (state.process.stopped || m_tools.requests() > 0))
        return fail(Kind::Stopped, Cause::BeforeStart, {});
    if (state.isLost() || state.process.stopped)
        return fail(known ? Kind::Lost : Kind::Network, Cause::HostUnreachable, {m_host}, state.complaint);
    const QByteArray word = state.text.trimmed();
    if (!QByteArrayList{"none", "running", "ended", "lost"}.contains(word)) {
        // git, which brings the commit, fails there too.
        if (word.isEmpty() && !state.complaint.isEmpty())
            return fail(Kind::Failed, Cause::Refused, {m_host}, state.complaint);
        return fail(Kind::Failed, Cause::Greeting,
                    {m_host, QString::fromUtf8(word).section(u'\n', 0, 0).simplified().left(60)});
    }
    if (word == "none") {
        if (known)
            return fail(Kind::Lost, Cause::JobGone, {m_host});
        if (!bring())
            return m_outcome;
    }
    QFile there(mark);
    if (!there.open(QIODevice::WriteOnly))
        qWarning("%s: %s", qPrintable(mark), qPrintable(there.errorString()));
    there.close();
    const int followed = follow(log);
    const Answer said =
        followed == connectionLost || followed == runnerGone ? Answer() : reach({u"outcome"_s, m_job.id});
    const std::optional<RemoteEnd> end = remoteEndOf(said.text, m_job.package);
    if (end) {
        m_outcome = outcomeOf(m_folder, m_job, *end);
    } else if (followed == connectionLost) {
        return fail(Kind::Stopped, Cause::HostUnreachable, {m_host});
    } else {
        m_outcome.build = lostOutcome(m_folder.logFile(), m_job.package);
        m_outcome.build.cause = Cause::HostLost;
        m_outcome.build.about = {m_host};
    }
    return m_outcome;
}

} // namespace

void removeThere(const JobFolder &folder, const Job &job, const RunnerTools &tools)
{
    RemoteRun(folder, job, tools).remove();
}

JobOutcome runThere(const JobFolder &folder, const Job &job, int log, const RunnerTools &tools)
{
    return RemoteRun(folder, job, tools).run(log);
}

} // namespace tmx
