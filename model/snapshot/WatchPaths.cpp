// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/WatchPaths.h"

#include "model/base/RepositoryPaths.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool isPlainFolder(const QString &path)
{
    const QFileInfo info(path);
    return info.isDir() && !info.isSymLink();
}

/// An in-place write only notifies watchers of the file itself, so each file is watched: recipes, and the Nix files in
/// folders, which recipes may import.
void addRecipes(QStringList &paths, const QString &folder, int depth = 0)
{
    constexpr int maxDepth = 8;
    const QFileInfoList entries =
        QDir(folder).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    for (const QFileInfo &entry : entries) {
        if (entry.isDir() || isRecipeName(entry.fileName()))
            paths.append(entry.filePath());
        if (entry.isDir() && depth < maxDepth)
            addRecipes(paths, entry.filePath(), depth + 1);
    }
}

} // namespace

QStringList workTreeWatchPaths(const Repository &repository)
{
    // Folders notify when entries are created, renamed or removed. The root of the working tree is included because
    // .flox may be created, removed or replaced there.
    QStringList paths = repository.watchPaths();
    const QString flox = repository.workTree() + u"/.flox"_s;
    const QString recipes = repository.workTree() + u'/' + recipeFolder;
    for (const QString &folder : {flox, recipes}) {
        if (!isPlainFolder(folder))
            break;
        paths.append(folder);
    }
    if (paths.contains(recipes))
        addRecipes(paths, recipes);
    const QFileInfo settings(repository.workTree() + u'/' + settingsFileName);
    if (settings.isFile() && !settings.isSymLink())
        paths.append(settings.filePath());
    return paths;
}

} // namespace tmx
