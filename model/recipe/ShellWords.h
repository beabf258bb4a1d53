// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

#include <optional>
#include <vector>

namespace tmx {

/// A word of a shell command with its quotes and backslashes taken away. Expansions stay as they are written:
/// `$CXXFLAGS`, `${x}`, `$(ls)`.
struct ShellWord {
    QByteArray text;
    std::vector<quint32> offsets; ///< in the script, of each byte of `text`
};

/// A simple command: what stands between `;`, `|`, `&`, parentheses and line ends. Words of the shell's own in front of
/// it (then, do, !) are left out.
struct ShellCommand {
    std::vector<ShellWord> words;
    QByteArray output; ///< file that standard output goes to; empty: none
    quint32 begin = 0; ///< in the script
    quint32 end = 0;
};

/// A stretch of a script as the shell reads it.
struct ShellToken {
    enum Kind : quint8 {
        Word,        ///< with its quotes
        Operator,    ///< `;` `&&` `|` `(`, a line end
        Redirection, ///< with its target: `2>&1`, `> file`, `<<EOF`
        Comment,
        Document, ///< the lines of a here document, its end included
    };
    Kind kind = Word;
    quint32 begin = 0;
    quint32 end = 0;
};

/// Everything in a script but blanks and continued line ends. Nothing where it is not sure where its words begin and
/// end: open quotes, backquotes, `$'...'`, quotes in `${...}`, comments or here documents in `$(...)`.
std::optional<std::vector<ShellToken>> shellTokens(const QByteArray &script);

/// The commands of a script, in the order of the text, those within conditions, loops and functions included. Comments
/// and here documents are no commands. Any bytes are a script; what is left open ends with the text.
std::vector<ShellCommand> shellCommands(const QByteArray &script);

} // namespace tmx
