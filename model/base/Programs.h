// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

namespace tmx {

/// The path of a program along `folders` (none: this program's PATH), or of one that is named by its path; empty where
/// there is none that can be executed. Reads the disk: for a worker.
QString findProgram(const QString &name, const QStringList &folders = {});

} // namespace tmx
