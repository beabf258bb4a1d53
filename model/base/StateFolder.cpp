// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/StateFolder.h"

#include <QDir>
#include <QStandardPaths>

namespace tmx {

QString stateFolder()
{
    const QString named = qEnvironmentVariable("TORCH_MATRIX_STATE");
    return QDir::isAbsolutePath(named) ? QDir::cleanPath(named)
                                       : QStandardPaths::writableLocation(QStandardPaths::GenericStateLocation) +
                                             QStringLiteral("/torch-matrix");
}

} // namespace tmx
