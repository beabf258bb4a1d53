// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/PathWatcher.h"

#include <QSet>

namespace tmx {

PathWatcher::PathWatcher(std::chrono::milliseconds settle, QObject *parent)
    : QObject(parent)
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(settle);
    connect(&m_settle, &QTimer::timeout, this, &PathWatcher::moved);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &PathWatcher::moveSoon);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &PathWatcher::moveSoon);
}

void PathWatcher::setPaths(const QStringList &paths)
{
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    const QSet<QString> present(watched.begin(), watched.end());
    const QSet<QString> wanted(paths.begin(), paths.end());
    if (const QStringList gone = (present - wanted).values(); !gone.isEmpty())
        m_watcher.removePaths(gone);
    if (const QStringList added = (wanted - present).values(); !added.isEmpty())
        m_watcher.addPaths(added);
}

void PathWatcher::moveSoon()
{
    m_settle.start();
}

void PathWatcher::forget()
{
    m_settle.stop();
}

} // namespace tmx
