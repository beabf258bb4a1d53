// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QStringList>

#include <vector>

namespace tmx::test {

/// Result of real Nix for one file.
struct NixVerdict {
    bool accepted = false;
    bool crashed = false; ///< Nix itself aborted, so there is nothing to compare with
    QByteArray shown;     ///< if accepted: the expression as printed by Nix
    QByteArray error;     ///< if refused: the first line of the message, without "error: "
    int line = 0;         ///< if refused, and if Nix reports it
    int column = 0;
};

/// `nix-instantiate --parse` for all files, without experimental features and without a store. Nix stops at the first
/// file that it refuses, so it is started as often as needed. `home` is its HOME.
std::vector<NixVerdict> parseWithNix(const QStringList &files, const QString &home);

/// Output of `nix-instantiate --eval --strict --json` for an expression; if it fails, empty, with the messages in
/// `errors`.
QByteArray evaluateWithNix(const QString &file, const QString &home, QByteArray &errors);

} // namespace tmx::test
