// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/Reflog.h"

#include "model/git/GitError.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cstdlib>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QByteArray timeZone(int minutes)
{
    const int size = std::abs(minutes);
    return QByteArray(minutes < 0 ? "-" : "+") + QByteArray::number(size / 60 * 100 + size % 60).rightJustified(4, '0');
}

} // namespace

void appendReflog(const OpenRepository &repository, const QString &branch, bool checkedOut, const QString &before,
                  const git_oid &after, const git_signature &who, const QByteArray &message)
{
    GitConfig config;
    int wanted = 1;
    if (obtain(config, git_repository_config_snapshot, repository.git()) == 0)
        git_config_get_bool(&wanted, config.get(),
                            "core.logAllRefUpdates"); // "always" is not a boolean, and means on

    const QByteArray old = before.isEmpty() ? QByteArray(GIT_OID_SHA1_HEXSIZE, '0') : before.toLatin1();
    const QByteArray line = old + ' ' + toHex(after).toLatin1() + ' ' + who.name + " <" + who.email + "> " +
                            QByteArray::number(qint64(who.when.time)) + ' ' + timeZone(who.when.offset) + '\t' +
                            message.simplified() + '\n';
    QStringList paths{repository.commonFolder + u"/logs/refs/heads/"_s + branch};
    if (checkedOut)
        paths.append(repository.gitFolder + u"/logs/HEAD"_s);
    for (const QString &path : std::as_const(paths)) {
        QFile log(path);
        if (!wanted && !log.exists())
            continue;
        QDir().mkpath(QFileInfo(path).absolutePath());
        if (log.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
            log.write(line);
    }
}

} // namespace tmx
