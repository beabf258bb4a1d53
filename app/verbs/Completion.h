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

/// The completion script for bash, zsh or fish; empty for another shell. The scripts hold no verb and no option: they
/// ask the program (completionsFor) at every Tab, so they are never out of date.
QByteArray completionScript(const QString &shell);

/// What the last of `words` can become (it may be empty): one line each, "WORD" or "WORD<Tab>DESCRIPTION". The lines
/// ":files" and ":folders" ask the shell to complete paths itself. `words` are the command line without the program's
/// name. Names of recipes and branches are those of the repository that --repo names, or that of the current folder;
/// where none can be read, there are none.
QStringList completionsFor(const CLI::App &app, QStringList words);

} // namespace tmx
