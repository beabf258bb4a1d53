// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/MachineMemory.h"

#include <QFile>
#include <QStringTokenizer>

#include <algorithm>
#include <sys/resource.h>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(64 * 1024)) : QString();
}

/// The least memory.max of this process's control group and of those above it; 0: none has a limit.
qint64 groupLimit()
{
    const QString line = textOf(u"/proc/self/cgroup"_s).section(u'\n', 0, 0);
    if (!line.startsWith("0::/"_L1))
        return 0;
    qint64 least = 0;
    for (QString group = line.sliced(3); !group.isEmpty(); group = group.section(u'/', 0, -2)) {
        const qint64 limit = textOf(u"/sys/fs/cgroup%1/memory.max"_s.arg(group)).trimmed().toLongLong();
        if (limit > 0 && (least == 0 || limit < least))
            least = limit;
    }
    return least;
}

} // namespace

qint64 readMemTotal(const QString &text)
{
    for (const QStringView line : QStringTokenizer(text, u'\n')) {
        if (!line.startsWith("MemTotal:"_L1))
            continue;
        QStringView value = line.sliced(9).trimmed();
        if (!value.endsWith("kB"_L1))
            return 0;
        value.chop(2);
        bool isNumber = false;
        const qint64 kibibytes = value.trimmed().toLongLong(&isNumber);
        return isNumber && kibibytes > 0 ? kibibytes * 1024 : 0;
    }
    return 0;
}

qint64 usableMemory()
{
    qint64 memory = readMemTotal(textOf(u"/proc/meminfo"_s));
    const auto limit = [&memory](qint64 bytes) {
        if (bytes > 0 && (memory == 0 || bytes < memory))
            memory = bytes;
    };
    limit(groupLimit());
    rlimit own = {};
    if (::getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY)
        limit(qint64(std::min<rlim_t>(own.rlim_cur, rlim_t(1) << 60)));
    return memory;
}

double readMemoryPressure(const QString &text)
{
    for (const QStringView line : QStringTokenizer(text, u'\n')) {
        if (!line.startsWith("full "_L1))
            continue;
        for (const QStringView word : QStringTokenizer(line, u' ')) {
            if (word.startsWith("avg10="_L1))
                return word.sliced(6).toDouble();
        }
    }
    return 0;
}

double memoryPressure()
{
    return readMemoryPressure(textOf(u"/proc/pressure/memory"_s));
}

} // namespace tmx
