// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace CLI {
class App;
} // namespace CLI

namespace tmx {

/// The completion script for bash, zsh or fish; empty for another shell. The scripts contain no verbs or options: they
/// call the program (completionsFor) on every Tab, so they are never outdated.
QByteArray completionScript(const QString &shell);

/// Completions of the last of `words` (it may be empty): one per line, "WORD" or "WORD<Tab>DESCRIPTION". The lines
/// ":files" and ":folders" ask the shell to complete paths itself. `words` are the command line without the program's
/// name. Names of recipes and branches come from the repository given by --repo or in the current folder; if it cannot
/// be read, there are none.
QStringList completionsFor(const CLI::App &app, QStringList words);

} // namespace tmx
