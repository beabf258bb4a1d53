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

QProcessEnvironment gitEnvironment(QProcessEnvironment environment)
{
    for (const QString &name : {u"GIT_DIR"_s, u"GIT_WORK_TREE"_s, u"GIT_INDEX_FILE"_s, u"GIT_PREFIX"_s,
                                u"GIT_COMMON_DIR"_s, u"GIT_OBJECT_DIRECTORY"_s, u"GIT_NAMESPACE"_s})
        environment.remove(name);
    const QString count = environment.value(u"GIT_CONFIG_COUNT"_s, u"0"_s);
    environment.insert(u"GIT_CONFIG_KEY_"_s + count, u"core.fsmonitor"_s);
    environment.insert(u"GIT_CONFIG_VALUE_"_s + count, u"false"_s);
    environment.insert(u"GIT_CONFIG_COUNT"_s, QString::number(count.toInt() + 1));
    return environment;
}

} // namespace tmx
