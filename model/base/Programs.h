// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QProcessEnvironment>
#include <QStringList>

namespace tmx {

/// The path of a program in `folders` (empty: this program's PATH), or of one given by its path; empty if there is no
/// executable. Reads the disk: for a worker.
QString findProgram(const QString &name, const QStringList &folders = {});
/// The same on the PATH of an environment, which a test or Flox sets; empty if that has none.
QString findProgram(const QString &name, const QProcessEnvironment &environment);

/// The environment of git, and of what runs git: without the variables that name another repository, and without the
/// monitor that a repository may name (core.fsmonitor): it is a program, which only the user runs.
QProcessEnvironment gitEnvironment(QProcessEnvironment environment = QProcessEnvironment::systemEnvironment());

} // namespace tmx
