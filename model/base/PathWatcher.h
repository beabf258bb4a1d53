// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace tmx {

/// Tells that files or folders moved, once for many changes that come together: an editor's save is several, a fetch
/// moves many refs.
class PathWatcher : public QObject
{
    Q_OBJECT
public:
    explicit PathWatcher(std::chrono::milliseconds settle, QObject *parent = nullptr);

    /// Watches these and no others; those that are watched already are not read again. A path that is not there is
    /// left out.
    void setPaths(const QStringList &paths);
    void moveSoon(); ///< as if something had moved just now
    void forget();   ///< what has moved, and was not told yet

Q_SIGNALS:
    void moved();

private:
    QFileSystemWatcher m_watcher;
    QTimer m_settle;
};

} // namespace tmx
