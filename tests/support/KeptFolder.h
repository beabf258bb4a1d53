// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QProcess>
#include <QTemporaryDir>

#include <functional>

namespace tmx::test {

/// Creates the folder `path` as a copy of what `make` once made at the path that it is given. That is kept in the build
/// folder under `name` until the test program changes, because making a repository takes longer than most tests.
inline void copyKept(const QString &name, const QString &path, const std::function<void(const QString &)> &make)
{
    const QFileInfo program(QFile::symLinkTarget(QStringLiteral("/proc/self/exe")));
    QDir kept(program.path());
    if (!kept.cdUp() || !kept.mkpath(QStringLiteral("kept")) || !kept.cd(QStringLiteral("kept")))
        qFatal("cannot make a folder");
    const QString all = program.fileName() + QLatin1Char('-') + name + QLatin1Char('-');
    const QString folder = all + QString::number(program.lastModified().toMSecsSinceEpoch());
    QLockFile lock(kept.filePath(QStringLiteral("lock")));
    lock.setStaleLockTime(0); // held as long as its process lives
    if (!lock.lock())
        qFatal("cannot lock %s", qPrintable(kept.path()));
    if (!kept.exists(folder)) {
        const QStringList older = kept.entryList({all + QLatin1Char('*')}, QDir::Dirs);
        for (const QString &one : older)
            QDir(kept.filePath(one)).removeRecursively();
        const QTemporaryDir scratch(kept.filePath(QStringLiteral("new-XXXXXX")));
        make(scratch.filePath(folder));
        if (!QFile::rename(scratch.filePath(folder), kept.filePath(folder)))
            qFatal("cannot keep %s", qPrintable(folder));
    }
    lock.unlock();
    if (QProcess::execute(QStringLiteral("cp"),
                          {QStringLiteral("-a"), QStringLiteral("--reflink=auto"), kept.filePath(folder), path}) != 0)
        qFatal("cannot copy %s", qPrintable(folder));
}

} // namespace tmx::test
