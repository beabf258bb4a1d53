// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

/// What the rows measure on: made by the program itself, the same on every machine.
namespace tmx::bench {

std::shared_ptr<const Catalog> catalog();

/// A repository of nine branches and over a thousand recipes, packed as git leaves it after a while.
struct BranchesSample {
    QString path;
    QStringList branches;
    int recipes = 0; ///< of all branches
    QString ids;     ///< a file with the ids of their blobs, as `git cat-file --batch` takes them
};
const BranchesSample &nineBranches();

/// `times` as many branches as another repository, each with recipes of its own. Objects are shared with it.
BranchesSample manyTimes(const BranchesSample &sample, int times);

/// A branch with a recipe of each variant of a line.
QString repositoryOf(const QString &line);

/// A log as a build prints it, about 100 bytes a line; made once for each size.
QString logOf(qint64 bytes);

} // namespace tmx::bench
