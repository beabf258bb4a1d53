// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace tmx {

/// Reports that files or folders changed, once for many simultaneous changes: saving in an editor makes several, and a
/// fetch moves many refs.
class PathWatcher : public QObject
{
    Q_OBJECT
public:
    explicit PathWatcher(std::chrono::milliseconds settle, QObject *parent = nullptr);

    /// Watches exactly these paths; paths that are already watched are not added again. A path that does not exist is
    /// left out.
    void setPaths(const QStringList &paths);
    void moveSoon(); ///< acts as if something had just changed
    void forget();   ///< discards changes that were not reported yet

Q_SIGNALS:
    void moved();

private:
    QFileSystemWatcher m_watcher;
    QTimer m_settle;
};

} // namespace tmx
