// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/build/ResultLinks.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// When the link itself was made: what it points to bears the store's time, 1970.
QDateTime timeOfLink(const QString &path)
{
    struct stat status = {};
    if (::lstat(QFile::encodeName(path).constData(), &status) != 0 || !S_ISLNK(status.st_mode))
        return {};
    return QDateTime::fromMSecsSinceEpoch(qint64(status.st_mtim.tv_sec) * 1000 + status.st_mtim.tv_nsec / 1'000'000);
}

} // namespace

BuildState builtBefore(const QString &workTree, const QString &package, const QString &recipe)
{
    const QString link = u"result-"_s + package;
    BuildState state;
    state.since = timeOfLink(workTree + u'/' + link);
    if (!state.since.isValid())
        return {};
    const QFileInfo file(workTree + u'/' + recipe);
    state.phase =
        file.exists() && file.lastModified() > state.since ? BuildState::Phase::Stale : BuildState::Phase::Built;
    state.text = u"./"_s + link;
    return state;
}

} // namespace tmx
