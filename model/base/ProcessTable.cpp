// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/ProcessTable.h"

#include <QDirIterator>
#include <QFile>
#include <QSet>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {

ProcessEntry processEntry(qint64 pid)
{
    QFile file(u"/proc/%1/stat"_s.arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    // The name, in parentheses, may contain anything.
    const QByteArray stat = file.read(1024);
    const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    if (fields.size() < 22)
        return {};
    static const qint64 page = ::sysconf(_SC_PAGESIZE);
    return {pid,
            fields.at(0).isEmpty() ? '?' : fields.at(0).front(),
            fields.at(1).toLongLong(),
            fields.at(2).toLongLong(),
            fields.at(3).toLongLong(),
            fields.at(19),
            fields.at(21).toLongLong() * page};
}

QList<ProcessEntry> processTable()
{
    QList<ProcessEntry> table;
    QDirIterator folders(u"/proc"_s, QDir::Dirs | QDir::NoDotAndDotDot);
    while (folders.hasNext()) {
        folders.next();
        const qint64 pid = folders.fileName().toLongLong();
        if (pid <= 0)
            continue;
        if (const ProcessEntry entry = processEntry(pid); entry.pid > 0)
            table.append(entry);
    }
    return table;
}

QList<ProcessEntry> descendantsOf(qint64 pid, const QList<ProcessEntry> &table)
{
    QList<ProcessEntry> found;
    QSet<qint64> parents{pid};
    for (bool more = true; more;) { // A child may come before its parent, because ids are reused.
        more = false;
        for (const ProcessEntry &entry : table) {
            if (!parents.contains(entry.parent) || parents.contains(entry.pid))
                continue;
            parents.insert(entry.pid);
            more = true;
            if (entry.lives())
                found.append(entry);
        }
    }
    return found;
}

QList<ProcessEntry> processesWith(const QByteArray &entry, const QList<ProcessEntry> &table)
{
    constexpr qint64 mostBytes = qint64(4) << 20;
    QList<ProcessEntry> found;
    for (const ProcessEntry &process : table) {
        QFile file(u"/proc/%1/environ"_s.arg(process.pid));
        if (process.lives() && file.open(QIODevice::ReadOnly) && file.read(mostBytes).split('\0').contains(entry))
            found.append(process);
    }
    return found;
}

} // namespace tmx
