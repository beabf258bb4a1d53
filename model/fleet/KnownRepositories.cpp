// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/KnownRepositories.h"

#include <QDir>
#include <QSettings>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString knownKey = u"recentRepositories"_s;
constexpr qsizetype mostKnown = 100;
constexpr int deepest = 4;

/// The settings of the window, with explicit names, because verbs set no organisation.
const QString owner = u"torch-matrix"_s;

void look(const QString &folder, int depth, QStringList &found)
{
    const QDir dir(folder);
    if (dir.exists(u".git"_s)) {
        if (dir.exists(u".flox"_s))
            found.append(dir.path());
        return;
    }
    if (depth == 0)
        return;
    for (const QString &name : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name))
        look(dir.filePath(name), depth - 1, found);
}

} // namespace

QStringList knownRepositories()
{
    return QSettings(owner, owner).value(knownKey).toStringList().mid(0, mostKnown);
}

void rememberRepository(const QString &workTree)
{
    QStringList known = knownRepositories();
    if (workTree.isEmpty() || known.value(0) == workTree)
        return;
    known.removeAll(workTree);
    known.prepend(workTree);
    QSettings(owner, owner).setValue(knownKey, known.mid(0, mostKnown));
}

void addRepositories(const QStringList &workTrees)
{
    QStringList known = knownRepositories();
    const qsizetype before = known.size();
    known += workTrees;
    known.removeDuplicates();
    if (known.size() > before)
        QSettings(owner, owner).setValue(knownKey, known.mid(0, mostKnown));
}

void forgetRepository(const QString &workTree)
{
    QStringList known = knownRepositories();
    if (known.removeAll(workTree) > 0)
        QSettings(owner, owner).setValue(knownKey, known);
}

QStringList repositoriesBelow(const QString &folder)
{
    QStringList found;
    look(QDir(folder).absolutePath(), deepest, found);
    return found;
}

} // namespace tmx
