// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

#include <optional>
#include <vector>

namespace tmx {

/// A word of a shell command without its quotes and backslashes. Expansions are kept: `$CXXFLAGS`, `${x}`, `$(ls)`.
struct ShellWord {
    QByteArray text;
    std::vector<quint32> offsets; ///< offset in the script, for each byte of `text`
    bool isArray = false;         ///< `NAME=(...)`: `text` has the elements
};

/// A simple command: the text between `;`, `|`, `&`, parentheses and newlines. Reserved words before it (then, do, !)
/// are left out.
struct ShellCommand {
    std::vector<ShellWord> words;
    QByteArray output;   ///< file that standard output is redirected to; empty: none
    QByteArray document; ///< the lines of its here documents
    quint32 begin = 0;   ///< offset in the script
    quint32 end = 0;
};

/// One token of a script, as the shell reads it.
struct ShellToken {
    enum Kind : quint8 {
        Word,        ///< including its quotes
        Operator,    ///< `;` `&&` `|` `(`, a newline
        Redirection, ///< including its target: `2>&1`, `> file`, `<<EOF`
        Comment,
        Document, ///< the lines of a here document, including its end
    };
    Kind kind = Word;
    quint32 begin = 0;
    quint32 end = 0;
};

/// All tokens of a script except blanks and continued newlines. nullopt if word boundaries are uncertain: open quotes,
/// backquotes, `$'...'`, quotes in `${...}`, comments or here documents in `$(...)`.
std::optional<std::vector<ShellToken>> shellTokens(const QByteArray &script);

/// The commands of a script in the order of the text, including those in conditions, loops and functions. Comments and
/// here documents are left out. Accepts any bytes; unclosed constructs end with the text.
std::vector<ShellCommand> shellCommands(const QByteArray &script);

} // namespace tmx
