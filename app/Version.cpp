// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include <QString>

namespace tmx {

QString versionText()
{
    return QStringLiteral("torch-matrix " TORCH_MATRIX_VERSION);
}

} // namespace tmx
