// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Programs.h"

#include "model/base/WindowThread.h"

#include <QStandardPaths>

namespace tmx {

QString findProgram(const QString &name, const QStringList &folders)
{
    belongsToAWorker("search of PATH");
    return QStandardPaths::findExecutable(name, folders);
}

} // namespace tmx
