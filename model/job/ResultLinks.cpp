// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/ResultLinks.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QUrl>

#include <climits>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostLinks = 32;

/// When the link itself was created: its target has the store's time, 1970.
QDateTime timeOfLink(const QString &path)
{
    struct stat status = {};
    if (::lstat(QFile::encodeName(path).constData(), &status) != 0 || !S_ISLNK(status.st_mode))
        return {};
    return QDateTime::fromMSecsSinceEpoch(qint64(status.st_mtim.tv_sec) * 1000 + status.st_mtim.tv_nsec / 1'000'000);
}

} // namespace

BuildState builtBefore(const QString &workTree, const QString &package, const QStringList &files)
{
    const QString link = u"result-"_s + package;
    BuildState state;
    state.since = timeOfLink(workTree + u'/' + link);
    if (!state.since.isValid())
        return {};
    const bool changed = std::ranges::any_of(files, [&](const QString &path) {
        const QFileInfo file(workTree + u'/' + path);
        return file.exists() && file.lastModified() > state.since;
    });
    state.phase = changed ? BuildState::Phase::Stale : BuildState::Phase::Built;
    state.text = u"./"_s + link;
    return state;
}

QList<BuildResult> resultsIn(const QString &folder, const QString &package, bool alone)
{
    const QString main = u"result-"_s + package;
    QList<BuildResult> results;
    const auto add = [&](const QString &name) {
        char target[PATH_MAX];
        const ssize_t size = ::readlink(QFile::encodeName(folder + u'/' + name).constData(), target, sizeof target);
        if (size > 0 && size < ssize_t(sizeof target) && target[0] == '/')
            results.append({name, QFile::decodeName(QByteArray(target, size))});
    };
    add(main);
    if (results.isEmpty())
        return {};
    if (!alone) {
        for (const QString &output : {u"-dev"_s, u"-lib"_s, u"-cxxdev"_s, u"-dist"_s})
            add(main + output);
        return results;
    }
    const QStringList others = QDir(folder).entryList({main + u"-*"_s}, QDir::AllEntries | QDir::System, QDir::Name);
    for (const QString &name : others) {
        if (name != main + u"-log"_s && results.size() < mostLinks)
            add(name);
    }
    return results;
}

QString resultsFolder(const QString &state, const QString &repository, const QString &branch)
{
    const QByteArray hash = QCryptographicHash::hash(repository.toUtf8(), QCryptographicHash::Sha256).toHex().first(12);
    const QString of = QString::fromLatin1(QUrl::toPercentEncoding(branch)); // no slash, unique for each branch
    return state + u"/results/"_s + QString::fromLatin1(hash) + u"/branch-"_s + of;
}

bool makeLink(const QString &path, const QString &target)
{
    const QByteArray name = QFile::encodeName(path);
    struct stat status = {};
    if (::lstat(name.constData(), &status) == 0 && !S_ISLNK(status.st_mode))
        return false;
    const QByteArray draft = name + '.' + QByteArray::number(QRandomGenerator::system()->generate(), 16);
    if (::symlink(QFile::encodeName(target).constData(), draft.constData()) != 0)
        return false;
    if (::rename(draft.constData(), name.constData()) == 0)
        return true;
    ::unlink(draft.constData());
    return false;
}

} // namespace tmx
