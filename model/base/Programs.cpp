// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Programs.h"

#include "model/base/WindowThread.h"

#include <QProcessEnvironment>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace tmx {

QString findProgram(const QString &name, const QStringList &folders)
{
    belongsToAWorker("search of PATH");
    return QStandardPaths::findExecutable(name, folders);
}

QString findProgram(const QString &name, const QProcessEnvironment &environment)
{
    const QStringList folders = environment.value(u"PATH"_s).split(u':', Qt::SkipEmptyParts);
    return folders.isEmpty() ? QString() : findProgram(name, folders);
}

} // namespace tmx
