// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QStringList>

#include <vector>

namespace tmx::test {

/// What real Nix says of one file.
struct NixVerdict {
    bool accepted = false;
    bool crashed = false; ///< Nix itself aborted: there is no verdict to agree with
    QByteArray shown;     ///< when accepted: the expression in Nix's words
    QByteArray error;     ///< when refused: the message's first line, without "error: "
    int line = 0;         ///< when refused, and when Nix says so
    int column = 0;
};

/// `nix-instantiate --parse` of all files, with no experimental feature and no store; as few starts as it takes, since
/// Nix stops at the first file that it refuses. `home` is the HOME that it sees.
std::vector<NixVerdict> parseWithNix(const QStringList &files, const QString &home);

/// What `nix-instantiate --eval --strict --json` says of an expression; empty, with the errors in `errors`, when it
/// fails.
QByteArray evaluateWithNix(const QString &file, const QString &home, QByteArray &errors);

} // namespace tmx::test
