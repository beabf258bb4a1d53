// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/SourceHash.h"

#include "model/base/Process.h"
#include "model/base/Tr.h"
#include "model/hardware/NixProbe.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype longestOutput = 1024 * 1024;
constexpr qsizetype longestLine = 64 * 1024;
constexpr qint64 mebibyte = 1024 * 1024;
constexpr int progressResult = 105;   ///< Nix's resProgress: done, expected, running, failed
constexpr int transferActivity = 101; ///< Nix's actFileTransfer

/// Reads Nix's internal-json log.
class PrefetchLog
{
public:
    explicit PrefetchLog(const WorkHooks &hooks)
        : m_hooks(hooks)
    {
    }
    void take(const QByteArray &bytes)
    {
        m_rest += bytes;
        for (qsizetype end = m_rest.indexOf('\n'); end >= 0; end = m_rest.indexOf('\n')) {
            takeLine(m_rest.first(end));
            m_rest.remove(0, end + 1);
        }
        if (m_rest.size() > longestLine)
            m_rest.clear();
    }
    [[nodiscard]] const QString &hash() const { return m_hash; }
    [[nodiscard]] const QString &error() const { return m_error; }

private:
    void takeLine(const QByteArray &line)
    {
        const QByteArray mark = "@nix "_ba;
        const bool isLog = line.startsWith(mark);
        const QJsonObject object = QJsonDocument::fromJson(isLog ? line.sliced(mark.size()) : line).object();
        if (!isLog) {
            if (const QString hash = object.value(u"hash"_s).toString(); !hash.isEmpty())
                m_hash = hash;
            return;
        }
        const QString action = object.value(u"action"_s).toString();
        const int type = object.value(u"type"_s).toInt();
        if (action == "msg"_L1 && object.value(u"level"_s).toInt() == 0) {
            static const QRegularExpression colour(u"\x1b\\[[0-9;]*m"_s);
            m_error = object.value(u"msg"_s).toString().remove(colour).section("error:"_L1, -1).simplified();
        } else if (action == "start"_L1 && type == transferActivity) {
            m_transfer = object.value(u"id"_s).toInteger();
        } else if (action == "result"_L1 && type == progressResult && m_transfer != 0 &&
                   object.value(u"id"_s).toInteger() == m_transfer) {
            const QJsonArray fields = object.value(u"fields"_s).toArray();
            m_hooks.tell(int(fields.at(0).toInteger() / mebibyte), int(fields.at(1).toInteger() / mebibyte));
        }
    }

    const WorkHooks &m_hooks;
    QByteArray m_rest;
    QString m_hash;
    QString m_error;
    qint64 m_transfer = 0; ///< id of the download under way
};

} // namespace

QString nixpkgsSource(const QString &revision)
{
    return u"https://github.com/NixOS/nixpkgs/archive/%1.tar.gz"_s.arg(revision);
}

QString sourceOf(const Family &family, const QString &version)
{
    if (family.repository.isEmpty() || version.isEmpty())
        return {};
    const QString address = u"https://github.com/"_s + family.repository;
    return family.companion ? u"%1/archive/refs/tags/v%2.tar.gz"_s.arg(address, version)
                            : u"git+%1?ref=refs/tags/v%2&submodules=1&shallow=1"_s.arg(address, version);
}

Result<QString> fetchHash(const QString &source, const WorkHooks &hooks)
{
    const QString what = Tr::tr("fetch the hash of");
    const QString program = findNix(u"/"_s);
    if (program.isEmpty())
        return Error{what, source, Tr::tr("Nix is not installed"), Tr::tr("Install Nix, or type the hash.")};
    PrefetchLog log(hooks);
    const ProcessRun run = runProcess(
        {.program = program,
         .arguments = {u"--extra-experimental-features"_s, u"nix-command flakes"_s, u"--flake-registry"_s, QString(),
                       u"flake"_s, u"prefetch"_s, u"--json"_s, u"--log-format"_s, u"internal-json"_s, source},
         .workingDirectory = {}},
        longestOutput, hooks.stop, [&log](const QByteArray &bytes) { log.take(bytes); });
    log.take("\n");
    if (run.outcome.stopped)
        return stoppedError();
    if (run.outcome.succeeded() && !log.hash().isEmpty())
        return log.hash();
    const QString why = !log.error().isEmpty() ? log.error()
                        : !run.outcome.started ? run.outcome.error
                        : run.output.isEmpty() ? Tr::tr("Nix printed no hash")
                                               : QString::fromUtf8(run.output.right(300)).simplified();
    return Error{what, source, why, Tr::tr("Check the version and the network.")};
}

} // namespace tmx
