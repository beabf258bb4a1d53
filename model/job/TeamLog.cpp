// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/TeamLog.h"

#include "model/base/Process.h"
#include "model/base/TerminalText.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/job/Place.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// Arguments: the job or nothing, the id that lineIdOf() makes of it.
constexpr QLatin1StringView script =
    R"sh(s=${TORCH_MATRIX_STATE:-${XDG_STATE_HOME:-$HOME/.local/state}/torch-matrix}/jobs
j=$1
if [ -z "$j" ]; then
    m=$(head -n 1 /etc/machine-id 2>/dev/null)
    for f in "$s"/*/; do
        n=${f%/}; n=${n##*/}
        case $(printf 'torch-matrix build\n%s\n%s' "$m" "$n" | sha256sum) in "$2"*) j=$n; break ;; esac
    done
fi
f=$s/$j/log
if [ -z "$j" ]; then echo '#torch-matrix no log'
elif [ -f "$f" ]; then n=$(wc -c <"$f"); echo "#torch-matrix log $((n))"; exec cat "$f"
elif [ -f "$f.gz" ]; then echo '#torch-matrix log 0'; exec gzip -dc "$f.gz"
else echo '#torch-matrix no log'
fi
)sh"_L1;
constexpr QByteArrayView mark = "#torch-matrix ";
constexpr qsizetype longestGreeting = 64 * 1024; ///< what the host's shell and ssh may print before the log

/// Takes what ssh prints: the line that begins with `mark`, then the log.
class Receiver
{
public:
    explicit Receiver(const QString &file)
        : m_file(file)
    {
        m_open = m_file.open(QIODevice::WriteOnly | QIODevice::Truncate);
    }
    void take(const QByteArray &bytes)
    {
        if (m_found)
            return write(bytes);
        m_head = (m_head + bytes).last(qMin(longestGreeting, m_head.size() + bytes.size()));
        const qsizetype at = m_head.startsWith(mark) ? 0 : m_head.indexOf("\n" + mark.toByteArray()) + 1;
        const qsizetype end = m_head.indexOf('\n', at);
        if (!m_head.sliced(at).startsWith(mark) || end < 0)
            return;
        const QByteArray line = m_head.sliced(at + mark.size(), end - at - mark.size());
        m_found = line.startsWith("log ");
        m_none = !m_found;
        m_all = line.sliced(line.indexOf(' ') + 1).toLongLong();
        if (m_found)
            write(m_head.sliced(end + 1));
    }
    [[nodiscard]] bool flush() { return m_open && !m_failed && m_file.flush(); }
    [[nodiscard]] bool hasFailed() const { return !m_open || m_failed; }
    [[nodiscard]] bool isFound() const { return m_found; }
    [[nodiscard]] bool isNone() const { return m_none; }
    [[nodiscard]] qint64 came() const { return m_came; }
    [[nodiscard]] qint64 all() const { return m_all; }

private:
    void write(const QByteArray &bytes)
    {
        m_failed |= !m_open || m_file.write(bytes) != bytes.size();
        m_came += bytes.size();
    }
    QFile m_file;
    QByteArray m_head;
    bool m_open = false;
    bool m_failed = false;
    bool m_found = false;
    bool m_none = false;
    qint64 m_came = 0;
    qint64 m_all = 0;
};

} // namespace

QString teamLogPath(const BuildRecord &build)
{
    return build.jobThere.isEmpty() ? QString() : u"~/.local/state/torch-matrix/jobs/%1/log"_s.arg(build.jobThere);
}

Result<void> fetchTeamLog(const BuildRecord &build, const QString &host, const QString &file,
                          const std::function<void(qint64 came, qint64 all)> &tell, const std::function<bool()> &stop)
{
    const auto failed = [&host](const QString &why, const QString &remedy = {}) {
        return Error{Tr::tr("fetch the log from"), host, why, remedy};
    };
    if (!isSshHost(host))
        return failed(Tr::tr("that is not a host name"), hostRemedy());
    ProcessRequest request;
    request.program = u"ssh"_s;
    request.arguments =
        sshOptions(request.environment) +
        QStringList{u"-C"_s, u"--"_s, host,
                    u"sh -c %1 log %2 %3"_s.arg(shellWord(script), shellWord(build.jobThere), shellWord(build.job))};
    Receiver receiver(file);
    constexpr qsizetype longestComplaint = 4096;
    const ProcessRun run = runProcess(
        request, longestComplaint, [&] { return receiver.hasFailed() || (stop && stop()); },
        [&](const QByteArray &bytes) {
            receiver.take(bytes);
            if (tell && receiver.isFound())
                tell(receiver.came(), receiver.all());
        });
    if (!run.outcome.started)
        return failed(Tr::tr("ssh could not be started (%1)").arg(run.outcome.error), Tr::tr("Install an ssh client."));
    if (!receiver.flush())
        return failed(Tr::tr("%1 cannot be written").arg(file), Tr::tr("Check that the disk is not full."));
    if (run.outcome.stopped)
        return failed(Tr::tr("it was stopped"));
    if (receiver.isNone())
        return failed(Tr::tr("it has no log of this build"),
                      Tr::tr("It may be on another machine, in another account, or removed."));
    if (run.outcome.succeeded() && receiver.isFound())
        return {};
    const QString said = QString::fromUtf8(run.output.trimmed()).section(u'\n', -1).simplified().left(160);
    return failed(receiver.isFound() ? Tr::tr("the connection broke")
                  : said.isEmpty()   ? Tr::tr("ssh ended with code %1").arg(run.outcome.exitCode)
                                     : said,
                  loginRemedy(host));
}

} // namespace tmx
